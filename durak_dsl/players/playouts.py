"""Deals played on by chance from any state: interpreted, and as machine code as soon as that is worth it. Both come to the same."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State, choosing

if TYPE_CHECKING:
    from durak_dsl.native.build import Native

MOST_TURNS = 5_000  # a playout that is longer is given up


class Playouts:
    """Plays deals of one program on by chance."""

    def __init__(self, program: Program):
        self.program = program
        self.native: Native | None = None
        self._seconds = 0.0  # of interpreted play
        self._ask_at: float = 0.0  # the seconds after which it is asked again whether machine code is worth it

    def __call__(self, state: State, seed: int) -> State | None:
        """The end of the deal, as far as results ask for it; None where it is not over after MOST_TURNS turns. RuleFault as in play."""
        if self.native is not None:
            turns, end = self.native.play_on(state, seed, MOST_TURNS)
            if turns >= 0:
                return end if turns <= MOST_TURNS else None
        start = perf_counter()
        end = state.copy()
        turns, _ = self.program.playout(end, choosing(seed), MOST_TURNS)
        if turns < 0:
            raise self.program.stuck(end, turns)
        self._seconds += perf_counter() - start
        if self._seconds >= self._ask_at and self.native is None:
            self._consider()
        return end if turns <= MOST_TURNS else None

    def _consider(self) -> None:
        """Take machine code if it is worth it by now."""
        from durak_dsl.native import build

        if self._seconds < build.WORTH_LOADING:
            self._ask_at = build.WORTH_LOADING
        elif build.against(self.program):
            self._ask_at = float("inf")
        elif self._seconds < build.WORTH_MAKING and not build.is_kept(self.program):
            self._ask_at = build.WORTH_MAKING
        else:
            self._ask_at = float("inf")
            with suppress(Exception):  # whatever a compiler may raise over code that it does not take
                self.native = build.built(self.program)


_PLAYOUTS: dict[int, Playouts] = {}


def playouts(program: Program) -> Playouts:
    """What plays deals of the program on, for all who ask."""
    return _PLAYOUTS.setdefault(id(program), Playouts(program))
