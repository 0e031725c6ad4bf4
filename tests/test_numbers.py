"""Numbers that are picked, and variables that may be less than nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from durak_dsl import IllegalMove, Move, Table, deal, lay
from durak_dsl.compiler.runtime import between
from durak_dsl.players.person import NoSuchNumber, numbers, understand
from durak_dsl.table.game import load
from tests.games import bits, position
from tests.test_referee import play_both

BIDS = """durak: 1
id: bids
names: {en: Bids, ru: Заявки}
players: {count: 2 to 4}
deck: {ranks: 6 7 8 9, suits: clubs diamonds hearts spades, start in: stock}
options:
  step: {range: 1 to 3, default: 1, en: The least step, ru: Наименьший шаг}
zones:
  stock: {stack: one, seen by: nobody}
  hand:  {set: each, seen by: owner}
variables:
  turn:   player
  bid:    {is: 0 to 9, en: bid, ru: заявка}
  suit_of: suit or none
  score:  each player -20 to 20
  debt:   -9 to -2
setup:
  deal: shuffle stock; deal 3 from stock to hand of players from P1
  begin: go bid
phases:
  bid: {actor: turn}
moves:
  bid:
    in: bid
    pick:
      amount: bid + step to 3 * size(me.hand) where amount != 4
      suit: suits where suit == hearts or odd(amount)
    do:
      note: bid = amount; suit_of = suit; me.score -= amount
      on: turn = left(turn); stay
    say: {en: "{me} bids {amount} {suit}", ru: "{me}: {amount} {suit}"}
    call: {en: "{amount} {suit}", ru: "{amount} {suit}"}
  double:
    in: bid
    pick: {amount: 0 to 1, more: amount to 2 where amount + more < 3}
    do: bid = 9; stay
    write: double {amount} {more}
    say: {en: "{me} doubles", ru: "{me} удваивает"}
  pass:
    in: bid
    do: end deal
    say: {en: "{me} passes", ru: "{me} пасует"}
finish:
  place(player p): 1 + count(q in players where q.score > p.score)
  says: {en: "Best is {winner}", ru: "Лучше всех {winner}"}
"""


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "bids.yaml"
    path.write_text(BIDS, "utf-8")
    return str(path)


def laid(rules: str, bid: int, hand: str = "6C 7C 8C", **options: int) -> Table:
    return lay(load(rules, options), {"hand": f"{hand} | 6D", "bid": str(bid), "phase": "bid"})


def said(table: Table, name: str) -> Any:
    """The value of a variable, plainly."""
    return position(table.program, table.state)[name]


def bids(table: Table) -> list[str]:
    return [move.text() for move in table.legal_moves() if move.name == "bid"]


def test_numbers_within_bounds_that_the_position_gives_can_be_picked(rules: str) -> None:
    assert bids(laid(rules, 6)) == ["bid 7 clubs", "bid 7 diamonds", "bid 7 hearts", "bid 7 spades", "bid 8 hearts"] + [
        f"bid 9 {suit}" for suit in ("clubs", "diamonds", "hearts", "spades")
    ]
    assert bids(laid(rules, 6, step=3))[0] == "bid 9 clubs"
    assert bids(laid(rules, 2, hand="6C 7C")) == ["bid 3 clubs", "bid 3 diamonds", "bid 3 hearts", "bid 3 spades"] + [
        f"bid 5 {suit}" for suit in ("clubs", "diamonds", "hearts", "spades")
    ] + ["bid 6 hearts"]
    assert bids(laid(rules, 9)) == [], "no number is left"
    doubles = [move.text() for move in laid(rules, 9).legal_moves() if move.name == "double"]
    assert doubles == ["double 0 0", "double 0 1", "double 0 2", "double 1 1"]


def test_a_number_is_read_as_it_is_written(rules: str) -> None:
    table = laid(rules, 6)
    for text in ("bid 7 spades", "7 spades", "P1 bid 7 SPADES", "P1: 7 spades"):
        assert table.move(text) == Move("bid", (7, 3))
    table.play("bid 7 spades")
    assert (said(table, "bid"), said(table, "suit_of")) == (7, 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bid 4 hearts", "4 is not among 'bid + step to 3 * size(me.hand)'"),
        ("bid 6 hearts", "6 is not among 'bid + step to 3 * size(me.hand)'"),
        ("bid 8 clubs", "clubs is not among 'suit == hearts or odd(amount)'"),
        ("bid 9999 clubs", "9999 is not among 'bid + step to 3 * size(me.hand)'"),
        ("bid 99999 clubs", "'bid' is written: bid AMOUNT SUIT"),
        ("bid 07 clubs", "'bid' is written: bid AMOUNT SUIT"),
        ("bid -1 clubs", "'bid' is written: bid AMOUNT SUIT"),
        ("bid clubs", "'bid' is written: bid AMOUNT SUIT"),
    ],
)
def test_another_number_is_refused_for_a_reason(rules: str, text: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as error:
        laid(rules, 6).move(text)
    assert error.value.reason == reason


def test_a_number_that_its_test_excludes(rules: str) -> None:
    with pytest.raises(IllegalMove) as error:
        laid(rules, 2).move("bid 4 hearts")
    assert error.value.reason == "4 is not among 'amount != 4'"
    with pytest.raises(IllegalMove):
        laid(rules, 2).play(Move("bid", (10**9, 1)))


def test_variables_may_be_less_than_nothing(rules: str) -> None:
    table = laid(rules, 6)
    assert (said(table, "score"), said(table, "debt")) == ([0, 0], -2), "they start as near to nothing as they may"
    table.play("bid 9 clubs")
    assert said(table, "score") == [-9, 0]
    given = lay(load(rules), {"hand": "6C | 6D", "score": "-20 | 3", "phase": "bid"})
    assert said(given, "score") == [-20, 3]


@pytest.mark.parametrize("seed", range(4))
def test_the_compiled_code_picks_as_the_referee(rules: str, seed: int) -> None:
    for seats in (2, 3, 4):
        play_both(rules, {"settings": {"step": str(1 + seed % 3)}, "seats": seats, "short": 1.0, "seed": seed})


def test_a_mask_of_numbers() -> None:
    assert bits(between(2, 5)) == [2, 3, 4, 5] and bits(between(0, 0)) == [0]
    assert between(3, 2) == between(0, -1) == between(5, -7) == 0


def test_every_move_of_a_deal_is_read_again(rules: str) -> None:
    table = deal(load(rules), 3, seed=5)
    for number in range(3):
        for move in table.legal_moves():
            assert table.move(move.text()) == table.move(str(move)) == move
        table.play(table.legal_moves()[number])


def test_who_answers_with_a_number_means_the_number_that_is_picked() -> None:
    game = load("israeli-whist")
    given = {"hand": "2C | 3C | 4C | 5C", "declarer": "P2", "level": "5", "turn": "P2", "phase": "calling"}
    table = lay(game, given)
    for move in ("call 5", "call 0", "call 6"):
        table.play(move)
    moves = table.legal_moves()
    assert numbers(table, moves) == [0, 1, *range(3, 14)]
    said = {line: understand(line, table, moves, [[] for _ in moves]) for line in ("0", "3", "13")}
    assert said == {number: table.move(f"call {number}") for number in said}
    with pytest.raises(IllegalMove, match="2 is not among"):
        understand("2", table, moves, [[] for _ in moves])
    with pytest.raises(NoSuchNumber):
        understand("99999", table, moves, [[] for _ in moves])


def test_other_moves_are_numbered_after_the_numbers(rules: str, tmp_path: Path) -> None:
    both = laid(rules, 6).legal_moves()
    assert numbers(laid(rules, 6), both) == [*range(1, len(both) + 1)], "two numbers are picked"
    path = tmp_path / "plain.yaml"
    lines = (
        BIDS.replace("      suit: suits where suit == hearts or odd(amount)\n", "").replace(" {suit}", "").replace("suit_of = suit; ", "")
    )
    path.write_text(
        lines.replace("id: bids", "id: plain").replace(
            "pick: {amount: 0 to 1, more: amount to 2 where amount + more < 3}", "when: bid < 9"
        ),
        "utf-8",
    )
    path.write_text(path.read_text("utf-8").replace("    write: double {amount} {more}\n", ""), "utf-8")
    table = laid(str(path), 6)
    assert {move.text(): number for number, move in zip(numbers(table, table.legal_moves()), table.legal_moves(), strict=True)} == {
        "bid 7": 7,
        "bid 8": 8,
        "bid 9": 9,
        "double": 10,
        "pass": 11,
    }
