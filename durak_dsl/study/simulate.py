"""Statistics over many deals: how long they are, who loses. Each deal has its own seed, so that its result depends on no other deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from durak_dsl.compiler.layout import ACTOR, SEATS
from durak_dsl.compiler.runtime import State, seed_of
from durak_dsl.players import machines
from durak_dsl.study.playout import MOST_MOVES, Endless, played_out
from durak_dsl.study.shares import error, share
from durak_dsl.table.game import Game
from durak_dsl.table.table import Table, deal

COUNTED = ("turns", "turns_squared", "decisions", "decisions_squared", "draws", "stalemates")
BY_SEAT = ("loss_by_seat", "loss_by_distance", "wins_by_seat")


@dataclass(frozen=True)
class Ended:
    """One deal that is over: who acted first, how many moves and decisions, who lost and won, whether by stalemate, the scores."""

    first: int
    turns: int
    decisions: int
    losers: tuple[int, ...]
    stalemate: bool
    scores: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    winners: tuple[int, ...] = ()


@dataclass
class Statistics:
    """What many deals came to."""

    seats: int
    deals: int = 0
    turns: int = 0
    turns_squared: int = 0
    decisions: int = 0
    decisions_squared: int = 0
    draws: int = 0
    stalemates: int = 0
    loss_by_seat: list[int] = field(default_factory=list)
    loss_by_distance: list[int] = field(default_factory=list)
    wins_by_seat: list[int] = field(default_factory=list)
    scores: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.loss_by_seat = [0] * self.seats
        self.loss_by_distance = [0] * self.seats
        self.wins_by_seat = [0] * self.seats

    def add(self, ended: Ended) -> None:
        """Count one more deal."""
        self.deals += 1
        self.turns += ended.turns
        self.turns_squared += ended.turns**2
        self.decisions += ended.decisions
        self.decisions_squared += ended.decisions**2
        self.stalemates += ended.stalemate
        for name, found in ended.scores.items():
            self.scores[name] = [*map(sum, zip(self.scores.get(name, [0] * self.seats), found, strict=True))]
        for loser in ended.losers:
            self.loss_by_seat[loser] += 1
            self.loss_by_distance[(loser - ended.first) % self.seats] += 1
        for winner in ended.winners:
            self.wins_by_seat[winner] += 1
        if not ended.losers and not ended.winners and not ended.stalemate:
            self.draws += 1

    def take_in(self, deals: int, counts: Sequence[int], names: Sequence[str]) -> None:
        """Count so many more deals, of which `native` has given the counts; the scores are those of these names."""
        for name, count in zip(COUNTED, counts, strict=False):
            setattr(self, name, getattr(self, name) + int(count))
        self.deals += deals
        rows = [counts[start : start + self.seats] for start in range(len(COUNTED), len(counts), self.seats)]
        self.loss_by_seat, self.loss_by_distance, self.wins_by_seat, *found = (
            [int(count) + before for count, before in zip(row, old, strict=True)]
            for row, old in zip(
                rows,
                [
                    *(self.loss_by_seat, self.loss_by_distance, self.wins_by_seat),
                    *(self.scores.get(name, [0] * self.seats) for name in names),
                ],
                strict=True,
            )
        )
        self.scores = dict(zip(names, found, strict=True))

    def merge(self, other: Statistics) -> None:
        """Count what others have counted of other deals."""
        for name in ("deals", *COUNTED):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in BY_SEAT:
            setattr(self, name, [*map(sum, zip(getattr(self, name), getattr(other, name), strict=True))])
        for name, found in other.scores.items():
            self.scores[name] = [*map(sum, zip(self.scores.get(name, [0] * self.seats), found, strict=True))]

    def counts(self, names: Sequence[str]) -> list[int]:
        """The counts that `take_in` takes, with the scores of these names."""
        rows = [self.loss_by_seat, self.loss_by_distance, self.wins_by_seat]
        rows += [self.scores.get(name, [0] * self.seats) for name in names]
        return [*(getattr(self, name) for name in COUNTED), *(count for row in rows for count in row)]

    def as_json(self) -> dict[str, Any]:
        """The statistics as plain values: counts of deals, means with standard errors, shares with their intervals."""
        shares: dict[str, Any] = {name: share(getattr(self, name), self.deals) for name in ("draws", "stalemates")}
        shares["loss_by_seat"] = [share(count, self.deals) for count in self.loss_by_seat]
        shares["loss_by_distance_from_first_leader"] = [share(count, self.deals) for count in self.loss_by_distance]
        shares["wins_by_seat"] = [share(count, self.deals) for count in self.wins_by_seat]
        return {
            "deals": self.deals,
            "seats": self.seats,
            "decisions_per_deal": self.decisions / self.deals,
            "decisions_per_deal_error": error(self.decisions, self.decisions_squared, self.deals),
            "turns_per_deal": self.turns / self.deals,
            "turns_per_deal_error": error(self.turns, self.turns_squared, self.deals),
            "draws": self.draws,
            "stalemates": self.stalemates,
            "loss_by_seat": self.loss_by_seat,
            "loss_by_distance_from_first_leader": self.loss_by_distance,
            "wins_by_seat": self.wins_by_seat,
            "scores": {name: [total / self.deals for total in totals] for name, totals in self.scores.items()},
            "shares": shares,
        }


def simulate(game: Game, seats: int, deals: Iterable[int], seed: int, players: str = "random") -> Statistics:
    """The statistics of the deals of these numbers, played by machine players of one kind. The same in whatever order they are played."""
    game.check_seats(seats)
    found = Statistics(seats)
    for ended in played(game, seats, (seed_of(seed, number) for number in deals), players):
        found.add(ended)
    return found


def played(game: Game, seats: int, seeds: Iterable[int], players: str = "random") -> Iterator[Ended]:
    """How the deal of each seed ends, played by machine players of one kind; what goes wrong in one is raised when its turn comes."""
    return by_chance(game, seats, seeds) if players == "random" else (by_players(game, seats, seed, players) for seed in seeds)


def by_chance(game: Game, seats: int, seeds: Iterable[int]) -> Iterator[Ended]:
    """The end of each deal in which every choice (one value of one pick, or *done*) is made with equal chances."""
    for state, first, decisions, turns in played_out(game.program, seats, seeds):
        yield _ended(game, state, first, turns, decisions)


def by_players(game: Game, seats: int, seed: int, players: str) -> Ended:
    """One deal between machine players of one kind."""
    table = deal(game, seats, seed=seed)
    first = table.state[ACTOR]
    decisions, turns = play_out(table, players, seed)
    return _ended(game, table.state, first, turns, decisions)


def play_out(table: Table, players: str, seed: int) -> tuple[int, int]:
    """How many decisions and how many moves machine players of one kind have made, when they have played the table to its end."""
    deciding = machines(players, range(table.seats), seed)
    turns = decisions = 0
    while (actor := table.actor) is not None:
        decisions += len(table.legal_moves()) > 1
        table.play(deciding[actor].choose(table))
        turns += 1
        if turns > MOST_MOVES:
            raise Endless(f"a deal is not over after {MOST_MOVES:,} moves ({table.seats} seats, --seed {seed})")
    return decisions, turns


def _ended(game: Game, state: State, first: int, turns: int, decisions: int) -> Ended:
    program, ends = game.program, game.program.ends
    scores = {name: tuple(score(state, seat) for seat in range(state[SEATS])) for name, score in ends.scores.items()}
    return Ended(first, turns, decisions, program.losers(state), bool(ends.stalemate(state)), scores, program.winners(state))
