"""Every deal of tiny decks, played in every way: cards are conserved, somebody can always move, every deal ends."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, choosing
from durak_dsl.language.check import check, settle
from durak_dsl.source import overlay
from durak_dsl.study.playout import playout
from tests.games import State, bits, lying

TINY = """\
durak: 1
id: tiny
changes: simple
names: {en: Tiny, ru: Крохотный}
deck:
  suits: clubs spades
  only: card.rank >= Q
options:
  hand_size: {default: 2}
  stalemate: {default: 3}
"""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "tiny.yaml"
    path.write_text(TINY, "utf-8")
    return path


def explore(program: Program, state: State, known: dict[tuple[int, ...], bool]) -> None:
    """Go through every position that can be reached; `known` says of each whether all that follows has been seen."""
    key = tuple(state)
    if key in known:
        assert known[key], "a deal comes back to where it was"
        return
    known[key] = False
    assert lying(program, state) == list(program.deck)
    if state[NODE] >= 0:
        assert program.legal(state), f"no move in phase {program.nodes[state[NODE]].phase}"
        for choice in bits(program.legal(state)):
            after = list(state)
            program.apply(after, choice)
            explore(program, after, known)
    known[key] = True


def explore_deals(base: str, seats: int, tiny: Path, every: int) -> None:
    """Explore each so manieth deal of the six cards."""
    rules = check(overlay.resolve(f"{base}+{tiny}" if base != "simple" else str(tiny)))
    program = Program(rules, settle(rules, {"show_transfer": "per-bout"} if base == "transfer" else {}))
    assert len(program.deck) == 6
    positions = 0
    for deck in itertools.islice(itertools.permutations(program.deck), 0, None, every):
        known: dict[tuple[int, ...], bool] = {}
        explore(program, program.new(seats, 0, deck), known)
        positions += len(known)
    assert positions > 500


@pytest.mark.parametrize("base", ["simple", "throw-in", "transfer", "transfer-2"])
@pytest.mark.parametrize("seats", [2, 3])
def test_every_way_to_play_deals_of_six_cards(base: str, seats: int, tiny: Path) -> None:
    explore_deals(base, seats, tiny, every=97 if base == "transfer" else 19)


@pytest.mark.long
@pytest.mark.parametrize("base", ["simple", "throw-in", "transfer", "transfer-2"])
@pytest.mark.parametrize("seats", [2, 3])
def test_every_way_to_play_every_deal_of_six_cards(base: str, seats: int, tiny: Path) -> None:
    explore_deals(base, seats, tiny, every=1)


LOOP = """\
durak: 1
id: loop
names: {en: Loop, ru: Круг}
players: {count: 2}
deck: {ranks: 6 7 8 9, suits: clubs spades, start in: talon}
zones:
  talon: {stack: one, seen by: nobody}
  hand: {set: each, seen by: owner}
variables:
  who: player or none = P1
setup: {deal: deal 2 from talon to hand of players, begin: go one}
position: {begin: go one}
phases:
  one: {actor: who, nobody: go other}
  other: {actor: who, nobody: go one}
moves:
  stop:
    in: one + other
    do: who = none; go one
    say: {en: stop, ru: стоп}
finish: {place(player p): 1, loser: none}
"""


def test_phases_that_hand_on_to_each_other_for_ever_are_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "loop.yaml"
    path.write_text(LOOP, "utf-8")
    rules = check(overlay.resolve(str(path)))
    program = Program(rules, settle(rules, {}))
    for play in (lambda state: program.apply(state, 0), lambda state: playout(program, state, choosing(1))):
        with pytest.raises(RuleFault, match="passed over without end"):
            play(program.new(2))
