"""What is kept of a deal: where it began, the moves made, what was told, and how it ended. Everything is frozen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from durak_dsl.compiler.chance import Result
from durak_dsl.compiler.layout import ACTOR
from durak_dsl.table.cards import player
from durak_dsl.table.moves import Move

if TYPE_CHECKING:
    from durak_dsl.table.memory import FirstSight


@dataclass(frozen=True)
class Turn:
    """A move and the seat that made it."""

    seat: int
    move: Move

    def __str__(self) -> str:
        return f"{player(self.seat)} {self.move}"


@dataclass(frozen=True)
class Standing:
    """How a match stands after a deal: whether it is over, the place of each seat and who lose, as far as the rules say."""

    over: bool
    places: tuple[int, ...] = ()
    losers: tuple[int, ...] = ()

    @property
    def loser(self) -> int | None:
        """Who loses alone; None also where a team does."""
        return self.losers[0] if len(self.losers) == 1 else None


STANDS = re.compile(r"not over|no loser|loser P[1-8]|losers( P[1-8]){2,}|places( [1-9]\d{0,8})+")


def losers_text(losers: Sequence[int]) -> str:
    """Who has lost, in words: `loser P2`, `losers P1 P3`, `no loser`."""
    if not losers:
        return "no loser"
    return f"loser{'s' if losers[1:] else ''} {' '.join(map(player, losers))}"


def standing_text(standing: Standing) -> str:
    """How a match stands, in words: `loser P2, places 1 2`; `not over, places 1 1`."""
    who = "not over" if not standing.over else losers_text(standing.losers)
    return f"{who}, places {' '.join(map(str, standing.places))}" if standing.places else who


@dataclass(frozen=True)
class Told:
    """What happened in the deal (`move` is None) or in one move; `events` as the watched form tells them, `drawn` what chance gave."""

    seat: int | None
    move: Move | None
    events: tuple[Any, ...]
    drawn: tuple[Result, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class Origin:
    """Where a deal began: the state before the setup, or one laid out by hand; what chance gave in the setup, where that is prescribed.

    A state that was drawn by lot counts as laid out; `seen` says what each observer knew in it.
    """

    state: tuple[int, ...]
    laid: bool = False
    drawn: tuple[Result, ...] | None = None
    seen: FirstSight | None = field(default=None, compare=False, repr=False)

    @property
    def sampled(self) -> bool:
        """Whether this never happened: it was drawn by lot, to look ahead."""
        return self.seen is not None


@dataclass(frozen=True)
class Made:
    """A whole move that was made: the state before it, its steps, and what chance gave, where that is prescribed."""

    before: tuple[int, ...]
    steps: tuple[int, ...]
    drawn: tuple[Result, ...] | None = None

    @property
    def seat(self) -> int:
        """Who made it."""
        return self.before[ACTOR]
