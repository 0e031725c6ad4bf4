"""Python code as trees: templates of our own, in which names are replaced by trees, and places in the rule file put on every node."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from durak_dsl.problems import Span

Part = ast.expr | int | str


@cache
def _template(text: str) -> ast.Module:
    module = ast.parse(text)
    _Bits().visit(module)
    for node in walk(module):  # only fields are left
        for place in node._attributes:
            vars(node).pop(place, None)
    return module


def walk(tree: ast.AST) -> Iterator[ast.AST]:
    """This node and all inside it but operators and contexts, in no order: as `ast.walk`, in a third of its time."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for value in vars(node).values():
            if isinstance(value, list):
                waiting += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, _BARE):
                waiting.append(value)


_BARE = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


class _Bits(ast.NodeTransformer):
    """Puts a look into the table of bits for `1 << x`: interpreted code finds a bit faster than it shifts."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift) and isinstance(node.left, ast.Constant) and node.left.value == 1:
            return ast.Subscript(ast.Name("BIT", ast.Load()), node.right, ast.Load())
        return node


def quote(template: str, **parts: Part) -> ast.expr:
    """The expression of the template, with names replaced: by a tree, a number, or (a text) another name."""
    statement = _template(template).body[0]
    assert isinstance(statement, ast.Expr)
    made = _fill(statement.value, parts)
    assert isinstance(made, ast.expr)
    return made


def quote_lines(template: str, **parts: Part) -> list[ast.stmt]:
    """The statements of the template, with names replaced."""
    return [made for line in _template(template).body if isinstance(made := _fill(line, parts), ast.stmt)]


def _fill(node: ast.AST, parts: dict[str, Part]) -> ast.AST:
    if isinstance(node, ast.Name) and node.id in parts:
        part = parts[node.id]
        if isinstance(part, str):
            return ast.Name(part, node.ctx)
        if isinstance(part, int):
            return ast.UnaryOp(ast.USub(), ast.Constant(-part)) if part < 0 else ast.Constant(int(part))
        return part
    made = type(node)()
    fields = vars(made)
    for name, value in vars(node).items():
        if isinstance(value, list):
            fields[name] = [_fill(item, parts) if isinstance(item, ast.AST) else item for item in value]
        else:
            fields[name] = _fill(value, parts) if isinstance(value, ast.AST) and not isinstance(value, _BARE) else value
    return made


def number(value: int) -> ast.expr:
    """A number as a tree."""
    return quote("x", x=value)


def put_at(node: ast.AST, span: Span | None, path: str) -> None:
    """Give every node that has no place yet the place of the span (only if it is in that file)."""
    if span is None or span.path != path:
        return
    before = span.quoted[: span.column - 1] if span.quoted else " " * (span.column - 1)
    column = len(before.encode())
    stretch = span.quoted[span.column - 1 : span.column - 1 + span.length] if span.quoted else "x"
    end = column + len(stretch.encode())
    _put(node, (span.line, span.line, column, max(end, column + 1)))


def put_everywhere(node: ast.AST, line: int) -> None:
    """Give every node that still has no place the start of a line."""
    _put(node, (line, line, 0, 1), all_through=True)


def _put(node: ast.AST, place: tuple[int, int, int, int], all_through: bool = False) -> None:
    """Put a place on what has none. Unless told so, what has one is known to have it all through."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        fields = vars(inner)
        values = list(fields.values())
        if "lineno" not in fields:
            if isinstance(inner, _PLACED):
                fields["lineno"], fields["end_lineno"], fields["col_offset"], fields["end_col_offset"] = place
        elif not all_through:
            continue
        for value in values:
            if isinstance(value, list):
                waiting += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, _BARE):
                waiting.append(value)


_PLACED = (ast.expr, ast.stmt, ast.arg, ast.keyword)
