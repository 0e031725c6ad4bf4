"""A deal written down, so that it can be read aloud, and played again move by move (`replay`).

    record: 1
    rules: game+edit
    hash: 0123456789abcdef
    options: throwers=leader
    later wins: yes
    seats: 2
    kept: dealer=P2, last_fool=none
    deck: 6C 7D ...
    chance: 2 of 6
    1. P1 lead 6H; P2 beat 6H 9H; P1 done
    2. P2 lead 7C; P1 take (chance: 3 of 12, order 6C 7D)
    result: loser P2, places 1 2

`later wins` stands only where edits disagree. A line of moves begins where a round does (`rounds`). Instead of
`kept` and `deck` a table that was laid by hand has lines `given hand: 6C | 7D`. What chance gave is said where it gave it: one of so
many, or the order of shuffled cards, top first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from durak_dsl.compiler.chance import Drawn, Result
from durak_dsl.problems import Problem, RuleError, Span
from durak_dsl.table import position, values
from durak_dsl.table.cards import Cards, player
from durak_dsl.table.history import losers_text
from durak_dsl.table.rounds import is_back, rounds
from durak_dsl.table.table import Table

VERSION = "1"
UNFINISHED = "not over"
CUT_SHORT = "cut-short"  # the code of the problem that a record ends too early
MOST_CHARACTERS = 1_000_000

HEAD = ("record", "rules", "hash", "options", "later wins", "seats", "kept", "deck", "chance")
_LINE = re.compile(r"(\d+)\.\s+(.*)")
_MOVE = re.compile(r"\s*P([1-9])\s+([^;()]*?)\s*(?:\(chance:\s*([^()]*)\))?\s*")


class RecordError(RuleError):
    """A record cannot be read, or cannot be played as it says; `problems` says where and why."""


@dataclass(frozen=True)
class Written:
    """A move as it is written, with what chance gave in it, and its place."""

    seat: int
    text: str
    drawn: str
    span: Span = field(compare=False)

    def __str__(self) -> str:
        return f"{player(self.seat)} {self.text}" + (f" (chance: {self.drawn})" if self.drawn else "")


@dataclass(frozen=True)
class Record:
    """A deal as it is written: nothing in it has been compared with any rules yet. `places` says where the parts of the head stand.

    The result is an empty text where the record was cut short.
    """

    rules: str
    hash: str
    options: Mapping[str, str]
    seats: int
    kept: Mapping[str, str]
    deck: str
    given: Mapping[str, str]
    drawn: str
    lines: tuple[tuple[Written, ...], ...]
    result: str
    later_wins: bool = False
    places: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return "\n".join([*self.head(), *self.deal()]) + "\n"

    def head(self) -> list[str]:
        """The lines that say by which rules it is played, and by how many."""
        parts = [
            ("record", VERSION),
            ("rules", self.rules),
            ("hash", self.hash),
            ("options", pairs(self.options)),
            ("later wins", "yes" if self.later_wins else ""),
            ("seats", str(self.seats)),
        ]
        return [f"{name}: {text}" for name, text in parts if text]

    def deal(self) -> list[str]:
        """The lines of the deal itself."""
        parts = [("kept", pairs(self.kept)), ("deck", self.deck), *((f"given {name}", text) for name, text in self.given.items())]
        lines = [f"{name}: {text}" for name, text in (*parts, ("chance", self.drawn)) if text]
        lines += [f"{number}. {'; '.join(map(str, line))}" for number, line in enumerate(self.lines, 1)]
        return [*lines, *([f"result: {self.result}"] if self.result else [])]


# ---- writing ------------------------------------------------------------------------------------------------------


def write(table: Table) -> str:
    """The record of a deal, from its beginning to the last whole move made."""
    return str(record(table))


def record(table: Table) -> Record:
    """The record of a deal as a value."""
    game, told = table.game, table.told()
    lines: list[list[Written]] = []
    for entry, begins in zip(told[1:], rounds(table), strict=False):
        assert entry.seat is not None and entry.move is not None
        if not lines or begins:
            lines.append([])
        lines[-1].append(Written(entry.seat, entry.move.text(), _drawn(entry.drawn, game.cards), Span("record", 1, 1)))
    kept = {} if table.origin.laid else table.kept
    start = Table(game, list(told[0].after), table.origin)
    return Record(
        game.called,
        game.hash,
        dict(game.settings),
        table.seats,
        {name: values.write_all(value, game.rules.variables[name].type, game.cards) for name, value in kept.items()},
        game.cards.list(table.deck),
        position.spell(start) if table.origin.laid else {},
        _drawn(told[0].drawn, game.cards),
        tuple(map(tuple, lines)),
        result(table),
        game.document.disputed,
    )


def so_far(table: Table) -> Record:
    """The record of a deal under way that is written while it is played: its whole lines, without a result."""
    found = record(table)
    return replace(found, lines=found.lines if is_back(table) else found.lines[:-1], result="")


def result(table: Table) -> str:
    """How the deal ended, in words."""
    if not table.is_over:
        return UNFINISHED
    outcome = table.outcome()
    places = " ".join(map(str, outcome.places))
    who = losers_text(outcome.losers)
    return f"{who}, places {places}" + (", stalemate" if outcome.stalemate else "")


def _drawn(results: Sequence[Result], cards: Cards) -> str:
    return ", ".join(
        f"{result.value + 1} of {result.of}" if isinstance(result, Drawn) else f"order {cards.list(result.cards)}" for result in results
    )


def pairs(named: Mapping[str, str]) -> str:
    """Values with their names: `name=value, name=value`."""
    return ", ".join(f"{name}={text}" for name, text in named.items())


# ---- reading ------------------------------------------------------------------------------------------------------


def read(text: str, path: str = "record", *, unfinished: bool = False) -> Record:
    """The record that a text is; RecordError with all that cannot be read in it. `unfinished`: also one that was cut short."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError(Problem("record", f"{path} is no record: it has {len(text):,} characters"))
    reading = Reading(path)
    for number, line in numbered(text, unfinished):
        reading.line(line, number)
    return reading.record(unfinished)


def numbered(text: str, unfinished: bool = False) -> Iterator[tuple[int, str]]:
    """The lines of a record with their numbers; of one that was cut short, only those that were written to their end."""
    text = text.removeprefix("\ufeff")
    if unfinished:
        text = text[: text.rfind("\n") + 1]
    for number, line in enumerate(text.splitlines(), 1):
        yield number, line.rstrip()


class Reading:
    """A record under way, line by line."""

    def __init__(self, path: str, head: Mapping[str, str] | None = None, places: Mapping[str, Span] | None = None):
        self.path = path
        self.head = dict(head or {})
        self.given: dict[str, str] = {}
        self.places = dict(places or {})
        self.lines: list[tuple[Written, ...]] = []
        self.problems: list[Problem] = []
        self.last = Span(path, 1, 1)
        self.astray = False  # lines are not what they should be: once said, it explains what follows

    def wrong(self, message: str, span: Span | None = None, hint: str = "", code: str = "record") -> None:
        self.problems.append(Problem(code, message, span or self.last, hint))

    def broken(self, message: str, hint: str) -> None:
        if not self.astray:
            self.wrong(message, None, hint)
        self.astray = True

    def line(self, line: str, number: int) -> None:
        if not line.strip() or line.lstrip().startswith("#"):
            return
        self.last = Span(self.path, number, 1, len(line), line)
        if "result" in self.head:
            self.wrong("nothing stands after the result")
        elif match := _LINE.fullmatch(line):
            if (due := len(self.lines) + 1) != int(match[1]):
                self.broken(f"after line {due - 1} comes line {due}, not {match[1]}", "lines are missing or out of order")
            self.moves(match[2], match.start(2), number, line)
        else:
            self.part(line)

    def part(self, line: str) -> None:
        name, colon, text = line.partition(":")
        name, text = name.strip(), text.strip()
        if not colon or (name not in (*HEAD, "result") and not name.startswith("given ")):
            self.broken("this is neither a part of the head nor a numbered line of moves", "lines of moves begin with 1. 2. …")
        elif name in self.head or name in self.places:
            self.wrong(f"'{name}' is said twice")
        elif self.lines and name != "result":
            self.wrong(f"'{name}' belongs to the head, before the moves")
        else:
            self.places[name] = self.last
            if name.startswith("given "):
                self.given[name.removeprefix("given ").strip()] = text
            else:
                self.head[name] = text

    def moves(self, text: str, start: int, number: int, line: str) -> None:
        found = []
        offset = start
        for part in text.split(";"):
            lead = len(part) - len(part.lstrip())
            span = Span(self.path, number, offset + lead + 1, max(1, len(part.strip())), line)
            offset += len(part) + 1
            match = _MOVE.fullmatch(part)
            if match is None or not match[2]:
                self.wrong(f"'{part.strip()}' is no move", span, "a move begins with its player: P1 …")
            else:
                found.append(Written(int(match[1]) - 1, " ".join(match[2].split()), (match[3] or "").strip(), span))
        self.lines.append(tuple(found))

    def record(self, unfinished: bool = False) -> Record:
        """The record that was read; RecordError with all that is wrong with it."""
        head = self.head
        if unfinished and not self.problems:
            head.setdefault("result", "")
        if head.get("record") != VERSION:
            span = self.places.get("record", Span(self.path, 1, 1))
            if "record" in head:
                self.wrong(f"records of version {head['record']} cannot be read here, only of version {VERSION}", span)
            else:
                self.problems.insert(0, Problem("record", "this is no record: it does not begin with 'record: 1'", span))
                raise RecordError(self.problems[:1])
        for name in ("rules", "hash", "seats"):
            if not head.get(name):
                self.wrong(f"the record does not say its '{name}'")
        if not head.get("deck") and not self.given:
            self.wrong("the record has no 'deck'")
        if "result" not in head:
            self.wrong("the record ends here, without its 'result': it was cut short", code=CUT_SHORT)
        seats = head.get("seats", "")
        if seats and not re.fullmatch("[1-8]", seats):
            self.wrong(f"'{seats}' is no number of seats", self.places["seats"])
        if head.get("later wins", "yes") != "yes":
            self.wrong("'later wins' is yes, or left out", self.places["later wins"])
        options, kept = self.pairs("options"), self.pairs("kept")
        if self.problems:
            raise RecordError(self.problems)
        return Record(
            head["rules"],
            head["hash"],
            options,
            int(seats),
            kept,
            " ".join(head.get("deck", "").split()),
            self.given,
            head.get("chance", ""),
            tuple(self.lines),
            head["result"],
            "later wins" in head,
            self.places,
        )

    def pairs(self, name: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for part in self.head.get(name, "").split(",") if self.head.get(name) else ():
            key, equals, value = part.partition("=")
            if not equals:
                self.wrong(f"'{part.strip()}' is not of the form name=value", self.places[name])
            found[key.strip()] = value.strip()
        return found
