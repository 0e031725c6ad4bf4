"""Ranges of deals by their numbers: which have been played, and how those that are missing are cut. Who plays them makes no difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Ranges = tuple[tuple[int, int], ...]  # first number and the one after the last; in ascending order, none next to another


def with_range(done: Ranges, first: int, last: int) -> Ranges:
    """The ranges and one more; ValueError where some of it is among them already."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((*done, (first, last))):
        if found and start < found[-1][1]:
            raise ValueError(f"the deals {start:,} to {min(end, found[-1][1]) - 1:,} are there twice")
        if found and start == found[-1][1]:
            found[-1] = (found[-1][0], end)
        elif end > start:
            found.append((start, end))
    return tuple(found)


def missing(numbers: range, done: Ranges) -> Ranges:
    """What there is of these numbers that is not in the ranges."""
    found = []
    start = numbers.start
    for first, last in (*done, (numbers.stop, numbers.stop)):
        if start < min(first, numbers.stop):
            found.append((start, min(first, numbers.stop)))
        start = max(start, last)
    return tuple(found)


def cut(ranges: Sequence[tuple[int, int]], size: int) -> Iterator[range]:
    """The ranges one after the other in parts that end at multiples of a size: the same, whoever plays them and how many do."""
    for first, last in ranges:
        while first < last:
            end = min(last, (first // size + 1) * size)
            yield range(first, end)
            first = end
