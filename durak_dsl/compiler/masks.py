"""Sets as masks of bits, and conditions on their elements for all at once: by tables, by masks, one by one where nothing else helps."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from durak_dsl.compiler.conditions import asked_empty, parts_of, whole_row
from durak_dsl.compiler.fold import mentions
from durak_dsl.compiler.frame import Frame
from durak_dsl.compiler.layout import SEATS
from durak_dsl.compiler.quote import put_at, quote, quote_lines
from durak_dsl.compiler.tabulate import Table, index_parts, split_heights, table
from durak_dsl.language.ir import Expr, Zone
from durak_dsl.language.types import PLAYER

# A condition of fewer parts is not worth a table.
SMALLEST_TABULATED = 6

# What may be worked out even where a test before would have passed over it.
HARMLESS = ("top", "bottom", "under", "read", "rank", "suit", "size", "count")


class Masks(Frame):
    """Emits sets, and the elements for which a condition holds."""

    # ---- tables ---------------------------------------------------------------------------------------------------

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
            self.unit.made[key] = table(condition, local, range(self.unit.cards), self.rules, self.unit.budget)
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

    # ---- sets -----------------------------------------------------------------------------------------------------

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

    def ranks_in(self, cards: Expr) -> ast.expr:
        """All cards of the ranks of a set, zone or collection: of a row, it may be kept."""
        row = whole_row(cards)
        if row in self.layout.ranks:
            return self.slot(self.layout.ranks[row])
        return self.same_ranks(self.mask(cards))

    def same_ranks(self, cards: ast.expr) -> ast.expr:
        """All cards of the ranks of these cards."""
        width = self.unit.width
        if width & width - 1 or width == 1:
            return quote("spread_ranks(m, w)", m=cards, w=width)
        lowest = sum(1 << rank * width for rank in range(len(self.rules.deck.ranks)))
        name = self.temp()
        self.add("t = m", t=name, m=cards)
        shift = 1
        while 2 * shift < width:
            self.add("t |= t >> k", t=name, k=shift)
            shift *= 2
        return quote("((t | t >> k) & low) * all", t=name, k=shift, low=lowest, all=(1 << width) - 1)

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
        if condition.op == "let" and self._harmless(condition.args[0]) and not mentions(condition.args[0], local):
            self.add("name = value", name=f"v{condition.data}", value=self.expr(condition.args[0]))
            return self._lets_before(condition.args[1], local)
        if condition.op == "and":
            return condition.with_args(tuple(self._lets_before(arg, local) for arg in condition.args))
        return condition

    def _harmless(self, value: Expr) -> bool:
        """Whether a value may be worked out before tests that stand before it: it is not none, whatever they say."""
        if value.op in ("rank", "suit"):
            return self._harmless(value.args[0])
        if value.op == "read":
            return not self.rules.variables[str(value.data)].type.maybe
        return value.op in HARMLESS and not (
            value.op in ("top", "bottom", "under") and (value.op == "under" or value.args[0].type.kind == "stack")
        )

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
        with self.bit_loop(f"v{local}", whole, gathering=True):
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
            if (
                item.op == "rank"
                and item.args[0].op == "local"
                and item.args[0].data == local
                and group.op == "ranks of"
                and not mentions(group, local)
            ):
                return self.ranks_in(group.args[0])
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
        tracked, rest = self.note_height(condition, local, zone)
        whole = self._piles_of_heights(zone, tracked)
        if not rest:
            return whole
        total = self.temp()
        self.add("total = 0", total=total)
        with self.bit_loop(f"v{local}", whole, gathering=True):
            test = self.expr(rest[0] if len(rest) == 1 else Expr("and", rest[0].type, tuple(rest), at=condition.at))
            self.when(test, quote_lines("total |= 1 << v", total=total, v=f"v{local}"))
        return ast.Name(total, ast.Load())

    def note_height(self, condition: Expr, local: int, zone: Zone) -> tuple[frozenset[int] | None, list[Expr]]:
        """The heights that a condition allows a pile, of which one is noted, and what else it asks."""
        tracked, rest = split_heights(condition, local, zone.high, self.rules)
        if tracked is not None and len(tracked) == 1:
            self.heights[local] = next(iter(tracked))
        return tracked, rest

    def _piles_of_heights(self, zone: Zone, wanted: frozenset[int] | None) -> ast.expr:
        everything = frozenset(range(1, zone.high + 1))
        count = self.layout.pile_count(zone.name)
        if wanted is None or wanted == everything:
            return quote("(1 << s[n]) - 1", n=count)
        if not wanted:
            return quote("0")
        tracked = self.layout.heights
        if (zone.name, wanted) in tracked:
            return self.slot(tracked[zone.name, wanted])
        if (zone.name, everything - wanted) in tracked:
            return quote("(1 << s[n]) - 1 & ~s[k]", n=count, k=tracked[zone.name, everything - wanted])
        return quote(
            "piles_of(s, count, heights, wanted)",
            count=count,
            heights=self.layout.pile_heights(zone.name),
            wanted=sum(1 << height for height in wanted),
        )

    # ---- conditions on a player as masks --------------------------------------------------------------------------

    def _seats_where(self, condition: Expr, local: int, domain: Expr) -> ast.expr | None:
        """The seats for which a condition holds, where masks alone say so; else None."""
        parts = condition.args if condition.op == "and" else (condition,)
        total: ast.expr | None = None
        without: ast.expr | None = None
        bounded = False
        for part in parts:
            apart = (
                part.op == "!="
                and domain.op == "after"
                and {part.args[0], part.args[1]} == {domain.args[0], Expr("local", PLAYER, data=local)}
            )
            if apart or (part.op == "const" and part.data):
                continue
            found = self._seat_mask(part, local)
            if found is None:
                return None
            mask, within = found
            if isinstance(mask, ast.UnaryOp):
                without = mask.operand if without is None else quote("a | b", a=without, b=mask.operand)
                continue
            bounded = bounded or within
            total = mask if total is None else quote("a & b", a=total, b=mask)
        if total is None and without is None:
            return None
        if domain.op == "after":
            me = quote("1 << p", p=self.expr(domain.args[0]))
            without = me if without is None else quote("a | b", a=without, b=me)
        if not bounded:
            everyone = quote("(1 << s[n]) - 1", n=SEATS)
            total = everyone if total is None else quote("a & b", a=total, b=everyone)
        assert total is not None
        return total if without is None else quote("a & ~b", a=total, b=without)

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
        if (zone := asked_empty(condition)) is not None and self._is_local(args[0].args[0].args[0], local):
            if zone not in self.layout.filled:
                return None
            mask = self.slot(self.layout.filled[zone])
            return (mask, True) if op in (">", "!=") else (quote("~m", m=mask), False)
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
    def bit_loop(self, name: str, mask: ast.expr, gathering: bool = False) -> Iterator[None]:
        """A loop over the elements of a mask, ascending; descending, which is quicker, where masks are `gathering` only."""
        rest = self.temp()
        self.add("rest = mask", rest=rest, mask=mask)
        with self.inside() as body:
            if gathering:
                self.add("name = rest.bit_length() - 1\nrest ^= 1 << name", name=name, rest=rest)
            else:
                self.add("name = (rest & -rest).bit_length() - 1\nrest &= rest - 1", name=name, rest=rest)
            yield
        self.out.append(ast.While(ast.Name(rest, ast.Load()), body, []))

    @contextmanager
    def seat_loop(self, domain: Expr, local: int, condition: Expr) -> Iterator[bool]:
        """A loop over the seats for which a condition holds when it begins, where masks say so: gives whether they do."""
        seats = self._seats_where(condition, local, domain)
        if seats is None:
            yield False
        elif domain.op == "everyone":
            with self.bit_loop(f"v{local}", seats):
                yield True
        else:
            rest, start = self.temp(), self.named(self.expr(domain.args[0]))
            self.add("rest = mask", rest=rest, mask=seats)
            with self.inside() as body:
                self.add("v = FIRST[s[n]][p][rest]\nrest ^= 1 << v", v=f"v{local}", n=SEATS, p=start, rest=rest)
                yield True
            self.out.append(ast.While(ast.Name(rest, ast.Load()), body, []))

    @contextmanager
    def loop(self, domain: Expr, local: int, condition: Expr) -> Iterator[None]:
        """A loop over the elements of a domain for which a condition holds."""
        fixed, varying = parts_of(condition, local)
        if fixed is not None:
            test = self.expr(fixed)
            with self.inside() as block, self._loop(domain, local, varying):
                yield
            self.when(test, block)
        else:
            with self._loop(domain, local, varying):
                yield

    @contextmanager
    def _loop(self, domain: Expr, local: int, condition: Expr) -> Iterator[None]:
        if domain.op in ("everyone", "from", "after"):
            seats = {"everyone": "range(s[n])", "from": "FROM[s[n]][p]", "after": "AFTER[s[n]][p]"}[domain.op]
            start = self.expr(domain.args[0]) if domain.args else 0
            source = quote(seats, n=SEATS, p=start)
            with self.inside() as body:
                if condition.op != "const":
                    test = self.expr(condition)
                    with self.inside() as guarded:
                        yield
                    self.when(test, guarded)
                else:
                    yield
            self.out.append(ast.For(ast.Name(f"v{local}", ast.Store()), source, body or [ast.Pass()], []))
            return
        with self.bit_loop(f"v{local}", self.where(condition, local, domain)):
            yield
