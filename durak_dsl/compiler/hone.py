"""A last look at the fused form, for interpreted code: what costs a compiler nothing and an interpreter much.

Copies of variables are read where they come from. The stretches of the state with a place for each seat or pile become lists of their own
while the deal lasts, and so does what of a table can be looked at in this deal, so that a look into one needs no arithmetic.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Set

from durak_dsl.compiler.layout import Layout
from durak_dsl.compiler.quote import quote, quote_lines, walk

FEWEST = 3  # looks into a stretch for which a list of its own is worth while


def without_copies(lines: list[ast.stmt], own: Iterable[str]) -> list[ast.stmt]:
    """The statements with a variable read instead of its copy, as long as neither is set, and with what is known to be a number worked
    out: `own` are the names that may be copies.
    """
    made, _ = _Known(frozenset(own)).block(lines, {})
    return made


Facts = dict[str, ast.expr]  # what a variable is, or an element of the table of bits: another variable, or a number


class _Known(ast.NodeTransformer):
    def __init__(self, own: frozenset[str]):
        self.own = own
        self.known: Facts = {}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.known.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return self.known.get(f"BIT {node.slice.id}", node) if _is_bit(node) and isinstance(node.slice, ast.Name) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, (ast.BitOr, ast.BitXor, ast.Add)):
            return node.right if number_in(node.left) == 0 else node.left if number_in(node.right) == 0 else node
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "bit_count" and (value := number_in(function.value)) is not None:
            return ast.Constant(value.bit_count())
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and (one := number_in(node.left)) is not None and (two := number_in(node.comparators[0])) is not None:
            how = type(node.ops[0])
            return ast.Constant(COMPARED[how](one, two)) if how in COMPARED else node
        return node

    def block(self, lines: list[ast.stmt], known: Facts) -> tuple[list[ast.stmt], Facts]:
        """The statements as they become, and what is so after them, before which this was so."""
        made: list[ast.stmt] = []
        for line in lines:
            self.known = known
            if isinstance(line, ast.If):
                zero = _zero(line.test)  # as it stands: what it reads may be written otherwise
                line.test = self.visit(line.test)
                if isinstance(line.test, ast.Constant):
                    chosen, known = self.block(line.body if line.test.value else line.orelse, known)
                    made += chosen
                    if _leaves(chosen):
                        return made, {}
                    continue
                line.body, after = self.block(line.body, dict(known))
                line.orelse, otherwise = self.block(line.orelse, {**known, zero: ast.Constant(0)} if zero else dict(known))
                line.body = line.body or [ast.Pass()]
                going = [facts for facts, branch in ((after, line.body), (otherwise, line.orelse)) if not _leaves(branch)]
                known = _common(going) if going else {}
            elif isinstance(line, (ast.While, ast.For)):
                if isinstance(line, ast.For):
                    line.iter = self.visit(line.iter)
                self.known = known = _without(known, set(_set_in([line])))
                if isinstance(line, ast.While):
                    line.test = self.visit(line.test)
                line.body = self.block(line.body, dict(known))[0] or [ast.Pass()]
            else:
                self.generic_visit(line)
                known = _without(known, set(_set_in([line])))
                if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
                    known = {**known, **self._told(line.targets[0].id, line.value)}
            made.append(line)
        return made, known

    def _told(self, name: str, value: ast.expr) -> Facts:
        """What an assignment says of a variable."""
        if isinstance(value, ast.Name) and name in self.own and name != value.id:
            return {name: value}
        if isinstance(value, ast.Constant):
            return {name: value}
        if isinstance(value, ast.Subscript) and _is_bit(value) and isinstance(value.slice, ast.Name):
            return {f"BIT {value.slice.id}": ast.Name(name, ast.Load())}
        return {}


COMPARED = {ast.Eq: int.__eq__, ast.NotEq: int.__ne__, ast.Lt: int.__lt__, ast.LtE: int.__le__, ast.Gt: int.__gt__, ast.GtE: int.__ge__}


def _is_bit(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "BIT"


def number_in(node: ast.expr) -> int | None:
    """The number that a tree is, if it is one."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def _zero(test: ast.expr) -> str | None:
    """The variable that is 0 where this does not hold."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq) and number_in(test.comparators[0]) == 0:
        test = test.left
    return test.id if isinstance(test, ast.Name) else None


def _leaves(lines: list[ast.stmt]) -> bool:
    return bool(lines) and isinstance(lines[-1], (ast.Continue, ast.Break, ast.Return))


def _set_in(lines: Iterable[ast.stmt]) -> Iterable[str]:
    return (node.id for line in lines for node in walk(line) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _without(known: Facts, changed: set[str]) -> Facts:
    return {
        name: value
        for name, value in known.items()
        if name.removeprefix("BIT ") not in changed and not (isinstance(value, ast.Name) and value.id in changed)
    }


def _common(every: list[Facts]) -> Facts:
    return {name: value for name, value in every[0].items() if all(_same(value, other.get(name)) for other in every)}


def _same(one: ast.expr, other: ast.expr | None) -> bool:
    if isinstance(one, ast.Name):
        return isinstance(other, ast.Name) and one.id == other.id
    return isinstance(one, ast.Constant) and isinstance(other, ast.Constant) and one.value == other.value


def apart(loop: ast.stmt, layout: Layout, helped: bool) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Make lists of the stretches that the loop looks into often, and give what comes before it and after it; `helped`: functions that
    get the whole state may look into rows too.
    """
    stretches = [range(place.start, place.start + place.length) for place in layout.places if place.length > 1]
    rows = {zone.name for zone in layout.rules.zones.values() if zone.kind == "row"}
    stacks = {layout.zones[zone.name] for zone in layout.rules.zones.values() if zone.kind != "set"}
    stretches = [stretch for stretch in stretches if stretch.start not in stacks]
    if not helped:
        for zone in map(layout.rules.zones.__getitem__, rows):
            heights, cards = layout.pile_heights(zone.name), layout.piles(zone.name)
            stretches += [range(heights, heights + zone.most), range(cards, cards + zone.most * zone.high)]
    lists = _Lists({place: stretch for stretch in stretches for place in stretch})
    lists.count = Counter(stretch.start for node in walk(loop) if (stretch := lists.stretch(node)) is not None)
    lists.visit(loop)
    before, after = [], []
    for first in sorted(lists.used):
        stretch = lists.used[first]
        before += quote_lines("x = s[a:b]", x=f"s{first}_", a=first, b=stretch.stop)
        if first in lists.written:
            after += quote_lines("s[a:b] = x", x=f"s{first}_", a=first, b=stretch.stop)
    return before, after


class _Lists(ast.NodeTransformer):
    def __init__(self, stretches: dict[int, range]):
        self.stretches = stretches
        self.count: Counter[int] = Counter()
        self.used: dict[int, range] = {}
        self.written: set[int] = set()

    def stretch(self, node: ast.AST) -> range | None:
        """The stretch into which this looks."""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "s":
            first = first_of(node.slice)
            return None if first is None else self.stretches.get(first)
        return None

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        stretch = self.stretch(node)
        self.generic_visit(node)
        if stretch is None or self.count[stretch.start] < FEWEST:
            return node
        self.used[stretch.start] = stretch
        if isinstance(node.ctx, ast.Store):
            self.written.add(stretch.start)
        return ast.Subscript(ast.Name(f"s{stretch.start}_", ast.Load()), _less(node.slice, stretch.start), node.ctx)


def first_of(index: ast.expr) -> int | None:
    """The number with which a sum begins."""
    while isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add):
        index = index.left
    return number_in(index)


def _less(index: ast.expr, start: int) -> ast.expr:
    """The sum, less that many."""
    if (first := number_in(index)) is not None:
        return ast.Constant(first - start)
    assert isinstance(index, ast.BinOp)
    left = _less(index.left, start)
    if isinstance(left, ast.Constant) and left.value == 0:
        return index.right
    return quote("a + b", a=left, b=index.right)


LONGEST = 64  # elements of a row that is made anew for each deal
TABLE = re.compile(r"T\d+")
BY_SEATS = {"FIRST", "LAST", "FROM", "AFTER"}  # tables with a part for each number of seats


def rows_apart(loop: ast.stmt, sizes: Mapping[str, int], fixed: Set[str]) -> tuple[list[ast.stmt], dict[str, ast.expr]]:
    """Make rows of those elements of tables that can be looked at while these variables stay as they are, where that leaves one number to
    look them up by, or where a table has a part for each number of seats; and give what comes before the loop, and what is made once.
    """
    rows = _Rows(sizes, fixed)
    rows.visit(loop)
    return rows.before, rows.made


class _Rows(ast.NodeTransformer):
    def __init__(self, sizes: Mapping[str, int], fixed: Set[str]):
        self.sizes, self.fixed = sizes, fixed
        self.before: list[ast.stmt] = []
        self.made: dict[str, ast.expr] = {}
        self.names: dict[str, str] = {}

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in BY_SEATS and self._is_fixed(node.slice):
            return self._row(ast.dump(node), node)
        if not isinstance(node.value, ast.Name) or node.value.id not in self.sizes:
            return node
        terms = _terms(node.slice)
        varying = [term for term in terms if not self._is_fixed(term)]
        if len(varying) != 1 or len(terms) == 1:
            return node
        by, step = _times(varying[0])
        if step < 2 or self.sizes[node.value.id] > step * LONGEST:
            return node
        start = functools.reduce(lambda a, b: quote("a + b", a=a, b=b), (term for term in terms if term is not varying[0]))
        rows = f"{node.value.id}_{step}"
        self.made[rows] = quote("Strided(T, step)", T=node.value, step=step)
        return ast.Subscript(self._row(f"{rows} {ast.dump(start)}", quote("rows[start]", rows=rows, start=start)), by, ast.Load())

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Invert) and isinstance(node.operand, ast.Subscript) and _is_bit(node.operand):
            return quote("BUT[x]", x=node.operand.slice)
        return node

    def _row(self, key: str, value: ast.expr) -> ast.expr:
        if key not in self.names:
            name = self.names[key] = f"row{len(self.names)}"
            self.before += quote_lines("name = value", name=name, value=value)
        return ast.Name(self.names[key], ast.Load())

    def _is_fixed(self, term: ast.expr) -> bool:
        return all(node.id in self.fixed for node in walk(term) if isinstance(node, ast.Name)) and not any(
            isinstance(node, (ast.Subscript, ast.Call)) for node in walk(term)
        )


def _terms(total: ast.expr) -> list[ast.expr]:
    if isinstance(total, ast.BinOp) and isinstance(total.op, ast.Add):
        return [*_terms(total.left), *_terms(total.right)]
    return [total]


def _times(term: ast.expr) -> tuple[ast.expr, int]:
    """A term as something and how many times that."""
    if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult) and (times := number_in(term.right)) is not None:
        return term.left, times
    return term, 1


def by_identity(loop: ast.stmt, first: int) -> tuple[list[ast.stmt], dict[str, int]]:
    """Have the loop ask whether `state` is the very object that stands for a number, which no distance of what is jumped over makes slow;
    and give what comes before it, where one of the first so many states begins, and the names of these objects with their numbers.
    """
    objects = _Objects({f"at{number}": number for number in range(first)})
    objects.visit(loop)
    begun = ast.Tuple([ast.Name(f"at{number}", ast.Load()) for number in range(first)], ast.Load())
    return quote_lines("state = begun[state]", begun=begun), objects.numbers


class _Objects(ast.NodeTransformer):
    def __init__(self, numbers: dict[str, int]):
        self.numbers = numbers

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id == "state":
            node.value = self._object(node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if isinstance(node.left, ast.Name) and node.left.id == "state" and isinstance(node.ops[0], ast.Eq):
            return ast.Compare(node.left, [ast.Is()], [self._object(node.comparators[0])])
        return node

    def _object(self, node: ast.expr) -> ast.expr:
        if (number := number_in(node)) is None or number < 0:
            return node
        self.numbers[f"at{number}"] = number
        return ast.Name(f"at{number}", ast.Load())


def tables_in(lines: Iterable[ast.stmt]) -> list[str]:
    """The tables that are looked into."""
    tables = {"BIT", "BUT", "T_RANK", *BY_SEATS}
    names = {node.id for line in lines for node in walk(line) if isinstance(node, ast.Name)}
    return sorted(name for name in names if name in tables or TABLE.fullmatch(name))
