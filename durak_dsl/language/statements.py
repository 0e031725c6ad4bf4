"""Bodies of statements: lines, lists, named steps and control keys -> typed statements."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from durak_dsl.language.expressions import Expressions, nothing
from durak_dsl.language.ir import Block, Destination, Expr, Statement, Variable
from durak_dsl.language.scope import Scope, facts
from durak_dsl.language.syntax import Syntax, parse, phrase
from durak_dsl.language.types import CARDS, PLAYER, Type, joined, number
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import did_you_mean
from durak_dsl.source.nodes import Map, Node, Seq, Text

CONTROL = re.compile(r"(if|for each|repeat|else if) |else$")
MOST_REPEATS = 1000


class Statements:
    """Types the bodies of one rule file."""

    def __init__(self, expressions: Expressions):
        self.expressions = expressions
        self.names = expressions.names

    def body(self, node: Node, scope: Scope) -> Block:
        """The statements of a body. What is wrong in one line does not keep the others from being checked."""
        return tuple(self._body(node, scope)[0])

    def _body(self, node: Node, scope: Scope) -> tuple[list[Statement], Scope]:
        if isinstance(node, Text):
            return self._line(node, scope)
        if isinstance(node, Seq):
            found: list[Statement] = []
            for item in node.items:
                statements, scope = self._body(item, scope)
                found += statements
            return found, scope
        if node.entries and CONTROL.match(node.entries[0].key.value):
            return self._control(node, scope)
        found = []
        for entry in node:
            statements, scope = self._body(entry.value, scope)
            found.append(Statement("step", data=entry.key.value, blocks=(tuple(statements),), at=entry.key.span))
        return found, scope

    def _line(self, text: Text, scope: Scope) -> tuple[list[Statement], Scope]:
        found: list[Statement] = []
        try:
            for part in parse(text, "statements").parts:
                if part is not None:
                    statement, scope = self._statement(part, scope)
                    found.append(statement)
        except Wrong as error:
            self.names.report(error)
        return found, scope

    # ---- control --------------------------------------------------------------------------------------------------

    def _control(self, node: Map, scope: Scope) -> tuple[list[Statement], Scope]:
        head = node.entries[0].key
        try:
            syntax = parse(head, "control")
            if syntax.kind == "if_":
                return self._if(node, scope)
            if len(node.entries) > 1:
                raise wrong("syntax", f"'{node.entries[1].key.value}' cannot follow '{head.value}'", node.entries[1].key.span)
            if syntax.kind == "for_each":
                return self._each(syntax, node.entries[0].value, scope)
            if syntax.kind == "repeat":
                return self._repeat(syntax, node.entries[0].value, scope)
            raise wrong("syntax", f"'{head.value}' has no 'if' before it", head.span)
        except Wrong as error:
            self.names.report(error)
            return [], scope

    def _if(self, node: Map, scope: Scope) -> tuple[list[Statement], Scope]:
        conditions: list[Expr] = []
        blocks: list[Block] = []
        inside = scope
        for position, entry in enumerate(node.entries):
            syntax = parse(entry.key, "control")
            if syntax.kind not in (("if_",) if position == 0 else ("else_if", "else_")):
                raise wrong(
                    "syntax", f"'{entry.key.value}' cannot follow an 'if'", entry.key.span, "its branches are 'else if …' and 'else'"
                )
            if syntax.kind == "else_":
                if position != len(node.entries) - 1:
                    raise wrong("syntax", "'else' comes last", entry.key.span)
                blocks.append(self.body(entry.value, inside))
                continue
            condition = self.expressions.condition(syntax[0], inside)
            conditions.append(condition)
            blocks.append(self.body(entry.value, inside.knowing(facts(condition))))
            inside = inside.knowing(facts(condition, holds=False))
        statement = Statement("if", tuple(conditions), blocks=tuple(blocks), at=node.entries[0].key.span)
        return [statement], scope.forgetting(changed(blocks))

    def _each(self, syntax: Syntax, value: Node, scope: Scope) -> tuple[list[Statement], Scope]:
        local, domain, element, condition, inside = self.expressions.bound(syntax[0], syntax[1], syntax.optional(2), scope.forgetting(None))
        if element.kind == "pile":
            raise wrong(
                "type",
                "piles move up when one is gone, so they cannot be gone through",
                syntax[1].span,
                "move cards(pile in … where …) at once",
            )
        block = self.body(value, inside)
        return [Statement("each", (domain, condition), local, (block,), syntax.span)], scope.forgetting(changed([block]))

    def _repeat(self, syntax: Syntax, value: Node, scope: Scope) -> tuple[list[Statement], Scope]:
        times = self.expressions.fitted(syntax[0], scope, number(0, MOST_REPEATS))
        if times.type.high > MOST_REPEATS:
            raise wrong(
                "bounds", f"this can be {times.type.high:,}; at most {MOST_REPEATS:,} repeats are made", syntax.span, "write min(…, n)"
            )
        block = self.body(value, scope.forgetting(None))
        return [Statement("repeat", (times,), blocks=(block,), at=syntax.span)], scope.forgetting(changed([block]))

    # ---- single statements ----------------------------------------------------------------------------------------

    def _statement(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        method = getattr(self, "_" + syntax.kind)
        statement, scope = method(syntax, replace(scope, chance=True))
        return replace(statement, at=syntax.span), scope

    def _target(self, syntax: Syntax, scope: Scope) -> tuple[Variable, tuple[Expr, ...]]:
        variables = self.names.variables
        if syntax.kind == "name":
            variable = variables.get(syntax.text)
            if variable is None:
                raise wrong("unknown-name", f"unknown variable '{syntax.text}'", syntax.span, did_you_mean(syntax.text, variables))
            if variable.each:
                raise wrong("type", f"'{syntax.text}' is a value of each player", syntax.span, f"whose? write p.{syntax.text}")
            return variable, ()
        if syntax.kind != "dot":
            raise wrong("syntax", f"'{syntax.text}' cannot be set; only variables can", syntax.span)
        variable = variables.get(syntax[1].text)
        if variable is None or not variable.each:
            each = [name for name, variable in variables.items() if variable.each]
            raise wrong("unknown-name", f"a player has no variable '{syntax[1].text}'", syntax[1].span, did_you_mean(syntax[1].text, each))
        return variable, (self.expressions.fitted(syntax[0], scope, PLAYER),)

    def _assign(self, syntax: Syntax, scope: Scope, op: str = "assign") -> tuple[Statement, Scope]:
        variable, seat = self._target(syntax[0], scope)
        sign = syntax[1].text
        value = self.expressions.typed(syntax[2], scope)
        if sign != "=":
            if variable.type.kind != "number" or value.type.kind != "number" or variable.type.maybe or value.type.maybe:
                raise wrong("type", f"'{sign}' changes a number", syntax.span)
            old = Expr("read", variable.type, seat, variable.name, syntax[0].span)
            value = Expr(sign[0], self.expressions.bounds(sign[0], old.type, value.type, syntax.span), (old, value), at=syntax.span)
        value = self.expressions.fit(value, variable.type, syntax[2].span)
        self.names.use("set", variable.name)
        after = scope.forgetting(frozenset({variable.name}))
        if not value.type.maybe and variable.type.maybe and not seat:
            after = after.knowing(frozenset({Expr("read", variable.type.sure, (), variable.name)}))
        return Statement(op, (value, *seat), variable.name), after

    def _announce(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        return self._assign(syntax, scope, "announce")

    def _let(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        name = syntax[0]
        if name.text in scope.locals or name.text in self.names.variables or name.text in self.names.signatures:
            raise wrong("name-taken", f"'{name.text}' already has a meaning here", name.span)
        value = self.expressions.typed(syntax[2], scope)
        if value.type.kind in ("set", "stack", "row"):
            value = self.expressions.fit(value, CARDS, syntax[2].span)
        local = self.names.new_local(name.text)
        return Statement("let", (value,), local), scope.bind(name.text, Expr("local", value.type, data=local))

    def _clear(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        variable = self.names.variables.get(syntax[0].text)
        if variable is None:
            raise wrong(
                "unknown-name", f"unknown variable '{syntax[0].text}'", syntax[0].span, did_you_mean(syntax[0].text, self.names.variables)
            )
        self.names.use("set", variable.name)
        return Statement("clear", data=variable.name), scope.forgetting(frozenset({variable.name}))

    def _move(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        what = self.expressions.typed(syntax[0], scope)
        if what.type.kind != "card" and what.type.kind not in ("pile", "set", "stack", "row", "cards"):
            raise wrong("type", f"cards are moved, not a {what.type}", syntax[0].span)
        to = syntax[1]
        target = to[len(to.parts) - 1]  # before it may stand 'top', 'bottom' or 'random'
        place = self.expressions.typed(target, scope)
        wants = {"to_zone": ("set", "stack"), "onto": ("pile",), "new_pile": ("row",), "new_piles": ("row",)}.get(to.kind, ("stack",))
        if place.type.kind not in wants or place.type.maybe:
            hint = "write 'to new pile of …' or 'onto pile'" if place.type.kind == "row" else ""
            raise wrong("type", f"cards cannot be moved here: this is a {place.type}", target.span, hint)
        kind = {"to_zone": "set" if place.type.kind == "set" else "top", "to_top": "top", "to_bottom": "bottom", "to_random": "random"}.get(
            to.kind, to.kind.replace("_", " ")
        )
        down = syntax.optional(2) is not None
        return Statement("move", (what, place), Destination(kind, down)), scope

    def _stack(self, syntax: Syntax, scope: Scope) -> Expr:
        value = self.expressions.typed(syntax, scope)
        if value.type.kind != "stack":
            raise wrong("type", f"cards are drawn from a stack, this is a {value.type}", syntax.span)
        return value

    def _draw(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        many = self.expressions.fitted(syntax[0], scope, number(0, 0))
        self._from(syntax[1])
        source = self._stack(syntax[2], scope)
        to = self.expressions.typed(syntax[3], scope)
        if to.type.kind not in ("set", "stack"):
            raise wrong("type", f"cards are drawn to a set or a stack, this is a {to.type}", syntax[3].span)
        return Statement("draw", (many, source, to)), scope

    def _deal(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        many = self.expressions.fitted(syntax[0], scope, number(0, 0))
        self._from(syntax[1])
        source = self._stack(syntax[2], scope)
        zone = self.names.zones.get(syntax[3].text)
        if zone is None or not zone.each or zone.kind == "row":
            each = [zone.name for zone in self.names.zones.values() if zone.each]
            raise wrong("unknown-name", f"no player has a '{syntax[3].text}'", syntax[3].span, did_you_mean(syntax[3].text, each))
        self.names.use("zone", zone.name)
        domain, element = self.expressions.domain(syntax[4], scope)
        if element.kind != "player":
            raise wrong("type", f"cards are dealt to players, not to {domain.type}", syntax[4].span)
        return Statement("deal", (many, source, domain), zone.name), scope

    def _from(self, order: Syntax) -> None:
        if order.text != "from":
            raise wrong("syntax", f"'{order.text}' cannot stand here; 'from' was expected", order.span)

    def _again(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        return Statement("again"), scope

    def _shuffle(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        return Statement("shuffle", (self._stack(syntax[0], scope),)), scope

    def _show(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        what = self.expressions.fitted(syntax[0], scope, CARDS)
        if syntax[1].kind == "everybody":
            return Statement("show", (what,)), scope
        return Statement("show", (what, self.expressions.fitted(syntax[1], scope, PLAYER))), scope

    def _show_none(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        what = self.expressions.fitted(syntax[0], scope, CARDS)
        where = self.expressions.typed(syntax[1], scope)
        if where.op not in ("zone", "all"):
            raise wrong("type", "a zone was expected", syntax[1].span, "as in p.hand or all hand")
        return Statement("show none", (what, where)), scope

    def _do(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        name = phrase(syntax[0])
        if name not in self.names.procedures:
            raise wrong("unknown-name", f"unknown procedure '{name}'", syntax[0].span, did_you_mean(name, self.names.procedures))
        self.names.use("procedure", name)
        given = [part for part in syntax.parts[1:] if part is not None]
        head = replace(syntax[0], text=name)
        args = self.expressions.arguments(head, self.names.procedures[name], given, scope)
        return Statement("do", args, name), scope.forgetting(None)

    def _go(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        name = phrase(syntax[0])
        if name not in self.names.phases:
            raise wrong("unknown-name", f"unknown phase '{name}'", syntax[0].span, did_you_mean(name, self.names.phases))
        self.names.use("phase", name)
        return Statement("go", data=name), scope

    def _stay(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        return Statement("stay"), scope

    def _end(self, syntax: Syntax, scope: Scope) -> tuple[Statement, Scope]:
        return Statement("end"), scope


def changed(blocks: Iterable[Block]) -> frozenset[str] | None:
    """The variables that these blocks may set; None where they call a procedure, which may set any."""
    found = set()
    for block in blocks:
        for statement in block:
            for inner in statement.walk():
                if inner.op == "do":
                    return None
                if inner.op in ("assign", "announce", "clear"):
                    found.add(str(inner.data))
    return frozenset(found)


def start_value(value: Expr | None, kind: Type, cards_high: int) -> int:
    """The start of a variable: what is written, or none, no, the lower bound, the first."""
    if value is None:
        return nothing(kind) if kind.maybe else kind.low if kind.kind == "number" else 0
    assert value.op == "const" and isinstance(value.data, int)
    if kind.kind == "number" and value.data != nothing(kind) and not kind.low <= value.data <= kind.high:
        raise wrong("bounds", f"{value.data} is not within {kind.low} to {kind.high}", value.at)
    return value.data


__all__ = ["Statements", "changed", "joined", "start_value"]
