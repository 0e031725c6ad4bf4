"""The places of the state that a fused deal keeps in variables of its own."""

from __future__ import annotations

import ast

from durak_dsl.compiler.hone import first_of
from durak_dsl.compiler.layout import ACTOR, FACE_DOWN, FIRST_FREE, PICKED, SEATS, Layout
from durak_dsl.compiler.quote import walk


def helped(tree: ast.AST) -> bool:
    """Whether places are reached otherwise than from where their zone or variable begins, or by functions that get the whole state."""
    for node in walk(tree):
        if isinstance(node, ast.Call) and any(isinstance(argument, ast.Name) and argument.id == "s" for argument in node.args):
            return True
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "s" and first_of(node.slice) is None:
            return True
    return False


def place_of(node: ast.Subscript) -> int | None:
    """The place of the state that a subscript means, if it is always the same."""
    if isinstance(node.value, ast.Name) and node.value.id == "s" and isinstance(node.slice, ast.Constant):
        place = node.slice.value
        assert isinstance(place, int)
        return place
    return None


def alone(tree: ast.AST, layout: Layout) -> frozenset[int]:
    """The places that stand for one value, always reached by their number, and by no helper that gets the whole state."""
    zones = layout.rules.zones.values()
    places = {ACTOR, SEATS, FACE_DOWN, *range(PICKED, FIRST_FREE)} | {
        place.start for place in layout.places if place.length == 1 and place.start >= FIRST_FREE
    }
    places |= {layout.zones[zone.name] for zone in zones if not zone.each}  # the mask, the size, the number of piles
    places |= {layout.pile_cards(zone.name) for zone in zones if zone.kind == "row"}
    for call in walk(tree):
        if isinstance(call, ast.Call) and any(isinstance(argument, ast.Name) and argument.id == "s" for argument in call.args):
            places.discard(FACE_DOWN)
            numbers = {node.value for argument in call.args for node in walk(argument) if isinstance(node, ast.Constant)}
            for zone in zones:
                start = layout.zones[zone.name]
                if start in numbers:
                    places -= {*range(start, start + layout.width(zone)), *(place for _, place in layout.tracked(zone.name))}
    return frozenset(places)


class Kept(ast.NodeTransformer):
    """Reads and writes variables instead of these places of the state."""

    def __init__(self, which: frozenset[int]):
        self.which = which
        self.places: set[int] = set()
        self.written: set[int] = set()

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        place = place_of(node)
        if place is None or place not in self.which:
            return node
        self.places.add(place)
        if not isinstance(node.ctx, ast.Load):
            self.written.add(place)
        return ast.Name(f"s{place}", node.ctx)
