"""One function of the dialect in LLVM assembly: its statements as blocks with jumps."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from durak_dsl.native.expression import Array, Expressions, Known, Row, Sort, Value

if TYPE_CHECKING:
    from durak_dsl.native.translate import Made, Unit
    from durak_dsl.native.widths import Widths


class Translator(Expressions):
    """Translates one function for arguments of certain sorts."""

    def __init__(self, unit: Unit, function: ast.FunctionDef, sorts: Sequence[Sort], made: Made, widths: Widths | None):
        super().__init__(unit, made, widths)
        self.function, self.sorts = function, sorts
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go

    def lines(self) -> list[str]:
        """The whole definition."""
        parameters = []
        for number, (argument, sort) in enumerate(zip(self.function.args.args, self.sorts, strict=True)):
            name = argument.arg
            if isinstance(sort, Known):
                self.rows[name] = sort
            elif isinstance(sort, Row):
                parameters.append(f"ptr %a{number}")
                self.rows[name] = Row(f"%a{number}", sort.shape, sort.bits)
            elif isinstance(sort, Array):
                parameters.append(f"ptr noalias %a{number}")
                self.arrays[name] = f"%a{number}"
            else:
                parameters.append(f"i{sort} %a{number}")
                self.put(name, Value(f"%a{number}", sort))
        self.block_of(self.function.body)
        if not self.ended:
            self.give_back([])
        head = f"define internal {self.made.type} @{self.made.name}({', '.join(parameters)}) nounwind {{"
        return [head, *self.places.values(), *self.out, "}"]

    def block_of(self, lines: Sequence[ast.stmt]) -> None:
        """Statements one after the other, as far as they are reached."""
        for line in lines:
            if self.ended:
                return
            getattr(self, f"do_{type(line).__name__}")(line)

    def do_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def do_Break(self, node: ast.Break) -> None:
        self.jump(self.loops[-1][1])

    def do_Continue(self, node: ast.Continue) -> None:
        self.jump(self.loops[-1][0])

    def do_Return(self, node: ast.Return) -> None:
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] if node.value is not None else []
        self.give_back([self.number(value, bits) for value, bits in zip(values, self.made.results, strict=True)])

    def do_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            assert isinstance(node.value.func, ast.Name)
            if node.value.func.id == "fault":
                self.fail()
            elif node.value.func.id != "short":
                self.call(node.value)

    def do_If(self, node: ast.If) -> None:
        then, other, after = self.label(), self.label(), self.label()
        self.branch(node.test, then, other if node.orelse else after)
        for label, lines in ((then, node.body), (other, node.orelse)):
            if lines:
                self.begin(label)
                self.block_of(lines)
                self.jump(after)
        self.begin(after)

    def do_While(self, node: ast.While) -> None:
        test, body, after = self.label(), self.label(), self.label()
        self.begin(test)
        self.branch(node.test, body, after)
        self._loop(body, node.body, test, after)
        self.jump(test)
        self.begin(after)

    def _loop(self, label: str, lines: Sequence[ast.stmt], again: str, after: str) -> None:
        self.begin(label)
        self.loops.append((again, after))
        self.block_of(lines)
        self.loops.pop()

    def do_For(self, node: ast.For) -> None:
        if not isinstance(node.iter, ast.Call):
            self._for_each(node)
            return
        assert isinstance(node.target, ast.Name)
        bounds = [self.number(bound, 64) for bound in node.iter.args]
        start, stop = ("0", bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = bounds[2] if len(bounds) > 2 else "1"
        test, body, onward, after = self.label(), self.label(), self.label(), self.label()
        place = self.place(f"{test}.at", 64)
        self.out.append(f"  store i64 {start}, ptr {place}")
        self.begin(test)
        at = self.op(f"load i64, ptr {place}")
        more = self.op(f"icmp {'sgt' if step.startswith('-') else 'slt'} i64 {at}, {stop}")
        self.out.append(f"  br i1 {more}, label %{body}, label %{after}")
        self.ended = True
        self.out.append(f"{body}:")
        self.ended = False
        self.put(node.target.id, Value(at, 64))
        self.loops.append((onward, after))
        self.block_of(node.body)
        self.loops.pop()
        self.begin(onward)
        self.out.append(f"  store i64 {self.op(f'add i64 {at}, {step}')}, ptr {place}")
        self.jump(test)
        self.begin(after)

    def _for_each(self, node: ast.For) -> None:
        """The body once for each row of a table that is known."""
        after = self.label()
        for row in self._known(node.iter):
            onward = self.label()
            self._unpack(node.target, row)
            self.loops.append((onward, after))
            self.block_of(node.body)
            self.loops.pop()
            self.begin(onward)
        self.begin(after)

    def _known(self, node: ast.expr) -> tuple[Any, ...]:
        if isinstance(node, ast.Name):
            row = self.rows[node.id]
            assert isinstance(row, Known)
            return row.value
        found = ast.literal_eval(node)
        assert isinstance(found, tuple)
        return found

    def _unpack(self, target: ast.expr, value: Any) -> None:
        """Give names to the parts of what is known."""
        if isinstance(target, ast.Tuple):
            for part, its in zip(target.elts, value, strict=True):
                self._unpack(part, its)
        else:
            assert isinstance(target, ast.Name)
            if isinstance(value, tuple):
                self.rows[target.id] = Known(value)
            else:
                self.put(target.id, Value(str(value), 64))

    def do_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._give(target, node.value)

    def _give(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple):
            self._give_parts(target, value)
        elif isinstance(value, ast.Dict):
            assert isinstance(target, ast.Name)
            self.arrays[target.id] = f"%v.{target.id}"
            self.places[target.id] = f"  %v.{target.id} = alloca [{max(self.unit.size, 128)} x i{self.unit.cell}], align 16"
        else:
            self._store(target, value)

    def _give_parts(self, target: ast.Tuple, value: ast.expr) -> None:
        if isinstance(value, ast.IfExp):
            self.do_If(ast.If(value.test, [ast.Assign([target], value.body)], [ast.Assign([target], value.orelse)]))
        elif isinstance(value, ast.Tuple):
            for part, found in zip(target.elts, [self.value(its) for its in value.elts], strict=True):
                assert isinstance(part, ast.Name)
                self.put(part.id, found)
        elif isinstance(value, ast.Call):
            for part, found in zip(target.elts, self.call(value), strict=True):
                assert isinstance(part, ast.Name)
                self.put(part.id, found)
        else:
            self._unpack(target, self._known(value))

    def _store(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            bits = self.bits_of(target.id)
            self.put(target.id, Value(self.number(value, bits), bits))
            return
        assert isinstance(target, ast.Subscript)
        bits, cell = self.bits_at(target), self.unit.cell
        found = Value(self.number(value, bits), bits)
        place = self.address(target)
        self.out.append(f"  store i{cell} {self.as_wide(found, cell)}, ptr {place}, align 8")

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        read = ast.Name(node.target.id, ast.Load()) if isinstance(node.target, ast.Name) else node.target
        self._store(node.target, ast.BinOp(read, node.op, node.value))
