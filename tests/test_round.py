"""The game of the ring: what was taken openly stays known, leads from large hands, house rules laid over it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import durak_dsl
from durak_dsl.source import library
from durak_dsl.study.trial import trial
from durak_dsl.table.examples import Games, run_examples
from durak_dsl.table.position import lay
from durak_dsl.table.table import Table

LOW = "6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9H 9S 10C 10D 10H 10S JC JD JH JS"
HIGH = "QC QD QH QS KC KD KH KS AC AD AH AS"


def known(table: Table, eye: int, seat: int) -> str:
    """The cards that one seat knows another to hold."""
    view = table.view(eye)
    return view.game.cards.list(view.heap("hand", seat).known)


def test_what_was_taken_from_the_ring_stays_known_and_what_is_dealt_on_is_hidden() -> None:
    given = {"phase": "ring", "turn": "P1", "trump": "spades", "ring": "6H 9D", "ninth": "7S", "talon": "10D 8S 9S KC QC JC"}
    table = lay(durak_dsl.load("round"), given, 3)
    for move in ("P1 turn up", "P1 capture 9D", "P2 turn up", "P2 capture 7S"):
        table.play(move)
    # Dealt on: 9S to P3, KC to P1, QC to P2, JC to P3; then P2 shows 7S, the lowest trump.
    assert [table.view(seat).heap("hand", seat).size for seat in range(3)] == [3, 4, 2]
    assert known(table, 2, 0) == "9D 10D" and known(table, 0, 0) == "9D 10D KC"
    assert known(table, 2, 1) == known(table, 0, 1) == "6H 7S 8S" and known(table, 0, 2) == ""
    for number in range(20):
        drawn = table.sample(0, Random(number))
        assert {"6H", "7S", "8S"} <= {*known(drawn, 1, 1).split()} and known(drawn, 0, 0) == "9D 10D KC"


def test_a_card_known_and_led_and_taken_is_known_to_lie_with_who_took_it() -> None:
    table = lay(durak_dsl.load("round"), {"turn": "P1", "trump": "spades", "hand": "6C 6D KC QD | 7H 8H QH AH | 9H 10H"})
    table.play("P1 lead 6C 6D KC")
    table.play("P2 take")
    assert known(table, 2, 1) == "6C 6D KC" and known(table, 2, 0) == ""


def test_leads_of_a_large_hand_are_chosen_card_by_card() -> None:
    table = lay(durak_dsl.load("round"), {"turn": "P1", "trump": "spades", "hand": f"{LOW} | {HIGH}"})
    seen = table.view(0)
    assert len(seen.legal) > 10_000 and seen.legal[0].text() == "lead 6C"
    for text in ("lead JS", "lead 6C 6D JS", "lead 6C 6D 7H 7S 9H", "lead 6C 6D 6H 6S JS"):
        assert table.after(table.move(text)).phase == "defend"
    for text in ("lead 6C 7D 8D", "lead 6C 6D 7H 8S 9H", "lead 6C 6D 7C 7D"):
        with pytest.raises(durak_dsl.IllegalMove, match="must be of shape"):
            table.move(text)


SEVEN = """\
durak: 1
id: seven
changes: round
names: {en: Leads of Seven, ru: Заходы с семи}
summary: {en: "Three pairs and any card may be led too.", ru: "Можно зайти и с трёх пар и любой карты."}
sources: [test]
clauses:
  H.1: {en: "Three pairs and any card may be led too.", ru: "Можно зайти и с трёх пар и любой карты."}
zones:
  table: {most: 7}
moves:
  lead:
    pick:
      cards: 1 to lead_cap of me.hand shape 1 | 2+1 | 2+2+1 | 2+2+2+1
examples:
  H.1 seven:
    proves: H.1
    given: {turn: P1, trump: spades, hand: 6C 6D 7C 7D 8C 8D AC | 9C 9D 10C 10D JC JD KC KD}
    play: P1 lead 6C 6D 7C 7D 8C 8D AC
    then: size(table) == 7
"""

ACE = """\
durak: 1
id: ace-leads
changes: round
names: {en: The Ace of Trumps Leads, ru: Первым ходит козырный туз}
summary: {en: "The highest trump leads first.", ru: "Первым ходит старший козырь."}
sources: [test]
clauses:
  H.2: {en: "The highest trump leads first.", ru: "Первым ходит старший козырь."}
define:
  opening: highest(c in all hand where c.suit == trump)
  outdoes: card.suit == trump and card.rank > best.rank
examples:
  H.2 the highest:
    proves: H.2
    seats: 2
    given: {phase: ring, turn: P1, trump: spades, ring: 9D, ninth: 7S, talon: 8S AS}
    play: P1 turn up; P1 capture 7S
    then: turn == P2
"""

LEFT = """\
durak: 1
id: left-leads
changes: round
names: {en: The Dealer's Left Leads, ru: Первым ходит сосед сдающего}
summary: {en: "No trump is needed to lead first.", ru: "Для первого хода козырь не нужен."}
sources: [test]
clauses:
  H.3: {en: "The player on the dealer's left leads first.", ru: "Первым ходит сосед сдающего слева."}
procedures:
  first lead:
    lowest trump: removed
examples:
  H.3 whoever holds the six:
    proves: H.3
    seats: 3
    given: {phase: ring, turn: P1, trump: spades, ring: 9D, ninth: 7S, talon: 8S KC 6S, dealer: P1, hand: KD | QD | JD}
    play: P1 turn up; P1 capture 7S
    then: turn == P2
"""
HOUSE_RULES = {"seven": SEVEN, "ace-leads": ACE, "left-leads": LEFT}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the house rules lie."""
    for name, text in HOUSE_RULES.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_house_rules_are_a_few_lines(name: str, folder: Path) -> None:
    report = run_examples(library.read(folder / f"{name}.yaml"), Games())
    assert report.ran == 1 and not report.problems, report.problems
    assert not trial(durak_dsl.load(folder / f"{name}.yaml"), 20).problems


def test_house_rules_go_together(folder: Path) -> None:
    game = durak_dsl.load(f"round+{folder}/seven.yaml+{folder}/left-leads.yaml")
    assert not trial(game, 20).problems
