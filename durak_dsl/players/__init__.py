"""Who decides: `chance` by chance, `search` by trying out, `person` by what somebody types. None of them knows any rules.

A player is anything with `choose(table)`, which gives one of the table's legal moves. It may ask the table for `legal_moves`, for the
`view` of the seat that acts, and to `sample` from that seat; it does not look at anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TYPE_CHECKING, Protocol

from durak_dsl.compiler.runtime import mix

if TYPE_CHECKING:
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table


class Player(Protocol):
    """Who decides for a seat."""

    def choose(self, table: Table) -> Move:
        """The move to make: one of the legal ones."""
        ...


def _chance(random: Random) -> Player:
    from durak_dsl.players.chance import ByChance

    return ByChance(random)


def _search(random: Random) -> Player:
    from durak_dsl.players.search import Search

    return Search(random)


# The machine players by name, each made from its own source of chance.
MACHINES: dict[str, Callable[[Random], Player]] = {"random": _chance, "search": _search}


def machine(name: str, seed: int) -> Player:
    """The machine player of that name."""
    return MACHINES[name](Random(seed))


def machines(name: str, seats: Iterable[int], seed: int) -> dict[int, Player]:
    """Machine players of that name for these seats of one deal, each with a source of chance of its own."""
    return {seat: machine(name, mix(seed ^ mix(seat))) for seat in seats}
