"""Positions laid out by hand, and spelled out again: zones and variables by name, each as one text.

`hand: 6C 7D | 10H` a zone of each player, by seat; `table: 8C KC | 9D` piles, each bottom first; `stock: 6C 7D` a stack, top first; a card
that lies face down where others lie open stands in brackets: `8C (KC)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from durak_dsl.compiler.layout import ACTOR, FACE_DOWN, GIVEN, NODE, OVER, Value
from durak_dsl.compiler.runtime import State
from durak_dsl.language.ir import Variable, Zone
from durak_dsl.problems import Problem, RuleError, Span, did_you_mean, listed
from durak_dsl.source.nodes import Entry, Map, Text
from durak_dsl.table import snapshot, values
from durak_dsl.table.cards import Hands, WrongText, player, read_deck, words
from durak_dsl.table.game import Game
from durak_dsl.table.history import Origin
from durak_dsl.table.table import Table, deal

_DOWN = re.compile(r"\((.*)\)")


def lay(game: Game, given: Map | Mapping[str, str], seats: int | None = None) -> Table:
    """The table with this position, or dealt from the `deck` that is given; RuleError with all that is wrong with it."""
    laying = _Laying(game, given if isinstance(given, Map) else _as_map(given), seats)
    table = laying.dealt() if laying.texts.get("deck") else laying.laid()
    if not table.is_over and not table.mask:
        message = f"{player(table.state[ACTOR])} acts in phase '{table.phase}' and has no legal move in this position"
        raise RuleError(Problem("position", message, laying.given.span))
    return table


def spell(table: Table) -> dict[str, str]:
    """The position as texts, from which it can be laid again; ValueError in the middle of a move or after the end."""
    if table.is_choosing or table.phase is None:
        raise ValueError("a position is spelled out between two moves of a deal")
    game, state, seats = table.game, table.state, range(table.seats)
    found: dict[str, str] = {}
    for zone in game.rules.zones.values():
        parts = [_spelled(table, zone, seat) for seat in (seats if zone.each else (0,))]
        if any(parts):
            found[zone.name] = " ".join(" | ".join(parts).split())
    for variable in game.rules.variables.values():
        value = game.program.layout.value(state, variable.name)
        if any(amount != variable.start for amount in (value if isinstance(value, tuple) else (value,))):
            found[variable.name] = " ".join(values.write_all(value, variable.type, game.cards).split())
    return {**found, "phase": table.phase}


def _spelled(table: Table, zone: Zone, seat: int) -> str:
    cards, down = table.game.cards, table.state[FACE_DOWN] if zone.seen == "all" else 0

    def text(card: int) -> str:
        return f"({cards.text(card)})" if down >> card & 1 else cards.text(card)

    if zone.kind == "row":
        return " | ".join(" ".join(map(text, pile)) for pile in snapshot.piles(table.program, table.state, zone.name))
    return " ".join(map(text, snapshot.cards_of(table.program, table.state, zone.name, seat)))


@dataclass
class _Laying:
    """A position under way, with the problems found so far."""

    game: Game
    given: Map
    wanted: int | None
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules, self.program, self.cards = self.game.rules, self.game.program, self.game.cards
        self.hands = Hands(self.cards, self.program.deck)
        self.laid_cards: dict[int, list[int]] = {}
        self.texts: dict[str, Text] = {}
        known = [*self.rules.zones, *self.rules.variables, "phase", "deck"]
        for entry in self.given:
            name = entry.key.value
            if name not in known:
                self.report(f"these rules have no zone or variable '{name}'", entry.key.span, did_you_mean(name, known))
            elif isinstance(entry.value, Text):
                self.texts[name] = entry.value
            else:
                self.report(f"'{name}' is one line of text here", entry.key.span)

    def report(self, message: str, span: Span | None, hint: str = "") -> None:
        self.problems.append(Problem("position", message, span, hint))

    def attempt(self, text: Text, offset: int, read: Callable[[], None]) -> None:
        """Read a part of a text; what is wrong with it is reported where it stands."""
        try:
            read()
        except WrongText as error:
            span = text.at(offset + error.offset, error.length) if error.length else text.span
            self.report(error.message, span, error.hint)

    def refuse(self) -> None:
        if self.problems:
            raise RuleError(self.problems)

    # ---- dealt ----------------------------------------------------------------------------------------------------

    def dealt(self) -> Table:
        """The table dealt from the given deck, with the kept values given."""
        deck, seats = self.texts.pop("deck"), self.wanted
        if seats is None:
            self.report("how many play? with a deck, say seats: 2", deck.span)
        kept = {name: self.kept(name, text) for name, text in self.texts.items()}
        cards: list[int] = []
        self.attempt(deck, 0, lambda: cards.extend(read_deck(deck.value, self.cards, self.program.deck)))
        self.refuse()
        return deal(self.game, seats, deck=cards, kept={name: value for name, value in kept.items() if value is not None})

    def kept(self, name: str, text: Text) -> Value | None:
        """A value kept from the deal before, one for each seat where each player has one; None where that is not told."""
        variable = self.rules.variables.get(name)
        if variable is None or name not in self.rules.keeps:
            span = key.span if (key := self.given.key(name)) else text.span
            keeps = listed([*self.rules.keeps], "and") or "nothing"
            self.report(f"'{name}' comes of the deal: with a deck, only what is kept from deal to deal is given ({keeps})", span)
            return None
        found: list[int] = []
        parts = _parts(text.value) if variable.each else [(text.value, 0)]
        if variable.each and self.wanted is not None and len(parts) != self.wanted:
            self.report(f"'{name}' is given for {len(parts)}, and {self.wanted} play", text.span, "one part for each seat, separated by |")
        for part, offset in parts:
            self.attempt(text, offset, lambda part=part: found.append(self.value(part, variable)))  # type: ignore[misc]
        return tuple(found) if variable.each else next(iter(found), None)

    # ---- laid by hand ---------------------------------------------------------------------------------------------

    def laid(self) -> Table:
        """The table with this position."""
        seats = self.wanted = self.seats()
        if seats not in self.rules.counts:
            raise RuleError(self.problems)
        state = self.program.blank(seats)
        for name, text in self.texts.items():
            if zone := self.rules.zones.get(name):
                self.zone(state, zone, text)
        for name, text in self.texts.items():
            if variable := self.rules.variables.get(name):
                self.variable(state, variable, text)
        phase = self.texts.get("phase")
        if phase is not None and phase.value not in self.rules.phases:
            self.report(f"there is no phase '{phase.value}'", phase.span, did_you_mean(phase.value, self.rules.phases))
        if phase is None and not self.rules.position:
            self.report("these rules do not say how play goes on from a position", self.given.span, "give its phase")
        self.refuse()
        self.program.layout.refresh(state)
        state[GIVEN], state[NODE], state[ACTOR] = 0, OVER, -1
        self.program.resume(state, None if phase is None else list(self.rules.phases).index(phase.value))
        return Table(self.game, state, Origin(tuple(state), laid=True))

    def seats(self) -> int:
        """How many sit there: as said, or as the zones of each player say."""
        each = [name for name in self.texts if self.is_each(name)]
        counted = [name for name in each if name in self.rules.zones] or each
        count = self.wanted
        if count is None and counted:
            count = len(_parts(self.texts[counted[0]].value))
        if count is None:
            self.refuse()
            self.report("how many play? nothing is given for each player", self.given.span, "say seats: 2")
            return 0
        if count not in self.rules.counts:
            allowed = listed([str(count) for count in self.rules.counts])
            where = self.texts[counted[0]].span if counted and self.wanted is None else self.given.span
            self.report(f"{count} cannot play; {self.game.id} is for {allowed}", where)
        for name in each:
            parts = len(_parts(self.texts[name].value))
            if parts != count:
                message = f"'{name}' is given for {parts}, and {count} play"
                self.report(message, self.texts.pop(name).span, "one part for each seat, separated by |")
        return count

    def is_each(self, name: str) -> bool:
        """Whether every player has one."""
        owner = self.rules.zones.get(name) or self.rules.variables.get(name)
        return owner is not None and owner.each

    def zone(self, state: State, zone: Zone, text: Text) -> None:
        layout = self.program.layout
        if zone.kind == "row" and not zone.each:
            self.row(state, zone, text)
            return
        for seat, (part, offset) in enumerate(_parts(text.value) if zone.each else [(text.value, 0)]):
            cards = self.take(part, offset, text)
            base = layout.zones[zone.name] + seat * layout.width(zone)
            if zone.kind == "set":
                state[base] = sum(1 << card for card in cards)
            elif zone.kind == "stack" and len(cards) <= zone.most:
                state[base : base + 1 + len(cards)] = [len(cards), *reversed(cards)]
            else:
                self.report(
                    f"'{zone.name}' cannot be laid by hand" if zone.kind == "row" else f"'{zone.name}' holds at most {zone.most} cards",
                    text.span,
                )

    def row(self, state: State, zone: Zone, text: Text) -> None:
        layout, dark = self.program.layout, self.game.choosing.answers.folder.face_down
        piles = []
        for part, offset in _parts(text.value) if text.value.strip() else ():
            if not part.strip():
                self.report("a pile has cards", text.at(max(0, offset - 1)))
            piles.append(self.take(part, offset, text, state if zone.name in dark else None))
        if len(piles) > zone.most:
            self.report(f"'{zone.name}' holds at most {zone.most} piles", text.span)
            return
        state[layout.pile_count(zone.name)] = len(piles)
        for index, pile in enumerate(piles):
            if len(pile) > zone.high:
                self.report(f"a pile of '{zone.name}' holds at most {zone.high} cards", text.span)
                return
            start = layout.piles(zone.name) + index * zone.high
            state[layout.pile_heights(zone.name) + index] = len(pile)
            state[start : start + len(pile)] = pile

    def take(self, part: str, offset: int, text: Text, state: State | None = None) -> list[int]:
        """The cards of a part of a text; those in brackets lie face down, which a state is told."""
        found: list[int] = []
        for word, start in words(part):
            down = _DOWN.fullmatch(word) if state is not None else None

            def one(word: str = down[1] if down else word, down: bool = down is not None) -> None:
                card = self.hands.take(word)
                found.append(card)
                self.laid_cards.setdefault(self.cards.kind(card), []).append(card)
                if down and state is not None:
                    state[FACE_DOWN] |= 1 << card

            try:
                one()
            except WrongText as error:
                self.report(error.message, text.at(offset + start, len(word)), error.hint)
        return found

    def variable(self, state: State, variable: Variable, text: Text) -> None:
        layout = self.program.layout
        place = layout.variables[variable.name]
        for seat, (part, offset) in enumerate(_parts(text.value) if variable.each else [(text.value, 0)]):

            def one(seat: int = seat, part: str = part) -> None:
                value = self.value(part, variable)
                if layout.spread(variable):
                    state[place + seat] = value
                elif variable.each:
                    state[place] = state[place] & ~(1 << seat) | value << seat
                else:
                    state[place] = value

            self.attempt(text, offset, one)

    def value(self, text: str, variable: Variable) -> int:
        """The value of a text; of copies of a card, the one that is laid."""

        def copy(kind: int, taken: int) -> int:
            card = values.free_copy(dict.fromkeys([*self.laid_cards.get(kind, ()), *self.cards.copies_of(kind)]), taken)
            if card not in self.program.deck:
                raise WrongText(f"{self.cards.text(card)} is not in this game")
            return card

        return values.read(text, variable.type, self.cards, self.wanted or max(self.rules.counts), copy)


def _parts(text: str) -> list[tuple[str, int]]:
    """What stands between the bars, with its place."""
    found, offset = [], 0
    for part in text.split("|"):
        found.append((part, offset))
        offset += len(part) + 1
    return found


def _as_map(given: Mapping[str, str]) -> Map:
    def text(value: str) -> Text:
        return Text(value, Span("position", 1, 1, max(1, len(value)), value))

    return Map(tuple(Entry(text(name), text(value)) for name, value in given.items()), Span("position", 1, 1))
