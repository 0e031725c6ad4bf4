"""How many machine words each value of a function takes: one, or two where there are more cards than a word has bits.

Numbers and seats take one, sets of cards two. A lone bit may be that of a card, unless it is put together with what is known to be a set of
one word, such as a mask of seats in the state. A local may be used for one thing after another: it is as wide as the widest.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from durak_dsl.native.words import OF_SETS

LOWEST, HIGHEST = -(2**63), 2**63 - 1

_PLACE = re.compile(r"s\d+")  # locals that stand for a place of the state


class Width(IntEnum):
    """How wide a value is."""

    ANY = 0  # a constant
    ONE = 1
    SET = 2  # of one word, and known to be a set
    BIT = 3  # a bit that may stand for anything
    TWO = 4


def together(*widths: Width) -> Width:
    """How wide is what is worked out from values of these widths."""
    found = max(widths, default=Width.ANY)
    if found is not Width.BIT:
        return found
    return Width.TWO if Width.ONE in widths else Width.SET if Width.SET in widths else Width.BIT


def of_number(value: int) -> Width:
    """How wide a number is."""
    return Width.ANY if LOWEST <= value <= HIGHEST else Width.TWO


def whole(node: ast.Constant) -> int:
    """The number that a constant is; 1 and 0 are yes and no."""
    assert isinstance(node.value, int)
    return int(node.value)


def of_table(value: object) -> Width:
    """How wide the numbers in a table are: those of the widest."""
    if isinstance(value, int):
        return max(Width.ONE, of_number(value))
    return max(map(of_table, value), default=Width.ONE) if isinstance(value, tuple) else Width.ONE


class Widths:
    """The widths in one function with parameters of certain widths.

    `variables` is what a parameter, a local or (in a table) its numbers take, `results` what is returned. `cell` says it of what stands at
    a place of the state, `called` of what another function returns for arguments of these widths.
    """

    def __init__(
        self,
        function: ast.FunctionDef,
        given: Mapping[str, Width],
        tables: Mapping[str, Any],
        cell: Callable[[ast.expr], Width],
        called: Callable[[str, Sequence[Width]], Sequence[Width]],
    ):
        self.variables, self.tables, self.cell, self.called = dict(given), tables, cell, called
        self.results: list[Width] = []
        nodes = [*ast.walk(function)]
        before: object = None
        while before != (before := (dict(self.variables), [*self.results])):
            for node in nodes:
                self._learn(node)

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._give(target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._put(node.target, self._of_operation(node.op, self.of(node.target), node.value))
        elif isinstance(node, ast.For):
            for part in ast.walk(node.target):
                if isinstance(part, ast.Name):
                    self._put(part, Width.ONE if isinstance(node.iter, ast.Call) else self.of(node.iter))
        elif isinstance(node, ast.Return) and node.value is not None:
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            self.results = self.results or [Width.ANY] * len(values)
            self.results = [max(pair) for pair in zip(self.results, map(self.of, values), strict=True)]

    def _give(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Tuple):
            self._put(target, self.of(value))
        elif isinstance(value, ast.IfExp):
            self._give(target, value.body)
            self._give(target, value.orelse)
        elif isinstance(value, ast.Tuple):
            for part, its in zip(target.elts, value.elts, strict=True):
                self._put(part, self.of(its))
        elif isinstance(value, ast.Call):
            assert isinstance(value.func, ast.Name)
            for part, width in zip(target.elts, self.called(value.func.id, [self.of(part) for part in value.args]), strict=True):
                self._put(part, width)
        else:  # the parts of a table
            for part in target.elts:
                self._put(part, self.of(value))

    def _put(self, target: ast.expr, width: Width) -> None:
        if isinstance(target, ast.Name) and not _PLACE.fullmatch(target.id):
            before = self.variables.get(target.id)
            if width is Width.BIT:
                width = Width.TWO
            elif width is Width.SET and before in (Width.ANY, Width.ONE):
                width = Width.ONE
            elif width is Width.ANY and before is Width.SET:
                before, width = None, Width.ONE
            self.variables[target.id] = width if before is None else max(before, width)

    def of_name(self, name: str) -> Width:
        """How wide a local or parameter is."""
        return self.cell(ast.Constant(int(name[1:]))) if _PLACE.fullmatch(name) else self.variables.get(name, Width.ANY)

    def of(self, node: ast.expr) -> Width:
        """How wide the value of an expression is."""
        if isinstance(node, ast.Constant):
            return of_number(whole(node))
        if isinstance(node, ast.Name):
            if node.id in self.tables:
                return of_table(self.tables[node.id])
            return self.of_name(node.id)
        if isinstance(node, ast.Subscript):
            return self._of_subscript(node)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.BitAnd) and isinstance(node.left, ast.Constant):
                return self._of_operation(node.op, self.of(node.right), node.left)
            return self._of_operation(node.op, self.of(node.left), node.right)
        if isinstance(node, ast.UnaryOp):
            return Width.ANY if isinstance(node.op, ast.Not) else self.of(node.operand)
        if isinstance(node, ast.BoolOp):
            return together(*map(self.of, node.values))
        if isinstance(node, ast.IfExp):
            return together(self.of(node.body), self.of(node.orelse))
        if isinstance(node, ast.Tuple):
            return max(map(self.of, node.elts), default=Width.ANY)
        if isinstance(node, ast.Call):
            return self._of_call(node)
        return Width.ANY  # a comparison

    def _of_subscript(self, node: ast.Subscript) -> Width:
        root: ast.expr = node
        while isinstance(root, ast.Subscript):
            root = root.value
        assert isinstance(root, ast.Name)
        if root.id == "BIT":
            return Width.BIT
        if root.id == "s":
            return self.cell(node.slice)
        return Width.TWO if root.id == "found" else max(Width.ONE, self.of(root))

    def _of_operation(self, op: ast.operator, left: Width, right: ast.expr) -> Width:
        if isinstance(op, ast.LShift):
            return max(left, Width.BIT) if left < Width.ONE else left
        if isinstance(op, ast.RShift):
            return left
        its = self.of(right)
        if isinstance(op, ast.BitAnd):
            if isinstance(right, ast.Constant) and its is Width.ANY:
                return Width.ONE
            if Width.BIT in (left, its):  # nothing is wider for being cut
                return Width.TWO if Width.TWO in (left, its) else min(left, its)
        return together(left, its)

    def _of_call(self, node: ast.Call) -> Width:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in ("min", "max"):
            return together(*map(self.of, node.args))
        if name in OF_SETS or name == "kth":
            return Width.ONE
        if name in ("fault", "short", "len"):
            return Width.ANY
        (width,) = self.called(name, [self.of(part) for part in node.args]) or (Width.ANY,)
        return width
