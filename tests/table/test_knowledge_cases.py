"""What players know in particular cases: cards taken, turned up, shown, laid face down, shuffled in, sworn away."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import durak_dsl
from durak_dsl.table import snapshot
from durak_dsl.table.knowledge import View, moment
from durak_dsl.table.position import lay
from durak_dsl.table.table import Table
from tests.table.known import cards, game, play, true
from tests.table.worlds import lying


def cards_of(view: View, zone: str, seat: int | None = None) -> str:
    """The cards known to be in a zone, as text."""
    return view.game.cards.list(view.heap(zone, seat).known)


def test_who_takes_a_card_is_known_to_hold_it() -> None:
    table = lay(game("simple"), {"hand": "6C KC QD | 7D 8D QH | 9H 10H", "trump": "spades", "talon": "JC JD"})
    table.play("P1 lead 6C")
    table.play("P2 take")
    for seat in range(3):
        assert "6C" in cards_of(table.view(seat), "hand", 1)
    assert cards_of(table.view(2), "hand", 0) == ""
    for _ in range(20):
        assert table.sample(2, Random()).view(1).heap("hand", 1).known >= table.view(2).heap("hand", 1).known


@pytest.mark.parametrize("seed", range(5))
def test_the_turned_card_is_known_to_lie_at_the_bottom(seed: int) -> None:
    table = durak_dsl.deal(game("throw-in"), 3, seed=seed)
    turned = table.state[table.program.layout.variables["turned"]]
    for seat in range(3):
        heap = table.view(seat).heap("talon")
        assert heap.piles[0][0].card == turned
        assert all(spot.card is None for spot in heap.piles[0][1:])
        assert table.sample(seat, Random(seed)).view(seat).heap("talon") == heap


@pytest.mark.parametrize("players", [2, 4])
def test_nobody_holds_a_trump_lower_than_the_one_that_was_shown(players: int) -> None:
    seen = 0
    for seed in range(10):
        table = durak_dsl.deal(game("simple"), players, seed=seed)
        trump = table.state[table.program.layout.variables["trump"]]
        shown = min((event[1] for event in table.told()[0].events if event[0] == "show" and event[1] % 4 == trump), key=lambda card: card)
        lower = {card for card in table.program.deck if card % 4 == trump and card < shown}
        leader = table.state[table.program.layout.variables["leader"]]
        for seat in range(players):
            for number in range(20):
                drawn = table.sample(seat, Random(number))
                for other in range(players):
                    if other != leader or shown in snapshot.cards_of(drawn.program, drawn.state, "hand", leader):
                        assert not lower & set(snapshot.cards_of(drawn.program, drawn.state, "hand", other))
                        seen += bool(lower)
    assert seen


@pytest.mark.parametrize("seed", range(3))
def test_what_is_taken_up_from_open_heaps_stays_known_to_all(seed: int) -> None:
    table, rng = durak_dsl.deal(game("cross"), 4, seed=seed), Random(seed)
    while table.phase == "build":
        stock = table.view(0).heap("stock").piles[0]
        assert len(stock) == 1 or all(spot.card is None for spot in stock), "nobody knows what will be turned up"
        table.play(table.legal_moves()[0])
    for _ in range(40):
        held = [snapshot.cards_of(table.program, table.state, "hand", seat) for seat in range(4)]
        for observer in range(4):
            assert [table.view(observer).heap("hand", seat).known for seat in range(4)] == held
            drawn = table.sample(observer, Random(seed))
            assert [snapshot.cards_of(drawn.program, drawn.state, "hand", seat) for seat in range(4)] == held
        table.play(rng.choice(table.legal_moves()))


def test_in_one_pile_only_what_is_taken_is_known() -> None:
    table = lay(game("chinese"), {"hand": "6H 7H KC | 7D 6C 8C | 8D 9D JC", "turn": "P1"})
    table.play("P1 lead 7H")
    table.play("P2 take")
    for seat in (0, 2):
        assert cards_of(table.view(seat), "hand", 1) == "7H"
    assert cards_of(table.view(2), "hand", 0) == ""


def dark(hands: str, stock: str = "", **zones: str) -> Table:
    """A position of the game beside this file."""
    return lay(game("dark"), {"hand": hands, "stock": stock, "turn": "P1", **zones})


def test_a_card_laid_face_down_is_known_to_who_laid_it() -> None:
    table = dark("2C 3C | 2D 3D | 4C 4D")
    table.play("hide 2C")
    mine, other = table.view(0), table.view(1)
    assert [(spot.card, spot.face_down) for spot in mine.heap("pool").piles[0]] == [(0, True)]
    assert [(spot.card, spot.face_down) for spot in other.heap("pool").piles[0]] == [(None, True)]
    table.play("take")
    assert cards_of(table.view(0), "hand", 1) == "2C", "he knows what he gave away"
    assert cards_of(table.view(2), "hand", 1) == ""


def test_a_known_card_may_be_the_one_that_was_laid_face_down() -> None:
    table = dark("2C 3C | 2D 3D | 4C 4D")
    table.play("own 2C")
    assert cards_of(table.view(1), "hand", 0) == "2C"
    table.play("pass")
    table.play("pass")
    table.play("hide 3C")
    assert cards_of(table.view(1), "hand", 0) == "", "it may lie there now"
    kept = Counter(table.sample(1, Random(seed)).view(0).heap("hand", 0).known for seed in range(300))
    assert len(kept) == 4 and kept[(0,)] > kept[(2,)], "either it, or one of the three cards that he has not seen"
    table.play("pass")
    table.play("pass")
    table.play("lay 2C")
    assert table.view(1).heap("pool").piles[0][0].card is None
    table.play(next(move for move in table.legal_moves() if move.name == "reveal"))
    assert table.view(2).heap("pool").piles[0][0].card == 2
    assert not table.view(2).heap("pool").piles[0][0].face_down


def test_a_lone_known_card_stays_known_wherever_it_goes() -> None:
    table = dark("2C | 2D 3D | 4C 4D")
    table.play("own 2C")
    table.play("pass")
    table.play("pass")
    table.play("hide 2C")
    assert table.view(1).heap("pool").piles[0][0].card == 0
    table.play("mix")
    assert cards_of(table.view(2), "stock") == "2C"


def test_a_shuffle_hides_the_order_and_not_the_cards() -> None:
    table = dark("2C 3C | 2D 3D", "4C 4D")
    for move in ("lay 2C", "lay 2D", "mix"):
        table.play(move)
    heap = table.view(0).heap("stock")
    assert heap.known == (0, 1) and heap.size == 4
    assert all(spot.card is None for spot in heap.piles[0])
    assert "{2C 2D}" in str(table.view(0))
    table.play("draw")
    view = table.view(0)
    assert view.heap("stock").known == () and view.heap("hand", 1).known == ()
    held = Counter(card for seed in range(200) for card in table.sample(0, Random(seed)).view(1).heap("hand", 1).known)
    assert set(held) == {0, 1, 3, 4, 5}


def test_an_order_that_was_seen_is_known_when_the_stack_is_turned_over() -> None:
    table = dark("2C 3C | 2D 3D", "4C 4D")
    for move in ("stack 2C", "stack 2D", "turn"):
        table.play(move)
    below, above = (spot.card for spot in table.view(0).heap("stock").piles[0][2:])
    assert {below, above} == {0, 1}
    table.play("draw")
    assert table.view(0).heap("hand", 1).known == (above,)


def test_a_card_shown_to_one_is_known_to_him_alone() -> None:
    table = dark("2C 3C | 2D 3D", "4C 4D")
    table.play("peek")
    assert [spot.card for spot in table.view(0).heap("stock").piles[0]] == [5, None]
    assert [spot.card for spot in table.view(1).heap("stock").piles[0]] == [None, None]
    assert cards_of(table.view(0), "stock") == "4D"
    for seed in range(20):
        drawn = table.sample(1, Random(seed))
        assert drawn.view(0).heap("stock").piles[0][0].card is not None, "who has seen it knows it in the imagined deal too"
    table.play("slip 2D")
    assert cards_of(table.view(0), "stock") == "4D" and table.view(0).heap("stock").piles[0][0].card is None


def test_cards_that_were_sworn_away_are_not_there_and_may_be_drawn_later() -> None:
    table = dark("3C 4C | 3D 4D", "2C 2D")
    table.play("swear")
    assert cards_of(table.view(1), "stock") == "2C 2D"
    table.play("pass")
    table.play("draw")
    assert cards_of(table.view(1), "hand", 0) == "3C 4C"


def test_cards_face_down_in_an_open_set() -> None:
    table = dark("2C 3C | 2D 3D", "4C 4D")
    table.play("sink 2C")
    table.play("sink 2D")
    assert (cards_of(table.view(0), "mud"), cards_of(table.view(1), "mud")) == ("2C", "2D")
    table.play("drag")
    assert cards_of(table.view(0), "hand", 1) == "2C"
    assert lying(table.game, table.sample(0, Random(1)).state)


def test_a_position_is_known_as_far_as_it_lies_open() -> None:
    table = dark("2C 3C | 2D 3D", "4C", pool="4D")
    view = table.view(0)
    assert view.heap("hand", 1).known == () and view.heap("pool").known == (5,)
    assert {card for seed in range(50) for card in cards(table.sample(0, Random(seed)))} == {0, 1, 2, 3, 4, 5}
    table = lay(game("simple"), {"hand": "6C KC | 7D", "trump": "spades"})
    assert cards_of(table.view(0), "hand", 1) == "7D", "there is no other card"


def test_taking_a_move_back_takes_back_what_it_told() -> None:
    table = durak_dsl.deal(game("throw-in"), 2, seed=1)
    views = [[table.view(seat) for seat in range(2)]]
    rng = Random(1)
    for _ in range(20):
        table.play(rng.choice(table.legal_moves()))
        views.append([table.view(seat) for seat in range(2)])
    while table.made:
        assert [table.view(seat) for seat in range(2)] == views.pop()
        table.undo()
    table.play(table.legal_moves()[0])
    true(table)


def test_only_who_sits_at_the_table_has_a_view() -> None:
    table = durak_dsl.deal(game("small"), 2, seed=1)
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="sit at the table"):
            table.view(seat)
        with pytest.raises(ValueError, match="sit at the table"):
            table.sample(seat, Random(1))


def test_rules_in_which_there_is_too_much_to_count_still_get_samples_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durak_dsl.table.counting.MOST_CHOICES", 2)
    uneven = 0
    for seed in range(20):
        table = durak_dsl.deal(game("dark"), 3, seed=seed)
        play(table, Random(seed), 12)
        drawn = table.sample(0, Random(seed))
        uneven += not moment(table).filled(0)[0].filling.is_counted
        true(drawn)
        assert drawn.view(0) == table.view(0)
    assert uneven
