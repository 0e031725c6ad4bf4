"""A long run written down as it goes: which deals have been played and what they came to, in a file that is at any time whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from durak_dsl.study.ranges import Ranges, with_range
from durak_dsl.study.simulate import BY_SEAT, COUNTED, Statistics
from durak_dsl.table.game import Game
from durak_dsl.writing import write_whole

FORM = 1
MOST_BYTES = 4_000_000


class CheckpointError(Exception):
    """A checkpoint that cannot be used; says why in a sentence."""


@dataclass(frozen=True)
class Checkpoint:
    """The file of a run, and which run it is."""

    path: Path
    run: Mapping[str, Any]

    @classmethod
    def of(cls, path: str | os.PathLike[str], game: Game, seats: int, seed: int, players: str) -> Checkpoint:
        """The checkpoint of a run. What plays it, and how many deals it is to have, may be another each time."""
        run = {"rules": game.id, "rules_hash": game.hash, "options": dict(game.options), "seats": seats, "seed": seed, "players": players}
        return cls(Path(os.path.realpath(path)), run)

    def read(self, numbers: range) -> tuple[Ranges, Statistics]:
        """Which deals have been played, and what they came to; CheckpointError where the file is of another run, or none."""
        nothing: tuple[Ranges, Statistics] = (), Statistics(self.run["seats"])
        if not os.path.lexists(self.path):
            return nothing
        if not self.path.is_file():
            raise CheckpointError(f"{self.path} is not a file")
        try:
            with self.path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise CheckpointError(f"{self.path} cannot be read: {error.strerror}") from None
        if not data:
            return nothing
        try:
            plain = json.loads(data) if len(data) <= MOST_BYTES else None
            if not isinstance(plain, dict) or "durak checkpoint" not in plain:
                raise CheckpointError(f"{self.path} is there already, and no checkpoint")
            if plain["durak checkpoint"] != FORM:
                raise CheckpointError(f"{self.path} is a checkpoint of form {plain['durak checkpoint']}; this program knows form {FORM}")
            self._same(plain["run"])
            found = self._statistics(plain["statistics"])
            done: Ranges = ()
            for first, last in plain["done"]:
                done = with_range(done, _whole(first), _whole(last))
            if sum(last - first for first, last in done) != found.deals:
                raise ValueError
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise CheckpointError(f"{self.path} is damaged, or no checkpoint") from None
        if done and not (numbers.start <= done[0][0] and done[-1][1] <= numbers.stop):
            raise CheckpointError(
                f"{self.path} has the deals {done[0][0]:,} to {done[-1][1] - 1:,}; asked for are {numbers.start:,} to {numbers.stop - 1:,}"
            )
        return done, found

    def _same(self, run: Mapping[str, Any]) -> None:
        """CheckpointError where this is another run."""
        for name, mine in self.run.items():
            if run[name] == mine:
                continue
            if name == "options":
                options = [option for option in mine if run[name].get(option) != mine[option]]
                theirs, asked = (" ".join(f"{option}={of.get(option)}" for option in options) for of in (run[name], mine))
            elif name == "rules_hash":
                theirs, asked = f"{self.run['rules']} as it was when it said something else", "as it is now"
            else:
                theirs, asked = f"{name} {run[name]}", str(mine)
            raise CheckpointError(f"{self.path} is of a run with {theirs}, not {asked}")

    def _statistics(self, plain: Mapping[str, Any]) -> Statistics:
        found = Statistics(self.run["seats"])
        for name in ("deals", *COUNTED):
            setattr(found, name, _whole(plain[name]))
        for name in BY_SEAT:
            setattr(found, name, self._row(plain[name]))
        found.scores = {str(name): self._row(row) for name, row in plain["scores"].items()}
        return found

    def _row(self, row: Any) -> list[int]:
        if len(row) != self.run["seats"]:
            raise TypeError
        return [_whole(value) for value in row]

    def write(self, done: Ranges, found: Statistics) -> None:
        """Let the file say this, whole or not at all; CheckpointError where it cannot be written."""
        plain = {"durak checkpoint": FORM, "run": dict(self.run), "done": done, "statistics": vars(found)}
        try:
            write_whole(self.path, (json.dumps(plain, indent=1) + "\n").encode())
        except OSError as error:
            raise CheckpointError(f"{self.path} cannot be written: {error.strerror}") from None


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value
