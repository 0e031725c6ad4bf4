"""What types have to do with each other: a value of a wanted type, two values of one type, the elements of a collection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from durak_dsl.language import syntax as reading
from durak_dsl.language.ir import NO_NUMBER, NONE, Expr
from durak_dsl.language.names import Names
from durak_dsl.language.scope import Scope, certain
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import CARDS, ELEMENT_OF, PLAYER, PLAYERS, RANK, YES_NO, ZONE_KINDS, Type, joined, number
from durak_dsl.language.wrong import wrong
from durak_dsl.problems import Problem, Span
from durak_dsl.source.nodes import Text

LARGEST = 10**9
TEST_FIRST = "test it first ('… is not none and …'), or write either(x, y)"


class Fitting:
    """Types the expressions of one rule file, whose names are given. What is wrong in a text first is raised as `Wrong`."""

    def __init__(self, names: Names):
        self.names = names
        self.warnings: list[Problem] = []
        self.read: dict[tuple[int, str], Syntax] = {}

    # ---- entry points ---------------------------------------------------------------------------------------------

    def parse(self, text: Text, start: str = "expression") -> Syntax:
        """The syntax of a text of the file, read once."""
        key = (id(text), start)
        if key not in self.read:
            self.read[key] = reading.parse(text, start)
        return self.read[key]

    def condition(self, syntax: Syntax, scope: Scope) -> Expr:
        """A yes/no expression."""
        return self.fitted(syntax, scope, YES_NO)

    def fitted(self, syntax: Syntax, scope: Scope, want: Type) -> Expr:
        """An expression of the wanted type, converted where that is plain."""
        return self.fit(self.typed(syntax, scope), want, syntax.span)

    def typed(self, syntax: Syntax, scope: Scope) -> Expr:
        """An expression of whatever type it has."""
        method: Callable[[Syntax, Scope], Expr] | None = getattr(self, "_" + syntax.kind, None)
        if method is None:
            raise wrong("syntax", f"'{syntax.shown}' is not an expression", syntax.span)
        expr = replace(method(syntax, scope), at=syntax.span)
        return certain(expr) if expr.type.maybe and certain(expr) in scope.sure else expr

    def domain(self, syntax: Syntax, scope: Scope) -> tuple[Expr, Type]:
        """A collection to go through, and the type of its elements."""
        base = syntax[0]
        if order := syntax.optional(1):
            if base.text != "players":
                raise wrong("type", f"only 'players' are taken '{order.text}' a player, not '{base.shown}'", base.span)
            start = self.fitted(syntax[2], scope, PLAYER)
            return Expr(order.text, PLAYERS, (start,), at=syntax.span), PLAYER
        value = self.typed(base, scope)
        if value.type.kind == "row":
            return value, Type("pile", zone=value.type.zone)
        if value.type.kind not in ELEMENT_OF:
            if value.type.kind not in ("set", "stack", "pile", "card"):
                raise wrong("type", f"a set was expected here; this is {value.type.a}", base.span)
            value = self.fit(self.sure(value, base.span), CARDS, base.span)
        value = self.sure(value, base.span)
        return value, Type(ELEMENT_OF[value.type.kind], zone=value.type.zone)

    # ---- one type -------------------------------------------------------------------------------------------------

    def sure(self, value: Expr, span: Span) -> Expr:
        """The value, which must not be none."""
        if value.type.maybe:
            raise wrong("none", f"this may be none; {value.type.sure.a} was expected", span, TEST_FIRST)
        return value

    def fit(self, value: Expr, want: Type, span: Span) -> Expr:
        """The value as the wanted type."""
        have = value.type
        if want.kind == "rank" and have.kind == "number" and value.op == "const":
            return self.rank_of(str(value.data), span)
        if want.kind == "cards" and have.kind in ("pile", "card", "piles", *ZONE_KINDS):
            return Expr("cards", CARDS, (value if have.kind == "card" else self.sure(value, span),), at=span)
        if have.kind == "none":
            if not want.maybe:
                raise wrong("none", f"none cannot stand here; {want.a} was expected", span)
            return Expr("const", want, data=nothing(want), at=span)
        if have == CARDS and value.op == "const" and value.data == 0 and want.kind in ELEMENT_OF:
            return replace(value, type=want.sure)  # {} is the empty set of anything
        if have.kind == want.kind == "pile" and have.zone != want.zone:
            raise wrong("type", f"a pile of '{want.zone}' was expected here; this is one of '{have.zone}'", span)
        if have.kind != want.kind or have.words != want.words:
            raise wrong("type", f"{want.a} was expected here; this is {have.a}", span, _how(have, want))
        if have.maybe and not want.maybe:
            raise wrong("none", f"this may be none; {want.a} was expected", span, TEST_FIRST)
        return value

    def as_set(self, value: Expr, span: Span) -> Expr:
        """A pile or zone as the set of its cards; anything else as it is."""
        return self.fit(value, CARDS, span) if value.type.kind in ("pile", *ZONE_KINDS) else value

    def rank_of(self, text: str, span: Span) -> Expr:
        """The rank that a text names."""
        ranks = self.names.deck.ranks
        if text not in ranks:
            raise wrong("type", f"the deck has no rank {text}", span, f"it has {' '.join(ranks)}")
        return Expr("const", RANK, data=ranks.index(text), at=span)

    # ---- two types ------------------------------------------------------------------------------------------------

    def common(self, one: Expr, two: Expr, span: Span) -> tuple[Type, Expr, Expr]:
        """Two values brought to one type that holds both."""
        kinds = {one.type.kind, two.type.kind}
        if kinds == {"rank", "number"}:
            one, two = self.fit(one, RANK.or_none, span), self.fit(two, RANK.or_none, span)
        if (kinds & set(ZONE_KINDS)) or ("cards" in kinds and kinds & {"pile", "card", "piles"}):
            one, two = (x if x.type.kind == "none" else self.fit(x, CARDS.or_none, span) for x in (one, two))
        kind = joined(one.type, two.type)
        if kind is None:
            raise wrong("type", f"{_named(one.type)} and {_named(two.type)} do not go together", span)
        if kind.maybe:
            one, two = (self.fit(x, kind, span) if x.type.kind == "none" else x for x in (one, two))
        return kind, one, two

    def bounds(self, sign: str, a: Type, b: Type, span: Span) -> Type:
        """The numbers that a sum, difference or product can be."""
        if sign == "+":
            low, high = a.low + b.low, a.high + b.high
        elif sign == "-":
            low, high = a.low - b.high, a.high - b.low
        else:
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            low, high = min(ends), max(ends)
        return self.bounded(low, high, span)

    def bounded(self, low: int, high: int, span: Span) -> Type:
        """The numbers from low to high; Wrong where they are too large for a number."""
        if max(-low, high) > LARGEST:
            hint = "bound it, as in min(x, 100)"
            raise wrong("bounds", f"this can reach {max(-low, high):,}; numbers go to {LARGEST:,}", span, hint)
        return number(low, high)


def nothing(kind: Type) -> int:
    """How none is written for a type."""
    return NO_NUMBER if kind.kind == "number" else NONE


def _named(kind: Type) -> str:
    return f"a pile of '{kind.zone}'" if kind.kind == "pile" else kind.a


def _how(have: Type, want: Type) -> str:
    """How to make one type of another, as a hint, where there is a plain way."""
    return {
        ("rank", "number"): "number(rank) gives the number of a rank",
        ("row", "pile"): "which pile? as in first pile in table where …",
        ("set", "card"): "which card? as in lowest(p.hand)",
        ("stack", "card"): "which card? as in top(stock)",
        ("cards", "card"): "which card? as in lowest(S)",
        ("pile", "card"): "which card? as in top(pile)",
        ("set", "number"): "size(Z) says how many cards lie there",
        ("stack", "number"): "size(Z) says how many cards lie there",
        ("row", "number"): "count(row) says how many piles it has",
        ("cards", "number"): "count(S) says how many they are",
        ("set", "yes/no"): "ask how many: size(Z) > 0",
        ("stack", "yes/no"): "ask how many: size(Z) > 0",
        ("cards", "yes/no"): "ask how many: count(S) > 0",
        ("number", "yes/no"): "compare it, as in n > 0",
    }.get((have.kind, want.kind), "")
