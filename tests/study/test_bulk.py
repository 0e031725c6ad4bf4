"""Very many deals: the same statistics whoever plays them, in ranges that any run may go on with."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

import durak_dsl
from durak_dsl.native import build
from durak_dsl.study import engines, workers
from durak_dsl.study.bulk import run
from durak_dsl.study.checkpoint import CheckpointError
from durak_dsl.study.engines import SIZE, Interpreted, NoEngine, Played, WorkersLost, worth
from durak_dsl.study.ranges import Ranges, cut, missing, with_range
from durak_dsl.study.simulate import Statistics, simulate
from tests.cli.running import HIGH, PLAIN, ROOT

llvmlite = pytest.mark.skipif(find_spec("llvmlite") is None, reason="llvmlite is not installed")
ENGINES = ["python", pytest.param("native", marks=llvmlite)]
DEALS = 2 * SIZE + 100

# Where all four sixes and sevens are played, which few deals deal, the rules go beyond their bounds.
FAULTY = HIGH.replace("turn: {is: player,", "low: 0 to 3\n  turn: {is: player,").replace(
    "turn: turn = left(me)", "turn: turn = left(me)\n      low:\n        - if card.rank < 8: low += 1"
)
ENDLESS = (
    HIGH.partition("examples:")[0]
    .replace("      card: me.hand\n", "      card: me.hand where no c in me.hand has c.rank >= 6\n")
    .replace("finish:", '  wait:\n    in: play\n    do: stay\n    say: {en: "{me} waits", ru: "{me} ждёт"}\nfinish:')
)


def game_of(text: str, folder: Path) -> durak_dsl.Game:
    """The game of a rule file of this text."""
    path = folder / "game.yaml"
    path.write_text(text, "utf-8")
    return durak_dsl.load(path)


# ---- ranges -----------------------------------------------------------------------------------------------------------


def test_ranges_in_any_order_come_to_the_whole() -> None:
    random = Random(1)
    for _ in range(200):
        numbers = range(start := random.randrange(50), start + random.randrange(1, 200))
        size = random.randrange(1, 40)
        parts = [*cut(missing(numbers, ()), size)]
        assert [number for part in parts for number in part] == [*numbers]
        assert all(part.start // size == (part.stop - 1) // size for part in parts)
        random.shuffle(parts)
        done: Ranges = ()
        for count, part in enumerate(parts):
            gaps = missing(numbers, done)
            assert {n for first, last in gaps for n in range(first, last)} == {n for rest in parts[count:] for n in rest}
            done = with_range(done, part.start, part.stop)
        assert done == ((numbers.start, numbers.stop),) and missing(numbers, done) == ()


@pytest.mark.parametrize("more", [(0, 5), (9, 11), (12, 13), (19, 40), (0, 99)])
def test_no_deal_is_counted_twice(more: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="are there twice"):
        with_range(((2, 4), (10, 20)), *more)


# ---- the same, whoever plays -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rules", ["throw-in", "czech"])
def test_the_same_for_any_number_of_workers(rules: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "SIZE", 20)
    monkeypatch.setattr(engines.Machine, "size", 32)
    game = durak_dsl.load(rules)
    seats = max(game.seats)
    asked = simulate(game, seats, range(7, 250), 11)
    for count in (1, 2, 7):
        told: list[int] = []
        found = run(game, seats, range(7, 250), 11, engine=engine, workers=count, progress=told.append)
        assert found.statistics == asked and found.engine == engine and sum(told) == found.played == 243
        assert told[0] == 0, "nothing was played before"


def test_players_that_search_are_counted_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "SEARCH_SIZE", 1)
    game = game_of(HIGH, tmp_path)
    asked = simulate(game, 2, range(6), 1, "search")
    for count in (1, 2):
        assert durak_dsl.simulate(game, 2, 6, 1, "search", workers=count) == asked
    with pytest.raises(NoEngine, match="machine code plays random deals; those of search players are interpreted"):
        durak_dsl.simulate(game, 2, 6, 1, "search", engine="native")


def test_ranges_are_cut_when_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, only a few are at hand at once."""
    drawn = 0

    def parts() -> Iterator[range]:
        nonlocal drawn
        for number in range(1000):
            drawn += 1
            yield range(number, number + 1)

    machine = engines.Machine(None, None, 2, 0)  # type: ignore[arg-type]
    monkeypatch.setattr(engines.Machine, "__call__", lambda self, numbers: Played(numbers, Statistics(2)))
    played = 0
    for batch in workers.at_once(machine, parts(), 3):
        assert drawn - played <= workers.AHEAD * 3
        played += len(batch)
    assert played == drawn == 1000


@llvmlite
def test_machine_code_lets_other_threads_run() -> None:
    game = durak_dsl.load("throw-in")
    play = engines.asked("native", Interpreted(game, 2, 0)).play
    playing = threading.Thread(target=play, args=(range(300_000),))
    playing.start()
    count = 0
    while playing.is_alive():
        count += 1
    assert count > 100


# ---- what goes wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_of_deals_that_go_wrong_the_first_is_told(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines.Machine, "size", 10)
    game = game_of(FAULTY, tmp_path)
    with pytest.raises(durak_dsl.RuleFault) as error:
        simulate(game, 2, range(DEALS), 1)
    wrong = next(number for number in range(DEALS) if Interpreted(game, 2, 1)(range(number, number + 1)).wrong is not None)
    for count in (1, 2, 7):
        file = tmp_path / f"{engine}{count}"
        told: list[int] = []
        with pytest.raises(durak_dsl.RuleFault) as again:
            run(game, 2, DEALS, 1, engine=engine, workers=count, progress=told.append, checkpoint=file)
        assert str(again.value) == str(error.value) and "'low' goes from 0 to 3" in str(again.value)
        done = json.loads(file.read_text("utf-8"))["done"]
        assert sum(last - first for first, last in done) == sum(told) and missing(range(wrong), tuple(map(tuple, done)))[-1][1] == wrong


@pytest.mark.parametrize("engine", ENGINES)
def test_a_deal_that_does_not_end_is_told_with_its_seed(engine: str, tmp_path: Path) -> None:
    game = game_of(ENDLESS, tmp_path)
    with pytest.raises(durak_dsl.Endless, match=r"^a deal of random moves is not over after 100,000 moves \(2 seats, --seed \d+\)$"):
        durak_dsl.simulate(game, 2, 3, engine=engine)


def test_what_a_lost_worker_was_playing_is_played_again() -> None:
    game = durak_dsl.load("simple")
    killed: list[int] = []

    def kill(more: int) -> None:
        for child in multiprocessing.active_children() if more and len(killed) < 2 else ():
            assert child.pid is not None
            killed.append(child.pid)
            child.kill()

    assert run(game, 2, 5 * SIZE, 3, engine="python", workers=2, progress=kill).statistics == simulate(game, 2, range(5 * SIZE), 3)
    assert killed


class Losing:
    """Stands for a pool of processes that are lost now and then, also while others have played and while work is given out."""

    random = Random(1)

    def __init__(self, *args: object):
        pass

    def submit(self, task: object, part: range) -> Future[Played]:
        future: Future[Played] = Future()
        chance = self.random.random()
        if chance < 0.05:
            raise BrokenProcessPool
        if chance < 0.15:
            future.set_exception(BrokenProcessPool())
        elif chance < 0.9:
            future.set_result(Played(part, Statistics(2)))
        else:
            threading.Timer(0.001, future.set_result, (Played(part, Statistics(2)),)).start()
        return future

    def shutdown(self, cancel_futures: bool) -> None:
        assert cancel_futures


def test_no_range_is_lost_with_a_worker_or_played_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workers, "ProcessPoolExecutor", Losing)
    monkeypatch.setattr(workers, "MOST_LOST", 10**6)
    slow = Interpreted(game_of(HIGH, tmp_path), 2, 0)
    for count in range(1, 8):
        parts = [range(number, number + 1) for number in range(200)]
        came = [one.numbers.start for batch in workers.at_once(slow, parts, count) for one in batch]
        assert sorted(came) == [*range(200)]


def test_workers_that_never_play_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_begin", os._exit)
    with pytest.raises(WorkersLost, match="__main__"):
        durak_dsl.simulate(durak_dsl.load("simple"), 2, 10, engine="python", workers=2)


@pytest.mark.parametrize(
    ("deals", "named", "error"),
    [
        (0, {}, "at least one deal"),
        (range(0, 9, 2), {}, "one by one"),
        (range(-3, 9), {}, "from 0 on"),
        ([1, 2], {}, "deals is a whole number or a range"),
        (9, {"engine": "jit"}, "the engine is auto, python or native, not 'jit'"),
        (9, {"workers": 0}, "at least one worker"),
        (9, {"workers": "two"}, "workers is a whole number, not 'two'"),
    ],
)
def test_arguments_that_make_no_sense(deals: object, named: dict[str, object], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        durak_dsl.simulate(durak_dsl.load("simple"), 2, deals, **named)  # type: ignore[arg-type]


# ---- which engine -------------------------------------------------------------------------------------------------------


@llvmlite
def test_machine_code_where_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = durak_dsl.load("throw-in")
    slow = Interpreted(game, 2, 0)
    assert (worth(slow, 0.1).name, worth(slow, 0.1).why) == ("python", "so few deals are not worth machine code")
    monkeypatch.setattr("durak_dsl.native.build.is_kept", lambda program: False)
    assert worth(slow, 1).why == "so few deals are not worth making machine code"
    assert (worth(slow, 1e9).name, worth(slow, 1e9).why) == ("native", "")
    monkeypatch.setattr("durak_dsl.native.build.is_kept", lambda program: True)
    assert worth(slow, 1).name == "native"
    monkeypatch.setattr("durak_dsl.native.build.built", lambda program: 1 // 0)
    choice = worth(slow, 1e9)
    assert choice.name == "python" and choice.why.startswith("machine code could not be made: ZeroDivisionError: ")
    with pytest.raises(NoEngine, match="could not be made"):
        durak_dsl.simulate(game, 2, 5, engine="native")


def test_without_llvmlite_all_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "llvmlite is not installed (pip install 'durak-dsl[fast]')"
    monkeypatch.setattr("durak_dsl.native.machine.missing", lambda: reason)
    monkeypatch.setattr("durak_dsl.native.build._BUILT", {})
    monkeypatch.setattr(build, "WORTH_LOADING", 0.0)
    game = durak_dsl.load("simple")
    found = run(game, 2, 300, 4)
    assert (found.engine, found.why, found.statistics) == ("python", reason, simulate(game, 2, range(300), 4))
    with pytest.raises(NoEngine) as error:
        durak_dsl.simulate(game, 2, 300, engine="native")
    assert str(error.value) == reason


@llvmlite
def test_a_run_begins_interpreted_and_goes_on_in_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "WORTH_MAKING", 0.0)
    monkeypatch.setattr(build, "WORTH_LOADING", 0.0)
    game = durak_dsl.load("throw-in")
    found = run(game, 2, DEALS, 4)
    assert (found.engine, found.statistics) == ("native", simulate(game, 2, range(DEALS), 4))


# ---- written down -------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_with_other_engines_and_more_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run"
    game = durak_dsl.load("throw-in")
    other = "native" if find_spec("llvmlite") else "python"
    for deals, engine, count in ((40, "python", 1), (700, other, 2), (700, "auto", 1), (1300, "python", 2)):
        found = run(game, 2, deals, 4, engine=engine, workers=count, checkpoint=file)
        assert found.statistics == simulate(game, 2, range(deals), 4)
    assert found.played == 600
    with pytest.raises(CheckpointError, match="has the deals 0 to 1,299; asked for are 0 to 99"):
        durak_dsl.simulate(game, 2, 100, 4, checkpoint=file)
    assert [*tmp_path.iterdir()] == [file], "nothing else is left there"


@pytest.mark.parametrize(
    ("rules", "options", "seats", "seed", "players", "said"),
    [
        ("transfer", {}, 2, 4, "random", "with rules throw-in, not transfer"),
        ("throw-in", {"deck": "24"}, 2, 4, "random", "with deck=36, not deck=24"),
        ("throw-in", {}, 3, 4, "random", "with seats 2, not 3"),
        ("throw-in", {}, 2, 5, "random", "with seed 4, not 5"),
        ("throw-in", {}, 2, 4, "search", "with players random, not search"),
    ],
)
def test_a_run_does_not_go_on_with_another(
    rules: str, options: dict[str, str], seats: int, seed: int, players: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "run"
    durak_dsl.simulate(durak_dsl.load("throw-in"), 2, 5, 4, checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(CheckpointError, match=said):
        durak_dsl.simulate(durak_dsl.load(rules, options), seats, 10, seed, players, checkpoint=file)
    assert file.read_bytes() == before


def test_rules_that_have_changed_are_other_rules(tmp_path: Path) -> None:
    file = tmp_path / "run"
    durak_dsl.simulate(game_of(HIGH, tmp_path), 2, 5, checkpoint=file)
    changed = game_of(HIGH.replace("count: 2 to 3", "count: 2"), tmp_path)
    with pytest.raises(CheckpointError, match="is of a run with high as it was when it said something else"):
        durak_dsl.simulate(changed, 2, 5, checkpoint=file)


def test_damaged_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "run"
    game = durak_dsl.load("throw-in")
    durak_dsl.simulate(game, 2, 5, checkpoint=file)
    whole = file.read_text("utf-8")
    plain = json.loads(whole)
    damaged = [whole[: len(whole) * part // 20] for part in range(1, 20)]
    for path in (("done",), ("statistics", "turns"), ("statistics", "loss_by_seat"), ("statistics", "scores"), ("run",), ("run", "seed")):
        for value in (None, -1.5, "x", [[3]], {"a": 1}, [[0, 3], [1, 4]]):
            spoilt = json.loads(whole)
            inner = spoilt
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = value
            damaged.append(json.dumps(spoilt))
    damaged += ["[]", "{}", "null", "[" * 100_000, "\0", json.dumps(plain | {"durak checkpoint": 2})]
    for text in damaged:
        file.write_text(text, "utf-8")
        with pytest.raises(CheckpointError) as error:
            durak_dsl.simulate(game, 2, 9, checkpoint=file)
        assert "\n" not in str(error.value)
    file.write_text("", "utf-8")
    assert durak_dsl.simulate(game, 2, 9, checkpoint=file) == simulate(game, 2, range(9), 0), "an empty file is one to begin with"


@pytest.mark.parametrize("place", ["", "missing/run"])
def test_a_file_that_cannot_be_written_is_told_before_play(place: str, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"is not a file|cannot be written: "):
        durak_dsl.simulate(durak_dsl.load("simple"), 2, 10**9, checkpoint=tmp_path / place)


PROGRAM = """
import sys, durak_dsl
if __name__ == "__main__":
    file, deals, engine, workers = sys.argv[1:]
    game = durak_dsl.load("throw-in")
    print("begun", flush=True)
    told = lambda more: print(more, flush=True)
    durak_dsl.simulate(game, 2, int(deals), 9, engine=engine, workers=int(workers), checkpoint=file, progress=told)
"""


@pytest.mark.skipif(os.name == "nt", reason="processes are killed otherwise there")
@pytest.mark.parametrize("count", [1, 2])
def test_a_killed_run_loses_what_was_being_played(count: int, tmp_path: Path) -> None:
    """All that was told to be done is in the file, which is whole; who played for it ends too; the end is as without the kills."""
    file, program = tmp_path / "run", tmp_path / "program.py"
    program.write_text(PROGRAM, "utf-8")
    deals, random = 16 * SIZE, Random(count)  # so many that it is not over when it is killed
    kept = 0
    for _ in range(3):
        command = [sys.executable, str(program), str(file), str(deals), "python", str(count)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **PLAIN, "PYTHONPATH": str(ROOT)}) as running:
            assert running.stdout is not None
            told = [running.stdout.readline() for _ in range(3)]  # it has begun, what there was, and one range
            assert told[0] == b"begun\n" and int(told[1]) == kept
            children = children_of(running.pid)
            assert len(children) >= count or count == 1 or not Path("/proc/self/stat").exists()
            time.sleep(random.random() / 4)
            running.send_signal(signal.SIGKILL)
            told += running.stdout.readlines()
        if running.returncode == 0:
            break
        kept = sum(last - first for first, last in json.loads(file.read_text("utf-8"))["done"])
        assert kept >= sum(map(int, told[1:]))
        for child in children:
            for _ in range(1000):
                if not _lives(child):
                    break
                time.sleep(0.02)
            else:
                pytest.fail("a worker goes on when nobody waits for it")
    game = durak_dsl.load("throw-in")
    found = run(game, 2, deals, 9, engine="python", checkpoint=file)
    assert found.played == deals - kept and found.statistics == simulate(game, 2, range(deals), 9)


def children_of(pid: int) -> list[int]:
    """The processes that a process has started; none where nobody says."""
    found: list[int] = []
    for thread in Path("/proc").glob(f"{pid}/task/*/children"):
        with suppress(OSError):
            found += map(int, thread.read_text().split())
    return found


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
