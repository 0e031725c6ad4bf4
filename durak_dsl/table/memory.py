"""What each seat has seen of a deal, from its start on: kept with a table, brought up to date when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from durak_dsl.compiler.layout import CHANCE, FACE_DOWN
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State
from durak_dsl.table.cards import bits
from durak_dsl.table.cells import Cells
from durak_dsl.table.counting import Filling
from durak_dsl.table.watching import Event, Places, Shown, Witness

FirstSight = Callable[[int], Cells]


class Memory:
    """Plays a deal after the table in the watched form, and says what an observer knows after it."""

    def __init__(self, places: Places, state: State, witness: Witness, first_sight: FirstSight):
        self.places = places
        self.state = state
        self.steps: list[int] = []
        self._witness = witness
        self._first_sight = first_sight
        self._events: list[Event] = []
        self._cells: dict[int, tuple[int, Cells]] = {}
        self._fillings: dict[int, tuple[int, Filling]] = {}

    @classmethod
    def of_deal(cls, program: Program, seats: int, seed: int, deck: Sequence[int] | None, kept: Mapping[str, int] | None) -> Memory:
        """The memory of a deal that has just been dealt: nobody knows how the deck lies."""
        told: list[Any] = []
        state = program.new(seats, seed, deck, kept, told)
        places = Places(program, seats)
        start = places.number(list(program.rules.zones).index(program.rules.deck.start), 0, False)
        cards = sum(1 << card for card in (program.deck if deck is None else deck))
        return cls._from(places, state, {start: cards}, told)

    @classmethod
    def of_position(cls, program: Program, seats: int, laid: State, told: Iterable[Any] = ()) -> Memory:
        """The memory of a position laid out by hand, as it now is; `told` since it was laid out."""
        places = Places(program, seats)
        return cls._from(places, list(laid), places.contents(laid), told)

    @classmethod
    def _from(cls, places: Places, state: State, contents: dict[int, int], told: Iterable[Any]) -> Memory:
        memory = cls(places, state, Witness(places, contents), lambda observer: Cells.at_sight(places, observer, contents))
        memory._events += memory._witness.events(told)
        return memory

    def copy(self) -> Memory:
        """Another one that goes on from here."""
        other = Memory(self.places, list(self.state), self._witness.copy(), self._first_sight)
        other.steps = list(self.steps)
        other._events = list(self._events)
        other._cells = dict(self._cells)
        other._fillings = dict(self._fillings)
        return other

    def go_on(self, steps: Iterable[int]) -> None:
        """Make these further steps."""
        told: list[Any] = []
        for step in steps:
            self.places.program.apply(self.state, step, told)
            self.steps.append(step)
        self._events += self._witness.events(told)

    # ---- what an observer knows -----------------------------------------------------------------------------------

    def cells(self, observer: int) -> Cells:
        """Where the cards are, as far as this observer knows."""
        upto, cells = self._cells.get(observer) or (0, self._first_sight(observer))
        if upto < len(self._events):
            cells = cells.copy()
            cells.learn(self._events[upto:])
        self._cells[observer] = len(self._events), cells
        return cells

    def filling(self, observer: int) -> Filling:
        """The ways to put the cards that this observer does not know."""
        upto, filling = self._fillings.get(observer) or (-1, None)
        if filling is None or upto < len(self._events):
            filling = Filling(list(self.cells(observer).every()))
            self._fillings[observer] = len(self._events), filling
        return filling

    # ---- drawing by lot -------------------------------------------------------------------------------------------

    def imagine(self, observer: int, rng: Random) -> Memory:
        """One of the deals that may have come to this, for what the observer knows: its state, and what everybody knows in it."""
        places, state = self.places, list(self.state)
        cells = self.cells(observer)
        drawn = {id(cell): cards for cell, cards in self.filling(observer).draw(rng)}
        spots = {
            state[spot]: spot for number, place in enumerate(places.all) if place.ordered and not place.down for spot in places.spots(state, place)
        }
        becomes = {card: card for card in spots}
        for place, number, cell in ((places.all[number], number, cell) for number, found in cells.cells.items() for cell in found):
            cards = cell.sure | drawn.get(id(cell), 0)
            if cell.spots:
                lying = bits(cards)
                rng.shuffle(lying)
                becomes |= zip(sorted(bits(cell.spots), key=spots.__getitem__), lying, strict=True)
            else:
                hidden = state[places.base(place)] & (state[FACE_DOWN] if place.down else ~state[FACE_DOWN])
