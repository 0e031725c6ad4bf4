"""Moving cards: out of one zone and into another, one by one or all at once; and, in the watched form, what is told of it.

Told are `("move", card, from zone, seat, to zone, seat, face down)`, `("show", card, seat or -1)`, `("none", cards, zone, seat)`,
`("shuffle", zone, seat)`, `("slip", card, zone, seat, order)` (after a card went to a random place of a stack, which now lies in that
order, the bottom first), `("watch", card)` (everybody knows that it is this card that is moved next), and `("chance", which)`. Zones are
numbered in the order of the rules; a zone of the table has seat 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from durak_dsl.compiler.layout import FACE_DOWN, SEATS
from durak_dsl.compiler.quote import quote, quote_lines
from durak_dsl.compiler.rows import Onto, Rows
from durak_dsl.compiler.unit import Unit
from durak_dsl.language.ir import Destination, Expr, Statement
from durak_dsl.language.types import Type


class Transport(Rows):
    """Emits the statements that move and show cards; `origins` says from which zone the cards of a local come, `shown` which were shown."""

    def __init__(self, unit: Unit, path: str):
        super().__init__(unit, path)
        self.origins: dict[int, Expr] = {}
        self.shown: frozenset[int] = frozenset()
        self.piles_may_be_gone = False
        self.zone_numbers = {name: number for number, name in enumerate(self.rules.zones)}
        self.turns_cards = unit.turns_cards

    def tell(self, kind: str, *parts: ast.expr | int) -> None:
        """Tell the watcher, in the watched form."""
        if self.unit.watched:
            values = [ast.Constant(kind), *(quote("x", x=part) if isinstance(part, int) else part for part in parts)]
            self.add("w.append(event)", event=ast.Tuple(values, ast.Load()))

    def origin(self, value: Expr) -> Expr | None:
        """The zone in which these cards lie, where the expression says it."""
        if value.op == "zone":
            return value
        if value.type.kind in ("pile", "piles"):
            return Expr("zone", value.type, data=value.type.zone)
        if value.op == "local":
            return self.origins.get(value.data) if isinstance(value.data, int) else None
        if value.op in ("top", "bottom", "under", "cards", "lowest", "highest", "filter", "first", "last", "least", "most"):
            return self.origin(value.args[0])
        return None

    def forget(self) -> None:
        """Cards may lie elsewhere from here on, and piles may be of other heights."""
        self.origins.clear()
        self.heights.clear()
        self.piles_may_be_gone = True

    def do_move(self, statement: Statement) -> None:
        what, to = statement.args
        assert isinstance(statement.data, Destination)
        if what.op == "cards" and what.args[0].type.kind == "card":
            what = what.args[0]
        origin = self.origin(what)
        onto = self._onto(what, origin, to, statement) if statement.data.kind == "onto" else None
        if what.type.kind == "row" and what.type.zone != to.type.zone and statement.data.kind != "new pile":
            self._move_row(what, to, statement, onto)
        elif what.type.kind == "card":
            self._move_card(what, origin, to, statement, onto)
        elif statement.data.kind == "new pile":
            self._move_as_one_pile(what, origin, to, statement)
        else:
            with self._each_card(what, statement.data.kind) as card:
                self._move_one(card, origin, to, statement, onto)

    def _onto(self, what: Expr, origin: Expr | None, pile: Expr, statement: Statement) -> Onto:
        """The pile onto which something is moved; its place is a variable where it may change meanwhile."""
        if self.piles_may_be_gone or pile.op != "local":
            fault = self.unit.fault("cards are moved onto a pile that is gone", statement.at)
            self.add("if not 0 <= i < s[n]: fault(f, 0)", i=self.expr(pile), n=self.layout.pile_count(pile.type.zone), f=fault)
        if origin is None or origin.type.zone == pile.type.zone:
            place = self.temp()
            self.add("i = x", i=place, x=self.expr(pile))
            return Onto(ast.Name(place, ast.Load()))
        height = self.heights.get(pile.data) if pile.op == "local" and isinstance(pile.data, int) and what.type.kind == "card" else None
        return Onto(self.named(self.expr(pile)), height)

    def _move_as_one_pile(self, what: Expr, origin: Expr | None, row: Expr, statement: Statement) -> None:
        """Several cards as one new pile: the first begins it, the others go onto it."""
        assert isinstance(statement.data, Destination)
        onto = replace(statement, data=replace(statement.data, kind="onto"))
        index, zone = self.temp(), self.zone_of(row)
        self.add("i = -1", i=index)
        with self._each_card(what, "new pile") as card:
            with self.inside() as begin:
                self._move_one(card, origin, row, statement)
                self.add("i = s[n] - 1", i=index, n=self.layout.pile_count(zone.name))
            with self.inside() as follow:
                self._move_one(card, origin, row, onto, Onto(ast.Name(index, ast.Load())))
            self.when(quote("i < 0", i=index), begin, follow)

    @contextmanager
    def _each_card(self, what: Expr, kind: str) -> Iterator[ast.expr]:
        """A loop over cards; gives the card. Those of a stack or pile come from the bottom, others in ascending order."""
        if what.op == "zone" and what.type.kind == "stack":
            base = self.named(self.base(what))
            cards = quote("s[b + 1:b + 1 + s[b]]", b=base)
        elif what.type.kind == "row":
            zone = self.zone_of(what)
            cards = quote("row_to_stack(s, b, most, high)", b=self.layout.zones[zone.name], most=zone.most, high=zone.high)
        elif what.type.kind == "pile":
            zone, index = self.zone_of(what), self.named(self.expr(what))
            start = quote("k + i * w", k=self.layout.piles(zone.name), i=index, w=zone.high)
            cards = quote("s[p:p + s[h + i]]", p=self.named(start), h=self.layout.pile_heights(zone.name), i=index)
        else:
            name = self.temp()
            with self.bit_loop(name, self.mask(what)):
                yield ast.Name(name, ast.Load())
            return
        if kind == "bottom":  # they go there one by one
            cards = quote("list(reversed(cards))", cards=cards)
        card = self.temp()
        with self.inside() as body:
            yield ast.Name(card, ast.Load())
        self.out.append(ast.For(ast.Name(card, ast.Store()), cards, body, []))

    def _move_card(self, what: Expr, origin: Expr | None, to: Expr, statement: Statement, onto: Onto | None) -> None:
        card = self.named(self.expr(what))
        if not what.type.maybe:
            self._watch(what, card)
            self._move_one(card, origin, to, statement, onto)
            return
        with self.inside() as body:
            self._watch(what, card)
            self._move_one(card, origin, to, statement, onto)
        self.when(quote("c >= 0", c=card), body)

    def _watch(self, what: Expr, card: ast.expr) -> None:
        """Tell that everybody knows which card is moved next, for all were shown it, or a variable says it."""
        if (what.op == "read" and not what.args) or (what.op == "local" and what.data in self.shown):
            self.tell("watch", card)

    def _move_one(self, card: ast.expr, origin: Expr | None, to: Expr, statement: Statement, onto: Onto | None = None) -> None:
        destination = statement.data
        assert isinstance(destination, Destination)
        if onto is not None and (origin is None or origin.type.zone == to.type.zone):
            self._move_one_onto(card, origin, to, statement, onto)
            return
        if origin is None:
            place = self._take_from_anywhere(card)
        else:
            self._take(card, origin)
            place = self._where(origin)
        self._turn(quote("1 << c", c=card), destination.face_down)
        self._put(card, to, destination, statement, onto)
        self._tell_move(card, place, to, destination)

    def _move_one_onto(self, card: ast.expr, origin: Expr | None, to: Expr, statement: Statement, onto: Onto) -> None:
        """A card onto a pile, when it may lie in the same row, even in the same pile."""
        destination, zone = statement.data, self.zone_of(to)
        assert isinstance(destination, Destination) and isinstance(onto.place, ast.Name)
        with self.inside() as within:
            self._turn(quote("1 << c", c=card), destination.face_down)
            self.add(
                "i = onto_within(s, b, most, high, c, i, tracked)",
                b=self.layout.zones[zone.name],
                most=zone.most,
                high=zone.high,
                c=card,
                i=onto.place.id,
                tracked=self._tracked(zone),
            )
            self.add("if i < 0: fault(f, high + 1)", i=onto.place, high=zone.high, f=self._too_high(zone, statement))
            self._find_ranks(zone)
            self._tell_move(card, self._where(Expr("zone", Type("row", zone=zone.name), data=zone.name)), to, destination)
        if origin is not None:
            self.out += within
            return
        with self.inside() as from_elsewhere:
            place = self._take_from_anywhere(card)
            self._turn(quote("1 << c", c=card), destination.face_down)
            self._put_onto(card, zone, onto, statement)
            self._tell_move(card, place, to, destination)
        self.when(quote("s[m] >> c & 1", m=self.layout.pile_cards(zone.name), c=card), within, from_elsewhere)

    def _turn(self, cards: ast.expr, face_down: bool = False) -> None:
        """Note which side of these cards lies up, in games where it matters."""
        if self.turns_cards:
            self.add("s[f] |= m" if face_down else "s[f] &= ~m", f=FACE_DOWN, m=cards)

    def _tell_move(self, card: ast.expr, place: tuple[ast.expr | int, ast.expr | int], to: Expr, destination: Destination) -> None:
        self.tell("move", card, *place, *self._where(to), int(destination.face_down))
        if destination.kind == "random":
            self.tell("slip", card, *self._where(to), quote("stack_order(s, b)", b=self.base(to)))

    def _where(self, zone: Expr) -> tuple[ast.expr | int, ast.expr | int]:
        """The number of a zone (or of the zone of a pile) and its seat, for the watcher."""
        if not self.unit.watched:
            return 0, 0
        return self.zone_numbers[zone.type.zone], (self.expr(zone.args[0]) if zone.op == "zone" and zone.args else 0)

    def _take(self, card: ast.expr, origin: Expr) -> None:
        zone = self.zone_of(origin)
        if zone.kind == "set":
            place, seat = self._set_place(Expr("zone", origin.type, origin.args, zone.name))
            self.out.append(ast.AugAssign(_store(place), ast.BitXor(), quote("1 << c", c=card)))
            if seat is not None:
                gone = quote_lines("s[k] ^= 1 << p", k=self.layout.filled[zone.name], p=seat)
                self.when(quote("not m", m=self.slot(self.layout.zones[zone.name], seat)), gone)
        elif zone.kind == "stack":
            self.add("take_from_stack(s, b, c)", b=self.base(origin), c=card)
        else:
            self._take_from_row(zone, quote("1 << c", c=card))

    def _set_place(self, zone: Expr) -> tuple[ast.expr, ast.expr | None]:
        """The place of a set; and its seat, if it is kept which seats have a set that is not empty."""
        if not zone.args or zone.type.zone not in self.layout.filled:
            return self.zone_slot(zone), None
        seat = self.expr(zone.args[0])
        if zone.args[0].op not in ("local", "read"):
            seat = self.named(seat)
        return self.slot(self.layout.zones[zone.type.zone], seat), seat

    def _put_all(self, zone: Expr, cards: ast.expr, sure: bool = False) -> None:
        """Put a set of cards into another; `sure`: it is not empty."""
        place, seat = self._set_place(zone)
        self.out.append(ast.AugAssign(_store(place), ast.BitOr(), cards))
        if seat is not None:
            come = quote_lines("s[k] |= 1 << p", k=self.layout.filled[zone.type.zone], p=seat)
            self.out += come if sure else [ast.If(cards, come, [])]

    def _take_from_anywhere(self, card: ast.expr) -> tuple[ast.expr | int, ast.expr | int]:
        """Search all zones for the card: for a card that an expression names without saying where it lies."""
        number, seat = self.temp(), self.temp()
        self.add("number = -1\nseat = 0", number=number, seat=seat)
        for zone in self.rules.zones.values():
            origin = self.unit.zone(zone, self.unit.seat)
            with self.inside() as body:
                self._take(card, origin)
                self.add("number = k", number=number, k=self.zone_numbers[zone.name])
            with self.inside() as search:
                if zone.each:
                    with self.inside() as round_table:
                        self.add("v = seat", v=f"v{self.unit.search_local}", seat=seat)
                        mask = self.mask(origin)
                        self.when(quote("m >> c & 1", m=mask, c=card), [*body, ast.Break()])
                    self.out.append(ast.For(ast.Name(seat, ast.Store()), quote("range(s[n])", n=SEATS), round_table, []))
                else:
                    self.add("seat = 0", seat=seat)
                    mask = self.mask(origin)
                    self.when(quote("m >> c & 1", m=mask, c=card), body)
            self.when(quote("number < 0", number=number), search)  # once found, its seat stays as it is
        return ast.Name(number, ast.Load()), ast.Name(seat, ast.Load())

    def _put(self, card: ast.expr, to: Expr, destination: Destination, statement: Statement, onto: Onto | None = None) -> None:
        kind = destination.kind
        if kind == "set":
            self._put_all(to, quote("1 << c", c=card), sure=True)
        elif kind in ("top", "bottom", "random"):
            self._put_into_stack(card, to, kind, statement)
        elif kind == "onto":
            assert onto is not None
            self._put_onto(card, self.zone_of(to), onto, statement)
        else:
            self._put_new(card, to, statement)

    def _put_into_stack(self, card: ast.expr, to: Expr, kind: str, statement: Statement) -> None:
        zone = self.zone_of(to)
        base = self.named(self.base(to))
        if zone.most < self.unit.cards:
            fault = self.unit.fault(f"'{zone.name}' holds at most {zone.most} cards", statement.at)
            self.add("if s[b] >= most: fault(f, most + 1)", b=base, most=zone.most, f=fault)
        if kind == "top":
            self.add("s[b] += 1\ns[b + s[b]] = c", b=base, c=card)
        else:
            at = quote("0") if kind == "bottom" else quote("below(s, s[b] + 1)", b=base)
            self.add("put_into_stack(s, b, at, c)", b=base, at=at, c=card)

    def _move_row(self, row: Expr, to: Expr, statement: Statement, onto: Onto | None) -> None:
        """A whole row at once."""
        zone = self.zone_of(row)
        assert isinstance(statement.data, Destination)
        cards = self.layout.pile_cards(zone.name)
        if statement.data.kind == "set":
            self._turn(quote("s[m]", m=cards), statement.data.face_down)
            self._put_all(to, quote("s[m]", m=cards))
            if self.unit.watched:
                with self._each_card(row, "set") as card:
                    self._tell_move(card, self._where(row), to, statement.data)
        else:
            name = self.temp()
            base = self.layout.zones[zone.name]
            self._turn(quote("s[m]", m=cards), statement.data.face_down)
            with self.inside() as body:
                card = ast.Name(name, ast.Load())
                self._put(card, to, statement.data, statement, onto)
                self._tell_move(card, self._where(row), to, statement.data)
            order = quote("row_to_stack(s, b, most, high)", b=base, most=zone.most, high=zone.high)
            self.out.append(ast.For(ast.Name(name, ast.Store()), order, body, []))
        self.add("s[n] = 0\ns[m] = 0", n=self.layout.pile_count(zone.name), m=cards)
        for _, place in self.layout.tracked(zone.name):
            self.add("s[k] = 0", k=place)
        if zone.name in self.layout.ranks:
            self.add("s[k] = 0", k=self.layout.ranks[zone.name])

    def do_draw(self, statement: Statement) -> None:
        many, source, to = statement.args
        base = self.named(self.base(source))
        left, count = self.temp(), self.temp()
        self.add("left = n\ncount = s[b]\nif left > count: left = count", left=left, n=self.expr(many), count=count, b=base)
        if to.type.kind == "set" and not self.unit.watched:
            drawn = self.temp()
            with self.inside() as body:
                self.add("drawn |= 1 << s[b + count]\ncount -= 1\nleft -= 1", drawn=drawn, b=base, count=count, left=left)
            self.add("drawn = 0", drawn=drawn)
            self.out.append(ast.While(quote("left > 0", left=left), body, []))
            self.add("s[b] = count", b=base, count=count)
            self._turn(ast.Name(drawn, ast.Load()))
            self._put_all(to, ast.Name(drawn, ast.Load()))
            return
        card = self.temp()
        with self.inside() as body:
            self.add("c = s[b + s[b]]\ns[b] -= 1\nleft -= 1", c=card, b=base, left=left)
            self._turn(quote("1 << c", c=card))
            self._put(ast.Name(card, ast.Load()), to, Destination("set" if to.type.kind == "set" else "top"), statement)
            self.tell("move", ast.Name(card, ast.Load()), *self._where(source), *self._where(to), 0)
        self.out.append(ast.While(quote("left > 0", left=left), body, []))

    def do_shuffle(self, statement: Statement) -> None:
        zone = statement.args[0]
        self.add("shuffle(s, b)", b=self.base(zone))
        self.tell("shuffle", *self._where(zone))

    def do_show(self, statement: Statement) -> None:
        what = statement.args[0].args[0] if statement.args[0].op == "cards" else statement.args[0]
        if len(statement.args) == 1 and what.op == "local" and what.type.kind == "card" and isinstance(what.data, int):
            self.shown |= {what.data}
        if self.turns_cards and len(statement.args) == 1:
            self._turn(self.mask(statement.args[0]))  # what lies face down is turned up
        if self.unit.watched:
            to = self.expr(statement.args[1]) if len(statement.args) > 1 else -1
            with self._each_card(statement.args[0], "set") as card:
                self.tell("show", card, to)

    def do_show_none(self, statement: Statement) -> None:
        if not self.unit.watched:
            return
        cards, where = statement.args
        mask = self.named(self.mask(cards))
        fault = self.unit.fault("a card that is said not to lie there does lie there", statement.at)
        self.add("if a & b: fault(f, 0)", a=mask, b=self.mask(where), f=fault)
        if where.op == "zone":
            self.tell("none", mask, *self._where(where))
            return
        seat = self.temp()
        with self.inside() as body:
            self.tell("none", mask, self.zone_numbers[str(where.data)], ast.Name(seat, ast.Load()))
        self.out.append(ast.For(ast.Name(seat, ast.Store()), quote("range(s[n])", n=SEATS), body, []))

    def _chance(self, value: ast.expr) -> ast.expr:
        """In the watched form, what chance gave is told."""
        if not self.unit.watched:
            return value
        value = self.named(value)
        self.tell("chance", value)
        return value


def _store(place: ast.expr) -> ast.Subscript:
    assert isinstance(place, ast.Subscript)
    place.ctx = ast.Store()
    return place
