"""What plays ranges of deals: interpreted code or machine code, with the same results; and which of them is worth it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from durak_dsl.compiler.runtime import seed_of
from durak_dsl.study.playout import MOST_MOVES
from durak_dsl.study.simulate import Ended, Statistics, played
from durak_dsl.table.game import Game

if TYPE_CHECKING:
    from durak_dsl.native.build import Native

# How many deals a range has. They do not depend on how many workers there are, so that a run may go on with others.
NATIVE_SIZE, SIZE, SEARCH_SIZE = 50_000, 500, 5
SAMPLE = 100  # deals by which it is found out how long interpreted code would take


class NoEngine(Exception):
    """The engine that was asked for cannot play this; says why."""


class WorkersLost(Exception):
    """Processes that were to play end before they have."""


@dataclass(frozen=True)
class Played:
    """The deals of a range, with what they came to; or the number of the first that goes wrong: played again it says how."""

    numbers: range
    statistics: Statistics
    wrong: int | None = None


@dataclass(frozen=True)
class Interpreted:
    """Plays a range of deals in this process."""

    game: Game
    seats: int
    seed: int
    players: str = "random"

    @property
    def size(self) -> int:
        """How many deals a range has."""
        return SIZE if self.players == "random" else SEARCH_SIZE

    def __call__(self, numbers: range) -> Played:
        """What the deals come to."""
        found = Statistics(self.seats)
        deals = played(self.game, self.seats, (seed_of(self.seed, number) for number in numbers), self.players)
        for number in numbers:
            try:
                found.add(next(deals))
            except Exception:  # whatever it is: the deal is played again where it can be told
                return Played(numbers, found, number)
        return Played(numbers, found)

    def one(self, number: int) -> Ended:
        """One of the deals; what goes wrong in it is raised."""
        return next(played(self.game, self.seats, [seed_of(self.seed, number)], self.players))


@dataclass(frozen=True)
class Machine:
    """Plays a range of random deals as machine code, during which other threads run."""

    native: Native
    game: Game
    seats: int
    seed: int
    size: ClassVar[int] = NATIVE_SIZE

    def __call__(self, numbers: range) -> Played:
        """What the deals come to."""
        well, number, counts = self.native.deals(self.seats, self.seed, numbers.start, numbers.stop, MOST_MOVES)
        found = Statistics(self.seats)
        if not well:
            return Played(numbers, found, number)
        found.take_in(len(numbers), counts, [*self.game.rules.finish.scores])
        return Played(numbers, found)


@dataclass(frozen=True)
class Choice:
    """The engine that plays, by its name; why not the other, where that was not asked for; how long it took to make its code.

    `kept`: whether that is there for the next run, or none was made.
    """

    name: str
    play: Interpreted | Machine
    why: str = ""
    seconds: float = 0.0
    kept: bool = True


def in_turn(play: Callable[[range], Played], parts: Iterable[range]) -> Generator[list[Played]]:
    """The parts as they are played here, up to the first that goes wrong."""
    for part in parts:
        found = play(part)
        yield [found]
        if found.wrong is not None:
            return


def asked(engine: str, slow: Interpreted) -> Choice:
    """The engine of this name, `python` or `native`; NoEngine where it cannot play."""
    if engine == "python":
        return Choice("python", slow)
    if slow.players != "random":
        raise NoEngine(f"machine code plays random deals; those of {slow.players} players are interpreted")
    return _machine(slow)


def worth(slow: Interpreted, seconds: float) -> Choice:
    """The engine that is worth it for what interpreted code would take so many seconds to play."""
    from durak_dsl.native import build

    if seconds < build.WORTH_LOADING:
        return Choice("python", slow, "so few deals are not worth machine code")
    if reason := build.against(slow.game.program):
        return Choice("python", slow, reason)
    if seconds < build.WORTH_MAKING and not build.is_kept(slow.game.program):
        return Choice("python", slow, "so few deals are not worth making machine code")
    try:
        return _machine(slow)
    except NoEngine as problem:
        return Choice("python", slow, str(problem))


def _machine(slow: Interpreted) -> Choice:
    """Machine code, made or loaded here and now, before threads play; NoEngine where there is none."""
    from durak_dsl.native.build import NoNative, built

    start = perf_counter()
    try:
        native = built(slow.game.program)
    except NoNative as problem:
        raise NoEngine(str(problem)) from None
    except Exception as problem:  # whatever a compiler may raise over code that it does not take
        said = str(problem).strip().partition("\n")[0]
        raise NoEngine(f"machine code could not be made: {type(problem).__name__}: {said}") from problem
    return Choice("native", Machine(native, slow.game, slow.seats, slow.seed), seconds=perf_counter() - start, kept=native.code.was_kept)
