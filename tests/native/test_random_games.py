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
    """Play deals state by state, and each as a whole as far, up to the same fault if there is one."""
    stepped, whole, seats = steps(program), built(program), max(program.rules.counts)
    for number in range(12):
        one = seed_of(3, number)
        state, words = program.new(seats, one), choosing(one)
        mine = stepped.state(state)
        turns, end = whole.play_on(state, one, MOVES)
        with_choice = without = 0
        while (mask := program.legal(state)) or state[NODE] >= 0:
            assert stepped.legal(mine) == mask
            count = mask.bit_count()
            passed = words() * count >> 32 if count > 1 else 0
            if state[NODE] < len(program.rules.phases):
                with_choice, without = with_choice + (count > 1), without + (count <= 1)
            if not mask or max(with_choice, without) > MOVES:
                break
            for _ in range(passed):
                mask &= mask - 1
            choice = (mask & -mask).bit_length() - 1
            if said := fault(program, state, choice):
                with pytest.raises(RuleFault) as raised:
                    stepped.apply(mine, choice)
                assert raised.value.message == said and turns < 0
                break
            stepped.apply(mine, choice)
            assert stepped.plain(mine) == state
        else:
            assert stepped.legal(mine) == 0
        if turns >= 0:
            assert (turns, end) == (with_choice + without, state)


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
