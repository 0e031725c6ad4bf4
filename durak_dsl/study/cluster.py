"""Ranges of deals played by the workers of a dask cluster. A worker that is lost loses nothing: dask has its range played again.

What travels is the text of the rules, numbers, and the name of `errand.play`; see there for what a worker does with them.
"""

# distributed has few types of its own.
# mypy: disable-error-code="no-untyped-call, attr-defined"

from __future__ import annotations

import asyncio
import logging
import queue
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from durak_dsl.study import errand
from durak_dsl.study.engines import SEARCH_SIZE, Played
from durak_dsl.study.errand import Errand
from durak_dsl.study.ranges import Ranges
from durak_dsl.study.simulate import Statistics
from durak_dsl.study.workers import undisturbed
from durak_dsl.version import version

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
SCHEMES = ("tcp://", "tls://")
CONNECTING = 4.0  # seconds until an address counts as unreachable
GATHERING = 10.0  # seconds in which the first worker must have come
PATIENCE = 60.0  # seconds in which a worker must have come back when all are gone
LOOKING = 2.0  # seconds between looks at how many workers there are
SMALL, LARGE = 2_000, 1_000_000  # deals of a range for interpreted and for machine code
AHEAD = 3  # ranges sent for each thread of the workers, so that none waits for the next


class NoCluster(Exception):
    """The cluster cannot be used, or no longer; says why, in a sentence."""


@contextmanager
def cluster(address: str, workers: int = 2) -> Iterator[Cluster]:
    """The cluster at the address of its scheduler; of `local` one of so many processes, which lives as long as the context."""
    if address != LOCAL and not address.startswith(SCHEMES):
        raise NoCluster(f"'{address}' is no address of a cluster; write tcp://HOST:PORT, or local")
    try:
        import distributed
    except ImportError:
        raise NoCluster("dask.distributed is not installed (pip install 'durak-dsl[cluster]')") from None
    stack = ExitStack()
    try:
        stack.callback(_quiet())
        where: Any = address
        if address == LOCAL:
            here = {"host": "127.0.0.1", "scheduler_port": 0, "dashboard_address": "127.0.0.1:0"}  # nobody else is to reach it
            with undisturbed():  # its processes are started by a thread that is started here
                where = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, silence_logs=logging.CRITICAL, **here)
                stack.enter_context(where)
        try:
            if address != LOCAL:
                asyncio.run(asyncio.wait_for(_greet(address), CONNECTING + 1))
            client = stack.enter_context(distributed.Client(where, timeout=CONNECTING, set_as_default=False))
        except TimeoutError:
            raise NoCluster(f"no cluster answers at {address} within {CONNECTING + 1:.0f} seconds") from None
        except (OSError, ValueError, TypeError) as error:
            raise NoCluster(f"no cluster answers at {address}: {_line(error)}") from None
        except Exception:  # its protocol fails in many ways when somebody else answers
            raise NoCluster(f"what answers at {address} is not the scheduler of a dask cluster") from None
        found = Cluster(client, address)
        found.wait_for_a_worker(GATHERING)
        yield found
    finally:
        with undisturbed():  # who interrupts twice is not to be left with its processes
            stack.close()


@dataclass
class Cluster:
    """A cluster that is there. `engines` are those by which its workers have played so far."""

    client: Client
    address: str
    engines: set[str] = field(default_factory=set)
    threads: int = 0  # of all workers, when last looked at
    looked: float = 0.0

    def played(self, asked: Errand, numbers: Ranges) -> Generator[list[Played]]:
        """The ranges in parts as they are played, in any order; when a deal goes wrong, what was sent before is still played.

        NoCluster where a worker refuses or the cluster is lost. Parts are cut as workers become free: there may be very many.
        """
        parts = _Parts(numbers, asked.players)
        under_way: dict[Future[Any], range] = {}
        done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        told = asked.plain()
        # As a task of its own the text is kept by the workers and made again with them: it goes to each of them once.
        rules = self.client.submit(str, asked.rules, pure=False)
        alone_since: float | None = None
        try:
            while True:
                while len(under_way) < AHEAD * max(self.threads, 1) and (part := parts.next(self.threads)) is not None:
                    future = self.client.submit(errand.play, rules, told, part.start, part.stop, pure=False)
                    under_way[future] = part
                    future.add_done_callback(done.put)
                if not under_way:
                    return
                self.look()
                alone_since = None if self.threads else alone_since or time.monotonic()
                if alone_since is not None and time.monotonic() - alone_since > PATIENCE:
                    raise NoCluster(f"the cluster at {self.address} has had no worker for {PATIENCE:.0f} seconds")
                batch, lost = [], []
                for future in _come(done):
                    answer = self.answer(future, under_way[future])
                    if answer is None:
                        lost.append(future)
                        continue
                    part, found = under_way.pop(future), Statistics(asked.seats)
                    if "refused" in answer:
                        raise NoCluster(f"a worker of the cluster at {self.address} refuses: {answer['refused']}")
                    if "wrong" in answer:
                        parts.left.clear()
                    else:
                        self.engines.add(answer["engine"])
                        parts.played_by(self.engines)
                        found.take_in(len(part), answer["counts"], asked.scores)
                    batch.append(Played(part, found, answer.get("wrong")))
                for future in lost:  # only now: one that is still called done would come again at once
                    future.add_done_callback(done.put)
                if batch:
                    yield batch
        finally:
            for future in [*under_way, rules]:
                future.release()

    def answer(self, future: Future[Any], deals: range) -> dict[str, Any] | None:
        """What a worker has said of a range; None where it was lost with its answer, so that another is asked."""
        from distributed import KilledWorker, TimeoutError

        try:
            found: dict[str, Any] = future.result(timeout=LOOKING)
            return found
        except TimeoutError:
            return None
        except KilledWorker:
            message = f"several workers were lost while they played the deals {deals.start:,} to {deals.stop - 1:,}"
        except (ImportError, AttributeError) as error:
            message = f"its workers cannot load the program (version {version()}): {_line(error)}"
        except Exception as error:
            if "deserialization" in str(error):  # of the scheduler, which reads what is sent too
                message = f"its scheduler cannot load the program: it must be installed there too (version {version()})"
            else:
                message = f"the work was given up: {_line(error)}"
        raise NoCluster(f"the cluster at {self.address}: {message}")

    def look(self, now: bool = False) -> None:
        """Note how many threads the workers have, if that was not done just before."""
        if now or time.monotonic() - self.looked > LOOKING:
            try:
                self.threads = sum(self.client.nthreads().values())
            except Exception as error:
                raise NoCluster(f"the cluster at {self.address} is lost: {_line(error)}") from None
            self.looked = time.monotonic()

    def wait_for_a_worker(self, seconds: float) -> None:
        """Return when there is a worker; NoCluster where none comes."""
        end = time.monotonic() + seconds
        while True:
            self.look(now=True)
            if self.threads:
                return
            if time.monotonic() > end:
                raise NoCluster(f"the cluster at {self.address} has no workers")
            time.sleep(0.2)


class _Parts:
    """Ranges that are cut into parts of a second or some more each: small ones, until it is known that machine code plays them."""

    def __init__(self, numbers: Ranges, players: str):
        self.left = [*numbers]
        self.size = self.small = SMALL if players == "random" else SEARCH_SIZE

    def played_by(self, engines: set[str]) -> None:
        """From now on the parts are for workers who play so."""
        self.size = LARGE if engines == {"native"} else self.small

    def next(self, threads: int) -> range | None:
        """The next part, of which each thread is to have several; None where nothing is left."""
        if not self.left:
            return None
        first, last = self.left[0]
        total = sum(last - first for first, last in self.left)
        size = max(self.small, min(self.size, total // (AHEAD * max(threads, 1))))
        end = min(last, first + size)
        self.left[:1] = [(end, last)] if end < last else []
        return range(first, end)


def _come(done: queue.SimpleQueue[Future[Any]]) -> Iterator[Future[Any]]:
    """All that have come, when there is one; none after a while."""
    try:
        yield done.get(timeout=LOOKING)
        while True:
            yield done.get_nowait()
    except queue.Empty:
        return


async def _greet(address: str) -> None:
    """Come back when dask answers at the address: a client would wait without end for somebody who takes a call and says nothing."""
    from distributed import Security
    from distributed.comm import connect

    comm = await connect(address, timeout=CONNECTING, **Security().get_connection_args("client"))
    comm.abort()


def _quiet() -> Any:
    """Let what dask logs not be printed; what comes back undoes that."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    return lambda: logger.setLevel(before)


def _line(error: Exception) -> str:
    """The first line of an error, with its kind where it says nothing."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
