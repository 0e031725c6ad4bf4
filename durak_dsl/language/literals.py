"""Names and literals: what one word, a word after a dot, or a set written out stands for."""

from __future__ import annotations

import re

from durak_dsl.language.fitting import Fitting
from durak_dsl.language.ir import NONE, Define, Expr
from durak_dsl.language.names import COLLECTIONS
from durak_dsl.language.scope import Scope
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import (
    CARD,
    CARDS,
    NOTHING,
    PLAYER,
    PLAYERS,
    RANK,
    RANKS,
    SET_OF,
    SUIT,
    SUITS,
    TEAM,
    TEAMS,
    YES_NO,
    ZONE_KINDS,
    Type,
    number,
)
from durak_dsl.language.unreadable import short
from durak_dsl.language.words import WORDS
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Span, did_you_mean

_COLLECTIONS = {
    "players": ("everyone", PLAYERS),
    "suits": ("every suit", SUITS),
    "ranks": ("every rank", RANKS),
    "teams": ("every team", TEAMS),
}

# Where a pick of several cards is asked for as a whole.
TOGETHER = "what holds of all together stands in the pick: 'A to B', 'same', 'shape', 'adding up to'"


class Literals(Fitting):
    """Types names and literals: a method for each kind of syntax."""

    def _name(self, syntax: Syntax, scope: Scope) -> Expr:
        return self.name(syntax.text, syntax.span, scope)

    def name(self, name: str, span: Span, scope: Scope) -> Expr:
        """What a bare name stands for."""
        names = self.names
        if name in scope.locals:
            return scope.locals[name]
        if name in scope.broken or name in names.broken:
            raise Wrong
        if (variable := names.variables.get(name)) and not (variable.each and name in names.signatures):
            if variable.each:
                raise wrong("type", f"each player has his own '{name}'", span, f"say whose: p.{name}")
            names.use("variable", name)
            return Expr("read", variable.type, data=name)
        if name in names.signatures:
            if parameters := names.signatures[name]:
                wants = ", ".join(label for label, _ in parameters)
                raise wrong("arity", f"'{name}' takes {len(parameters)} in brackets ({wants}), here is nothing", span)
            return self.definition(name, (), span)
        if option := names.options.get(name):
            names.use("option", name)
            kind = Type("choice", words=option.words) if option.words else number(option.low, option.high)
            return Expr("option", kind, data=name)
        if zone := names.zones.get(name):
            if zone.each:
                raise wrong("type", f"each player has his own '{name}'", span, f"say whose: me.{name}, p.{name}, or all {name}")
            names.use("zone", name)
            return Expr("zone", Type(zone.kind, zone=name), data=name)
        if name in names.deck.suits:
            return Expr("const", SUIT, data=names.deck.suits.index(name))
        if name in COLLECTIONS and (name != "teams" or names.teams):
            return Expr(*_COLLECTIONS[name])
        raise self._unknown(name, span, scope)

    def _unknown(self, name: str, span: Span, scope: Scope) -> Wrong:
        names = self.names
        hint = ""
        if name == "me":
            return wrong("unknown-name", "'me' is who moves: it means nothing here", span)
        if name in scope.late:
            return wrong("type", f"'when' cannot read '{name}', of which cards are picked one by one", span, TOGETHER)
        if name == "teams":
            return wrong("unknown-name", "there are no teams", span, "write 'teams: 2 alternating' under 'players'")
        if name in WORDS:
            hint = f"'{name}' takes brackets, as in {WORDS[name].example}"
        elif option := next((option.name for option in names.options.values() if name in option.words), ""):
            hint = f"'{name}' is a choice: ask '{option} is {name}'"
        elif self._card(name.upper()) is not None:
            hint = f"cards are written in capitals: {name.upper()}"
        known = [*scope.locals, *names.variables, *names.signatures, *names.options, *names.zones, *names.deck.suits, *COLLECTIONS[:3]]
        return names.unknown("unknown name", name, span, known, hint)

    def definition(self, name: str, arguments: tuple[Expr, ...], span: Span) -> Expr:
        """A definition with its arguments."""
        definition: Define = self.names.define(name, span)
        self.names.use("definition", name)
        return Expr("call", definition.body.type, arguments, name)

    def _number(self, syntax: Syntax, scope: Scope) -> Expr:
        value = int(syntax.text)
        return Expr("const", number(value, value), data=value)

    def _yes(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("const", YES_NO, data=1)

    def _no(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("const", YES_NO, data=0)

    def _none(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("const", NOTHING, data=NONE)

    def _symbol(self, syntax: Syntax, scope: Scope) -> Expr:
        text, names, span = syntax.text, self.names, syntax.span
        deck = names.deck
        if "the deck" in names.broken:
            raise Wrong
        if text in deck.ranks:
            return self.rank_of(text, span)
        if re.fullmatch(r"P[0-9]+", text):
            return self._seat(text, span)
        if (card := self._card(text)) is not None:
            if deck.copies > 1:
                hint = "written out, a card is only compared (== != in) or handed to a definition"
                raise wrong("type", f"the deck has {deck.copies} copies of {text}, and this does not say which is meant", span, hint)
            return Expr("const", CARD, data=card)
        for suit in deck.suits:
            if text == suit[0].upper():
                raise wrong("unknown-name", f"'{text}' alone is no suit", span, f"write '{suit}'")
        letters = " ".join(suit[0].upper() for suit in deck.suits)
        if re.fullmatch(r"(10|[0-9A-Z])[A-Z]", text):
            raise wrong(
                "unknown-name", f"the deck has no card {short(text)}", span, f"its ranks are {' '.join(deck.ranks)}, its suits {letters}"
            )
        hint = did_you_mean(text.lower(), [*scope.locals, *names.variables, *names.signatures, *names.options, *names.zones])
        raise wrong(
            "unknown-name", f"'{short(text)}' is neither a card, a rank nor a player", span, hint or "these are written QS, Q and P1"
        )

    # ---- cards of which there are copies --------------------------------------------------------------------------

    def kinds(self, syntax: Syntax) -> list[int] | None:
        """The cards that are written out here, as numbers of the grid; None where it is something else, or there are no copies."""
        deck = self.names.deck
        if deck.copies == 1:
            return None
        if syntax.kind == "symbol" and syntax.text not in deck.ranks:
            card = self._card(syntax.text)
            return None if card is None else [card]
        parts = [part for part in syntax.parts if part is not None] if syntax.kind == "braces" else []
        if not parts or any(part.kind != "symbol" for part in parts):
            return None
        found: list[int] = []
        for part in parts:
            card = None if part.text in deck.ranks else self._card(part.text)
            if card is None:
                return None
            if found.count(card) == deck.copies:
                raise wrong("type", f"the deck has {deck.copies} copies of {part.text}", part.span)
            found.append(card)
        return found

    def written(self, syntax: Syntax, scope: Scope) -> Expr:
        """A typed expression; a card written out is the first of its copies."""
        kinds = self.kinds(syntax) if syntax.kind == "symbol" else None
        return self.typed(syntax, scope) if kinds is None else Expr("const", CARD, data=kinds[0] * self.names.deck.copies, at=syntax.span)

    def every_copy(self, kinds: list[int], span: Span) -> Expr:
        """The set of all copies of these cards."""
        copies = self.names.deck.copies
        return Expr("const", CARDS, data=sum((1 << copies) - 1 << kind * copies for kind in set(kinds)), at=span)

    def first_copies(self, kinds: list[int], span: Span) -> Expr:
        """The set of the first so many copies of each of these cards."""
        copies = self.names.deck.copies
        return Expr("const", CARDS, data=sum((1 << kinds.count(kind)) - 1 << kind * copies for kind in set(kinds)), at=span)

    def looks(self, value: Expr, span: Span) -> Expr:
        """A set of cards without regard to which copies they are."""
        return Expr("looks", CARDS, (self.fit(value, CARDS, span),), at=span)

    def _card(self, text: str) -> int | None:
        """The card of the grid that a text names, or None."""
        deck = self.names.deck
        letters = [suit[0].upper() for suit in deck.suits]
        if text[:-1] in deck.ranks and text[-1] in letters:
            return deck.ranks.index(text[:-1]) * len(deck.suits) + letters.index(text[-1])
        return None

    def _seat(self, text: str, span: Span) -> Expr:
        names = self.names
        number = int(text[1:]) if len(text) < 4 else 0
        if 1 <= number <= (names.surely or names.seats):
            return Expr("const", PLAYER, data=number - 1)
        if 1 <= number <= names.seats:
            raise wrong("bounds", f"with {names.surely} players there is no {text}", span)
        raise wrong("bounds", f"there is no player {short(text)}", span, f"the last one is P{names.seats}")

    def _braces(self, syntax: Syntax, scope: Scope) -> Expr:
        parts = [self.typed(part, scope) for part in syntax.parts if part is not None]
        if all(part.op == "const" and part.type.kind in ("rank", "number") for part in parts):
            parts = [self.fit(part, RANK, part.at or syntax.span) for part in parts]
        kinds = {part.type.kind for part in parts} or {"card"}
        if kinds <= {"card", "rank", "suit", "player"} and len(kinds) == 1 and all(part.op == "const" for part in parts):
            mask = 0
            for part in parts:
                assert isinstance(part.data, int)
                mask |= 1 << part.data
            return Expr("const", Type(SET_OF[kinds.pop()]), data=mask)
        raise wrong("type", "a set holds cards, ranks, suits or players written out, all of one kind", syntax.span, "for instance {6C 7D}")

    def _all_of(self, syntax: Syntax, scope: Scope) -> Expr:
        name = syntax[0].text
        if name == "cards":
            return Expr("deck", CARDS)
        zone = self.names.zones.get(name)
        if zone is None or not zone.each:
            raise self.no_zone_of_each(name, syntax[0].span, "cards")
        self.names.use("zone", name)
        return Expr("all", CARDS, data=name)

    def no_zone_of_each(self, name: str, span: Span, *others: str) -> Wrong:
        """The exception for a name that is no zone of each player."""
        zones = [zone.name for zone in self.names.zones.values() if zone.each]
        if name in self.names.zones:
            return wrong("type", f"'{name}' lies on the table, not with each player", span, f"write {name}")
        return self.names.unknown("no player has a zone", name, span, [*zones, *others])

    # ---- what has parts -------------------------------------------------------------------------------------------

    def _dot(self, syntax: Syntax, scope: Scope) -> Expr:
        value, name, names = self.typed(syntax[0], scope), syntax[1].text, self.names
        if name in names.broken:
            raise Wrong
        if value.type.kind == "card" and name in ("rank", "suit"):
            return Expr(name, RANK if name == "rank" else SUIT, (self.fit(value, CARD, syntax[0].span),))
        if value.type.kind == "player":
            seat = self.fit(value, PLAYER, syntax[0].span)
            if name == "team" and names.teams:
                return Expr("team", TEAM, (seat,))
            if (zone := names.zones.get(name)) and zone.each:
                names.use("zone", name)
                return Expr("zone", Type(zone.kind, zone=name), (seat,), name)
            if (variable := names.variables.get(name)) and variable.each:
                names.use("variable", name)
                return Expr("read", variable.type, (seat,), name)
        raise self._no_part(value, syntax)

    def _no_part(self, value: Expr, syntax: Syntax) -> Wrong:
        name, span, names = syntax[1].text, syntax[1].span, self.names
        kind, owner = value.type.kind, syntax[0].shown
        hint = ""
        if kind == "player":
            each = [item.name for table in (names.zones, names.variables) for item in table.values() if item.each]
            if name in names.zones or name in names.variables or name in names.options:
                hint = f"it belongs to nobody: write {name}"
            elif name in names.signatures:
                hint = f"write {name}({owner})"
            return names.unknown("a player has no", name, span, [*each, *(["team"] if names.teams else [])], hint)
        if name in ("rank", "suit"):
            hint = "which card? as in top(…)" if kind in ("pile", "stack") else ""
        elif name in WORDS:
            hint = f"write {name}({owner})"
        elif kind == "card":
            hint = did_you_mean(name, ("rank", "suit"))
        owns = "only cards and players have parts" if kind not in ("card", *ZONE_KINDS) else ""
        return wrong("unknown-name", f"{value.type.a} has no '{name}'", span, hint or owns)
