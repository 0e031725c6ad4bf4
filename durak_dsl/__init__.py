"""Card games whose rules are data: a YAML file is checked, compiled and played.

>>> import durak_dsl
>>> game = durak_dsl.load("simple", {"deck": "24"})
>>> table = durak_dsl.deal(game, seats=2, seed=1)
>>> table.play(table.legal_moves()[0])
>>> print(table.history[0])
P2 lead 9♦

The package is read in this order; each part uses only those before it:

problems    what can be wrong with a rule file or a move
cache       where what can be made again is kept
source      bytes become one resolved document
language    one-line texts become typed meaning
compiler    typed meaning becomes code
table       a position and what may happen to it
native      the same code for the machine itself, where llvmlite is there
players     who decides
study       many deals
texts       what people read
cli         the commands
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_dsl.compiler.program import Outcome
    from durak_dsl.compiler.runtime import RuleFault
    from durak_dsl.problems import IllegalMove, Problem, RuleError, Span
    from durak_dsl.study.bulk import simulate
    from durak_dsl.study.playout import Endless
    from durak_dsl.study.simulate import Statistics
    from durak_dsl.table.examples import ExampleReport, run_examples
    from durak_dsl.table.game import Game, load
    from durak_dsl.table.history import Standing, Turn
    from durak_dsl.table.knowledge import View
    from durak_dsl.table.match import Match
    from durak_dsl.table.match_record import MatchRecord, MatchReplay
    from durak_dsl.table.match_record import read as read_match
    from durak_dsl.table.match_record import write as write_match
    from durak_dsl.table.moves import Move
    from durak_dsl.table.position import lay, spell
    from durak_dsl.table.record import Record, RecordError
    from durak_dsl.table.record import read as read_record
    from durak_dsl.table.record import write as write_record
    from durak_dsl.table.replay import replay
    from durak_dsl.table.table import Table, deal

__all__ = [
    "Endless",
    "ExampleReport",
    "Game",
    "IllegalMove",
    "Match",
    "MatchRecord",
    "MatchReplay",
    "Move",
    "Outcome",
    "Problem",
    "Record",
    "RecordError",
    "RuleError",
    "RuleFault",
    "Span",
    "Standing",
    "Statistics",
    "Table",
    "Turn",
    "View",
    "deal",
    "lay",
    "load",
    "read_match",
    "read_record",
    "replay",
    "run_examples",
    "simulate",
    "spell",
    "write_match",
    "write_record",
]

# Where the public names live. They are imported when they are asked for: a command that only lists rules need not load the compiler.
_HOMES = {
    "compiler.program": ("Outcome",),
    "compiler.runtime": ("RuleFault",),
    "problems": ("IllegalMove", "Problem", "RuleError", "Span"),
    "study.bulk": ("simulate",),
    "study.playout": ("Endless",),
    "study.simulate": ("Statistics",),
    "table.examples": ("ExampleReport", "run_examples"),
    "table.game": ("Game", "load"),
    "table.history": ("Standing", "Turn"),
    "table.knowledge": ("View",),
    "table.match": ("Match",),
    "table.match_record": ("MatchRecord", "MatchReplay", "read_match", "write_match"),
    "table.moves": ("Move",),
    "table.position": ("lay", "spell"),
    "table.record": ("Record", "RecordError", "read_record", "write_record"),
    "table.replay": ("replay",),
    "table.table": ("Table", "deal"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"durak_dsl.{home}"), name.removesuffix("_record").removesuffix("_match"))
    raise AttributeError(f"module 'durak_dsl' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
