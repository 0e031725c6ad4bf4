"""What the fused form need not write: places of the state that neither it reads, nor what is asked when a deal is over."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence, Set

from durak_dsl.compiler.hone import first_of, number_in
from durak_dsl.compiler.layout import ACTOR, NODE, Layout
from durak_dsl.compiler.quote import quote, walk
from durak_dsl.compiler.tidy import harmless

Part = tuple[int, int] | None  # of a list: the indices that leave this remainder, divided by that (0: the index itself); None: any


def asked(functions: Iterable[ast.FunctionDef], layout: Layout) -> frozenset[int] | None:
    """The places that these functions of a state may read, with all of a stretch into which they look; None where that is not known, and
    where they draw by chance, which in a match depends on how all cards lie.
    """
    found = {NODE, ACTOR}
    for node in (node for function in functions for node in walk(function)):
        if isinstance(node, ast.Call) and any(isinstance(argument, ast.Name) and argument.id == "s" for argument in node.args):
            return None
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "s":
            first = first_of(node.slice)
            if first is None:
                return None
            found |= {first} if isinstance(node.slice, ast.Constant) else _stretch(first, layout)
    for place, first in _repeated(layout):
        if place in found:
            found |= _stretch(first, layout)  # from which it is worked out anew when a match goes on
    return frozenset(found)


def _repeated(layout: Layout) -> Iterator[tuple[int, int]]:
    """The places that repeat what stands elsewhere, each with where that begins."""
    yield from ((place, layout.variables[name]) for name, place in layout.nones.items())
    yield from ((place, layout.zones[name]) for name, place in [*layout.filled.items(), *layout.ranks.items()])
    yield from ((place, layout.zones[name]) for (name, _), place in layout.heights.items())


def _stretch(first: int, layout: Layout) -> set[int]:
    return next({*range(place.start, place.start + place.length)} for place in layout.places if 0 <= first - place.start < place.length)


def without_unread(lines: Sequence[ast.stmt], needed: Set[str]) -> list[ast.stmt]:
    """The statements without those that set variables, or elements of lists, which nothing reads and which are not needed; and without
    tests that then are for nothing.
    """
    made = list(lines)
    while True:
        spare = _Spare(made, needed)
        made = spare.block(made)
        if not spare.found:
            return made


class _Spare:
    def __init__(self, lines: Sequence[ast.stmt], needed: Set[str]):
        self.needed, self.found = needed, False
        self.parts: set[tuple[str, Part]] = set()
        elements = set()
        nodes = [node for line in lines for node in walk(line)]
        for node in nodes:
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                elements.add(id(node.value))
                if isinstance(node.ctx, ast.Load):
                    self.parts.add((node.value.id, _part(node.slice)))
        names = (node for node in nodes if isinstance(node, ast.Name) and id(node) not in elements)
        self.read = {node.id for node in names if isinstance(node.ctx, ast.Load)}

    def block(self, lines: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for line in lines:
            if isinstance(line, ast.If):
                line.body, line.orelse = self.block(line.body), self.block(line.orelse)
                if not line.body and (line.orelse or not harmless(line.test)):
                    line.test, line.body, line.orelse = quote("not x", x=line.test), line.orelse or [ast.Pass()], []
                self.found |= not line.body
                made += [line] if line.body else []
            elif isinstance(line, ast.While | ast.For):
                line.body = self.block(line.body) or [ast.Pass()]
                made.append(line)
            elif self._is_spare(line):
                self.found |= not isinstance(line, ast.Pass)
            else:
                made.append(line)
        return made

    def _is_spare(self, line: ast.stmt) -> bool:
        if not isinstance(line, ast.Assign | ast.AugAssign):
            return isinstance(line, ast.Pass)
        target = line.targets[0] if isinstance(line, ast.Assign) else line.target
        if not harmless(line.value) or not harmless(target):
            return False
        if isinstance(target, ast.Name):
            return target.id not in self.read and target.id not in self.needed
        if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
            return False
        if target.value.id in self.needed | self.read | {"s"}:
            return False
        name, part = target.value.id, _part(target.slice)
        return not any(name == other and _may_be_same(part, its) for other, its in self.parts)


def _part(index: ast.expr) -> Part:
    """Which elements an index may mean, from how it is put together: a number, a multiple, or the sum of both."""
    if (number := number_in(index)) is not None:
        return number, 0
    first = 0
    if isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add) and (number := number_in(index.left)) is not None:
        first, index = number, index.right
    if isinstance(index, ast.BinOp) and isinstance(index.op, ast.Mult) and (step := number_in(index.right)) is not None:
        return (first % step, step) if step > 1 else None
    return None


def _may_be_same(one: Part, other: Part) -> bool:
    if one is None or other is None:
        return True
    step = one[1] or other[1]
    if one[1] and other[1] and one[1] != other[1]:
        return True
    return one[0] % step == other[0] % step if step else one[0] == other[0]
