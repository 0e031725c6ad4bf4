"""Cards dealt from a stack, one to each seat in turn."""

from __future__ import annotations

import ast

from durak_dsl.compiler.layout import SEATS
from durak_dsl.compiler.quote import quote
from durak_dsl.compiler.transport import Transport
from durak_dsl.language.ir import Destination, Expr, Statement, Zone


class Dealing(Transport):
    """Emits the dealing of cards."""

    def do_deal(self, statement: Statement) -> None:
        many, source, players = statement.args
        zone = self.rules.zones[str(statement.data)]
        base = self.named(self.base(source))
        times, count = self.named(self.expr(many)), self.temp()
        everybody = Expr("const", many.type, data=1)
        self.add("n = s[b]", n=count, b=base)
        with self.inside() as in_turn:
            with self.inside() as each_round, self.loop(players, self.unit.search_local, everybody):
                self._deal_one(statement, zone, base, count)
            self.out.append(ast.For(ast.Name(self.temp(), ast.Store()), quote("range(n)", n=times), each_round, []))
        told = self.unit.watched or self.turns_cards
        if zone.kind != "set" or zone.name == source.type.zone or players.op not in ("everyone", "from") or told:
            self.out += in_turn
        else:  # where there are cards enough, all those of a seat at once
            left, at, cards = self.temp(), self.temp(), self.temp()
            self.add("left = n - times * s[k]", left=left, n=count, times=times, k=SEATS)
            with self.inside() as at_once:
                with self.loop(players, self.unit.search_local, everybody):
                    self.add("at = n\ncards = 0\nn -= 1", at=at, n=count, cards=cards)
                    one = "while at > left:\n    cards |= 1 << s[b + at]\n    at -= s[k]"
                    self.add(one, at=at, left=left, cards=cards, b=base, k=SEATS)
                    self._put_all(self.unit.zone(zone, self.unit.seat), ast.Name(cards, ast.Load()))
                self.add("n = left", n=count, left=left)
            self.when(quote("left >= 0", left=left), at_once, in_turn)
        self.add("s[b] = n", n=count, b=base)

    def _deal_one(self, statement: Statement, zone: Zone, base: ast.expr, count: str) -> None:
        """A card to a seat, or a note that there was none."""
        source, card, to = statement.args[1], self.temp(), self.unit.zone(zone, self.unit.seat)
        with self.inside() as body:
            self.add("c = s[b + n]\nn -= 1", c=card, b=base, n=count)
            if zone.name == source.type.zone:
                self.add("s[b] = n", b=base, n=count)
            self._turn(quote("1 << c", c=card))
            self._put(ast.Name(card, ast.Load()), to, Destination("set" if zone.kind == "set" else "top"), statement)
            self.tell("move", ast.Name(card, ast.Load()), *self._where(source), *self._where(to), 0)
            if zone.name == source.type.zone:
                self.add("n = s[b]", b=base, n=count)
        with self.inside() as none_left:
            self.add("short(k, p)", k=self.zone_numbers[zone.name], p=self.expr(self.unit.seat))
        self.when(ast.Name(count, ast.Load()), body, none_left)
