"""What is known to be right, kept as text to be read in review: how many positions there are, and a short deal of every rule file.

`python -m tests.golden` writes the files anew: heads stay as they are, what follows from them is worked out, a rule file without any is
given one. The diff is the review.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import durak_dsl
from durak_dsl.table import record, replay
from durak_dsl.table.table import Table
from tests.games import VARIANTS, cards, perft, program_of, written

HERE = Path(__file__).parent
PERFT = HERE / "perft.txt"
DEALS = HERE / "deals"
TRIED = 100
FEW = 5
MANY = 2000
DEEPEST = 8


@dataclass(frozen=True)
class Count:
    """One count: a game, its deck (top first), and how many positions there are after one, two, … whole moves."""

    rules: str
    options: str
    seats: int
    kept: str
    deck: str
    nodes: tuple[int, ...]

    def __str__(self) -> str:
        lines = [f"rules: {self.rules}", f"options: {self.options}", f"seats: {self.seats}", f"kept: {self.kept}", f"deck: {self.deck}"]
        return "\n".join([*(line for line in lines if not line.endswith(": ")), f"nodes: {' '.join(map(str, self.nodes))}"])

    def counted(self, depth: int = DEEPEST) -> tuple[int, ...]:
        """The counts as they are now; without a depth, to where they become many."""
        program = program_of(self.rules, dict(word.split("=") for word in self.options.split()))
        kept = {name: int(value.removeprefix("P")) - 1 for name, value in (word.split("=") for word in self.kept.split())}
        state = program.new(self.seats, 0, cards(program.rules, self.deck), kept)
        found: list[int] = []
        while len(found) < (len(self.nodes) or depth) and (self.nodes or not found or found[-1] < MANY):
            found.append(perft(program, state, len(found) + 1))
        return tuple(found)


def counts() -> list[Count]:
    """The counts of the file."""
    found = []
    for block in PERFT.read_text("utf-8").split("\n\n") if PERFT.exists() else []:
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith("#"))
        if lines:
            nodes = tuple(map(int, lines["nodes"].split()))
            found.append(Count(lines["rules"], lines.get("options", ""), int(lines["seats"]), lines.get("kept", ""), lines["deck"], nodes))
    return found


def new_counts(name: str) -> Iterator[Count]:
    """The counts that a rule file is given at first: at its fewest seats and at one more."""
    program = program_of(name)
    for seats in program.rules.counts[:2]:
        kept = " ".join(f"{keep.variable}=P{seats}" for keep in program.rules.keeps.values() if keep.first.body.op == "random")
        deck = Random(f"{name} {seats}").sample(program.deck, len(program.deck))
        yield Count(name, "", seats, kept, written(program.rules, deck), ())


# ---- deals ----------------------------------------------------------------------------------------------------------


def deal_of(name: str) -> Path:
    """The file of the deal of a rule file."""
    return DEALS / f"{name}.txt"


def replayed(path: Path, anyway: bool = False) -> str:
    """The record as it is written now, after its moves have been played again."""
    return record.write(replay.replay(record.read(path.read_text("utf-8"), path.name), anyway=anyway))


def new_deal(name: str) -> str:
    """The record that a rule file is given at first: of some random deals of few cards one that is short and has every kind of move."""
    options = durak_dsl.load(name).rules.options
    game = durak_dsl.load(name, {"hand_size": "3"} if "hand_size" in options else {})
    tables = [random_deal(game, number) for number in range(TRIED)]
    return record.write(min(tables, key=lambda table: (-len({turn.move.name for turn in table.history}), len(table.history))))


def random_deal(game: durak_dsl.Game, number: int) -> Table:
    """A deal of few cards by random moves, at three seats if the game allows."""
    chooser = Random(f"{game.id} {number}")
    seats = min(game.seats, key=lambda seats: abs(seats - 3))
    table = durak_dsl.deal(game, seats, deck=chooser.sample(game.program.deck, FEW * seats))
    while not table.is_over:
        table.play(chooser.choice(table.legal_moves()))
    return table


# ---- writing --------------------------------------------------------------------------------------------------------


def write() -> None:
    """Write the files anew."""
    found = counts()
    for name in VARIANTS:
        if not any(count.rules == name for count in found):
            found += new_counts(name)
    blocks = [str(replace(count, nodes=count.counted())) for count in found]
    head = "# Positions after one, two, … whole moves. Written by: python -m tests.golden"
    PERFT.write_text("\n\n".join([head, *blocks]) + "\n", "utf-8")
    DEALS.mkdir(exist_ok=True)
    for name in VARIANTS:
        path = deal_of(name)
        text = replayed(path, anyway=True) if path.exists() else new_deal(name)
        path.write_text(text, "utf-8")
