"""Card games whose rules are data: a YAML file is checked, compiled and played.

>>> import durak_dsl
>>> table = durak_dsl.deal(durak_dsl.load("throw-in"), seats=2, seed=1)
>>> table = table.after(table.legal_moves()[0])

The package is read in this order; each part uses only those before it:

problems    what can be wrong with a rule file or a move
source      bytes become one resolved document
language    one-line texts become typed meaning
compiler    typed meaning becomes code
table       a position and what may happen to it
players     who decides
study       many deals
texts       what people read
cli         the commands
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_dsl.compiler.runtime import RuleFault
    from durak_dsl.problems import IllegalMove, Problem, RuleError, Span
    from durak_dsl.table.game import Game, load
    from durak_dsl.table.history import Outcome, Turn
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table, deal

# Where each public name lives: it is imported when it is asked for, so that a command that only lists rules need not load the compiler.
_HOMES = {
    "RuleFault": "compiler.runtime",
    "IllegalMove": "problems",
    "Problem": "problems",
    "RuleError": "problems",
    "Span": "problems",
    "Game": "table.game",
    "load": "table.game",
    "Outcome": "table.history",
    "Turn": "table.history",
    "Move": "table.moves",
    "Table": "table.table",
    "deal": "table.table",
}

__all__ = [
    "Game",
    "IllegalMove",
    "Move",
    "Outcome",
    "Problem",
    "RuleError",
    "RuleFault",
    "Span",
    "Table",
    "Turn",
    "deal",
    "load",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'durak_dsl' has no attribute '{name}'")
    return getattr(importlib.import_module(f"durak_dsl.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
