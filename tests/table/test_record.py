"""Deals written down, read, and played again."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl import Record, RecordError, Table, deal, lay, read_record, replay, spell, write_record
from durak_dsl.table.replay import Replay
from tests.table.deals import FAIR, GAMES, game, played

# Settings under which chance has more to say than the first shuffle.
MOST_CHANCE = {"first_lead": "lot", "redeal": "five-of-a-suit"}


def chancy_settings(rules: str) -> list[str]:
    """Those of the settings with much chance that the game has."""
    options = game(rules).rules.options
    return [f"{name}={value}" for name, value in MOST_CHANCE.items() if name in options and value in options[name].words]


@settings(max_examples=25, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 300), chancy=st.booleans())
def test_a_record_is_read_as_it_is_written_and_played_as_it_was(rules: str, seed: int, moves: int, chancy: bool) -> None:
    of = game(rules, *chancy_settings(rules)) if chancy else game(rules)
    table = played(of, seed, moves)
    text = write_record(table)
    record = read_record(text)
    assert str(record) == text
    again = replay(record, of)
    assert again == table and write_record(again) == text
    assert [str(turn) for turn in again.history] == [str(turn) for turn in table.history]
    assert [entry.after for entry in again.told()][-1] == tuple(again.state)


@settings(max_examples=15, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 60))
def test_a_record_of_a_table_that_was_laid_by_hand(rules: str, seed: int, moves: int) -> None:
    table = played(game(rules), seed, moves)
    if table.is_over:
        return
    table = lay(table.game, spell(table), table.seats)
    rng = random.Random(seed)
    for _ in range(20):
        if not table.is_over:
            table.play(rng.choice(table.legal_moves()))
    text = write_record(table)
    assert "\ngiven " in text and "deck:" not in text
    assert str(read_record(text)) == text and replay(read_record(text), table.game) == table


def test_the_game_is_found_by_what_the_record_says() -> None:
    table = played(game("transfer", "throwers=neighbours"), 4, 30)
    again = replay(read_record(write_record(table)))
    assert again == table and again.game.options["throwers"] == "neighbours"


def short() -> Table:
    table = deal(game("throw-in", "hand_size=2"), 2, deck="9C 7D 6C 8D ... AS", kept={"dealer": 1, "last_fool": -1})
    for text in ("lead 6C", "take", "done", "lead 9C"):
        table.play(text)
    return table


SHORT = """\
record: 1
rules: throw-in
hash: HASH
options: hand_size=2
seats: 2
kept: dealer=P2, last_fool=none, total=0 | 0
deck: DECK
1. P1 lead 6C; P2 take; P1 done
2. P1 lead 9C
result: not over
"""


def test_what_a_record_looks_like() -> None:
    text = write_record(short())
    text = re.sub("hash: [0-9a-f]{16}", "hash: HASH", re.sub("deck: 9C 7D 6C 8D .* AS", "deck: DECK", text))
    assert text == SHORT


def test_a_record_by_hand_may_leave_out_cards_and_have_comments() -> None:
    text = "# by hand\n\n" + SHORT.replace("HASH", game("throw-in").hash).replace("DECK", "9C 7D 6C 8D ... AS").replace(
        "P2 take", " P2   TAKE "
    )
    assert replay(read_record(text)) == short()


def test_a_finished_deal() -> None:
    table = played(game("simple"), 9, 10_000)
    loser, places = table.outcome().loser, table.outcome().places
    said = "no loser" if loser is None else f"loser P{loser + 1}"
    assert write_record(table).endswith(f"\nresult: {said}, places {' '.join(map(str, places))}\n")


def changed(*pairs: tuple[str, str]) -> str:
    text = write_record(short())
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("pairs", "line", "wrong"),
    [
        ([("record: 1\n", "")], 1, "this is no record: it does not begin with 'record: 1'"),
        ([("record: 1\n", "record: 2\n")], 1, "records of version 2 cannot be read here, only of version 1"),
        ([("result: not over\n", "")], 9, "the record ends here, without its 'result': it was cut short"),
        ([("seats: 2\n", "")], 9, "the record does not say its 'seats'"),
        ([("seats: 2\n", "seats: two\n")], 5, "'two' is no number of seats"),
        ([("seats: 2\n", "seats: 2\nseats: 2\n")], 6, "'seats' is said twice"),
        ([("seats: 2\n", "seats: 2\nchairs: 2\n")], 6, "this is neither a part of the head nor a numbered line of moves"),
        ([("2. P1 lead 9C", "3. P1 lead 9C")], 9, "after line 1 comes line 2, not 3"),
        ([("2. P1 lead 9C", "2. lead 9C")], 9, "'lead 9C' is no move"),
        ([("P2 take;", "P2 take;;")], 8, "'' is no move"),
        ([("options: hand_size=2", "options: hand_size 2")], 4, "'hand_size 2' is not of the form name=value"),
        ([("result: not over\n", "result: not over\n3. P1 done\n")], 11, "nothing stands after the result"),
        ([("2. P1 lead 9C", "deck: 6C\n2. P1 lead 9C")], 9, "'deck' is said twice"),
    ],
)
def test_a_text_that_is_no_record(pairs: list[tuple[str, str]], line: int, wrong: str) -> None:
    with pytest.raises(RecordError) as error:
        read_record(changed(*pairs), "deal.txt")
    problem = error.value.problems[0]
    assert problem.message == wrong
    assert problem.span is not None and (problem.span.path, problem.span.line) == ("deal.txt", line)


def test_rubbish_is_no_record() -> None:
    for text in ("", "\0\1", "durak: 1\nid: mine\n", "x" * 2_000_000):
        with pytest.raises(RecordError):
            read_record(text)


@pytest.mark.parametrize(
    ("pairs", "place", "wrong"),
    [
        ([("rules: throw-in", "rules: thrown-in")], (2, 1), "there are no rules called 'thrown-in'"),
        ([("hand_size=2", "hand_size=200")], (4, 1), "option hand_size cannot be '200'; it is a number from 1 to 12"),
        ([("hand_size=2", "hand_sise=2")], (4, 1), "throw-in has no option 'hand_sise'"),
        ([("seats: 2", "seats: 8")], (5, 1), "throw-in is played by 2, 3, 4, 5 or 6, not by 8"),
        ([("dealer=P2", "dealer=P3")], (6, 1), "'dealer': there is no player 'P3'"),
        ([("dealer=P2", "banker=P2")], (6, 1), "these rules keep no 'banker' from deal to deal"),
        ([("total=0 | 0", "total=0")], (6, 1), "'total': given for 1, and 2 play"),
        ([("total=0 | 0", "total=0 | none")], (6, 1), "'total': none cannot stand here; a number is wanted"),
        ([("dealer=P2, ", "")], (6, 1), "the record does not say what 'dealer' was"),
        ([("deck: 9C", "deck: 9C 9C")], (7, 1), "9C comes twice"),
        (
            [("P2 take", "P2 beat 6C 7D")],
            (8, 16),
            "in line 1 the record stops agreeing with the rules at 'P2 beat 6C 7D': "
            "'beats' does not hold of 7♦ 6♣ here: beats(card, top(pile), me)",
        ),
        (
            [("P2 take; P1 done", "P1 done")],
            (8, 16),
            "in line 1 the record stops agreeing with the rules at 'P1 done': it is P2's turn, not P1's",
        ),
        (
            [("2. P1 lead 9C", "2. P1 lead 9C (chance: 1 of 6)")],
            (9, 4),
            "in line 2 the record stops agreeing with the rules at 'P1 lead 9C': chance is said to have given more than the rules ask for",
        ),
        ([("2. P1 lead 9C", "2. P1 lead 9C (chance: much)")], (9, 4), "'much' is nothing that chance gives"),
        (
            [("result: not over", "result: loser P1, places 2 1")],
            (10, 1),
            "the record says 'loser P1, places 2 1', but now it is 'not over'",
        ),
        ([("deck: ", "chance: 1 of 2\ndeck: ")], (7, 1), "chance is said to have given more than the rules ask for"),
    ],
)
def test_where_a_record_stops_agreeing(pairs: list[tuple[str, str]], place: tuple[int, int], wrong: str) -> None:
    record = read_record(changed(*pairs))
    with pytest.raises(RecordError) as error:
        replay(record)
    problem = error.value.problems[0]
    assert problem.message == wrong
    assert problem.span is not None and (problem.span.line, problem.span.column) == place


def test_rules_that_have_changed() -> None:
    record = read_record(changed((game("throw-in").hash, "0123456789abcdef")))
    with pytest.raises(RecordError, match="have changed since: this record was made under 0123456789abcdef"):
        replay(record)
    assert replay(record, anyway=True) == short()
    older = changed((game("throw-in").hash, "0123456789abcdef"), (", total=0 | 0", ""))
    assert replay(read_record(older), anyway=True) == short(), "what is newly kept is as in a first deal"


def test_chance_that_the_record_does_not_give() -> None:
    table = played(game("simple", "first_lead=lot"), 2, 0)
    text = write_record(table)
    assert re.search(r"^chance: \d of \d$", text, re.MULTILINE)
    for said in ("", "chance: 9 of 9\n", "chance: order 6C 7C\n"):
        with pytest.raises(RecordError, match="the rules ask for one of"):
            replay(read_record(re.sub("chance: .*\n", said, text)), table.game)


def test_a_shuffle_in_the_middle_is_written_and_prescribed() -> None:
    table = lay(game(FAIR), {"hand": "7C 8C | 9M 9H", "pack": "7M", "heap": "8M 9C 9C", "rows": "9H"})
    table.play("draw")
    text = write_record(table)
    order = re.search(r"P1 draw \(chance: order (.*)\)", text)
    assert order is not None and sorted(order[1].split()) == ["8M", "9C", "9C"]
    for pack in ("8M 9C 9C", "9C 8M 9C"):
        again = replay(read_record(text.replace(order[1], pack)), table.game)
        assert spell(again)["pack"] == pack
        assert write_record(again) == text.replace(order[1], pack)
    with pytest.raises(RecordError, match="3 cards are shuffled here"):
        replay(read_record(text.replace(order[1], "8M 9C 9M")), table.game)


def test_one_move_at_a_time() -> None:
    replaying = Replay(read_record(write_record(short())))
    table = replaying.start()
    seen = [(str(written), len(table.history)) for written in replaying.moves(table)]
    assert seen == [("P1 lead 6C", 1), ("P2 take", 2), ("P1 done", 3), ("P1 lead 9C", 4)]


def test_records_are_values() -> None:
    text = write_record(short())
    assert read_record(text) == read_record(text, "elsewhere") and isinstance(read_record(text), Record)
