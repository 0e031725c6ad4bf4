"""Single statements: syntax -> typed statement, and what is known after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Destination, Expr, Statement, Variable
from durak_dsl.language.scope import ANYTHING, Changes, Scope
from durak_dsl.language.syntax import Syntax, phrase
from durak_dsl.language.types import CARDS, ELEMENT_OF, PLAYER, number
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Span, did_you_mean

CARDS_MOVE = Changes(cards=True)
MOVABLE = ("card", "cards", "pile", "set", "stack", "row")
NUMBER = number(0, 0)

Made = tuple[Statement, Scope]


class Acts:
    """Types single statements: a method for each kind of syntax."""

    def __init__(self, expressions: Expressions):
        self.expressions = expressions
        self.names = expressions.names

    def statement(self, syntax: Syntax, scope: Scope) -> Made:
        """One statement, and the scope after it."""
        method: Callable[[Syntax, Scope], Made] = getattr(self, "_" + syntax.kind)
        statement, after = method(syntax, replace(scope, chance=True))
        return replace(statement, at=syntax.span), replace(after, chance=False)

    # ---- variables ------------------------------------------------------------------------------------------------

    def _target(self, syntax: Syntax, scope: Scope) -> tuple[Variable, tuple[Expr, ...]]:
        variables = self.names.variables
        if (syntax[1] if syntax.kind == "dot" else syntax).text in self.names.broken:
            raise Wrong
        if syntax.kind == "name":
            variable = variables.get(syntax.text)
            if variable is None or syntax.text in scope.locals:
                raise self._not_settable(syntax.text, syntax.span, scope)
            if variable.each:
                raise wrong("type", f"each player has his own '{syntax.text}'", syntax.span, f"say whose: p.{syntax.text}")
            return variable, ()
        if syntax.kind != "dot":
            raise wrong("syntax", f"'{syntax.shown}' cannot be set; only variables can", syntax.span)
        name = syntax[1].text
        variable = variables.get(name)
        if variable is None:
            raise self._not_settable(name, syntax[1].span, scope)
        if not variable.each:
            raise wrong("type", f"variable '{name}' belongs to nobody", syntax[1].span, f"write {name}")
        return variable, (self.expressions.fitted(syntax[0], scope, PLAYER),)

    def _not_settable(self, name: str, span: Span, scope: Scope) -> Wrong:
        names = self.names
        what = "a local name" if name in scope.locals else "a zone" if name in names.zones else names.kind_of(name)
        if what and what != "a variable":
            return wrong("type", f"'{name}' is {what}; only variables can be set", span)
        hint = did_you_mean(name, names.variables) or f"'let {name} = …' gives a name to a value"
        return names.unknown("unknown variable", name, span, (), hint)

    def _assign(self, syntax: Syntax, scope: Scope, op: str = "assign") -> Made:
        variable, seat = self._target(syntax[0], scope)
        sign = syntax[1].text
        value = self.expressions.typed(syntax[2], scope)
        if sign != "=":
            value = self._changed(variable, seat, value, syntax)
        value = self.expressions.fit(value, variable.type, syntax[2].span)
        self.names.use("set", variable.name)
        after = scope.forgetting(Changes(frozenset({variable.name})))
        if not value.type.maybe and variable.type.maybe:
            after = after.knowing(frozenset({Expr("read", variable.type.sure, seat, variable.name)}))
        return Statement(op, (value, *seat), variable.name), after

    def _changed(self, variable: Variable, seat: tuple[Expr, ...], value: Expr, syntax: Syntax) -> Expr:
        sign, kind = syntax[1].text, variable.type
        old = Expr("read", kind, seat, variable.name, syntax[0].span)
        if kind.kind != "number" or value.type.kind != "number":
            other = value.type if kind.kind == "number" else kind
            span = syntax[2].span if kind.kind == "number" else syntax[0].span
            name = syntax[0].shown
            hint = f"write {name} = {name} {sign[0]} …" if kind.kind in ELEMENT_OF else ""
            raise wrong("type", f"'{sign}' changes a number by a number; this is {other.a}", span, hint)
        old, value = self.expressions.sure(old, syntax[0].span), self.expressions.sure(value, syntax[2].span)
        return Expr(sign[0], self.expressions.bounds(sign[0], kind, value.type, syntax.span), (old, value), at=syntax.span)

    def _announce(self, syntax: Syntax, scope: Scope) -> Made:
        return self._assign(syntax, scope, "announce")

    def _let(self, syntax: Syntax, scope: Scope) -> Made:
        name = syntax[0]
        self.expressions.free(name, scope)
        value = self.expressions.typed(syntax[2], scope)
        if value.type.kind in ("set", "stack", "row"):
            value = self.expressions.fit(value, CARDS, syntax[2].span)
        if value.type.kind == "none":
            raise wrong("type", f"'{name.text}' would always be none", syntax[2].span)
        local = Expr("local", value.type, data=self.names.new_local(name.text))
        return Statement("let", (value,), local.data), scope.letting(name.text, local, value)

    def _clear(self, syntax: Syntax, scope: Scope) -> Made:
        variable = self.names.variables.get(syntax[0].text)
        if variable is None or syntax[0].text in self.names.broken:
            raise self._not_settable(syntax[0].text, syntax[0].span, scope)
        self.names.use("set", variable.name)
        return Statement("clear", data=variable.name), scope.forgetting(Changes(frozenset({variable.name})))

    # ---- cards ----------------------------------------------------------------------------------------------------

    def _move(self, syntax: Syntax, scope: Scope) -> Made:
        what = self.expressions.typed(syntax[0], scope)
        if what.type.kind not in MOVABLE:
            raise wrong("type", f"only cards can be moved; this is {what.type.a}", syntax[0].span)
        if what.type.kind != "card":
            self.expressions.sure(what, syntax[0].span)
        to = syntax[1]
        target = to[len(to.parts) - 1]  # before it may stand 'top', 'bottom' or 'random'
        place = self.expressions.typed(target, scope)
        wants = {"to_zone": ("set", "stack"), "onto": ("pile",), "new_pile": ("row",), "new_piles": ("row",)}.get(to.kind, ("stack",))
        if place.type.kind not in wants or place.type.maybe:
            raise self._no_place(place, wants, target)
        self._apart(what, place, target.span)
        kind = {"to_zone": "set" if place.type.kind == "set" else "top", "to_top": "top", "to_bottom": "bottom", "to_random": "random"}
        destination = Destination(kind.get(to.kind, to.kind.replace("_", " ")), syntax.optional(2) is not None)
        return Statement("move", (what, place), destination), scope.forgetting(CARDS_MOVE)

    def _no_place(self, place: Expr, wants: tuple[str, ...], target: Syntax) -> Wrong:
        wanted = {"set": "a set zone or a stack", "pile": "a pile", "row": "a row of piles", "stack": "a stack"}[wants[0]]
        if place.type.maybe and place.type.kind in wants:
            return wrong("none", f"this may be none; {wanted} was expected", target.span, "test it first ('… is not none and …')")
        hints = {"row": f"write 'to new pile of {target.shown}' or 'onto pile'", "pile": f"write 'onto {target.shown}'"}
        hint = hints.get(place.type.kind, "")
        return wrong("type", f"cards go to {wanted} here; this is {place.type.a}", target.span, hint)

    def _apart(self, what: Expr, place: Expr, span: Span) -> None:
        """Raise Wrong where cards would be moved to where they are."""
        if what.op == "zone" and (what.op, what.data, what.args) == (place.op, place.data, place.args):
            raise wrong("type", f"all of '{what.data}' lies there already", span)

    def _stack(self, syntax: Syntax, scope: Scope) -> Expr:
        value = self.expressions.typed(syntax, scope)
        if value.type.kind != "stack":
            raise wrong("type", f"a stack was expected here; this is {value.type.a}", syntax.span)
        return value

    def _draw(self, syntax: Syntax, scope: Scope) -> Made:
        many = self.expressions.fitted(syntax[0], scope, NUMBER)
        self._from(syntax[1])
        source = self._stack(syntax[2], scope)
        to = self.expressions.typed(syntax[3], scope)
        if to.type.kind not in ("set", "stack"):
            raise self._no_place(to, ("set", "stack"), syntax[3])
        self._apart(source, to, syntax[3].span)
        return Statement("draw", (many, source, to)), scope.forgetting(CARDS_MOVE)

    def _deal(self, syntax: Syntax, scope: Scope) -> Made:
        many = self.expressions.fitted(syntax[0], scope, NUMBER)
        self._from(syntax[1])
        source = self._stack(syntax[2], scope)
        name, span = syntax[3].text, syntax[3].span
        zone = self.names.zones.get(name)
        if zone is None or not zone.each:
            raise self.expressions.no_zone_of_each(name, span)
        if source.data == name:
            raise wrong("type", f"cards are dealt from '{name}' to another zone", span)
        self.names.use("zone", name)
        domain, element = self.expressions.domain(syntax[4], scope)
        if element.kind != "player":
            raise wrong("type", f"cards are dealt to players; this is {domain.type.a}", syntax[4].span)
        return Statement("deal", (many, source, domain), name), scope.forgetting(CARDS_MOVE)

    def _from(self, order: Syntax) -> None:
        if order.text != "from":
            raise wrong("syntax", f"'{order.text}' cannot stand here: 'from' was expected", order.span)

    def _shuffle(self, syntax: Syntax, scope: Scope) -> Made:
        return Statement("shuffle", (self._stack(syntax[0], scope),)), scope.forgetting(CARDS_MOVE)

    def _show(self, syntax: Syntax, scope: Scope) -> Made:
        what = self.expressions.fitted(syntax[0], scope, CARDS)
        if syntax[1].kind == "everybody":
            return Statement("show", (what,)), scope.forgetting(CARDS_MOVE)  # cards that lay face down lie open now
        return Statement("show", (what, self.expressions.fitted(syntax[1], scope, PLAYER))), scope

    def _show_none(self, syntax: Syntax, scope: Scope) -> Made:
        what = self.expressions.fitted(syntax[0], scope, CARDS)
        where = self.expressions.typed(syntax[1], scope)
        if where.op not in ("zone", "all"):
            raise wrong("type", f"a zone was expected here; this is {where.type.a}", syntax[1].span, "as in p.hand or all hand")
        return Statement("show none", (what, where)), scope

    # ---- what comes next ------------------------------------------------------------------------------------------

    def _do(self, syntax: Syntax, scope: Scope) -> Made:
        name = phrase(syntax[0])
        if name not in self.names.procedures:
            hint = f"'{name}' is a phase: write 'go {name}'" if name in self.names.phases else ""
            raise self.names.unknown("unknown procedure", name, syntax[0].span, self.names.procedures, hint)
        self.names.use("procedure", name)
        given = [part for part in syntax.parts[1:] if part is not None]
        head = replace(syntax[0], text=name)
        args = self.expressions.arguments(head, self.names.procedures[name], given, scope)
        return Statement("do", args, name), scope.forgetting(ANYTHING)

    def _go(self, syntax: Syntax, scope: Scope) -> Made:
        name = phrase(syntax[0])
        if name not in self.names.phases:
            hint = f"'{name}' is a procedure: write 'do {name}'" if name in self.names.procedures else ""
            raise self.names.unknown("unknown phase", name, syntax[0].span, self.names.phases, hint)
        self.names.use("phase", name)
        return Statement("go", data=name), scope

    def _stay(self, syntax: Syntax, scope: Scope) -> Made:
        return Statement("stay"), scope

    def _end(self, syntax: Syntax, scope: Scope) -> Made:
        return Statement("end"), scope

    def _again(self, syntax: Syntax, scope: Scope) -> Made:
        return Statement("again"), scope
