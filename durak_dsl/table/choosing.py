"""Whole moves out of single choices: every way to make the picks of a move, and the steps that the program takes for it.

The program plays one value of one pick at a time and asks only where there is more than one. A `Way` is a whole move: the value of each
pick (a number, cards in ascending order, or None for a pick that is left out) and the bits that were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from durak_dsl.compiler.answers import Answers
from durak_dsl.compiler.choices import Segment
from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State
from durak_dsl.compiler.several import takes_one
from durak_dsl.table.cards import bits

Picked = int | tuple[int, ...] | None
Picks = tuple[Picked, ...]

# Narrows the values of a pick to those that are looked for: from its position, the cards chosen so far, the mask, and whether it is asked.
Narrow = Callable[[int, int, int, bool], int]


@dataclass(frozen=True)
class Way:
    """A whole move: its name, its picks, and the steps that make it."""

    name: str
    picks: Picks
    steps: tuple[int, ...]


def _all(position: int, chosen: int, mask: int, asked: bool) -> int:
    return mask


class Choosing:
    """Finds the whole moves that may be made in the states of one program."""

    def __init__(self, program: Program):
        self.program = program
        self.answers = Answers(program)
        self.done = program.rules.deck.grid * program.rules.deck.copies

    def ways(self, state: State) -> Iterator[Way]:
        """Every whole move that may be made at the start of a move, in the order of the rules."""
        for segment in self.segments(state):
            yield from self._ways(state, segment, _all)

    def segments(self, state: State) -> tuple[Segment, ...]:
        """The moves of the phase that the state is in."""
        return self.program.nodes[state[NODE]].segments if state[NODE] >= 0 else ()

    def way(self, state: State, name: str, picks: Picks) -> Way | None:
        """The way to make a move with these picks; None where it may not be made."""
        segment = next((segment for segment in self.segments(state) if segment.move == name), None)
        if segment is None or len(picks) != len(self.program.moves[name].picks):
            return None

        def narrow(position: int, chosen: int, mask: int, asked: bool) -> int:
            value = picks[position]
            if value is None:
                return 0
            if isinstance(value, int):
                return (mask >> value & 1) << value
            rest = [card for card in value if not chosen >> card & 1]
            return mask & 1 << (min(rest) if rest else self.done)

        return next((way for way in self._ways(state, segment, narrow) if way.picks == picks), None)

    def made(self, state: State, steps: tuple[int, ...]) -> Way:
        """The whole move that these steps make."""
        segment = next(part for part in self.segments(state) if part.offset <= steps[0] < part.offset + part.size)
        if not self.program.moves[segment.move].picks:
            return Way(segment.move, (), steps)
        left = [steps[0] - segment.offset, *steps[1:]]

        def narrow(position: int, chosen: int, mask: int, asked: bool) -> int:
            return mask & 1 << left.pop(0) if asked else mask

        return next(self._ways(state, segment, narrow))

    # ---- one pick after the other ---------------------------------------------------------------------------------

    def _ways(self, state: State, segment: Segment, narrow: Narrow) -> Iterator[Way]:
        mask = self.answers.values(segment.move, 0)(state)
        if not self.program.moves[segment.move].picks:
            if mask:
                yield Way(segment.move, (), (segment.offset,))
            return
        for way in self._picks(state, segment.move, 0, mask, (), (), narrow):
            yield Way(way.name, way.picks, (segment.offset + way.steps[0], *way.steps[1:]))

    def _picks(
        self,
        state: State,
        name: str,
        position: int,
        mask: int,
        picks: Picks,
        values: tuple[int, ...],
        narrow: Narrow,
        steps: tuple[int, ...] = (),
    ) -> Iterator[Way]:
        """The ways to make the picks from one on, whose values are the mask; `values` are the earlier picks as the program has them."""
        pick = self.program.moves[name].picks[position]
        if pick.several and not takes_one(pick):
            for chosen, taken in self._several(state, name, position, mask, 0, values, narrow, position == 0 or mask != 1 << self.done):
                yield from self._next(state, name, position, (*picks, tuple(bits(chosen))), (*values, chosen), narrow, (*steps, *taken))
            return
        if not mask and position and pick.when is not None:
            if narrow(position, 0, 0, False) == 0:
                yield from self._next(state, name, position, (*picks, None), (*values, -1), narrow, steps)
            return
        asked = position == 0 or mask & mask - 1 != 0
        for value in bits(narrow(position, 0, mask, asked)):
            picked: Picked = (value,) if pick.several else value
            yield from self._next(state, name, position, (*picks, picked), (*values, value), narrow, (*steps, value) if asked else steps)

    def _next(
        self, state: State, name: str, position: int, picks: Picks, values: tuple[int, ...], narrow: Narrow, steps: tuple[int, ...]
    ) -> Iterator[Way]:
        position += 1
        if position == len(self.program.moves[name].picks):
            yield Way(name, picks, steps)
            return
        mask = self.answers.values(name, position)(state, *values)
        yield from self._picks(state, name, position, mask, picks, values, narrow, steps)

    def _several(
        self, state: State, name: str, position: int, mask: int, chosen: int, values: tuple[int, ...], narrow: Narrow, asked: bool
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The sets of cards that a pick of several may take, with the steps for each; the shorter set first."""
        mask = narrow(position, chosen, mask, asked)
        if mask >> self.done & 1:
            yield chosen, ((self.done,) if asked else ())
        for card in bits(mask & ~(1 << self.done)):
            more = chosen | 1 << card
            following = self.answers.more(name, position)(state, *values, more)
            on = following & ~(1 << self.done) != 0
            for found, steps in self._several(state, name, position, following, more, values, narrow, on):
                yield found, (card, *steps)
