"""Workers that play ranges at once: threads where machine code plays, which lets others run meanwhile, else processes of their own."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from durak_dsl.study.engines import Interpreted, Machine, Played, WorkersLost
from durak_dsl.table.game import Game

AHEAD = 2  # ranges for each worker that are given out beforehand, so that none waits
MOST_LOST = 3  # how often workers may be lost before any has played another range


def at_once(play: Interpreted | Machine, parts: Iterable[range], workers: int) -> Generator[list[Played]]:
    """The parts as they are played by so many workers, in any order; when one goes wrong, those before it are still played.

    What a worker was playing that is lost is played again by another.
    """
    left = iter(parts)
    lost = 0
    while True:
        given: dict[Future[Played], range] = {}
        try:
            with closing(_given_out(play, left, workers, given)) as batches:
                for found in batches:
                    yield found
                    lost = 0
            return
        except BrokenProcessPool:
            lost += 1
            if lost == MOST_LOST:
                raise WorkersLost(
                    "processes that were to play have ended before they had; a program of your own that uses several workers "
                    "begins under: if __name__ == '__main__':"
                ) from None
            left = chain([*given.values()], left)


def _given_out(
    play: Interpreted | Machine, left: Iterator[range], workers: int, given: dict[Future[Played], range]
) -> Generator[list[Played]]:
    """The parts as they are played; `given` holds those that workers have and that have not come back."""
    stop: Connection | None = None
    executor: Executor
    task: Callable[[range], Played]
    if isinstance(play, Machine):
        executor, task = ThreadPoolExecutor(workers), play
    else:
        watched, stop = get_context("spawn").Pipe(duplex=False)
        told = (watched, (play.game.document, play.game.rules, play.game.values), (play.seats, play.seed, play.players))
        executor, task = ProcessPoolExecutor(workers, get_context("spawn"), _begin, told), _play
    well = True
    try:
        while True:
            for part in islice(left, AHEAD * workers - len(given)) if well else ():
                try:
                    with undisturbed():
                        given[executor.submit(task, part)] = part
                except BrokenProcessPool:
                    given[Future()] = part  # nobody has it, but it is not to be forgotten
                    raise
            if not given:
                return
            done = wait(given, return_when=FIRST_COMPLETED).done
            found = [future.result() for future in done]  # where one of them is lost, all count as not come back
            for future in done:
                del given[future]
            well = well and all(one.wrong is None for one in found)
            yield found
    finally:
        if stop is not None and given:
            stop.close()  # processes that still play end now
        executor.shutdown(cancel_futures=True)
        if stop is not None:
            stop.close()
            watched.close()


@contextmanager
def undisturbed() -> Iterator[None]:
    """While processes are started: they never see the interruption of the one that starts them, and it sees it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    get_context("spawn").Lock()  # the first of all starts a process of its own, which would end this
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- in a process of its own ------------------------------------------------------------------------------------------

_OWN: list[Interpreted] = []  # what this process plays


def _begin(watched: Connection, game: tuple[Any, Any, Any], how: tuple[int, int, str]) -> None:
    """Get ready to play, and to end when the process that asked for it has: nothing else would tell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is interrupted is the process that asked
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()
    _OWN.append(Interpreted(Game(*game), *how))


def _end_with(watched: Connection) -> None:
    with suppress(EOFError, OSError):
        watched.recv_bytes()
    os._exit(0)


def _play(numbers: range) -> Played:
    return _OWN[0](numbers)
