"""Rows of piles: cards taken out of one, laid onto a pile of it or as a new one."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from durak_dsl.compiler.emit import Emitter
from durak_dsl.compiler.quote import quote
from durak_dsl.language.ir import Expr, Statement, Zone


@dataclass(frozen=True)
class Onto:
    """A pile onto which cards are moved: its place in the row, and its height where it is known."""

    place: ast.expr
    height: int | None = None


class Rows(Emitter):
    """Emits what changes a row."""

    def _take_from_row(self, zone: Zone, mask: ast.expr) -> None:
        self.add(
            "take_from_row(s, b, most, high, m, tracked)",
            b=self.layout.zones[zone.name],
            most=zone.most,
            high=zone.high,
            m=mask,
            tracked=self._tracked(zone),
        )
        self._find_ranks(zone)

    def _note_ranks(self, zone: Zone, card: ast.expr) -> None:
        """Keep the mask of all cards of the ranks in a row to which a card comes."""
        if zone.name in self.layout.ranks:
            self.add("s[k] |= T_RANK[c]", k=self.layout.ranks[zone.name], c=card)

    def _find_ranks(self, zone: Zone) -> None:
        """Work that mask out anew, when cards have left the row."""
        if zone.name in self.layout.ranks:
            cards = quote("s[m]", m=self.layout.pile_cards(zone.name))
            self.add("s[k] = ranks", k=self.layout.ranks[zone.name], ranks=self.same_ranks(cards))

    def _tracked(self, zone: Zone) -> ast.expr:
        """The places of the masks of piles of certain heights, each with those heights as a mask."""
        return _constant(tuple((place, sum(1 << height for height in heights)) for heights, place in self.layout.tracked(zone.name)))

    def _too_high(self, zone: Zone, statement: Statement) -> int:
        return self.unit.fault(f"a pile of '{zone.name}' holds at most {zone.high} cards", statement.at)

    def _put_onto(self, card: ast.expr, zone: Zone, onto: Onto, statement: Statement) -> None:
        height, index, known = self.temp(), onto.place, onto.height
        heights, cards = self.layout.pile_heights(zone.name), self.layout.piles(zone.name)
        if known is not None and known < zone.high:
            self.add("s[cards + i * w] = c\ns[k + i] = h", cards=cards + known, i=index, w=zone.high, h=known + 1, k=heights, c=card)
            self.add("s[m] |= 1 << c", m=self.layout.pile_cards(zone.name), c=card)
            self._note_ranks(zone, card)
            for tracked, place in self.layout.tracked(zone.name):
                if (known in tracked) != (known + 1 in tracked):
                    self.add("s[m] ^= 1 << i", m=place, i=index)
            return
        self.add("h = s[k + i]", h=height, k=heights, i=index)
        self.add("if h >= high: fault(f, high + 1)", h=height, high=zone.high, f=self._too_high(zone, statement))
        self.add("s[cards + i * w + h] = c\ns[k + i] = h + 1", cards=cards, i=index, w=zone.high, h=height, k=heights, c=card)
        self.add("s[m] |= 1 << c", m=self.layout.pile_cards(zone.name), c=card)
        self._note_ranks(zone, card)
        for tracked, place in self.layout.tracked(zone.name):
            change = {h for h in range(1, zone.high) if (h in tracked) != (h + 1 in tracked)}
            if change == set(range(1, zone.high)):
                self.add("s[m] ^= 1 << i", m=place, i=index)
            elif change:
                flips = sum(1 << h for h in change)
                self.add("s[m] ^= (flips >> h & 1) << i", m=place, flips=flips, h=height, i=index)

    def _put_new(self, card: ast.expr, row: Expr, statement: Statement) -> None:
        zone = self.zone_of(row)
        count = self.temp()
        self.add("n = s[k]", n=count, k=self.layout.pile_count(zone.name))
        if zone.most < self.unit.cards:
            fault = self.unit.fault(f"'{zone.name}' holds at most {zone.most} piles", statement.at)
            self.add("if n >= most: fault(f, most + 1)", n=count, most=zone.most, f=fault)
        self.add("s[cards + n * w] = c", cards=self.layout.piles(zone.name), n=count, w=zone.high, c=card)
        self.add("s[k + n] = 1\ns[m] = n + 1", k=self.layout.pile_heights(zone.name), m=self.layout.pile_count(zone.name), n=count)
        self.add("s[m] |= 1 << c", m=self.layout.pile_cards(zone.name), c=card)
        self._note_ranks(zone, card)
        for tracked, place in self.layout.tracked(zone.name):
            if 1 in tracked:
                self.add("s[m] |= 1 << n", m=place, n=count)


def _constant(tracked: tuple[tuple[int, int], ...]) -> ast.expr:
    return ast.Tuple([ast.Tuple([ast.Constant(a), ast.Constant(b)], ast.Load()) for a, b in tracked], ast.Load())
