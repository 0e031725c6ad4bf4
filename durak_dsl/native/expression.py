"""Expressions of the dialect in LLVM assembly: numbers of one or two machine words, places in arrays and tables, conditions as jumps."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from durak_dsl.native.widths import Width, Widths, of_number, together, whole
from durak_dsl.native.words import OF_SETS

if TYPE_CHECKING:
    from durak_dsl.native.translate import Made, Unit


@dataclass(frozen=True)
class Known:
    """A table that is known beforehand."""

    value: tuple[Any, ...]


@dataclass(frozen=True)
class Array:
    """An array of places, like the state."""


@dataclass(frozen=True)
class Row:
    """A table in memory: where it begins, its shape, and how many bits each number has."""

    text: str
    shape: tuple[int, ...]
    bits: int


Sort: TypeAlias = "int | Known | Array | Row"  # what an argument is: a number of so many bits, or something with many


@dataclass(frozen=True)
class Value:
    """A number that has been worked out: a name or a constant, and how many bits it has."""

    text: str
    bits: int


ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
COMPARING: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}


class Expressions:
    """Translates the expressions of one function for arguments of certain sorts; locals are places on the stack, which LLVM dissolves."""

    def __init__(self, unit: Unit, made: Made, widths: Widths | None):
        self.unit, self.made, self.widths = unit, made, widths
        self.out: list[str] = []
        self.places: dict[str, str] = {}  # declarations of locals, by name
        self.arrays: dict[str, str] = {}
        self.rows: dict[str, Known | Row] = {name: Known(value) for name, value in unit.tables.items() if isinstance(value, tuple)}
        self.count = 0
        self.ended = False  # whether nothing is reached here

    # ---- writing

    def op(self, text: str) -> str:
        """Add an instruction, and return the name of its result."""
        self.count += 1
        self.out.append(f"  %x{self.count} = {text}")
        return f"%x{self.count}"

    def label(self) -> str:
        """A name for a place in the code."""
        self.count += 1
        return f"b{self.count}"

    def begin(self, label: str) -> None:
        """What follows is reached under this label, and from here if this is."""
        self.jump(label)
        self.out.append(f"{label}:")
        self.ended = False

    def jump(self, label: str) -> None:
        """Go on at a label, if this is reached."""
        if not self.ended:
            self.out.append(f"  br label %{label}")
        self.ended = True

    def place(self, name: str, bits: int) -> str:
        """Where a local lies; it is declared if it has not been."""
        self.places.setdefault(name, f"  %v.{name} = alloca i{bits}")
        return f"%v.{name}"

    def bits_of(self, name: str) -> int:
        """How many bits a local has."""
        return 64 if self.widths is None else self.unit.bits(self.widths.of_name(name))

    def put(self, name: str, value: Value) -> None:
        """Give a local this value."""
        bits = self.bits_of(name)
        self.out.append(f"  store i{bits} {self.as_wide(value, bits)}, ptr {self.place(name, bits)}")

    def as_wide(self, value: Value, bits: int) -> str:
        """The value with so many bits."""
        if value.bits == bits or not value.text.startswith("%"):
            return value.text
        return self.op(f"{'sext' if value.bits < bits else 'trunc'} i{value.bits} {value.text} to i{bits}")

    def give_back(self, values: Sequence[str]) -> None:
        """Return these values; none are zeros."""
        made = self.made
        parts = [f"i{bits} {value}" for bits, value in zip(made.results, values or ["0"] * len(made.results), strict=True)]
        if made.may_fail:
            parts.append("i1 false")
        self._leave(parts)

    def _leave(self, parts: Sequence[str]) -> None:
        """Return values of these types."""
        if len(parts) == 1:
            self.out.append(f"  ret {parts[0]}")
        else:
            whole = "undef"
            for number, part in enumerate(parts):
                whole = self.op(f"insertvalue {self.made.type} {whole}, {part}, {number}")
            self.out.append(f"  ret {self.made.type} {whole}")
        self.ended = True

    def fail(self) -> None:
        """Return, having found a fault."""
        self._leave([*(f"i{bits} 0" for bits in self.made.results), "i1 true"])

    # ---- places in arrays and tables

    def bits_at(self, node: ast.Subscript) -> int:
        """How many bits what stands there has."""
        return 64 if self.widths is None else self.unit.bits(self.widths.of(node))

    def address(self, node: ast.Subscript) -> str:
        """Where a place of an array lies."""
        assert isinstance(node.value, ast.Name)
        return self.op(f"getelementptr i{self.unit.cell}, ptr {self.arrays[node.value.id]}, i64 {self.number(node.slice, 64)}")

    def many(self, node: ast.expr) -> Known | Row | None:
        """The table that an expression stands for; None where it is a number."""
        if isinstance(node, ast.Name):
            return self.rows.get(node.id)
        if isinstance(node, ast.Tuple):
            return Known(ast.literal_eval(node))
        if not isinstance(node, ast.Subscript) or (isinstance(node.value, ast.Name) and node.value.id in self.arrays):
            return None
        table = self.many(node.value)
        if isinstance(table, Known):
            if isinstance(node.slice, ast.Constant):
                inner = table.value[whole(node.slice)]
                return Known(inner) if isinstance(inner, tuple) else None
            table = self.unit.row(table.value)
        if table is None or len(table.shape) == 1:
            return None
        return Row(self._row_at(table, node.slice), table.shape[1:], table.bits)

    def _row_at(self, row: Row, index: ast.expr) -> str:
        """The address of a part of a table."""
        kind = f"i{row.bits}"
        for count in reversed(row.shape[1:]):
            kind = f"[{count} x {kind}]"
        return self.op(f"getelementptr inbounds {kind}, ptr {row.text}, i64 {self.number(index, 64)}")

    def _at(self, node: ast.Subscript, want: int) -> Value:
        """What stands at a place of an array or table, or a bit alone."""
        if isinstance(node.value, ast.Name) and node.value.id == "BIT":
            return Value(self.op(f"shl i{want} 1, {self.number(node.slice, want)}"), want)
        if isinstance(node.value, ast.Name) and node.value.id in self.arrays:
            bits = self.bits_at(node)
            return Value(self.op(f"load i{bits}, ptr {self.address(node)}, align 8"), bits)
        table = self.many(node.value)
        assert table is not None
        if isinstance(table, Known):
            if isinstance(node.slice, ast.Constant):
                return self._constant(int(table.value[whole(node.slice)]))
            table = self.unit.row(table.value)
        return Value(self.op(f"load i{table.bits}, ptr {self._row_at(table, node.slice)}"), table.bits)

    # ---- numbers

    def number(self, node: ast.expr, bits: int) -> str:
        """The value of an expression with so many bits."""
        return self.as_wide(self.value(node, bits), bits)

    def _width(self, *nodes: ast.expr, want: int) -> int:
        """How many bits these take together; a bit that may stand for anything takes what is wanted."""
        if self.widths is None:
            return 64
        width = together(*map(self.widths.of, nodes))
        return want if width in (Width.ANY, Width.BIT) and want else self.unit.bits(width)

    def _constant(self, value: int) -> Value:
        return Value(str(value), 64 if of_number(value) is Width.ANY else 128)

    def value(self, node: ast.expr, want: int = 0) -> Value:
        """The value of an expression; where that leaves it open, with as many bits as wanted."""
        return getattr(self, f"of_{type(node).__name__}")(node, want)  # type: ignore[no-any-return]

    def of_Constant(self, node: ast.Constant, want: int) -> Value:
        return self._constant(whole(node))

    def of_Name(self, node: ast.Name, want: int) -> Value:
        known = self.unit.tables.get(node.id)
        if isinstance(known, int):
            return self._constant(known)
        bits = self.bits_of(node.id)
        return Value(self.op(f"load i{bits}, ptr {self.place(node.id, bits)}"), bits)

    def of_Subscript(self, node: ast.Subscript, want: int) -> Value:
        return self._at(node, self._width(node, want=want))

    def of_UnaryOp(self, node: ast.UnaryOp, want: int) -> Value:
        if isinstance(node.op, ast.Not):
            return self._decided(node)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self._constant(-whole(node.operand))
        bits = self._width(node.operand, want=want)
        inner = self.number(node.operand, bits)
        return Value(self.op(f"sub i{bits} 0, {inner}" if isinstance(node.op, ast.USub) else f"xor i{bits} {inner}, -1"), bits)

    def of_BinOp(self, node: ast.BinOp, want: int) -> Value:
        bits = self._width(node.left if isinstance(node.op, ast.RShift) else node, want=want)
        left, right = self.number(node.left, bits), self.number(node.right, bits)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            return Value(self._divided(node.op, left, right, bits), bits)
        return Value(self.op(f"{ARITHMETIC[type(node.op)]} i{bits} {left}, {right}"), bits)

    def _divided(self, op: ast.operator, left: str, right: str, bits: int) -> str:
        """Rounded down, as Python does, and not towards 0."""
        rest = self.op(f"srem i{bits} {left}, {right}")
        other = self.op(f"icmp slt i{bits} {self.op(f'xor i{bits} {rest}, {right}')}, 0")
        below = self.op(f"and i1 {other}, {self.op(f'icmp ne i{bits} {rest}, 0')}")
        if isinstance(op, ast.Mod):
            return self.op(f"add i{bits} {rest}, {self.op(f'select i1 {below}, i{bits} {right}, i{bits} 0')}")
        whole = self.op(f"sdiv i{bits} {left}, {right}")
        return self.op(f"sub i{bits} {whole}, {self.op(f'zext i1 {below} to i{bits}')}")

    def of_IfExp(self, node: ast.IfExp, want: int) -> Value:
        return self._chosen(node.test, node.body, node.orelse, self._width(node, want=want))

    def _chosen(self, test: ast.expr, value: ast.expr, other: ast.expr, bits: int) -> Value:
        """The one value where the test holds, else the other."""
        then, onward, after = self.label(), self.label(), self.label()
        place = self.place(f"{after}.is", bits)
        self.branch(test, then, onward)
        for label, case in ((then, value), (onward, other)):
            self.begin(label)
            self.out.append(f"  store i{bits} {self.number(case, bits)}, ptr {place}")
            self.jump(after)
        self.begin(after)
        return Value(self.op(f"load i{bits}, ptr {place}"), bits)

    def of_BoolOp(self, node: ast.BoolOp, want: int) -> Value:
        return self._decided(node)

    def of_Compare(self, node: ast.Compare, want: int) -> Value:
        return self._decided(node)

    def _decided(self, node: ast.expr) -> Value:
        """1 where it holds, or 0."""
        return self._chosen(node, ast.Constant(1), ast.Constant(0), 64)

    def of_Call(self, node: ast.Call, want: int) -> Value:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in ("min", "max"):
            bits = self._width(*node.args, want=want)
            left, right = (self.number(part, bits) for part in node.args)
            return Value(self.op(f"call i{bits} @llvm.s{name}.i{bits}(i{bits} {left}, i{bits} {right})"), bits)
        if name == "kth" and self.unit.deposits:
            name = "deposited"
        if name in OF_SETS:
            first = self.value(node.args[0], self._width(node.args[0], want=0))
            bits = max(first.bits, 64)
            rest = [self.number(part, 64) for part in node.args[1:]]
            return Value(OF_SETS[name](self.op, bits, self.as_wide(first, bits), *rest), 64)
        return self.call(node)[0]

    def call(self, node: ast.Call) -> list[Value]:
        """What a function returns."""
        assert isinstance(node.func, ast.Name)
        sorts: list[Sort] = []
        given: list[str] = []
        for argument in node.args:
            table = self.many(argument)
            if table is not None:
                sorts.append(table if isinstance(table, Known) else Row("", table.shape, table.bits))
                given += [] if isinstance(table, Known) else [f"ptr {table.text}"]
            elif isinstance(argument, ast.Name) and argument.id in self.arrays:
                sorts.append(Array())
                given.append(f"ptr {self.arrays[argument.id]}")
            else:
                bits = self._width(argument, want=0)
                sorts.append(bits)
                given.append(f"i{bits} {self.number(argument, bits)}")
        made = self.unit.made(node.func.id, tuple(sorts))
        result = self.op(f"call {made.type} @{made.name}({', '.join(given)})")
        if len(made.results) == 1 and not made.may_fail:
            return [Value(result, made.results[0])]
        if made.may_fail:
            failed, well = self.label(), self.label()
            has_failed = self.op(f"extractvalue {made.type} {result}, {len(made.results)}")
            self.out.append(f"  br i1 {has_failed}, label %{failed}, label %{well}")
            self.out.append(f"{failed}:")
            self.fail()
            self.out.append(f"{well}:")
            self.ended = False
        return [Value(self.op(f"extractvalue {made.type} {result}, {number}"), bits) for number, bits in enumerate(made.results)]

    # ---- conditions

    def branch(self, test: ast.expr, yes: str, no: str) -> None:
        """Go on at one label where the test holds, else at another."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.branch(test.operand, no, yes)
        elif isinstance(test, ast.BoolOp):
            for part in test.values[:-1]:
                onward = self.label()
                self.branch(part, *((onward, no) if isinstance(test.op, ast.And) else (yes, onward)))
                self.begin(onward)
            self.branch(test.values[-1], yes, no)
        elif isinstance(test, ast.Constant):
            self.jump(yes if test.value else no)
        else:
            self.out.append(f"  br i1 {self._holds(test)}, label %{yes}, label %{no}")
            self.ended = True

    def _holds(self, test: ast.expr) -> str:
        """Whether a comparison holds, or a number is not 0."""
        if not isinstance(test, ast.Compare):
            found = self.value(test)
            return self.op(f"icmp ne i{found.bits} {found.text}, 0")
        operands = [test.left, *test.comparators]
        bits = self._width(*operands, want=0)
        values = [self.number(operand, bits) for operand in operands]
        holds = ""
        for op, left, right in zip(test.ops, values, values[1:], strict=False):
            here = self.op(f"icmp {COMPARING[type(op)]} i{bits} {left}, {right}")
            holds = self.op(f"and i1 {holds}, {here}") if holds else here
        return holds
