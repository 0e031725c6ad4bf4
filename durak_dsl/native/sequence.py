"""The states of a fused deal one after the other, as play goes: what comes later is reached by going on, without asking which is next.

A compiler sees through a jump to a later state, and only jumps back ask anew; interpreted code finds a state faster by halving.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from durak_dsl.compiler.fuse import ends, targets
from durak_dsl.compiler.quote import quote


def in_sequence(states: Sequence[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """The states, each asked for once in each round."""
    bodies = dict(states)
    return [ast.If(quote("state == k", k=number), without_jumps(bodies[number]), []) for number in _order(bodies)]


def _order(bodies: Mapping[int, list[ast.stmt]]) -> Iterator[int]:
    """The states, each before those that it leads to, as far as they do not go round."""
    left: list[int] = []
    met: set[int] = set()

    def follow(number: int) -> None:
        if number in bodies and number not in met:
            met.add(number)
            for target in targets(bodies[number]):
                follow(target)
            left.append(number)

    for number in bodies:
        follow(number)
    return reversed(left)


def without_jumps(lines: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The same with what follows a branch that ends in `continue` moved into the other branch, so that none is needed."""
    found: list[ast.stmt] = []
    for number, line in enumerate(lines):
        if isinstance(line, ast.Continue):
            return found
        if isinstance(line, ast.If) and (ends(line.body) or ends(line.orelse)):
            rest = lines[number + 1 :]
            body = line.body if ends(line.body) else [*line.body, *rest]
            orelse = line.orelse if ends(line.orelse) else [*line.orelse, *rest]
            return [*found, ast.If(line.test, without_jumps(body) or [ast.Pass()], without_jumps(orelse))]
        found.append(line)
    return found
