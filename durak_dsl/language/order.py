"""What uses what: the names in an order in which each comes after those that it uses, and the circles that stand in its way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from durak_dsl.problems import Span

Use = tuple[str, Span | None]
Circle = tuple[tuple[str, ...], Span | None]


def ordered(uses: Mapping[str, Sequence[Use]]) -> tuple[list[str], list[Circle]]:
    """The names in order, and each circle as its names (the first again at the end) with the place that closes it.

    Names in a circle stand in the order as well. Nothing here recurs, however long a chain is.
    """
    order: list[str] = []
    circles: list[Circle] = []
    closed: set[str] = set()
    for start in uses:
        path: list[tuple[str, Iterator[Use]]] = [] if start in closed else [(start, iter(uses[start]))]
        under_way = [start]
        while path:
            use = next(path[-1][1], None)
            if use is None:
                name = under_way.pop()
                path.pop()
                closed.add(name)
                order.append(name)
            elif use[0] in under_way:
                circles.append(((*under_way[under_way.index(use[0]) :], use[0]), use[1]))
            elif use[0] not in closed:
                path.append((use[0], iter(uses[use[0]])))
                under_way.append(use[0])
    return order, circles
