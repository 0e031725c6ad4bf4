"""Several copies of each card: nobody can tell them apart, so they are one choice, and cards written out stand for any of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import durak_dsl
from durak_dsl.source import library
from durak_dsl.table.examples import ExampleReport, Games, run_examples
from durak_dsl.table.position import lay
from durak_dsl.table.record import read
from durak_dsl.table.table import Table
from tests.table.deals import FAIR
from tests.test_expressions import compare
from tests.test_referee import play_both

RULES = """\
durak: 1
id: pairs
changes: throw-in
names: {{en: Pairs, ru: Пары}}
summary: {{en: "Cards come several times.", ru: "Каждая карта не одна."}}
sources: [test]
deck: {{ranks: 6 7 8 9 10 J Q K A, copies: {copies}, only: card.rank >= {lowest}}}
"""


def game(folder: Path, more: str = "", copies: int = 2, lowest: str = "6") -> durak_dsl.Game:
    path = folder / "pairs.yaml"
    path.write_text(RULES.format(copies=copies, lowest=lowest) + more, "utf-8")
    return durak_dsl.load(str(path))


def examples(folder: Path, text: str) -> ExampleReport:
    game(folder, text)
    return run_examples(library.read(folder / "pairs.yaml"), Games())


def moves(table: Table) -> list[str]:
    return [move.text() for move in table.legal_moves()]


def test_copies_are_one_choice_of_the_first_pick(tmp_path: Path) -> None:
    table = lay(game(tmp_path), {"trump": "spades", "hand": "6C 6C 6D 7H | 8C 8C 8S 9D"})
    assert moves(table) == ["lead 6C", "lead 6C 6C", "lead 6C 6C 6D", "lead 6C 6D", "lead 6D", "lead 7H"]
    assert table.mask.bit_count() == 3
    assert table.move("lead 6d 6c 6c").text() == "lead 6C 6C 6D"


def test_copies_are_one_choice_of_later_picks(tmp_path: Path) -> None:
    table = lay(game(tmp_path), {"trump": "spades", "hand": "6C 6C KD | 8C 8C 6S 9D"})
    table.play("lead 6C 6C")
    assert moves(table) == ["beat 6C 6S", "beat 6C 8C", "take"]
    assert table.mask.bit_count() == 3
    table.step(next(choice for choice in range(200) if table.mask >> choice & 1))
    assert not table.is_choosing, "the piles look alike, so nothing is asked"
    table.play("beat 6C 8C")
    assert moves(table) == ["done"]


@pytest.mark.parametrize(
    ("hand", "led"),
    [("6C 6C 6C", ["6C", "6C 6C", "6C 6C 6C"]), ("6C 6C 6D", ["6C", "6C 6C", "6C 6C 6D", "6C 6D", "6D"])],
)
def test_of_three_copies_so_many_are_picked(hand: str, led: list[str], tmp_path: Path) -> None:
    table = lay(game(tmp_path, copies=3), {"trump": "spades", "hand": f"{hand} | 8C 8C 8C"})
    assert moves(table) == [f"lead {cards}" for cards in led]
    assert [table.move(move.text()) for move in table.legal_moves()] == list(table.legal_moves())


def test_a_move_with_another_copy_is_the_same_move(tmp_path: Path) -> None:
    table = lay(game(tmp_path), {"trump": "spades", "hand": "6C 6C 7D | 8C 9C"})
    first, *_ = (move for move in table.legal_moves() if move.text() == "lead 6C")
    (card,) = first.picks[0]  # type: ignore[misc]
    other = durak_dsl.Move("lead", ((card ^ 1,),))
    assert table.after(other) == table.after(first)
    with pytest.raises(durak_dsl.IllegalMove):
        table.play(durak_dsl.Move("lead", ((card ^ 2,),)))


def test_uniform_play_counts_copies_once(tmp_path: Path) -> None:
    """Three cards that look alike are not led three times as often as the one beside them."""
    from durak_dsl.players.chance import ByChance

    table = lay(game(tmp_path, "options: {lead_size: {default: one}}\n", copies=3), {"trump": "spades", "hand": "6C 6C 6C 7D | 8C 9C"})
    rng = random.Random(1)
    led = [ByChance(rng).choose(table).text() for _ in range(400)]
    assert 150 < led.count("lead 7D") < 250


def test_a_deal_with_copies_is_written_down_and_played_again(tmp_path: Path) -> None:
    rules = game(tmp_path, lowest="J")
    for seed in range(6):
        table = durak_dsl.deal(rules, 2 + seed % 2, seed=seed)
        rng = random.Random(seed)
        while not table.is_over:
            table.play(rng.choice(table.legal_moves()).text())
        again = durak_dsl.replay(read(durak_dsl.write_record(table)), rules)
        assert again == table
        assert [turn.move.text() for turn in again.history] == [turn.move.text() for turn in table.history]


EXAMPLES = """
examples:
  copies in hands:
    given: {trump: spades, hand: 6C 6C 7D | 8C 8C 9C}
    play: P1 lead 6C 6C; P2 beat 6C 8C; P2 beat 6C 8C
    legal only: P1 done
    then:
      the table: "cards(table) == {6C 6C 8C 8C} and {8C 8C 6C 6C} == cards(table)"
      not the same: "cards(table) != {6C 8C} and cards(table) != {6C 6C 8C 8C 9C}"
      members: 6C in cards(table) and 7D not in cards(table) and 7D in P1.hand
      one card: every pile in table has top(pile) == 8C and bottom(pile) != 8C
      sets: "every c in cards(table) has c in {6C 8C}"
      by definition: not beats(6C, 6C, P1) and beats(7C, 6C, P1)
      nothing: "discard == {} and turned != 6C"
  a deck spelled out:
    seats: 2
    given: {deck: 6C 8C 6C 8C ... 9S 9S, dealer: P2}
    then: "6C in P1.hand and 8C in P2.hand and turned == 9S and count(all cards) == 72"
"""


def test_cards_written_out_stand_for_any_copy(tmp_path: Path) -> None:
    report = examples(tmp_path, EXAMPLES)
    assert not report.problems, "\n".join(map(str, report.problems))
    assert report.ran == 2


@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("'P1.hand == {6C 7D}'", "'P1.hand' is {6C 6C 7D}"),
        ("8C in P1.hand", "'P1.hand' is {6C 6C 7D}"),
        ("turned == 8S", "'turned' is none"),
        ("'P1.hand == {6C 6C 6C}'", "the deck has 2 copies of 6C"),
    ],
)
def test_what_does_not_hold_of_copies_is_told(then: str, said: str, tmp_path: Path) -> None:
    text = f"examples:\n  one:\n    given: {{trump: spades, hand: 6C 6C 7D | 8C 8C 9C}}\n    then: {then}\n"
    assert said in "\n".join(map(str, examples(tmp_path, text).problems))


SCORES = """
finish:
  scores:
    +aaa(player p): 1 if 6C in p.hand else 0
    +bbb(player p): "1 if p.hand == {QS KS} or cards(table) == {6C} or {6D} != discard else 0"
    +ccc(player p): "count(c in all hand where c == 7C or c in {8H 8S})"
    +ddd(player p): "1 if turned == 9S or top(talon) != 10C and bottom(talon) in {6C 7C 8C 9C} else 0"
    +eee(player p): "1 if any pile in table has (top(pile) == 7D or cards(pile) == {6C 6C}) else 0"
    +fff(player p): "1 if beats(6S, top(talon), p) else 0"
"""


@pytest.mark.parametrize("seed", range(4))
def test_comparisons_of_copies_have_the_values_that_the_referee_finds(seed: int, tmp_path: Path) -> None:
    more = SCORES.replace('"1 if beats(6S, top(talon), p) else 0"', "1 if beats(6S, 7H, p) and not beats(6C, 6C, p) else 0")
    compare(game(tmp_path, more).rules, seats=2 + seed % 3, seed=seed, moves=30)


@pytest.mark.parametrize("seed", range(6))
def test_copies_that_lie_face_down_are_played_as_the_referee_plays_them(seed: int) -> None:
    play_both(FAIR, {"settings": {}, "seats": 2 + seed % 3, "short": 1.0, "seed": seed}, most=25)


def test_piles_that_look_alike_are_one_choice_unless_something_lies_face_down() -> None:
    hand = {"hand": "9M 8H | 8M 8M"}
    for rows, count in (("9C | 9C", 1), ("9C | 9C | 9H", 2), ("9C (7C) | 9C (7C)", 2), ("9C 9H | 9H 9C", 2)):
        table = lay(durak_dsl.load(FAIR), {**hand, "rows": rows})
        table.step(_cover(table))
        assert (table.mask.bit_count() if table.is_choosing else 1) == count, rows


def _cover(table: Table) -> int:
    """The first choice of the move that covers a pile."""
    way = table.way(next(move for move in table.legal_moves() if move.name == "cover"))
    assert way is not None
    return way.steps[0]
