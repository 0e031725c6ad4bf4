"""Teams: who loses together, in outcomes, matches, records, texts and statistics, and for whom machine players play."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import durak_dsl
from durak_dsl import Game, Match, RuleError, Table
from durak_dsl.players.chance import ByChance
from durak_dsl.players.search import Search
from durak_dsl.study.simulate import simulate
from durak_dsl.study.trial import trial
from durak_dsl.texts.telling import Telling

# Everybody lays one card of two; the team with the higher sum of pips has won.
SUMS = """\
durak: 1
id: sums
names: {en: Sums, ru: Суммы}
summary: {en: "One card each.", ru: "По карте."}
sources: [test]

players: {count: 4 or 6, teams: 2 alternating}

deck:
  ranks: 2 3 4 5 6 7 8 9
  suits: hearts moons
  start in: pack

zones:
  pack: {stack: one, seen by: nobody}
  hand: {set: each, seen by: owner}
  laid: {set: each, seen by: all}

variables:
  turn: player

setup:
  shuffle: shuffle pack
  deal: deal 2 from pack to hand of players from P1
  begin: turn = P1; go play

position:
  begin: go play

define:
  pips(team t): sum(sum(number(c.rank) for c in p.laid) for p in players where p.team == t)
  best: most t in teams by pips(t)

phases:
  play: {actor: turn}

moves:
  lay:
    in: play
    pick:
      card: me.hand
    do:
      - move card to me.laid
      - if every p in players has size(p.laid) == 1: end deal
      - turn = left(turn)
      - go play
    say: {en: "{me} lays {card}", ru: "{me} кладёт {card}"}

finish:
  place(player p): 1 + sum(1 for q in players where pips(q.team) > pips(p.team))

match:
  keep:
    lost: {is: each player 0 to 3, first: 0, then(player p): p.lost + 1 if place(p) > 1 else p.lost}
  over: any p in players has p.lost == 3
  place(player p): 1 + count(q in players where q.lost < p.lost)
"""
WON = "2H 3H 2M 3M 4H 5H 4M 5M ... 9M"  # a deck for four: P1 2H 4H, P2 3H 5H, P3 2M 4M, P4 3M 5M


def game_of(tmp_path: Path, *changed: tuple[str, str]) -> Game:
    text = SUMS
    for old, new in changed:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = tmp_path / "sums.yaml"
    path.write_text(text, "utf-8")
    return durak_dsl.load(str(path))


def ended(game: Game, *moves: str, deck: str = WON) -> Table:
    table = durak_dsl.deal(game, 4, deck=deck)
    for move in moves:
        table.play(move)
    return table


LOST = ("P1 lay 2H", "P2 lay 5H", "P3 lay 4M", "P4 lay 5M")
DRAWN = ("P1 lay 4H", "P2 lay 3H", "P3 lay 2M", "P4 lay 3M")


def test_a_team_alone_in_the_last_place_has_lost(tmp_path: Path) -> None:
    outcome = ended(game_of(tmp_path), *LOST).outcome()
    assert (outcome.places, outcome.losers, outcome.loser) == ((3, 1, 3, 1), (0, 2), None)


def test_teams_that_share_a_place_draw(tmp_path: Path) -> None:
    outcome = ended(game_of(tmp_path), *DRAWN).outcome()
    assert (outcome.places, outcome.losers) == ((1, 1, 1, 1), ())


def test_the_rules_may_say_which_team(tmp_path: Path) -> None:
    said = ("finish:\n", "finish:\n  loser: either(least t in teams where t != best by pips(t), best)\n")
    assert ended(game_of(tmp_path, said), *LOST).outcome().losers == (0, 2)


def test_the_rules_may_say_a_player(tmp_path: Path) -> None:
    table = ended(game_of(tmp_path, ("finish:\n", "finish:\n  loser: P3\n")), *LOST)
    assert (table.outcome().losers, table.outcome().loser) == ((2,), 2)


def test_the_rules_may_say_which_team_wins(tmp_path: Path) -> None:
    wins = "  winner: first t in teams where (no s in teams has s != t and pips(s) >= pips(t))\n"
    game = game_of(tmp_path, ("finish:\n", f"finish:\n  loser: P1 if pips(P1.team) == 0\n{wins}"))
    outcome = ended(game, *LOST).outcome()
    assert (outcome.losers, outcome.winners) == ((), (1, 3))
    assert next(Telling(game, "en").ending(outcome)) == "The deal is over. P2 and P4 have won."
    assert ended(game, *DRAWN).outcome().winners == ()
    assert ended(game, *LOST).view(1).as_json()["outcome"]["winners"] == ["P2", "P4"]


def test_a_match_is_lost_by_a_team(tmp_path: Path) -> None:
    match, lost = Match(game_of(tmp_path), 6, seed=1), [0] * 6
    while not match.is_over:
        table = match.deal()
        while (actor := table.actor) is not None:
            table.play(ByChance(Random(actor)).choose(table))
        match.finish(table)
        for seat in table.outcome().losers:
            lost[seat] += 1
        assert match.kept["lost"] == tuple(lost)
    assert match.outcome().losers == tuple(seat for seat in range(6) if lost[seat] == 3)
    assert match.outcome().places in ((1, 4) * 3, (4, 1) * 3)


def test_a_match_of_which_only_the_losing_team_is_said(tmp_path: Path) -> None:
    place = "  place(player p): 1 + count(q in players where q.lost < p.lost)\n"
    match = Match(
        game_of(tmp_path, (place, "  loser: first t in teams where any p in players has p.team == t and p.lost == 3\n")), 4, seed=2
    )
    while not match.is_over:
        table = match.deal()
        while table.actor is not None:
            table.play(table.legal_moves()[0])
        match.finish(table)
    assert len(match.outcome().losers) == 2
    assert match.outcome().places == tuple(3 if seat in match.outcome().losers else 1 for seat in range(4))


def test_a_record_names_the_players_of_the_team(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    text = durak_dsl.write_record(ended(game, *LOST))
    assert "\nresult: losers P1 P3, places 3 1 3 1\n" in text
    assert durak_dsl.replay(durak_dsl.read_record(text), game).outcome().losers == (0, 2)


def test_a_view_names_the_players_of_the_team(tmp_path: Path) -> None:
    outcome = ended(game_of(tmp_path), *LOST).view(1).as_json()["outcome"]
    assert outcome == {"places": [3, 1, 3, 1], "losers": ["P1", "P3"], "winners": [], "stalemate": False, "scores": {}}


def test_people_are_told_who_plays_and_who_loses_together(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    outcome, standing = ended(game, *LOST).outcome(), durak_dsl.Standing(True, (3, 1, 3, 1), (0, 2))
    english, russian = Telling(game, "en"), Telling(game, "ru")
    assert [*english.teams(6)] == ["together: P1, P3 and P5; P2, P4 and P6"]
    assert [*russian.teams(4)] == ["вместе играют: P1 и P3; P2 и P4"]
    assert [*Telling(durak_dsl.load("simple"), "en").teams(4)] == []
    assert [*english.ending(outcome)] == ["The deal is over. P1 and P3 have lost.", "places: 1 P2 and P4, 3 P1 and P3"]
    assert next(russian.ending(outcome)) == "Игра окончена. Игру проиграли P1 и P3."
    assert "P1 and P3 have lost the match" in next(english.match(3, standing))
    assert "Матч проиграли P1 и P3" in next(russian.match(3, standing))
    assert next(Telling(durak_dsl.load("partners"), "ru").ending(outcome)) == "Игра окончена. В дураках остались P1 и P3."


def test_a_loss_counts_for_each_of_the_team(tmp_path: Path) -> None:
    found = simulate(game_of(tmp_path), 6, range(50), 3)
    assert found.loss_by_seat[:2] * 3 == found.loss_by_seat
    assert found.loss_by_seat[0] + found.loss_by_seat[1] + found.draws == 50
    assert found.loss_by_distance == found.loss_by_seat  # P1 is always the first


def test_a_team_that_does_not_share_its_place_is_found_by_play(tmp_path: Path) -> None:
    game = game_of(
        tmp_path,
        ("place(player p): 1 + sum(1", "place(player p): (2 if p == P3 else 1) + sum(1"),
        ("finish:\n", "finish:\n  loser: best\n"),
    )
    problems = trial(game, 20).problems
    assert [problem.code for problem in problems][:1] == ["places"]
    assert "a team loses, so the players of a team share a place; P1 has place" in problems[0].message


@pytest.mark.parametrize("rules", ["partners", "throw-in+partners", "transfer+partners+road"])
def test_uneven_teams_are_refused_before_dealing(rules: str) -> None:
    with pytest.raises(RuleError, match=r"partners.* is played by 4 or 6, not by 5"):
        durak_dsl.deal(durak_dsl.load(rules), 5)


def test_the_searching_player_plays_for_his_team(tmp_path: Path) -> None:
    """What is best for the team is laid also by who could not win by it alone: the higher of two cards."""
    table = durak_dsl.deal(game_of(tmp_path), 4, deck="2H 3H 2M 3M 9H 5H 4M 5M ... 9M")
    assert Search(Random(1), 400).choose(table).text() == "lay 9H"
