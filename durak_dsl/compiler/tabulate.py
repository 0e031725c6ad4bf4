"""Conditions on cards that depend on little else become tables: for each value of what they depend on, the mask of the cards that fit."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from math import prod

from durak_dsl.compiler.evaluate import Values, pure
from durak_dsl.compiler.fold import PURE, mentions, replaced
from durak_dsl.language.ir import Expr, Rules

LARGEST_TABLE = 8192
WIDEST_NUMBER = 64
MOST_KEPT = 2000
MOST_WORK = 20_000_000
LOGIC = PURE | {"and", "or", "not", "if", "either"}
BEAR_NONE = frozenset({"is none", "==", "!=", "in", "if", "either", "rank", "suit"})  # give something sensible when an argument is none


@dataclass(frozen=True)
class Table:
    """For each combination of the inputs (in order, the last running fastest) the mask of the elements for which a condition holds."""

    inputs: tuple[Expr, ...]
    sizes: tuple[int, ...]
    lows: tuple[int, ...]
    masks: tuple[int, ...]
    condition: Expr = field(repr=False)


Key = tuple[str, Expr, int, range]

_DEPENDS: dict[Key, dict[Expr, range] | None] = {}
_MADE: dict[Key, Table] = {}


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


@dataclass
class Budget:
    """What may still be worked out for the tables of one program, in parts of conditions; what goes beyond is left to be tested in play."""

    left: int = field(default_factory=lambda: MOST_WORK)

    def spend(self, work: int) -> bool:
        """Take so much, if it is there."""
        if work > self.left:
            return False
        self.left -= work
        return True


def table(condition: Expr, local: int, element: range, rules: Rules, budget: Budget) -> Table | None:
    """The table of a condition on a local, or None where it depends on too much, or too much has been tabulated already."""
    # Kept, for the same rules with other options make most of the same tables again.
    key = (rules.hash, condition, local, element)
    if key not in _DEPENDS:
        if len(_DEPENDS) >= MOST_KEPT:
            _DEPENDS.clear()
            _MADE.clear()
        _DEPENDS[key] = _domains(condition, local, rules)
    inputs = _DEPENDS[key]
    if inputs is None:
        return None
    # What was made before is charged like the rest: which tables a program has must not depend on what else was compiled.
    combinations = prod(len(values) for values in inputs.values())
    if not budget.spend(combinations * len(element) * sum(1 for _ in condition.walk())):
        return None
    if key not in _MADE:
        _MADE[key] = _table(condition, local, element, rules, inputs)
    return _MADE[key]


def _table(condition: Expr, local: int, element: range, rules: Rules, inputs: dict[Expr, range]) -> Table:
    stand_ins = {}
    for number, part in enumerate(inputs):
        for form in (replace(part, type=part.type.sure), part):
            stand_ins[form] = Expr("local", form.type, data=-2 - number)
    mask_of = _mask_of(replaced(condition, stand_ins), local, element, rules)
    masks = []
    for combination in itertools.product(*inputs.values()):
        masks.append(mask_of({-2 - number: value for number, value in enumerate(combination)}))
    return Table(
        tuple(inputs),
        tuple(len(values) for values in inputs.values()),
        tuple(values.start for values in inputs.values()),
        tuple(masks),
        condition,
    )


def _mask_of(condition: Expr, local: int, element: range, rules: Rules) -> Callable[[Values], int]:
    """The mask of the elements for which a condition holds, as a function of the values of the other locals.

    Each part is worked out once for the values that it depends on, not for all combinations with those of other parts.
    """
    if condition.op in ("and", "or", "not"):
        parts = [_mask_of(arg, local, element, rules) for arg in condition.args]
        if condition.op == "not":
            whole = sum(1 << card for card in element)
            return lambda values: whole & ~parts[0](values)
        join = operator.and_ if condition.op == "and" else operator.or_
        return lambda values: reduce(join, [part(values) for part in parts])
    names = sorted({node.data for node in condition.walk() if node.op == "local" and isinstance(node.data, int)} - {local})
    holds = pure(condition, rules.deck)
    made: dict[tuple[int, ...], int] = {}

    def tested(values: Values) -> int:
        key = tuple([values[name] for name in names])
        if key not in made:
            made[key] = sum(1 << card for card in element if holds({**values, local: card}))
        return made[key]

    return tested


def _domains(condition: Expr, local: int, rules: Rules) -> dict[Expr, range] | None:
    """What the condition depends on besides the local, with its possible values: single values if that is few enough, else larger parts."""
    tested = _tested(condition)
    for whole_parts in (False, True):
        inputs: dict[Expr, range] = {}
        size = 1
        for part in _inputs(condition, local, whole_parts, tested):
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


def _inputs(expr: Expr, local: int, whole_parts: bool, tested: frozenset[Expr]) -> Iterator[Expr | None]:
    """What the expression depends on besides the local; None where it cannot be tabulated.

    All inputs are read before anything is tested: what the condition tests for none may be none, whatever its type says after the test.
    """
    if expr.op == "const" or (expr.op == "local" and expr.data == local):
        return
    varies = mentions(expr, local)
    senseless = any(node.op not in BEAR_NONE and any(may_be_none(arg, tested) for arg in node.args) for node in expr.walk())
    if expr.op in LOGIC and (varies or senseless or not whole_parts):
        for arg in expr.args:
            yield from _inputs(arg, local, whole_parts, tested)
    elif varies or senseless:
        yield None
    else:
        yield with_none(expr) if may_be_none(expr, tested) else expr


def _tested(condition: Expr) -> frozenset[Expr]:
    """The parts of a condition that are none or not when it is read."""
    return frozenset(with_none(node) for node in condition.walk() if node.type.maybe)


def may_be_none(expr: Expr, tested: frozenset[Expr]) -> bool:
    """Whether a part of a condition may be none when it is read, before the condition has tested it."""
    if expr.op in ("rank", "suit"):
        return may_be_none(expr.args[0], tested)
    return expr.type.maybe or (bool(tested) and with_none(expr) in tested)


def with_none(expr: Expr) -> Expr:
    """The expression, typed as one that may be none."""
    return expr if expr.type.maybe else replace(expr, type=expr.type.or_none)


def bearing_none(expr: Expr, tested: frozenset[Expr]) -> Expr:
    """An input as it is to be emitted: whatever in it may be none when it is read is typed so, though the condition has tested it."""
    made = expr.with_args(tuple(bearing_none(arg, tested) for arg in expr.args))
    return with_none(made) if may_be_none(expr, tested) else made


def split_heights(condition: Expr, local: int, highest: int, rules: Rules) -> tuple[frozenset[int] | None, list[Expr]]:
    """The heights that the conditions on a pile's size alone allow (None where there are none such), and the other conditions."""
    allowed: frozenset[int] | None = None
    rest = []
    for part in condition.args if condition.op == "and" else (condition,):
        found = heights(part, local, highest, rules)
        if found is None:
            rest.append(part)
        else:
            allowed = found if allowed is None else allowed & found
    return allowed, rest


def heights(condition: Expr, local: int, highest: int, rules: Rules) -> frozenset[int] | None:
    """The heights of piles for which a condition holds, where it depends on the pile's size alone; else None."""
    if condition.op == "const":
        return frozenset(range(1, highest + 1)) if condition.data else frozenset()
    size = next(
        (node for node in condition.walk() if node.op == "size" and node.args[0].op == "local" and node.args[0].data == local), None
    )
    if size is None or not _only(condition, size):
        return None
    holds = pure(replaced(condition, {size: Expr("local", size.type, data=-2)}), rules.deck)
    return frozenset(height for height in range(1, highest + 1) if holds({-2: height}))


def _only(expr: Expr, size: Expr) -> bool:
    if expr == size or expr.op == "const":
        return True
    return expr.op in LOGIC and all(_only(arg, size) for arg in expr.args)


def index_parts(made: Table) -> Iterator[tuple[Expr, int, int]]:
    """Each input with its lowest value and the step that it makes in the table."""
    step, tested = len(made.masks), _tested(made.condition)
    for expr, size, low in zip(made.inputs, made.sizes, made.lows, strict=True):
        step //= size
        yield bearing_none(expr, tested), low, step
