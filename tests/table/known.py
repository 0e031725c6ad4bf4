"""Games of few cards beside this file, and what must hold of every table, for the tests of what is known."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import durak_dsl
from durak_dsl.table.game import Game
from durak_dsl.table.knowledge import moment
from durak_dsl.table.table import Table
from tests.table.worlds import lying

HERE = Path(__file__).parent
OWN = ("small", "twice", "dark", "believe", "slip", "pointed", "closed", "buried", "pairs")


@cache
def game(name: str) -> Game:
    """A shipped variant, or one of those beside this file."""
    return durak_dsl.load(str(HERE / f"{name}.yaml") if name in OWN else name)


def play(table: Table, rng: Random, most: int) -> None:
    """So many random moves, or to the end."""
    for _ in range(most):
        if table.is_over:
            return
        table.play(rng.choice(table.legal_moves()))


def true(table: Table) -> None:
    """Everybody's knowledge agrees with the table."""
    now = moment(table)
    contents = now.places.contents(table.state)
    for observer in range(table.seats + 1):
        assert now.cases(observer).allows(contents), f"{observer} knows something that is not so"


def cards(table: Table) -> list[int]:
    """All cards on the table."""
    return [card for _, _, found in lying(table.game, table.state) for card, _ in found]
