"""A definition with two cards as a grid: for which pairs of cards it holds, for each value of whatever else it reads."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from shlex import quote

from durak_dsl.compiler.evaluate import pure
from durak_dsl.compiler.fold import Folder, mentions
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.tabulate import LOGIC, values_of
from durak_dsl.language.ir import NONE, Deck, Define, Expr, Rules
from durak_dsl.problems import Problem, RuleError, did_you_mean, listed

MOST_GRIDS = 12


@dataclass(frozen=True)
class Input:
    """Something other than the two cards on which the answer depends, with its possible values as texts."""

    label: str
    expr: Expr
    values: Mapping[str, int]


@dataclass(frozen=True)
class Grid:
    """The pairs of cards for which a definition holds, as a mask of the second card for each first card, under the values `given`."""

    given: tuple[Mapping[str, str], ...]
    rows: Mapping[int, int]


@dataclass(frozen=True)
class Relation:
    """A definition with two cards: the names of the two, the cards in the game, and a grid for each different outcome."""

    name: str
    cards: tuple[int, ...]
    first: str
    second: str
    grids: tuple[Grid, ...]


def relation(program: Program, name: str, given: Mapping[str, str]) -> Relation:
    """The grids of a definition, with some of what it depends on given; what is not given takes all its values."""
    define = _definition(program.rules, name)
    (first, row, _), (second, column, _) = [part for part in define.parameters if part[2].kind == "card"]
    body = Folder(program.rules, program.options).expr(define.body)
    inputs = _inputs(body, define, (row, column), program.rules)
    chosen = _chosen(inputs, given, name)
    cards = tuple(card for card in program.deck if card % program.rules.deck.copies == 0)
    stand_ins = {part.expr: Expr("local", part.expr.type, data=-2 - number) for number, part in enumerate(inputs)}
    holds = pure(_replaced(body, stand_ins), program.rules.deck)
    found: dict[tuple[tuple[int, int], ...], list[Mapping[str, str]]] = {}
    for texts in itertools.product(*chosen):
        values = {-2 - number: part.values[text] for number, (part, text) in enumerate(zip(inputs, texts, strict=True))}
        rows = []
        for one in cards:
            values[row] = one
            mask = 0
            for other in cards:
                values[column] = other
                if holds(values):
                    mask |= 1 << other
            rows.append((one, mask))
        found.setdefault(tuple(rows), []).append({part.label: text for part, text in zip(inputs, texts, strict=True)})
    return Relation(name, cards, first, second, tuple(Grid(tuple(places), dict(rows)) for rows, places in found.items()))


def relations(rules: Rules) -> tuple[str, ...]:
    """The names of the definitions that can be asked for."""
    return tuple(define.name for define in rules.defines.values() if _is_relation(define))


def _is_relation(define: Define) -> bool:
    return define.body.type.kind == "yes/no" and [kind.kind for _, _, kind in define.parameters].count("card") == 2


def _definition(rules: Rules, name: str) -> Define:
    define = rules.defines.get(name)
    if define is not None and _is_relation(define):
        return define
    known = relations(rules)
    if not known:
        raise RuleError(Problem("no-grid", f"{rules.id} has no definition with two cards that answers yes or no"))
    hint = did_you_mean(name, known) or f"there {'are' if known[1:] else 'is'} {listed(known, 'and')}"
    if define is None:
        raise RuleError(Problem("no-grid", f"{rules.id} has no definition '{name}'", None, hint))
    raise RuleError(Problem("no-grid", f"'{name}' is no question about two cards", define.span, hint))


def _inputs(body: Expr, define: Define, cards: tuple[int, int], rules: Rules) -> list[Input]:
    named = {local: label for label, local, _ in define.parameters}
    found: dict[Expr, Input] = {}
    for part in _parts(body, cards):
        values = values_of(part, rules)
        if values is None or any(mentions(part, card) for card in cards):
            message = f"'{define.name}' is no grid: besides the two cards it depends on this"
            raise RuleError(Problem("no-grid", message, part.at or define.span))
        if part not in found:
            texts = {value_text(part, value, rules.deck): value for value in values}
            found[part] = Input(_label(part, named), part, texts)
    return [*found.values()]


def _parts(expr: Expr, cards: tuple[int, int]) -> Iterator[Expr]:
    """The parts of an expression that are not worked out from the two cards alone."""
    if expr.op == "const" or (expr.op == "local" and expr.data in cards):
        return
    if expr.op in LOGIC:
        for arg in expr.args:
            yield from _parts(arg, cards)
    else:
        yield expr


def _label(part: Expr, named: Mapping[int, str]) -> str:
    """What an input is called: the variable, or the words of the rule file."""
    if part.op == "local" and isinstance(part.data, int):
        return named.get(part.data, "?")
    if part.op == "read":
        seat = f"{_label(part.args[0], named)}." if part.args else ""
        return f"{seat}{part.data}"
    at = part.at
    return at.quoted[at.column - 1 : at.column - 1 + at.length] if at and at.quoted else part.op


def value_text(part: Expr, value: int, deck: Deck) -> str:
    """A value as it is written in a rule file."""
    kind = part.type.kind
    if part.type.maybe and value == NONE:
        return "none"
    if kind == "card":
        rank, suit = divmod(value // deck.copies, len(deck.suits))
        return deck.ranks[rank] + deck.suits[suit][0].upper()
    words = {"suit": deck.suits, "rank": deck.ranks, "yes/no": ("no", "yes"), "choice": part.type.words}.get(kind)
    if words is not None:
        return words[value]
    return f"P{value + 1}" if kind == "player" else str(value)


def _chosen(inputs: Iterable[Input], given: Mapping[str, str], name: str) -> list[list[str]]:
    """For each input the values to look at; `none` only where it is given or nothing else is possible."""
    left = dict(given)
    chosen, problems = [], []
    count = 1
    for part in inputs:
        text = left.pop(part.label, None)
        if text is not None and text not in part.values:
            hint = did_you_mean(text, part.values) or "it is " + listed([*part.values][:40])
            problems.append(Problem("given", f"{part.label} cannot be '{text}'", None, hint))
        values = [text] if text is not None else [value for value in part.values if value != "none"] or [*part.values]
        count *= len(values)
        chosen.append(values)
    labels = [part.label for part in inputs]
    for label in left:
        hint = did_you_mean(label, labels) or (f"it depends on {listed(labels, 'and')}" if labels else "it depends on nothing else")
        problems.append(Problem("given", f"'{name}' does not depend on '{label}'", None, hint))
    if not problems and count > MOST_GRIDS:
        hint = "give some of them: " + " ".join(f"--given {quote(f'{part.label}={next(iter(part.values))}')}" for part in inputs)
        problems.append(Problem("given", f"'{name}' depends on {listed(labels, 'and')}: that makes {count:,} grids", None, hint))
    if problems:
        raise RuleError(problems)
    return chosen


def _replaced(expr: Expr, stand_ins: Mapping[Expr, Expr]) -> Expr:
    if expr in stand_ins:
        return stand_ins[expr]
    return expr.with_args(tuple(_replaced(arg, stand_ins) for arg in expr.args))
