"""Statistics over whole matches: how many deals they have, who loses. Each match has its own seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from durak_dsl.compiler.runtime import choosing, seed_of
from durak_dsl.study.playout import Endless, playout
from durak_dsl.study.shares import error, share
from durak_dsl.study.simulate import play_out
from durak_dsl.table.game import Game
from durak_dsl.table.match import Match
from durak_dsl.table.table import Table

MOST_DEALS = 10_000  # in one match


@dataclass
class MatchStatistics:
    """What many matches came to."""

    seats: int
    matches: int = 0
    deals: int = 0
    deals_squared: int = 0
    draws: int = 0
    stalemates: int = 0  # of the deals
    loss_by_seat: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.loss_by_seat = [0] * self.seats

    def add(self, match: Match, stalemates: int) -> None:
        """Count one more match, of whose deals so many ended by stalemate."""
        self.matches += 1
        self.stalemates += stalemates
        self.deals += match.deals
        self.deals_squared += match.deals**2
        losers = match.outcome().losers
        self.draws += not losers
        for loser in losers:
            self.loss_by_seat[loser] += 1

    def as_json(self) -> dict[str, Any]:
        """The statistics as plain values."""
        shares: dict[str, Any] = {"draws": share(self.draws, self.matches), "stalemates": share(self.stalemates, self.deals)}
        shares["loss_by_seat"] = [share(count, self.matches) for count in self.loss_by_seat]
        return {
            "matches": self.matches,
            "deals": self.deals,
            "seats": self.seats,
            "deals_per_match": self.deals / self.matches,
            "deals_per_match_error": error(self.deals, self.deals_squared, self.matches),
            "draws": self.draws,
            "stalemates": self.stalemates,
            "loss_by_seat": self.loss_by_seat,
            "shares": shares,
        }


def simulate_matches(game: Game, seats: int, numbers: Iterable[int], seed: int, players: str = "random") -> MatchStatistics:
    """The statistics of the matches of these numbers; ValueError where the rules do not say when a match is over."""
    if game.rules.match.over is None:
        raise ValueError(f"{game.id} does not say when a match is over")
    found = MatchStatistics(seats)
    for number in numbers:
        match = Match(game, seats, seed=seed_of(seed, number))
        stalemates = 0
        while not match.is_over:
            table = match.deal()
            _play(table, players, seed_of(match.seed, match.deals))
            stalemates += bool(table.program.ends.stalemate(table.state))
            match.finish(table)
            if match.deals > MOST_DEALS:
                raise Endless(f"a match is not over after {MOST_DEALS:,} deals ({seats} seats, --seed {seed})")
        found.add(match, stalemates)
    return found


def _play(table: Table, players: str, seed: int) -> None:
    """Play a deal to its end: by chance, choice by choice, or by machine players of one kind."""
    if players == "random":
        playout(table.program, table.state, choosing(seed))
    else:
        play_out(table, players, seed)
