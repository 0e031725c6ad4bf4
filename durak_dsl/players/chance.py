"""The player who moves by chance."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table


class ByChance:
    """Makes each choice of a move (one value of one pick, or *done*) with equal chances, as `simulate` does; not each whole move."""

    def __init__(self, random: Random):
        self.random = random

    def choose(self, table: Table) -> Move:
        """A move by chance."""
        trying = table.clone()
        trying.made.clear()  # what came before need not be read again
        while True:
            mask = trying.mask
            if not mask:
                raise table.program.dead_end(trying.state)
            for _ in range(self.random.randrange(mask.bit_count())):
                mask &= mask - 1
            trying.step((mask & -mask).bit_length() - 1)
            if not trying.is_choosing:
                return trying.history[-1].move
