"""The player who knows no rules but tries moves out: on tables that agree with what his seat knows, with chance to the end."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

from durak_dsl.compiler.layout import SEATS
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State
from durak_dsl.players.playouts import playouts

if TYPE_CHECKING:
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table

PLAYOUTS = 200  # for a decision
MOST_MOVES = 64  # more moves than that are not compared; which ones, chance decides


class Search:
    """Compares moves by how the deal ends for his seat on average. Halves the field again and again, so that the best are tried out most.

    All moves that are left are tried on the same sampled tables and with the same chances, so that they differ by nothing else.
    """

    def __init__(self, random: Random, playouts: int = PLAYOUTS):
        self.random = random
        self.playouts = playouts

    def choose(self, table: Table) -> Move:
        """The move that did best."""
        seat = table.actor
        assert seat is not None
        moves: tuple[Move, ...] = table.legal_moves()
        if not moves:
            raise table.program.dead_end(table.state)
        left: list[int] = list(range(len(moves)))
        if len(left) > MOST_MOVES:
            left = sorted(self.random.sample(left, MOST_MOVES))
        rounds = max(1, math.ceil(math.log2(len(left))))
        totals = dict.fromkeys(left, 0.0)
        steps = {index: _steps(table, moves[index]) for index in left}
        for _ in range(rounds):
            if len(left) == 1:
                break
            for _ in range(max(1, self.playouts // (rounds * len(left)))):
                state, seed = table.sample(seat, self.random).state, self.random.getrandbits(32)
                for index in left:
                    totals[index] += _tried(table.program, state.copy(), steps[index], seat, seed)
            left = sorted(left, key=lambda index: (-totals[index], index))[: (len(left) + 1) // 2]
        return moves[left[0]]


def _steps(table: Table, move: Move) -> tuple[int, ...]:
    """The choices that make a move. They are the same on every table that looks the same to who moves."""
    way = table.game.choosing.way(table.state, move.name, move.picks)
    assert way is not None
    return way.steps


def _tried(program: Program, state: State, steps: tuple[int, ...], seat: int, seed: int) -> float:
    """What the deal is worth for a seat after these choices and chance from there on: from 1, the best, to 0; undecided, a half."""
    for step in steps:
        program.apply(state, step)
    end = playouts(program)(state, seed)
    return 0.5 if end is None else _worth(program, end, seat)


def _worth(program: Program, state: State, seat: int) -> float:
    """Before how many of those whom he plays against a seat ended: 1 before all, 0 behind all; who shares the place counts a half."""
    teams = program.rules.teams
    others = [other for other in range(state[SEATS]) if other != seat and not (teams and (other - seat) % teams == 0)]
    if not others:
        return 1.0
    place = program.ends.place(state, seat)
    places = [program.ends.place(state, other) for other in others]
    return sum((other > place) + 0.5 * (other == place) for other in places) / len(others)
