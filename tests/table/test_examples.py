"""The examples of rule files: those of the library hold, and one that does not says where and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from durak_dsl.problems import Problem
from durak_dsl.source import library
from durak_dsl.table.coverage import unproven
from durak_dsl.table.examples import ExampleReport, Games, run_examples
from tests.table.deals import FAIR

GAMES = Games()
HEAD = 'durak: 1\nid: mine\nchanges: throw-in\nnames: {en: Mine, ru: Мои}\nsummary: {en: "…", ru: "…"}\nsources: [x]\nexamples:\n  first:\n'
GIVEN = "    given: {trump: spades, hand: 6C 6D KD | 7C 9H AD}\n"


@pytest.mark.parametrize("rules", [*(head.id for head in library.all_files()), FAIR])
def test_examples_hold_and_prove_every_clause_and_option_value(rules: str) -> None:
    file = library.read(library.find(rules))
    report = run_examples(file, GAMES)
    assert not report.problems, "\n".join(map(str, report.problems))
    assert report.ran > 0
    if rules != FAIR:
        assert not [*map(str, unproven(file, GAMES(rules, {}), report))]


def run(tmp_path: Path, text: str) -> ExampleReport:
    file = tmp_path / "mine.yaml"
    file.write_text(HEAD + text, encoding="utf-8")
    return run_examples(library.read(file), GAMES)


def the_problem(tmp_path: Path, text: str) -> Problem:
    problems = run(tmp_path, text).problems
    assert len(problems) == 1, "\n".join(map(str, problems))
    return problems[0]


def test_what_is_proved_is_collected(tmp_path: Path) -> None:
    text = "    proves: A1.5, T57\n" + GIVEN + "    legal: P1 lead 6C\n  second:\n    proves: A1.5\n" + GIVEN + "    illegal: P1 take\n"
    report = run(tmp_path, text)
    assert report.proves == {"A1.5": ["first", "second"], "T57": ["first"]} and report.ran == 2 and not report.problems


@pytest.mark.parametrize(
    ("text", "guilty", "wrong"),
    [
        (
            "    play: P1 lead 6C; P2 beat 6C 9H\n",
            "P2 beat 6C 9H",
            "this move is not legal: 'beats' does not hold of 9♥ 6♣ here: beats(card, top(pile), me)",
        ),
        ("    play: P1 lead 6C; P1 done\n", "P1 done", "this move is not legal: it is P2's turn, not P1's"),
        ("    play: lead 6C\n", "lead 6C", "'lead 6C' does not say who moves"),
        (
            "    play: P1 lead 6C\n    legal: P2 take; P2 beat 6C AD\n",
            "P2 beat 6C AD",
            "this should be legal: 'beats' does not hold of A♦ 6♣ here",
        ),
        ("    legal: P1 leed 6C\n", "P1 leed 6C", "this should be legal: there is no move 'leed'; did you mean 'lead'?"),
        ("    legal only: P1 lead 6C; P1 lead 6D; P1 lead KD\n", "P1 lead 6C; P1 lead 6D; P1 lead KD", "legal too: lead 6C 6D"),
        ("    illegal: P1 take; P1 lead 6C 6D\n", "P1 lead 6C 6D", "this should not be legal"),
        ("    illegal: P1 leed 6C\n", "P1 leed 6C", "there is no move 'leed'; did you mean 'lead'?"),
        ("    then: size(P1.hand) == 2 and leader == P1\n", "size(P1.hand) == 2", "this does not hold: 'size(P1.hand)' is 3"),
        (
            "    then:\n      one: leader == P1\n      two: P1.hand == {6C KD}\n",
            "P1.hand == {6C KD}",
            "this does not hold: 'P1.hand' is {6C 6D KD}",
        ),
        ("    then: 7C in P1.hand\n", "7C in P1.hand", "this does not hold: 'P1.hand' is {6C 6D KD}"),
        ("    then: not leader == P1\n", "not leader == P1", "this does not hold: 'leader' is P1"),
        ("    then: P1.place is not none\n", "P1.place is not none", "this does not hold: 'P1.place' is none"),
        ("    then: trump == hearts\n", "trump == hearts", "this does not hold: 'trump' is spades"),
        ("    then: over\n", "over", "this does not hold"),
        ("    then: ower\n", "ower", "unknown name 'ower'"),
        ("    then: size(P1.hand)\n", "size(P1.hand)", "yes or no was expected here; this is a number"),
        ("", "first", "it says nothing about the position"),
        ("    options: {hand_sise: 5}\n    play: P1 lead 6C\n", "hand_sise", "mine has no option 'hand_sise'"),
        ("    rules: no-such\n    play: P1 lead 6C\n", "no-such", "there are no rules called 'no-such'"),
    ],
)
def test_what_does_not_hold(text: str, guilty: str, wrong: str, tmp_path: Path) -> None:
    problem = the_problem(tmp_path, GIVEN + text)
    assert problem.message.startswith(f"example 'first': {wrong}")
    span = problem.span
    assert span is not None
    assert span.quoted[span.column - 1 : span.column - 1 + span.length] == guilty


@pytest.mark.parametrize(
    ("given", "guilty", "wrong"),
    [
        ("{trump: spades, hand: 6C 6C | 7C}", "6C", "6C comes twice"),
        ("{trump: spades, hand: 6C | 2C}", "2C", "2C is not in this game"),
        ("{trump: spades, hands: 6C | 7C}", "hands", "these rules have no zone or variable 'hands'"),
        ("{trump: spades, hand: 6C | 7C, done: yes}", "yes", "'done' is given for 1, and 2 play"),
        ("{trump: spades, hand: 6C | 7C, phase: leed}", "leed", "there is no phase 'leed'"),
        ("{trump: spade, hand: 6C | 7C}", "spade", "there is no suit 'spade'"),
        ("{deck: 6C 7C ... 7C}", "7C", "7C comes twice"),
    ],
)
def test_positions_that_cannot_be_laid(given: str, guilty: str, wrong: str, tmp_path: Path) -> None:
    seats = "    seats: 2\n" if "deck" in given else ""
    problem = the_problem(tmp_path, f"{seats}    given: {given}\n    play: P1 lead 6C\n")
    assert problem.message == f"example 'first': {wrong}"
    span = problem.span
    assert span is not None
    assert span.quoted[span.column - 1 : span.column - 1 + span.length] == guilty


def test_the_rule_that_is_guilty_is_named(tmp_path: Path) -> None:
    problem = the_problem(tmp_path, GIVEN + "    play: P1 lead 6C; P2 beat 6C 9H\n")
    assert [text for text, _ in problem.also] == ["the rule is"]
    assert re.search(r"simple\.yaml:\d+:\d+", str(problem))


def test_a_fault_of_the_rules_is_a_problem_of_the_example(tmp_path: Path) -> None:
    text = (
        GIVEN.replace("trump: spades", "trump: spades, quiet: 1000, talon: 6H")
        + "    options: {stalemate: 1000, pile_on: no}\n    play: P1 lead 6C; P2 take\n"
    )
    problem = the_problem(tmp_path, text)
    assert "'quiet' goes from 0 to 1000; here it would be 1001" in problem.message


def test_a_file_outside_the_library_may_name_its_own_combinations(tmp_path: Path) -> None:
    report = run(tmp_path, "    rules: mine+first-five\n" + GIVEN + "    play: P1 lead 6C\n    then: first_bout_limit == 5\n")
    assert not report.problems


def test_an_edit_may_say_that_a_move_is_not_in_its_base(tmp_path: Path) -> None:
    file = library.read(library.find("transfer"))
    report = run_examples(file, GAMES)
    assert not report.problems
    problem = the_problem(tmp_path, "    rules: throw-in\n" + GIVEN + "    play: P1 lead 6C\n    illegal: P2 transfer 6D\n")
    assert "there is no move 'transfer'" in problem.message


OVER = "    given: {trump: spades, hand: 9H | 10D, total: 3 | 4}\n    play: P1 lead 9H; P2 take\n"


@pytest.mark.parametrize(
    ("text", "guilty", "wrong"),
    [
        ("    match: not over, places 2 1\n", "not over, places 2 1", "this does not hold: the match stands 'not over, places 1 2'"),
        ("    match: loser P2\n", "loser P2", "this does not hold: the match stands 'not over, places 1 2'"),
        ("    match: lost by P2\n", "lost by P2", "'lost by P2' does not say how a match stands"),
        ("    next deal: P1.total == 4\n", "P1.total == 4", "this does not hold: 'P1.total' is 5"),
    ],
)
def test_how_the_match_stands(text: str, guilty: str, wrong: str, tmp_path: Path) -> None:
    assert not run(tmp_path, OVER + "    match:  not  over,places 1 2\n    next deal: P1.total == 5\n").problems
    problem = the_problem(tmp_path, OVER + text)
    assert problem.message == f"example 'first': {wrong}"
    assert problem.span is not None and problem.span.quoted.endswith(guilty)


def test_the_match_stands_as_before_while_the_deal_goes_on(tmp_path: Path) -> None:
    problem = the_problem(tmp_path, GIVEN + "    match: not over\n")
    assert problem.message == "example 'first': this deal is not over, so the match stands as before it"


def test_what_is_kept_of_each_player_is_given_with_a_deck(tmp_path: Path) -> None:
    deck = "    seats: 2\n    given: {deck: 6C 7C ..., dealer: P2, total: %s}\n    then: P1.total == 7 and P2.total == 9\n"
    assert not run(tmp_path, deck % "7 | 9").problems
    assert the_problem(tmp_path, deck % "7").message == "example 'first': 'total' is given for 1, and 2 play"
    problem = the_problem(tmp_path, deck % "7 | P2")
    assert problem.message == "example 'first': 'P2' is no number"
