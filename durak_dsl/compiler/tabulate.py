"""Conditions on cards that depend on little else become tables of masks: for each value of what they depend on, the cards for which they hold."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from durak_dsl.compiler.evaluate import pure
from durak_dsl.compiler.fold import PURE, mentions
from durak_dsl.language.ir import Expr, Rules

LARGEST_TABLE = 8192
WIDEST_NUMBER = 64
LOGIC = PURE | {"and", "or", "not", "if", "either"}


@dataclass(frozen=True)
class Table:
    """For each combination of the inputs (in order, the last running fastest) the mask of the elements for which a condition holds."""

    inputs: tuple[Expr, ...]
    sizes: tuple[int, ...]
    lows: tuple[int, ...]
    masks: tuple[int, ...]
    condition: Expr = field(repr=False)


def values_of(expr: Expr, rules: Rules) -> range | None:
    """The values that the expression may have, or None where they are too many."""
    kind = expr.type
    sizes = {
        "card": rules.deck.grid * rules.deck.copies,
        "rank": len(rules.deck.ranks),
        "suit": len(rules.deck.suits),
        "player": max(rules.counts),
        "yes/no": 2,
    }
    if kind.kind in sizes:
        return range(-1 if kind.maybe else 0, sizes[kind.kind])
    if kind.kind == "choice":
        return range(len(kind.words))
    if kind.kind == "number" and not kind.maybe and kind.high - kind.low < WIDEST_NUMBER:
        return range(kind.low, kind.high + 1)
    return None


def table(condition: Expr, local: int, element: range, rules: Rules) -> Table | None:
    """The table of a condition on a local, or None where it depends on too much."""
    inputs = _domains(condition, local, rules)
    if inputs is None:
        return None
    stand_ins = {part: Expr("local", part.type, data=-2 - number) for number, part in enumerate(inputs)}
    holds = pure(_replaced(condition, stand_ins), rules.deck)
    masks = []
    for combination in itertools.product(*inputs.values()):
        values = {-2 - number: value for number, value in enumerate(combination)}
        mask = 0
        for card in element:
            values[local] = card
            if holds(values):
                mask |= 1 << card
        masks.append(mask)
    return Table(
        tuple(inputs), tuple(len(values) for values in inputs.values()), tuple(values.start for values in inputs.values()), tuple(masks), condition
    )


def _domains(condition: Expr, local: int, rules: Rules) -> dict[Expr, range] | None:
    """What the condition depends on besides the local, with its possible values: single values if that is few enough, else larger parts."""
    for whole_parts in (False, True):
        inputs: dict[Expr, range] = {}
        size = 1
        for part in _inputs(condition, local, whole_parts):
            values = None if part is None else values_of(part, rules)
            if part is None or values is None:
                size = LARGEST_TABLE + 1
                break
            if part not in inputs:
                inputs[part] = values
                size *= len(values)
        if size <= LARGEST_TABLE:
            return inputs
    return None


def _inputs(expr: Expr, local: int, whole_parts: bool) -> Iterator[Expr | None]:
    """What the expression depends on besides the local; None where it cannot be tabulated."""
    if expr.op == "const" or (expr.op == "local" and expr.data == local):
        return
    varies = mentions(expr, local)
    if expr.op in LOGIC and (varies or not whole_parts):
        for arg in expr.args:
            yield from _inputs(arg, local, whole_parts)
    else:
        yield None if varies else expr


def heights(condition: Expr, local: int, highest: int, rules: Rules) -> frozenset[int] | None:
    """The heights of piles for which a condition holds, where it depends on the pile's size alone; else None."""
    if condition.op == "const":
        return frozenset(range(1, highest + 1)) if condition.data else frozenset()
    size = next((node for node in condition.walk() if node.op == "size" and node.args[0].op == "local" and node.args[0].data == local), None)
    if size is None or not _only(condition, size):
        return None
    holds = pure(_replaced(condition, {size: Expr("local", size.type, data=-2)}), rules.deck)
    return frozenset(height for height in range(1, highest + 1) if holds({-2: height}))


def _replaced(expr: Expr, stand_ins: Mapping[Expr, Expr]) -> Expr:
    if expr in stand_ins:
        return stand_ins[expr]
    return expr.with_args(tuple(_replaced(arg, stand_ins) for arg in expr.args))


def _only(expr: Expr, size: Expr) -> bool:
    if expr == size or expr.op == "const":
        return True
    return expr.op in LOGIC and all(_only(arg, size) for arg in expr.args)


def index_parts(made: Table) -> Iterator[tuple[Expr, int, int]]:
    """Each input with its lowest value and the step that it makes in the table."""
    step = len(made.masks)
    for expr, size, low in zip(made.inputs, made.sizes, made.lows, strict=True):
        step //= size
        yield expr, low, step
