"""The value of an expression that reads nothing but constants and given locals: for working out constants and tables."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from durak_dsl.language.ir import NO_NUMBER, NONE, Deck, Expr

Values = Mapping[int, int]
Pure = Callable[[Values], int]


class CannotEvaluate(Exception):
    """The expression reads the table."""


_BINARY: dict[str, Callable[[int, int], int]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "min": min,
    "max": max,
    "union": operator.or_,
    "minus": lambda a, b: a & ~b,
    "in": lambda item, group: item >= 0 and group >> item & 1,
}

_UNARY: dict[str, Callable[[Deck], Callable[[int], int]]] = {
    "not": lambda deck: operator.not_,
    "negative": lambda deck: operator.neg,
    "odd": lambda deck: lambda value: value & 1,
    "even": lambda deck: lambda value: 1 - (value & 1),
    "is none": lambda deck: lambda value: value in (NONE, NO_NUMBER),
    "rank": lambda deck: lambda card: card // (len(deck.suits) * deck.copies),
    "suit": lambda deck: lambda card: card // deck.copies % len(deck.suits),
    "pips": lambda deck: lambda rank: int(deck.ranks[rank]) if deck.ranks[rank].isdigit() else 0,
}


def evaluate(expr: Expr, values: Values, deck: Deck) -> int:
    """The value, with these values of locals. Raises CannotEvaluate where the table would be needed."""
    return int(pure(expr, deck)(values))


def pure(expr: Expr, deck: Deck) -> Pure:
    """The expression as a function of the values of its locals. Raises CannotEvaluate where the table would be needed."""
    op, data = expr.op, expr.data
    if op == "const":
        assert isinstance(data, int)
        constant = data
        return lambda values: constant
    if op == "local":
        assert isinstance(data, int)
        local = data
        return lambda values: values[local]
    args = [pure(arg, deck) for arg in expr.args]
    if op in _BINARY:
        binary, (one, two) = _BINARY[op], args
        return lambda values: binary(one(values), two(values))
    if op in _UNARY:
        unary, (one,) = _UNARY[op](deck), args
        return lambda values: unary(one(values))
    if op == "and":
        return lambda values: all(arg(values) for arg in args)
    if op == "or":
        return lambda values: any(arg(values) for arg in args)
    if op == "if":
        test, yes, no = args
        return lambda values: yes(values) if test(values) else no(values)
    if op == "either":
        return lambda values: next((value for arg in args if (value := arg(values)) not in (NONE, NO_NUMBER)), NONE)
    raise CannotEvaluate
