"""What players know of cards that are closed to their owners too, of cards turned up under the talon, and of one put back at random."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import durak_dsl
from durak_dsl.table import snapshot
from durak_dsl.table.cards import read_deck
from durak_dsl.table.knowledge import View, moment
from durak_dsl.table.position import lay
from durak_dsl.table.table import Table
from tests.table.known import cards, game, play, true


def cards_of(view: View, zone: str, seat: int | None = None) -> str:
    """The cards known to be in a zone, as text."""
    return view.game.cards.list(view.heap(zone, seat).known)


def lie(table: Table, zone: str, seat: int = 0) -> tuple[int, ...]:
    """The cards that lie in a zone."""
    return snapshot.cards_of(table.program, table.state, zone, seat)


def dealt(rules: str, players: int, deck: str) -> Table:
    """A deal of a deck that is spelled out, from its top; the other cards follow in order."""
    of = game(rules)
    return durak_dsl.deal(of, players, deck=read_deck(f"{deck} ...", of.cards, of.program.deck), kept={"dealer": players - 1})


def evenly(counts: Counter[object], of: int) -> bool:
    """Whether so many things were drawn about equally often."""
    each = counts.total() / of
    return len(counts) == of and sum((count - each) ** 2 for count in counts.values()) / each < of + 4 * (2 * of) ** 0.5


# ---- closed cards -----------------------------------------------------------------------------------------------------


def magadan() -> Table:
    """A position with closed cards."""
    hands, closed = "6C KC QC | 7C 8C | 9H", "AC JC | AD KD | 10D 10H"
    return lay(game("magadan"), {"hand": hands, "closed": closed, "trump": "spades", "talon": "9C 9D 9S 10C 10S JD JH JS"})


def test_closed_cards_are_known_to_nobody() -> None:
    table = magadan()
    for seat in range(3):
        for owner in range(3):
            heap = table.view(seat).heap("closed", owner)
            assert (heap.size, heap.known) == (2, ())
            assert all(spot.card is None for spot in heap.piles[0])


def test_an_owner_imagines_his_own_closed_cards_to_be_any_that_he_has_not_seen() -> None:
    table, rng = magadan(), Random(1)
    unseen = {*cards(table)} - {*lie(table, "hand", 0)}
    tops = Counter(table.sample(0, rng).state[table.program.layout.zones["closed"] + 2] for _ in range(100 * len(unseen)))
    assert set(tops) == unseen and evenly(Counter(dict(tops)), len(unseen))


def test_a_card_that_is_opened_is_known_to_its_owner_alone() -> None:
    table = magadan()
    top = table.game.cards.read_kind("AD")
    for move in ("P1 lead 6C", "P2 beat 6C 7C", "P1 done", "P3 done"):
        table.play(move)
    assert top in table.view(1).heap("hand", 1).known
    for seat in (0, 2):
        assert top not in table.view(seat).heap("hand", 1).known
        true(table)
        assert table.sample(seat, Random(1)).view(seat) == table.view(seat)
    assert table.view(1).heap("closed", 1).known == ()


def test_a_card_shown_and_then_closed_to_all_stays_known() -> None:
    table = durak_dsl.deal(game("transfer+magadan"), 6, seed=1)
    for seat in range(6):
        turned = table.state[table.program.layout.variables["turned"]]
        holder = next(owner for owner in range(6) if turned in lie(table, "hand", owner))
        assert turned in table.view(seat).heap("hand", holder).known


# ---- own trumps -------------------------------------------------------------------------------------------------------


def test_the_cards_turned_up_are_known_to_lie_at_the_bottom() -> None:
    table = dealt("two-trump", 3, "9H 7S 8D 6C KC QC AC 10C")
    for seat in range(3):
        spots = table.view(seat).heap("talon").piles[0]
        assert table.game.cards.list([spot.card for spot in spots[:3] if spot.card is not None][::-1]) == "9H 7S 8D"
        assert all(spot.card is None for spot in spots[3:])
        assert table.sample(seat, Random(seat)).view(seat).heap("talon") == table.view(seat).heap("talon")


def test_a_card_turned_up_stays_known_when_it_is_drawn() -> None:
    table = durak_dsl.deal(game("throw-in+two-trump"), 4, seed=3)
    rng, drawn = Random(3), 0
    pointing = [table.state[table.program.layout.variables["turned_for"] + seat] for seat in range(4)]
    while not table.is_over and len(table.history) < 200:
        before = {card for seat in range(4) for card in lie(table, "hand", seat)}
        table.play(rng.choice(table.legal_moves()))
        for owner in range(4):
            for card in lie(table, "hand", owner):
                if card in pointing and card not in before:
                    drawn += 1
                    assert all(card in table.view(seat).heap("hand", owner).known for seat in range(4))
    assert drawn


def test_a_card_that_went_back_lies_anywhere_but_under_the_talon() -> None:
    table = dealt("pointed", 2, "KH AH KS")
    cards, rng = table.game.cards, Random(2)
    back = cards.read_kind("AH")
    seat = 1 if back in lie(table, "hand", 0) else 0
    places: Counter[object] = Counter()
    for _ in range(600):
        drawn = table.sample(seat, rng)
        assert cards.list(lie(drawn, "talon")[-2:]) == "KH KS", "the turned cards, the dealer's below"
        places["hand" if back in lie(drawn, "hand", 1 - seat) else lie(drawn, "talon").index(back)] += 1
    assert set(places) <= {"hand", 0, 1} and len(places) > 1


def test_each_table_may_have_put_it_back_anywhere() -> None:
    of = game("pointed")
    found: Counter[object] = Counter()
    deck = read_deck("KH AH KS AS QH AC", of.cards, of.program.deck)
    for seed in range(400):
        table = durak_dsl.deal(of, 2, seed=seed, deck=deck, kept={"dealer": 1})
        back = of.cards.read_kind("AH")
        found["P1" if back in lie(table, "hand", 0) else "P2" if back in lie(table, "hand", 1) else lie(table, "talon").index(back)] += 1
    assert evenly(found, 4), "one of the first two cards, which are dealt, or of the other two above the turned ones"


# ---- a trump that changes ---------------------------------------------------------------------------------------------


def test_the_hidden_card_is_known_to_nobody_until_it_is_turned_up() -> None:
    table = durak_dsl.deal(game("hidden-trump"), 2, seed=5)
    (hidden,) = lie(table, "hidden")
    rng, turned = Random(5), False
    while not table.is_over:
        for seat in range(2):
            heap = table.view(seat).heap("hidden")
            assert heap.size == 0 or heap.known == ()
        table.play(rng.choice(table.legal_moves()))
        if not turned and not lie(table, "hidden"):
            turned = True
            for seat in range(2):
                view = table.view(seat)
                places = [view.heap("talon"), *(view.heap("hand", owner) for owner in range(2))]
                assert any(hidden in place.known for place in places), "it was turned up, and is known wherever it went"
    assert turned


def test_the_trump_card_is_known_to_lie_at_the_bottom_of_the_talon_and_not_the_one_under_it() -> None:
    table = durak_dsl.deal(game("hidden-trump"), 3, seed=1)
    turned = table.state[table.program.layout.variables["turned"]]
    for seat in range(3):
        view = table.view(seat)
        assert view.heap("talon").piles[0][0].card == turned
        hidden = Counter(lie(table.sample(seat, Random(number)), "hidden") for number in range(100))
        assert len(hidden) > 10 and all(card != turned and card not in lie(table, "hand", seat) for (card,) in hidden)


# ---- slipped between known cards --------------------------------------------------------------------------------------


def slip(hands: str, stock: str, moves: str) -> Table:
    """A position of the game beside this file after some moves."""
    table = lay(game("slip"), {"hand": hands, "stock": stock, "turn": "P1"})
    for move in moves.split("; "):
        table.play(move)
    return table


def test_a_card_slipped_in_lies_anywhere_and_the_others_keep_their_order() -> None:
    table = slip("2C | 2D 3D 3C", "4C 4D", "P1 peek; P2 turn up; P1 pass; P2 show and slip 2D")
    assert len(moment(table).filled(0)) == 3
    view = table.view(0)
    assert cards_of(view, "stock") == "2D 4C 4D" and all(spot.card is None for spot in view.heap("stock").piles[0])
    rng = Random(1)
    orders: Counter[object] = Counter(table.game.cards.list(lie(table.sample(0, rng), "stock")) for _ in range(600))
    assert set(orders) == {"2D 4C 4D", "4C 2D 4D", "4C 4D 2D"} and evenly(orders, 3)


def test_what_is_seen_later_tells_where_it_lies() -> None:
    table = slip("2C | 2D 3D 3C", "4C 4D", "P1 peek; P2 turn up; P1 pass; P2 show and slip 2D; P1 peek")
    at = lie(table, "stock").index(table.game.cards.read_kind("2D"))
    cases = moment(table).filled(0)
    assert len(cases) == (1 if at == 2 else 2)
    if at == 2:
        assert [spot.card for spot in table.view(0).heap("stock").piles[0]] == list(lie(table, "stock")[::-1])
    assert len(moment(table).filled(1)) >= len(cases)


@pytest.mark.parametrize("seed", range(6))
def test_imagined_deals_know_as_much(seed: int) -> None:
    table = durak_dsl.deal(game("slip"), 3, seed=seed)
    rng = Random(seed)
    for _ in range(15):
        play(table, rng, 1)
        for seat in range(3):
            drawn = table.sample(seat, rng)
            assert drawn.view(seat) == table.view(seat)
            for other in range(3):
                true(drawn)
                assert drawn.sample(other, rng).view(other) == drawn.view(other)


def test_a_card_that_was_shown_is_known_wherever_it_is_put() -> None:
    table = lay(game("trump-exchange"), {"hand": "6S 9D | 9C AD | 10C", "trump": "spades", "turned": "KS", "talon": "8C QD KS"})
    table.play("P1 exchange 6S")
    for seat in range(3):
        assert table.view(seat).heap("talon").piles[0][0].card == table.game.cards.read_kind("6S")
        assert table.game.cards.read_kind("KS") in table.view(seat).heap("hand", 0).known


def test_too_many_cases_are_taken_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durak_dsl.table.cases.MOST_CASES", 2)
    for seed in range(10):
        table = durak_dsl.deal(game("slip"), 2, seed=seed)
        rng = Random(seed)
        for _ in range(12):
            play(table, rng, 1)
            true(table)
            for seat in range(2):
                assert len(moment(table).filled(seat)) <= 2
                drawn = table.sample(seat, rng)
                assert drawn.view(seat) == table.view(seat)
                true(drawn)
