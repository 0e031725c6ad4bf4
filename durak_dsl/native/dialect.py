"""Emitted Python -> the Python that numba compiles well: sets are machine words, the state is an array of them.

Nothing here knows what the code does. Bits are counted and found by instructions of the processor; tables of seats become arithmetic;
what is never negative is said to be so where it is an index.
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


def native(function: ast.FunctionDef, tables: dict[tuple[object, ...], str]) -> ast.FunctionDef:
    """The function in that dialect; rows of numbers that stand in it become tables, whose names are put down."""
    made = _Native(tables, any(argument.arg == SOURCE for argument in function.args.args)).visit(deepcopy(function))
    assert isinstance(made, ast.FunctionDef)
    return ast.fix_missing_locations(made)


class _Native(ast.NodeTransformer):
    def __init__(self, tables: dict[tuple[object, ...], str], chance: bool):
        self.tables, self.chance = tables, chance

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        assert not node.keys  # what cards are worth, filled in one by one
        return quote("np.zeros(64, np.int64)")

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or not all(isinstance(row, ast.Tuple) for row in node.elts):
            self.generic_visit(node)
            return node
        rows = ast.literal_eval(node)
        return ast.Name(self.tables.setdefault(rows, f"ROWS_{len(self.tables)}"), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in COUNTS:
            return quote(COUNTS[node.func.attr], x=node.func.value)
        if isinstance(node.func, ast.Name) and node.func.id == SOURCE and not node.args:
            return quote("word(chance)")
        return node

    # The source of chance is an array of its state, so that it goes on where it stood; in between the state is a variable.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if self.chance:
            node.body[:0] = quote_lines("chance = source[0]", source=SOURCE)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        asks = any(isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == SOURCE for part in walk(node.value))
        self.generic_visit(node)
        return [*quote_lines("chance = following(chance)"), node] if asks else node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return [*quote_lines("source[0] = chance", source=SOURCE), node] if self.chance else node

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
        if name == "BIT":
            return ast.BinOp(ast.Constant(1), ast.LShift(), indexes[0])
        if name in FOUND and len(indexes) == 3:
            return quote(FOUND[name], n=indexes[0], p=indexes[1], m=indexes[2])
        if name and name[0] in "sT" and len(indexes) == 1 and not isinstance(node.slice, (ast.Constant, ast.Slice)):
            node.slice = quote("unsigned(i)", i=node.slice)
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
        if isinstance(node.target, ast.Tuple):
            return self._rows(node, [part.id for part in node.target.elts if isinstance(part, ast.Name)])
        assert isinstance(node.target, ast.Name)
        name, indexes = _indexed(node.iter) if isinstance(node.iter, ast.Subscript) else ("", [])
        seat = node.target.id
        if name in AROUND:
            seats, start = (self.visit(index) for index in indexes)
            self.generic_visit(node)
            begin, step = f"{seat}_from", f"{seat}_step"
            node.target = ast.Name(step, ast.Store())
            node.iter = quote("range(k, n)", k=AROUND[name], n=seats)
            ahead = quote_lines("p = b + k\nif p >= n: p -= n", p=seat, b=begin, k=step, n=seats)
            node.body = [*ahead, *node.body]
            return [*quote_lines("b = p", b=begin, p=start), node]
        self.generic_visit(node)
        if isinstance(node.iter, ast.Subscript):  # a stretch of the state, which may change meanwhile
            node.iter = quote("x.copy()", x=node.iter)
        return node

    def _rows(self, node: ast.For, names: list[str]) -> ast.AST:
        """A loop over rows of numbers, which stand in a table."""
        self.generic_visit(node)
        row = "_".join([*names, "row"])
        taken = [line for column, name in enumerate(names) for line in quote_lines("x = T[r, c]", x=name, T=node.iter, r=row, c=column)]
        return ast.For(ast.Name(row, ast.Store()), quote("range(len(T))", T=node.iter), [*taken, *node.body], [])


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
