"""The value of an expression that reads nothing but constants and given locals: for working out constants and tables."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from durak_dsl.language.ir import NO_NUMBER, NONE, Deck, Expr


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
}


def evaluate(expr: Expr, env: Mapping[Expr, int], deck: Deck) -> int:
    """The value; `env` gives the values of locals and other inputs. Raises CannotEvaluate where the table would be needed."""
    if expr in env:
        return env[expr]
    op, args = expr.op, expr.args
    if op == "const":
        assert isinstance(expr.data, int)
        return expr.data
    if op in _BINARY:
        return int(_BINARY[op](evaluate(args[0], env, deck), evaluate(args[1], env, deck)))
    if op == "and":
        return int(all(evaluate(arg, env, deck) for arg in args))
    if op == "or":
        return int(any(evaluate(arg, env, deck) for arg in args))
    if op == "not":
        return int(not evaluate(args[0], env, deck))
    if op == "if":
        return evaluate(args[1 if evaluate(args[0], env, deck) else 2], env, deck)
    if op == "either":
        values = [evaluate(arg, env, deck) for arg in args]
        return next((value for value in values if value not in (NONE, NO_NUMBER)), values[-1])
    if op in _UNARY:
        return _UNARY[op](evaluate(args[0], env, deck), deck)
    if op == "in":
        item = evaluate(args[0], env, deck)
        return int(item >= 0 and bool(evaluate(args[1], env, deck) >> item & 1))
    raise CannotEvaluate


_UNARY: dict[str, Callable[[int, Deck], int]] = {
    "negative": lambda value, deck: -value,
    "odd": lambda value, deck: value & 1,
    "even": lambda value, deck: 1 - (value & 1),
    "is none": lambda value, deck: int(value in (NONE, NO_NUMBER)),
    "rank": lambda card, deck: card // (len(deck.suits) * deck.copies),
    "suit": lambda card, deck: card // deck.copies % len(deck.suits),
    "pips": lambda rank, deck: int(deck.ranks[rank]) if deck.ranks[rank].isdigit() else 0,
    "size": lambda value, deck: value,
}
