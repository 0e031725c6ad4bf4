"""Syntax of one expression -> typed expression. Each method raises `Wrong` at the first thing that is wrong in a text."""

from __future__ import annotations

from dataclasses import replace

from durak_dsl.language.ir import NO_NUMBER, NONE, Expr
from durak_dsl.language.scope import Names, Scope, certain, facts
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import (
    CARD,
    CARDS,
    ELEMENT_OF,
    MOST_SEATS,
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
    joined,
    number,
)
from durak_dsl.language.words import WORDS, Word
from durak_dsl.language.wrong import wrong
from durak_dsl.problems import Span, did_you_mean, listed

LARGEST = 10**9
ORDERED = ("number", "rank")


class Expressions:
    """Types the expressions of one rule file, whose names are given."""

    def __init__(self, names: Names):
        self.names = names

    # ---- entry points ---------------------------------------------------------------------------------------------

    def condition(self, syntax: Syntax, scope: Scope) -> Expr:
        """A yes/no expression."""
        return self.fitted(syntax, scope, YES_NO)

    def fitted(self, syntax: Syntax, scope: Scope, want: Type) -> Expr:
        """An expression of the wanted type, converted where that is plain."""
        return self.fit(self.typed(syntax, scope), want, syntax.span)

    def typed(self, syntax: Syntax, scope: Scope) -> Expr:
        """An expression of whatever type it has."""
        method = getattr(self, "_" + syntax.kind, None)
        if method is None:
            raise wrong("syntax", f"'{syntax.text}' is not an expression", syntax.span)
        expr: Expr = method(syntax, scope)
        expr = replace(expr, at=syntax.span)
        return certain(expr) if expr.type.maybe and certain(expr) in scope.sure else expr

    def domain(self, syntax: Syntax, scope: Scope) -> tuple[Expr, Type]:
        """A collection to go through, and the type of its elements."""
        base = syntax[0]
        if order := syntax.optional(1):
            if base.text != "players":
                raise wrong("type", f"only 'players' can be taken '{order.text}' a player", base.span)
            start = self.fitted(syntax[2], scope, PLAYER)
            return Expr(order.text, PLAYERS, (start,), at=syntax.span), PLAYER
        value = self.typed(base, scope)
        if value.type.kind == "row":
            return value, Type("pile", zone=value.type.zone)
        if value.type.kind in ("set", "stack", "pile", "card") and not (value.type.kind == "card" and value.type.maybe):
            value = self.fit(value, CARDS, base.span)
        element = ELEMENT_OF.get(value.type.kind)
        if element is None:
            raise wrong("type", f"a collection was expected, '{base.text}' is a {value.type}", base.span)
        return value, Type(element, zone=value.type.zone)

    def fit(self, value: Expr, want: Type, span: Span) -> Expr:
        """The value as the wanted type."""
        have = value.type
        if want.kind == "rank" and have.kind == "number" and value.op == "const":
            return self._rank(str(value.data), span)
        if want.kind == "cards" and (have.kind in ("pile", "card", "piles", *ZONE_KINDS)):
            return Expr("cards", CARDS, (value,), at=span)
        if have.kind == "none":
            if not want.maybe:
                raise wrong("none", f"none cannot stand here; a {want} was expected", span)
            return Expr("const", want, data=nothing(want), at=span)
        if have.kind != want.kind or (want.kind == "pile" and have.zone != want.zone):
            raise wrong("type", f"a {want} was expected, this is a {have}", span)
        if want.kind == "choice" and want.words != have.words:
            raise wrong("type", f"a {want} was expected, this is a {have}", span)
        if have.maybe and not want.maybe:
            raise wrong(
                "none", f"this may be none; a {want} was expected", span, "test it first ('… is not none and …'), or write either(x, y)"
            )
        return value

    def _as_sets(self, value: Expr, span: Span) -> Expr:
        return self.fit(value, CARDS, span) if value.type.kind in ("pile", *ZONE_KINDS) else value

    # ---- names and literals ---------------------------------------------------------------------------------------

    def _name(self, syntax: Syntax, scope: Scope) -> Expr:
        return self.name(syntax.text, syntax.span, scope)

    def name(self, name: str, span: Span, scope: Scope) -> Expr:
        """What a bare name stands for."""
        names = self.names
        if name in scope.locals:
            return scope.locals[name]
        if variable := names.variables.get(name):
            if variable.each:
                raise wrong("type", f"'{name}' is a value of each player", span, f"whose? write p.{name}")
            names.use("variable", name)
            return Expr("read", variable.type, data=name)
        if name in names.signatures:
            if parameters := names.signatures[name]:
                raise wrong("arity", f"'{name}' takes {len(parameters)} in brackets", span)
            return self._definition(name, (), span)
        if option := names.options.get(name):
            names.use("option", name)
            kind = Type("choice", words=option.words) if option.words else number(option.low, option.high)
            return Expr("option", kind, data=name)
        if zone := names.zones.get(name):
            if zone.each:
                raise wrong("type", f"every player has a '{name}'", span, f"whose? write me.{name}, p.{name} or all {name}")
            names.use("zone", name)
            return Expr("zone", Type(zone.kind, zone=name), data=name)
        if name in names.deck.suits:
            return Expr("const", SUIT, data=names.deck.suits.index(name))
        collections = {"players": ("everyone", PLAYERS), "suits": ("every suit", SUITS), "ranks": ("every rank", RANKS)}
        if names.teams:
            collections["teams"] = ("every team", TEAMS)
        if name in collections:
            return Expr(collections[name][0], collections[name][1])
        if name == "me":
            raise wrong("unknown-name", "'me' is who moves: it means nothing here", span)
        raise wrong("unknown-name", f"unknown name '{name}'", span, did_you_mean(name, self._known(scope)))

    def _known(self, scope: Scope) -> list[str]:
        names = self.names
        return [
            *scope.locals,
            *names.variables,
            *names.signatures,
            *names.options,
            *names.zones,
            *names.deck.suits,
            "players",
            "suits",
            "ranks",
        ]

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
        text, deck = syntax.text, self.names.deck
        if text in deck.ranks:
            return self._rank(text, syntax.span)
        if text[0] == "P" and text[1:].isdigit() and 1 <= int(text[1:]) <= MOST_SEATS:
            return Expr("const", PLAYER, data=int(text[1:]) - 1)
        letters = {suit[0].upper(): index for index, suit in enumerate(deck.suits)}
        if text in letters:
            return Expr("const", SUIT, data=letters[text])
        if text[:-1] in deck.ranks and text[-1] in letters:
            return Expr("const", CARD, data=deck.ranks.index(text[:-1]) * len(deck.suits) + letters[text[-1]])
        raise wrong("unknown-name", f"'{text}' is neither a card, a rank, a suit nor a player", syntax.span, "cards are written QS, 10H")

    def _rank(self, text: str, span: Span) -> Expr:
        ranks = self.names.deck.ranks
        if text not in ranks:
            raise wrong("type", f"the deck has no rank {text}", span, f"it has {' '.join(ranks)}")
        return Expr("const", RANK, data=ranks.index(text), at=span)

    def _braces(self, syntax: Syntax, scope: Scope) -> Expr:
        parts = [self.typed(part, scope) for part in syntax.parts if part is not None]
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
            each = [zone.name for zone in self.names.zones.values() if zone.each]
            raise wrong("unknown-name", f"no player has a '{name}'", syntax[0].span, did_you_mean(name, [*each, "cards"]))
        self.names.use("zone", name)
        return Expr("all", CARDS, data=name)

    def _dot(self, syntax: Syntax, scope: Scope) -> Expr:
        value, name, names = self.typed(syntax[0], scope), syntax[1].text, self.names
        span = syntax[1].span
        if value.type.kind == "card" and name in ("rank", "suit"):
            return Expr(name, RANK if name == "rank" else SUIT, (self.fit(value, CARD, syntax[0].span),))
        if value.type.kind == "player":
            known = [z.name for z in names.zones.values() if z.each] + [v.name for v in names.variables.values() if v.each]
            if name in known or (name == "team" and names.teams):
                seat = self.fit(value, PLAYER, syntax[0].span)
                if name == "team":
                    return Expr("team", TEAM, (seat,))
                if zone := names.zones.get(name):
                    names.use("zone", name)
                    return Expr("zone", Type(zone.kind, zone=name), (seat,), name)
                names.use("variable", name)
                return Expr("read", names.variables[name].type, (seat,), name)
            raise wrong("unknown-name", f"a player has no '{name}'", span, did_you_mean(name, known))
        raise wrong("type", f"a {value.type} has no '{name}'", span, "cards have rank and suit; players have their zones and variables")

    # ---- logic ----------------------------------------------------------------------------------------------------

    def _and(self, syntax: Syntax, scope: Scope) -> Expr:
        args = []
        for part in syntax.parts:
            assert part is not None
            args.append(self.condition(part, scope))
            scope = scope.knowing(facts(args[-1]))
        return Expr("and", YES_NO, tuple(args))

    def _or(self, syntax: Syntax, scope: Scope) -> Expr:
        args = []
        for part in syntax.parts:
            assert part is not None
            args.append(self.condition(part, scope))
            scope = scope.knowing(facts(args[-1], holds=False))
        return Expr("or", YES_NO, tuple(args))

    def _not(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("not", YES_NO, (self.condition(syntax[0], scope),))

    def _choose(self, syntax: Syntax, scope: Scope) -> Expr:
        condition = self.condition(syntax[1], scope)
        one = self.typed(syntax[0], scope.knowing(facts(condition)))
        other = syntax.optional(2)
        if other is None:
            two = Expr("const", NOTHING, data=NONE, at=syntax.span)
        else:
            two = self.typed(other, scope.knowing(facts(condition, holds=False)))
        kind, one, two = self.common(one, two, syntax.span)
        return Expr("if", kind, (condition, one, two))

    def common(self, one: Expr, two: Expr, span: Span) -> tuple[Type, Expr, Expr]:
        """Two values brought to one type that holds both."""
        if "rank" in (one.type.kind, two.type.kind) and "number" in (one.type.kind, two.type.kind):
            one, two = self.fit(one, RANK.or_none, span), self.fit(two, RANK.or_none, span)
        if "cards" in (one.type.kind, two.type.kind) or {one.type.kind, two.type.kind} & set(ZONE_KINDS):
            one, two = self.fit(one, CARDS, span), self.fit(two, CARDS, span)
        kind = joined(one.type, two.type)
        if kind is None:
            raise wrong("type", f"a {one.type} and a {two.type} do not go together", span)
        if kind.maybe:
            one, two = (self.fit(x, kind, span) if x.type.kind == "none" else x for x in (one, two))
        return kind, one, two

    # ---- comparisons ----------------------------------------------------------------------------------------------

    def _compare(self, syntax: Syntax, scope: Scope) -> Expr:
        sign = syntax[1].text
        one, two = self.typed(syntax[0], scope), self.typed(syntax[2], scope)
        if "none" in (one.type.kind, two.type.kind):
            raise wrong("type", f"'{sign}' does not compare with none", syntax[1].span, "write 'is none' or 'is not none'")
        if "choice" in (one.type.kind, two.type.kind):
            raise wrong("type", f"'{sign}' does not compare choices", syntax[1].span, f"write '{syntax[0].text} is {syntax[2].text}'")
        if one.type.kind in ("pile", *ZONE_KINDS) and two.type.kind != "pile":
            one = self.fit(one, CARDS, syntax[0].span)
        if two.type.kind in ZONE_KINDS:
            two = self.fit(two, CARDS, syntax[2].span)
        if "rank" in (one.type.kind, two.type.kind):
            one, two = self.fit(one, RANK.or_none, syntax[0].span), self.fit(two, RANK.or_none, syntax[2].span)
        if one.type.kind != two.type.kind:
            raise wrong("type", f"a {one.type} is compared with a {two.type}", syntax.span)
        if sign in ("==", "!="):
            return Expr(sign, YES_NO, (one, two))
        if one.type.kind not in ORDERED:
            raise wrong("type", f"'{sign}' orders numbers and ranks, not a {one.type}", syntax[1].span)
        return Expr(sign, YES_NO, (self.fit(one, one.type.sure, syntax[0].span), self.fit(two, two.type.sure, syntax[2].span)))

    def _member(self, syntax: Syntax, scope: Scope) -> Expr:
        domain, element = self.domain(syntax[1], scope)
        if domain.type.kind == "row":
            raise wrong("type", "a row of piles is not a set of cards", syntax[1].span, f"write cards({syntax[1].text})")
        item = self.typed(syntax[0], scope)
        item = self.fit(item, element.sure if item.type.kind == "number" else element.or_none, syntax[0].span)
        return Expr("in", YES_NO, (item, domain))

    def _not_member(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("not", YES_NO, (replace(self._member(syntax, scope), at=syntax.span),))

    def _is(self, syntax: Syntax, scope: Scope) -> Expr:
        value, word = self.typed(syntax[0], scope), syntax[1].text
        if word == "none":
            if not value.type.maybe:
                raise wrong("type", f"'{syntax[0].text}' is never none", syntax.span)
            return Expr("is none", YES_NO, (value,))
        if value.type.kind == "yes/no" and word in ("yes", "no"):
            return Expr("==", YES_NO, (value, Expr("const", YES_NO, data=int(word == "yes"))))
        if value.type.kind != "choice":
            raise wrong("type", f"'is' compares with a word of an option, '{syntax[0].text}' is a {value.type}", syntax.span, "write '=='")
        words = value.type.words
        if word not in words:
            raise wrong(
                "unknown-name", f"'{syntax[0].text}' is never '{word}'; it is {listed(words)}", syntax[1].span, did_you_mean(word, words)
            )
        return Expr("==", YES_NO, (value, Expr("const", value.type, data=words.index(word))))

    def _is_not(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("not", YES_NO, (replace(self._is(syntax, scope), at=syntax.span),))

    # ---- arithmetic -----------------------------------------------------------------------------------------------

    def _add(self, syntax: Syntax, scope: Scope) -> Expr:
        return self._sets_or_numbers(syntax, scope, "+", "union")

    def _subtract(self, syntax: Syntax, scope: Scope) -> Expr:
        return self._sets_or_numbers(syntax, scope, "-", "minus")

    def _multiply(self, syntax: Syntax, scope: Scope) -> Expr:
        return self._sets_or_numbers(syntax, scope, "*", "")

    def _sets_or_numbers(self, syntax: Syntax, scope: Scope, sign: str, of_sets: str) -> Expr:
        one, two = (self._as_sets(self.typed(part, scope), part.span) for part in (syntax[0], syntax[1]))
        if of_sets and "cards" in (one.type.kind, two.type.kind):
            one, two = self.fit(one, CARDS, syntax[0].span), self.fit(two, CARDS, syntax[1].span)
        if of_sets and one.type.kind == two.type.kind and one.type.kind in ELEMENT_OF:
            return Expr(of_sets, one.type, (one, two))
        if one.type.kind != "number" or two.type.kind != "number":
            raise wrong(
                "type", f"'{sign}' works on numbers{' and sets' * bool(of_sets)}; here are a {one.type} and a {two.type}", syntax.span
            )
        one, two = self.fit(one, one.type.sure, syntax[0].span), self.fit(two, two.type.sure, syntax[1].span)
        return Expr(sign, self.bounds(sign, one.type, two.type, syntax.span), (one, two))

    def bounds(self, sign: str, a: Type, b: Type, span: Span) -> Type:
        """The numbers that a sum, difference or product can be."""
        if sign == "+":
            low, high = a.low + b.low, a.high + b.high
        elif sign == "-":
            low, high = a.low - b.high, a.high - b.low
        else:
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            low, high = min(ends), max(ends)
        if max(-low, high) > LARGEST:
            raise wrong("bounds", f"this can reach {max(-low, high):,}; numbers go to {LARGEST:,}", span)
        return number(low, high)

    def _negative(self, syntax: Syntax, scope: Scope) -> Expr:
        value = self.typed(syntax[0], scope)
        if value.type.kind != "number" or value.type.maybe:
            raise wrong("type", f"'-' works on numbers; here is a {value.type}", syntax.span)
        return Expr("negative", number(-value.type.high, -value.type.low), (value,))

    # ---- calls ----------------------------------------------------------------------------------------------------

    def _call(self, syntax: Syntax, scope: Scope) -> Expr:
        head = syntax[0]
        arguments = [part for part in syntax.parts[1:] if part is not None]
        if head.text in self.names.signatures:
            return self._definition(head.text, self.arguments(head, self.names.signatures[head.text], arguments, scope), head.span)
        word = WORDS.get(head.text)
        if word is None:
            known = [*self.names.signatures, *WORDS]
            raise wrong("unknown-name", f"unknown name '{head.text}'", head.span, did_you_mean(head.text, known))
        if len(arguments) != len(word.takes):
            raise wrong(
                "arity",
                f"'{word.name}' takes {len(word.takes)} in brackets, here are {len(arguments)}",
                syntax.span,
                f"as in {word.example}",
            )
        return self._word(word, arguments, scope, syntax.span)

    def arguments(self, head: Syntax, parameters: tuple[tuple[str, Type], ...], given: list[Syntax], scope: Scope) -> tuple[Expr, ...]:
        """The arguments of a definition or procedure, fitted to its parameters."""
        if len(parameters) != len(given):
            wants = ", ".join(name for name, _ in parameters)
            raise wrong("arity", f"'{head.text}' takes {len(parameters)} in brackets ({wants}), here are {len(given)}", head.span)
        return tuple(self.fitted(part, scope, kind) for part, (_, kind) in zip(given, parameters, strict=True))

    def _definition(self, name: str, arguments: tuple[Expr, ...], span: Span) -> Expr:
        definition = self.names.define(name, span)
        self.names.use("definition", name)
        return Expr("call", definition.body.type, arguments, name)

    def _word(self, word: Word, arguments: list[Syntax], scope: Scope, span: Span) -> Expr:
        if word.op == "sum":
            return self._total(arguments[0], scope)
        args = [self._argument(part, code, word, scope) for part, code in zip(arguments, word.takes, strict=True)]
        if word.op == "random" and not scope.chance:
            raise wrong("chance", "chance is asked in setup, procedures, moves' effects and match only", span)
        if word.op in ("count", "known", "cards", "top", "bottom") and args[0].type.kind == "row" and word.op in ("top", "bottom"):
            raise wrong("type", f"'{word.name}' takes a stack or a pile", arguments[0].span)
        if word.op == "cards" and args[0].op in ("cards", "filter", "map", "union", "minus", "const", "deck", "all"):
            return args[0]
        return Expr(word.op, self._gives(word, args, arguments, span), tuple(args))

    def _argument(self, syntax: Syntax, code: str, word: Word, scope: Scope) -> Expr:
        if syntax.kind == "filtered":
            value = self._filtered(syntax, scope)
        elif syntax.kind == "mapped":
            value = self._mapped(syntax, scope)
        else:
            value = self.typed(syntax, scope)
        kind = value.type.kind
        if code == "set":
            value = value if kind == "row" and word.op == "count" else self._as_sets(value, syntax.span)
            accepted = value.type.kind in ELEMENT_OF or value.type.kind == "row"
        elif code == "any?":
            return value
        elif code == "cards":
            return self.fit(value, CARDS, syntax.span)
        elif code == "things":
            return self.fit(value, CARDS, syntax.span) if kind != "cards" else value
        elif code == "number":
            accepted = kind == "number" and not value.type.maybe
        elif code in ("player", "card", "rank"):
            return self.fit(value, Type(code), syntax.span)
        else:
            kinds = {"heap": (*ZONE_KINDS, "pile"), "tower": ("stack", "pile"), "zone": ZONE_KINDS}[code]
            accepted = kind in kinds and not value.type.maybe
        if not accepted:
            wants = {"heap": "a zone or pile", "tower": "a stack or pile", "zone": "a zone", "set": "a set", "number": "a number"}[code]
            hint = "test it first ('… is not none and …'), or write either(x, y)" if value.type.maybe else ""
            raise wrong("type", f"'{word.name}' takes {wants}, this is a {value.type}", syntax.span, hint)
        return value

    def _gives(self, word: Word, args: list[Expr], arguments: list[Syntax], span: Span) -> Type:
        names = self.names
        first = args[0].type
        if word.gives == "number":
            if word.op in ("min", "max"):
                pick = min if word.op == "min" else max
                return number(pick(a.type.low for a in args), pick(a.type.high for a in args))
            if word.op == "pips":
                return number(0, max((int(rank) for rank in names.deck.ranks if rank.isdigit()), default=0))
            return number(0, self._largest(args[0]))
        if word.gives in ("element", "element?"):
            element = Type(ELEMENT_OF[first.kind], maybe=word.gives.endswith("?"), zone=first.zone)
            if word.op in ("lowest", "highest") and element.kind not in ("card", "rank"):
                raise wrong("type", f"'{word.name}' takes cards or ranks, this is a {first}", arguments[0].span)
            return element
        if word.op in ("top", "bottom"):
            return CARD.or_none if first.kind == "stack" else CARD
        if word.gives == "joined":
            kind, args[0], args[1] = self.common(args[0], args[1], span)
            return replace(kind, maybe=args[1].type.maybe)
        return Type(word.gives.rstrip("?"), maybe=word.gives.endswith("?"))

    def _largest(self, value: Expr) -> int:
        names = self.names
        if value.type.kind == "pile":
            return names.zones[value.type.zone].high
        if value.type.kind == "row" or value.type.kind == "piles":
            return names.cards
        return {"players": names.seats, "suits": len(names.deck.suits), "ranks": len(names.deck.ranks), "teams": names.teams}.get(
            value.type.kind, names.cards
        )

    # ---- going through collections --------------------------------------------------------------------------------

    def bound(self, name: Syntax, domain: Syntax, where: Syntax | None, scope: Scope) -> tuple[int, Expr, Type, Expr, Scope]:
        """A local for the elements of a domain: its number, the domain, the element's type, the condition, the scope inside."""
        collection, element = self.domain(domain, scope)
        if name.text in scope.locals or name.text in self.names.variables or name.text in self.names.signatures:
            raise wrong("name-taken", f"'{name.text}' already has a meaning here", name.span)
        local = self.names.new_local(name.text)
        inside = scope.bind(name.text, Expr("local", element, data=local, at=name.span))
        condition = Expr("const", YES_NO, data=1, at=domain.span) if where is None else self.condition(where, inside)
        return local, collection, element, condition, inside.knowing(facts(condition))

    def _filtered(self, syntax: Syntax, scope: Scope) -> Expr:
        member = syntax[0]
        if member.kind != "member" or member[0].kind != "name":
            raise wrong("syntax", "before 'where' stands 'x in S'", member.span)
        local, domain, element, condition, _ = self.bound(member[0], member[1], syntax[1], scope)
        return Expr("filter", Type(SET_OF[element.kind], zone=element.zone), (domain, condition), local, syntax.span)

    def _mapped(self, syntax: Syntax, scope: Scope) -> Expr:
        local, domain, _, condition, inside = self.bound(syntax[1], syntax[2], syntax.optional(3), scope)
        body = self.typed(syntax[0], inside)
        if body.type.kind not in SET_OF or body.type.maybe:
            raise wrong("type", f"a set is made of cards, ranks, suits or players, not of {body.type}", syntax[0].span)
        return Expr("map", Type(SET_OF[body.type.kind], zone=body.type.zone), (domain, condition, body), local, syntax.span)

    def _total(self, syntax: Syntax, scope: Scope) -> Expr:
        if syntax.kind != "mapped":
            raise wrong("syntax", "'sum' takes 'E for x in S'", syntax.span, f"as in {WORDS['sum'].example}")
        local, domain, _, condition, inside = self.bound(syntax[1], syntax[2], syntax.optional(3), scope)
        body = self.typed(syntax[0], inside)
        if body.type.kind != "number" or body.type.maybe:
            raise wrong("type", f"'sum' adds numbers, this is a {body.type}", syntax[0].span)
        most = self._largest(domain)
        bounds = number(min(0, body.type.low * most), max(0, body.type.high * most))
        return Expr("sum", bounds, (domain, condition, body), local)

    def _quantifier(self, syntax: Syntax, scope: Scope) -> Expr:
        word = "no" if syntax[0].kind == "no_word" else syntax[0].text
        local, domain, _, condition, inside = self.bound(syntax[1], syntax[2], syntax.optional(3), scope)
        body = self.condition(syntax[4], inside)
        found = Expr("every" if word == "every" else "any", YES_NO, (domain, condition, body), local, syntax.span)
        return Expr("not", YES_NO, (found,)) if word == "no" else found

    def _search(self, syntax: Syntax, scope: Scope) -> Expr:
        local, domain, element, condition, _ = self.bound(syntax[1], syntax[2], syntax.optional(3), scope)
        return Expr(syntax[0].text, element.or_none, (domain, condition), local)

    def _extreme(self, syntax: Syntax, scope: Scope) -> Expr:
        local, domain, element, condition, inside = self.bound(syntax[1], syntax[2], syntax.optional(3), scope)
        key = self.typed(syntax[4], inside)
        if key.type.kind not in (*ORDERED, "card"):
            raise wrong("type", f"'{syntax[0].text}' compares numbers, ranks or cards, not a {key.type}", syntax[4].span)
        return Expr(syntax[0].text, element.or_none, (domain, condition, key), local)


def nothing(kind: Type) -> int:
    """How none is written for a type."""
    return NO_NUMBER if kind.kind == "number" else NONE
