"""The step form as machine code agrees with interpreted code: state by state, deal by deal, and about what is wrong."""

from __future__ import annotations

import pytest

from durak_dsl.compiler.layout import NODE, SEATS
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, State, choosing, seed_of
from durak_dsl.language.check import check, settle
from durak_dsl.native.build import NoNative, against
from durak_dsl.native.machine import missing
from durak_dsl.native.steps import Steps, steps
from durak_dsl.source import overlay
from durak_dsl.study.playout import MOST_MOVES, playout_by_steps
from tests.games import COMBINED, ROOT, VARIANTS, program_of

ROUND = """\
durak: 1
id: ring
names: {en: Ring, ru: Круг}
players: {count: 2}
deck: {ranks: 6 7 8 9, suits: clubs spades, start in: stock}
zones:
  stock: {stack: one, seen by: nobody}
  hand: {set: each, seen by: owner}
variables:
  who: player or none = P1
  said: 0 to 2
setup: {deal: deal 2 from stock to hand of players, begin: go one}
position: {begin: go one}
phases:
  one: {actor: who, nobody: go other}
  other: {actor: who, nobody: go one}
moves:
  count:
    in: one + other
    do: said = said + 1; stay
    say: {en: count, ru: счёт}
  stop:
    in: one + other
    do: who = none; go one
    say: {en: stop, ru: стоп}
finish: {place(player p): 1, loser: none}
"""

DARK = str(ROOT / "tests" / "table" / "dark.yaml")

needs_llvmlite = pytest.mark.skipif(missing() is not None, reason="llvmlite is not installed")


def assert_agrees(program: Program, deals: int) -> None:
    """Play random deals in both, state by state; then a range of deals through the steps alone."""
    native, seats = steps(program), max(program.rules.counts)
    turns = decisions = 0
    for number in range(deals):
        one = seed_of(3, number)
        state, words = program.new(seats, one), choosing(one)
        mine = native.state(state)
        assert native.plain(mine) == state
        while state[NODE] >= 0:
            if number % 3 == 0:
                assert_observed_alike(native, state)
            mask = program.legal(state)
            assert native.legal(mine) == mask
            for _ in range(words() * mask.bit_count() >> 32):
                mask &= mask - 1
            choice = (mask & -mask).bit_length() - 1
            program.apply(state, choice)
            native.apply(mine, choice)
            assert native.plain(mine) == state
        assert native.legal(mine) == 0
        assert native.result(mine) == program.result(state)
        assert_observed_alike(native, state)
        of_deal = playout_by_steps(program, program.new(seats, one), choosing(one))
        decisions, turns = decisions + of_deal[0], turns + of_deal[1]
    well, _, counts = native.deals(seats, 3, 0, deals, MOST_MOVES)
    assert well and (turns, decisions) == (counts[0], counts[2])


def assert_observed_alike(native: Steps, state: State) -> None:
    """What each seat sees of a state is the same in both, and the state stays as it is."""
    mine = native.state(state)
    for seat in range(state[SEATS]):
        assert native.plain(native.observe(mine, seat)) == native.program.observe(state, seat)
    assert native.plain(mine) == state


@needs_llvmlite
@pytest.mark.parametrize("name", [*VARIANTS, *COMBINED, "believe-or-not+big", DARK])
def test_steps_of_every_game_agree(name: str) -> None:
    program = program_of(name)
    if against(program) is not None:
        pytest.skip(str(against(program)))
    assert_agrees(program, 10)


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    path = tmp_path_factory.mktemp("rules") / "ring.yaml"
    path.write_text(ROUND, "utf-8")
    rules = check(overlay.resolve(str(path)))
    if missing() is not None:
        pytest.skip("llvmlite is not installed")
    return steps(Program(rules, settle(rules, {})))


def test_faults_are_those_of_interpreted_code(ring: Steps) -> None:
    state = ring.state(ring.program.new(2))
    ring.apply(state, 0)
    ring.apply(state, 0)
    with pytest.raises(RuleFault, match="'said' goes from 0 to 2; here it would be 3"):
        ring.apply(state, 0)


def test_phases_that_hand_on_for_ever_are_a_fault(ring: Steps) -> None:
    with pytest.raises(RuleFault, match="passed over without end"):
        ring.apply(ring.state(ring.program.new(2)), 1)
    assert ring.deals(2, 0, 0, 1, 100)[0] is False


def test_what_is_asked_out_of_place_is_an_error(ring: Steps) -> None:
    state = ring.state(ring.program.new(2))
    with pytest.raises(ValueError, match="there is no seat 2: 2 sit at the table"):
        ring.observe(state, 2)
    with pytest.raises(ValueError, match="the deal is not over"):
        ring.result(state)


def test_why_there_is_no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durak_dsl.native.build.against", lambda program: "llvmlite is not installed")
    rules = check(overlay.resolve("simple"))
    with pytest.raises(NoNative, match="llvmlite is not installed"):
        steps(Program(rules, settle(rules, {})))
