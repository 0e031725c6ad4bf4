"""Picks of every kind, phases without moves, and dead ends: step by step, as one function, and as machine code it is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, choosing, seed_of
from durak_dsl.language.check import check, settle
from durak_dsl.native import machine
from durak_dsl.native.build import against, built
from durak_dsl.native.steps import steps
from durak_dsl.source import overlay
from durak_dsl.study.playout import MOST_MOVES, playout, playout_by_steps

GAME = """\
durak: 1
id: picks
names: {{en: Picks, ru: Выбор}}
players: {{count: 2}}
deck: {{ranks: 7 8, suits: clubs diamonds, start in: stock}}
zones: {{stock: {{stack: one, seen by: nobody}}, hand: {{set: each, seen by: owner}}}}
variables: {{turn: player, bid: 0 to 1000, named: suit or none, left: 0 to 9 = 9}}
setup: {{deal: deal 2 from stock to hand of players, begin: turn = P1; go play}}
phases:
  never: {{actor: "turn if left > 9", nobody: go play}}
  play: {{actor: "turn if left > 0", nobody: end deal}}
moves:
  name:
    in: play
    pick: {{{pick}}}
    do: {do}; left = left - 1; turn = left(turn); go never
    say: {{en: name, ru: имя}}
{more}
finish: {{place(player p): 1, scores: {{points(player p): "bid"}}}}
"""
PASS = "  pass:\n    in: play\n    when: left > 3\n    do: left = left - 1; stay\n    say: {en: pass, ru: пас}"
PICKS = {
    "suits": ("suit: suits", "named = suit; bid = bid + 1"),
    "ranks, not used": ("r: ranks", "bid = bid + 1"),
    "numbers": ("amount: 0 to 9", "bid = bid + amount"),
    "numbers from what was said": ("amount: left to 12", "bid = amount"),
    "two of them": ("who: players, amount: 0 to 9", "turn = who; bid = bid + amount"),
    "one number": ("amount: 3 to 3", "bid = bid + amount"),
    "as many as bits": ("amount: 0 to 62", "bid = amount"),
    "more than bits": ("amount: 0 to 64", "bid = amount"),
    "two words": ("amount: 0 to 125 where amount != bid", "bid = amount"),
    "more than two words": ("amount: 0 to 200", "bid = amount"),
    "the most": ("amount: 0 to 1000 where amount != 500", "bid = amount"),
}


def program_of(folder: Path, pick: str, do: str, more: str = "") -> Program:
    """The program of the game with this pick."""
    path = folder / "picks.yaml"
    path.write_text(GAME.format(pick=pick, do=do, more=more), "utf-8")
    rules = check(overlay.resolve(str(path)))
    return Program(rules, settle(rules, {}))


@pytest.mark.parametrize("more", ["", PASS], ids=["alone", "with another move"])
@pytest.mark.parametrize("kind", PICKS)
def test_picks_go_the_same_way(kind: str, more: str, tmp_path: Path) -> None:
    program = program_of(tmp_path, *PICKS[kind], more)
    turns = decisions = total = 0
    for number in range(40):
        seed = seed_of(5, number)
        whole, by_steps = program.new(2, seed), program.new(2, seed)
        found = playout(program, whole, choosing(seed))
        assert found == playout_by_steps(program, by_steps, choosing(seed))
        points = [program.ends.scores["points"](state, 0) for state in (whole, by_steps)]
        assert points[0] == points[1]
        decisions, turns, total = decisions + found[0], turns + found[1], total + points[0]
    reason = against(program)
    if kind in ("more than two words", "the most"):
        assert machine.missing() or (reason and reason.startswith("machine code has sets of at most 126; these rules have a pick among "))
    elif reason is None:
        for native in (built(program), steps(program)):
            well, _, counts = native.deals(2, 5, 0, 40, MOST_MOVES)
            assert well and (counts[0], counts[2], counts[-1]) == (turns, decisions, total)


def test_a_dead_end_is_a_fault(tmp_path: Path) -> None:
    program = program_of(tmp_path, "card: me.hand", "move card to bottom of stock")
    for play in (playout, playout_by_steps):
        with pytest.raises(RuleFault, match="in phase 'play' P1 is to act and has no legal move"):
            play(program, program.new(2, 1), choosing(1))
    if against(program) is None:
        for native in (built(program), steps(program)):
            assert native.deals(2, 5, 3, 9, MOST_MOVES)[:2] == (False, 3)
