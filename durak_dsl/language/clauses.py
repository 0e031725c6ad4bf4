"""Bodies of conditions and definitions: one line, or named clauses (`any`, `all`, `never`, `first of`)."""

from __future__ import annotations

from dataclasses import replace

from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Clause, Expr
from durak_dsl.language.scope import Scope, facts
from durak_dsl.language.syntax import parse
from durak_dsl.language.types import YES_NO
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.source.nodes import Map, Node, Text


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
    if isinstance(node, Text):
        return (Clause(name, expressions.condition(parse(node, "expression"), scope), node.span),)
    found = []
    for entry in map_of(node, "a condition"):
        try:
            condition = _condition(entry.value, scope, expressions)
        except Wrong as error:
            expressions.names.report(error)
            continue
        scope = scope.knowing(facts(condition))
        found.append(Clause(entry.key.value, condition, entry.key.span))
    return tuple(found)


def body(node: Node, scope: Scope, expressions: Expressions) -> Expr:
    """The body of a definition."""
    if isinstance(node, Text):
        return expressions.typed(parse(node, "expression"), scope)
    parts = map_of(node, "a definition")
    if first := parts.get("first of"):
        return _first_of(map_of(first, "'first of'"), scope, expressions)
    result = None
    for word, op in (("any", "or"), ("all", "and")):
        if (node_of := parts.get(word)) is not None:
            clauses = _clauses(map_of(node_of, f"'{word}'"), scope, expressions, op)
            result = clauses if result is None else Expr("and", YES_NO, (result, clauses), at=parts.span)
    if (never := parts.get("never")) is not None:
        forbidden = Expr("not", YES_NO, (_clauses(map_of(never, "'never'"), scope, expressions, "or"),), at=never.span)
        result = forbidden if result is None else Expr("and", YES_NO, (forbidden, result), at=parts.span)
    if result is None:
        raise wrong("type", "a definition is one line, or has 'any', 'all', 'never' or 'first of'", parts.span)
    return result


def _condition(node: Node, scope: Scope, expressions: Expressions) -> Expr:
    """A clause: one line, or clauses again."""
    return expressions.fit(body(node, scope, expressions), YES_NO, node.span)


def _clauses(parts: Map, scope: Scope, expressions: Expressions, op: str) -> Expr:
    args = []
    failed = False
    for entry in parts:
        try:
            args.append(_condition(entry.value, scope, expressions))
        except Wrong as error:
            expressions.names.report(error)
            failed = True
            continue
        scope = scope.knowing(facts(args[-1], holds=op == "and"))
    if failed:
        raise Wrong
    return Expr(op, YES_NO, tuple(args), tuple(entry.key.value for entry in parts), parts.span)


def _first_of(parts: Map, scope: Scope, expressions: Expressions) -> Expr:
    values: list[Expr] = []
    failed = False
    for entry in parts:
        try:
            values.append(body(entry.value, scope, expressions))
        except Wrong as error:
            expressions.names.report(error)
            failed = True
    if failed or not values:
        raise Wrong
    kind = values[0].type
    for index, value in enumerate(values[1:], 1):
        kind, values[0], values[index] = expressions.common(values[0], value, value.at or parts.span)
        values[0] = replace(values[0], type=kind.or_none)
    last = values[-1].type.maybe
    kind = replace(kind, maybe=last)
    values = [replace(value, type=replace(kind, maybe=value.type.maybe)) for value in values]
    return Expr("either", kind, tuple(values), tuple(entry.key.value for entry in parts), parts.span)
