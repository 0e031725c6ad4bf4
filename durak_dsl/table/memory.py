"""What has been seen of a deal: a chain of moments, the deal first, then one for each move; and deals that may have looked the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from durak_dsl.compiler.layout import CHANCE, FACE_DOWN, GIVEN, SEATS
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State
from durak_dsl.table.cards import bits
from durak_dsl.table.cases import Cases
from durak_dsl.table.cells import Cells, Contradiction
from durak_dsl.table.counting import Filling, NoWay, TooMany, orders
from durak_dsl.table.watching import Event, Places, Shown, Witness

FirstSight = Callable[[int], Cases]


class Telling(Protocol):
    """What happened at one go."""

    @property
    def events(self) -> Sequence[Any]:
        """As the watched form of the program tells them."""


class Case(NamedTuple):
    """What may be the case, the ways to put the cards then, and how many tables agree with it (None: too many to count, or never asked)."""

    cells: Cells
    filling: Filling
    tables: int | None = None


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
        self._cases: dict[int, Cases] = {}
        self._filled: dict[int, list[Case]] = {}

    @classmethod
    def first(cls, program: Program, state: Sequence[int], first_sight: FirstSight | None = None) -> Moment:
        """The moment before anything was told: all that can be seen is what lies open in the state, unless more was known."""
        places = Places(program, state[SEATS])
        contents = places.contents(state)
        return cls(Witness(places, contents), first_sight or (lambda observer: Cases.at_sight(places, observer, contents)))

    def then(self, told: Telling) -> Moment:
        """The moment after this was told."""
        return Moment(self._witness, self._first_sight, self, told)

    # ---- what an observer knows -----------------------------------------------------------------------------------

    def cases(self, observer: int) -> Cases:
        """Where the cards are, as far as this observer knows."""
        behind = []
        moment: Moment | None = self
        while moment is not None and observer not in moment._cases:
            behind.append(moment)
            moment = moment.before
        cases = moment._cases[observer] if moment is not None else self._first_sight(observer)
        for later in reversed(behind):
            if later._events:
                cases = cases.copy()
                cases.learn(later._events)
            later._cases[observer] = cases
        return cases

    def filled(self, observer: int) -> list[Case]:
        """What may be the case for this observer, but for what proves to be impossible when the ways to put the cards are counted."""
        if observer not in self._filled:
            found = [Case(cells, Filling(tuple(cells.every()))) for cells in self.cases(observer).all]
            if len(found) > 1:
                found = [case for case in map(_counted, found) if case.tables != 0]
            self._filled[observer] = found
        return self._filled[observer]

    # ---- one of the deals that may have looked the same -----------------------------------------------------------

    def imagine(self, observer: int, state: Sequence[int], rng: Random) -> tuple[State, FirstSight]:
        """A state that agrees with all that the observer knows, each as likely as any other, and what each observer knows in it."""
        places, made = self.places, list(state)
        cells, drawn = self._drawn(observer, rng)
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

    def _drawn(self, observer: int, rng: Random) -> tuple[Cells, dict[int, int]]:
        """One of the cases, each as likely as there are tables that agree with it, and the cards of each of its cells (by its id)."""
        cases = self.filled(observer)
        tables = [case.tables for case in cases if case.tables is not None]
        if len(cases) > 1 and len(tables) == len(cases):
            at, case = rng.randrange(sum(tables)), 0
            while at >= tables[case]:
                at, case = at - tables[case], case + 1
            cases = [cases[case]]
        for one in rng.sample(cases, len(cases)) if len(cases) > 1 else cases:
            try:
                return one.cells, {id(cell): cards for cell, cards in one.filling.draw(rng)}
            except NoWay:
                continue
        raise Contradiction


def _counted(case: Case) -> Case:
    try:
        return case._replace(tables=case.filling.sets * orders(list(case.cells.every())))
    except TooMany:
        return case


class _Imagined:
    """What each observer knows in an imagined deal: who imagined it, all he knew; others, what everybody knows and what they see."""

    def __init__(self, moment: Moment, observer: int, becomes: Mapping[int, int], contents: Mapping[int, int]):
        self.moment = moment
        self.observer = observer
        self.becomes = becomes
        self.contents = contents

    def __call__(self, observer: int) -> Cases:
        places = self.moment.places
        where = {card: number for number, cards in self.contents.items() for card in bits(cards)}
        if observer == self.observer:
            return self.moment.cases(observer).renamed(self.becomes, where)
        cases = self.moment.cases(places.spectator).renamed(self.becomes, where)
        if not cases.allows(self.contents):
            return Cases.at_sight(places, observer, self.contents)
        cases.looking(observer)
        eye = 1 << observer
        for number, cards in self.contents.items():
            if places.seen_by[number] & eye:
                cases.learn(Shown(card, number, eye) for card in bits(cards))
        # what he knew to lie in some spot, say because he laid it there, he knows in the imagined deal too
        spots = [self.becomes[card] for card in bits(self.moment.cases(observer).fixed)]
        cases.learn(Shown(card, where[card], eye) for card in spots)
        return cases
