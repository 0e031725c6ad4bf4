"""Python code as trees: templates of our own, in which names are replaced by trees, and places in the rule file put on every node."""

from __future__ import annotations

import ast
from functools import cache

from durak_dsl.problems import Span

Part = ast.expr | int | str


@cache
def _template(text: str) -> ast.Module:
    module = ast.parse(text)
    _Bits().visit(module)
    return module


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
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(made, name, [_fill(item, parts) if isinstance(item, ast.AST) else item for item in value])
        else:
            setattr(made, name, _fill(value, parts) if isinstance(value, ast.AST) else value)
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
    waiting: list[ast.AST] = [node]
    while waiting:  # what has a place has it with all that is in it
        inner = waiting.pop()
        if "lineno" in inner._attributes:
            if hasattr(inner, "lineno"):
                continue
            inner.lineno, inner.end_lineno = span.line, span.line  # type: ignore[attr-defined]
            inner.col_offset, inner.end_col_offset = column, max(end, column + 1)  # type: ignore[attr-defined]
        waiting += ast.iter_child_nodes(inner)


def put_everywhere(node: ast.AST, line: int) -> None:
    """Give every node that still has no place the start of a line."""
    for inner in ast.walk(node):
        if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
            inner.lineno = inner.end_lineno = line  # type: ignore[attr-defined]
            inner.col_offset, inner.end_col_offset = 0, 1  # type: ignore[attr-defined]
