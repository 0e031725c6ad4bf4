"""What has been seen of a deal: a chain of moments, the deal first, then one for each move; and deals that may have looked the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from durak_dsl.compiler.layout import CHANCE, FACE_DOWN, GIVEN, SEATS
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State
from durak_dsl.table.cards import bits
from durak_dsl.table.cells import Cells
from durak_dsl.table.counting import Filling
from durak_dsl.table.watching import Event, Places, Shown, Witness

FirstSight = Callable[[int], Cells]


class Telling(Protocol):
    """What happened at one go."""

    @property
    def events(self) -> Sequence[Any]:
        """As the watched form of the program tells them."""


class Moment:
    """What has been seen up to the end of the deal or of a move; a seat's knowledge is worked out when it is asked for."""

    def __init__(self, witness: Witness, first_sight: FirstSight, before: Moment | None = None, told: Telling | None = None):
        self.places = witness.places
        self.before = before
        self.told = told
        self.depth: int = before.depth + 1 if before is not None else 0
        self._first_sight = first_sight
        self._witness = witness.copy()
        self._events: tuple[Event, ...] = tuple(self._witness.events(told.events)) if told is not None else ()
        self._cells: dict[int, Cells] = {}
        self._fillings: dict[int, Filling] = {}

    @classmethod
    def first(cls, program: Program, state: Sequence[int], first_sight: FirstSight | None = None) -> Moment:
        """The moment before anything was told: all that can be seen is what lies open in the state, unless more was known."""
        places = Places(program, state[SEATS])
        contents = places.contents(state)
        return cls(Witness(places, contents), first_sight or (lambda observer: Cells.at_sight(places, observer, contents)))

    def then(self, told: Telling) -> Moment:
        """The moment after this was told."""
        return Moment(self._witness, self._first_sight, self, told)

    # ---- what an observer knows -----------------------------------------------------------------------------------

    def cells(self, observer: int) -> Cells:
        """Where the cards are, as far as this observer knows."""
        behind = []
        moment: Moment | None = self
        while moment is not None and observer not in moment._cells:
            behind.append(moment)
            moment = moment.before
        cells = moment._cells[observer] if moment is not None else self._first_sight(observer)
        for later in reversed(behind):
            if later._events:
                cells = cells.copy()
                cells.learn(later._events)
            later._cells[observer] = cells
        return cells

    def filling(self, observer: int) -> Filling:
        """The ways to put the cards whose places this observer does not know."""
        if observer not in self._fillings:
            self._fillings[observer] = Filling(tuple(self.cells(observer).every()))
        return self._fillings[observer]

    # ---- one of the deals that may have looked the same -----------------------------------------------------------

    def imagine(self, observer: int, state: Sequence[int], rng: Random) -> tuple[State, FirstSight]:
        """A state that agrees with all that the observer knows, each as likely as any other, and what each observer knows in it."""
        places, made = self.places, list(state)
        cells = self.cells(observer)
        drawn = {id(cell): cards for cell, cards in self.filling(observer).draw(rng)}
        order = places.order(state)
        becomes = {card: card for card in order}
        contents: dict[int, int] = {}
        for number, place in enumerate(places.all):
            cards = 0
            for cell in cells.cells.get(number, ()):
                there = cell.sure | drawn.get(id(cell), 0)
                cards |= there
                if cell.spots:
                    lying = bits(there)
                    rng.shuffle(lying)
                    becomes.update(zip(sorted(bits(cell.spots), key=order.__getitem__), lying, strict=True))
            contents[number] = cards
            if not place.ordered and place.exists:
                made[places.base(place)] = cards if not place.down else made[places.base(place)] | cards
        for card, spot in order.items():
            made[spot] = becomes[card]
        down = sum(cards for number, cards in contents.items() if places.all[number].down and not places.all[number].ordered)
        for card in bits(state[FACE_DOWN]):
            down |= 1 << becomes[card] if card in becomes else 0
        made[FACE_DOWN] = down
        made[CHANCE] = rng.getrandbits(64)
        made[GIVEN] = 0
        places.program.layout.refresh(made)
        return made, _Imagined(self, observer, becomes, places.contents(made))


class _Imagined:
    """What each observer knows in an imagined deal: who imagined it, all he knew; others, what everybody knows and what they see."""

    def __init__(self, moment: Moment, observer: int, becomes: Mapping[int, int], contents: Mapping[int, int]):
        self.moment = moment
        self.observer = observer
        self.becomes = becomes
        self.contents = contents

    def __call__(self, observer: int) -> Cells:
        places = self.moment.places
        if observer == self.observer:
            return self._renamed(observer)
        cells = self._renamed(places.spectator)
        if not cells.allows(self.contents):
            return Cells.at_sight(places, observer, self.contents)
        cells.eye = 1 << observer
        for number, cards in self.contents.items():
            if places.seen_by[number] >> observer & 1:
                cells.learn(Shown(card, number, cells.eye) for card in bits(cards))
        # what he knew to lie in some spot, say because he laid it there, he knows in the imagined deal too
        where = {card: number for number, cards in self.contents.items() for card in bits(cards)}
        spots = [self.becomes[card] for card in bits(self.moment.cells(observer).fixed)]
        cells.learn(Shown(card, where[card], cells.eye) for card in spots)
        return cells

    def _renamed(self, observer: int) -> Cells:
        cells = self.moment.cells(observer).copy()
        for cell in cells.every():
            cell.spots = sum(1 << self.becomes[card] for card in bits(cell.spots))
        return cells
