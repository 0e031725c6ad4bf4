"""Emitted Python -> a smaller Python, which `translate` takes: bits are counted and found by `words`, tables of seats become arithmetic.

Nothing here knows what the code does.
"""

from __future__ import annotations

import ast
from copy import deepcopy

from durak_dsl.compiler.layout import SEATS
from durak_dsl.compiler.quote import quote, quote_lines, walk

COUNTS = {"bit_count": "popcount(x)", "bit_length": "bit_length(x)"}
SOURCE = "draw"
AROUND = {"FROM": 0, "AFTER": 1}  # the first seat of a round, counted from the one it begins with
FOUND = {"FIRST": "first_seat(n, p, m)", "LAST": "last_seat(n, p, m)"}


def native(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function in that dialect."""
    made = _Native(any(argument.arg == SOURCE for argument in function.args.args)).visit(deepcopy(function))
    assert isinstance(made, ast.FunctionDef)
    return ast.fix_missing_locations(made)


class _Native(ast.NodeTransformer):
    def __init__(self, chance: bool):
        self.chance = chance

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in COUNTS:
            return quote(COUNTS[node.func.attr], x=node.func.value)
        if isinstance(node.func, ast.Name) and node.func.id == SOURCE and not node.args:
            return quote("ready")
        return node

    # The source of chance is an array: where it began, and how many numbers have been drawn, which is a variable in between. The next
    # number is worked out beforehand, while the processor still waits to see where play goes.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if self.chance:
            node.body[:0] = quote_lines("chance = source[0]\ndrawn = source[1]\nready = half(chance, drawn)", source=SOURCE)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        asks = any(isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == SOURCE for part in walk(node.value))
        self.generic_visit(node)
        return [node, *quote_lines("drawn = drawn + 1\nready = half(chance, drawn)")] if asks else node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return [*quote_lines("source[1] = drawn", source=SOURCE), node] if self.chance else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Sub) and _is_number(node.right, 1) and _calls(node.left, "bit_length"):
            assert isinstance(node.left, ast.Call)
            (mask,) = node.left.args
            alone = _lowest_of(mask)
            return quote("highest(m)", m=mask) if alone is None else quote("lowest(m)", m=alone)
        if isinstance(node.op, ast.Mod) and _is_seats(node.right):
            return self._next_seat(node)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and isinstance(node.right, ast.Constant):
            width = node.right.value
            if isinstance(width, int) and width > 0 and not width & width - 1:  # shifts round down, as these do
                if isinstance(node.op, ast.Mod):
                    return quote("x & k", x=node.left, k=width - 1)
                return quote("x >> k", x=node.left, k=width.bit_length() - 1)
        return node

    def _next_seat(self, node: ast.BinOp) -> ast.AST:
        step = node.left
        if isinstance(step, ast.BinOp) and isinstance(step.op, (ast.Add, ast.Sub)) and _is_number(step.right, 1):
            return quote("left(p, n)" if isinstance(step.op, ast.Add) else "right(p, n)", p=step.left, n=node.right)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        name, indexes = _indexed(node)
        if name in FOUND and len(indexes) == 3:
            return quote(FOUND[name], n=indexes[0], p=indexes[1], m=indexes[2])
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """A loop through a set from the top goes from the bottom: the order does not matter there, and this way is the processor's."""
        if isinstance(node.test, ast.Name) and len(node.body) > 1:
            rest = node.test.id
            first, then = node.body[:2]
            if isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name):
                name = first.targets[0].id
                top = quote_lines("name = rest.bit_length() - 1\nrest ^= 1 << name", name=name, rest=rest)
                if [ast.dump(first), ast.dump(then)] == [*map(ast.dump, top)]:
                    bottom = quote_lines("name = (rest & -rest).bit_length() - 1\nrest &= rest - 1", name=name, rest=rest)
                    node.body[:2] = bottom
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        cards, backwards = _turned(node.iter)
        if _calls(cards, "row_to_stack") or (isinstance(cards, ast.Subscript) and isinstance(cards.slice, ast.Slice)):
            return self._in_turn(node, cards, backwards)
        name, indexes = _indexed(node.iter)
        self.generic_visit(node)
        if name not in AROUND:
            return node
        assert isinstance(node.target, ast.Name)
        seat = node.target.id
        seats, start = (self.visit(index) for index in indexes)
        begin, step = f"{seat}_from", f"{seat}_step"
        ahead = quote_lines("p = b + k\nif p >= n: p -= n", p=seat, b=begin, k=step, n=seats)
        around = ast.For(ast.Name(step, ast.Store()), quote("range(k, n)", k=AROUND[name], n=seats), [*ahead, *node.body], [])
        return [*quote_lines("b = p", b=begin, p=start), around]

    def _in_turn(self, node: ast.For, cards: ast.expr, backwards: bool) -> list[ast.stmt]:
        """A loop over cards in order, which are put down first: they may go elsewhere meanwhile."""
        assert isinstance(node.target, ast.Name)
        names = {"row": f"{node.target.id}_row", "n": f"{node.target.id}_many", "k": f"{node.target.id}_place"}
        if isinstance(cards, ast.Call):
            cards.args.append(ast.Name(names["row"], ast.Load()))
            ahead = quote_lines("row = {}\nn = x", row=names["row"], n=names["n"], x=self.visit(cards))
        else:
            assert isinstance(cards, ast.Subscript) and isinstance(cards.slice, ast.Slice) and cards.slice.lower and cards.slice.upper
            first, after = self.visit(cards.slice.lower), self.visit(cards.slice.upper)
            ahead = quote_lines("row = {}\nn = stretch(s, a, b - a, row)", row=names["row"], n=names["n"], a=first, b=after)
        self.generic_visit(node)
        node.iter = quote("range(n - 1, -1, -1)" if backwards else "range(n)", n=names["n"])
        node.body = [*quote_lines("x = row[k]", x=node.target.id, row=names["row"], k=names["k"]), *node.body]
        node.target = ast.Name(names["k"], ast.Store())
        return [*ahead, node]


def _turned(cards: ast.expr) -> tuple[ast.expr, bool]:
    """What is gone through, and whether from its end."""
    if _calls(cards, "list"):
        assert isinstance(cards, ast.Call) and isinstance(cards.args[0], ast.Call)
        return cards.args[0].args[0], True
    return cards, False


def _indexed(node: ast.expr) -> tuple[str, list[ast.expr]]:
    """The name that is indexed, and by what, outermost last."""
    indexes: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        indexes.append(node.slice)
        node = node.value
    return (node.id if isinstance(node, ast.Name) else ""), indexes[::-1]


def _is_number(node: ast.expr, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _is_seats(node: ast.expr) -> bool:
    """Whether this is the number of seats, in the state or in a variable of its own."""
    if isinstance(node, ast.Name):
        return node.id == f"s{SEATS}"
    return isinstance(node, ast.Subscript) and _indexed(node)[0] == "s" and _is_number(node.slice, SEATS)


def _lowest_of(mask: ast.expr) -> ast.expr | None:
    """The set of which this is the lowest element alone: m & -m."""
    if not (isinstance(mask, ast.BinOp) and isinstance(mask.op, ast.BitAnd) and isinstance(mask.right, ast.UnaryOp)):
        return None
    return mask.left if isinstance(mask.right.op, ast.USub) and ast.dump(mask.left) == ast.dump(mask.right.operand) else None
