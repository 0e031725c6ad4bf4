"""A match: deals one after the other, in which what the rules keep is handed on."""

from __future__ import annotations

import random as chance

from durak_dsl.compiler.program import Kept
from durak_dsl.compiler.runtime import seed_of
from durak_dsl.problems import must_be_whole
from durak_dsl.table.game import Game
from durak_dsl.table.history import Standing
from durak_dsl.table.table import Table, deal


class Match:
    """A match: `deal` gives the next table; when its deal is over, `finish` counts it (in place), `after` gives another match."""

    def __init__(self, game: Game, seats: int | None = None, *, seed: int | None = None, kept: Kept | None = None, deals: int = 0):
        self.game = game
        self.seats = min(game.seats) if seats is None else seats
        game.check_seats(self.seats)
        self.seed = chance.SystemRandom().getrandbits(48) if seed is None else seed
        must_be_whole(seed=self.seed, deals=deals)
        self.deals = deals
        self._kept = kept
        self._standing = Standing(False)

    @property
    def kept(self) -> Kept:
        """What the next deal begins with."""
        return self.deal().kept if self._kept is None else self._kept

    @property
    def is_over(self) -> bool:
        """Whether the rules say that the match has ended; one of which they do not say it never has."""
        return self._standing.over

    @property
    def standing(self) -> Standing:
        """How the match stands after the last deal."""
        return self._standing

    def outcome(self) -> Standing:
        """How the match ended; ValueError while it goes on."""
        if not self.is_over:
            raise ValueError("the match is not over")
        return self._standing

    def deal(self) -> Table:
        """A table with the cards of the next deal: each time the same, for they follow from the seed of the match."""
        if self.is_over:
            raise ValueError("the match is over")
        return deal(self.game, self.seats, seed=seed_of(self.seed, self.deals), kept=self._kept)

    def finish(self, table: Table) -> None:
        """Count a deal of this match that is over; ValueError where it is none, or goes on."""
        if self.is_over:
            raise ValueError("the match is over")
        if table.program is not self.game.program or table.seats != self.seats:
            raise ValueError("this is the deal of another game")
        if table.kept != self.kept:
            raise ValueError("this deal did not begin with what the match keeps")
        kept, standing = table.kept_next(), table.standing()
        self._kept, self._standing = kept, standing
        self.deals += 1

    def after(self, table: Table) -> Match:
        """The match after a deal that is over; this one stays as it is."""
        match = self.clone()
        match.finish(table)
        return match

    def beginning(self, kept: Kept) -> Match:
        """This match with other values for the next deal to begin with."""
        match = self.clone()
        match._kept = kept
        return match

    def clone(self) -> Match:
        """A match of its own that stands the same."""
        match = Match(self.game, self.seats, seed=self.seed, kept=self._kept, deals=self.deals)
        match._standing = self._standing
        return match

    def __repr__(self) -> str:
        return f"<Match of {self.game.id}: {self.seats} seats, {self.deals} deals{', over' if self.is_over else ''}>"
