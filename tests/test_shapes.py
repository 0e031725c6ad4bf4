"""Picks of a shape: what may be picked, card by card, against every subset tried by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl import IllegalMove, lay
from durak_dsl.compiler.runtime import of_shape
from durak_dsl.compiler.shapes import fits, table
from durak_dsl.language.shapes import Shape
from durak_dsl.table.game import load
from tests.games import ROOT, bits
from tests.referee import splits
from tests.test_referee import play_both

RANKS = 4

groups = st.lists(st.integers(1, 4), min_size=1, max_size=5).map(tuple)
shapes = st.lists(groups, min_size=1, max_size=4).map(tuple)


@st.composite
def hands(draw: st.DrawFn) -> tuple[int, int]:
    """How many cards a rank has (suits times copies), and some cards."""
    width = draw(st.integers(1, 8))
    cards = draw(st.sets(st.integers(0, RANKS * width - 1), max_size=10))
    return width, sum(1 << card for card in cards)


def picked(cards: int, few: int, most: int, width: int, shape: Shape, chosen: int = 0) -> Iterator[int]:
    """The sets that can be picked, by every way of taking legal steps; from everywhere there is one."""
    done = 1 << RANKS * width
    mask = of_shape(cards, chosen, few, most, width, done, table(shape, width))
    assert mask or not chosen, "a way that leads nowhere"
    if mask & done:
        yield chosen
    for card in bits(mask & ~done):
        assert card > chosen.bit_length() - 1
        yield from picked(cards, few, most, width, shape, chosen | 1 << card)


def fitting(cards: int, few: int, most: int, width: int, shape: Shape) -> set[int]:
    """The same by trying every subset."""
    found = set()
    for count in range(max(few, 0), min(most, cards.bit_count()) + 1):
        for subset in itertools.combinations(bits(cards), count):
            if not subset or any(splits([card // width for card in subset], way) for way in shape):
                found.add(sum(1 << card for card in subset))
    return found


@settings(max_examples=400, deadline=None)
@given(hand=hands(), shape=shapes, few=st.integers(-2, 5), most=st.integers(-1, 10))
def test_exactly_the_fitting_sets_can_be_picked_each_in_one_way(hand: tuple[int, int], shape: Shape, few: int, most: int) -> None:
    width, cards = hand
    found = list(picked(cards, few, most, width, shape))
    assert len(found) == len(set(found))
    assert set(found) == fitting(cards, few, most, width, shape)
    everything = cards.bit_count()
    assert fits(shape, cards, width) == (cards in fitting(cards, everything, everything, width, shape))


@pytest.mark.parametrize(
    ("shape", "ranks", "whether"),
    [
        ("2+2", "7777", True),  # four of a kind are two pairs
        ("2+2", "7778", False),
        ("2+2+1", "77777", True),
        ("2+1", "777", True),
        ("2+1", "789", False),
        ("3+2+2", "7777788", True),
        ("3+2+2", "7777888", True),
        ("3+3+1", "7777888", True),
        ("4+2+1", "7777888", True),
        ("5+2", "7777888", False),
    ],
)
def test_groups_may_be_of_the_same_rank(shape: str, ranks: str, whether: bool) -> None:
    sizes = tuple(map(int, shape.split("+")))
    counts = {rank: ranks.count(rank) for rank in ranks}
    cards = sum(1 << (int(rank) - 7) * 8 + number for rank, count in counts.items() for number in range(count))
    assert fits((sizes,), cards, 8) is whether
    assert splits(list(map(int, ranks)), sizes) is whether


GIVEN = {"turn": "P1", "trump": "spades", "hand": "7D 7H KC AC KD | 8D 8H AS 9C", "phase": "lead"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lead 7D 7H", "the cards must be of shape 1, 2+1 or 2+2+1"),
        ("lead 7D KC AC", "the cards must be of shape 1, 2+1 or 2+2+1"),
        ("lead 7D 7H KC KD AC", "at most 4 may be chosen here, not 5"),
        ("lead 7D 7H 8D", "8♦ is not in P1's hand"),
    ],
)
def test_a_set_of_another_shape_is_refused_for_a_reason(text: str, reason: str) -> None:
    position = lay(load("round"), GIVEN)
    with pytest.raises(IllegalMove) as error:
        position.move(text)
    assert error.value.reason == reason


EDIT = """durak: 1
id: edit
changes: simple
moves:
  lead:
    pick:
      cards: {pick}
"""


PASS = """  +pass:
    in: lead
    do: end deal
    say: {en: "{me} passes", ru: "{me} пасует"}
"""


def leads(folder: Path, pick: str, hand: str) -> list[str]:
    """The leads from a hand by these rules in which passing is always possible."""
    path = folder / "edit.yaml"
    path.write_text(EDIT.format(pick=pick) + PASS, "utf-8")
    table = lay(load(str(path)), {"hand": f"{hand} | 8D 8H AS 9C 9D", "phase": "lead"})
    return [move.text() for move in table.legal_moves() if move.name == "lead"]


def test_a_shape_goes_with_a_condition_and_with_bounds_of_one(tmp_path: Path) -> None:
    hand = "6C 6D 7C 7D 7H"
    assert leads(tmp_path, "2 of me.hand shape 2 | 1 where cards.suit != clubs", hand) == ["lead 7D 7H"]
    assert leads(tmp_path, "1 of me.hand shape 2 | 1 where cards.suit != clubs", hand) == ["lead 6D", "lead 7D", "lead 7H"]
    assert leads(tmp_path, "1 to 3 of me.hand shape 3", hand) == ["lead 7C 7D 7H"]
    assert leads(tmp_path, "0 to 2 of me.hand shape 2 where cards.rank == 6", hand) == ["lead", "lead 6C 6D"]


@pytest.mark.parametrize("pattern", ["", " same rank", " same suit", " shape 1 | 2"])
def test_less_than_no_cards_cannot_be_picked(pattern: str, tmp_path: Path) -> None:
    hand = "6C 6D 7C"
    assert leads(tmp_path, f"size(me.hand) - 9 to size(me.hand) - 4 of me.hand{pattern}", hand) == []
    assert leads(tmp_path, f"size(me.hand) - 9 to size(me.hand) - 3 of me.hand{pattern}", hand) == ["lead"]
    assert leads(tmp_path, f"size(me.hand) - 9 to size(me.hand) - 2 of me.hand{pattern}", hand) == ["lead", "lead 6C", "lead 6D", "lead 7C"]


def test_copies_are_cards_of_one_rank(tmp_path: Path) -> None:
    fair = ROOT / "tests/table/fair.yaml"
    (tmp_path / fair.name).write_text(fair.read_text("utf-8"), "utf-8")
    path = tmp_path / "edit.yaml"
    head = f"durak: 1\nid: edit\nchanges: {fair.stem}\n"
    path.write_text(head + "moves:\n  give:\n    pick:\n      cards: 1 to 3 of me.hand shape 1 | 2+1\n", "utf-8")
    position = lay(load(str(path)), {"hand": "7C 7C 8H 9M | 9H 9M"})
    given = [move.text() for move in position.legal_moves() if move.name == "give"]
    assert given == [f"give P2 {cards}" for cards in ("7C", "7C 7C 8H", "7C 7C 9M", "8H", "9M")]
    assert position.move("give P2 9M 7C 7C").text() == "give P2 7C 7C 9M"
    for seed in range(3):
        play_both(str(path), {"settings": {}, "seats": 2, "short": 1.0, "seed": seed}, most=15)
