"""Functions of the dialect -> LLVM assembly: what they do to machine words and to the state, an array of them.

A function is made once for each sort of arguments: numbers of one or two words, arrays, tables that are known beforehand. What may find a
fault returns, besides what it returns, whether it has; whoever calls it then returns at once.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from durak_dsl.compiler.layout import FIRST_FREE
from durak_dsl.compiler.quote import walk
from durak_dsl.native.expression import Array, Known, Row, Sort
from durak_dsl.native.function import Translator
from durak_dsl.native.widths import Width, Widths, of_table

FAULT = -(2**63)  # what an exported function returns that has found a fault

Table: TypeAlias = "int | tuple[Table, ...]"


@dataclass(frozen=True)
class Made:
    """A function in assembly: its name there, the width of each result in bits, and whether it may find a fault."""

    name: str
    results: tuple[int, ...]
    may_fail: bool

    @property
    def type(self) -> str:
        """What it returns, as assembly says it."""
        parts = [*(f"i{bits}" for bits in self.results), *(["i1"] if self.may_fail else [])]
        return parts[0] if len(parts) == 1 else f"{{{', '.join(parts)}}}"


@dataclass
class Unit:
    """Functions that are translated together, as far as they are called.

    `tables` are the names that stand for numbers known beforehand, `size` is how many places a state has; `deposits` says whether the
    processor has the instruction that finds an element of a set by its number. `two_words` are the places of the state with sets of cards,
    where those take two machine words; then every place of every array has room for two.
    """

    functions: Mapping[str, ast.FunctionDef]
    tables: Mapping[str, Any]
    size: int
    deposits: bool
    two_words: frozenset[int] | None = None
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._made: dict[tuple[str, tuple[Sort, ...]], Made] = {}
        self._rows: dict[Table, Row] = {}
        self._widths: dict[tuple[str, tuple[Sort, ...]], Widths | None] = {}
        calls = {
            name: {node.func.id for node in walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
            for name, tree in self.functions.items()
        }
        self._failing = {"fault"}
        while more := {name for name, called in calls.items() if called & self._failing} - self._failing:
            self._failing |= more

    @property
    def cell(self) -> int:
        """How many bits a place of an array has."""
        return 64 if self.two_words is None else 128

    def bits(self, width: Width) -> int:
        """How many bits a value of this width takes here."""
        return 128 if self.two_words is not None and width in (Width.BIT, Width.TWO) else 64

    def cell_at(self, index: ast.expr) -> Width:
        """How wide that is which stands at a place of the state, as far as the place is known."""
        if self.two_words is None:
            return Width.ONE
        first, is_whole = _constant_part(index)
        if first in self.two_words or (first < FIRST_FREE and not is_whole):
            return Width.TWO  # or unknown
        return Width.SET

    def export(self, name: str, parameters: Sequence[Sort]) -> None:
        """Let a function be called from outside: with arrays, and numbers of one word; it returns one, or FAULT."""
        made = self.made(name, tuple(parameters))
        types = [f"{'ptr' if isinstance(sort, Array) else 'i64'} %a{number}" for number, sort in enumerate(parameters)]
        lines = [f"define i64 @{name}({', '.join(types)}) nounwind {{", f"  %r = call {made.type} @{made.name}({', '.join(types)})"]
        if made.may_fail:
            lines += [f"  %v = extractvalue {made.type} %r, 0", f"  %f = extractvalue {made.type} %r, 1"]
            lines += [f"  %x = select i1 %f, i64 {FAULT}, i64 %v", "  ret i64 %x", "}"]
        else:
            lines += ["  ret i64 %r", "}"]
        self.lines += lines

    def made(self, name: str, sorts: tuple[Sort, ...]) -> Made:
        """The function for arguments of these sorts; translated if it has not been."""
        key = (name, sorts)
        if key not in self._made:
            results = tuple(self.bits(width) for width in self.results(name, sorts))
            number = len(self._made)
            made = self._made[key] = Made(f"f{number}_{name}", results, name in self._failing)
            self.lines += Translator(self, self.functions[name], sorts, made, self.widths(name, sorts)).lines()
        return self._made[key]

    def results(self, name: str, sorts: tuple[Sort, ...]) -> Sequence[Width]:
        """How wide what the function returns is."""
        if self.two_words is None:
            returned = next((node.value for node in walk(self.functions[name]) if isinstance(node, ast.Return)), None)
            return [Width.ONE] * (len(returned.elts) if isinstance(returned, ast.Tuple) else 1)
        widths = self.widths(name, sorts)
        return (widths and widths.results) or [Width.ANY]

    def widths(self, name: str, sorts: tuple[Sort, ...]) -> Widths | None:
        """The widths in the function; None where all are one word, and while they are being worked out."""
        if self.two_words is None:
            return None
        key = (name, sorts)
        if key not in self._widths:
            self._widths[key] = None  # functions that call each other return no sets
            names = [argument.arg for argument in self.functions[name].args.args]
            given = {which: _width(sort) for which, sort in zip(names, sorts, strict=True)}

            def called(other: str, arguments: Sequence[Width]) -> Sequence[Width]:
                sorts_of: list[Sort] = []
                for argument, width in zip(self.functions[other].args.args, arguments, strict=True):
                    sorts_of.append(Array() if argument.arg in ("s", "found", "worth") else self.bits(width))
                return self.results(other, tuple(sorts_of))

            self._widths[key] = Widths(self.functions[name], given, self.tables, self.cell_at, called)
        return self._widths[key]

    def row(self, table: Table) -> Row:
        """A table, where the assembly has it."""
        if table not in self._rows:
            shape = _shape(table)
            width = self.bits(of_table(table)) if self.two_words is not None else 64
            name = f"@t{len(self._rows)}"
            kind, text = _constant(table, shape, width)
            self.lines.append(f"{name} = internal unnamed_addr constant {kind} {text}")
            self._rows[table] = Row(name, shape, width)
        return self._rows[table]

    def text(self) -> str:
        """All that has been translated."""
        return "\n".join([*self.lines, ""])


def _width(sort: Sort) -> Width:
    """How wide an argument is: of arrays and tables, the numbers in them."""
    if isinstance(sort, Known):
        return of_table(sort.value)
    if isinstance(sort, Array):
        return Width.ONE
    bits = sort.bits if isinstance(sort, Row) else sort
    return Width.TWO if bits == 128 else Width.ONE


def _constant_part(index: ast.expr) -> tuple[int, bool]:
    """What an index comes to without what is not constant in it, and whether that is all."""
    if isinstance(index, ast.Constant) and isinstance(index.value, int):
        return index.value, True
    if isinstance(index, ast.BinOp) and isinstance(index.op, (ast.Add, ast.Sub)):
        (left, one), (right, other) = _constant_part(index.left), _constant_part(index.right)
        return (left + right if isinstance(index.op, ast.Add) else left - right), one and other
    return 0, False


def _shape(table: Table) -> tuple[int, ...]:
    """How many rows a table has at most, and their shape."""
    if isinstance(table, int):
        return ()
    inner = [_shape(row) for row in table]
    deepest = max(inner, key=len, default=())
    return (len(table), *(max(shape[level] for shape in inner if len(shape) > level) for level in range(len(deepest))))


def _constant(table: Table, shape: tuple[int, ...], width: int) -> tuple[str, str]:
    """The type and the text of a table; rows that are shorter than others are filled up."""
    kind = f"i{width}"
    for count in reversed(shape):
        kind = f"[{count} x {kind}]"
    if isinstance(table, int):
        return kind, str(int(table))
    rows = [" ".join(_constant(row, shape[1:], width)) for row in table]
    inner = kind.partition(" x ")[2].removesuffix("]")
    return kind, f"[{', '.join([*rows, *[f'{inner} zeroinitializer'] * (shape[0] - len(rows))])}]"
