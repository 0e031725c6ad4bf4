"""How fast the fused and the step form play, interpreted, against a simulator written by hand for one game (durak_bits.py, here).

Uniformly random play of throw-in with lead_size=one. All three run in this process in turn; what counts is the median of
the ratios of neighbouring runs.
Usage: python bench/interpreted.py [SEATS …]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import durak_bits  # noqa: E402  found by the path set above

from durak_dsl.compiler.program import Program  # noqa: E402
from durak_dsl.compiler.runtime import State, choosing  # noqa: E402
from durak_dsl.language.check import check, settle  # noqa: E402
from durak_dsl.source.overlay import resolve  # noqa: E402
from durak_dsl.study.playout import Words, playout, playout_by_steps  # noqa: E402

ROUNDS = 31
DEALS = {2: 300, 3: 200, 4: 200, 5: 150, 6: 150}

Form = Callable[[Program, State, Words], tuple[int, int]]


def by_hand(seats: int, deals: int, seed: int) -> float:
    """Deals a second of the simulator written by hand."""
    start = time.process_time()
    durak_bits.run(seats, deals, seed)
    return deals / (time.process_time() - start)


def by_rules(form: Form, program: Program, seats: int, deals: int, seed: int) -> float:
    """Deals a second of the compiled rules in one form."""
    words = choosing(seed)
    start = time.process_time()
    for number in range(deals):
        form(program, program.new(seats, seed * deals + number), words)
    return deals / (time.process_time() - start)


def main(seats_to_measure: list[int]) -> None:
    """Measure and print."""
    rules = check(resolve("throw-in"))
    program = Program(rules, settle(rules, {"lead_size": "one"}))
    print(f"python {sys.version.split()[0]}, {ROUNDS} rounds; deals a second, median")
    for seats in seats_to_measure:
        deals, runs = DEALS[seats], []
        for number in range(ROUNDS + 1):
            run = (
                by_rules(playout, program, seats, deals, number),
                by_hand(seats, deals, number),
                by_rules(playout_by_steps, program, seats, deals, number),
            )
            if number:  # the first round warms up
                runs.append(run)
        fused, hand, step = (median(run[place] for run in runs) for place in range(3))
        fused_ratio, step_ratio = (median(run[place] / run[1] for run in runs) for place in (0, 2))
        print(
            f"{seats} seats: fused {fused:6.0f} ({fused_ratio:.3f})   step {step:6.0f} ({step_ratio:.3f})   by hand {hand:6.0f}", flush=True
        )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [2, 4, 6])
