"""What players know of cards that are covered and shuffled again, drawn because nothing fits, or shown and taken up."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import durak_dsl
from durak_dsl.table import snapshot
from durak_dsl.table.cards import Cards, read_deck
from durak_dsl.table.position import lay
from durak_dsl.table.table import Table
from tests.table.known import game


def known(table: Table, seat: int, zone: str, owner: int | None = None) -> str:
    """The cards that a player knows to lie in a zone, as text."""
    view = table.view(seat)
    return view.game.cards.list(view.heap(zone, owner).known)


def lie(table: Table, zone: str, seat: int = 0) -> tuple[int, ...]:
    """The cards that lie in a zone, of a stack the top first."""
    return snapshot.cards_of(table.program, table.state, zone, seat)


def moved(table: Table, *moves: str) -> Table:
    """The table after these moves."""
    for move in moves:
        table.play(table.move(move))
    return table


def drawn(table: Table, seat: int, times: int = 300) -> list[Table]:
    """So many tables that agree with what a player knows."""
    rng = Random(5)
    return [table.sample(seat, rng) for _ in range(times)]


def covered() -> Table:
    """P2 has drawn the last card of the talon and one of the four that were covered."""
    return moved(lay(game("czech"), {"turn": "P1", "hand": "6C 8S | 7D 8D", "pile": "JC 10C KC 9C", "talon": "10H"}), "play 6C")


def test_the_covered_cards_are_known_to_be_the_talon() -> None:
    table = covered()
    whole = "9C 10C JC KC"
    assert (known(table, 0, "pile"), known(table, 0, "talon"), known(table, 0, "hand", 1)) == ("6C", "", "7D 8D 10H")
    own = table.game.cards.list(card for card in lie(table, "hand", 1) if table.game.cards.text(card) in whole.split())
    assert own and known(table, 1, "talon") == " ".join(card for card in whole.split() if card != own)
    for seat in (0, 1):
        assert all(spot.card is None for spot in table.view(seat).heap("talon").piles[0]), "but not in which order they lie"


def test_who_did_not_draw_knows_neither_what_was_drawn_nor_the_order() -> None:
    table = covered()
    orders = Counter[tuple[int, ...]]()
    for one in drawn(table, 0, 2400):
        assert lie(one, "pile") == lie(table, "pile") and lie(one, "hand", 0) == lie(table, "hand", 0)
        assert {*lie(one, "talon"), *lie(one, "hand", 1)} == {*lie(table, "talon"), *lie(table, "hand", 1)}
        orders[lie(one, "talon")] += 1
    assert len(orders) == 24 and min(orders.values()) > 60, orders


def test_who_drew_knows_his_card_but_not_the_order_of_the_others() -> None:
    table = covered()
    orders = Counter(lie(one, "talon") for one in drawn(table, 1, 600))
    assert len(orders) == 6 and min(orders.values()) > 60, orders


def test_a_penalty_is_hidden_from_who_laid_the_six() -> None:
    table = durak_dsl.deal(game("czech"), 2, deck=read_deck("6C 7C 8C 9C 10C JC QC KC AC 6D ...", *deck_of("czech")), kept={"dealer": 1})
    moved(table, "play 6C")
    heap = table.view(0).heap("hand", 1)
    assert (heap.size, heap.known, table.view(0).heap("talon").size) == (7, (), 24)
    drew = {card for one in drawn(table, 0, 600) for card in lie(one, "hand", 1)}
    assert len(drew) == 31, "it may be any card that P1 does not hold and has not seen"


@pytest.mark.parametrize(("rules", "moves", "most"), [("czech", ["draw"], 1), ("czech-1", ["draw", "pass"], 0)])
def test_who_draws_or_passes_has_nothing_that_fits(rules: str, moves: list[str], most: int) -> None:
    table = lay(game(rules), {"turn": "P1", "hand": "8S 10D | 7H 8D", "pile": "9C", "talon": "10H KD 6C 7C QH"})
    moved(table, *moves)
    cards = table.game.cards
    for one in drawn(table, 1):
        held = lie(one, "hand", 0)
        assert sum(cards.text(card)[-1] == "C" or cards.text(card)[:-1] in ("9", "Q") for card in held) <= most, cards.list(held)


def test_the_card_that_the_dealer_shows_is_known_in_his_hand() -> None:
    table = durak_dsl.deal(
        game("czech-2"), 2, deck=read_deck("6C 7C 8C 9C 10C JC QC KC AC 6D 7D 8D ...", *deck_of("czech-2")), kept={"dealer": 0}
    )
    assert (table.actor, known(table, 1, "hand", 0), known(table, 0, "hand", 1)) == (0, "8D", "")
    assert known(moved(table, "play 7C"), 1, "hand", 0) == "8D" and known(table, 1, "pile") == "7C"


def deck_of(name: str) -> tuple[Cards, tuple[int, ...]]:
    """What a deck of a game is read with."""
    of = game(name)
    return of.cards, of.program.deck
