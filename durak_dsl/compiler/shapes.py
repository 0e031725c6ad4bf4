"""Shapes of picks as tables that emitted code goes through: rank by rank, from what is left of a shape to what is left then."""

from __future__ import annotations

from functools import lru_cache

from durak_dsl.compiler.runtime import ShapeTable, of_shape
from durak_dsl.language.shapes import Shape, leftovers, parts, written


@lru_cache(maxsize=100)
def table(shape: Shape, width: int) -> ShapeTable:
    """The table of a shape, for a deck with so many cards a rank."""
    left = leftovers(shape)  # nothing is left in the first
    number = {groups: index for index, groups in enumerate(left)}
    starts = tuple((sum(groups), 1 << number[tuple(sorted(groups, reverse=True))]) for groups in shape)
    after = [[0] * len(left) for _ in range(width + 1)]
    before = [[0] * len(left) for _ in range(width + 1)]
    for index, groups in enumerate(left):
        for taken, rest in parts(groups):
            if (count := sum(taken)) <= width:
                after[count][index] |= 1 << number[rest]
                before[count][number[rest]] |= 1 << index
    for count in range(1, width + 1):
        before[count] = [one | other for one, other in zip(before[count], before[count - 1], strict=True)]
    return starts, tuple(map(tuple, after)), tuple(map(tuple, before))


def table_name(shape: Shape) -> str:
    """What the table is called in emitted code."""
    return "SHAPE_" + "_or_".join(way.replace("+", "_") for way in written(shape))


def fits(shape: Shape, cards: int, width: int) -> bool:
    """Whether these cards, if there are any, are of the shape."""
    count, done = cards.bit_count(), 1 << cards.bit_length()
    return of_shape(0, cards, count, count, width, done, table(shape, width)) == done
