"""What a state says about cards, read out of its places: piles, the deck before the deal, and the position as a canonical tuple."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from durak_dsl.compiler.layout import ACTOR, FACE_DOWN, NODE, SEATS, Value
from durak_dsl.compiler.program import Program
from durak_dsl.language.types import SET_OF
from durak_dsl.table.cards import bits
from durak_dsl.table.choosing import Picks

State = Sequence[int]
Key = tuple[int, ...]


def stack(program: Program, state: State, zone: str, seat: int = 0) -> tuple[int, ...]:
    """The cards of a stack, top first."""
    base = program.layout.zones[zone] + seat * program.layout.width(program.rules.zones[zone])
    return tuple(state[base + state[base] : base : -1])


def piles(program: Program, state: State, zone: str) -> list[tuple[int, ...]]:
    """The piles of a row, each from the bottom."""
    layout, high = program.layout, program.rules.zones[zone].high
    heights, cards = layout.pile_heights(zone), layout.piles(zone)
    return [tuple(state[cards + i * high : cards + i * high + state[heights + i]]) for i in range(state[layout.pile_count(zone)])]


def open_pile(program: Program, state: State, zone: str, index: int) -> tuple[int, ...]:
    """The cards of a pile that lie face up, from the bottom."""
    return tuple(card for card in piles(program, state, zone)[index] if not state[FACE_DOWN] >> card & 1)


def label(program: Program, state: State, zone: str, index: int) -> tuple[int, ...]:
    """The cards by which a pile is called: the top one that lies face up; all, where another pile has the same."""
    rows = [open_pile(program, state, zone, other) for other in range(len(piles(program, state, zone)))]
    copies = program.rules.deck.copies
    mine = rows[index]
    alike = [row for row in rows if row and mine and row[-1] // copies == mine[-1] // copies]
    return mine[-1:] if len(alike) == 1 else mine


def deck(program: Program, state: State) -> tuple[int, ...]:
    """The deck of a state before setup, top first."""
    return stack(program, state, program.rules.deck.start)


def kept(program: Program, state: State) -> dict[str, Value]:
    """The values of the variables that live from deal to deal."""
    return {name: program.layout.value(state, name) for name in program.rules.keeps}


def cards_of(program: Program, state: State, zone: str, seat: int = 0) -> tuple[int, ...]:
    """The cards of any zone (of a seat): a set ascending, a stack top first, a row pile by pile."""
    kind = program.rules.zones[zone].kind
    if kind == "stack":
        return stack(program, state, zone, seat)
    if kind == "row":
        return tuple(card for pile in piles(program, state, zone) for card in pile)
    return tuple(bits(state[program.layout.zones[zone] + seat]))


class Kinds:
    """Moves without regard to which copy of a card is meant."""

    def __init__(self, program: Program, state: State):
        self.program = program
        self.state = state
        self.copies = program.rules.deck.copies

    def of(self, name: str, picks: Picks) -> tuple[object, ...]:
        """What moves have in common that differ in copies only."""
        found: list[object] = [name]
        for value, pick in zip(picks, self.program.moves[name].picks, strict=False):
            if isinstance(value, tuple):
                found.append(tuple(sorted(card // self.copies for card in value)))
            elif isinstance(value, int) and pick.type.kind == "card":
                found.append(value // self.copies)
            elif isinstance(value, int) and pick.type.kind == "pile":
                found.append(self._pile(pick.type.zone, value))
            else:
                found.append(value)
        return tuple(found)

    def _pile(self, zone: str, index: int) -> object:
        row = piles(self.program, self.state, zone)
        pile = row[index] if index < len(row) else ()
        if any(self.state[FACE_DOWN] >> card & 1 for card in pile):
            return index
        return tuple(card // self.copies for card in pile)


class Reader:
    """Reads positions of one program as canonical tuples."""

    def __init__(self, program: Program):
        self.program = program
        self.copies = program.rules.deck.copies
        layout, rules = program.layout, program.rules
        self.seen_zones = [zone.name for zone in rules.zones.values() if zone.seen == "all"]
        self.plain: list[int] = []
        self.each: list[int] = []
        self.kinds: dict[int, Callable[[int], int]] = {}
        for variable in rules.variables.values():
            place = layout.variables[variable.name]
            (self.each if layout.spread(variable) else self.plain).append(place)
            if self.copies > 1 and variable.type.kind == "card":
                self.kinds[place] = lambda card: card // self.copies if card >= 0 else card
            elif self.copies > 1 and variable.type.kind == SET_OF["card"]:
                self.kinds[place] = self._counts

    def key(self, state: State) -> Key:
        """The position: who acts where, the variables, and the cards of every zone."""
        rules, seats = self.program.rules, range(state[SEATS])
        found = [state[NODE], state[ACTOR], state[SEATS]]
        for place in self.plain:
            found.append(self._value(place, state[place]))
        for place in self.each:
            found += [self._value(place, state[place + seat]) for seat in seats]
        for zone in rules.zones.values():
            for seat in seats if zone.each else (0,):
                if zone.kind == "set":
                    mask = state[self.program.layout.zones[zone.name] + seat]
                    found.append(mask if self.copies == 1 else self._counts(mask))
                    continue
                if zone.kind == "row":
                    for pile in piles(self.program, state, zone.name):
                        found += [len(pile), *(card // self.copies for card in pile)]
                else:
                    found += [card // self.copies for card in stack(self.program, state, zone.name, seat)]
                found.append(-1)
        found.append(self._face_down(state))
        return tuple(found)

    def _value(self, place: int, value: int) -> int:
        return self.kinds[place](value) if place in self.kinds else value

    def _counts(self, mask: int) -> int:
        """How many copies of each card there are, as one number."""
        width = self.copies.bit_length()
        return sum(1 << card // self.copies * width for card in bits(mask))

    def _face_down(self, state: State) -> int:
        down = state[FACE_DOWN]
        if not down:
            return 0
        cards = [
            card for zone in self.seen_zones for seat in self._seats(zone, state) for card in cards_of(self.program, state, zone, seat)
        ]
        return sum(1 << place for place, card in enumerate(cards) if down >> card & 1)

    def _seats(self, zone: str, state: State) -> range:
        return range(state[SEATS]) if self.program.rules.zones[zone].each else range(1)
