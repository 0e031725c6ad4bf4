"""Deals dealt, and played to their end by chance: step by step, or as one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from durak_dsl.compiler.layout import ACTOR, NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, State, choosing

MOST_MOVES = 100_000
AT_ONCE = 64  # deals that are dealt before the first is played: code that does the same for a while runs faster

Words = Callable[[], int]  # gives numbers of 32 bits


class Endless(Exception):
    """A deal is not over after very many moves."""


def dealt(program: Program, seats: int, seeds: Iterable[int]) -> Iterator[tuple[int, State]]:
    """Each seed with the state in which its deal begins. RuleFault in dealing is raised when the turn of that deal comes."""
    left = iter(seeds)
    while some := tuple(islice(left, AT_ONCE)):
        states: Iterable[State]
        try:
            states = [program.new(seats, seed) for seed in some]
        except RuleFault:
            states = (program.new(seats, seed) for seed in some)
        yield from zip(some, states, strict=True)


def playout(program: Program, state: State, words: Words) -> tuple[int, int]:
    """How many decisions (moves chosen among two or more) and how many moves there were; the state is then that at the end of the deal, as
    far as results ask for it.

    Each step is uniformly random: a move of several picks is made pick by pick. A step that leaves no choice draws no number.
    """
    moves, decisions = program.playout(state, words, MOST_MOVES)
    if moves < 0:
        raise program.stuck(state, moves)
    if moves > MOST_MOVES:
        raise Endless(f"a deal of random moves is not over after {MOST_MOVES:,} moves")
    return decisions, moves


def played_out(
    program: Program, seats: int, seeds: Iterable[int], play: Callable[[Program, State, Words], tuple[int, int]] = playout
) -> Iterator[tuple[State, int, int, int]]:
    """The deal of each seed played by chance: its state at the end, who acted first, how many decisions and how many moves there were.

    What goes wrong in one is raised when its turn comes; Endless says in which.
    """
    for seed, state in dealt(program, seats, seeds):
        first = state[ACTOR]
        try:
            counts = play(program, state, choosing(seed))
        except Endless as endless:
            raise Endless(f"{endless} ({seats} seats, --seed {seed})") from None
        yield state, first, *counts


def playout_by_steps(program: Program, state: State, words: Words) -> tuple[int, int]:
    """The same by `legal` and `apply`."""
    if state[NODE] < 0:
        return 0, 0
    legal_of, apply_of = program.legal_of, program.apply_of
    phases = len(program.rules.phases)
    decisions = 0
    node = state[NODE]
    try:
        for moves in range(1, MOST_MOVES + 1):
            mask = legal_of[node](state)
            if not mask:
                raise program.dead_end(state)
            rest = mask & mask - 1
            if rest:
                decisions += 1
                count = mask.bit_count()
                passed = words() * count >> 32
                if passed < count >> 1:
                    while passed:
                        mask &= mask - 1
                        passed -= 1
                    mask &= -mask
                else:  # the other end is nearer
                    while (passed := passed + 1) < count:
                        mask ^= 1 << mask.bit_length() - 1
            node = apply_of[node](state, mask.bit_length() - 1)
            if node >= phases:
                decisions += _finish_move(program, state, words) and not rest
                node = state[NODE]
            if node < 0:
                return decisions, moves
    except RecursionError:
        raise program.nobody_acts(state) from None
    raise Endless(f"a deal of random moves is not over after {MOST_MOVES:,} moves")


def _finish_move(program: Program, state: State, words: Words) -> bool:
    """Make the later picks of a move, and return whether there was a choice."""
    chosen = False
    while state[NODE] >= len(program.rules.phases):
        mask = program.legal(state)
        if not mask:
            raise program.dead_end(state)
        count = mask.bit_count()
        chosen |= count > 1
        for _ in range(words() * count >> 32 if count > 1 else 0):
            mask &= mask - 1
        program.apply(state, (mask & -mask).bit_length() - 1)
    return chosen
