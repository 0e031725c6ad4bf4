"""Folded expressions -> Python trees. What needs a loop is put before as statements; the rest is one expression."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from durak_dsl.compiler.fold import mentions
from durak_dsl.compiler.layout import FACE_DOWN, SEATS, Layout
from durak_dsl.compiler.quote import put_at, quote, quote_lines
from durak_dsl.compiler.tabulate import Table, heights, index_parts, table
from durak_dsl.language.ir import NO_NUMBER, NONE, Expr, Rules, Zone
from durak_dsl.language.totality import Endings
from durak_dsl.language.types import PLAYER, Type
from durak_dsl.problems import Span

# An input of a table may be worked out again where it is cheap; a condition of fewer parts is not worth a table.
SMALLEST_TABULATED = 6

# What may be worked out even where a test before would have passed over it.
HARMLESS = ("top", "bottom", "under", "read", "rank", "suit", "size", "count")

_SIGNS = {"==": "a == b", "!=": "a != b", "<": "a < b", "<=": "a <= b", ">": "a > b", ">=": "a >= b", "+": "a + b", "-": "a - b", "*": "a * b"}
_EMPTINESS = {">": "m != 0", "!=": "m != 0", "==": "m == 0", "<=": "m == 0"}
_SIMPLE = {
    "negative": "-a",
    "odd": "a & 1",
    "even": "1 - (a & 1)",
    "union": "a | b",
    "minus": "a & ~b",
    "min": "a if a < b else b",
    "max": "a if a > b else b",
}


@dataclass
class Unit:
    """What the functions of one program share: rules, layout, tables, faults; `watched`: whether card movements are told."""

    rules: Rules
    layout: Layout
    watched: bool
    actors: tuple[Expr, ...] = ()
    procedures: dict[str, str] = field(default_factory=dict)
    turns_cards: bool = False
    search_local: int = -1
    tables: dict[tuple[int, ...], int] = field(default_factory=dict)
    described: list[Table] = field(default_factory=list)
    faults: list[tuple[str, Span | None]] = field(default_factory=list)
    made: dict[tuple[Expr, int], Table | None] = field(default_factory=dict)

    def table_name(self, made: Table) -> str:
        """The name of the table in the emitted module."""
        number = self.tables.setdefault(made.masks, len(self.tables))
        if number == len(self.described):
            self.described.append(made)
        return f"T{number}"

    def fault(self, message: str, span: Span | None) -> int:
        """The number under which emitted code raises this fault."""
        self.faults.append((message, span))
        return len(self.faults) - 1

    def __post_init__(self) -> None:
        self.phases = list(self.rules.phases)
        self.endings = Endings(self.rules)

    def zone(self, zone: Zone, seat: Expr | None = None) -> Expr:
        """A zone as an expression; of a seat, where each player has one."""
        return Expr("zone", Type(zone.kind, zone=zone.name), (seat,) if seat is not None and zone.each else (), zone.name)

    @property
    def seat(self) -> Expr:
        """A local for a seat that emitted code goes through by itself."""
        return Expr("local", PLAYER, data=self.search_local)

    @property
    def width(self) -> int:
        """How many cards a rank has."""
        return len(self.rules.deck.suits) * self.rules.deck.copies

    @property
    def cards(self) -> int:
        """How many cards the whole grid has."""
        return self.rules.deck.grid * self.rules.deck.copies


class Emitter:
    """Emits the body of one function; `path` is the rule file whose lines its nodes bear."""

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
        return quote("k + p * w", k=place, p=self.expr(zone.args[0]), w=width) if width != 1 else quote("k + p", k=place, p=self.expr(zone.args[0]))

    def zone_slot(self, zone: Expr) -> ast.expr:
        """The first place of a zone: the mask of a set, the size of a stack."""
        seat = self.expr(zone.args[0]) if zone.args else None
        return self.slot(self.layout.zones[str(zone.data)], seat, self.layout.width(self.rules.zones[str(zone.data)]))

    def zone_of(self, expr: Expr) -> Zone:
        """The zone that a zone or pile belongs to."""
        return self.rules.zones[expr.type.zone]

    # ---- expressions ----------------------------------------------------------------------------------------------

    def expr(self, expr: Expr) -> ast.expr:
        """The tree of the value."""
        method: Callable[[Expr], ast.expr] | None = getattr(self, "_" + expr.op.replace(" ", "_"), None)
        if method is not None:
            made = method(expr)
        elif expr.op in _EMPTINESS and self._is_size(expr.args[0]) and expr.args[1].op == "const" and expr.args[1].data == 0:
            made = quote(_EMPTINESS[expr.op], m=self.mask(expr.args[0].args[0]))
        elif expr.op in _SIGNS:
            made = quote(_SIGNS[expr.op], a=self.expr(expr.args[0]), b=self.expr(expr.args[1]))
        elif expr.op in ("min", "max"):
            made = quote(_SIMPLE[expr.op], a=self.named(self.expr(expr.args[0])), b=self.named(self.expr(expr.args[1])))
        elif expr.op in _SIMPLE:
            made = quote(_SIMPLE[expr.op], **{name: self.expr(arg) for name, arg in zip("ab", expr.args, strict=False)})
        else:
            raise AssertionError(f"no code for '{expr.op}'")
        put_at(made, expr.at, self.path)
        return made

    def _is_size(self, expr: Expr) -> bool:
        """Whether this counts the bits of a mask."""
        if expr.op == "size":
            return expr.args[0].type.kind in ("set", "row")
        return expr.op == "count" and expr.args[0].op not in ("zone", "everyone")

    def flag(self, expr: Expr) -> ast.expr:
        """The tree of a yes/no value as 0 or 1, for the state."""
        if expr.op == "const":
            return self.expr(expr)
        return quote("1 if x else 0", x=self.expr(expr))

    def _const(self, expr: Expr) -> ast.expr:
        assert isinstance(expr.data, int)
        return quote("x", x=expr.data)

    def _local(self, expr: Expr) -> ast.expr:
        return ast.Name(f"v{expr.data}", ast.Load())

    def _read(self, expr: Expr) -> ast.expr:
        variable = self.rules.variables[str(expr.data)]
        place = self.layout.variables[variable.name]
        if not expr.args:
            return self.slot(place)
        seat = self.expr(expr.args[0])
        return self.slot(place, seat) if self.layout.spread(variable) else quote("s[k] >> p & 1", k=place, p=seat)

    def _let(self, expr: Expr) -> ast.expr:
        self.add("name = value", name=f"v{expr.data}", value=self.expr(expr.args[0]))
        return self.expr(expr.args[1])

    # ---- logic ----------------------------------------------------------------------------------------------------

    def _and(self, expr: Expr) -> ast.expr:
        return self._junction(expr, ast.And())

    def _or(self, expr: Expr) -> ast.expr:
        return self._junction(expr, ast.Or())

    def _junction(self, expr: Expr, op: ast.boolop) -> ast.expr:
        if (tabulated := self._tabulated(expr)) is not None:
            return tabulated
        values = [self.expr(expr.args[0])]
        for position, arg in enumerate(expr.args[1:], 1):
            with self.inside() as before:
                value = self.expr(arg)
            if not before:
                values.append(value)
                continue
            name = self.temp()
            so_far = values[0] if len(values) == 1 else ast.BoolOp(op, values)
            self.add("name = value", name=name, value=so_far)
            with self.inside() as rest:
                self.out += before
                remaining = [value]
                for later in expr.args[position + 1 :]:
                    with self.inside() as more:
                        following = self.expr(later)
                    if more:
                        self.add("name = value", name=name, value=self._joined(op, remaining))
                        test = quote("name" if isinstance(op, ast.And) else "not name", name=name)
                        self.out.append(ast.If(test, [*more, *quote_lines("name = value", name=name, value=following)], []))
                        remaining = [ast.Name(name, ast.Load())]
                    else:
                        remaining.append(following)
                self.add("name = value", name=name, value=self._joined(op, remaining))
            self.when(quote("name" if isinstance(op, ast.And) else "not name", name=name), rest)
            return ast.Name(name, ast.Load())
        return self._joined(op, values)

    def _joined(self, op: ast.boolop, values: list[ast.expr]) -> ast.expr:
        return values[0] if len(values) == 1 else ast.BoolOp(op, values)

    def _tabulated(self, expr: Expr) -> ast.expr | None:
        """A condition on a card that is pure: one look into a table instead."""
        if sum(1 for _ in expr.walk()) < SMALLEST_TABULATED:
            return None
        for node in expr.walk():
            if node.type.kind == "card" and not node.type.maybe and node.op == "local":
                assert isinstance(node.data, int)
                made = self._table(expr, node.data)
                if made is not None and len(made.inputs) <= 3:
                    return quote("row >> card & 1", row=self._row(made), card=self.expr(node))
        return None

    def _table(self, condition: Expr, local: int) -> Table | None:
        key = (condition, local)
        if key not in self.unit.made:
            self.unit.made[key] = table(condition, local, range(self.unit.cards), self.rules)
        return self.unit.made[key]

    def _row(self, made: Table) -> ast.expr:
        if len(made.masks) == 1:
            return quote("x", x=made.masks[0])
        index: ast.expr | None = None
        offset = 0
        for expr, low, step in index_parts(made):
            value = self.expr(expr)
            part = value if step == 1 else quote("x * k", x=value, k=step)
            index = part if index is None else quote("a + b", a=index, b=part)
            offset -= low * step
        assert index is not None
        if offset:
            index = quote("a + k", a=index, k=offset)
        return quote("T[i]", T=self.unit.table_name(made), i=index)

    def _not(self, expr: Expr) -> ast.expr:
        return quote("not x", x=self.expr(expr.args[0]))

    def _if(self, expr: Expr) -> ast.expr:
        test = self.expr(expr.args[0])
        with self.inside() as first:
            one = self.expr(expr.args[1])
        with self.inside() as second:
            two = self.expr(expr.args[2])
        if not first and not second:
            return quote("a if c else b", a=one, b=two, c=test)
        name = self.temp()
        first += quote_lines("name = value", name=name, value=one)
        second += quote_lines("name = value", name=name, value=two)
        self.when(test, first, second)
        return ast.Name(name, ast.Load())

    def _either(self, expr: Expr) -> ast.expr:
        name = self.temp()
        self.add("name = value", name=name, value=self.expr(expr.args[0]))
        for arg in expr.args[1:]:
            with self.inside() as block:
                self.add("name = value", name=name, value=self.expr(arg))
            self.when(self.is_none(ast.Name(name, ast.Load()), expr.type.kind), block)
        return ast.Name(name, ast.Load())

    def is_none(self, value: ast.expr, kind: str) -> ast.expr:
        """The test whether a value of that kind is none."""
        return quote("x == k", x=value, k=NO_NUMBER) if kind == "number" else quote("x < 0", x=value)

    def _is_none(self, expr: Expr) -> ast.expr:
        return self.is_none(self.expr(expr.args[0]), expr.args[0].type.kind)

    def _in(self, expr: Expr) -> ast.expr:
        item, group = expr.args
        if group.op == "ranks of" and item.op == "rank":
            cards = self.mask(group.args[0])
            return quote("m >> c & 1", m=self.same_ranks(cards), c=self.expr(item.args[0]))
        mask = self.mask(group)
        value = self.expr(item)
        if item.type.maybe:
            value = self.named(value)
            return quote("x >= 0 and m >> x & 1", x=value, m=mask)
        return quote("m >> x & 1", m=mask, x=value)

    # ---- cards ----------------------------------------------------------------------------------------------------

    def _rank(self, expr: Expr) -> ast.expr:
        return quote("c // w", c=self.expr(expr.args[0]), w=self.unit.width)

    def _suit(self, expr: Expr) -> ast.expr:
        deck = self.rules.deck
        card = self.expr(expr.args[0])
        return quote("c % w", c=card, w=self.unit.width) if deck.copies == 1 else quote("c % w // k", c=card, w=self.unit.width, k=deck.copies)

    def _pips(self, expr: Expr) -> ast.expr:
        pips = tuple(int(rank) if rank.isdigit() else 0 for rank in self.rules.deck.ranks)
        made = Table((expr.args[0],), (len(pips),), (0,), pips, expr)
        return quote("T[i]", T=self.unit.table_name(made), i=self.expr(expr.args[0]))

    def _team(self, expr: Expr) -> ast.expr:
        return quote("p % n", p=self.expr(expr.args[0]), n=self.rules.teams)

    def _left(self, expr: Expr) -> ast.expr:
        return quote("(p + 1) % s[n]", p=self.expr(expr.args[0]), n=SEATS)

    def _right(self, expr: Expr) -> ast.expr:
        return quote("(p - 1) % s[n]", p=self.expr(expr.args[0]), n=SEATS)

    def _size(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.type.kind == "pile":
            return self.slot(self.layout.pile_heights(of.type.zone), self.expr(of))
        if of.type.kind == "stack":
            return self.zone_slot(of)
        return quote("m.bit_count()", m=self.mask(of))

    def _count(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.type.kind == "row" and of.op == "zone":
            return self.slot(self.layout.pile_count(of.type.zone))
        if of.op == "everyone":
            return self.slot(SEATS)
        return quote("m.bit_count()", m=self.mask(of))

    def _top(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.type.kind == "stack":
            base = self.named(self.base(of))
            return quote("s[b + s[b]] if s[b] else -1", b=base)
        return self.pile_card(of, "s[h] - 1", "s[h + i] - 1")

    def _bottom(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.type.kind == "stack":
            base = self.named(self.base(of))
            return quote("s[b + 1] if s[b] else -1", b=base)
        return self.pile_card(of, "0", "0")

    def _under(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.type.kind == "stack":
            base = self.named(self.base(of))
            return quote("s[b + s[b] - 1] if s[b] > 1 else -1", b=base)
        index = self.named(self.expr(of))
        height = self.slot(self.layout.pile_heights(of.type.zone), index)
        return quote("card if h > 1 else -1", h=height, card=self.pile_card(of, "s[h] - 2", "s[h + i] - 2", index))

    def pile_card(self, pile: Expr, at_fixed: str, at: str, index: ast.expr | None = None) -> ast.expr:
        """The card of a pile at a height that the template works out from `h`, the place of the heights, and `i`, the pile."""
        zone = self.zone_of(pile)
        index = index if index is not None else self.named(self.expr(pile))
        known = self.heights.get(pile.data) if pile.op == "local" and isinstance(pile.data, int) else None
        if known is not None and at.startswith("s[h + i]"):
            place = self.layout.piles(zone.name) + known - int(at.split()[-1])
            return quote("s[k + i * w]", k=place, i=index, w=zone.high)
        level = quote(at, h=self.layout.pile_heights(zone.name), i=index)
        return quote("s[k + i * w + level]", k=self.layout.piles(zone.name), i=index, w=zone.high, level=level)

    def _holder(self, expr: Expr) -> ast.expr:
        card = self.named(self.expr(expr.args[0]))
        found, seat = self.temp(), self.temp()
        self.add("found = -1", found=found)
        body: list[ast.stmt] = []
        for zone in self.rules.zones.values():
            if zone.each:
                place, width = self.layout.zones[zone.name], self.layout.width(zone)
                mask = quote("s[k + p]", k=place, p=seat) if zone.kind == "set" else quote("stack_cards(s, k + p * w)", k=place, p=seat, w=width)
                body += quote_lines("if mask >> card & 1:\n    found = p", mask=mask, card=card, found=found, p=seat)
        self.out.append(ast.For(ast.Name(seat, ast.Store()), quote("range(s[n])", n=SEATS), body, []))
        return ast.Name(found, ast.Load())

    def _random(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.op == "everyone":
            return self._chance(quote("below(s, s[n])", n=SEATS))
        mask = self.named(self.mask(of))
        return self._chance(quote("kth(m, below(s, m.bit_count()))", m=mask))

    def _chance(self, value: ast.expr) -> ast.expr:
        return value

    def _lowest(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.op == "ranks of":  # cards are numbered rank by rank: the lowest rank is that of the lowest card
            return quote("((m & -m).bit_length() - 1) // w", m=self.named(self.mask(of.args[0])), w=self.unit.width)
        return quote("(m & -m).bit_length() - 1", m=self.named(self.mask(of)))

    def _highest(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.op == "ranks of":
            return quote("(m.bit_length() - 1) // w", m=self.mask(of.args[0]), w=self.unit.width)
        return quote("m.bit_length() - 1", m=self.mask(of))

    # ---- sets as masks --------------------------------------------------------------------------------------------

    def mask(self, expr: Expr) -> ast.expr:
        """The tree of a set, zone or collection as a mask."""
        if expr.type.kind == "stack" and expr.op == "zone":
            made = quote("stack_cards(s, b)", b=self.base(expr))
        elif expr.type.kind == "row" and expr.op == "zone":
            made = self.slot(self.layout.pile_cards(expr.type.zone))
        elif expr.type.kind == "set":
            made = self.zone_slot(expr)
        else:
            made = self.expr(expr)
        put_at(made, expr.at, self.path)
        return made

    def _zone(self, expr: Expr) -> ast.expr:
        return self.mask(expr)

    def _cards(self, expr: Expr) -> ast.expr:
        of = expr.args[0]
        if of.type.kind == "card":
            value = self.expr(of)
            if not of.type.maybe:
                return quote("1 << c", c=value)
            value = self.named(value)
            return quote("1 << c if c >= 0 else 0", c=value)
        if of.type.kind in ("pile", "piles"):
            zone = self.zone_of(of)
            if of.type.kind == "pile":
                index = self.named(self.expr(of))
                return self._pile_mask(zone, index)
            total, name = self.temp(), self.temp()
            self.add("total = 0", total=total)
            with self.bit_loop(name, self.mask(of)):
                self.add("total |= cards", total=total, cards=self._pile_mask(zone, ast.Name(name, ast.Load())))
            return ast.Name(total, ast.Load())
        return self.mask(of)

    def _pile_mask(self, zone: Zone, index: ast.expr) -> ast.expr:
        height = self.slot(self.layout.pile_heights(zone.name), index)
        return quote("pile_cards(s, k + i * w, h)", k=self.layout.piles(zone.name), i=index, w=zone.high, h=height)

    def _known(self, expr: Expr) -> ast.expr:
        return quote("m & ~s[k]", m=self.mask(expr.args[0]), k=FACE_DOWN)

    def _all(self, expr: Expr) -> ast.expr:
        zone = self.rules.zones[str(expr.data)]
        place, width = self.layout.zones[zone.name], self.layout.width(zone)
        total: ast.expr | None = None
        for seat in range(self.layout.seats):
            start = place + seat * width
            part = quote("s[k]", k=start) if zone.kind == "set" else quote("stack_cards(s, k)", k=start)
            total = part if total is None else quote("a | b", a=total, b=part)
        assert total is not None
        return total

    def _deck(self, expr: Expr) -> ast.expr:
        return quote("DECK")

    def _ranks_of(self, expr: Expr) -> ast.expr:
        return quote("ranks_of(m, w)", m=self.mask(expr.args[0]), w=self.unit.width)

    def _suits_of(self, expr: Expr) -> ast.expr:
        return quote("suits_of(m, w, k)", m=self.mask(expr.args[0]), w=self.unit.width, k=self.rules.deck.copies)

    def _everyone(self, expr: Expr) -> ast.expr:
        return quote("(1 << s[n]) - 1", n=SEATS)

    _from = _everyone

    def _after(self, expr: Expr) -> ast.expr:
        return quote("(1 << s[n]) - 1 & ~(1 << p)", n=SEATS, p=self.expr(expr.args[0]))

    def _every_suit(self, expr: Expr) -> ast.expr:
        return quote("m", m=(1 << len(self.rules.deck.suits)) - 1)

    def _every_rank(self, expr: Expr) -> ast.expr:
        return quote("m", m=(1 << len(self.rules.deck.ranks)) - 1)

    def _every_team(self, expr: Expr) -> ast.expr:
        return quote("m", m=(1 << self.rules.teams) - 1)

    def same_ranks(self, cards: ast.expr) -> ast.expr:
        """All cards of the ranks of these cards."""
        width = self.unit.width
        if width != 4:
            return quote("spread_ranks(m, w)", m=cards, w=width)
        lowest = sum(1 << rank * 4 for rank in range(len(self.rules.deck.ranks)))
        name = self.temp()
        self.add("t = m\nt |= t >> 1", t=name, m=cards)
        return quote("((t | t >> 2) & low) * 15", t=name, low=lowest)

    # ---- conditions on an element as masks ------------------------------------------------------------------------

    def where(self, condition: Expr, local: int, domain: Expr) -> ast.expr:
        """The mask of the elements of a domain for which a condition on the local holds."""
        condition = self._lets_before(condition, local)
        if domain.type.kind == "row":
            return self._piles_where(condition, local, domain)
        if domain.op in ("everyone", "from", "after"):
            return self._gathered(condition, local, domain)
        whole = self.mask(domain)
        if condition.op == "const":
            return whole if condition.data else quote("0")
        parts = condition.args if condition.op == "and" else (condition,)
        fixed = [part for part in parts if not mentions(part, local)]
        varying = [part for part in parts if mentions(part, local)]
        if fixed:
            name = self.temp()
            self.add("m = 0", m=name)
            test = self.expr(fixed[0] if len(fixed) == 1 else Expr("and", condition.type, tuple(fixed), at=condition.at))
            with self.inside() as block:
                self.add("m = value", m=name, value=self._narrowed(whole, varying, local, domain))
            self.when(test, block)
            return ast.Name(name, ast.Load())
        return self._narrowed(whole, varying, local, domain)

    def _lets_before(self, condition: Expr, local: int) -> Expr:
        """The condition without the lets that do not depend on the local: they are worked out once, before."""
        if condition.op == "let" and condition.args[0].op in HARMLESS and not mentions(condition.args[0], local):
            self.add("name = value", name=f"v{condition.data}", value=self.expr(condition.args[0]))
            return self._lets_before(condition.args[1], local)
        if condition.op == "and":
            return condition.with_args(tuple(self._lets_before(arg, local) for arg in condition.args))
        return condition

    def _narrowed(self, whole: ast.expr, parts: list[Expr], local: int, domain: Expr) -> ast.expr:
        rest: list[Expr] = []
        if domain.type.kind in ("cards", "set", "stack"):
            together = parts[0] if len(parts) == 1 else Expr("and", parts[0].type, tuple(parts)) if parts else None
            if together is not None and (made := self._table(together, local)) is not None:
                return quote("a & b", a=whole, b=self._row(made))
            for part in parts:
                mask = self._as_mask(part, local)
                if mask is None:
                    rest.append(part)
                else:
                    whole = quote("a & b", a=whole, b=mask)
        else:
            rest = parts
        if not rest:
            return whole
        condition = rest[0] if len(rest) == 1 else Expr("and", rest[0].type, tuple(rest), at=rest[0].at)
        total = self.temp()
        self.add("total = 0", total=total)
        with self.bit_loop(f"v{local}", whole):
            test = self.expr(condition)
            self.when(test, quote_lines("total |= 1 << v", total=total, v=f"v{local}"))
        return ast.Name(total, ast.Load())

    def _as_mask(self, condition: Expr, local: int) -> ast.expr | None:
        """All cards for which the condition holds, as a mask; None where only trying each will tell."""
        made = self._table(condition, local)
        if made is not None:
            return self._row(made)
        if condition.op == "in":
            item, group = condition.args
            if item.op == "local" and not mentions(group, local):
                return self.mask(group)
            if item.op == "rank" and item.args[0].op == "local" and item.args[0].data == local and group.op == "ranks of" and not mentions(group, local):
                return self.same_ranks(self.mask(group.args[0]))
            if item.op == "rank" and item.args[0].op == "local" and item.args[0].data == local and not mentions(group, local):
                return quote("cards_of_ranks(m, w)", m=self.mask(group), w=self.unit.width)
            return None
        if condition.op == "not":
            inner = self._as_mask(condition.args[0], local)
            return None if inner is None else quote("~m", m=inner)
        if condition.op in ("and", "or"):
            masks = [self._as_mask(arg, local) if mentions(arg, local) else self._all_or_none(arg) for arg in condition.args]
            total: ast.expr | None = None
            for mask in masks:
                if mask is None:
                    return None
                total = mask if total is None else quote("a & b" if condition.op == "and" else "a | b", a=total, b=mask)
            return total
        return None

    def _all_or_none(self, condition: Expr) -> ast.expr:
        return quote("-1 if x else 0", x=self.expr(condition))

    def _piles_where(self, condition: Expr, local: int, row: Expr) -> ast.expr:
        zone = self.zone_of(row)
        parts = condition.args if condition.op == "and" else (condition,)
        tracked: frozenset[int] | None = None
        rest = []
        for part in parts:
            found = heights(part, local, zone.high, self.rules)
            if found is None:
                rest.append(part)
            else:
                tracked = found if tracked is None else tracked & found
        if tracked is not None and len(tracked) == 1:
            self.heights[local] = next(iter(tracked))
        whole = self._piles_of_heights(zone, tracked)
        if not rest:
            return whole
        total = self.temp()
        self.add("total = 0", total=total)
        with self.bit_loop(f"v{local}", whole):
            test = self.expr(rest[0] if len(rest) == 1 else Expr("and", rest[0].type, tuple(rest), at=condition.at))
            self.when(test, quote_lines("total |= 1 << v", total=total, v=f"v{local}"))
        return ast.Name(total, ast.Load())

    def _piles_of_heights(self, zone: Zone, wanted: frozenset[int] | None) -> ast.expr:
        everything = frozenset(range(1, zone.high + 1))
        count = self.layout.pile_count(zone.name)
        if wanted is None or wanted == everything:
            return quote("(1 << s[n]) - 1", n=count)
        if not wanted:
            return quote("0")
        if (zone.name, everything - wanted) in self.layout.heights and (zone.name, wanted) not in self.layout.heights:
            return quote("(1 << s[n]) - 1 & ~s[k]", n=count, k=self.layout.heights[(zone.name, everything - wanted)])
        return self.slot(self.layout.heights_place(zone.name, wanted))

    # ---- conditions on a player as masks --------------------------------------------------------------------------

    def _seats_where(self, condition: Expr, local: int, domain: Expr) -> ast.expr | None:
        """The seats for which a condition holds, where masks alone say so; else None."""
        parts = condition.args if condition.op == "and" else (condition,)
        total: ast.expr | None = None
        bounded = False
        for part in parts:
            apart = part.op == "!=" and domain.op == "after" and {part.args[0], part.args[1]} == {domain.args[0], Expr("local", PLAYER, data=local)}
            if apart or (part.op == "const" and part.data):
                continue
            found = self._seat_mask(part, local)
            if found is None:
                return None
            mask, within = found
            bounded = bounded or within
            total = mask if total is None else quote("a & b", a=total, b=mask)
        if total is None:
            return None
        if not bounded:
            total = quote("a & (1 << s[n]) - 1", a=total, n=SEATS)
        if domain.op == "after":
            total = quote("a & ~(1 << p)", a=total, p=self.expr(domain.args[0]))
        return total

    def _seat_mask(self, condition: Expr, local: int) -> tuple[ast.expr, bool] | None:
        """The mask of one condition, and whether it holds real seats only."""
        op, args = condition.op, condition.args
        if op == "not":
            inner = self._seat_mask(args[0], local)
            return None if inner is None else (quote("~a", a=inner[0]), False)
        if op == "read" and args and self._is_local(args[0], local) and str(condition.data) in self.layout.variables:
            variable = self.rules.variables[str(condition.data)]
            return None if self.layout.spread(variable) else (self.slot(self.layout.variables[variable.name]), True)
        if op == "is none" and args[0].op == "read" and args[0].args and self._is_local(args[0].args[0], local):
            place = self.layout.nones.get(str(args[0].data))
            return None if place is None else (self.slot(place), True)
        if op in ("==", "!="):
            for one, other in (args, args[::-1]):
                if self._is_local(one, local) and not mentions(other, local) and not other.type.maybe:
                    mask = quote("1 << p", p=self.expr(other))
                    return (mask, True) if op == "==" else (quote("~m", m=mask), False)
        return None

    def _is_local(self, expr: Expr, local: int) -> bool:
        return expr.op == "local" and expr.data == local

    def _gathered(self, condition: Expr, local: int, domain: Expr) -> ast.expr:
        mask = self._seats_where(condition, local, domain)
        if mask is not None:
            return mask
        total = self.temp()
        self.add("total = 0", total=total)
        with self.loop(domain, local, condition):
            self.add("total |= 1 << v", total=total, v=f"v{local}")
        return ast.Name(total, ast.Load())

    # ---- loops ----------------------------------------------------------------------------------------------------

    @contextmanager
    def bit_loop(self, name: str, mask: ast.expr) -> Iterator[None]:
        """A loop over the elements of a mask, ascending."""
        rest = self.temp()
        self.add("rest = mask", rest=rest, mask=mask)
        with self.inside() as body:
            self.add("name = (rest & -rest).bit_length() - 1\nrest &= rest - 1", name=name, rest=rest)
            yield
        self.out.append(ast.While(ast.Name(rest, ast.Load()), body, []))

    @contextmanager
    def loop(self, domain: Expr, local: int, condition: Expr) -> Iterator[None]:
        """A loop over the elements of a domain for which a condition holds."""
        parts = condition.args if condition.op == "and" else (condition,)
        fixed = [part for part in parts if part.op != "const" and not mentions(part, local)]
        varying = [part for part in parts if part.op != "const" and mentions(part, local)]
        if any(part.op == "const" and not part.data for part in parts):
            fixed = [Expr("const", condition.type, data=0)]
        if fixed:
            test = self.expr(fixed[0] if len(fixed) == 1 else Expr("and", condition.type, tuple(fixed), at=condition.at))
            with self.inside() as block:
                with self._loop(domain, local, varying, condition):
                    yield
            self.when(test, block)
        else:
            with self._loop(domain, local, varying, condition):
                yield

    @contextmanager
    def _loop(self, domain: Expr, local: int, varying: list[Expr], condition: Expr) -> Iterator[None]:
        together = None
        if varying:
            together = varying[0] if len(varying) == 1 else Expr("and", condition.type, tuple(varying), at=condition.at)
        if domain.op in ("everyone", "from", "after"):
            seats = {"everyone": "range(s[n])", "from": "FROM[s[n]][p]", "after": "AFTER[s[n]][p]"}[domain.op]
            start = self.expr(domain.args[0]) if domain.args else 0
            source = quote(seats, n=SEATS, p=start)
            with self.inside() as body:
                if together is not None:
                    test = self.expr(together)
                    with self.inside() as guarded:
                        yield
                    self.when(test, guarded)
                else:
                    yield
            self.out.append(ast.For(ast.Name(f"v{local}", ast.Store()), source, body or [ast.Pass()], []))
            return
        everything = Expr("const", condition.type, data=1)
        with self.bit_loop(f"v{local}", self.where(together or everything, local, domain)):
            yield

    def _filter(self, expr: Expr) -> ast.expr:
        assert isinstance(expr.data, int)
        return self.where(expr.args[1], expr.data, expr.args[0])

    def _any(self, expr: Expr) -> ast.expr:
        assert isinstance(expr.data, int)
        domain, condition = expr.args[0], expr.args[1]
        if domain.op not in ("everyone", "from", "after"):
            return quote("m != 0", m=self.where(condition, expr.data, domain))
        seats = self._seats_where(condition, expr.data, domain)
        if seats is not None:
            return quote("m != 0", m=seats)
        found = self.temp()
        self.add("found = False", found=found)
        with self.loop(domain, expr.data, condition):
            self.add("found = True\nbreak", found=found)
        return ast.Name(found, ast.Load())

    def _first(self, expr: Expr) -> ast.expr:
        return self._search(expr, first=True)

    def _last(self, expr: Expr) -> ast.expr:
        return self._search(expr, first=False)

    def _search(self, expr: Expr, first: bool) -> ast.expr:
        assert isinstance(expr.data, int)
        domain, condition = expr.args[0], expr.args[1]
        if domain.op not in ("everyone", "from", "after"):
            mask = self.where(condition, expr.data, domain)
            if first:
                return quote("(m & -m).bit_length() - 1", m=self.named(mask))
            return quote("m.bit_length() - 1", m=mask)
        seats = self._seats_where(condition, expr.data, domain)
        if seats is not None:
            start = self.expr(domain.args[0]) if domain.args else 0
            return quote("T[s[n]][p][m]", T="FIRST" if first else "LAST", n=SEATS, p=start, m=seats)
        found = self.temp()
        self.add("found = -1", found=found)
        with self.loop(domain, expr.data, condition):
            self.add("found = v", found=found, v=f"v{expr.data}")
            if first:
                self.out.append(ast.Break())
        return ast.Name(found, ast.Load())

    def _least(self, expr: Expr) -> ast.expr:
        return self._extreme(expr, "key < best")

    def _most(self, expr: Expr) -> ast.expr:
        return self._extreme(expr, "key > best")

    def _extreme(self, expr: Expr, better: str) -> ast.expr:
        assert isinstance(expr.data, int)
        found, best, key = self.temp(), self.temp(), self.temp()
        self.add("found = -1\nbest = 0", found=found, best=best)
        with self.loop(expr.args[0], expr.data, expr.args[1]):
            self.add("key = value", key=key, value=self.expr(expr.args[2]))
            test = quote(f"found < 0 or {better}", found=found, key=key, best=best)
            if expr.args[2].type.maybe:
                test = quote("not x and y", x=self.is_none(ast.Name(key, ast.Load()), expr.args[2].type.kind), y=test)
            self.when(test, quote_lines("found = v\nbest = key", found=found, v=f"v{expr.data}", best=best, key=key))
        return ast.Name(found, ast.Load())

    def _map(self, expr: Expr) -> ast.expr:
        assert isinstance(expr.data, int)
        total = self.temp()
        self.add("total = 0", total=total)
        with self.loop(expr.args[0], expr.data, expr.args[1]):
            self.add("total |= 1 << x", total=total, x=self.expr(expr.args[2]))
        return ast.Name(total, ast.Load())

    def _sum(self, expr: Expr) -> ast.expr:
        assert isinstance(expr.data, int)
        total = self.temp()
        self.add("total = 0", total=total)
        with self.loop(expr.args[0], expr.data, expr.args[1]):
            self.add("total += x", total=total, x=self.expr(expr.args[2]))
        return ast.Name(total, ast.Load())


__all__ = ["NONE", "Emitter", "Unit"]
