"""How fast deals of uniformly random play go, side by side: the forms of a program, interpreted and as machine code, and others by hand.

All play in turn in one process, round by round, and are timed in seconds of the processor; a ratio is the median over the rounds of that
of two neighbours, so that what else the machine does weighs little.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from durak_dsl import cache as kept
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import seed_of
from durak_dsl.study.playout import MOST_MOVES, played_out, playout, playout_by_steps

if TYPE_CHECKING:
    from durak_dsl.native.build import Native

Play = Callable[[int, int, int], int]  # of seats, a number of deals and a seed: how many decisions there were

FORMS = ("fused", "step")
TRIAL = 0.02  # seconds after which a first trial is long enough to say how many deals make a turn


@dataclass(frozen=True)
class Runner:
    """Something that plays deals."""

    name: str
    play: Play


@dataclass(frozen=True)
class Speed:
    """How fast a runner was, round by round: deals and decisions a second of the processor."""

    deals: tuple[float, ...]
    decisions: tuple[float, ...]

    def ratio(self, other: Speed) -> float:
        """The median ratio of decisions a second, this to the other, over the rounds."""
        return median(mine / its for mine, its in zip(self.decisions, other.decisions, strict=True))


def interpreted(program: Program, form: str) -> Runner:
    """The program in one form, interpreted."""
    run = playout if form == "fused" else playout_by_steps

    def play(seats: int, deals: int, seed: int) -> int:
        seeds = (seed_of(seed, number) for number in range(deals))
        return sum(decisions for _, _, decisions, _ in played_out(program, seats, seeds, run))

    return Runner(f"{form}, interpreted", play)


def native(program: Program, form: str) -> Runner:
    """The program in one form as machine code; `native.build.NoNative` where there is none."""

    compiled = _compiled(program, form)

    def play(seats: int, deals: int, seed: int) -> int:
        well, number, counts = compiled.deals(seats, seed, 0, deals, MOST_MOVES)
        if not well:
            next(played_out(program, seats, [seed_of(seed, number)]))  # which says what is wrong
            raise AssertionError("interpreted code finds nothing wrong here")
        return int(counts[2])

    return Runner(f"{form}, native", play)


def _compiled(program: Program, form: str) -> Native:
    if form == "fused":
        from durak_dsl.native.build import built

        return built(program)
    from durak_dsl.native.steps import steps

    return steps(program)


def measured(runners: Sequence[Runner], seats: int, rounds: int, turn: float) -> list[Speed]:
    """How fast each of them is, playing in turn about so many seconds each round."""
    amounts = [_amount(runner, seats, turn) for runner in runners]
    deals: list[list[float]] = [[] for _ in runners]
    decisions: list[list[float]] = [[] for _ in runners]
    for number in range(rounds):
        for place in range(len(runners)):
            which = (place + number) % len(runners)  # each comes after each other's pause as often
            found, seconds = _timed(runners[which], seats, amounts[which], number + 1)
            deals[which].append(amounts[which] / seconds)
            decisions[which].append(found / seconds)
    return [Speed(tuple(some), tuple(others)) for some, others in zip(deals, decisions, strict=True)]


def _timed(runner: Runner, seats: int, deals: int, seed: int) -> tuple[int, float]:
    gc.collect(0)
    start = time.process_time()
    found = runner.play(seats, deals, seed)
    return found, max(time.process_time() - start, 1e-6)


def _amount(runner: Runner, seats: int, turn: float) -> int:
    """How many deals take so many seconds; the first, which compiles what is yet to be compiled, does not count."""
    runner.play(seats, 1, 0)
    deals = 1
    while (seconds := _timed(runner, seats, deals, 0)[1]) < min(TRIAL, turn):
        deals *= 4
    return max(1, round(deals * turn / seconds))


def of_workers(runner: Runner, workers: int, seats: int, rounds: int, turn: float) -> float:
    """How many times as much as alone so many threads play by the clock, each with deals of its own: the median over the rounds."""
    deals = _amount(runner, seats, turn)
    ratios = []
    with ThreadPoolExecutor(workers) as pool:
        for number in range(rounds):
            seconds = []
            for many in (1, workers):
                start = time.perf_counter()
                for playing in [pool.submit(runner.play, seats, deals, number * workers + one) for one in range(many)]:
                    playing.result()
                seconds.append(time.perf_counter() - start)
            ratios.append(workers * seconds[0] / seconds[1])
    return median(ratios)


# ---- how long compiling takes ---------------------------------------------------------------------------------------

ONE = """
import json, sys, time
import durak_dsl, durak_dsl.native.machine
from durak_dsl.study import bench
rules, options, later_wins, seats, form = json.loads(sys.argv[1])
program = durak_dsl.load(rules, options, later_wins=later_wins).program
start = time.process_time()
bench.native(program, form).play(seats, 1, 0)
print(time.process_time() - start)
"""


def compile_times(rules: str, options: Mapping[str, str], later_wins: bool, seats: int, form: str) -> tuple[float, float]:
    """Seconds of the processor until the first deal of machine code is played, without those of starting and loading: with an empty cache
    folder, and with a full one. Each in a process of its own.
    """
    package = str(Path(__file__).resolve().parent.parent.parent)
    asked = json.dumps([rules, dict(options), later_wins, seats, form])
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, kept.NAMED_BY: folder, "PYTHONPATH": path}
        cold, cached = (float(_printed([sys.executable, "-c", ONE, asked], environment)) for _ in range(2))
    return cold, cached


def _printed(command: list[str], environment: Mapping[str, str]) -> str:
    """What the command prints; an interruption is not sent to it, but ends it."""
    return subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True, start_new_session=True).stdout
