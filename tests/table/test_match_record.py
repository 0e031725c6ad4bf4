"""Matches written down, read, and played again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import durak_dsl
from durak_dsl import Match, RecordError, Table, deal
from durak_dsl.table import match_record
from durak_dsl.table.match_record import MatchReplay, is_match
from durak_dsl.table.record import so_far
from tests.cli.running import HIGH
from tests.table.test_match import LOSSES, played

CHANCE = "    lot: {is: suit, first: random(suits), then: random(suits)}\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> durak_dsl.Game:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "high.yaml").write_text(HIGH.replace("examples:\n", LOSSES.replace("  keep:\n", "  keep:\n" + CHANCE)), "utf-8")
    return durak_dsl.load("./high.yaml", {"held": "1"})


def whole(game: durak_dsl.Game, most: int = 100, seed: int = 2) -> tuple[Match, list[Table]]:
    """A match to its end, or of so many deals."""
    match, tables = Match(game, 2, seed=seed), []
    while not match.is_over and match.deals < most:
        tables.append(played(match.deal()))
        match.finish(tables[-1])
    return match, tables


def test_what_is_written_is_read_and_written_again(game: durak_dsl.Game) -> None:
    match, tables = whole(game)
    text = match_record.write(match, tables)
    assert is_match(text) and not is_match(durak_dsl.write_record(tables[0]))
    written = match_record.read(text)
    assert str(written) == text and written == match_record.of(match, tables)
    replaying = MatchReplay(written)
    again = replaying.all()
    assert (again.seats, again.seed, again.deals, again.kept, again.standing) == (2, 2, len(tables), match.kept, match.standing)
    assert replaying.tables == tables and match_record.write(again, replaying.tables) == text


LOOKS = """\
record: 1
rules: high.yaml
hash: HASH
options: held=1
seats: 2
seed: 2

deal: 1
kept: lot=S1, lost=0 | 0, deals=0, swapped=none | none, ready=yes | no
deck: DECK
1. P1 play CARD
2. P2 play CARD
result: LOSS

deal: 2
kept: lot=S2, lost=KEPT, deals=1, swapped=none | none, ready=no | yes
deck: DECK
result: not over

match: not over, places PLACES
"""


def test_what_a_record_looks_like(game: durak_dsl.Game) -> None:
    match, tables = whole(game, 1)
    tables.append(match.deal())
    text = match_record.write(match, tables)
    for pattern, put in (
        ("hash: [0-9a-f]{16}", "hash: HASH"),
        ("deck: .*", "deck: DECK"),
        (r"play \w+", "play CARD"),
        (r"result: loser P\d, places \d \d", "result: LOSS"),
        (r"lost=(0 \| 1|1 \| 0)", "lost=KEPT"),
        (r"over, places \d \d", "over, places PLACES"),
    ):
        text = re.sub(pattern, put, text)
    for number in (1, 2):
        text = re.sub("lot=(clubs|hearts)", f"lot=S{number}", text, count=1)
    assert text == LOOKS


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("deal: 2", "deal: 3", "after deal 1 comes deal 2, not 3"),
        ("deal: 1", "deal: first", "the first deal is deal 1, not first"),
        ("deal: 1\n", "", "the record of a match says 'deal: 1' before its first deal"),
        ("seed: 2", "seed: two", "'two' is no seed"),
        ("seed: 2", "seed: 2\nseed: 3", "'seed' is said twice"),
        ("deal: 2", "deal: 2\nseed: 2", "'seed' is said twice"),
        ("seed: 2", "deals: 2", "the match is to have 2 deals, but 3 follow"),
        ("seed: 2", "deals: 0", "'0' is no number of deals"),
        ("deal: 2", "deal: 2\ndeals: 3", "'deals' belongs to the head, before the deals"),
        ("deal: 2", "deal: 2\nrules: simple", "'rules' is said twice"),
        ("seats: 2\n", "", "the record does not say its 'seats'"),
        ("match: ", "match: \nmatch: ", "nothing stands after how the match stands"),
        ("result: loser", "result: not over\n#", "deal 1 is not over, and another follows"),
        ("1. P1", "1. 1", "'1 play"),
        ("deck: ", "# ", "the record has no 'deck'"),
        ("record: 1\n", "", "this is no record: it does not begin with 'record: 1'"),
    ],
)
def test_a_text_that_is_no_record_of_a_match(game: durak_dsl.Game, old: str, new: str, wrong: str) -> None:
    text = match_record.write(*whole(game, 3))
    assert old in text
    with pytest.raises(RecordError) as error:
        match_record.read(text.replace(old, new, 1), "match.txt")
    assert any(problem.message.startswith(wrong) and problem.span for problem in error.value.problems), error.value


def test_one_that_was_cut_short(game: durak_dsl.Game) -> None:
    text = match_record.write(*whole(game, 3))
    with pytest.raises(RecordError, match="the record ends here, without how the 'match' stands: it was cut short"):
        match_record.read(text[: text.index("\nmatch:")])
    with pytest.raises(RecordError, match="the record ends here, without its 'result': it was cut short"):
        match_record.read(text[: text.rindex("result:")])


@pytest.mark.parametrize(
    ("pattern", "put", "wrong"),
    [
        (r"lost=0 \| 0, deals=0", "lost=1 | 1, deals=0", r"deal 2 begins with lost=(1 \| 0|0 \| 1), but deal 1 leads to lost="),
        (r"deals=2", "deals=3", "deal 3 begins with deals=3, but deal 2 leads to deals=2"),
        (r"deals=2, ", "", "deal 3: the record does not say what 'deals' was"),
        (r"deals=0", "deals=100", "'deals': 100 is not within 0 to 90"),
        (r"(?s)(deal: 2.*?result: )[^\n]*", r"\1loser P1, places 9 9", "deal 2: the record says 'loser P1, places 9 9', but now it is '"),
        (r"(?s)(deal: 2.*?)play \w+", r"\1play 6S", "deal 2: in line 1 the record stops agreeing with the rules at 'P1 play 6S'"),
        (r"match: .*", "match: loser P1, places 2 1", "the record says of the match 'loser P1, places 2 1', but now it is 'not over"),
        (r"hash: .*", "hash: 0123456789abcdef", r"the rules 'high.yaml' have changed since: this record was made under 0123"),
        (r"rules: .*", "rules: simple", "has no option 'held'"),
        (r"seats: 2", "seats: 5", "high is played by 2 or 3, not by 5"),
    ],
)
def test_where_a_match_stops_agreeing(game: durak_dsl.Game, pattern: str, put: str, wrong: str) -> None:
    text = match_record.write(*whole(game, 3))
    changed = re.sub(pattern, put, text, count=1)
    assert changed != text
    with pytest.raises(RecordError) as error:
        MatchReplay(match_record.read(changed)).all()
    problem = error.value.problems[0]
    assert re.search(wrong, problem.message), problem.message
    assert problem.span is not None


def test_lots_after_a_deal_follow_from_it(game: durak_dsl.Game) -> None:
    lots = {whole(game, 1, seed)[0].kept["lot"] for seed in range(20)}
    assert lots == {0, 1}
    text = match_record.write(*whole(game, 3))
    lot = re.findall(r"lot=(\w+)", text)[2]
    other = "clubs" if lot == "hearts" else "hearts"
    changed = text.replace(f"kept: lot={lot}, lost=", f"kept: lot={other}, lost=")
    with pytest.raises(RecordError, match="begins with lot="):
        MatchReplay(match_record.read(changed)).all()


def test_nothing_follows_a_match_that_is_over(game: durak_dsl.Game) -> None:
    match, tables = whole(game)
    text = match_record.write(match, tables)
    head, _, end = text.partition("\nmatch: ")
    last = head[head.index(f"deal: {match.deals}") :].replace(f"deal: {match.deals}", f"deal: {match.deals + 1}")
    with pytest.raises(RecordError, match=f"the match was over after deal {match.deals}, and another follows"):
        MatchReplay(match_record.read(f"{head}\n{last}\nmatch: {end}")).all()


def test_however_it_was_cut_short_it_goes_on(game: durak_dsl.Game) -> None:
    match, tables = whole(game, 2)
    table = match.deal()
    table.play(table.legal_moves()[0])
    text = match_record.write(match, [*tables, table])
    head = text.index("\nseed") + 1
    for end in range(head, len(text)):
        replaying = MatchReplay(match_record.read(text[:end], unfinished=True))
        again = replaying.all()
        following = next((one for one in replaying.tables if not one.is_over), None)
        assert following is None or following is replaying.tables[-1]
        assert again.deals == sum(one.is_over for one in replaying.tables)
        if following is None and text.startswith(text[:end]) and "\nseed: 2\n" in text[:end]:
            assert again.deal().deck == (tables[again.deals] if again.deals < 2 else table).deck
    assert replaying.tables == [*tables, table]


def test_a_deal_while_it_is_written() -> None:
    table = deal(durak_dsl.load("throw-in", {"hand_size": "2"}), 2, deck="9C 7D 6C 8D ... AS", kept={"dealer": 1, "last_fool": -1})
    lines = []
    for text in ("lead 6C", "take", "done", "lead 9C"):
        lines.append(len(so_far(table).lines))
        table.play(text)
    assert [*lines, len(so_far(table).lines)] == [0, 0, 0, 1, 1]
    assert not str(so_far(table)).splitlines()[-1].startswith("result")
