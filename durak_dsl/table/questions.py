"""Expressions of the language asked about a table: whether one holds, and if not, what the values are on which it fails."""

from __future__ import annotations

from collections.abc import Sequence

from durak_dsl.compiler.runtime import State
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Expr
from durak_dsl.language.scope import Names, Scope
from durak_dsl.language.syntax import parse
from durak_dsl.language.wrong import Wrong
from durak_dsl.problems import Problem, RuleError, Span
from durak_dsl.source.nodes import Text
from durak_dsl.table import values
from durak_dsl.table.game import Game

COMPARISONS = {"==": "equal", "!=": "different", "<": "less", "<=": "at most that", ">": "more", ">=": "at least that"}


class Questions:
    """Questions about the tables of one game; they may read everything, hidden cards too."""

    def __init__(self, game: Game):
        self.game = game
        rules = game.rules
        names = Names(
            deck=rules.deck,
            options=dict(rules.options),
            zones=dict(rules.zones),
            variables=dict(rules.variables),
            signatures={name: tuple((label, kind) for label, _, kind in define.parameters) for name, define in rules.defines.items()},
            defines=dict(rules.defines),
            phases=set(rules.phases),
            counts=rules.counts,
            teams=rules.teams,
            locals=dict(rules.locals),
            define=lambda name, span: rules.defines[name],
        )
        self.expressions = Expressions(names)

    def typed(self, text: Text) -> Expr:
        """The condition that a text says; RuleError where it says none."""
        try:
            return self.expressions.condition(parse(text, "expression"), Scope())
        except Wrong as error:
            raise RuleError(error.problem or Problem("example", "this cannot be read", text.span)) from None

    def holds(self, text: Text, state: State) -> bool:
        """Whether the condition holds."""
        return bool(self.value(self.typed(text), state))

    def against(self, text: Text, state: State) -> tuple[str, Span | None] | None:
        """What is against the condition and where, or None if it holds."""
        condition = self.typed(text)
        return None if self.value(condition, state) else self._why(condition, state)

    def value(self, expr: Expr, state: State) -> int:
        """The value of an expression."""
        return int(self.game.choosing.answers.expression(expr)(state))

    def _why(self, expr: Expr, state: State) -> tuple[str, Span | None]:
        """Why a condition does not hold: the first part of it that does not, with its values."""
        if expr.op == "and":
            return self._why(next(arg for arg in expr.args if not self.value(arg, state)), state)
        if expr.op in COMPARISONS:
            return f"this does not hold: {self._sides(expr.args, state)}", expr.at
        if expr.op == "in":
            return f"this does not hold: {self._sides(expr.args, state)}", expr.at
        if expr.op == "not":
            inner = expr.args[0]
            if inner.op in (*COMPARISONS, "in", "is none"):
                return f"this does not hold: {self._sides(inner.args, state)}", expr.at
            return f"this does not hold: {_text(inner)} does", expr.at
        if expr.op == "is none":
            return f"this does not hold: {self._sides(expr.args, state)}", expr.at
        if expr.op == "or":
            return "none of these holds", expr.at
        return "this does not hold", expr.at

    def _sides(self, args: Sequence[Expr], state: State) -> str:
        """Each side that is not a value itself, with its value."""
        found = []
        for arg in args:
            if arg.op != "const":
                shown = values.write(self.value(arg, state), arg.type, self.game.cards, braces=True)
                found.append(f"{_text(arg)} is {shown}")
        return ", ".join(found)


def _text(expr: Expr) -> str:
    """The text of an expression, as it is written."""
    inner = expr.args[0] if expr.op == "cards" and not expr.at else expr
    at = inner.at
    return f"'{at.quoted[at.column - 1 : at.column - 1 + at.length]}'" if at and at.quoted else "it"
