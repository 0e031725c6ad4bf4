"""Deals under way: whole moves and single choices, taking back, copies of a table, the end, and what comes after."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl import Game, RuleError, RuleFault, Table, deal, lay, spell
from durak_dsl.table.cards import bits
from tests.table.deals import FAIR, GAMES, game, played


def walk(table: Table) -> set[tuple[int, ...]]:
    """Every way to make a whole move by single choices."""
    found: set[tuple[int, ...]] = set()
    for choice in bits(table.mask):
        other = table.clone()
        other.step(choice)
        if other.is_choosing:
            found |= walk(other)
        else:
            found.add(other.made[-1].steps)
    return found


@settings(max_examples=25, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 80))
def test_whole_moves_are_what_single_choices_make(rules: str, seed: int, moves: int) -> None:
    table = played(game(rules), seed, moves)
    ways = [way.steps for way in table.game.choosing.ways(table.state)]
    assert len(ways) == len(set(ways)) and set(ways) == walk(table)
    for way in table.game.choosing.ways(table.state):
        assert table.game.choosing.made(table.state, way.steps) == way
        assert table.game.choosing.way(table.state, way.name, way.picks) == way


@settings(max_examples=25, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 60))
def test_playing_and_taking_back(rules: str, seed: int, moves: int) -> None:
    table = played(game(rules), seed, moves)
    before, history, state = table.clone(), table.history, table.state.copy()
    for move in table.legal_moves():
        after = table.after(move)
        assert table == before and table.state == state
        by_steps = table.clone()
        for choice in after.made[-1].steps:
            by_steps.step(choice)
        assert by_steps == after and hash(by_steps) == hash(after) and by_steps.history == after.history
        assert after.undo() == move and after == before and after.state == state and after.history == history


def test_taking_back_to_the_deal() -> None:
    table = played(game("throw-in"), 3, 30)
    start = deal(table.game, table.seats, seed=3)
    assert table != start
    while table.undo():
        pass
    assert table == start and table.history == () and table.undo() is None


def test_a_move_under_way_is_given_up() -> None:
    table = lay(game("throw-in"), {"trump": "spades", "hand": "6C 6D 6H | 9C 9D 9H"})
    start = table.clone()
    table.step(table.game.cards.read_kind("6C"))
    assert table.is_choosing and table != start and table.history == ()
    assert [move.text() for move in table.legal_moves()] == ["lead 6C", "lead 6C 6D", "lead 6C 6D 6H", "lead 6C 6H"]
    assert table.clone() == table
    assert table.undo() is None and table == start and not table.is_choosing
    table.step(table.game.cards.read_kind("6C"))
    table.play("lead 6H")
    assert [str(turn) for turn in table.history] == ["P1 lead 6♥"]


def test_a_choice_that_is_none() -> None:
    table = deal(game("throw-in"), 2, seed=1)
    with pytest.raises(ValueError, match="none of the choices"):
        table.step(10_000)


@settings(max_examples=15, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999))
def test_a_deal_ends_and_has_an_outcome(rules: str, seed: int) -> None:
    table = played(game(rules), seed, 20_000)
    assert table.is_over and table.actor is None and table.phase is None and table.mask == 0 and table.legal_moves() == ()
    outcome = table.outcome()
    assert len(outcome.places) == table.seats and min(outcome.places) == 1
    assert all(len(scores) == table.seats for scores in outcome.scores.values())
    assert set(table.kept_next()) == set(table.game.rules.keeps)
    following = deal(table.game, table.seats, seed=seed, kept=table.kept_next())
    assert following.kept == table.kept_next()


def test_a_deal_that_goes_on_has_none() -> None:
    table = deal(game("simple"), 3, seed=1)
    for ask in (table.outcome, table.kept_next):
        with pytest.raises(ValueError, match="not over"):
            ask()


@settings(max_examples=15, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 60))
def test_what_is_told_leads_to_the_same_states(rules: str, seed: int, moves: int) -> None:
    table = played(game(rules), seed, moves)
    told = table.told()
    assert len(told) == len(table.history) + 1
    assert [(entry.seat, entry.move) for entry in told[1:]] == [(turn.seat, turn.move) for turn in table.history]
    assert list(told[-1].after) == table.state
    if table.undo():
        assert table.told() == told[:-1]


def test_a_seed_is_a_way_to_get_a_deck() -> None:
    one, other = deal(game("throw-in"), 3, seed=5), deal(game("throw-in"), 3, seed=5)
    assert one == other and one.deck == other.deck and one.seed == 5
    again = deal(game("throw-in"), 3, deck=one.deck, kept=one.kept)
    assert again == one and again.seed is None
    assert deal(game("throw-in"), 3, seed=6) != one
    assert list(one.state) == game("throw-in").program.new(3, 5)


def test_positions_are_equal_whatever_was_there_before() -> None:
    table = lay(game("transfer"), {"trump": "spades", "hand": "6C 7D KD | 9D AD", "talon": ""})
    table.play("lead 6C")
    table.play("take")
    table.play("done")
    again = lay(table.game, spell(table))
    assert table == again and hash(table) == hash(again) and table.state != again.state
    assert table != lay(table.game, {"trump": "hearts", "hand": "7D KD | 6C 9D AD", "first_bout": "no"})
    assert table != "table"


@pytest.mark.parametrize(
    ("of", "seats"),
    [
        (game("throw-in"), (2, 3, 4, 5, 6)),
        (game("throw-in", "deck=24"), (2, 3, 4)),
        (game("throw-in", "hand_size=12"), (2, 3)),
        (game("throw-in", "hand_size=12", "deck=24"), (2,)),
        (game(FAIR), (2, 3, 4)),
        (game(FAIR, "many=9"), (2,)),
    ],
)
def test_how_many_can_play(of: Game, seats: tuple[int, ...]) -> None:
    assert of.seats == seats


@pytest.mark.parametrize(
    ("of", "seats", "wrong"),
    [
        (game("throw-in"), 7, "throw-in is played by 2, 3, 4, 5 or 6, not by 7"),
        (game("two-trump"), 5, "two-trump is played by 2, 3 or 4, not by 5"),
        (game("hidden-trump"), 6, "hidden-trump does not have enough cards for 6 players; 2, 3, 4 or 5 can play"),
        (game("magadan", "deck=24"), 6, "magadan with deck=24 does not have enough cards for 6 players; 2, 3 or 4 can play"),
        (game("throw-in", "deck=24"), 5, "throw-in with deck=24 does not have enough cards for 5 players; 2, 3 or 4 can play"),
    ],
)
def test_too_many_players(of: Game, seats: int, wrong: str) -> None:
    with pytest.raises(RuleError) as error:
        deal(of, seats)
    assert error.value.problems[0].message == wrong


@pytest.mark.parametrize("deck", ["6C 7C", "6C 6C ...", "2C ..."])
def test_a_deck_that_is_none(deck: str) -> None:
    with pytest.raises(RuleError):
        deal(game("throw-in"), 2, deck=deck)


def test_a_deck_of_numbers_may_be_smaller() -> None:
    program = game("throw-in").program
    assert deal(game("throw-in"), 2, deck=program.deck[:14]).deck == program.deck[:14]
    for deck in ([program.deck[0]] * 2, [0]):
        with pytest.raises(ValueError, match="cards of the game"):
            deal(game("throw-in"), 2, deck=deck)


def test_a_fault_of_the_rules_leaves_the_table_as_it_was() -> None:
    table = lay(game(FAIR), {"hand": "7C 8C 9C | 9M 9M", "pack": "7M", "points": "99 | 0", "rows": "9H"})
    before = table.clone()
    with pytest.raises(RuleFault, match="'points' goes from 0 to 99"):
        table.play("lay 7C")
    assert table == before and table.state == before.state and table.history == ()


def test_a_table_says_what_it_is() -> None:
    assert repr(deal(game("simple"), 2, deck="6C 7D ... AS")).startswith("<Table of simple: 2 seats, 0 moves made, lead, P")
    assert "over" in repr(played(game("simple"), 1, 10_000))


def test_random_play_is_the_same_by_moves_and_by_choices() -> None:
    rng = random.Random(1)
    table = deal(game("transfer"), 4, seed=11)
    while not table.is_over:
        table.step(rng.choice(bits(table.mask)))
    again = deal(game("transfer"), 4, seed=11)
    for turn in table.history:
        again.play(turn.move)
    assert again == table and again.outcome() == table.outcome()
