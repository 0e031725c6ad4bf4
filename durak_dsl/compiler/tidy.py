"""A last look at an emitted function: what is worked out and never read is left out."""

from __future__ import annotations

import ast

from durak_dsl.compiler.quote import walk

HARMLESS = (
    ast.Name,
    ast.Constant,
    ast.Subscript,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.IfExp,
    ast.BoolOp,
    ast.cmpop,
)


FREE = {"bit_count", "bit_length"}  # methods that do nothing but give a number


def harmless(value: ast.expr) -> bool:
    """Whether it does nothing that something is worked out."""
    return all(
        isinstance(part, HARMLESS)
        or (isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in FREE)
        or (isinstance(part, ast.Attribute) and part.attr in FREE)
        for part in walk(value)
    )


def tidy(function: ast.FunctionDef) -> None:
    """Leave out the assignments that nothing reads; each may have been the only reader of another."""
    while True:
        read: set[str] = set()
        written: set[str] = set()
        for node in walk(function):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else written).add(node.id)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                read.add(node.target.id)
        if written <= read:
            return
        without = _Without(read)
        without.visit(function)
        if not without.found:
            return


class _Without(ast.NodeTransformer):
    def __init__(self, read: set[str]):
        self.read = read
        self.found = False

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        target = node.targets[0]
        if not isinstance(target, ast.Name) or target.id in self.read or not harmless(node.value):
            return node
        self.found = True
        return None

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, (ast.If, ast.For, ast.While, ast.FunctionDef)) and not node.body:
            node.body = [ast.copy_location(ast.Pass(), node)]
        return node
