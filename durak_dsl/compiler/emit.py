"""Folded expressions -> Python trees. What needs a loop is put before as statements; the rest is one expression."""

from __future__ import annotations

import ast
from collections.abc import Callable

from durak_dsl.compiler.conditions import EMPTINESS, parts_of
from durak_dsl.compiler.layout import FACE_DOWN, SEATS
from durak_dsl.compiler.masks import Masks
from durak_dsl.compiler.quote import put_at, quote, quote_lines
from durak_dsl.compiler.runtime import between
from durak_dsl.compiler.tabulate import Table
from durak_dsl.compiler.unit import Unit
from durak_dsl.language.ir import Expr, Zone

_SIGNS = {
    "==": "a == b",
    "!=": "a != b",
    "<": "a < b",
    "<=": "a <= b",
    ">": "a > b",
    ">=": "a >= b",
    "+": "a + b",
    "-": "a - b",
    "*": "a * b",
}
_SIMPLE = {
    "negative": "-a",
    "odd": "a & 1",
    "even": "1 - (a & 1)",
    "union": "a | b",
    "minus": "a & ~b",
    "min": "a if a < b else b",
    "max": "a if a > b else b",
}


class Emitter(Masks):
    """Emits expressions: a method for each operation."""

    # ---- expressions ----------------------------------------------------------------------------------------------

    def expr(self, expr: Expr) -> ast.expr:
        """The tree of the value."""
        method: Callable[[Expr], ast.expr] | None = getattr(self, "_" + expr.op.replace(" ", "_"), None)
        if method is not None:
            made = method(expr)
        elif expr.op in EMPTINESS and self._is_size(expr.args[0]) and expr.args[1].op == "const" and expr.args[1].data == 0:
            made = quote(EMPTINESS[expr.op], m=self.mask(expr.args[0].args[0]))
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

    def _is_none(self, expr: Expr) -> ast.expr:
        return self.is_none(self.expr(expr.args[0]), expr.args[0].type.kind)

    def _in(self, expr: Expr) -> ast.expr:
        item, group = expr.args
        if group.op == "ranks of" and item.op == "rank" and not item.type.maybe:
            return quote("m >> c & 1", m=self.ranks_in(group.args[0]), c=self.expr(item.args[0]))
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
        return (
            quote("c % w", c=card, w=self.unit.width) if deck.copies == 1 else quote("c % w // k", c=card, w=self.unit.width, k=deck.copies)
        )

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
                mask = (
                    quote("s[k + p]", k=place, p=seat)
                    if zone.kind == "set"
                    else quote("stack_cards(s, k + p * w)", k=place, p=seat, w=width)
                )
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

    def _looks(self, expr: Expr) -> ast.expr:
        return quote("looks(m, k)", m=self.mask(expr.args[0]), k=self.rules.deck.copies)

    def _suits_of(self, expr: Expr) -> ast.expr:
        return quote("suits_of(m, w, k)", m=self.mask(expr.args[0]), w=self.unit.width, k=self.rules.deck.copies)

    def _everyone(self, expr: Expr) -> ast.expr:
        return quote("(1 << s[n]) - 1", n=SEATS)

    _from = _everyone

    def _after(self, expr: Expr) -> ast.expr:
        return quote("(1 << s[n]) - 1 & ~(1 << p)", n=SEATS, p=self.expr(expr.args[0]))

    def _between(self, expr: Expr) -> ast.expr:
        low, high = expr.args
        if low.op == high.op == "const":
            assert isinstance(low.data, int) and isinstance(high.data, int)
            return quote("m", m=between(low.data, high.data))
        return quote("between(low, high)", low=self.expr(low), high=self.expr(high))

    def _every_suit(self, expr: Expr) -> ast.expr:
        return quote("m", m=(1 << len(self.rules.deck.suits)) - 1)

    def _every_rank(self, expr: Expr) -> ast.expr:
        return quote("m", m=(1 << len(self.rules.deck.ranks)) - 1)

    def _every_team(self, expr: Expr) -> ast.expr:
        return quote("m", m=(1 << self.rules.teams) - 1)

    # ---- going through collections --------------------------------------------------------------------------------

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
        fixed, varying = parts_of(condition, expr.data)
        with self.inside() as before:
            seats = self._seats_where(varying, expr.data, domain)
            if seats is not None:
                start = self.expr(domain.args[0]) if domain.args else 0
                seat = quote("T[s[n]][p][m]", T="FIRST" if first else "LAST", n=SEATS, p=start, m=seats)
        if seats is not None:
            if fixed is None:
                self.out += before
                return seat
            found = self.temp()
            self.add("found = -1", found=found)
            self.when(self.expr(fixed), [*before, *quote_lines("found = seat", found=found, seat=seat)])
            return ast.Name(found, ast.Load())
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

    def _makes(self, expr: Expr) -> ast.expr:
        assert isinstance(expr.data, int)
        total, sums = self.temp(), self.temp()
        self.add("total = n\nsums = 0", total=total, n=self.expr(expr.args[3]), sums=sums)
        with self.loop(expr.args[0], expr.data, expr.args[1]):
            self.add("sums = with_one_more(sums, x, total)", sums=sums, x=self.expr(expr.args[2]), total=total)
        return quote("sums >> total & 1 if total >= 0 else 0", sums=sums, total=total)


__all__ = ["Emitter", "Unit"]
