"""Shapes of picks: `1 | 2+1` is one card, or two of one rank and one more. Each way is a sum of groups, a group so many cards of a rank."""

from __future__ import annotations

from collections.abc import Iterator

from durak_dsl.language.syntax import Syntax
from durak_dsl.language.wrong import wrong
from durak_dsl.problems import Span

MOST_WAYS = 8
MOST_GROUPS = 8
LARGEST_GROUP = 16

Groups = tuple[int, ...]
Shape = tuple[Groups, ...]


def read(syntax: Syntax) -> Shape:
    """The shape that is written, each of its ways with its groups as they stand."""
    found: list[Groups] = []
    for way in syntax.parts:
        if way is None or way.kind == "bar":
            continue
        groups = tuple(_size(part) for part in way.parts if part is not None)
        if len(groups) > MOST_GROUPS:
            raise wrong("bounds", f"at most {MOST_GROUPS} groups make a shape; these are {len(groups)}", way.span)
        if any(sorted(groups) == sorted(other) for other in found):
            raise wrong("syntax", f"the shape {way.shown} stands twice", way.span)
        if len(found) == MOST_WAYS:
            raise wrong("bounds", f"a pick has at most {MOST_WAYS} shapes", way.span)
        found.append(groups)
    return tuple(found)


def _size(part: Syntax) -> int:
    if not 1 <= int(part.text) <= LARGEST_GROUP:
        raise wrong("bounds", f"a group has 1 to {LARGEST_GROUP} cards, not {part.shown}", part.span)
    return int(part.text)


def check(shape: Shape, fewest: int, most: int, width: int, span: Span) -> None:
    """That something can be picked: from so many to so many cards, of a deck with so many cards a rank."""
    text = written(shape)
    fitting = [groups for groups in shape if fewest <= sum(groups) <= most]
    if not fitting:
        bounds = f"{fewest} to {most} cards" if fewest < most else "1 card" if most == 1 else f"{most} cards"
        raise wrong("bounds", f"{bounds} cannot be of shape {' or '.join(text)}: nothing could be picked", span)
    if width and all(max(groups) > width for groups in fitting):
        raise wrong("bounds", f"the deck has {width} cards of a rank: nothing of shape {' or '.join(text)} could be picked", span)


def possible(groups: Groups, fewest: int, most: int, width: int) -> bool:
    """Whether so many to so many cards, of a deck with so many cards a rank, may be of these groups."""
    return fewest <= sum(groups) <= most and max(groups) <= width


def written(shape: Shape) -> tuple[str, ...]:
    """Each way of a shape as it is written."""
    return tuple("+".join(map(str, groups)) for groups in shape)


def parts(groups: Groups) -> Iterator[tuple[Groups, Groups]]:
    """Each way to take some of the groups, equal ones being the same: those taken, and those left."""
    if not groups:
        yield (), ()
        return
    size = groups[0]
    count = groups.count(size)
    for taken, left in parts(tuple(group for group in groups if group != size)):
        for many in range(count + 1):
            yield (size,) * many + taken, (size,) * (count - many) + left


def leftovers(shape: Shape) -> list[Groups]:
    """All that may be left of a shape when some of its groups are there, each with its groups from the largest; the fewest cards first."""
    found = {left for groups in shape for _, left in parts(tuple(sorted(groups, reverse=True)))}
    return sorted(found, key=lambda left: (sum(left), left))
