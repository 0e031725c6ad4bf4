"""Where a deal is back at its beginning: in the phase in which it began or, once no way leads back there, in the one that came then."""

from __future__ import annotations

from durak_dsl.compiler.layout import NODE
from durak_dsl.table.table import Table


def rounds(table: Table) -> list[bool]:
    """Whether a round begins there: for the position before each move made, and last for that of now, unless the deal is over."""
    nodes, led_to = table.program.nodes, table.game.phases_from
    states = [*(made.before for made in table.made), *([] if table.is_over else [table.state])]
    phases = [nodes[state[NODE]].phase for state in states]
    first = next(iter(table.game.rules.phases)) if table.origin.laid else next(iter(phases), "")
    found = []
    for phase in phases:
        if phase != first and first not in led_to[phase]:
            first = phase
        found.append(phase == first)
    return found


def is_back(table: Table) -> bool:
    """Whether a round begins now, or the deal is over."""
    return table.is_over or rounds(table)[-1]
