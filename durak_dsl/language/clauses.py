"""Bodies of conditions and definitions: one line, or named clauses (`any`, `all`, `never`, `first of`)."""

from __future__ import annotations

from dataclasses import replace

from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Clause, Expr
from durak_dsl.language.scope import Scope, facts
from durak_dsl.language.types import YES_NO
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.source.nodes import Map, Node, Text

GROUPS = ("any", "all", "never", "first of")


def text_of(node: Node, what: str) -> Text:
    """The node as one text; `Wrong` where it is a list or a mapping."""
    if not isinstance(node, Text):
        raise wrong("type", f"{what} is one line of text", node.span)
    return node


def map_of(node: Node, what: str) -> Map:
    """The node as a mapping; `Wrong` where it is none."""
    if not isinstance(node, Map):
        raise wrong("type", f"{what} is a mapping of names", node.span)
    return node


def conditions(node: Node, scope: Scope, expressions: Expressions, name: str) -> tuple[Clause, ...]:
    """Named conditions that must all hold; one line is a single condition of that name. Later ones know what earlier ones say."""
    if isinstance(node, Map) and not any(entry.key.value in GROUPS for entry in node):
        found = _each(node, scope, expressions, holds=True)[0]
        return tuple(Clause(label.value, condition, label.span) for label, condition in found)
    try:
        return (Clause(name, _condition(node, scope, expressions), node.span),)
    except Wrong as error:
        expressions.names.report(error, scope.doubtful)
        return ()


def body(node: Node, scope: Scope, expressions: Expressions) -> Expr:
    """The body of a definition."""
    if isinstance(node, Text):
        return expressions.typed(expressions.parse(node), scope)
    parts = map_of(node, "a definition")
    if first := parts.get("first of"):
        other = next((entry.key for entry in parts if entry.key.value != "first of"), None)
        if other is not None:
            raise wrong("type", f"'{other.value}' does not stand beside 'first of'", other.span, "a clause may hold clauses of its own")
        return _first_of(map_of(first, "'first of'"), scope, expressions)
    found: list[Expr] = []
    failed = False
    for word, op in (("never", "or"), ("any", "or"), ("all", "and")):
        if (clauses := parts.get(word)) is None:
            continue
        try:
            made = _clauses(map_of(clauses, f"'{word}'"), scope, expressions, op)
        except Wrong as error:
            expressions.names.report(error, scope.doubtful)
            failed = True
            continue
        if word == "never":
            made = Expr("not", YES_NO, (made,), at=clauses.span)
        found.append(made)
        scope = scope.knowing(facts(made))
    if failed:
        raise Wrong
    if not found:
        raise wrong("type", "a definition is one line, or has 'any', 'all', 'never' or 'first of'", parts.span)
    return found[0] if len(found) == 1 else Expr("and", YES_NO, tuple(found), at=parts.span)


def _condition(node: Node, scope: Scope, expressions: Expressions) -> Expr:
    """A clause: one line, or clauses again."""
    return expressions.fit(body(node, scope, expressions), YES_NO, node.span)


def _each(parts: Map, scope: Scope, expressions: Expressions, holds: bool) -> tuple[list[tuple[Text, Expr]], bool]:
    """The conditions of a mapping by their names, each knowing the outcome of those before; and whether one of them failed."""
    found: list[tuple[Text, Expr]] = []
    failed = False
    for entry in parts:
        try:
            condition = _condition(entry.value, scope, expressions)
        except Wrong as error:
            expressions.names.report(error, scope.doubtful)
            scope, failed = replace(scope, doubtful=True), True
            continue
        scope = scope.knowing(facts(condition, holds))
        found.append((entry.key, condition))
    return found, failed


def _clauses(parts: Map, scope: Scope, expressions: Expressions, op: str) -> Expr:
    found, failed = _each(parts, scope, expressions, holds=op == "and")
    if failed or not found:
        raise Wrong
    return Expr(op, YES_NO, tuple(condition for _, condition in found), tuple(label.value for label, _ in found), parts.span)


def _first_of(parts: Map, scope: Scope, expressions: Expressions) -> Expr:
    values: list[Expr] = []
    failed = False
    for entry in parts:
        try:
            values.append(body(entry.value, scope, expressions))
        except Wrong as error:
            expressions.names.report(error, scope.doubtful)
            failed = True
    if failed or not values:
        raise Wrong
    kind, all_of_them = values[0].type, values[0]
    for value in values[1:]:
        kind, all_of_them, _ = expressions.common(all_of_them, value, value.at or parts.span)
        all_of_them = replace(all_of_them, type=kind.or_none)
    values = [expressions.common(value, all_of_them, value.at or parts.span)[1] for value in values]
    values = [replace(value, type=replace(kind, maybe=value.type.maybe)) for value in values]
    kind = replace(kind, maybe=values[-1].type.maybe)
    return Expr("either", kind, tuple(values), tuple(entry.key.value for entry in parts), parts.span)
