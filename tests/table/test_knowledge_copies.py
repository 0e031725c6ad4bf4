"""What players know where cards come twice: they see which card it is, never which copy."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

import durak_dsl
from durak_dsl.table.cards import bits
from durak_dsl.table.knowledge import moment
from durak_dsl.table.position import lay
from durak_dsl.table.table import Table
from tests.table.known import game, play, true
from tests.table.worlds import Lying, looks, lying, worlds


def dealt(players: int, seed: int, most: int) -> Table:
    table = durak_dsl.deal(game("pairs"), players, seed=seed)
    play(table, Random(seed), most)
    return table


def ways(found: set[Lying], table: Table, seat: int) -> dict[Lying, int]:
    """In how many ways the cards whose place is not known can be put so that a table looks like that: two copies are two cards."""
    sure = list(located(table, seat))
    counted = {}
    for world in found:
        unknown = [Counter(there) - known for there, known in zip(parts(world, table), sure, strict=True)]
        number = 1
        for card, many in sum(unknown, Counter()).items():
            number *= math.factorial(many)
            for there in unknown:
                number //= math.factorial(there[card])
        counted[world] = number
    return counted


def parts(world: Lying, table: Table) -> Iterator[tuple[int, ...]]:
    """The cards of each set, and of each spot of what has an order."""
    for zone, _, cards in world:
        kinds = tuple(card for card, _ in cards)
        yield from [kinds] if table.game.rules.zones[zone].kind == "set" else [(card,) for card in kinds]


def located(table: Table, seat: int) -> Iterator[Counter[int]]:
    """The cards of which it is known where they lie, in each of these."""
    now, view, kind = moment(table), table.view(seat), table.game.cards.kind
    (only,) = now.cases(seat).all
    numbers = [number for number, place in enumerate(now.places.all) if place.exists and not place.down]
    for number, heap in zip(numbers, view.heaps, strict=True):
        if heap.kind == "set":
            yield Counter(kind(card) for side in (number, number + 1) for cell in only.cells.get(side, ()) for card in bits(cell.sure))
        else:
            yield from (Counter([] if spot.card is None else [spot.card]) for pile in heap.piles for spot in pile)


@pytest.mark.parametrize(("players", "seed"), [(2, seed) for seed in range(15)] + [(3, seed) for seed in range(12)])
def test_what_is_drawn_looks_like_the_tables_that_agree_as_often_as_they_do(players: int, seed: int) -> None:
    table = dealt(players, seed, 3 + seed % 6)
    rng = Random(seed)
    for seat in range(players):
        *_, found = worlds(table, seat)
        weights = ways({looks(table.game, world) for world in found}, table, seat)
        for heap in table.view(seat).heaps if len(weights) > 1 else ():
            if heap.kind == "set":
                everywhere = [
                    Counter(card for card, _ in cards)
                    for world in weights
                    for zone, whose, cards in world
                    if (zone, whose) == (heap.zone, heap.seat or 0)
                ]
                assert Counter(heap.known) == functools.reduce(lambda one, other: one & other, everywhere), heap
        many = 40 * len(weights)
        drawn = Counter(looks(table.game, lying(table.game, table.sample(seat, rng).state)) for _ in range(many))
        assert set(drawn) <= set(weights), "a table was drawn that does not agree"
        expected = {look: many * weight / sum(weights.values()) for look, weight in weights.items()}
        assert all(look in drawn for look, often in expected.items() if often > 20), "a table that agrees is not drawn"
        free = len(weights) - 1
        chi2 = sum((drawn[look] - often) ** 2 / often for look, often in expected.items())
        assert chi2 <= free + 4.5 * (2 * free) ** 0.5, f"{chi2} of {free}"


@pytest.mark.parametrize("players", [2, 3])
def test_tables_that_differ_in_copies_only_look_the_same(players: int) -> None:
    rng = Random(3)
    for seed in range(10):
        table = dealt(players, seed, 6)
        exchanged = {card: card ^ 1 for card in table.deck if card % 2 and rng.random() < 0.5}
        exchanged |= {other: card for card, other in exchanged.items()}
        twin = durak_dsl.deal(table.game, players, deck=[exchanged.get(card, card) for card in table.deck], kept=table.kept)
        for turn in table.history:
            twin.play(turn.move.text())
        assert twin == table
        for seat in range(players):
            assert twin.view(seat) == table.view(seat)
            true(twin)
        assert durak_dsl.write_record(twin) == durak_dsl.write_record(table)


def test_who_is_known_to_hold_one_and_lays_one_may_hold_the_other() -> None:
    """P2 took a king of spades and leads that one, or another that he holds: nobody else can tell, or learns whether he has another."""
    views = []
    for first, second in (("KS", "QH"), ("QH", "KS")):
        table = lay(game("pairs"), {"hand": f"KS AS | AS {first} | QH {second}", "trump": "hearts"})
        for move in ("P1 lead KS", "P2 take", "P3 lead QH", "P1 take", "P2 lead KS"):
            table.play(move)
            true(table)
        views.append(table.view(0))
    assert views[0].heap("hand", 1) == views[1].heap("hand", 1)
    assert not views[0].heap("hand", 1).known


@pytest.mark.parametrize("seed", range(12))
def test_who_holds_both_copies_holds_them_in_a_table_drawn_from_a_drawn_one(seed: int) -> None:
    """Cards that are seen together are different ones, also where they look alike."""
    table = durak_dsl.deal(game("twice"), 4, seed=seed)
    play(table, Random(seed), 10)
    seat = table.actor
    assert seat is not None
    drawn = table.sample((seat + 1) % 4, Random(seed))
    again = drawn.sample(seat, Random(seed))
    assert [move.text() for move in again.legal_moves()] == [move.text() for move in drawn.legal_moves()]
