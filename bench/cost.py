"""What a deal costs: for each rule file decisions a deal, and random deals a second as machine code on one core; what its code costs.

Seconds are those of the processor in one thread, so that others at work on the machine count little. Machine code is made in a new
folder (made), and then loaded from it by a new process (loaded). Writes a table in Markdown.
Usage: python bench/cost.py [--seats N] [RULES …]
       python bench/cost.py --sending [RULES …]    what it costs to send a range to a worker of a dask cluster
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

import durak_dsl
from durak_dsl.cache import NAMED_BY
from durak_dsl.native.build import Native, against, built
from durak_dsl.source.library import all_files
from durak_dsl.study import cluster as clusters
from durak_dsl.study.errand import Errand
from durak_dsl.study.playout import MOST_MOVES
from durak_dsl.study.simulate import simulate
from durak_dsl.table.game import Game

ROUNDS = 3
SECONDS = 0.25  # of each round
RANGES = 200  # sent to measure what that costs
FEW = 200  # deals of rules that are played without machine code


def made(game: Game, seats: int) -> tuple[Native, float]:
    """The machine code, and the seconds until the first deal could be played."""
    assert game.program and not against(game.program)  # which makes ready what is common to all rules
    start = time.thread_time()
    native = built(game.program)
    native.deals(seats, 0, 0, 0, MOST_MOVES)
    return native, time.thread_time() - start


def loaded(name: str, seats: int) -> float:
    """The same seconds in a new process, which finds the code in the folder."""
    command = [sys.executable, __file__, "--seats", str(seats), "--only-load", name]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def speed(native: Native, seats: int) -> tuple[float, float]:
    """Decisions a deal, and deals a second."""
    deals, counts, times = 1000, [0], []
    while not times or times[0] < SECONDS / 4:
        deals *= 2
        start = time.thread_time()
        native.deals(seats, 1, 0, deals, MOST_MOVES)
        times = [time.thread_time() - start]
    deals = int(deals * SECONDS / times[0])
    for _ in range(ROUNDS):
        start = time.thread_time()
        well, _, counts = native.deals(seats, 1, 0, deals, MOST_MOVES)
        times.append(time.thread_time() - start)
        assert well
    return int(counts[2]) / deals, deals / median(times[1:])


def row(name: str, seats: int | None) -> str | None:
    """The row of the table for these rules, where so many can play."""
    game = durak_dsl.load(name)
    count = min(game.seats) if seats is None else seats
    if count not in game.seats:
        return None
    if against(game.program):
        start = time.thread_time()
        found = simulate(game, count, range(FEW), 1)
        per_second = FEW / (time.thread_time() - start)
        told = f"{per_second:,.0f} (interpreted) | {1e10 / per_second / 3600:,.0f} | – | –"
        return f"| `{name}` | {count} | {found.decisions / FEW:.1f} | {told} |"
    native, making = made(game, count)
    decisions, per_second = speed(native, count)
    hours = 1e10 / per_second / 3600
    return f"| `{name}` | {count} | {decisions:.1f} | {per_second:,.0f} | {hours:,.1f} | {making:.1f} | {loaded(name, count) * 1000:.0f} |"


def sending(name: str) -> str:
    """What a range costs whoever sends it: client and scheduler, both in this process, to a worker that is another."""
    game = durak_dsl.load(name)
    asked = Errand.of(game, min(game.seats), 1, engine="python")
    clusters.SMALL = 1
    with clusters.cluster("local", 1) as there:
        assert sum(map(len, there.played(asked, ((0, 50),)))) == 50
        start = time.process_time()
        list(there.played(asked, ((0, RANGES),)))
        each = (time.process_time() - start) / RANGES
    return f"{name}: {len(asked.rules.encode()):,} bytes of rules, once to each worker; {each * 1000:.1f} ms for each range"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rules", nargs="*")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--only-load", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--sending", action="store_true", help="measure what sending a range costs, instead")
    asked = parser.parse_args()
    if asked.sending:
        print("\n".join(sending(name) for name in asked.rules or ["throw-in"]))
        return
    if asked.only_load:
        print(made(durak_dsl.load(asked.rules[0]), asked.seats)[1])
        return
    print("| rules | players | decisions a deal | deals a second | core hours for 10^10 deals | code made, s | code loaded, ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        os.environ[NAMED_BY] = folder
        for name in asked.rules or [head.id for head in all_files()]:
            if told := row(name, asked.seats):
                print(told, flush=True)


if __name__ == "__main__":
    main()
