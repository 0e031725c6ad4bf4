"""What can be seen of a deal: every place where cards lie, who sees what lies there, and each event with who learns what from it.

Places are numbered: a zone of a seat, and, apart from it, the cards that lie face down there. Those who look on are the seats and,
after them, a spectator, who knows what everybody knows; sets of them are masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from durak_dsl.compiler.layout import FACE_DOWN
from durak_dsl.compiler.program import Program
from durak_dsl.language.ir import Zone
from durak_dsl.table.cards import bits


class Moved(NamedTuple):
    """A card went from a place to a place; these saw it where it lay, these see it where it lies."""

    card: int
    source: int
    target: int
    before: int
    after: int


class Shown(NamedTuple):
    """A card that lies in a place became known to these."""

    card: int
    place: int
    to: int


class Excluded(NamedTuple):
    """Everybody learned that none of these cards lies in these places."""

    cards: int
    places: tuple[int, ...]


class Mixed(NamedTuple):
    """The cards of a stack lost their order for those who do not see them. Each part is a pair: what lies open, and what face down."""

    cards: tuple[int, int]
    places: tuple[int, int]
    seen_by: tuple[int, int]


class Slipped(NamedTuple):
    """A card that went into a place of a stack lies at random among these cards there (the bottom first), which have kept their order."""

    card: int
    place: int
    order: tuple[int, ...]
    seen_by: int


Event = Moved | Shown | Excluded | Mixed | Slipped


@dataclass(frozen=True)
class Place:
    """A zone of a seat, or what lies face down there."""

    zone: Zone
    zone_number: int
    seat: int
    down: bool

    @property
    def exists(self) -> bool:
        """Whether there is such a zone: one of the table counts as the first seat's."""
        return self.zone.each or self.seat == 0

    @property
    def ordered(self) -> bool:
        """Whether each card there has a spot of its own, which everybody can point at."""
        return self.zone.kind != "set"


class Places:
    """The places of a game with so many seats."""

    def __init__(self, program: Program, seats: int):
        self.program = program
        self.seats = seats
        self.spectator = seats
        self.everybody = (1 << seats + 1) - 1
        self.all = tuple(
            Place(zone, number, seat, down)
            for number, zone in enumerate(program.rules.zones.values())
            for seat in range(seats)
            for down in (False, True)
        )
        self.seen_by = tuple(self._eyes(place) for place in self.all)

    def number(self, zone: int, seat: int, down: bool) -> int:
        """The number of a place."""
        return (zone * self.seats + seat) * 2 + down

    def _eyes(self, place: Place) -> int:
        if place.zone.seen == "all":
            return 0 if place.down else self.everybody
        return 1 << place.seat if place.zone.seen == "owner" else 0

    def base(self, place: Place) -> int:
        """Where in the state the zone of a place starts."""
        layout = self.program.layout
        return layout.zones[place.zone.name] + (place.seat * layout.width(place.zone) if place.zone.each else 0)

    def spots(self, state: Sequence[int], place: Place) -> list[int]:
        """The indices in the state of the cards of a stack (bottom first) or of a row (pile by pile, bottom first)."""
        base, zone = self.base(place), place.zone
        if zone.kind == "stack":
            return list(range(base + 1, base + 1 + state[base]))
        cards = base + 2 + zone.most
        return [cards + pile * zone.high + at for pile in range(state[base]) for at in range(state[base + 2 + pile])]

    def order(self, state: Sequence[int]) -> dict[int, int]:
        """Where in the state each card lies that has a spot of its own."""
        ordered = [place for place in self.all if place.ordered and place.exists and not place.down]
        return {state[spot]: spot for place in ordered for spot in self.spots(state, place)}

    def contents(self, state: Sequence[int]) -> dict[int, int]:
        """The cards of each place that is not empty."""
        found = {}
        for number, place in enumerate(self.all):
            if not place.exists:
                continue
            cards = state[self.base(place)] if place.zone.kind == "set" else sum(1 << state[spot] for spot in self.spots(state, place))
            cards &= state[FACE_DOWN] if place.down else ~state[FACE_DOWN]
            if cards:
                found[number] = cards
        return found


class Witness:
    """Turns what a program tells into events; keeps track of where each card lies."""

    def __init__(self, places: Places, contents: dict[int, int]):
        self.places = places
        self.where = {card: place for place, cards in contents.items() for card in bits(cards)}

    def copy(self) -> Witness:
        """Another one that goes on from here."""
        other = Witness(self.places, {})
        other.where = dict(self.where)
        return other

    def events(self, told: Iterable[Sequence[Any]]) -> Iterator[Event]:
        """The events that were told."""
        places = self.places
        watched = False
        for kind, *parts in told:
            if kind == "watch":
                watched = True
            elif kind == "move":
                card, _, _, zone, seat, down = parts
                target = places.number(zone, seat, bool(down))
                source = self.where[card]
                self.where[card] = target
                before = places.everybody if watched else places.seen_by[source]
                watched = False
                yield Moved(card, source, target, before, places.seen_by[target])
            elif kind == "show":
                card, seat = parts
                lies = self.where[card]
                yield Shown(card, lies, places.everybody if seat < 0 else 1 << seat)
                if seat < 0 and places.all[lies].down:  # it is turned up
                    self.where[card] = places.number(places.all[lies].zone_number, places.all[lies].seat, False)
                    yield Moved(card, lies, self.where[card], places.everybody, places.everybody)
            elif kind == "none":
                cards, zone, seat = parts
                yield Excluded(cards, (places.number(zone, seat, False), places.number(zone, seat, True)))
            elif kind == "slip":
                card, _, _, lying_there = parts
                lies = self.where[card]
                order = tuple(other for other in lying_there if self.where[other] == lies)
                yield Slipped(card, lies, order, places.seen_by[lies])
            elif kind == "shuffle":
                zone, seat = parts
                pair = (places.number(zone, seat, False), places.number(zone, seat, True))
                lying = [0, 0]
                for card, place in self.where.items():
                    if place in pair:
                        lying[place == pair[1]] |= 1 << card
                yield Mixed((lying[0], lying[1]), pair, (places.seen_by[pair[0]], places.seen_by[pair[1]]))
