"""The fused form, interpreted: what was worked out a moment ago is kept in a variable instead of being worked out again."""

from __future__ import annotations

import ast

from durak_dsl.compiler.quote import quote_lines, walk
from durak_dsl.compiler.tidy import harmless

KEPT = "kept"  # the variable: what it holds is read before it is set again


def once(lines: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, which do the same."""
    made: list[ast.stmt] = []
    for line in lines:
        if isinstance(line, ast.If):
            held = _held(made[-1], line) if made else []
            made[len(made) - 1 :] = held or made[-1:]
            if not held:
                _counted(line)
        if isinstance(line, ast.If | ast.While | ast.For):
            line.body, line.orelse = once(line.body), once(line.orelse)
        made.append(line)
    return made


def _held(before: ast.stmt, line: ast.If) -> list[ast.stmt]:
    """What is put into an element of a list and asked right after that is asked of the variable, if so."""
    if not isinstance(before, ast.AugAssign) or not isinstance(target := before.target, ast.Subscript):
        return []
    element = ast.Subscript(target.value, target.slice, ast.Load())
    if not harmless(element) or not harmless(line.test) or not _is_in(line.test, element):
        return []
    line.test = _instead(line.test, element, ast.Name(KEPT, ast.Load()))
    value = ast.BinOp(element, before.op, before.value)
    return [*quote_lines("x = value", x=KEPT, value=value), ast.Assign([target], ast.Name(KEPT, ast.Load()))]


def _counted(line: ast.If) -> None:
    """The size of a set that is asked first in a test, and again in the first assignment where it holds, is found once."""
    first = line.test.values[0] if isinstance(line.test, ast.BoolOp) else line.test
    if not isinstance(first, ast.Compare) or not isinstance(line.body[0], ast.Assign) or not harmless(line.test):
        return
    for side in (first.left, first.comparators[0]):
        if isinstance(side, ast.Call) and _is_in(line.body[0].value, side):
            line.body[0].value = _instead(line.body[0].value, side, ast.Name(KEPT, ast.Load()))
            named = ast.NamedExpr(ast.Name(KEPT, ast.Store()), side)
            first.left, first.comparators[0] = (named if it is side else it for it in (first.left, first.comparators[0]))
            return


def _is_in(tree: ast.expr, part: ast.expr) -> bool:
    wanted = ast.dump(part)
    return any(type(node) is type(part) and ast.dump(node) == wanted for node in walk(tree))


def _instead(tree: ast.expr, part: ast.expr, name: ast.expr) -> ast.expr:
    made = _Instead(ast.dump(part), name).visit(tree)
    assert isinstance(made, ast.expr)
    return made


class _Instead(ast.NodeTransformer):
    def __init__(self, part: str, name: ast.expr):
        self.part, self.name = part, name

    def visit(self, node: ast.AST) -> ast.AST:
        return self.name if isinstance(node, ast.Subscript | ast.Call) and ast.dump(node) == self.part else super().visit(node)
