"""Bodies of statements: lines, lists, named steps and control keys -> typed statements."""

from __future__ import annotations

import re
from collections.abc import Iterable

from durak_dsl.language.acts import Acts
from durak_dsl.language.fitting import nothing
from durak_dsl.language.ir import Block, Expr, Statement
from durak_dsl.language.scope import ANYTHING, Changes, Scope
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import Type, number
from durak_dsl.language.unreadable import short
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.source.nodes import Map, Node, Seq, Text

CONTROL = re.compile(r"(if|for each|repeat|else if) |else$")
MOST_REPEATS = 1000

Checked = tuple[list[Statement], Scope]


class Statements(Acts):
    """Types the bodies of one rule file."""

    def body(self, node: Node, scope: Scope) -> Block:
        """The statements of a body. What is wrong in one line does not keep the others from being checked."""
        return tuple(self._body(node, scope)[0])

    def _body(self, node: Node, scope: Scope) -> Checked:
        if isinstance(node, Text):
            return self._line(node, scope)
        found: list[Statement] = []
        if isinstance(node, Seq):
            for item in node.items:
                statements, scope = self._body(item, scope)
                found += statements
            return found, scope
        if node.entries and CONTROL.match(node.entries[0].key.value):
            return self._control(node, scope)
        for entry in node:
            statements, scope = self._body(entry.value, scope)
            found.append(Statement("step", data=entry.key.value, blocks=(tuple(statements),), at=entry.key.span))
        return found, scope

    def _line(self, text: Text, scope: Scope) -> Checked:
        try:
            parts = self.expressions.parse(text, "statements").parts
        except Wrong as error:
            self.names.report(error)
            return [Statement("broken", at=text.span)], scope.breaking(*re.findall(r"\blet ([a-z]\w*)", text.value))
        found: list[Statement] = []
        for part in parts:
            if part is None:
                continue
            try:
                statement, scope = self.statement(part, scope)
            except Wrong as error:
                self.names.report(error, scope.doubtful)
                statement = Statement("broken", at=part.span)
                if part.kind in ("let", "assign", "announce"):  # what it would have told is not known
                    scope = scope.breaking(*([part[0].text] if part.kind == "let" else []))
            found.append(statement)
        return found, scope

    # ---- control --------------------------------------------------------------------------------------------------

    def _control(self, node: Map, scope: Scope) -> Checked:
        head = node.entries[0].key
        try:
            syntax = self.expressions.parse(head, "control")
            if syntax.kind == "if_":
                return self._if(node, scope)
            if len(node.entries) > 1:
                raise wrong("syntax", f"'{short(node.entries[1].key.value)}' cannot follow '{short(head.value)}'", node.entries[1].key.span)
            if syntax.kind == "for_each":
                return self._each(syntax, node.entries[0].value, scope)
            if syntax.kind == "repeat":
                return self._repeat(syntax, node.entries[0].value, scope)
            raise wrong("syntax", f"'{short(head.value)}' has no 'if' before it", head.span)
        except Wrong as error:
            self.names.report(error, scope.doubtful)
            inside = scope.forgetting(ANYTHING).breaking(*re.findall(r"^for each ([a-z]\w*)", head.value))
            blocks = tuple(self.body(entry.value, inside) for entry in node)
            return [Statement("broken", blocks=blocks, at=head.span)], scope.breaking()

    def _if(self, node: Map, scope: Scope) -> Checked:
        conditions: list[Expr] = []
        blocks: list[Block] = []
        ways: list[Scope] = []
        inside, broken, otherwise = scope, False, False
        for entry in node:
            here = inside
            try:
                syntax = self._branch(entry.key, first=not blocks, last=otherwise)
                otherwise = syntax.kind == "else_"
                if not otherwise:
                    conditions.append(self.expressions.condition(syntax[0], inside))
                    here, inside = inside.told(conditions[-1]), inside.told(conditions[-1], holds=False)
            except Wrong as error:
                self.names.report(error, scope.doubtful)
                broken, here, inside = True, inside.breaking(), inside.breaking()
            statements, after = self._body(entry.value, here)
            blocks.append(tuple(statements))
            if not ends(blocks[-1]):
                ways.append(after)
        if not otherwise:
            ways.append(inside)
        at = node.entries[0].key.span
        statement = Statement("broken" if broken else "if", tuple(conditions), None, tuple(blocks), at)
        return [statement], scope.after(ways)

    def _branch(self, key: Text, first: bool, last: bool) -> Syntax:
        syntax = self.expressions.parse(key, "control")
        if last:
            raise wrong("syntax", f"'{short(key.value)}' cannot follow 'else'", key.span, "'else' comes last")
        if syntax.kind not in (("if_",) if first else ("else_if", "else_")):
            raise wrong("syntax", f"'{short(key.value)}' cannot follow an 'if'", key.span, "its branches are 'else if …' and 'else'")
        return syntax

    def _each(self, syntax: Syntax, value: Node, scope: Scope) -> Checked:
        around = scope.forgetting(ANYTHING)
        local, domain, element, condition, inside = self.expressions.bound(syntax[0], syntax[1], syntax.optional(2), scope, around)
        if element.kind == "pile":
            message = "piles move up when one is gone, so they cannot be gone through one by one"
            raise wrong("type", message, syntax[1].span, "move cards(pile in … where …) at once")
        block = self.body(value, inside)
        return [Statement("each", (domain, condition), local, (block,), syntax.span)], scope.forgetting(changed([block]))

    def _repeat(self, syntax: Syntax, value: Node, scope: Scope) -> Checked:
        times = self.expressions.fitted(syntax[0], scope, number(0, MOST_REPEATS))
        if times.type.high > MOST_REPEATS:
            message = f"this can be {times.type.high:,}; a body is repeated at most {MOST_REPEATS:,} times"
            raise wrong("bounds", message, syntax[0].span, f"bound it: min({syntax[0].shown}, 20)")
        block = self.body(value, scope.forgetting(ANYTHING))
        return [Statement("repeat", (times,), blocks=(block,), at=syntax.span)], scope.forgetting(changed([block]))


def ends(block: Block) -> bool:
    """Whether a body plainly ends in a statement after which nothing comes; what procedures do is not looked at."""
    if not block:
        return False
    last = block[-1]
    if last.op == "if":
        return len(last.blocks) > len(last.args) and all(ends(inner) for inner in last.blocks)
    return last.op in ("go", "stay", "end", "again") or (last.op == "step" and ends(last.blocks[0]))


def changed(blocks: Iterable[Block]) -> Changes:
    """What these blocks may change."""
    variables: set[str] = set()
    cards = False
    for block in blocks:
        for statement in block:
            for inner in statement.walk():
                if inner.op in ("do", "broken"):
                    return ANYTHING
                if inner.op in ("assign", "announce", "clear"):
                    variables.add(str(inner.data))
                cards = cards or inner.op in ("move", "draw", "deal", "shuffle", "show")
    return Changes(frozenset(variables), cards)


def start_value(value: Expr | None, kind: Type) -> int:
    """The start of a variable: what is written, or none, no, the number nearest to 0, the first."""
    if value is None:
        return nothing(kind) if kind.maybe else min(max(kind.low, 0), kind.high) if kind.kind == "number" else 0
    assert value.op == "const"
    assert isinstance(value.data, int)
    if kind.kind == "number" and value.data != nothing(kind) and not kind.low <= value.data <= kind.high:
        raise wrong("bounds", f"{value.data} is not within {kind.low} to {kind.high}", value.at)
    return value.data
