"""The rule file of throw-in Durak against the same game written by hand: the same counts, and the same deals move for move."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games import Step, cards, perft, position, program_of, result, steps, written
from tests.oracle import Card, Move, ThrowIn, card

PROGRAM = program_of("throw-in")
RULES = PROGRAM.rules

# seats, depth, dealer, deck (top first)
SPELLED = [
    (2, 9, 0, "9D 7H 10S KD 9H 6D 8C QD JD 6S AH 7S AS QC 10C KC 8D QS 9S 6H AD JC QH 7D KS 9C JS 8H 8S 10H 6C KH 10D 7C JH AC"),
    (2, 9, 1, "6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S 10C 10D 10H 10S JC JD JH JS QC QD QH QS KC KD KH KS AC AD AH AS"),
    (3, 8, 2, "AC 9C JS 6H QC 7S 10D 8H 8D KC 6D JC KS 7H 10C QH 9D 6C QS 8C AH JH 6S 7D KD 10H 9S AD QD 8S JD 7C 10S KH 9H AS"),
    (4, 8, 1, "10C 6S JH 8D 9H AD 7C KS QH 6C 9C JD 8S 10D QC AH 7S KD 6H 8C JC 9S 10S KH QD 7D AS 6D 8H 9D JS QS KC 7H AC 10H"),
]


def number(one: Card) -> int:
    """The engine's number of a card."""
    return cards(RULES, str(one))[0]


def is_move(step: Step, move: Move, open_piles: list[int]) -> bool:
    """Whether the engine's move is that of the oracle."""
    wanted: Any = [number(one) for one in move.cards]
    if step.name != move.name:
        return False
    if move.name == "lead":
        return step.asked == {0: frozenset(wanted)}
    if move.name == "beat":
        return step.asked[0] == wanted[0] and pile_beaten(step, open_piles) == move.pair
    return list(step.asked.values()) == wanted


def pile_beaten(step: Step, open_piles: list[int]) -> int:
    """The pile on which a card was laid: it is asked for only where the card beats several."""
    if 1 in step.asked:
        return int(step.asked[1])
    if len(open_piles) == 1:
        return open_piles[0]
    return next(index for index, pile in enumerate(position(PROGRAM, step.after)["table"]) if step.asked[0] in pile)


def compare(oracle: ThrowIn, state: list[int]) -> None:
    """Check that both tables are the same."""
    have = position(PROGRAM, state)
    hands = [{number(one) for one in hand} for hand in oracle.hands]
    assert have["hand"] == hands
    assert have["actor"] == oracle.actor
    assert have["talon"] == [number(one) for one in reversed(oracle.talon)]
    assert have["discard"] == {number(one) for one in oracle.discard}
    assert have["place"] == oracle.place
    if oracle.over:
        assert (have["phase"], result(PROGRAM, state)["loser"]) == (None, oracle.fool)
    else:
        assert have["table"] == [[number(one) for one in pair.cards] for pair in oracle.pairs]
        assert (have["leader"], have["defender"]) == (oracle.leader, oracle.defender)


def pairs_of(oracle: ThrowIn, state: list[int]) -> list[tuple[Move, Step]]:
    """Each move of the oracle with the same move of the engine; they must be the same moves."""
    open_piles = [index for index, pair in enumerate(oracle.pairs) if pair.answer is None]
    moves, made = oracle.moves(), steps(PROGRAM, state)
    found = []
    for move in moves:
        same = [step for step in made if is_move(step, move, open_piles)]
        assert len(same) == 1, f"{move.name} {' '.join(map(str, move.cards))}: {len(same)} in the engine"
        found.append((move, same[0]))
    assert len(moves) == len(made)
    return found


def oracle_perft(oracle: ThrowIn, depth: int) -> int:
    """How many sequences of that many moves there are."""
    if depth == 0 or oracle.over:
        return 1
    moves = oracle.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = copy.deepcopy(oracle)
        after.make(move)
        total += oracle_perft(after, depth - 1)
    return total


def both(seats: int, dealer: int, deck: list[str]) -> tuple[ThrowIn, list[int]]:
    """The deal in both."""
    state = PROGRAM.new(seats, 0, cards(RULES, " ".join(deck)), {"dealer": dealer, "last_fool": -1})
    return ThrowIn(seats, [card(text) for text in deck], dealer), state


@pytest.mark.parametrize(("seats", "depth", "dealer", "deck"), SPELLED)
def test_as_many_positions_as_the_game_written_by_hand(seats: int, depth: int, dealer: int, deck: str) -> None:
    oracle, state = both(seats, dealer, deck.split())
    compare(oracle, state)
    for shallow in range(1, depth + 1):
        assert perft(PROGRAM, state, shallow) == oracle_perft(oracle, shallow), f"at depth {shallow}"


@settings(max_examples=35, deadline=None, derandomize=True, database=None)
@given(seats=st.integers(2, 6), seed=st.integers(0, 1 << 30))
def test_deals_go_as_in_the_game_written_by_hand(seats: int, seed: int) -> None:
    chooser = random.Random(seed)
    deck = written(RULES, chooser.sample(PROGRAM.deck, 36)).split()
    oracle, state = both(seats, chooser.randrange(seats), deck)
    compare(oracle, state)
    while not oracle.over:
        move, step = chooser.choice(pairs_of(oracle, state))
        oracle.make(move)
        state = step.after
        compare(oracle, state)
