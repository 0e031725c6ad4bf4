"""Texts of cards, decks and values, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl.language.ir import NO_NUMBER
from durak_dsl.language.types import CARD, CARDS, PLAYER, RANK, SUIT, YES_NO, Type, number
from durak_dsl.table import values
from durak_dsl.table.cards import Cards, WrongText, read_deck
from tests.table.deals import FAIR, game

CARDS_OF_THROW_IN = game("throw-in").cards
CARDS_OF_FAIR = game(FAIR).cards


@pytest.mark.parametrize("cards", [CARDS_OF_THROW_IN, CARDS_OF_FAIR])
@pytest.mark.parametrize("signs", [False, True])
def test_every_card_is_read_as_it_is_written(cards: Cards, signs: bool) -> None:
    for card in range(cards.count):
        assert card in cards.copies_of(cards.read_kind(cards.text(card, signs)))
        assert card in cards.copies_of(cards.read_kind(cards.text(card, signs).lower()))


@pytest.mark.parametrize(("text", "same"), [("10h", "10H"), ("10♥", "10H"), ("10♡", "10H"), ("q♠️", "QS"), ("aC", "AC")])
def test_other_ways_to_write_a_card(text: str, same: str) -> None:
    assert CARDS_OF_THROW_IN.text(CARDS_OF_THROW_IN.read_kind(text)) == same


@pytest.mark.parametrize("text", ["", "11C", "1C", "C6", "6", "6X", "six", "б"])
def test_no_card(text: str) -> None:
    with pytest.raises(WrongText):
        CARDS_OF_THROW_IN.read_kind(text)


def test_a_suit_without_a_sign_keeps_its_letter() -> None:
    assert CARDS_OF_FAIR.text(CARDS_OF_FAIR.count - 1, signs=True) == "JM"


def test_a_deck_with_all_others_in_the_middle() -> None:
    program = game("throw-in").program
    deck = read_deck("6C 7D ... 9H", CARDS_OF_THROW_IN, program.deck)
    assert len(deck) == 36 and set(deck) == set(program.deck)
    assert CARDS_OF_THROW_IN.list(deck[:3]) == "6C 7D 6D" and CARDS_OF_THROW_IN.list(deck[-2:]) == "AS 9H"


@pytest.mark.parametrize(
    ("text", "wrong", "at"),
    [
        ("6C 7D", "the deck lacks 6D 6H 6S 7C …", 0),
        ("6C 6C ...", "6C comes twice", 3),
        ("2C ...", "2C is not in this game", 0),
        ("6C ... 7C ...", "'...' stands for all other cards: it comes once", 10),
        ("6C, 7K ...", "there is no card '7K'", 4),
    ],
)
def test_a_wrong_deck(text: str, wrong: str, at: int) -> None:
    with pytest.raises(WrongText) as error:
        read_deck(text, CARDS_OF_THROW_IN, game("throw-in").program.deck)
    assert (error.value.message, error.value.offset) == (wrong, at)


def test_copies_of_a_card_are_dealt_out_one_by_one() -> None:
    program = game(FAIR).program
    deck = read_deck("7C 8C 7C ...", CARDS_OF_FAIR, program.deck)
    assert sorted(deck) == sorted(program.deck)
    with pytest.raises(WrongText, match="7C comes more than 2 times"):
        read_deck("7C 7C 7C ...", CARDS_OF_FAIR, program.deck)


KINDS = {
    number(0, 60): st.integers(0, 60),
    number(0, 60).or_none: st.integers(0, 60) | st.just(NO_NUMBER),
    YES_NO: st.integers(0, 1),
    CARD.or_none: st.integers(-1, 51),
    CARDS: st.integers(0, (1 << 52) - 1),
    RANK: st.integers(0, 12),
    SUIT.or_none: st.integers(-1, 3),
    PLAYER: st.integers(0, 5),
    Type("players"): st.integers(0, 63),
    Type("choice", words=("one", "pair", "any")): st.integers(0, 2),
}


@pytest.mark.parametrize("kind", KINDS, ids=str)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_values_are_read_as_they_are_written(kind: Type, data: st.DataObject) -> None:
    value = data.draw(KINDS[kind])
    text = values.write(value, kind, CARDS_OF_THROW_IN)
    assert values.read(text, kind, CARDS_OF_THROW_IN, 6) == value
    assert values.read(values.write(value, kind, CARDS_OF_THROW_IN, signs=True, braces=True), kind, CARDS_OF_THROW_IN, 6) == value


@pytest.mark.parametrize(
    ("text", "kind", "wrong"),
    [
        ("61", number(0, 60), "61 is not within 0 to 60"),
        ("many", number(0, 60), "'many' is no number"),
        ("none", CARD, "none cannot stand here; a card is wanted"),
        ("", SUIT, "a suit is wanted here"),
        ("P7", PLAYER, "there is no player 'P7'"),
        ("maybe", YES_NO, "'maybe' is neither yes nor no"),
        ("6C 6C", CARDS, "'6C' comes twice"),
        ("two", Type("choice", words=("one", "pair")), "'two' is none of one or pair"),
    ],
)
def test_wrong_values(text: str, kind: Type, wrong: str) -> None:
    with pytest.raises(WrongText) as error:
        values.read(text, kind, CARDS_OF_THROW_IN, 6)
    assert error.value.message == wrong
