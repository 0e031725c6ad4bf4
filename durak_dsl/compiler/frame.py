"""A function under way: its statements so far, its variables, and the places of the state as trees."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from durak_dsl.compiler.quote import quote, quote_lines
from durak_dsl.compiler.unit import Unit
from durak_dsl.language.ir import NO_NUMBER, Expr, Zone


class Frame(ABC):
    """The body of one function; `path` is the rule file whose lines its nodes bear."""

    def __init__(self, unit: Unit, path: str):
        self.unit = unit
        self.rules = unit.rules
        self.layout = unit.layout
        self.path = path
        self.out: list[ast.stmt] = []
        self.temps = 0
        self.heights: dict[int, int] = {}  # the height of the pile that a local is, where it is known

    # ---- statements under way -------------------------------------------------------------------------------------

    def temp(self) -> str:
        """A new variable of the function."""
        self.temps += 1
        return f"t{self.temps}"

    def add(self, template: str, **parts: ast.expr | int | str) -> None:
        """Append the statements of a template."""
        self.out += quote_lines(template, **parts)

    @contextmanager
    def inside(self) -> Iterator[list[ast.stmt]]:
        """Statements emitted in this context are gathered apart."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def when(self, test: ast.expr, body: list[ast.stmt], otherwise: list[ast.stmt] | None = None) -> None:
        """Append an `if`."""
        self.out.append(ast.If(test, body or [ast.Pass()], otherwise or []))

    def named(self, value: ast.expr) -> ast.expr:
        """The value as a variable, so that it is worked out once."""
        if isinstance(value, (ast.Name, ast.Constant)):
            return value
        name = self.temp()
        self.add("name = value", name=name, value=value)
        return ast.Name(name, ast.Load())

    # ---- places in the state --------------------------------------------------------------------------------------

    def slot(self, place: int, seat: ast.expr | None = None, width: int = 1) -> ast.expr:
        """The place of the state, of a seat where one is given."""
        if seat is None:
            return quote("s[k]", k=place)
        if isinstance(seat, ast.Constant) and isinstance(seat.value, int):
            return quote("s[k]", k=place + seat.value * width)
        return quote("s[k + p]", k=place, p=seat) if width == 1 else quote("s[k + p * w]", k=place, p=seat, w=width)

    def base(self, zone: Expr) -> ast.expr:
        """Where a zone starts."""
        place = self.layout.zones[str(zone.data)]
        if not zone.args:
            return quote("k", k=place)
        width = self.layout.width(self.rules.zones[str(zone.data)])
        return (
            quote("k + p * w", k=place, p=self.expr(zone.args[0]), w=width)
            if width != 1
            else quote("k + p", k=place, p=self.expr(zone.args[0]))
        )

    def zone_slot(self, zone: Expr) -> ast.expr:
        """The first place of a zone: the mask of a set, the size of a stack."""
        seat = self.expr(zone.args[0]) if zone.args else None
        return self.slot(self.layout.zones[str(zone.data)], seat, self.layout.width(self.rules.zones[str(zone.data)]))

    def zone_of(self, expr: Expr) -> Zone:
        """The zone that a zone or pile belongs to."""
        return self.rules.zones[expr.type.zone]

    @abstractmethod
    def expr(self, expr: Expr) -> ast.expr:
        """The tree of the value of an expression."""

    def flag(self, expr: Expr) -> ast.expr:
        """The tree of a yes/no value as 0 or 1, for the state."""
        if expr.op == "const":
            return self.expr(expr)
        return quote("1 if x else 0", x=self.expr(expr))

    def is_none(self, value: ast.expr, kind: str) -> ast.expr:
        """The test whether a value of that kind is none."""
        return quote("x == k", x=value, k=NO_NUMBER) if kind == "number" else quote("x < 0", x=value)
