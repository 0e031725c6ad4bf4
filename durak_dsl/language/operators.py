"""Logic, comparisons and arithmetic. What a test says of one part is known in the parts after it."""

from __future__ import annotations

from dataclasses import replace

from durak_dsl.language.ir import NONE, Expr
from durak_dsl.language.literals import Literals
from durak_dsl.language.scope import Scope, facts
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import CARD, CARDS, ELEMENT_OF, NOTHING, RANK, YES_NO, ZONE_KINDS
from durak_dsl.language.wrong import wrong
from durak_dsl.problems import Problem, Span, did_you_mean, listed

ORDERED = ("number", "rank")


class Operators(Literals):
    """Types what stands between signs and words: a method for each kind of syntax."""

    # ---- logic ----------------------------------------------------------------------------------------------------

    def _and(self, syntax: Syntax, scope: Scope) -> Expr:
        return self._junction(syntax, scope, "and")

    def _or(self, syntax: Syntax, scope: Scope) -> Expr:
        return self._junction(syntax, scope, "or")

    def _junction(self, syntax: Syntax, scope: Scope, op: str) -> Expr:
        args = []
        for part in syntax.parts:
            assert part is not None
            args.append(self.condition(part, scope))
            scope = scope.knowing(facts(args[-1], holds=op == "and"))
        return Expr(op, YES_NO, tuple(args))

    def _not(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("not", YES_NO, (self.condition(syntax[0], scope),))

    _not_last = _not

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

    # ---- comparisons ----------------------------------------------------------------------------------------------

    def _compare(self, syntax: Syntax, scope: Scope) -> Expr:
        sign, span = syntax[1].text, syntax[1].span
        if sign in ("==", "!="):
            for written, other in ((syntax[2], syntax[0]), (syntax[0], syntax[2])):
                if (cards := self.kinds(written)) is not None:
                    found = self._as_written(written, cards, other, scope, syntax.span)
                    return found if sign == "==" else Expr("not", YES_NO, (found,))
        one = self.typed(syntax[0], scope)
        if one.type.kind == "choice":
            word = "is not" if sign == "!=" else "is"
            raise wrong("type", f"'{sign}' does not compare with a choice", span, f"write '{syntax[0].shown} {word} {syntax[2].shown}'")
        two = self.typed(syntax[2], scope)
        kinds = {one.type.kind, two.type.kind}
        if "none" in kinds:
            word = "is not none" if sign == "!=" else "is none"
            raise wrong("type", f"'{sign}' does not compare with none", span, f"write '{word}'")
        if kinds & set(ZONE_KINDS) or ("cards" in kinds and kinds & {"pile", "card"}):
            one, two = self.fit(one, CARDS, syntax[0].span), self.fit(two, CARDS, syntax[2].span)
        if "rank" in kinds:
            one, two = self.fit(one, RANK.or_none, syntax[0].span), self.fit(two, RANK.or_none, syntax[2].span)
        one, two = self._empty_alike(one, two, syntax)
        if one.type.kind != two.type.kind:
            raise wrong("type", f"{one.type.a} is compared with {two.type.a}", syntax.span)
        if one.type.kind in ("pile", "piles") and one.type.zone != two.type.zone:
            raise wrong("type", f"a pile of '{one.type.zone}' is compared with one of '{two.type.zone}'", syntax.span)
        if sign in ("==", "!="):
            return Expr(sign, YES_NO, (one, two))
        if one.type.kind not in ORDERED:
            hint = "compare their ranks" if one.type.kind == "card" else ""
            raise wrong("type", f"'{sign}' orders numbers and ranks; here are {one.type.a} and {two.type.a}", span, hint)
        return Expr(sign, YES_NO, (self.sure(one, syntax[0].span), self.sure(two, syntax[2].span)))

    def _as_written(self, written: Syntax, kinds: list[int], other: Syntax, scope: Scope, span: Span) -> Expr:
        """Whether a card is a copy of the one written out, or cards look like those."""
        theirs = self.kinds(other)
        value = self.typed(other, scope) if theirs is None else self.first_copies(theirs, other.span)
        if written.kind == "symbol" and value.type.kind == "card":
            return Expr("in", YES_NO, (value, self.every_copy(kinds, written.span)), at=span)
        if value.type.kind not in ("cards", "card", "pile", *ZONE_KINDS):
            raise wrong("type", f"{value.type.a} is compared with {(CARD if written.kind == 'symbol' else CARDS).a}", span)
        return Expr("==", YES_NO, (self.looks(value, other.span), self.first_copies(kinds, written.span)), at=span)

    def _empty_alike(self, one: Expr, two: Expr, syntax: Syntax) -> tuple[Expr, Expr]:
        """`{}` beside another set is the empty set of its kind."""
        if two.type.kind in ELEMENT_OF and one.type == CARDS and one.op == "const":
            one = self.fit(one, two.type, syntax[0].span) if one.data == 0 else one
        elif one.type.kind in ELEMENT_OF and two.type == CARDS and two.op == "const":
            two = self.fit(two, one.type, syntax.span) if two.data == 0 else two
        return one, two

    def _member(self, syntax: Syntax, scope: Scope) -> Expr:
        group = None if syntax[1].optional(1) else self.kinds(syntax[1][0])
        if group is not None and syntax[1][0].kind == "braces":
            domain, element = self.every_copy(group, syntax[1].span), CARD
        else:
            domain, element = self.domain(syntax[1], scope)
        if domain.type.kind == "row":
            raise wrong("type", "a row of piles is not a set of cards", syntax[1].span, f"write cards({syntax[1].shown})")
        item = self.written(syntax[0], scope)
        if element == CARD and self.kinds(syntax[0]) is not None:
            domain = self.looks(domain, syntax[1].span)
        if item.type.kind == "none":
            raise wrong("type", "none is in no set", syntax[0].span)
        return Expr("in", YES_NO, (self.fit(item, element.or_none, syntax[0].span), domain))

    def _not_member(self, syntax: Syntax, scope: Scope) -> Expr:
        return Expr("not", YES_NO, (replace(self._member(syntax, scope), at=syntax.span),))

    def _is(self, syntax: Syntax, scope: Scope) -> Expr:
        value, word = self.typed(syntax[0], scope), syntax[1].text
        text, kind = syntax[0].shown, value.type
        if word == "none":
            if not kind.maybe:
                self.warnings.append(Problem("never-none", f"'{text}' is never none here", syntax.span, warning=True))
            return Expr("is none", YES_NO, (value,))
        if kind.kind == "yes/no" and word in ("yes", "no"):
            return Expr("==", YES_NO, (value, Expr("const", YES_NO, data=int(word == "yes"))))
        if kind.kind != "choice":
            known = word in scope.locals or self.names.kind_of(word) or not word[0].islower()
            hint = f"write '{text} == {word}'" if known else ""
            raise wrong("type", f"'is' asks for a word of an option, or none; '{text}' is {kind.a}", syntax.span, hint)
        if word not in kind.words:
            hint = did_you_mean(word, kind.words)
            raise wrong("unknown-name", f"'{text}' is never '{syntax[1].shown}'; it is {listed(kind.words)}", syntax[1].span, hint)
        return Expr("==", YES_NO, (value, Expr("const", kind, data=kind.words.index(word))))

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
        one, two = (self.as_set(self.typed(part, scope), part.span) for part in (syntax[0], syntax[1]))
        if of_sets and "cards" in (one.type.kind, two.type.kind):
            one, two = self._empty_alike(one, two, syntax)
            if "cards" in (one.type.kind, two.type.kind):
                one, two = self.fit(one, CARDS, syntax[0].span), self.fit(two, CARDS, syntax[1].span)
        if of_sets and one.type.kind in ELEMENT_OF and (one.type.kind, one.type.zone) == (two.type.kind, two.type.zone):
            return Expr(of_sets, one.type.sure, (self.sure(one, syntax[0].span), self.sure(two, syntax[1].span)))
        if one.type.kind != "number" or two.type.kind != "number":
            works = "numbers and sets" if of_sets else "numbers"
            cards = of_sets and one.type.kind == two.type.kind == "card"
            hint = f"write 'cards({syntax[0].shown}) {sign} {syntax[1].shown}' for sets of them" if cards else ""
            raise wrong("type", f"'{sign}' works on {works}; here are {one.type.a} and {two.type.a}", syntax.span, hint)
        one, two = self.sure(one, syntax[0].span), self.sure(two, syntax[1].span)
        return Expr(sign, self.bounds(sign, one.type, two.type, syntax.span), (one, two))

    def _negative(self, syntax: Syntax, scope: Scope) -> Expr:
        value = self.typed(syntax[0], scope)
        if value.type.kind != "number":
            raise wrong("type", f"'-' works on numbers; here is {value.type.a}", syntax.span)
        kind = self.sure(value, syntax[0].span).type
        return Expr("negative", self.bounded(-kind.high, -kind.low, syntax.span), (value,))
