"""Where everything lies in the state: one flat list of integers whose places are derived from the rules.

The first places steer the play; then come variables and zones. A per-player value takes one place a seat (yes/no values of all
seats share one, as a mask). A set is a mask of cards. A stack is its size and its cards, bottom first. A row of piles is
the number of piles, the mask of all its cards, the height of each pile, and the cards of each pile, bottom first; besides, for
each set of heights that the rules ask about, the mask of the piles of such a height, and where they ask for ranks in it, all cards of the
ranks in it. For each per-player value that may be none there is the mask of the seats where it is none; for each per-player set whose
emptiness is asked about, the mask of the seats where it is not empty. These masks only repeat what stands elsewhere: `refresh` works them
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from durak_dsl.language.ir import NO_NUMBER, NONE, Rules, Variable, Zone

NODE = 0  # the phase, or the pick in the middle of a move, that comes next; OVER when the deal is over
ACTOR = 1  # the seat that acts
SEATS = 2  # how many seats
CHANCE = 3  # the state of the source of chance
GIVEN = 4  # 1 until the first shuffle, when the deck was given card by card
FACE_DOWN = 5  # the cards that lie face down where others lie open
PICKED = 6  # the picks of a move of which more picks are to come
MOST_PICKS = 4
FIRST_FREE = PICKED + MOST_PICKS

OVER = -1

# The value of a variable: of each player's, one for each seat.
Value = int | tuple[int, ...]


@dataclass(frozen=True)
class Place:
    """A stretch of the state: what it holds (for people), where it starts, how many places."""

    label: str
    start: int
    length: int


@dataclass
class Layout:
    """Where the variables and zones of these rules lie."""

    rules: Rules
    seats: int = 0
    size: int = FIRST_FREE
    places: list[Place] = field(default_factory=list)
    variables: dict[str, int] = field(default_factory=dict)
    zones: dict[str, int] = field(default_factory=dict)
    heights: dict[tuple[str, frozenset[int]], int] = field(default_factory=dict)
    nones: dict[str, int] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seats = max(self.rules.counts)
        for label, start, length in (
            ("next", NODE, 1),
            ("actor", ACTOR, 1),
            ("seats", SEATS, 1),
            ("chance", CHANCE, 1),
            ("deck given", GIVEN, 1),
            ("face down", FACE_DOWN, 1),
            ("picked", PICKED, MOST_PICKS),
        ):
            self.places.append(Place(label, start, length))
        for variable in self.rules.variables.values():
            self.variables[variable.name] = self._take(variable.name, self.seats if self.spread(variable) else 1)
            if self.spread(variable) and variable.type.maybe:
                self.nones[variable.name] = self._take(f"{variable.name}: seats where it is none", 1)
        for zone in self.rules.zones.values():
            self.zones[zone.name] = self._take(zone.name, self.width(zone) * (self.seats if zone.each else 1))

    def _take(self, label: str, length: int) -> int:
        start = self.size
        self.places.append(Place(label, start, length))
        self.size += length
        return start

    def spread(self, variable: Variable) -> bool:
        """Whether each seat has a place of its own for the variable."""
        return variable.each and not (variable.type.kind == "yes/no" and not variable.type.maybe)

    def value(self, state: Sequence[int], name: str) -> Value:
        """The value of a variable in a state."""
        variable, place = self.rules.variables[name], self.variables[name]
        if not variable.each:
            return state[place]
        seats = range(state[SEATS])
        return tuple(state[place + seat] if self.spread(variable) else state[place] >> seat & 1 for seat in seats)

    def set_value(self, state: list[int], name: str, value: Value) -> None:
        """Put the value of a variable into a state; ValueError where it is not one for each seat, or for the table."""
        variable, place = self.rules.variables[name], self.variables[name]
        if isinstance(value, tuple) != variable.each or (isinstance(value, tuple) and len(value) != state[SEATS]):
            raise ValueError(f"'{name}' has one value for {f'each of {state[SEATS]} players' if variable.each else 'the table'}")
        if not isinstance(value, tuple):
            state[place] = value
        elif self.spread(variable):
            state[place : place + len(value)] = value
        else:
            state[place] = sum(1 << seat for seat, said in enumerate(value) if said)

    def width(self, zone: Zone) -> int:
        """How many places one such zone takes."""
        if zone.kind == "set":
            return 1
        if zone.kind == "stack":
            return 1 + zone.most
        return 2 + zone.most + zone.most * zone.high

    def heights_place(self, zone: str, heights: frozenset[int]) -> int:
        """The place of the mask of the zone's piles that have one of these heights."""
        key = (zone, heights)
        if key not in self.heights:
            label = f"{zone}: piles of height {', '.join(map(str, sorted(heights)))}"
            self.heights[key] = self._take(label, 1)
        return self.heights[key]

    def filled_place(self, zone: str) -> int:
        """The place of the mask of the seats whose set is not empty."""
        if zone not in self.filled:
            self.filled[zone] = self._take(f"{zone}: seats where it is not empty", 1)
        return self.filled[zone]

    def ranks_place(self, zone: str) -> int:
        """The place of the mask of all cards of the ranks in a row."""
        if zone not in self.ranks:
            self.ranks[zone] = self._take(f"{zone}: cards of its ranks", 1)
        return self.ranks[zone]

    def tracked(self, zone: str) -> Iterator[tuple[frozenset[int], int]]:
        """The sets of heights of the zone that are tracked, with their places."""
        for (name, heights), place in self.heights.items():
            if name == zone:
                yield heights, place

    def refresh(self, state: list[int]) -> None:
        """Work out the masks that repeat what stands elsewhere in the state: needed when a state was not reached by playing."""
        for name, place in self.nones.items():
            first, kind = self.variables[name], self.rules.variables[name].type
            none = NO_NUMBER if kind.kind == "number" else NONE
            state[place] = sum(1 << seat for seat in range(state[SEATS]) if state[first + seat] == none)
        for zone_name, place in self.filled.items():
            first = self.zones[zone_name]
            state[place] = sum(1 << seat for seat in range(state[SEATS]) if state[first + seat])
        for zone in self.rules.zones.values():
            if zone.kind == "row":
                self._refresh_row(state, zone)

    def _refresh_row(self, state: list[int], zone: Zone) -> None:
        count, heights, cards = state[self.pile_count(zone.name)], self.pile_heights(zone.name), self.piles(zone.name)
        piles = [state[cards + i * zone.high : cards + i * zone.high + state[heights + i]] for i in range(count)]
        state[self.pile_cards(zone.name)] = sum(1 << card for pile in piles for card in pile)
        if zone.name in self.ranks:
            same = self.rules.deck.same_rank
            state[self.ranks[zone.name]] = sum({same[card] for pile in piles for card in pile})
        for held, place in self.tracked(zone.name):
            state[place] = sum(1 << i for i, pile in enumerate(piles) if len(pile) in held)

    # Places inside a row of piles.

    def pile_count(self, zone: str) -> int:
        """The place of the number of piles."""
        return self.zones[zone]

    def pile_cards(self, zone: str) -> int:
        """The place of the mask of all cards of the row."""
        return self.zones[zone] + 1

    def pile_heights(self, zone: str) -> int:
        """The first place of the heights."""
        return self.zones[zone] + 2

    def piles(self, zone: str) -> int:
        """The first place of the cards."""
        return self.zones[zone] + 2 + self.rules.zones[zone].most
