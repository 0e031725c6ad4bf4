"""Matches: what is kept, of the table and of each player, and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest

import durak_dsl
from durak_dsl import Match, RuleError, RuleFault, Standing, Table
from durak_dsl.compiler.runtime import seed_of
from durak_dsl.language.ir import NO_NUMBER
from durak_dsl.players import machine
from tests.cli.running import HIGH

CZECH = "czech"
# Each loss counts one; the deal after a draw is that of the same player again.
LOSSES = """\
match:
  keep:
    lost: {is: each player 0 to 3, first: 0, then(player p): p.lost + 1 if p == loser else p.lost, en: lost, ru: проиграл}
    deals: {is: 0 to 90, first: 0, then: deals + 1}
    swapped: {is: each player 0 to 90 or none, first(player p): none, then(player p): left(p).lost if deals > 0}
    ready: {is: each player yes/no, first(player p): p == P1, then(player p): right(p).ready}
  over:
    any:
      three: any p in players has p.lost == 3
  place(player p): 1 + count(q in players where q.lost < p.lost)
examples:
"""


def played(table: Table) -> Table:
    """The table after its deal, by random machine players."""
    machines = [machine("random", seat) for seat in range(table.seats)]
    while (actor := table.actor) is not None:
        table.play(machines[actor].choose(table))
    return table


@pytest.fixture
def high(tmp_path: Path) -> durak_dsl.Game:
    path = tmp_path / "high.yaml"
    path.write_text(HIGH.replace("examples:\n", LOSSES), "utf-8")
    return durak_dsl.load(str(path))


def test_a_match_to_its_end(high: durak_dsl.Game) -> None:
    match = Match(high, 3, seed=5)
    assert match.kept == {"lost": (0, 0, 0), "deals": 0, "swapped": (NO_NUMBER,) * 3, "ready": (1, 0, 0)}
    lost = [0, 0, 0]
    while not match.is_over:
        assert match.standing.places in ((), tuple(1 + sum(other < one for other in lost) for one in lost))
        assert match.standing.loser is None
        with pytest.raises(ValueError, match="the match is not over"):
            match.outcome()
        before, table = match.kept, played(match.deal())
        loser = table.outcome().loser
        assert loser is not None
        match.finish(table)
        lost[loser] += 1
        assert match.kept["lost"] == tuple(lost) and match.kept["deals"] == match.deals
        ready = before["ready"]
        assert isinstance(ready, tuple) and match.kept["ready"] == (ready[2], ready[0], ready[1]), "from the old values at once"
        if match.deals > 1:
            old = before["lost"]
            assert isinstance(old, tuple) and match.kept["swapped"] == (old[1], old[2], old[0])
    assert max(lost) == 3 and match.outcome() == match.standing
    assert match.outcome().loser == lost.index(3) and match.outcome().places[lost.index(3)] == 3
    for ask in (match.deal, lambda: match.finish(table)):
        with pytest.raises(ValueError, match="the match is over"):
            ask()


def test_the_deals_follow_from_the_seed(high: durak_dsl.Game) -> None:
    match = Match(high, seed=8)
    assert match.deal() == match.deal() == durak_dsl.deal(high, seed=seed_of(8, 0))
    following = match.after(played(match.deal()))
    assert (match.deals, following.deals) == (0, 1)
    assert following.deal() == durak_dsl.deal(high, seed=seed_of(8, 1), kept=following.kept) != match.deal()
    assert following.deal() == Match(high, seed=8, kept=following.kept, deals=1).deal()
    assert Match(high).seed != Match(high).seed
    assert repr(following).endswith("2 seats, 1 deals>")


def test_only_deals_of_the_match_count(high: durak_dsl.Game) -> None:
    match = Match(high, 2, seed=1)
    with pytest.raises(ValueError, match="the deal is not over"):
        match.finish(match.deal())
    with pytest.raises(ValueError, match="of another game"):
        match.finish(played(durak_dsl.deal(high, 3, seed=1)))
    with pytest.raises(ValueError, match="of another game"):
        match.finish(played(durak_dsl.deal(durak_dsl.load("simple"), 2, seed=1)))
    with pytest.raises(ValueError, match="did not begin with what the match keeps"):
        match.finish(played(durak_dsl.deal(high, 2, seed=1, kept={"deals": 7})))
    with pytest.raises(RuleError):
        Match(high, 4)
    assert match.deals == 0 and match.standing == Standing(False)


def test_values_that_do_not_fit_the_seats(high: durak_dsl.Game) -> None:
    for kept in ({"lost": 1}, {"lost": (1, 2, 3)}, {"deals": (1, 2)}):
        with pytest.raises(ValueError, match="has one value for"):
            durak_dsl.deal(high, 2, seed=1, kept=kept)


def test_what_leaves_its_bounds_is_a_fault(high: durak_dsl.Game) -> None:
    table = played(durak_dsl.deal(high, 2, seed=1, kept={"lost": (3, 3)}))
    with pytest.raises(RuleFault, match="'lost' goes from 0 to 3; here it would be 4") as error:
        table.kept_next()
    assert error.value.span is not None and error.value.span.quoted.strip().startswith("lost:")


def test_a_match_goes_on_without_over() -> None:
    game = durak_dsl.load("throw-in")
    match = Match(game, 2, seed=3)
    for _ in range(3):
        match.finish(played(match.deal()))
    totals = match.kept["total"]
    assert isinstance(totals, tuple) and sum(totals) == 6 and not match.is_over
    assert match.standing.places == tuple(1 + sum(other > one for other in totals) for one in totals)
    assert match.standing.loser == (None if totals[0] == totals[1] else totals.index(min(totals)))
    simple = Match(durak_dsl.load("simple"), 2, seed=3)
    assert simple.after(played(simple.deal())).standing == Standing(False)


def test_czech_goes_to_a_hundred() -> None:
    game = durak_dsl.load(CZECH)
    match, rows = Match(game, seed=4), []
    while not match.is_over:
        table = played(match.deal())
        assert table.kept == match.kept
        match.finish(table)
        rows.append(table.outcome().scores["penalty"])
    totals = tuple(map(sum, zip(*rows, strict=True)))
    assert match.kept["total"] == totals and max(totals) >= 100 > min(totals)
    assert match.outcome() == Standing(True, (1, 2) if totals[1] > totals[0] else (2, 1), (totals.index(max(totals)),))


def test_who_loses_may_be_said_without_places(high: durak_dsl.Game, tmp_path: Path) -> None:
    path = tmp_path / "edit.yaml"
    path.write_text(
        "durak: 1\nid: edit\nchanges: high\nnames: {en: x, ru: x}\nsummary: {en: x, ru: x}\n"
        "match:\n  keep:\n    lost: {first: 2, then: 3}\n    swapped: removed\n    +who: {is: player or none, first: none, then: loser}\n"
        "  place: removed\n  loser: who if who is not none\n  says: {en: '{loser}!', ru: '{loser}!'}\n",
        "utf-8",
    )
    match = Match(durak_dsl.load(str(path)), 3, seed=1)
    assert match.kept["lost"] == (2, 2, 2), "the parameters may be left out of the name"
    table = played(match.deal())
    match.finish(table)
    loser = table.outcome().loser
    assert loser is not None and match.outcome().loser == loser
    assert match.outcome().places == tuple(3 if seat == loser else 1 for seat in range(3))
    assert match.kept["lost"] == (3, 3, 3)
