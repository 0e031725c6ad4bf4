"""What one observer knows of where the cards are, kept exactly wherever lots of cards can say it.

A card is either *fixed*, known to lie in its very spot of a stack or row, or in a *cell*: a set, or spots of a stack, whose cards the
observer cannot tell apart by looking. Of a cell he knows cards that are *sure* to be in it and, for the others, *lots*: so many of these.
The cards that somebody holds since it was told that none of them is low, and those drawn after that, are two lots of one cell.

All is exact but for this: when a card leaves a cell unseen, or comes out of it, and lots that it may come from overlap in part,
these are taken together as one. What is known then is still true, but less than could be known.

The spots of a cell are named by the cards that truly lie there. Nothing that is learned here depends on which they are: cells may also
say what would be the case if things were otherwise (`cases`), and then come to contradict what is seen.

Copies of a card look alike, so he gives them their names himself: a card that he sees leave a place is the copy that he knows to be there,
if there is one. For this two copies change their names wherever he has noted them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from durak_dsl.table.cards import bits
from durak_dsl.table.watching import Event, Excluded, Mixed, Moved, Places, Shown

MOST_LOTS = 6  # in one cell; then they are taken together


class Contradiction(Exception):
    """What was seen cannot be if the cards were where these cells say."""


@dataclass
class Cell:
    """Cards that cannot be told apart: their spots (none: a set), those that are sure to be among them, lots (of which cards: how many)."""

    spots: int = 0
    sure: int = 0
    lots: dict[int, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many cards it holds."""
        return self.sure.bit_count() + sum(self.lots.values())

    @property
    def possible(self) -> int:
        """The cards that may be there besides those that are sure."""
        found = 0
        for cards in self.lots:
            found |= cards
        return found

    def copy(self) -> Cell:
        """Another cell with the same cards."""
        return Cell(self.spots, self.sure, dict(self.lots))

    def add(self, cards: int, many: int = 1) -> None:
        """So many more cards out of these."""
        self.lots[cards] = self.lots.get(cards, 0) + many
        if len(self.lots) > MOST_LOTS:
            self.lots = {self.possible: sum(self.lots.values())}

    def without(self, cards: int) -> None:
        """These cards are not in any lot."""
        if any(lot & cards for lot in self.lots):
            before, self.lots = self.lots, {}
            for lot, many in before.items():
                self.add(lot & ~cards, many)

    def take(self, card: int) -> None:
        """One card less, this one (a mask): out of the narrowest lot that may hold it, for what that one may hold wider ones may too."""
        if self.sure & card:
            self.sure &= ~card
            return
        self._one_less(narrowest([lot for lot in self.lots if lot & card]))

    def lift(self) -> int:
        """One card less, and nobody says which: the cards that it may be."""
        may_be = self.sure | self.possible
        lots = dict(self.lots)
        for card in bits(self.sure):
            lots[1 << card] = 1
        self.sure, self.lots = 0, lots
        self._one_less(narrowest(list(lots)))
        return may_be

    def _one_less(self, among: list[int]) -> None:
        if not among:
            raise Contradiction
        union, many = 0, -1
        for lot in among:
            union |= lot
            many += self.lots.pop(lot)
        if many:
            self.add(union, many)


def narrowest(lots: list[int]) -> list[int]:
    """The lots that have no other one within them."""
    return [lot for lot in lots if not any(other != lot and other & ~lot == 0 for other in lots)]


class Cells:
    """Where the cards are, as far as one observer (a bit of the masks of those who see) knows."""

    def __init__(self, places: Places, observer: int):
        self.places = places
        self.copies = places.program.rules.deck.copies
        self.eye = 1 << observer
        self.fixed = 0
        self.cells: dict[int, list[Cell]] = {}

    @classmethod
    def at_sight(cls, places: Places, observer: int, contents: Mapping[int, int]) -> Cells:
        """What one look at these contents gives: what lies open is known, and which cards are hidden, but not where."""
        made = cls(places, observer)
        hidden = 0
        for number, cards in contents.items():
            if not places.seen_by[number] & made.eye:
                hidden |= cards
        for number, cards in contents.items():
            ordered = places.all[number].ordered
            if not places.seen_by[number] & made.eye:
                made.cells[number] = [Cell(cards if ordered else 0, 0, {hidden: cards.bit_count()})]
            elif ordered:
                made.fixed |= cards
            else:
                made.cells[number] = [Cell(0, cards)]
        made.deduce()
        return made

    def copy(self) -> Cells:
        """Another one that goes on from here."""
        other = Cells(self.places, 0)
        other.eye, other.fixed, other.copies = self.eye, self.fixed, self.copies
        other.cells = {number: [cell.copy() for cell in cells] for number, cells in self.cells.items()}
        return other

    def every(self) -> Iterator[Cell]:
        """All cells."""
        for cells in self.cells.values():
            yield from cells

    # ---- events ---------------------------------------------------------------------------------------------------

    def learn(self, events: Iterable[Event]) -> None:
        """Take in what was seen."""
        shown = 0  # one after the other: cards that are shown together are different ones
        for event in events:
            shown = shown if isinstance(event, Shown) else 0
            if isinstance(event, Moved):
                self._moved(event)
            elif isinstance(event, Shown):
                if event.to & self.eye:
                    self._shown(event, shown)
                    shown |= 1 << event.card
            elif isinstance(event, Excluded):
                excluded = self._with_all_copies(event.cards)
                for number in event.places:
                    for cell in self.cells.get(number, ()):
                        if cell.sure & excluded:
                            raise Contradiction
                        cell.without(excluded)
            elif isinstance(event, Mixed):
                self._mixed(event)
            self.deduce()

    def _moved(self, event: Moved) -> None:
        card = 1 << event.card
        seen = (event.before | event.after) & self.eye
        may_be = card
        if self.fixed & card:
            self.fixed &= ~card
        else:
            cell = self._cell(event.source, card)
            if seen:
                self._name(cell, card)
                cell.take(card)
            else:
                may_be = cell.lift()
            self._vacate(event.source, cell, card)
        ordered = self.places.all[event.target].ordered
        if may_be & may_be - 1:
            self._lay_unseen(event.target, card if ordered else 0, may_be)
            return
        if not ordered:
            self._set(event.target).sure |= may_be
        else:
            self.place(event.target, card, may_be)
        self._located(may_be)

    def _shown(self, event: Shown, before: int) -> None:
        card = 1 << event.card
        if self.fixed & card:
            return
        cell = self._cell(event.place, card)
        self._name(cell, card, before)
        if not cell.spots and cell.sure & card:
            return
        cell.take(card)
        if cell.spots:
            self._vacate(event.place, cell, card)
            self.fixed |= card
        else:
            cell.sure |= card
        self._located(card)

    def place(self, number: int, spot: int, card: int) -> None:
        """In this spot lies this card (masks)."""
        if card == spot:
            self.fixed |= card
        else:
            self.cells.setdefault(number, []).append(Cell(spot, card))

    def _mixed(self, event: Mixed) -> None:
        for cards, number, seers in zip(event.cards, event.places, event.seen_by, strict=True):
            if seers & self.eye or not cards:
                continue
            whole = Cell(cards, self.fixed & cards)
            self.fixed &= ~cards
            for cell in self.cells.pop(number, ()):
                whole.sure |= cell.sure
                for lot, many in cell.lots.items():
                    whole.add(lot, many)
            self.cells[number] = [whole]

    # ---- copies ---------------------------------------------------------------------------------------------------

    def _name(self, cell: Cell, card: int, others: int = 0) -> None:
        """Call a card (a mask) that is seen in a cell by the name of a copy that is sure to be there and is none of these others."""
        if self.copies == 1 or cell.sure & card:
            return
        group = (1 << self.copies) - 1 << (card.bit_length() - 1) // self.copies * self.copies
        named = cell.sure & group & ~others
        if named:
            named &= -named
            for other in self.every():
                other.sure = _swapped(other.sure, named, card)
                other.lots = {_swapped(lot, named, card): many for lot, many in other.lots.items()}
            return
        # It may be any copy of which it is not known where it lies: none of them is more likely to be in some lot than another.
        group &= sum(1 << copy for copy in bits(group) if any(other.possible >> copy & 1 for other in self.every()))
        for other in self.every():
            if any(lot & group not in (0, group) for lot in other.lots):
                before, other.lots = other.lots, {}
                for lot, many in before.items():
                    other.add(lot | group if lot & group else lot, many)

    def _with_all_copies(self, cards: int) -> int:
        """The cards of which all copies are among these: that some of them do not lie somewhere nobody can tell."""
        if self.copies == 1:
            return cards
        group = (1 << self.copies) - 1
        firsts = {card // self.copies * self.copies for card in bits(cards)}
        return sum(group << first for first in firsts if cards >> first & group == group)

    # ---- cells ----------------------------------------------------------------------------------------------------

    def _set(self, number: int) -> Cell:
        cells = self.cells.setdefault(number, [])
        if not cells:
            cells.append(Cell())
        return cells[0]

    def _cell(self, number: int, card: int) -> Cell:
        """The cell of a place in which the card truly lies."""
        if not self.places.all[number].ordered:
            return self._set(number)
        return next(cell for cell in self.cells[number] if cell.spots & card)

    def _vacate(self, number: int, cell: Cell, spot: int) -> None:
        if not cell.spots:
            return
        cell.spots &= ~spot
        if not cell.spots:
            self.cells[number] = [other for other in self.cells[number] if other is not cell]

    def _lay_unseen(self, number: int, spot: int, may_be: int) -> None:
        if not spot:
            self._set(number).add(may_be)
            return
        cells = self.cells.setdefault(number, [])
        for cell in cells:
            if not cell.sure and cell.lots.keys() == {may_be}:  # any of these cards may lie in any of these spots
                cell.spots |= spot
                cell.add(may_be)
                return
        cells.append(Cell(spot, 0, {may_be: 1}))

    def _located(self, cards: int) -> None:
        for cell in self.every():
            cell.without(cards)

    # ---- what follows ---------------------------------------------------------------------------------------------

    def deduce(self) -> None:
        """Find the cards that can be in one cell only, and the lots that hold all the cards they may hold."""
        while self._deduce_once():
            pass
        for cells in self.cells.values():
            for cell in list(cells):
                if cell.spots and cell.spots == cell.sure and not cell.spots & cell.spots - 1:
                    self.fixed |= cell.sure
                    cells.remove(cell)

    def _deduce_once(self) -> bool:
        once = twice = 0
        for cell in self.every():
            if not cell.lots:
                continue
            possible = cell.possible
            twice |= once & possible
            once |= possible
            if possible.bit_count() < sum(cell.lots.values()):
                raise Contradiction
            if possible.bit_count() == sum(cell.lots.values()):
                cell.lots = {}
            else:
                full = [lot for lot, many in cell.lots.items() if lot.bit_count() <= many]
                if not full:
                    continue
                possible = full[0]
                if possible.bit_count() < cell.lots.pop(possible):
                    raise Contradiction
            cell.sure |= possible
            self._located(possible)
            return True
        lone = once & ~twice
        for cell in self.every() if lone else ():
            cards = cell.possible & lone
            if cards:
                for card in bits(cards):
                    cell.take(1 << card)
                cell.sure |= cards
                cell.without(cards)
                return True
        return False

    # ---- does it agree? -------------------------------------------------------------------------------------------

    def allows(self, contents: Mapping[int, int]) -> bool:
        """Whether these may be the cards in each place; the cells' spots are named by the cards that lie there."""
        for number, cells in self.cells.items():
            for cell in cells:
                if not fits(cell, cell.spots or contents.get(number, 0)):
                    return False
        held = set(self.cells)
        return all(number in held or not cards & ~self.fixed for number, cards in contents.items())


def _swapped(cards: int, one: int, other: int) -> int:
    """The cards where these two have changed places."""
    return cards ^ (one | other) if bool(cards & one) != bool(cards & other) else cards


def fits(cell: Cell, cards: int) -> bool:
    """Whether a cell may hold exactly these cards."""
    if cell.sure & ~cards or cell.size != cards.bit_count():
        return False
    shares = [lot for lot, many in cell.lots.items() for _ in range(many)]
    return len(assign(bits(cards & ~cell.sure), shares)) == len(shares)


def assign(cards: Sequence[int], shares: Sequence[int]) -> dict[int, int]:
    """To as many shares as can be (each the cards that it may be) a card of its own, by the share's number."""
    holder: dict[int, int] = {}

    def place(card: int, tried: set[int]) -> bool:
        for share, lot in enumerate(shares):
            if lot >> card & 1 and share not in tried:
                tried.add(share)
                if share not in holder or place(holder[share], tried):
                    holder[share] = card
                    return True
        return False

    for card in cards:
        place(card, set())
    return holder
