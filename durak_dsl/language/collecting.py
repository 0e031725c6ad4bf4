"""Going through collections: `x in S where …`, `E for x in S`, `any`, `first`, `least` and their kin."""

from __future__ import annotations

from dataclasses import replace

from durak_dsl.language.ir import Expr
from durak_dsl.language.operators import ORDERED, Operators
from durak_dsl.language.scope import Scope, facts
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import LARGEST_TOTAL, SET_OF, YES_NO, Type, number
from durak_dsl.language.words import WORDS
from durak_dsl.language.wrong import wrong


class Collecting(Operators):
    """Types what goes through a collection: a method for each kind of syntax."""

    def bound(
        self, name: Syntax, domain: Syntax, where: Syntax | None, scope: Scope, around: Scope | None = None
    ) -> tuple[int, Expr, Type, Expr, Scope]:
        """A local for the elements of a domain: its number, the domain, the element's type, the condition, the scope inside."""
        collection, element = self.domain(domain, scope)
        self.free(name, scope)
        local = self.names.new_local(name.text)
        bound = Expr("local", element, data=local, at=name.span)
        inside = replace(around or scope, chance=False).bind(name.text, bound)
        condition = Expr("const", YES_NO, data=1, at=domain.span) if where is None else self.condition(where, inside)
        return local, collection, element, condition, inside.knowing(facts(condition))

    def free(self, name: Syntax, scope: Scope) -> None:
        """Raise Wrong where a name for something at this place is taken."""
        if name.text in scope.locals:
            raise wrong("name-taken", f"'{name.text}' already has a meaning here", name.span)
        self.names.check_name(name.text, name.span, "this")

    def filtered(self, syntax: Syntax, scope: Scope) -> Expr:
        """The set of the elements for which a condition holds."""
        member = syntax[0]
        if member.kind != "member" or member[0].kind != "name":
            raise wrong("syntax", f"before 'where' stands 'x in S', not '{member.shown}'", member.span, "as in count(c in p.hand where …)")
        local, domain, element, condition, _ = self.bound(member[0], member[1], syntax[1], scope)
        return Expr("filter", Type(SET_OF[element.kind], zone=element.zone), (domain, condition), local, syntax.span)

    def mapped(self, syntax: Syntax, scope: Scope) -> Expr:
        """The set of what an expression gives for each element."""
        local, domain, _, condition, inside = self.bound(syntax[1], syntax[2], syntax.optional(3), scope)
        body = self.typed(syntax[0], inside)
        if body.type.kind not in SET_OF:
            raise wrong("type", f"a set is made of cards, ranks, suits or players; this is {body.type.a}", syntax[0].span)
        kind = self.sure(body, syntax[0].span).type
        return Expr("map", Type(SET_OF[kind.kind], zone=kind.zone), (domain, condition, body), local, syntax.span)

    def total(self, syntax: Syntax, scope: Scope) -> Expr:
        """The sum of what an expression gives for each element."""
        local, (domain, condition, body) = self._numbers("sum", syntax, scope)
        kind, most = body.type, self.largest(domain)
        bounds = self.bounded(min(0, kind.low * most), max(0, kind.high * most), syntax.span)
        return Expr("sum", bounds, (domain, condition, body), local)

    def makes(self, syntax: Syntax, wanted: Syntax, scope: Scope) -> Expr:
        """Whether some of what an expression gives for the elements adds up to a number."""
        local, parts = self._numbers("makes", syntax, scope)
        self.not_negative(parts[-1], syntax[0])
        return Expr("makes", YES_NO, (*parts, self.reached(wanted, scope)), local)

    def _numbers(self, word: str, syntax: Syntax, scope: Scope) -> tuple[int, tuple[Expr, Expr, Expr]]:
        """A number for each element of a collection: the local, the collection, the condition, the number."""
        if syntax.kind != "mapped":
            raise wrong("syntax", f"'{word}' takes 'E for x in S', not '{syntax.shown}'", syntax.span, f"as in {WORDS[word].example}")
        local, domain, _, condition, inside = self.bound(syntax[1], syntax[2], syntax.optional(3), scope)
        body = self.typed(syntax[0], inside)
        if body.type.kind != "number":
            raise wrong("type", f"'{word}' adds numbers; this is {body.type.a}", syntax[0].span)
        return local, (domain, condition, self.sure(body, syntax[0].span))

    def not_negative(self, value: Expr, syntax: Syntax) -> None:
        """Raise Wrong where a value that is to add up may be less than 0."""
        if value.type.low < 0:
            message = f"this can be {value.type.low:,}; what adds up is 0 or more"
            raise wrong("bounds", message, syntax.span, f"bound it, as in max(0, {syntax.shown})")

    def reached(self, syntax: Syntax, scope: Scope) -> Expr:
        """A number that others are to add up to."""
        total = self.fitted(syntax, scope, number(0, 0))
        if total.type.high > LARGEST_TOTAL:
            message = f"this can be {total.type.high:,}; values add up to at most {LARGEST_TOTAL:,}"
            raise wrong("bounds", message, syntax.span, "" if total.op == "const" else f"bound it, as in min({syntax.shown}, 100)")
        return total

    def largest(self, value: Expr) -> int:
        """How many elements a collection may have, or cards a zone or pile."""
        names, kind = self.names, value.type.kind
        if kind in ("row", "piles"):
            return names.zones[value.type.zone].most
        sizes = {"players": names.seats, "suits": len(names.deck.suits), "ranks": len(names.deck.ranks), "teams": names.teams}
        return sizes.get(kind, names.cards)

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
            raise wrong("type", f"'{syntax[0].text}' compares numbers, ranks or cards; this is {key.type.a}", syntax[4].span)
        return Expr(syntax[0].text, element.or_none, (domain, condition, key), local)
