"""Counting of positions: in how many ways whole moves can be made to a depth (perft), and how many fall to each first move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State, bits

if TYPE_CHECKING:
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table


def perft(table: Table, depth: int) -> int:
    """How many ways there are to make so many whole moves from here. A deal that is over before is none of them."""
    return _ways(table.program, table.state, depth)


def divide(table: Table, depth: int) -> Iterator[tuple[Move, int]]:
    """Each legal move with the ways that begin with it."""
    for move in table.legal_moves():
        yield move, perft(table.after(move), depth - 1)


def _ways(program: Program, state: State, depth: int) -> int:
    if not depth:
        return 1
    if state[NODE] < 0:
        return 0
    phases = len(program.rules.phases)
    total = 0
    for choice in bits(program.legal(state)):
        after = state.copy()
        program.apply(after, choice)
        # A move under way is not a move made.
        total += _ways(program, after, depth - 1 if after[NODE] < phases else depth)
    return total
