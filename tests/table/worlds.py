"""The plain way to what a seat knows: what it sees and hears at each moment, and every deal in which it would have seen and heard the same.

This knows nothing of how `knowledge` works it out; only for tiny decks is it of use. Copies of a card look alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Any

from durak_dsl.compiler.layout import ACTOR, FACE_DOWN, GIVEN, NODE, SEATS
from durak_dsl.compiler.program import Program
from durak_dsl.language.ir import Variable, Zone
from durak_dsl.table.cards import bits
from durak_dsl.table.game import Game
from durak_dsl.table.history import Told
from durak_dsl.table.moves import Move
from durak_dsl.table.table import Table

State = Sequence[int]
Lying = tuple[tuple[str, int, tuple[tuple[int, int], ...]], ...]


def _zones(game: Game, state: State) -> Iterator[tuple[int, Zone, int, list[int], tuple[int, ...]]]:
    """Each zone of each seat: its number, the cards (sets ascending, else in order), the heights of its piles."""
    layout = game.program.layout
    for number, zone in enumerate(game.rules.zones.values()):
        for seat in range(state[SEATS] if zone.each else 1):
            base = layout.zones[zone.name] + seat * layout.width(zone)
            if zone.kind == "set":
                yield number, zone, seat, [card for card in range(state[base].bit_length()) if state[base] >> card & 1], ()
            elif zone.kind == "stack":
                yield number, zone, seat, list(state[base + 1 : base + 1 + state[base]]), ()
            else:
                heights = tuple(state[base + 2 : base + 2 + state[base]])
                first = base + 2 + zone.most
                rows = [state[first + pile * zone.high :][:height] for pile, height in enumerate(heights)]
                yield number, zone, seat, [card for row in rows for card in row], heights


def lying(game: Game, state: State) -> Lying:
    """Where every card lies, and which lie face down: two states with the same are the same table."""
    down = state[FACE_DOWN]
    return tuple((zone.name, seat, tuple((card, down >> card & 1) for card in cards)) for _, zone, seat, cards, _ in _zones(game, state))


def looks(game: Game, found: Lying) -> Lying:
    """The same without regard to which copies of cards lie where."""
    kind = game.cards.kind
    return tuple((zone, seat, _in_order(game, zone, [(kind(card), down) for card, down in cards])) for zone, seat, cards in found)


def _in_order(game: Game, zone: str, cards: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(cards) if game.rules.zones[zone].kind == "set" else cards)


def _look(game: Game, variable: Variable, value: int) -> object:
    """The value of a variable, as one sees it."""
    if variable.type.kind == "card" and value >= 0:
        return game.cards.kind(value)
    return tuple(map(game.cards.kind, bits(value))) if variable.type.kind == "cards" else value


def _exchanged(game: Game, state: State, one: int, other: int) -> list[int]:
    """The state in which two cards have changed places."""
    new = {one: other, other: one}
    layout, found = game.program.layout, list(state)

    def mask(cards: int) -> int:
        return sum(1 << new.get(card, card) for card in bits(cards))

    for zone in game.rules.zones.values():
        for seat in range(state[SEATS] if zone.each else 1):
            base = layout.zones[zone.name] + seat * layout.width(zone)
            if zone.kind == "set":
                found[base] = mask(found[base])
            elif zone.kind == "stack":
                for spot in range(base + 1, base + 1 + found[base]):
                    found[spot] = new.get(found[spot], found[spot])
            else:
                found[base + 1] = mask(found[base + 1])
                for pile in range(found[base]):
                    for spot in range(
                        base + 2 + zone.most + pile * zone.high, base + 2 + zone.most + pile * zone.high + found[base + 2 + pile]
                    ):
                        found[spot] = new.get(found[spot], found[spot])
    for variable in game.rules.variables.values():
        place = layout.variables[variable.name]
        for spot in range(place, place + (layout.seats if layout.spread(variable) else 1)):
            if variable.type.kind == "card":
                found[spot] = new.get(found[spot], found[spot])
            elif variable.type.kind == "cards":
                found[spot] = mask(found[spot])
    found[FACE_DOWN] = mask(found[FACE_DOWN])
    layout.refresh(found)
    return found


def _by_either_copy(game: Game, before: State, after: list[int]) -> Iterator[list[int]]:
    """The state after a move, and those after the same move with other copies of what was picked out of a set: nobody can tell."""
    found = {lying(game, after): after}
    for _, zone, _, cards, _ in _zones(game, before):
        for one, other in combinations(cards, 2) if zone.kind == "set" else ():
            if game.cards.kind(one) == game.cards.kind(other):
                for state in list(found.values()):
                    twin = _exchanged(game, state, one, other)
                    found.setdefault(lying(game, twin), twin)
    yield from found.values()


def _sees(zone: Zone, owner: int, seat: int, face_down: int) -> bool:
    return (zone.seen == "all" and not face_down) or (zone.seen == "owner" and owner == seat)


def sight(game: Game, seat: int, state: State) -> tuple[Any, ...]:
    """What a seat sees when it looks at the table."""
    layout = game.program.layout
    found: list[Any] = [state[NODE], state[ACTOR]]
    for variable in game.rules.variables.values():
        place = layout.variables[variable.name]
        values = state[place : place + (layout.seats if layout.spread(variable) else 1)]
        found.append(tuple(_look(game, variable, value) for value in values))
    for _, zone, owner, cards, heights in _zones(game, state):
        spots = [
            (down if zone.seen == "all" else 0, game.cards.kind(card) if _sees(zone, owner, seat, down) else -1)
            for card in cards
            for down in (state[FACE_DOWN] >> card & 1,)
        ]
        found.append((zone.name, owner, tuple(sorted(spots) if zone.kind == "set" else spots), heights))
    return tuple(found)


def hearing(game: Game, seat: int, told: Told) -> tuple[Any, ...]:
    """What a seat sees happen; cards that move at the same time have no order."""
    zones = list(game.rules.zones.values())
    turned = told.before[FACE_DOWN]
    place = {card: (number, owner, turned >> card & 1) for number, _, owner, cards, _ in _zones(game, told.before) for card in cards}
    found: list[Any] = []
    for kind, *parts in told.events:
        if kind == "move":
            card, _, _, zone, owner, down = parts
            source, place[card] = place[card], (zone, owner, int(down))
            seen = any(_sees(zones[there], whose, seat, hidden) for there, whose, hidden in (source, place[card]))
            found.append((kind, source, place[card], game.cards.kind(card) if seen else -1))
        elif kind == "show":
            card, to = parts
            if to in (-1, seat):
                found.append((kind, game.cards.kind(card), place[card]))
                if to < 0:
                    place[card] = (*place[card][:2], 0)
        elif kind == "slip":
            found.append((kind, *parts[1:3]))  # where in the stack is seen when it is looked at
        elif kind in ("none", "shuffle"):
            found.append((kind, *parts))
    return tuple(sorted(found, key=str))


def heard(table: Table, seat: int) -> list[tuple[Any, ...]]:
    """All that a seat has seen and heard, move by move; of its own moves also what it picked."""
    game = table.game
    return [
        (
            told.move.name if told.move else None,
            game.notation.any_copies(told.move).picks if told.move and told.seat == seat else None,
            hearing(game, seat, told),
            sight(game, seat, told.after),
        )
        for told in table.told()
    ]


class Every:
    """Chance that gives one thing after another, as its path says; what the path does not say yet is the first of so many."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int]] = []
        self.at = 0

    def below(self, s: list[int], n: int) -> int:
        """A number from 0 to n - 1."""
        if self.at == len(self.path):
            self.path.append((0, n))
        self.at += 1
        return self.path[self.at - 1][0]

    def shuffle(self, s: list[int], base: int) -> None:
        """The cards of a stack in one of their orders; a deck given card by card stays as it is, once."""
        if s[GIVEN]:
            s[GIVEN] = 0
            return
        left = s[base + 1 : base + 1 + s[base]]
        for place in range(base + 1, base + 1 + s[base]):
            s[place] = left.pop(self.below(s, len(left)))


@cache
def _by_chance(game: Game) -> Program:
    """The game's program, with chance that gives everything."""
    program = Program(game.rules, game.values)
    program.chance = Every()  # type: ignore[assignment]
    return program


def _outcomes(program: Program, before: State, run: Callable[[list[int], list[Any]], object]) -> Iterator[tuple[list[int], list[Any]]]:
    """All that may come of a state, whatever chance gives, each with what was told."""
    chance: Any = program.chance
    chance.path = []
    while True:
        state, events = list(before), []  # type: list[int], list[Any]
        chance.at = 0
        run(state, events)
        yield state, events
        while chance.path and chance.path[-1][0] + 1 >= chance.path[-1][1]:
            chance.path.pop()
        if not chance.path:
            return
        value, of = chance.path[-1]
        chance.path[-1] = (value + 1, of)


def worlds(table: Table, seat: int) -> Iterator[set[Lying]]:
    """At each moment, all tables that agree with what the seat has seen and heard up to then."""
    game, program = table.game, _by_chance(table.game)
    record = heard(table, seat)
    now: dict[Lying, list[int]] = {}
    for deck in permutations(program.deck):
        start = program.start(table.seats, 0, deck, table.kept)
        for state, events in _outcomes(program, start, program.setup):
            told = Told(None, None, tuple(events), (), tuple(start), tuple(state))
            if (hearing(game, seat, told), sight(game, seat, state)) == record[0][2:]:
                now[lying(game, state)] = state
    yield set(now)
    for (name, picks, sounds, sees), real in zip(record[1:], table.told()[1:], strict=True):
        after: dict[Lying, list[int]] = {}
        for before in now.values():
            for way in game.choosing.ways(before):
                if way.name != name or (picks is not None and game.notation.any_copies(Move(name, way.picks)).picks != picks):
                    continue

                def run(state: list[int], events: list[Any], steps: Sequence[int] = way.steps) -> None:
                    for step in steps:
                        program.apply(state, step, events)

                for state, events in _outcomes(program, before, run):
                    told = Told(real.seat, real.move, tuple(events), (), tuple(before), tuple(state))
                    if hearing(game, seat, told) == sounds:
                        for twin in _by_either_copy(game, before, state):
                            if sight(game, seat, twin) == sees:
                                after[lying(game, twin)] = twin
        now = after
        yield set(now)
