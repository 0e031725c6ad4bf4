"""What may be the case, as far as one observer knows: cells, and where one kind of them cannot say it all, several, one of which is true.

A card that goes to a random place of a stack unseen lies in any place of it, and the others have kept their order: what is known of them
depends on where it lies. Each such place is a case of its own, or those among cards that cannot be told apart together are one. No table
agrees with two cases. What is seen later rules cases out.

Cases are taken together where there are too many, or where tables would agree with two of them: what is known then is still true, but less
than could be known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from durak_dsl.table.cards import bits
from durak_dsl.table.cells import Cell, Cells, Contradiction
from durak_dsl.table.watching import Event, Mixed, Places, Slipped

MOST_CASES = 48


class Cases:
    """All that may be the case; each is told what is seen."""

    def __init__(self, all: Iterable[Cells]):
        self.all = list(all)

    @classmethod
    def at_sight(cls, places: Places, observer: int, contents: Mapping[int, int]) -> Cases:
        """What one look at these contents gives."""
        return cls([Cells.at_sight(places, observer, contents)])

    def copy(self) -> Cases:
        """Others that go on from here."""
        return Cases(cells.copy() for cells in self.all)

    def every(self) -> Iterator[Cell]:
        """The cells of every case."""
        for cells in self.all:
            yield from cells.every()

    @property
    def fixed(self) -> int:
        """The cards that are known, whatever the case, to lie in their very spots."""
        found = self.all[0].fixed
        for cells in self.all[1:]:
            found &= cells.fixed
        return found

    def allows(self, contents: Mapping[int, int]) -> bool:
        """Whether these may be the cards in each place."""
        return any(cells.allows(contents) for cells in self.all)

    def renamed(self, becomes: Mapping[int, int], where: Mapping[int, int]) -> Cases:
        """The same with spots named by other cards, which lie in these places."""
        return Cases(renamed(cells, becomes, where) for cells in self.all)

    def looking(self, observer: int) -> None:
        """From here on it is this one who looks on."""
        for cells in self.all:
            cells.eye = 1 << observer

    # ---- events ---------------------------------------------------------------------------------------------------

    def learn(self, events: Iterable[Event]) -> None:
        """Take in what was seen. Raises Contradiction where it cannot be in any case."""
        for slipped, run in groupby(events, lambda event: isinstance(event, Slipped)):
            seen = tuple(run)  # together: cards that are shown one after the other are different ones
            if slipped:
                for event in seen:
                    assert isinstance(event, Slipped)
                    self._slipped(event)
            elif len(self.all) == 1:
                self.all[0].learn(seen)
            else:
                self._keep(cells for cells in self.all if _learns(cells, seen))

    def _slipped(self, event: Slipped) -> None:
        if event.seen_by & self.all[0].eye or len(event.order) < 2:
            return
        found: list[Cells] = []
        for cells in self.all:
            parted = Parting(cells, event).cases() if len(found) < MOST_CASES else None
            if parted is None:
                _mix(cells, event)
                parted = [cells]
            found += parted
        self._keep(found)

    def _keep(self, cases: Iterable[Cells]) -> None:
        different = {_key(cells): cells for cells in cases}
        if not different:
            raise Contradiction
        self.all = list(different.values())
        if len(self.all) > MOST_CASES:
            self.all = [together(self.all)]


def _learns(cells: Cells, seen: tuple[Event, ...]) -> bool:
    try:
        cells.learn(seen)
    except Contradiction:
        return False
    return True


def _key(cells: Cells) -> object:
    found = [
        (number, cell.spots, cell.sure, frozenset(cell.lots.items()))
        for number, every in cells.cells.items()
        for cell in every
        if cell.size
    ]
    return cells.fixed, frozenset(found)


def _mix(cells: Cells, event: Slipped) -> None:
    """As if the stack had been shuffled."""
    lying = sum(1 << card for card in event.order)
    cells.learn((Mixed((lying, 0), (event.place, event.place), (event.seen_by, cells.places.everybody)),))


def renamed(cells: Cells, becomes: Mapping[int, int], where: Mapping[int, int]) -> Cells:
    """The same knowledge with spots named by other cards, which lie in these places."""
    other = cells.copy()
    for cell in other.every():
        cell.spots = sum(1 << becomes[card] for card in bits(cell.spots))
    other.fixed = 0
    for card in bits(cells.fixed):
        other.place(where[becomes[card]], 1 << becomes[card], 1 << card)
    return other


def together(cases: list[Cells]) -> Cells:
    """What is known whichever is the case: of each place, what is sure to be there and what may be."""
    first = cases[0]
    union = Cells(first.places, 0)
    union.eye, union.fixed = first.eye, Cases(cases).fixed
    for number in sorted({number for cells in cases for number in cells.cells}):
        spots = 0
        for cells in cases:
            for cell in cells.cells.get(number, ()):
                spots |= cell.spots
        sure, may_be = -1, 0
        for cells in cases:
            known = cells.fixed & spots
            for cell in cells.cells.get(number, ()):
                known |= cell.sure
                may_be |= cell.possible
            sure &= known
            may_be |= known
        size = spots.bit_count() or sum(cell.size for cell in first.cells.get(number, ()))
        if size:
            left = size - sure.bit_count()
            union.cells[number] = [Cell(spots, sure, {may_be & ~sure: left} if left else {})]
    union.deduce()
    return union


class Parting:
    """One case, parted by where in a stack a card that went there at random may lie."""

    def __init__(self, cells: Cells, event: Slipped):
        self.cells = cells
        self.event = event
        self.spots = [1 << card for card in event.order]  # the bottom first
        self.card = 1 << event.card
        self.mine = Cell()

    def cases(self) -> list[Cells] | None:
        """A case for each place or run of places, so that no table agrees with two of them; None where that cannot be had."""
        if not self._set_apart():
            return None
        others = [spot for spot in self.spots if spot != self.card]
        lying = [self._cell_at(spot) for spot in others]
        runs = self._runs(lying)
        if not self.mine.sure and not self._are_apart(lying, runs):
            return None
        found: list[Cells] = []
        left = set(range(len(others) + 1))  # places for the card: below the lowest of the others, above it, and so on
        for start, stop in sorted(runs, key=lambda run: run[0] - run[1]):  # the longest first
            if left.issuperset(range(start, stop + 1)):
                left.difference_update(range(start, stop + 1))
                found.append(self._laid(others, start, stop))
        return [*found, *(self._laid(others, at, at) for at in sorted(left))]

    def _set_apart(self) -> bool:
        """Give the card a cell of its own, `mine`; False where it is known together with others only."""
        cells = self.cells.cells.get(self.event.place, [])
        cell = next((cell for cell in cells if cell.spots & self.card), None)
        if cell is None:
            self.mine = Cell(self.card, self.card)
        elif cell.spots == self.card:
            self.mine = cell
        elif not cell.sure and len(cell.lots) == 1:
            (lot,) = cell.lots
            cell.lots[lot] -= 1
            cell.spots &= ~self.card
            self.mine = Cell(self.card, 0, {lot: 1})
            cells.append(self.mine)
        else:
            return False
        return True

    def _cell_at(self, spot: int) -> Cell | None:
        """The cell of a spot; None where a known card lies there."""
        cell = next((cell for cell in self.cells.cells.get(self.event.place, ()) if cell.spots & spot), None)
        return None if cell is not None and cell.spots == spot and cell.sure else cell

    def _runs(self, lying: list[Cell | None]) -> list[tuple[int, int]]:
        """From where to where (exclusive) the cards of a cell lie side by side, all of them."""
        found = []
        for start, cell in enumerate(lying):
            if cell is not None and (not start or lying[start - 1] is not cell):
                stop = start + cell.spots.bit_count()
                if all(other is cell for other in lying[start:stop]):
                    found.append((start, stop))
        return found

    def _are_apart(self, lying: list[Cell | None], runs: list[tuple[int, int]]) -> bool:
        """Whether known cards lie between the runs: then a card of which it is not known which it is lies in one of them only."""
        inside = {at for start, stop in runs for at in range(start, stop)}
        return all(at in inside or cell is None for at, cell in enumerate(lying)) and all(
            lying[stop] is None for _, stop in runs if stop < len(lying)
        )

    def _laid(self, others: list[int], start: int, stop: int) -> Cells:
        """The case that the card lies somewhere from below to above the others from `start` to `stop` (exclusive)."""
        number, run = self.event.place, self.spots[start : stop + 1]
        into = {spot: self.spots[at if at < start else at + 1] for at, spot in enumerate(others)}
        made = Cells(self.cells.places, 0)
        made.eye, made.fixed = self.cells.eye, self.cells.fixed & ~sum(self.spots)
        made.cells = {other: [cell.copy() for cell in cells] for other, cells in self.cells.cells.items() if other != number}
        mine = self.mine.copy()
        for spot in others:
            if self.cells.fixed & spot:
                made.place(number, into[spot], spot)
        for cell in self.cells.cells.get(number, ()):
            if cell is self.mine:
                continue
            if start < stop and cell.spots & others[start]:
                mine = Cell(sum(run), cell.sure | mine.sure, dict(cell.lots))
                for lot, many in self.mine.lots.items():
                    mine.add(lot, many)
            else:
                spots = sum(into[spot] for spot in others if cell.spots & spot)
                made.cells.setdefault(number, []).append(Cell(spots, cell.sure, dict(cell.lots)))
        if start == stop:
            mine.spots = run[0]
        made.cells.setdefault(number, []).append(mine)
        made.deduce()
        return made
