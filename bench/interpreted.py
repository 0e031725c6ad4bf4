"""How fast the step form plays, interpreted, against a simulator written by hand for one game (durak_bits.py, in this folder).

Uniformly random play of throw-in with lead_size=one. Both run in this process in turn; what counts is the median of
the ratios of neighbouring runs.
Usage: python bench/interpreted.py [SEATS …]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import durak_bits  # noqa: E402  found by the path set above

from durak_dsl.compiler.program import Program  # noqa: E402
from durak_dsl.compiler.runtime import choosing  # noqa: E402
from durak_dsl.language.check import check, settle  # noqa: E402
from durak_dsl.source.overlay import resolve  # noqa: E402
from durak_dsl.study.playout import playout  # noqa: E402

ROUNDS = 31
DEALS = {2: 300, 3: 200, 4: 200, 5: 150, 6: 150}


def by_hand(seats: int, deals: int, seed: int) -> float:
    """Deals a second of the simulator written by hand."""
    start = time.process_time()
    durak_bits.run(seats, deals, seed)
    return deals / (time.process_time() - start)


def by_rules(program: Program, seats: int, deals: int, seed: int) -> float:
    """Deals a second of the compiled rules."""
    words = choosing(seed)
    start = time.process_time()
    for number in range(deals):
        playout(program, program.new(seats, seed * deals + number), words)
    return deals / (time.process_time() - start)


def main(seats_to_measure: list[int]) -> None:
    """Measure and print."""
    rules = check(resolve("throw-in"))
    program = Program(rules, settle(rules, {"lead_size": "one"}))
    print(f"python {sys.version.split()[0]}, {ROUNDS} rounds; deals a second, median")
    for seats in seats_to_measure:
        deals, pairs = DEALS[seats], []
        for number in range(ROUNDS + 1):
            pair = by_rules(program, seats, deals, number), by_hand(seats, deals, number)
            if number:  # the first round warms up
                pairs.append(pair)
        ratio = median(rules / hand for rules, hand in pairs)
        rules_speed, hand_speed = (median(pair[side] for pair in pairs) for side in (0, 1))
        print(f"{seats} seats: rules {rules_speed:6.0f}   by hand {hand_speed:6.0f}   ratio {ratio:.3f}")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [2, 4, 6])
