"""Deals are played on to the same end by interpreted code and by machine code, and a player chooses the same by either."""

from __future__ import annotations

from random import Random

import pytest

import durak_dsl
from durak_dsl.native import build, machine
from durak_dsl.players import playouts as module
from durak_dsl.players.chance import ByChance
from durak_dsl.players.playouts import Playouts
from durak_dsl.players.search import Search
from durak_dsl.table.table import Table

needs_llvmlite = pytest.mark.skipif(machine.missing() is not None, reason="llvmlite is not installed")


def under_way(rules: str, moves: int, seed: int) -> Table:
    """A deal after some moves by chance."""
    game = durak_dsl.load(rules)
    table = durak_dsl.deal(game, max(game.seats), seed=seed)
    player = ByChance(Random(seed))
    for _ in range(moves):
        if table.actor is not None:
            table.play(player.choose(table))
    return table


@needs_llvmlite
@pytest.mark.parametrize("rules", ["throw-in", "big", "magadan", "scopa"])
def test_both_come_to_the_same(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = durak_dsl.load(rules).program
    slow, fast = Playouts(program), Playouts(program)
    fast.native = build.built(program)
    monkeypatch.setattr(build, "WORTH_LOADING", 1e9)
    for number in range(20):
        state = under_way(rules, 3 * number, number).state
        before = [*state]
        ends = [playing(state, 7 * number) for playing in (slow, fast)]
        assert state == before
        found = [(program.losers(end), [program.ends.place(end, seat) for seat in range(state[2])]) for end in ends if end is not None]
        assert len(found) == 2 and found[0] == found[1]
    assert slow.native is None
    monkeypatch.setattr(module, "MOST_TURNS", 1)
    state = under_way(rules, 0, 1).state
    assert slow(state, 1) is fast(state, 1) is None


@needs_llvmlite
def test_machine_code_is_taken_once_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = under_way("throw-in", 0, 5)
    moves = []
    for least in (1e9, 0.0):
        monkeypatch.setattr(module, "_PLAYOUTS", {})
        monkeypatch.setattr(build, "WORTH_LOADING", least)
        monkeypatch.setattr(build, "WORTH_MAKING", least)
        moves.append(Search(Random(3)).choose(table))
        assert (module.playouts(table.program).native is None) == (least > 0)
    assert moves[0] == moves[1]


def test_without_machine_code_play_goes_on_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "WORTH_LOADING", 0.0)
    monkeypatch.setattr(machine, "missing", lambda: "llvmlite is not installed")
    table = under_way("throw-in", 2, 5)
    playing = Playouts(table.program)
    assert all(playing(table.state, seed) is not None for seed in range(3)) and playing.native is None
