"""Games whose moves do random things: machine code comes to the same states, the same counts and the same faults as interpreted code."""

from __future__ import annotations

from pathlib import Path

import pytest

from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, choosing, seed_of
from durak_dsl.language.check import settle
from durak_dsl.native import machine
from durak_dsl.native.build import built
from durak_dsl.native.steps import steps
from tests.test_statements import checked

pytestmark = pytest.mark.skipif(machine.missing() is not None, reason="llvmlite is not installed")

MOVES = 60


def compare(program: Program) -> None:
    """Play deals state by state, then each as a whole, up to the same fault if there is one."""
    stepped, whole, seats = steps(program), built(program), max(program.rules.counts)
    for number in range(12):
        one = seed_of(3, number)
        state, words = program.new(seats, one), choosing(one)
        mine = stepped.state(state)
        for _ in range(MOVES):
            mask = program.legal(state)
            assert stepped.legal(mine) == mask
            if state[NODE] < 0 or not mask:
                break
            for _ in range(words() * mask.bit_count() >> 32):
                mask &= mask - 1
            choice = (mask & -mask).bit_length() - 1
            fails = fault(program, state, choice)
            if fails:
                with pytest.raises(RuleFault) as raised:
                    stepped.apply(mine, choice)
                assert raised.value.message == fails
                break
            stepped.apply(mine, choice)
            assert stepped.plain(mine) == state
        state = program.new(seats, one)
        try:
            turns, decisions = program.playout(state, choosing(one), MOVES)
            wrong = turns < 0 or turns > MOVES
        except RuleFault:
            wrong = True
        well, _, counts = whole.deals(seats, 3, number, number + 1, MOVES)
        assert well == (not wrong)
        assert not well or (counts[0], counts[2]) == (turns, decisions)


def fault(program: Program, state: list[int], choice: int) -> str:
    """Make the choice; what is said if it is a fault."""
    try:
        program.apply(state, choice)
    except RuleFault as found:
        return found.message
    return ""


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 150))])
def test_machine_code_does_what_interpreted_code_does(seed: int, tmp_path: Path) -> None:
    rules = checked(tmp_path / "game.yaml", seed)
    compare(Program(rules, settle(rules, {})))
