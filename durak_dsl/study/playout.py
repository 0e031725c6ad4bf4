"""One deal played to its end by chance."""

from __future__ import annotations

from random import Random

from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State

MOST_MOVES = 100_000


class Endless(Exception):
    """A deal is not over after very many moves."""


def playout(program: Program, state: State, random: Random) -> tuple[int, int]:
    """How many decisions (moves chosen among two or more) and how many moves there were; the state is then that at the end of the deal.

    Each step is uniformly random: a move of several picks is made pick by pick. A step that leaves no choice draws no number.
    """
    if state[NODE] < 0:
        return 0, 0
    legal_of, apply_of = program.legal_of, program.apply_of
    phases, chance = len(program.rules.phases), random.random
    decisions = 0
    node = state[NODE]
    try:
        for moves in range(1, MOST_MOVES):
            mask = legal_of[node](state)
            rest = mask & mask - 1
            if rest:
                decisions += 1
                passed = chance() * mask.bit_count()  # a float: counting it down takes less time than making it an integer
                while passed >= 1.0:
                    mask &= mask - 1
                    passed -= 1.0
                mask &= -mask
            node = apply_of[node](state, mask.bit_length() - 1)
            if node >= phases:
                decisions += _finish_move(program, state, random) and not rest
                node = state[NODE]
            if node < 0:
                return decisions, moves
    except RecursionError:
        raise program.nobody_acts(state) from None
    raise Endless(f"a deal of random moves is not over after {MOST_MOVES:,} moves")


def _finish_move(program: Program, state: State, random: Random) -> bool:
    """Make the later picks of a move, and return whether there was a choice."""
    chosen = False
    while state[NODE] >= len(program.rules.phases):
        mask = program.legal(state)
        count = mask.bit_count()
        chosen |= count > 1
        for _ in range(int(random.random() * count) if count > 1 else 0):
            mask &= mask - 1
        program.apply(state, (mask & -mask).bit_length() - 1)
    return chosen
