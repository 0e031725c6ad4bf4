"""How many ways there are to put the cards whose place is not known into cells, and one of them by lot, each as likely as any other.

Cards that may be in the same lots are of one kind. Cell after cell is filled with so many cards of each kind; what is left of each kind
decides in how many ways the cells that come after can be filled. All is counted in whole numbers, so nothing is approximate.

Rules may be written in which that would take too long. Then what is drawn still agrees, but is not sure to be even (`Filling.is_counted`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import comb, factorial
from random import Random

from durak_dsl.table.cards import bits
from durak_dsl.table.cells import Cell, assign

Counts = tuple[int, ...]

MOST_CHOICES = 1_000_000  # a few seconds
SWAPS_PER_CARD = 50


class TooMany(Exception):
    """There are too many ways to fill cells to count them."""


class NoWay(Exception):
    """There is no way to fill cells."""


class Filling:
    """The ways to fill cells."""

    def __init__(self, cells: Sequence[Cell]):
        self.cells = [cell for cell in cells if cell.lots]
        self.kinds = self._sort_cards()
        self.cells = self._in_order()
        self.sizes = tuple(kind.bit_count() for kind in self.kinds)
        self.needs = [sum(cell.lots.values()) for cell in self.cells]
        self.fits = [[index for index, kind in enumerate(self.kinds) if kind & cell.possible] for cell in self.cells]
        self.limits = [list(self._limits(cell)) for cell in self.cells]
        last = {kind: number for number, fits in enumerate(self.fits) for kind in fits}
        self.final = [{kind for kind in fits if last[kind] == number} for number, fits in enumerate(self.fits)]
        self.known: dict[tuple[int, Counts], int] = {}
        self.looked_at = 0

    def _sort_cards(self) -> list[int]:
        """The cards by the lots that they may be in."""
        kinds: dict[tuple[int, ...], int] = {}
        lots = [lot for cell in self.cells for lot in cell.lots]
        whole = 0
        for lot in lots:
            whole |= lot
        for card in bits(whole):
            key = tuple(lot >> card & 1 for lot in lots)
            kinds[key] = kinds.get(key, 0) | 1 << card
        return list(kinds.values())

    def _in_order(self) -> list[Cell]:
        """The cells in an order in which few kinds are begun and not used up at any time: so many states are to be told apart."""
        left = list(self.cells)
        order: list[Cell] = []
        begun = 0

        def states(cell: Cell) -> int:
            later = 0
            for other in left:
                later |= 0 if other is cell else other.possible
            found = 1
            for kind in self.kinds:
                found *= kind.bit_count() + 1 if kind & (begun | cell.possible) and kind & later else 1
            return found

        while left:
            cell = min(left, key=lambda cell: (states(cell), cell.size))
            left = [other for other in left if other is not cell]
            order.append(cell)
            begun |= cell.possible
        return order

    def _limits(self, cell: Cell) -> Iterator[tuple[frozenset[int], int]]:
        """The kinds that fit into some of the lots only, and how many cards these lots hold: more of these kinds cannot be in the cell."""
        for few in range(1, len(cell.lots)):
            for lots in combinations(cell.lots, few):
                others = 0
                for lot in cell.lots:
                    others |= 0 if lot in lots else lot
                only = frozenset(index for index, kind in enumerate(self.kinds) if kind & cell.possible and not kind & others)
                if only:
                    yield only, sum(cell.lots[lot] for lot in lots)

    # ---- counting -------------------------------------------------------------------------------------------------

    @property
    def sets(self) -> int:
        """In how many ways the cells can be filled, whatever the order in which the cards of a cell lie."""
        return self.ways(0, self.sizes)

    @cached_property
    def is_counted(self) -> bool:
        """Whether the ways can be counted in reasonable time."""
        try:
            return self.sets > 0
        except TooMany:
            self.known.clear()
            return False

    def ways(self, number: int, left: Counts) -> int:
        """In how many ways the cells from this one on can be filled with what is left of each kind."""
        if number == len(self.cells):
            return 0 if any(left) else 1
        key = (number, left)
        found = self.known.get(key)
        if found is None:
            found = 0
            for rest, weight in self.choices(number, left):
                self.looked_at += 1
                if self.looked_at > MOST_CHOICES:
                    raise TooMany
                found += weight * self.ways(number + 1, rest)
            self.known[key] = found
        return found

    def choices(self, number: int, left: Counts) -> Iterator[tuple[Counts, int]]:
        """What may be left of each kind when the cell is filled, and how many choices of cards lead to that."""
        final, limits = self.final[number], self.limits[number]
        rest = list(left)
        tried = 0

        def fill(kinds: list[int], need: int, weight: int) -> Iterator[tuple[Counts, int]]:
            nonlocal tried
            if not kinds:
                tried += 1
                if tried > MOST_CHOICES:
                    raise TooMany
                if not need and all(sum(left[kind] - rest[kind] for kind in only) <= most for only, most in limits):
                    yield tuple(rest), weight
                return
            kind, following = kinds[0], kinds[1:]
            there = left[kind]
            fewest = there if kind in final else max(0, need - sum(left[other] for other in following))
            for many in range(fewest, min(there, need) + 1):
                rest[kind] = there - many
                yield from fill(following, need - many, weight * comb(there, many))
            rest[kind] = there

        yield from fill(self.fits[number], self.needs[number], 1)

    # ---- what follows ---------------------------------------------------------------------------------------------

    def everywhere(self) -> list[tuple[Cell, int]]:
        """Each cell with the cards that are, besides those sure, in some way of filling in it."""
        may_be = [0] * len(self.cells)
        now = {self.sizes}
        for number in range(len(self.cells)):
            after = set()
            for left in now:
                for rest, _ in self.choices(number, left):
                    if self.ways(number + 1, rest):
                        after.add(rest)
                        for kind in self.fits[number]:
                            if rest[kind] < left[kind]:
                                may_be[number] |= self.kinds[kind]
            now = after
        return list(zip(self.cells, may_be, strict=True))

    def alone(self) -> dict[int, int]:
        """The cards that are, however the cells are filled, in one of them (by its id)."""
        found: dict[int, int] = {}
        everywhere = self.everywhere() if self.is_counted else []
        for cell, cards in everywhere:
            elsewhere = 0
            for other, others in everywhere:
                elsewhere |= 0 if other is cell else others
            found[id(cell)] = cards & ~elsewhere
        return found

    # ---- drawing by lot -------------------------------------------------------------------------------------------

    def draw(self, rng: Random) -> list[tuple[Cell, int]]:
        """One way to fill the cells, each as likely as any other. Raises NoWay where there is none."""
        if not self.is_counted:
            return self._draw_unevenly(rng)
        found = []
        stocks = [bits(kind) for kind in self.kinds]
        for stock in stocks:
            rng.shuffle(stock)
        left = self.sizes
        for number, cell in enumerate(self.cells):
            at = rng.randrange(self.ways(number, left))
            for rest, weight in self.choices(number, left):
                at -= weight * self.ways(number + 1, rest)
                if at < 0:
                    break
            cards = 0
            for kind, before in enumerate(left):
                for card in stocks[kind][rest[kind] : before]:
                    cards |= 1 << card
            found.append((cell, cards))
            left = rest
        return found

    def _draw_unevenly(self, rng: Random) -> list[tuple[Cell, int]]:
        """One way to fill the cells: some way, in which cards then change places at random."""
        shares = [(number, lot) for number, cell in enumerate(self.cells) for lot, many in cell.lots.items() for _ in range(many)]
        cards = [card for kind in self.kinds for card in bits(kind)]
        rng.shuffle(shares)
        rng.shuffle(cards)
        holder = assign(cards, [lot for _, lot in shares])
        if len(holder) < len(shares):
            raise NoWay
        for _ in range(SWAPS_PER_CARD * len(cards)):
            one, other = rng.randrange(len(shares)), rng.randrange(len(shares))
            if shares[one][1] >> holder[other] & 1 and shares[other][1] >> holder[one] & 1:
                holder[one], holder[other] = holder[other], holder[one]
        found = [0] * len(self.cells)
        for share, card in holder.items():
            found[shares[share][0]] |= 1 << card
        return list(zip(self.cells, found, strict=True))


def orders(cells: Sequence[Cell]) -> int:
    """In how many ways the cards of cells can lie in their spots."""
    found = 1
    for cell in cells:
        found *= factorial(cell.spots.bit_count())
    return found
