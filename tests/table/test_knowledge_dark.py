"""What players know of a card that beats another face down: who laid it, who believed it, who took it in the end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import durak_dsl
from durak_dsl.compiler.layout import FACE_DOWN
from durak_dsl.table import snapshot
from durak_dsl.table.cards import bits
from durak_dsl.table.knowledge import Spot, View
from durak_dsl.table.position import lay
from durak_dsl.table.table import Table
from tests.table.known import game, play, true

BASES = ["believe-or-not", "throw-in+believe-or-not", "transfer+believe-or-not", "transfer-2+believe-or-not"]


def table_of(hands: str, moves: str, rules: str = "believe-or-not", **more: str) -> Table:
    """A position of few cards after some moves."""
    table = lay(game(rules), {"hand": hands, "trump": "spades", **more})
    for move in moves.split("; "):
        table.play(move)
    return table


def cards_of(view: View, zone: str, seat: int | None = None) -> str:
    """The cards known to be in a zone, as text."""
    return view.game.cards.list(view.heap(zone, seat).known)


def test_who_laid_it_knows_it_and_nobody_else() -> None:
    table = table_of("7H KC | 8H 8D | 9H 9D", "P1 lead 7H; P2 beat in the dark 7H 8D")
    assert [cards_of(table.view(seat), "table") for seat in range(3)] == ["7H", "7H 8D", "7H"]
    table.play("believe")
    assert [cards_of(table.view(seat), "discard") for seat in range(3)] == ["7H", "7H 8D", "7H"]
    assert table.view(0).heap("discard").size == 2
    for seat in range(3):
        true(table)
        assert table.sample(seat, Random(seat)).view(seat) == table.view(seat)


def test_not_believed_everybody_knows_it_for_good() -> None:
    table = table_of("7H KC | 8H 8D | 9H 9D", "P1 lead 7H; P2 beat in the dark 7H 8D; P1 doubt")
    assert [cards_of(table.view(seat), "hand", 1) for seat in range(3)] == ["7H 8D", "7H 8D 8H", "7H 8D"]


def test_the_attacker_draws_every_card_that_could_have_been_laid_equally_often() -> None:
    table = table_of("7H KC | 8H 8D 6S | 9H 9D", "P1 lead 7H; P2 beat in the dark 7H 8D")
    rng, many = Random(1), 1500
    laid = Counter(snapshot.piles(drawn.program, drawn.state, "table")[0][1] for drawn in (table.sample(0, rng) for _ in range(many)))
    names = {table.game.cards.text(card): count for card, count in laid.items()}
    assert set(names) == {"8H", "8D", "6S", "9H", "9D"}, "all that he has not seen"
    assert sum((count - many / 5) ** 2 for count in names.values()) / (many / 5) < 20


def test_a_card_that_he_is_known_to_hold_may_be_the_one() -> None:
    table = table_of("7H KC QC | 8D 9D | 10C", "P1 lead 7H; P2 take; P3 lead 10C; P1 take; P2 lead 8D; P1 beat in the dark 8D KC")
    assert cards_of(table.view(1), "hand", 0) == "", "he took the ten, which may lie there now"
    laid = {snapshot.piles(table.program, table.sample(1, Random(seed)).state, "table")[0][1] for seed in range(100)}
    assert {table.game.cards.text(card) for card in laid} >= {"10C", "KC", "QC"}


def test_taken_back_with_the_table_it_is_any_of_his_cards_and_what_he_held_he_holds() -> None:
    hands, talon = "10C 7H 7D KC 9C 9S | 8D QC QS JC JD JH", "10D 10H AC AD"
    table = table_of(hands, "P1 lead 10C; P2 take; P1 done; P1 lead 7H 7D", "throw-in+believe-or-not", talon=talon)
    assert cards_of(table.view(0), "hand", 1) == "10C"
    table.play("beat in the dark 7H QS")
    assert cards_of(table.view(0), "hand", 1) == "", "it may lie on the table"
    for move in ("believe", "take", "done"):
        table.play(move)
    assert cards_of(table.view(0), "hand", 1) == "7D 7H 10C"
    assert table.view(0).heap("hand", 1).size == 9
    held: set[int] = set()
    for seed in range(50):
        drawn = table.sample(0, Random(seed))
        held.update(snapshot.cards_of(drawn.program, drawn.state, "hand", 1))
    assert table.game.cards.list(sorted(held)) == "7D 7H 8D 10C JC JD JH QC QS AD"


def test_who_takes_the_table_sees_what_was_believed() -> None:
    moves = "P1 lead 7H 7D; P2 beat in the dark 7H 9C; P1 believe; P2 beat in the dark 7D 9D; P1 doubt"
    table = table_of("7H 7D KC | 8H 9C 9D KD | QC QD", moves)
    assert cards_of(table.view(0), "hand", 0) == "7D 7H 9C 9D KC"
    assert cards_of(table.view(1), "hand", 0) == "7D 7H 9C 9D"
    assert cards_of(table.view(2), "hand", 0) == "7D 7H 9D"
    assert table.view(2).heap("hand", 0).size == 5


def believed(table: Table) -> dict[int, int]:
    """The cards that lie face down on the table, each with the seat that has laid it."""
    turns = [turn for turn in table.history if turn.move.name == "beat in the dark"]
    laid = {card: turn.seat for turn in turns for card in turn.move.picks[:1] if isinstance(card, int)}
    return {card: laid[card] for card in bits(table.state[FACE_DOWN])}


@pytest.mark.parametrize("rules", BASES)
def test_no_view_of_others_ever_reveals_a_card_that_was_believed(rules: str) -> None:
    hidden = 0
    for seed in range(12):
        table, rng = durak_dsl.deal(game(rules), 3, seed=seed), Random(seed)
        while not table.is_over and len(table.history) < 60:
            play(table, rng, 1)
            for card, owner in believed(table).items():
                for seat in range(3):
                    heap = table.view(seat).heap("table")
                    assert (card in heap.known) == (seat == owner)
                    assert (Spot(card, face_down=True) in [spot for pile in heap.piles for spot in pile]) == (seat == owner)
                    hidden += seat != owner
    assert hidden


def test_a_sample_of_the_whole_deck_holds_the_open_cards_and_fills_the_dark_place() -> None:
    table = durak_dsl.deal(game("throw-in+believe-or-not"), 2, seed=2)
    rng = Random(3)
    while not (table.state[FACE_DOWN] and table.phase == "doubt"):
        table.play(rng.choice(table.legal_moves()))
    assert table.actor is not None
    seat = table.actor
    laid = Counter(card for number in range(300) for card in bits(table.sample(seat, Random(number)).state[FACE_DOWN]))
    known = set(table.view(seat).heap("hand", seat).known) | set(table.view(seat).heap("table").known)
    assert len(laid) > 10 and not set(laid) & known
