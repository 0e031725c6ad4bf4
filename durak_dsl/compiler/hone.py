"""A last look at the fused form, for interpreted code: what costs a compiler nothing and an interpreter much.

Copies of variables are read where they come from, and the stretches of the state with a place for each seat or pile become lists of their
own while the deal lasts, so that a look into one needs no addition.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

from durak_dsl.compiler.layout import Layout
from durak_dsl.compiler.quote import quote, quote_lines, walk

FEWEST = 3  # looks into a stretch for which a list of its own is worth while


def without_copies(lines: list[ast.stmt], own: Iterable[str]) -> None:
    """Read a variable instead of its copy, as long as neither is set: `own` are the names that may be copies."""
    _Copies(frozenset(own)).block(lines, {})


class _Copies(ast.NodeTransformer):
    def __init__(self, own: frozenset[str]):
        self.own = own
        self.known: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in self.known:
            return ast.Name(self.known[node.id], ast.Load())
        return node

    def block(self, lines: list[ast.stmt], known: dict[str, str]) -> dict[str, str]:
        """What is a copy of what after these statements, before which this was so."""
        for line in lines:
            self.known = known
            if isinstance(line, ast.If):
                line.test = self.visit(line.test)
                branches = [self.block(branch, dict(known)) for branch in (line.body, line.orelse)]
                going = [after for after, branch in zip(branches, (line.body, line.orelse), strict=True) if not _leaves(branch)]
                known = _common(going) if going else {}
            elif isinstance(line, (ast.While, ast.For)):
                changed = set(_set_in([line]))
                if isinstance(line, ast.For):
                    line.iter = self.visit(line.iter)
                known = _without(known, changed)
                self.known = known
                if isinstance(line, ast.While):
                    line.test = self.visit(line.test)
                self.block(line.body, dict(known))
            else:
                self.generic_visit(line)
                known = _without(known, set(_set_in([line])))
                if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and isinstance(line.value, ast.Name):
                    if line.targets[0].id in self.own and line.targets[0].id != line.value.id:
                        known = {**known, line.targets[0].id: line.value.id}
        return known


def _leaves(lines: list[ast.stmt]) -> bool:
    return bool(lines) and isinstance(lines[-1], (ast.Continue, ast.Break, ast.Return))


def _set_in(lines: Iterable[ast.stmt]) -> Iterable[str]:
    return (node.id for line in lines for node in walk(line) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _without(known: dict[str, str], changed: set[str]) -> dict[str, str]:
    return {copy: name for copy, name in known.items() if copy not in changed and name not in changed}


def _common(every: list[dict[str, str]]) -> dict[str, str]:
    return {copy: name for copy, name in every[0].items() if all(other.get(copy) == name for other in every)}


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
            return None if first is None else self.stretches.get(first.value)
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


def first_of(index: ast.expr) -> ast.Constant | None:
    """The number with which a sum begins."""
    while isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add):
        index = index.left
    return index if isinstance(index, ast.Constant) else None


def _less(index: ast.expr, start: int) -> ast.expr:
    """The sum, less that many."""
    if isinstance(index, ast.Constant):
        return ast.Constant(index.value - start)
    assert isinstance(index, ast.BinOp)
    left = _less(index.left, start)
    if isinstance(left, ast.Constant) and left.value == 0:
        return index.right
    return quote("a + b", a=left, b=index.right)
