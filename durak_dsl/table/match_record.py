"""A match written down: one deal after the other, each as in its own record, and how the match stands after them.

    record: 1
    rules: game
    hash: 0123456789abcdef
    seats: 2
    seed: 17
    deals: 3

    deal: 1
    kept: dealer=P2, total=0 | 0
    deck: 6C 7D ...
    1. P1 lead 6H; P2 beat 6H 9H; P1 done
    result: loser P2, places 1 2

    deal: 2
    ...

    match: not over, places 1 2

The seed is that of the deals to come; `deals` is how many are to be played in all, if the match is not over before. Both may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from durak_dsl.problems import Problem, RuleError, Span
from durak_dsl.table import record, values
from durak_dsl.table.game import Game
from durak_dsl.table.history import standing_text
from durak_dsl.table.match import Match
from durak_dsl.table.record import CUT_SHORT, UNFINISHED, Reading, Record, RecordError
from durak_dsl.table.replay import Replay
from durak_dsl.table.table import Table

MOST_CHARACTERS = 4_000_000

_OWN = re.compile(r"(deal|deals|seed|match)\s*:\s*(.*)")


@dataclass(frozen=True)
class MatchRecord:
    """A match as it is written: `head` is a record without a deal of its own; nothing has been compared with any rules yet."""

    head: Record
    seed: int | None
    deals: tuple[Record, ...]
    result: str
    span: Span | None = field(default=None, compare=False, repr=False)
    most: int | None = None  # how many deals were asked for

    def __str__(self) -> str:
        own = (("seed", self.seed), ("deals", self.most))
        lines = [*self.head.head(), *(f"{name}: {value}" for name, value in own if value is not None)]
        for number, deal in enumerate(self.deals, 1):
            lines += ["", f"deal: {number}", *deal.deal()]
        return "\n".join([*lines, *(["", f"match: {self.result}"] if self.result else [])]) + "\n"


def write(match: Match, tables: Sequence[Table], most: int | None = None) -> str:
    """The record of a match from the tables of its deals, of which the last may be under way; `most`: how many are to be played in all."""
    return str(of(match, tables, most))


def of(match: Match, tables: Sequence[Table], most: int | None = None) -> MatchRecord:
    """The record of a match as a value."""
    deals = tuple(map(record.record, tables))
    game = match.game
    head = Record(game.called, game.hash, dict(game.settings), match.seats, {}, "", {}, "", (), "", game.document.disputed)
    return MatchRecord(head, match.seed, deals, standing_text(match.standing), most=most)


# ---- reading ------------------------------------------------------------------------------------------------------


def is_match(text: str) -> bool:
    """Whether a text means to be the record of a match, and not of one deal."""
    return re.search(r"^\s*(deal|deals|seed|match)\s*:", text, re.MULTILINE) is not None


def read(text: str, path: str = "record", *, unfinished: bool = False) -> MatchRecord:
    """The record of a match that a text is; RecordError with all that cannot be read in it. `unfinished`: also one that was cut short."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError(Problem("record", f"{path} is no record: it has {len(text):,} characters"))
    reading = _MatchReading(path)
    for number, line in record.numbered(text, unfinished):
        reading.line(line, number)
    return reading.match(unfinished)


class _MatchReading:
    """The record of a match under way, line by line."""

    def __init__(self, path: str):
        self.path = path
        self.head = Reading(path)
        self.deals: list[Reading] = []
        self.own: dict[str, str] = {}
        self.places: dict[str, Span] = {}
        self.problems: list[Problem] = []
        self.last = Span(path, 1, 1)

    def wrong(self, message: str, hint: str = "", code: str = "record") -> None:
        self.problems.append(Problem(code, message, self.last, hint))

    def line(self, line: str, number: int) -> None:
        if not line.strip() or line.lstrip().startswith("#"):
            return
        self.last = Span(self.path, number, 1, len(line), line)
        own = _OWN.fullmatch(line.strip())
        if "match" in self.own:
            self.wrong("nothing stands after how the match stands")
        elif own is None:
            (self.deals[-1] if self.deals else self.head).line(line, number)
        elif own[1] == "deal":
            self.deal(own[2])
        elif own[1] in self.own:
            self.wrong(f"'{own[1]}' is said twice")
        elif own[1] in ("seed", "deals") and self.deals:
            self.wrong(f"'{own[1]}' belongs to the head, before the deals")
        else:
            self.own[own[1]], self.places[own[1]] = own[2], self.last

    def deal(self, said: str) -> None:
        due = len(self.deals) + 1
        if said != str(due):
            before = f"after deal {due - 1} comes deal {due}" if self.deals else "the first deal is deal 1"
            self.wrong(f"{before}, not {said or 'nothing'}", "deals are missing or out of order")
        deal = Reading(self.path, self.head.head, self.head.places)
        deal.last = self.last
        self.deals.append(deal)

    def match(self, unfinished: bool) -> MatchRecord:
        if unfinished and self.deals and not self.deals[-1].lines and "result" not in self.deals[-1].head:
            self.deals.pop()  # it had hardly begun, and is dealt again
        found = [self._deal(number, unfinished and number == len(self.deals)) for number in range(1, len(self.deals) + 1)]
        head = self._head()
        seed = self.own.get("seed")
        if seed is not None and not re.fullmatch(r"-?\d{1,20}", seed):
            self.problems.append(Problem("record", f"'{seed}' is no seed", self.places["seed"]))
        most = self._most()
        if "match" not in self.own and not unfinished:
            self.wrong("the record ends here, without how the 'match' stands: it was cut short", code=CUT_SHORT)
        if self.problems:
            order = sorted(self.problems, key=lambda problem: problem.span.line if problem.span else 0)
            raise RecordError([*dict.fromkeys(order)])
        assert head is not None
        deals = tuple(deal for deal in found if deal is not None)
        return MatchRecord(head, None if seed is None else int(seed), deals, self.own.get("match", ""), self.places.get("match"), most)

    def _most(self) -> int | None:
        """How many deals were asked for; what is wrong with the number is noted."""
        said = self.own.get("deals")
        if said is None:
            return None
        if not re.fullmatch(r"[1-9]\d{0,8}", said):
            self.problems.append(Problem("record", f"'{said}' is no number of deals", self.places["deals"]))
            return None
        if len(self.deals) > int(said):
            message = f"the match is to have {said} deals, but {len(self.deals)} follow"
            self.problems.append(Problem("record", message, self.places["deals"]))
        return int(said)

    def _deal(self, number: int, unfinished: bool) -> Record | None:
        """One deal as a record of its own; what is wrong with it is noted."""
        try:
            deal = self.deals[number - 1].record(unfinished)
        except RecordError as error:
            self.problems += error.problems
            return None
        if deal.result == UNFINISHED and number < len(self.deals):
            self.problems.append(Problem("record", f"deal {number} is not over, and another follows", deal.places.get("result")))
        return deal

    def _head(self) -> Record | None:
        """The head as a record that has a deck and a result."""
        reading = Reading(self.path, {**self.head.head, "deck": "-", "result": UNFINISHED}, self.head.places)
        reading.problems, reading.last = self.head.problems, self.last
        if self.head.lines or not {"deck", "kept", "result", "chance"}.isdisjoint(self.head.head) or self.head.given:
            reading.wrong("the record of a match says 'deal: 1' before its first deal")
        try:
            return replace(reading.record(), kept={}, deck="", result="")
        except RecordError as error:
            self.problems += error.problems
            return None


# ---- playing again ------------------------------------------------------------------------------------------------


class MatchReplay:
    """A match that was written down, played again deal by deal; `match` stands as after the deals that were played to their end."""

    def __init__(self, written: MatchRecord, game: Game | None = None, *, anyway: bool = False):
        self.written = written
        self.anyway = anyway
        self.game = Replay(written.head, game, anyway=anyway).game
        try:
            self.match = Match(self.game, written.head.seats, seed=written.seed)
        except RuleError as error:
            problem = Problem("record", error.problems[0].message, written.head.places.get("seats"), error.problems[0].hint)
            raise RecordError(problem) from None
        self.tables: list[Table] = []

    def deals(self) -> Iterator[Replay]:
        """The deals, each to be played by whoever asks for the next; RecordError where one does not go on from the one before."""
        for number, deal in enumerate(self.written.deals, 1):
            if self.match.is_over:
                raise RecordError(Problem("record", f"the match was over after deal {number - 1}, and another follows", _first(deal)))
            with _inside(number):
                replaying = Replay(deal, self.game, anyway=self.anyway)
                kept = replaying.kept()
            if number > 1:
                self._agree(number, replaying)
                kept = {**self.match.kept, **kept}
            self.match = self.match.beginning(kept)
            yield replaying

    def count(self, table: Table) -> None:
        """A deal has been played again."""
        self.tables.append(table)
        if table.is_over:
            self.match.finish(table)

    def all(self) -> Match:
        """The match after all deals; RecordError where one does not agree, or where the match stands otherwise."""
        for number, replaying in enumerate(self.deals(), 1):
            with _inside(number):
                self.count(replaying.table())
        self.agree()
        return self.match

    def agree(self) -> None:
        """RecordError where the match stands otherwise than the record says (if it was not cut short)."""
        said, found = " ".join(self.written.result.split()), standing_text(self.match.standing)
        if said and said != found:
            raise RecordError(Problem("record", f"the record says of the match '{said}', but now it is '{found}'", self.written.span))

    def _agree(self, number: int, replaying: Replay) -> None:
        """Compare what a deal begins with, with what the one before hands on."""
        game, said, now = self.game, replaying.kept(), self.match.kept
        for name in said:
            if said[name] != now[name]:
                kind = game.rules.variables[name].type
                texts = [values.write_all(value, kind, game.cards) for value in (said[name], now[name])]
                message = f"deal {number} begins with {name}={texts[0]}, but deal {number - 1} leads to {name}={texts[1]}"
                raise RecordError(Problem("record", message, replaying.record.places.get("kept")))


@contextmanager
def _inside(number: int) -> Iterator[None]:
    """What is wrong in this context is told of this deal."""
    try:
        yield
    except RecordError as error:
        raise RecordError([replace(problem, message=f"deal {number}: {problem.message}") for problem in error.problems]) from None


def _first(deal: Record) -> Span | None:
    """Where a deal begins."""
    return deal.places.get("kept") or deal.places.get("deck")
