"""Counting and statistics: perft against plain recursion, shares against a library's figures, deals that depend on their seed alone."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from random import Random

import pytest

import durak_dsl
from durak_dsl.compiler.runtime import seed_of
from durak_dsl.study.grid import relation, relations
from durak_dsl.study.matches import simulate_matches
from durak_dsl.study.perft import divide, perft
from durak_dsl.study.shares import error, share
from durak_dsl.study.simulate import Ended, Statistics, by_players, simulate
from durak_dsl.study.trial import trial


@pytest.mark.parametrize(("count", "of"), [(0, 10), (10, 10), (1, 3), (10, 100), (500, 1000), (7, 100_000)])
def test_shares(count: int, of: int) -> None:
    """The interval by Wilson is that of the true shares from which the share found lies no further than 1.96 standard errors."""
    found = share(count, of)
    assert found["share"] == count / of and found["low"] <= found["share"] <= found["high"]
    for end in (found["low"], found["high"]):
        if 0 < end < 1:
            assert abs(count / of - end) == pytest.approx(1.959964 * sqrt(end * (1 - end) / of), rel=1e-6)


def test_statistics_of_a_few_deals() -> None:
    found = Statistics(3)
    for ended in (Ended(0, 10, 5, (2,), False), Ended(2, 20, 7, (1,), False), Ended(1, 30, 9, (), False), Ended(1, 40, 11, (), True)):
        found.add(ended)
    assert (found.deals, found.draws, found.stalemates) == (4, 1, 1)
    assert (found.loss_by_seat, found.loss_by_distance) == ([0, 1, 1], [0, 0, 2])
    plain = found.as_json()
    assert (plain["turns_per_deal"], plain["decisions_per_deal"]) == (25, 8)
    assert plain["turns_per_deal_error"] == pytest.approx(12.90994449 / 2)
    assert error(5, 25, 1) is None


def test_a_deal_that_somebody_has_won_is_no_draw() -> None:
    found = Statistics(3)
    for ended in (Ended(0, 10, 5, (), False, winners=(1,)), Ended(0, 10, 5, (0,), False, winners=(1,)), Ended(0, 10, 5, (), False)):
        found.add(ended)
    assert (found.draws, found.loss_by_seat, found.wins_by_seat) == (1, [1, 0, 0], [0, 2, 0])
    assert found.as_json()["shares"]["wins_by_seat"][1]["share"] == 2 / 3


def test_deals_do_not_depend_on_each_other() -> None:
    game = durak_dsl.load("throw-in")
    whole = simulate(game, 4, range(30), 7)
    parts = Statistics(4)
    for numbers in (range(20, 30), range(5), range(5, 20)):
        part = simulate(game, 4, numbers, 7)
        for name, value in vars(part).items():
            mine = getattr(parts, name)
            if name == "seats":
                continue
            if isinstance(value, dict):
                setattr(parts, name, {key: [*map(sum, zip(mine.get(key, [0] * 4), more, strict=True))] for key, more in value.items()})
                continue
            setattr(parts, name, [a + b for a, b in zip(mine, value, strict=True)] if isinstance(value, list) else mine + value)
    assert parts == whole
    assert len({seed_of(7, number) for number in range(10_000)}) == 10_000


def test_machine_players_are_counted_alike() -> None:
    game = durak_dsl.load("throw-in", {"deck": "24"})
    ended = by_players(game, 2, 5, "random")
    assert ended.turns >= ended.decisions > 0 and ended == by_players(game, 2, 5, "random")


@pytest.mark.parametrize("rules", ["throw-in", "transfer", "chinese", "cross", "round", "tests/table/twice.yaml"])
def test_perft_counts_whole_moves(rules: str) -> None:
    table = durak_dsl.deal(durak_dsl.load(rules), seed=2)

    def count(here: durak_dsl.Table, depth: int) -> int:
        return 1 if not depth else sum(count(here.after(move), depth - 1) for move in here.legal_moves())

    for depth in range(4):
        assert perft(table, depth) == count(table, depth)
    assert sum(ways for _, ways in divide(table, 3)) == perft(table, 3)
    over = table.clone()
    random = Random(1)
    while not over.is_over:
        over.play(random.choice(over.legal_moves()))
    assert (perft(over, 0), perft(over, 1)) == (1, 0)


def test_grids_agree_with_the_rules_in_play() -> None:
    game = durak_dsl.load("throw-in", {"deck": "24"})
    assert "beats" in relations(game.rules)
    found = relation(game.program, "beats", {})
    assert [dict(grid.given[0]) for grid in found.grids] == [{"trump": suit} for suit in ("clubs", "diamonds", "hearts", "spades")]
    for grid in found.grids:
        trump = game.rules.deck.suits.index(grid.given[0]["trump"])
        for card, mask in grid.rows.items():
            for other in found.cards:
                higher = card % 4 == other % 4 and card > other
                assert (mask >> other & 1) == (higher or (card % 4 == trump != other % 4))


def test_matches_follow_from_their_seeds() -> None:
    game = durak_dsl.load("czech")
    found = simulate_matches(game, 2, range(6), 3)
    assert found.matches == 6 == found.draws + sum(found.loss_by_seat) and found.deals > 12
    parts = [simulate_matches(game, 2, range(start, start + 3), 3) for start in (0, 3)]
    assert found.deals == sum(part.deals for part in parts)
    assert found.loss_by_seat == [sum(pair) for pair in zip(*(part.loss_by_seat for part in parts), strict=True)]
    assert simulate_matches(game, 2, range(1), 3, "search").matches == 1
    with pytest.raises(ValueError, match="throw-in does not say when a match is over"):
        simulate_matches(durak_dsl.load("throw-in"), 2, range(1), 3)


def test_a_winner_without_the_first_place_is_found_by_play(tmp_path: Path) -> None:
    path = tmp_path / "won.yaml"
    path.write_text("durak: 1\nid: won\nchanges: throw-in\nsources: [test]\nfinish:\n  winner: loser\n", "utf-8")
    problem = trial(durak_dsl.load(path), 6).problems[0]
    assert problem.code == "places" and problem.message.startswith("who wins has place 1; P"), problem
    assert problem.span is not None and problem.span.line == 6


@pytest.mark.parametrize(
    ("part", "place", "wrong"),
    [
        ("finish", "7 * (1 + count(q in players where q == p))", "a place is a number from 1 to 2, as many as play; P1 has place 14 ("),
        ("finish", "0", "a place is a number from 1 to 2, as many as play; P1 has place 0 ("),
        ("finish", "2", "somebody has place 1; P1 has place 2 and P2 has place 2 ("),
        ("match", "3", "a place is a number from 1 to 2, as many as play; P1 has place 3 ("),
        ("match", "2", "somebody has place 1; P1 has place 2 and P2 has place 2 ("),
    ],
)
def test_places_out_of_bounds_are_found_by_play(part: str, place: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "placed.yaml"
    path.write_text(f"durak: 1\nid: placed\nchanges: throw-in\nsources: [test]\n{part}:\n  place(player p): {place}\n", "utf-8")
    problems = trial(durak_dsl.load(path), 6).problems
    assert problems[0].code == "places" and problems[0].message.startswith(wrong), problems
    assert problems[0].span is not None
