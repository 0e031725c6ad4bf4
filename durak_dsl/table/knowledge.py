"""What one player knows: a view of the table, and tables that agree with it, drawn by lot for those who look ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from random import Random

from durak_dsl.compiler.layout import ACTOR, FACE_DOWN, NODE
from durak_dsl.compiler.program import Outcome
from durak_dsl.compiler.runtime import State
from durak_dsl.language.ir import Variable
from durak_dsl.table import values
from durak_dsl.table.cards import Cards, bits, player
from durak_dsl.table.cells import Cells
from durak_dsl.table.game import Game
from durak_dsl.table.history import Origin
from durak_dsl.table.memory import Case, Moment
from durak_dsl.table.moves import Move
from durak_dsl.table.table import Table
from durak_dsl.table.watching import Places


@dataclass(frozen=True)
class Spot:
    """One card of a stack or pile: which (None: unknown), and whether it lies face down where others lie open."""

    card: int | None
    face_down: bool = False


@dataclass(frozen=True)
class Heap:
    """A zone as a player sees it: how many cards it has, which are known to be in it, and each spot of a stack or pile, bottom first."""

    zone: str
    seat: int | None
    kind: str
    size: int
    known: tuple[int, ...]
    piles: tuple[tuple[Spot, ...], ...] = ()


@dataclass(frozen=True)
class View:
    """What the player in a seat knows, and nothing else. Tables that differ only in what he cannot know have equal views.

    Cards are numbers of the grid of ranks and suits, the same for all copies; `as_json` gives texts. `legal` are his moves if he acts.
    """

    seat: int
    seats: int
    phase: str | None
    actor: int | None
    heaps: tuple[Heap, ...]
    variables: tuple[tuple[str, tuple[int, ...]], ...]
    legal: tuple[Move, ...]
    outcome: Outcome | None = field(hash=False)
    game: Game = field(compare=False, repr=False)

    def heap(self, zone: str, seat: int | None = None) -> Heap:
        """The zone of that name (of a seat)."""
        return next(heap for heap in self.heaps if heap.zone == zone and heap.seat == seat)

    def as_json(self) -> dict[str, object]:
        """The view as plain values. The cards of a stack are listed top first, of a pile bottom first, those not known as null."""
        rules = self.game.rules
        zones: dict[str, object] = {}
        for zone in rules.zones.values():
            heaps = [self._heap(heap) for heap in self.heaps if heap.zone == zone.name]
            zones[zone.name] = heaps if zone.each else heaps[0]
        outcome = None
        if self.outcome is not None:
            outcome = {
                "places": list(self.outcome.places),
                "losers": [player(seat) for seat in self.outcome.losers],
                "winners": [player(seat) for seat in self.outcome.winners],
                "stalemate": self.outcome.stalemate,
                "scores": {name: list(found) for name, found in self.outcome.scores.items()},
            }
        return {
            "seat": player(self.seat),
            "seats": self.seats,
            "phase": self.phase,
            "actor": None if self.actor is None else player(self.actor),
            "zones": zones,
            "variables": {name: self._variable(rules.variables[name], found) for name, found in self.variables},
            "legal": [move.text() for move in self.legal],
            "outcome": outcome,
        }

    def _heap(self, heap: Heap) -> dict[str, object]:
        found: dict[str, object] = {"size": heap.size, "known": [self._text(card) for card in heap.known]}
        piles = [[self._spot(spot) for spot in pile] for pile in heap.piles]
        if heap.kind == "stack":
            found["cards"] = piles[0][::-1]
        elif heap.kind == "row":
            found["piles"] = piles
        return found

    def _spot(self, spot: Spot) -> object:
        card = None if spot.card is None else self._text(spot.card)
        return {"face down": card} if spot.face_down else card

    def _text(self, kind: int) -> str:
        return self.game.cards.text(kind * self.game.cards.copies)

    def _variable(self, variable: Variable, found: tuple[int, ...]) -> object:
        texts = [values.write(value, variable.type, self.game.cards) for value in found]
        return texts if variable.each else texts[0]

    def __str__(self) -> str:
        lines = [f"{player(self.seat)} of {self.seats}"]
        if self.phase is not None and self.actor is not None:
            lines.append(f"{self.phase}: {player(self.actor)}")
        for heap in self.heaps:
            name = heap.zone if heap.seat is None else f"{player(heap.seat)} {heap.zone}"
            lines.append(f"{name}: {self._line(heap)}")
        plain = self.as_json()
        for part in ("variables", "outcome"):
            found = plain[part]
            if isinstance(found, Mapping):
                lines += [f"{name}: {' | '.join(map(str, value)) if isinstance(value, list) else value}" for name, value in found.items()]
        return "\n".join([*lines, *map(str, self.legal)])

    def _line(self, heap: Heap) -> str:
        """Known cards, `?×3` for three unknown ones; a stack top first, cards known to be somewhere in it in braces."""
        if heap.kind == "row":
            return " | ".join(" ".join(self._mark(spot) for spot in pile) for pile in heap.piles) or "-"
        if heap.kind == "set":
            parts = [*map(self._text, heap.known), *["?"] * (heap.size - len(heap.known))]
        else:
            parts = [self._mark(spot) for spot in reversed(heap.piles[0])]
            lying = Counter(spot.card for spot in heap.piles[0] if spot.card is not None)
            somewhere = (Counter(heap.known) - lying).elements()
            parts += [f"{{{' '.join(map(self._text, found))}}}"] if (found := list(somewhere)) else []
        runs = [(text, len(list(run))) for text, run in groupby(parts)]
        return " ".join(text if many == 1 else f"{text}×{many}" for text, many in runs) or "-"

    def _mark(self, spot: Spot) -> str:
        text = "?" if spot.card is None else self._text(spot.card)
        return f"({text})" if spot.face_down else text


def moment(table: Table) -> Moment:
    """What has been seen at a table so far; kept with the table, so that only what is new is looked at."""
    told = table.told()
    found = table.memory
    while found is not None and (found.depth > len(told) or found.told is not (told[found.depth - 1] if found.depth else None)):
        found = found.before
    if found is None:
        found = Moment.first(table.program, table.origin.state, table.origin.seen)
    for later in told[found.depth :]:
        found = found.then(later)
    table.memory = found
    return found


def view(table: Table, seat: int) -> View:
    """What the player in that seat knows."""
    table.program.check_seat(seat, table.seats)
    whole = table.whole
    over = whole[NODE] < 0
    return View(
        seat,
        table.seats,
        None if over else table.program.nodes[whole[NODE]].phase,
        None if over else whole[ACTOR],
        _heaps(table, seat, whole),
        tuple((variable.name, _values(table, variable, whole)) for variable in table.game.rules.variables.values()),
        tuple(map(table.game.notation.any_copies, table.legal_moves())) if table.actor == seat else (),
        table.outcome() if over else None,
        table.game,
    )


def sample(table: Table, seat: int, rng: Random) -> Table:
    """A table that agrees with all that the player in that seat knows, drawn by lot, each that agrees as likely as any other.

    It has no history, and chance will go its own way. Choices that the player has made of a move under way are made there too.
    """
    table.program.check_seat(seat, table.seats)
    state, seen = moment(table).imagine(seat, table.whole, rng)
    drawn = Table(table.game, state, Origin(tuple(state), laid=True, seen=seen))
    if table.actor == seat:
        for choice in table.choices:
            drawn.step(choice)
    return drawn


def _values(table: Table, variable: Variable, state: State) -> tuple[int, ...]:
    layout = table.program.layout
    place = layout.variables[variable.name]
    if not variable.each:
        found = [state[place]]
    elif layout.spread(variable):
        found = [state[place + seat] for seat in range(table.seats)]
    else:
        found = [state[place] >> seat & 1 for seat in range(table.seats)]
    looks = {"card": table.game.cards.first_copy, "cards": table.game.cards.first_copies}.get(variable.type.kind)
    return tuple(map(looks, found) if looks else found)


def _heaps(table: Table, seat: int, state: State) -> tuple[Heap, ...]:
    now = moment(table)
    contents = now.places.contents(state)
    inside, known = _certain(now.filled(seat)[0], contents, table.game.cards)
    for case in now.filled(seat)[1:]:
        others, spots = _certain(case, contents, table.game.cards)
        inside = {number: cards & others.get(number, 0) for number, cards in inside.items()}
        known = {spot: card for spot, card in known.items() if spots.get(spot) == card}
    return tuple(
        _heap(table, now.places, number, inside.get(number, 0) | inside.get(number + 1, 0), known, state)
        for number, place in enumerate(now.places.all)
        if place.exists and not place.down
    )


def _certain(case: Case, contents: Mapping[int, int], cards: Cards) -> tuple[dict[int, int], dict[int, int]]:
    """In one case: the cards that are sure to lie in each place, and by spots (called by what truly lies there) the cards that are."""
    cells = case.cells
    known = {card: card for card in bits(cells.fixed)}
    inside = {number: there & cells.fixed for number, there in contents.items()}
    alone = case.filling.alone()
    for number, found in cells.cells.items():
        for cell in found:
            sure = cell.sure | alone.get(id(cell), 0)
            inside[number] = inside.get(number, 0) | sure
            if sure and cell.spots.bit_count() == 1:
                known[cell.spots.bit_length() - 1] = sure.bit_length() - 1
    for number, copies, many in _crowded(cells, cards):
        while (inside.get(number, 0) & copies).bit_count() < many:
            rest = copies & ~inside.get(number, 0)
            inside[number] = inside.get(number, 0) | rest & -rest
    return inside, known


def _crowded(cells: Cells, cards: Cards) -> Iterator[tuple[int, int, int]]:
    """Each place with copies of a card of which so many must be there, whichever they are: for all of them there is no room elsewhere."""
    unknown = 0
    for cell in cells.every() if cards.copies > 1 else ():
        unknown |= cell.possible
    for kind in {cards.kind(card) for card in bits(unknown)}:
        copies = [card for card in cards.copies_of(kind) if unknown >> card & 1]
        group = sum(1 << card for card in copies)
        room = {
            number: min(len(copies), sum(many for cell in found for lot, many in cell.lots.items() if lot & group))
            for number, found in cells.cells.items()
        }
        for number, here in room.items():
            if len(copies) > 1 and here and (sure := len(copies) - sum(room.values()) + here) > 0:
                yield number, group, sure


def _heap(table: Table, places: Places, number: int, inside: int, known: Mapping[int, int], state: State) -> Heap:
    place, kind = places.all[number], table.game.cards.kind
    zone, base = place.zone, places.base(place)
    piles: list[tuple[Spot, ...]] = []
    size = state[base].bit_count()
    if place.ordered:
        lying = [state[spot] for spot in places.spots(state, place)]
        size = len(lying)
        turned = state[FACE_DOWN] if zone.seen == "all" else 0
        for height in [size] if zone.kind == "stack" else state[base + 2 : base + 2 + state[base]]:
            pile, lying = lying[:height], lying[height:]
            piles.append(tuple(Spot(kind(known[card]) if card in known else None, turned >> card & 1 == 1) for card in pile))
            inside |= sum(1 << known[card] for card in pile if card in known)
    return Heap(zone.name, place.seat if zone.each else None, zone.kind, size, tuple(map(kind, bits(inside))), tuple(piles))
