"""Folded statements -> Python statements on the flat state: variables, where play goes next, control."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from durak_dsl.compiler.conditions import SETTING
from durak_dsl.compiler.dealing import Dealing
from durak_dsl.compiler.layout import ACTOR, NODE, OVER, SEATS
from durak_dsl.compiler.quote import put_at, quote, quote_lines
from durak_dsl.compiler.unit import Unit
from durak_dsl.language.ir import NO_NUMBER, NONE, Block, Expr, Statement
from durak_dsl.language.types import PLAYER

AGAIN = -2
MOVING = {"move", "draw", "deal", "do"}
SEATS_IN_ORDER = ("everyone", "from", "after")
CONTROL = {"if", "each", "repeat"}  # these see to it themselves

V = TypeVar("V")


class Effects(Dealing):
    """Emits statements; `here` is the phase that `stay` means."""

    def __init__(self, unit: Unit, path: str, here: int | None = None):
        super().__init__(unit, path)
        self.here = here
        self.as_before = False  # whether what the phase asked of the table when its actor was found is still so

    def block(self, block: Iterable[Statement]) -> None:
        """Append the statements of a block."""
        for statement in block:
            start = len(self.out)
            getattr(self, "do_" + statement.op.replace(" ", "_"))(statement)
            for made in self.out[start:]:
                put_at(made, statement.at, self.path)
            if statement.op not in CONTROL:
                self._forget_what_changes((statement,))

    def nested(self, block: Block) -> list[ast.stmt]:
        """The statements of an inner block."""
        with self.inside() as made:
            self.block(block)
        return made or [ast.Pass()]

    # ---- variables ------------------------------------------------------------------------------------------------

    def do_assign(self, statement: Statement) -> None:
        variable = self.rules.variables[str(statement.data)]
        value = statement.args[0]
        place = self.layout.variables[variable.name]
        seat = self.expr(statement.args[1]) if len(statement.args) > 1 else None
        if variable.type.kind == "yes/no" and not variable.type.maybe:
            if seat is None:
                self.add("s[k] = x", k=place, x=self.flag(value))
            elif value.op == "const":
                self.add("s[k] |= 1 << p" if value.data else "s[k] &= ~(1 << p)", k=place, p=seat)
            else:
                self.add("s[k] = s[k] & ~(1 << p) | x << p", k=place, p=self.named(seat), x=self.flag(value))
            return
        made = self.expr(value)
        kind = variable.type
        if kind.kind == "number" and not (kind.low <= value.type.low and value.type.high <= kind.high):
            made = self.named(made)
            message = f"'{variable.name}' goes from {kind.low} to {kind.high}"
            fault = self.unit.fault(message, statement.at)
            template = "if not low <= x <= high: fault(f, x)"
            if value.type.maybe:
                template = "if x != none and not low <= x <= high: fault(f, x)"
            elif kind.low <= value.type.low:
                template = "if x > high: fault(f, x)"
            self.add(template, x=made, none=NO_NUMBER, low=kind.low, high=kind.high, f=fault)
        if variable.name in self.layout.nones:
            assert seat is not None
            seat, made = self.named(seat), self.named(made)
            self._note_none(self.layout.nones[variable.name], seat, made, value)
        target = self.slot(place, seat)
        assert isinstance(target, ast.Subscript)
        target.ctx = ast.Store()
        self.out.append(ast.Assign([target], made))

    do_announce = do_assign

    def _note_none(self, place: int, seat: ast.expr, made: ast.expr, value: Expr) -> None:
        """Keep the mask of the seats where a value is none."""
        if not value.type.maybe:
            self.add("s[k] &= ~(1 << p)", k=place, p=seat)
            return
        test = self.is_none(made, value.type.kind)
        self.when(test, quote_lines("s[k] |= 1 << p", k=place, p=seat), quote_lines("s[k] &= ~(1 << p)", k=place, p=seat))

    def do_let(self, statement: Statement) -> None:
        assert isinstance(statement.data, int)
        value = statement.args[0]
        self.shown -= {statement.data}
        if value.type.kind in ("card", "cards"):
            origin = self.origin(value)
            if origin is not None:
                self.origins[statement.data] = origin
        self.add("v = x", v=f"v{statement.data}", x=self.flag(value) if value.type.kind == "yes/no" else self.expr(value))

    def do_clear(self, statement: Statement) -> None:
        variable = self.rules.variables[str(statement.data)]
        place = self.layout.variables[variable.name]
        if variable.each and not self.layout.spread(variable):
            self.add("s[k] = (1 << s[n]) - 1" if variable.start else "s[k] = 0", k=place, n=SEATS)
            return
        for seat in range(self.layout.seats if variable.each else 1):
            self.add("s[k] = x", k=place + seat, x=variable.start)
        if variable.name in self.layout.nones:
            is_none = variable.start in (NONE, NO_NUMBER)
            self.add("s[k] = (1 << s[n]) - 1" if is_none else "s[k] = 0", k=self.layout.nones[variable.name], n=SEATS)

    # ---- where play goes next -------------------------------------------------------------------------------------

    def do_go(self, statement: Statement) -> None:
        self.go(self.unit.phases.index(str(statement.data)))

    def go(self, node: int) -> None:
        """Go to a phase, and find who acts in it."""
        actor = self.unit.actors[node]
        self.add("s[n] = x", n=NODE, x=node)
        if actor.op == "read" and not actor.type.maybe and not actor.args:
            self.add("s[a] = x\nreturn n", a=ACTOR, x=self.expr(actor), n=node)
        else:
            again = self.as_before and node == self.here
            self.unit.entered_again |= {node} if again else set()
            enter = ast.Name(f"again_{node}" if again else f"enter_{node}", ast.Load())
            watch = [ast.Name("w", ast.Load())] if self.unit.watched else []
            self.add("return call", call=ast.Call(enter, [ast.Name("s", ast.Load()), *watch], []))

    def do_stay(self, statement: Statement) -> None:
        assert self.here is not None
        self.go(self.here)

    def do_end(self, statement: Statement) -> None:
        self.add("s[n] = over\ns[a] = -1\nreturn over", n=NODE, a=ACTOR, over=OVER)

    def do_again(self, statement: Statement) -> None:
        self.add("s[n] = again\ns[a] = -1\nreturn again", n=NODE, a=ACTOR, again=AGAIN)

    def do_do(self, statement: Statement) -> None:
        name = str(statement.data)
        args = [self.named(self.expr(arg)) for arg in statement.args]
        watch = [ast.Name("w", ast.Load())] if self.unit.watched else []
        call = ast.Call(ast.Name(self.unit.procedures[name], ast.Load()), [ast.Name("s", ast.Load()), *args, *watch], [])
        ways = self.unit.endings.procedure(name)
        if ways.ends and not ways.falls:
            self.add("return call", call=call)
        elif ways.ends:
            next_node = self.temp()
            self.add("n = call\nif n is not None: return n", n=next_node, call=call)
        else:
            self.out.append(ast.Expr(call))

    # ---- control --------------------------------------------------------------------------------------------------

    def do_if(self, statement: Statement) -> None:
        self._branch(statement.args, statement.blocks)

    def _branch(self, conditions: tuple[Expr, ...], blocks: tuple[Block, ...]) -> None:
        test = self.expr(conditions[0])
        origins, heights, shown = dict(self.origins), dict(self.heights), self.shown
        body = self.nested(blocks[0])
        after = dict(self.origins), dict(self.heights)
        shown, self.shown = self.shown, shown
        self.origins, self.heights = origins, heights
        with self.inside() as otherwise:
            if len(conditions) > 1:
                self._branch(conditions[1:], blocks[1:])
            elif len(blocks) > 1:
                self.block(blocks[1])
        self.shown &= shown
        self.origins, self.heights = _common(self.origins, after[0]), _common(self.heights, after[1])
        if all(isinstance(line, ast.Pass) for line in body) and otherwise:
            self.when(quote("not x", x=test), otherwise)
        else:
            self.when(test, body, otherwise)

    def do_each(self, statement: Statement) -> None:
        assert isinstance(statement.data, int)
        domain, block = statement.args[0], statement.blocks[0]
        origin = self.origin(domain) if domain.type.kind in ("cards", "set", "stack") else None
        with self.again(block):
            # What moves in one round does not lie there in the next; but each round may move its own card.
            if origin is not None and _is_fixed(origin) and _moves_at_most_once(block):
                self.origins[statement.data] = origin
            where = statement.args[1]
            if domain.op in SEATS_IN_ORDER:
                asked, body_of = _asked_first(where, block, statement.data)
                if any(part.op != "!=" for part in (asked.args if asked.op == "and" else (asked,))) and asked.op != "const":
                    with self.seat_loop(domain, statement.data, asked) as made:
                        if made:
                            self.block(body_of)
                    if made:
                        return
            if domain.op in SEATS_IN_ORDER and where.op != "const":  # who they are is settled before the first round
                chosen = self.temp()
                self.add("m = 0", m=chosen)
                with self.loop(domain, statement.data, where):
                    self.add("m |= 1 << v", m=chosen, v=f"v{statement.data}")
                with self.loop(domain, statement.data, replace(where, op="const", args=(), data=1)):
                    with self.inside() as body:
                        self.block(block)
                    self.when(quote("m >> v & 1", m=chosen, v=f"v{statement.data}"), body)
                return
            with self.loop(domain, statement.data, where):
                self.block(block)

    def do_repeat(self, statement: Statement) -> None:
        times = self.expr(statement.args[0])
        with self.again(statement.blocks[0]):
            body = self.nested(statement.blocks[0])
        self.out.append(ast.For(ast.Name(self.temp(), ast.Store()), quote("range(n)", n=times), body, []))

    @contextmanager
    def again(self, block: Block) -> Iterator[None]:
        """The body of a loop: what it moves or sets is so already when it is run once more, and perhaps afterwards."""
        self._forget_what_changes(block)
        shown = self.shown
        yield
        self.shown = shown
        self._forget_what_changes(block)

    def _forget_what_changes(self, block: Block) -> None:
        ops = {inner.op for statement in block for inner in statement.walk()}
        if ops & MOVING:
            self.forget()
        elif ops & SETTING:
            self.origins = {local: zone for local, zone in self.origins.items() if _is_fixed(zone)}


def _asked_first(where: Expr, block: Block, local: int) -> tuple[Expr, Block]:
    """The condition of a loop over players; or the one that its body begins with, where no round changes what it says in another."""
    if where.op != "const" or not where.data or len(block) != 1 or block[0].op != "if" or len(block[0].args) + len(block[0].blocks) != 2:
        return where, block
    condition, inner = block[0].args[0], block[0].blocks[0]
    everything = [statement for top in inner for statement in top.walk()]
    if any(statement.op not in SETTING or statement.op == "clear" for statement in everything):
        return where, block
    own = (Expr("local", PLAYER, data=local),)
    elsewhere = {node.data for node in condition.walk() if node.op == "read" and node.args != own}
    for statement in everything:
        if statement.data in elsewhere or (statement.args[1:] != own and statement.data in {node.data for node in condition.walk()}):
            return where, block
    return condition, inner


def _moves_at_most_once(block: Block) -> bool:
    """Whether a block moves nothing, or is one movement."""
    return (len(block) == 1 and block[0].op == "move") or not any(inner.op in MOVING for statement in block for inner in statement.walk())


def _is_fixed(zone: Expr) -> bool:
    """Whether a zone stays the same when variables are set: it is the table's, or that of a seat that has a name of its own."""
    return all(arg.op in ("local", "const") for arg in zone.args)


def _common(one: dict[int, V], other: dict[int, V]) -> dict[int, V]:
    """What both say."""
    return {key: value for key, value in one.items() if other.get(key) == value}
