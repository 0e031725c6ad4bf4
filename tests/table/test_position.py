"""Positions laid out by hand and spelled out again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl import RuleError, lay, spell
from tests.table.deals import FAIR, GAMES, game, played


@settings(max_examples=40, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 80))
def test_a_position_is_laid_as_it_is_spelled(rules: str, seed: int, moves: int) -> None:
    table = played(game(rules), seed, moves)
    if table.is_over:
        with pytest.raises(ValueError, match="between two moves"):
            spell(table)
        return
    spelled = spell(table)
    again = lay(table.game, spelled, table.seats)
    assert again == table and spell(again) == spelled
    assert [str(move) for move in again.legal_moves()] == [str(move) for move in table.legal_moves()]


def test_derived_parts_of_the_state_are_filled() -> None:
    """What is laid by hand plays on as what was reached by playing."""
    table = played(game("transfer-2"), 7, 25)
    again = lay(table.game, spell(table), table.seats)
    for _ in range(60):
        if table.is_over:
            break
        move = table.legal_moves()[-1]
        table.play(move)
        again.play(move.text())
        assert again == table


def test_seats_are_as_many_as_the_hands() -> None:
    table = lay(game("throw-in"), {"trump": "spades", "hand": "6C KD | | 9C AD |"})
    assert table.seats == 4 and spell(table)["hand"] == "6C KD | | 9C AD |"


def test_position_or_phase() -> None:
    given = {"trump": "spades", "hand": "6C KD | 9C AD | 9D"}
    assert lay(game("throw-in"), given).phase == "lead"
    laid = lay(game("throw-in"), {**given, "table": "7C", "defender": "P2", "held": "2", "phase": "defend"})
    assert (laid.phase, laid.actor) == ("defend", 1)


def test_a_deck_is_dealt() -> None:
    table = lay(game("throw-in"), {"deck": "6C 7C ... 9H", "dealer": "P2"}, 2)
    assert table.game.cards.text(table.deck[-1]) == "9H" and table.kept == {"dealer": 1, "last_fool": -1, "total": (0, 0)}


BASE = {"trump": "spades", "hand": "6C KD | 9C AD"}


@pytest.mark.parametrize(
    ("given", "seats", "wrong"),
    [
        ({**BASE, "hands": "6C"}, None, "these rules have no zone or variable 'hands'"),
        ({**BASE, "hand": "6C KD | 9C 6C"}, None, "6C comes twice"),
        ({**BASE, "hand": "6C KD | 9C 2C"}, None, "2C is not in this game"),
        ({**BASE, "hand": "6C KD | 9C 1C"}, None, "there is no card '1C'"),
        ({**BASE, "hand": "6C KD"}, None, "1 cannot play; throw-in is for 2, 3, 4, 5 or 6"),
        (BASE, 3, "'hand' is given for 2, and 3 play"),
        ({**BASE, "done": "yes | no | no"}, None, "'done' is given for 3, and 2 play"),
        ({**BASE, "done": "yes | perhaps"}, None, "'perhaps' is neither yes nor no"),
        ({**BASE, "trump": "swords"}, None, "there is no suit 'swords'"),
        ({**BASE, "held": "1000"}, None, "1000 is not within 0 to 128"),
        ({**BASE, "leader": "none"}, None, "none cannot stand here; a player is wanted"),
        ({**BASE, "leader": "P3"}, None, "there is no player 'P3'"),
        ({**BASE, "turned": "2C"}, None, "2C is not in this game"),
        ({**BASE, "table": "7C | | 8C"}, None, "a pile has cards"),
        ({**BASE, "table": "7C 8C 9D"}, None, "a pile of 'table' holds at most 2 cards"),
        ({**BASE, "phase": "defence"}, None, "there is no phase 'defence'"),
        ({**BASE, "hand": "| 9C AD", "phase": "lead"}, None, "P1 acts in phase 'lead' and has no legal move in this position"),
        ({"trump": "spades"}, None, "how many play? nothing is given for each player"),
        ({"deck": "6C ... 9H"}, None, "how many play? with a deck, say seats: 2"),
        (
            {"deck": "6C ... 9H", "trump": "hearts"},
            2,
            "'trump' comes of the deal: with a deck, only what is kept from deal to deal is given",
        ),
        ({"deck": "6C 6C ... 9H"}, 2, "6C comes twice"),
        ({"deck": "6C 7C"}, 2, "the deck lacks 6D 6H 6S 7D …"),
        ({"deck": "6C ... 9H"}, 9, "throw-in is played by 2, 3, 4, 5 or 6, not by 9"),
    ],
)
def test_a_position_that_is_none(given: dict[str, str], seats: int | None, wrong: str) -> None:
    with pytest.raises(RuleError) as error:
        lay(game("throw-in"), given, seats)
    assert wrong in error.value.problems[0].message


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(RuleError) as error:
        lay(game("throw-in"), {"hand": "6C 6C | 1C", "trump": "swords", "tabel": "7C"})
    assert len(error.value.problems) == 4
    assert any(problem.hint == "did you mean 'table'?" for problem in error.value.problems)


def test_cards_that_lie_face_down() -> None:
    given = {"hand": "7H 8H 9H | 9M 9M", "pack": "7M 7M", "rows": "9C (9H) | 7C"}
    table = lay(game(FAIR), given)
    assert spell(table)["rows"] == "9C (9H) | 7C"
    assert table != lay(game(FAIR), {**given, "rows": "9C 9H | 7C"})
    with pytest.raises(RuleError, match=r"there is no card '\(7D\)'"):
        lay(game("throw-in"), {**BASE, "table": "7C (7D)"})


def test_copies_of_a_card_named_in_a_variable_are_those_that_lie_there() -> None:
    table = lay(game(FAIR), {"hand": "7H 7H | 9M 9M", "given": "7H 7H", "latest": "9M", "rows": "9C"})
    state, layout = table.state, table.program.layout
    assert state[layout.variables["given"]] == state[layout.zones["hand"]]
