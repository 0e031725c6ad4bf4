"""Statistics of very many deals: played range by range, by interpreted or machine code, by several workers, and written down as they go.

Whatever plays them, and in whatever order, they come to the same: all that is counted is whole numbers, and each deal has its own seed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from durak_dsl.problems import listed, must_be_whole
from durak_dsl.study.checkpoint import Checkpoint
from durak_dsl.study.engines import SAMPLE, Choice, Interpreted, Machine, Played, asked, in_turn, worth
from durak_dsl.study.errand import Errand
from durak_dsl.study.ranges import Ranges, cut, missing, with_range
from durak_dsl.study.simulate import Statistics
from durak_dsl.table.game import Game

if TYPE_CHECKING:
    from durak_dsl.study.cluster import Cluster

ENGINES = ("auto", "python", "native")


@dataclass(frozen=True)
class Run:
    """What a run came to: the statistics, how many of the deals were played in it, the engine, and why not the other.

    `seconds` are those of play, `making` those that it took to make or load machine code; `kept`: whether that is there for the next run.
    """

    statistics: Statistics
    played: int
    engine: str
    why: str
    seconds: float
    making: float
    kept: bool = True


def simulate(
    game: Game,
    seats: int,
    deals: int | range,
    seed: int = 0,
    players: str = "random",
    *,
    engine: str = "auto",
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    cluster: Cluster | None = None,
) -> Statistics:
    """The statistics of so many deals, or of those of these numbers, the same whatever plays them.

    `engine` is `python`, `native` or `auto`. Of `workers` there are by default as many threads as processors for machine code, else one;
    interpreted, each is a process. `progress` is told how many more deals are done. `checkpoint` names a file with which a run goes on.
    With a `cluster` its workers play, with the engine that each of them has.
    """
    return run(
        game, seats, deals, seed, players, engine=engine, workers=workers, progress=progress, checkpoint=checkpoint, cluster=cluster
    ).statistics


def run(
    game: Game,
    seats: int,
    deals: int | range,
    seed: int = 0,
    players: str = "random",
    *,
    engine: str = "auto",
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    cluster: Cluster | None = None,
) -> Run:
    """The same with how it was played."""
    numbers = range(deals) if isinstance(deals, int) else deals
    _check(numbers, seed, engine, workers)
    game.check_seats(seats)
    slow = Interpreted(game, seats, seed, players)
    choice = Choice("python", slow) if engine == "auto" or cluster is not None else asked(engine, slow)
    file = None if checkpoint is None else Checkpoint.of(checkpoint, game, seats, seed, players)
    book = _Book(Statistics(seats), (), file, progress)
    before = book.begin(numbers)
    start = perf_counter()
    if cluster is not None:
        book.take(cluster.played(Errand.of(game, seats, seed, players, engine), missing(numbers, book.done)), slow)
        assert not missing(numbers, book.done) and book.found.deals == len(numbers)
        seconds = perf_counter() - start
        return Run(book.found, book.found.deals - before, " and ".join(sorted(cluster.engines)) or "python", "", seconds, 0.0)
    if engine == "auto" and players == "random" and (gaps := missing(numbers, book.done)):
        first, last = gaps[0]
        few = range(first, min(last, first + SAMPLE))
        _ = game.program.playout  # making it is not what takes long with many deals
        begun = perf_counter()
        book.take(in_turn(slow, [few]), slow)
        left = sum(last - first for first, last in missing(numbers, book.done))
        choice = worth(slow, (perf_counter() - begun) / len(few) * left / (workers or 1))
    parts = cut(missing(numbers, book.done), choice.play.size)
    if workers is None:
        workers = processors() if isinstance(choice.play, Machine) else 1
    if workers == 1:
        book.take(in_turn(choice.play, parts), slow)
    else:
        from durak_dsl.study.workers import at_once  # what processes want is not loaded where there are none

        book.take(at_once(choice.play, parts, workers), slow)
    assert not missing(numbers, book.done) and book.found.deals == len(numbers)
    seconds = perf_counter() - start
    if engine == "auto":
        seconds -= choice.seconds
    return Run(book.found, book.found.deals - before, choice.name, choice.why, seconds, choice.seconds, choice.kept)


@dataclass
class _Book:
    """What has been played so far, and who is to know of it."""

    found: Statistics
    done: Ranges
    file: Checkpoint | None
    progress: Callable[[int], object] | None

    def begin(self, numbers: range) -> int:
        """Take in what was played before; how many deals that were."""
        if self.file is not None:
            self.done, self.found = self.file.read(numbers)
            self.file.write(self.done, self.found)  # whether it can be written is found out before play, not after
        if self.progress is not None:
            self.progress(self.found.deals)
        return self.found.deals

    def take(self, batches: Generator[list[Played]], slow: Interpreted) -> None:
        """Count what is played as it comes. Of the deals that go wrong the first by its number is told of, whichever came first."""
        wrong = []
        with closing(batches):  # whatever happens here, who plays is told to stop
            for batch in batches:
                wrong += [one.wrong for one in batch if one.wrong is not None]
                if well := [one for one in batch if one.wrong is None]:
                    self._add(well)
        if wrong:
            slow.one(min(wrong))  # raises what is wrong
            raise RuntimeError(f"deal {min(wrong)} of seed {slow.seed} goes wrong only where machine code plays it")

    def _add(self, well: Sequence[Played]) -> None:
        for one in well:
            self.found.merge(one.statistics)
            self.done = with_range(self.done, one.numbers.start, one.numbers.stop)
        if self.file is not None:
            self.file.write(self.done, self.found)
        if self.progress is not None:
            self.progress(sum(len(one.numbers) for one in well))


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check(numbers: object, seed: object, engine: str, workers: int | None) -> None:
    """TypeError or ValueError where an argument makes no sense."""
    if not isinstance(numbers, range):
        raise TypeError(f"deals is a whole number or a range, not {numbers!r}")
    must_be_whole(seed=seed, **({} if workers is None else {"workers": workers}))
    if not numbers or numbers.step != 1 or numbers.start < 0:
        raise ValueError(f"there is at least one deal, and deals are numbered from 0 on one by one, not {numbers!r}")
    if engine not in ENGINES:
        raise ValueError(f"the engine is {listed(ENGINES)}, not {engine!r}")
    if workers is not None and workers < 1:
        raise ValueError(f"there is at least one worker, not {workers}")
