"""Games and deals under way for the tests of this folder."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from durak_dsl import Game, Table, deal, load
from durak_dsl.source import library

FAIR = str(Path(__file__).parent / "fair.yaml")
GAMES = (*(head.id for head in library.all_files()), FAIR)


@cache
def game(rules: str, *settings: str) -> Game:
    """The game, loaded once; settings as `option=value`."""
    if settings:
        return game(rules).with_options(dict(setting.split("=") for setting in settings))
    return load(rules)


def played(of: Game, seed: int, moves: int, seats: int | None = None) -> Table:
    """A deal after so many moves by chance, or its end."""
    rng = random.Random(seed)
    table = deal(of, rng.choice(of.seats) if seats is None else seats, seed=seed)
    while moves and not table.is_over:
        table.play(rng.choice(table.legal_moves()))
        moves -= 1
    return table
