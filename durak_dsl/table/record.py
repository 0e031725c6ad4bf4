"""A deal written down, so that it can be read aloud, and played again move by move.

    record: 1
    rules: game+edit
    hash: 0123456789abcdef
    options: throwers=leader
    seats: 2
    kept: dealer=P2, last_fool=none
    deck: 6C 7D ...
    chance: 2 of 6
    1. P1 lead 6H; P2 beat 6H 9H; P1 done
    2. P2 lead 7C; P1 take (chance: 3 of 12, order 6C 7D)
    result: loser P2, places 1 2

A line of moves begins where the deal is back in the phase in which it began. Instead of `kept` and `deck` a table that was laid by hand
has lines `given hand: 6C | 7D`. What chance gave is said where it gave it: one of so many, or the order of shuffled cards, top first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from durak_dsl.compiler.chance import ChanceDiffers, Drawn, Result, Shuffled
from durak_dsl.compiler.layout import Value
from durak_dsl.compiler.runtime import RuleFault
from durak_dsl.problems import IllegalMove, Problem, RuleError, Span
from durak_dsl.table import position, values
from durak_dsl.table.cards import Cards, Hands, WrongText, player, read_deck
from durak_dsl.table.game import Game, load
from durak_dsl.table.history import Origin, losers_text
from durak_dsl.table.table import Table

VERSION = "1"
UNFINISHED = "not over"
MOST_CHARACTERS = 1_000_000

_HEAD = ("record", "rules", "hash", "options", "seats", "kept", "deck", "chance")
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
    """A deal as it is written: nothing in it has been compared with any rules yet. `places` says where the parts of the head stand."""

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
    places: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        head = [
            ("record", VERSION),
            ("rules", self.rules),
            ("hash", self.hash),
            ("options", _pairs(self.options)),
            ("seats", str(self.seats)),
        ]
        head += [
            ("kept", _pairs(self.kept)),
            ("deck", self.deck),
            *((f"given {name}", text) for name, text in self.given.items()),
            ("chance", self.drawn),
        ]
        lines = [f"{name}: {text}" for name, text in head if text]
        lines += [f"{number}. {'; '.join(map(str, line))}" for number, line in enumerate(self.lines, 1)]
        return "\n".join([*lines, f"result: {self.result}"]) + "\n"


# ---- writing ------------------------------------------------------------------------------------------------------


def write(table: Table) -> str:
    """The record of a deal, from its beginning to the last whole move made."""
    return str(record(table))


def record(table: Table) -> Record:
    """The record of a deal as a value."""
    game, told = table.game, table.told()
    lines: list[list[Written]] = []
    first = next(iter(game.rules.phases)) if table.origin.laid else _phase(table, told[0].after)
    for entry in told[1:]:
        assert entry.seat is not None and entry.move is not None
        if not lines or _phase(table, entry.before) == first:
            lines.append([])
        lines[-1].append(Written(entry.seat, entry.move.text(), _drawn(entry.drawn, game.cards), Span("record", 1, 1)))
    kept = (
        {}
        if table.origin.laid
        else {name: values.write_all(value, game.rules.variables[name].type, game.cards) for name, value in table.kept.items()}
    )
    start = Table(game, list(told[0].after), table.origin)
    return Record(
        game.called,
        game.hash,
        dict(game.settings),
        table.seats,
        kept,
        game.cards.list(table.deck),
        position.spell(start) if table.origin.laid else {},
        _drawn(told[0].drawn, game.cards),
        tuple(map(tuple, lines)),
        result(table),
    )


def result(table: Table) -> str:
    """How the deal ended, in words."""
    if not table.is_over:
        return UNFINISHED
    outcome = table.outcome()
    places = " ".join(map(str, outcome.places))
    who = losers_text(outcome.losers)
    return f"{who}, places {places}" + (", stalemate" if outcome.stalemate else "")


def _phase(table: Table, state: Sequence[int]) -> str | None:
    return table.program.nodes[state[0]].phase if state[0] >= 0 else None


def _drawn(results: Sequence[Result], cards: Cards) -> str:
    return ", ".join(
        f"{result.value + 1} of {result.of}" if isinstance(result, Drawn) else f"order {cards.list(result.cards)}" for result in results
    )


def _pairs(pairs: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={text}" for name, text in pairs.items())


# ---- reading ------------------------------------------------------------------------------------------------------


def read(text: str, path: str = "record") -> Record:
    """The record that a text is; RecordError with all that cannot be read in it."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError(Problem("record", f"{path} is no record: it has {len(text):,} characters"))
    reading = _Reading(path)
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        reading.line(line.rstrip(), number)
    return reading.record()


class _Reading:
    """A record under way, line by line."""

    def __init__(self, path: str):
        self.path = path
        self.head: dict[str, str] = {}
        self.given: dict[str, str] = {}
        self.places: dict[str, Span] = {}
        self.lines: list[tuple[Written, ...]] = []
        self.problems: list[Problem] = []
        self.last = Span(path, 1, 1)
        self.astray = False  # lines are not what they should be: once said, it explains what follows

    def wrong(self, message: str, span: Span | None = None, hint: str = "") -> None:
        self.problems.append(Problem("record", message, span or self.last, hint))

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
        if not colon or (name not in (*_HEAD, "result") and not name.startswith("given ")):
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

    def record(self) -> Record:
        head = self.head
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
            self.wrong("the record ends here, without its 'result': it was cut short")
        seats = head.get("seats", "")
        if seats and not re.fullmatch("[1-8]", seats):
            self.wrong(f"'{seats}' is no number of seats", self.places["seats"])
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


# ---- playing again ------------------------------------------------------------------------------------------------


def replay(record: Record, game: Game | None = None, *, anyway: bool = False) -> Table:
    """The table after all moves of a record; RecordError where the game stops agreeing. `anyway`: also under rules that have changed."""
    return Replay(record, game, anyway=anyway).table()


class Replay:
    """A record played again, one move at a time."""

    def __init__(self, record: Record, game: Game | None = None, *, anyway: bool = False):
        self.record = record
        self.anyway = anyway
        self.game = self._game() if game is None else game
        if self.game.hash != record.hash and not anyway:
            message = (
                f"the rules '{record.rules}' have changed since: this record was made under {record.hash}, they are now {self.game.hash}"
            )
            raise self._wrong(message, "hash", "--anyway plays it under the rules of now")

    def table(self) -> Table:
        """The table after all moves; RecordError where one is not possible, or where the result is another."""
        table = self.start()
        for _ in self.moves(table):
            pass
        found = result(table)
        if found != " ".join(self.record.result.split()):
            raise self._wrong(f"the record says '{self.record.result}', but now it is '{found}'", "result")
        return table

    def start(self) -> Table:
        """The table before the first move."""
        record, game = self.record, self.game
        if record.given:
            try:
                return position.lay(game, record.given, record.seats)
            except RuleError as error:
                raise self._wrong(
                    error.problems[0].message, next((name for name in record.places if name.startswith("given ")), "rules")
                ) from None
        try:
            game.check_seats(record.seats)
        except RuleError as error:
            raise self._wrong(error.problems[0].message, "seats") from None
        try:
            deck = read_deck(record.deck, game.cards, game.program.deck, whole=False)
        except WrongText as error:
            raise self._wrong(error.message, "deck", error.hint) from None
        state = game.program.start(record.seats, 0, deck, self._kept())
        drawn = self._results(record.drawn, self.record.places.get("chance"))
        origin = Origin(tuple(state), drawn=drawn)
        try:
            with game.program.chance.of(drawn):
                game.program.setup(state, [])
        except (ChanceDiffers, RuleFault) as error:
            raise self._wrong(str(error), "chance" if "chance" in record.places else "deck") from None
        return Table(game, state, origin)

    def moves(self, table: Table) -> Iterator[Written]:
        """Play the moves of the record one after the other, giving each when it has been played."""
        for number, line in enumerate(self.record.lines, 1):
            for written in line:
                try:
                    move = table.move(written.text, written.seat)
                    table.play_drawn(move, self._results(written.drawn, written.span))
                except (IllegalMove, ChanceDiffers, RuleFault) as error:
                    reason = error.reason if isinstance(error, IllegalMove) else str(error)
                    also = (("the rule is", error.span),) if isinstance(error, (IllegalMove, RuleFault)) and error.span else ()
                    message = (
                        f"in line {number} the record stops agreeing with the rules at '{player(written.seat)} {written.text}': {reason}"
                    )
                    raise RecordError(Problem("record", message, written.span, "", also)) from None
                yield written

    # ---- parts of the head ----------------------------------------------------------------------------------------

    def _wrong(self, message: str, part: str, hint: str = "") -> RecordError:
        return RecordError(Problem("record", message, self.record.places.get(part), hint))

    def _game(self) -> Game:
        try:
            return load(self.record.rules, self.record.options)
        except RuleError as error:
            own = [problem for problem in error.problems if problem.span is not None]
            if own:
                raise  # the rules themselves are wrong
            problem = error.problems[0]
            part = "options" if problem.code.endswith("option") else "rules"
            raise self._wrong(problem.message, part, problem.hint) from None

    def _kept(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, text in self.record.kept.items():
            variable = self.game.rules.variables.get(name)
            if name not in self.game.rules.keeps or variable is None:
                raise self._wrong(f"these rules keep no '{name}' from deal to deal", "kept")
            try:
                found[name] = values.read_all(text, variable, self.game.cards, self.record.seats)
            except WrongText as error:
                raise self._wrong(f"'{name}': {error.message}", "kept", error.hint) from None
        if not self.anyway and (missing := [name for name in self.game.rules.keeps if name not in found]):
            raise self._wrong(f"the record does not say what '{missing[0]}' was", "kept" if "kept" in self.record.places else "seats")
        return found

    def _results(self, text: str, span: Span | None) -> tuple[Result, ...]:
        found: list[Result] = []
        for part in text.split(",") if text else ():
            if match := re.fullmatch(r"\s*(\d{1,9}) of (\d{1,9})\s*", part):
                found.append(Drawn(int(match[1]) - 1, int(match[2])))
                continue
            match = re.fullmatch(r"\s*order((?:\s+\S+)*)\s*", part)
            try:
                if match is None:
                    raise WrongText(f"'{part.strip()}' is nothing that chance gives")
                found.append(Shuffled(tuple(Hands(self.game.cards, self.game.program.deck).take_all(match[1]))))
            except WrongText as error:
                raise RecordError(Problem("record", error.message, span, "as in 2 of 6, or order 6C 7D")) from None
        return tuple(found)
