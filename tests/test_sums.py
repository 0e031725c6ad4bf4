"""Picks that add up, and whether some values do: what may be picked, card by card, against every subset tried by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl import IllegalMove, lay
from durak_dsl.compiler.sums import adding_up, with_one_more
from durak_dsl.table.game import load
from tests.games import ROOT, bits
from tests.test_referee import play_both

CARDS = 12

worths = st.lists(st.integers(0, 9), min_size=CARDS, max_size=CARDS)
some_cards = st.sets(st.integers(0, CARDS - 1), max_size=9).map(lambda cards: sum(1 << card for card in cards))


def picked(cards: int, few: int, most: int, total: int, worth: list[int], chosen: int = 0) -> Iterator[int]:
    """The sets that can be picked, by every way of taking legal steps; from everywhere there is one."""
    done = 1 << CARDS
    mask = adding_up(cards, chosen, few, most, total, worth, done)
    assert mask or not chosen, "a way that leads nowhere"
    if mask & done:
        yield chosen
    for card in bits(mask & ~done):
        assert card > chosen.bit_length() - 1
        yield from picked(cards, few, most, total, worth, chosen | 1 << card)


def fitting(cards: int, few: int, most: int, total: int, worth: list[int]) -> set[int]:
    """The same by trying every subset."""
    found = set()
    for count in range(max(few, 0), min(most, cards.bit_count()) + 1):
        for subset in itertools.combinations(bits(cards), count):
            if not subset or sum(worth[card] for card in subset) == total:
                found.add(sum(1 << card for card in subset))
    return found


@settings(max_examples=600, deadline=None)
@given(cards=some_cards, worth=worths, few=st.integers(-2, 5), most=st.integers(-1, 10), total=st.integers(-3, 40))
def test_exactly_the_sets_with_that_sum_can_be_picked_each_in_one_way(
    cards: int, worth: list[int], few: int, most: int, total: int
) -> None:
    found = list(picked(cards, few, most, total, worth))
    assert len(found) == len(set(found))
    assert set(found) == fitting(cards, few, most, total, worth)


@given(values=st.lists(st.integers(0, 12), max_size=8), total=st.integers(-2, 40))
def test_the_sums_of_one_or_more_values(values: list[int], total: int) -> None:
    sums = 0
    for value in values:
        sums = with_one_more(sums, value, total)
    subsets = [some for count in range(1, len(values) + 1) for some in itertools.combinations(values, count)]
    assert {made for made in range(total + 1) if sums >> made & 1} == {made for some in subsets if (made := sum(some)) <= total}
    assert sums >> max(total, -1) + 1 == 0, "what is more than the total is not kept"


EDIT = """durak: 1
id: edit
changes: simple
define:
  +value(card): number(card.rank)
moves:
  lead:
    pick:
      cards: {pick}
  +pass:
    in: lead
    do: end deal
    say: {{en: "{{me}} passes", ru: "{{me}} пасует"}}
"""


def leads(folder: Path, pick: str, hand: str) -> list[str]:
    """The leads from a hand by these rules in which passing is always possible."""
    path = folder / "edit.yaml"
    path.write_text(EDIT.format(pick=pick), "utf-8")
    table = lay(load(str(path)), {"hand": f"{hand} | JC JD JH", "phase": "lead"})
    return [move.text() for move in table.legal_moves() if move.name == "lead"]


HAND = "6C 6D 7C 8H 9S KD"


@pytest.mark.parametrize(
    ("pick", "expected"),
    [
        ("1 to 6 of me.hand adding up to 15 by value(cards)", ["6C 9S", "6C 9S KD", "6D 9S", "6D 9S KD", "7C 8H", "7C 8H KD"]),
        ("2 of me.hand adding up to 15 by value(cards)", ["6C 9S", "6D 9S", "7C 8H"]),
        ("1 to 6 of me.hand adding up to 15 by value(cards) where cards.suit != spades and cards.rank != K", ["7C 8H"]),
        ("0 to 2 of me.hand adding up to 12 by value(cards)", ["", "6C 6D"]),
        ("1 of me.hand adding up to 8 by value(cards)", ["8H"]),
        ("1 to 6 of me.hand adding up to 4 - size(me.hand) by value(cards)", []),
        ("1 to 6 of me.hand adding up to 0 by value(cards)", ["KD"]),
        ("1 to 6 of me.hand adding up to 2 by (1 if cards.suit == clubs else 5)", ["6C 7C"]),
        (
            "2 to 6 of me.hand adding up to 4 by count(c in me.hand where c.rank == cards.rank) where cards.rank < K",
            ["6C 6D", "6C 7C 8H", "6C 7C 9S", "6C 8H 9S", "6D 7C 8H", "6D 7C 9S", "6D 8H 9S"],
        ),
    ],
)
def test_what_can_be_picked(pick: str, expected: list[str], tmp_path: Path) -> None:
    assert leads(tmp_path, pick, HAND) == [f"lead {cards}".rstrip() for cards in expected]


def test_copies_are_cards_of_their_own(tmp_path: Path) -> None:
    fair = ROOT / "tests/table/fair.yaml"
    (tmp_path / fair.name).write_text(fair.read_text("utf-8"), "utf-8")
    path = tmp_path / "edit.yaml"
    pick = "1 to 3 of me.hand adding up to 16 by number(cards.rank)"
    path.write_text(f"durak: 1\nid: edit\nchanges: {fair.stem}\nmoves:\n  give:\n    pick:\n      cards: {pick}\n", "utf-8")
    position = lay(load(str(path)), {"hand": "7C 7C 8H 8H 9M | 9H 9M"})
    given = [move.text() for move in position.legal_moves() if move.name == "give"]
    assert given == [f"give P2 {cards}" for cards in ("7C 9M", "8H 8H")]
    for seed in range(3):
        play_both(str(path), {"settings": {}, "seats": 2, "short": 1.0, "seed": seed}, most=15)


def test_a_wrong_sum_is_refused_for_a_reason() -> None:
    position = lay(load("scopa"), {"hand": "7C KD | 6D", "table": "3C 4D 5S", "turn": "P1", "phase": "play"})
    for text, reason in (
        ("take 7C 3C 5S", "the cards must add up to 7, not 8"),
        ("take KD 3C 4D", "the cards must add up to 10, not 7"),
        ("lay 7C", "7♣ is not among 'not captures(card)'"),
    ):
        with pytest.raises(IllegalMove) as error:
            position.move(text)
        assert error.value.reason == reason
