"""The examples of a rule file, run: a position, moves, what is legal then, and what holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from durak_dsl.compiler.runtime import RuleFault, State
from durak_dsl.problems import IllegalMove, Problem, RuleError, Span
from durak_dsl.source import library
from durak_dsl.source.library import RuleFile
from durak_dsl.source.nodes import Map, Node, Text
from durak_dsl.table import position
from durak_dsl.table.game import Game, load
from durak_dsl.table.history import STANDS, standing_text
from durak_dsl.table.moves import Move, split_seat
from durak_dsl.table.questions import Questions
from durak_dsl.table.reasons import Unreadable
from durak_dsl.table.table import Table, TooManyMoves

GameOf = Callable[[str, Mapping[str, str]], Game]

CHECKS = ("play", "legal", "legal only", "illegal", "then", "next deal", "match")


@dataclass
class ExampleReport:
    """What came of the examples of a file: what is wrong, how many were run, which clauses they prove, which option values they set."""

    problems: list[Problem] = field(default_factory=list)
    ran: int = 0
    proves: dict[str, list[str]] = field(default_factory=dict)
    settings: dict[str, set[str]] = field(default_factory=dict)


def run_examples(file: RuleFile, game_of: GameOf) -> ExampleReport:
    """Every example of a rule file, played."""
    report = ExampleReport()
    for entry in file.examples or ():
        name, node = entry.key.value, entry.value
        if not isinstance(node, Map):
            continue
        report.ran += 1
        if isinstance(proves := node.get("proves"), Text):
            for clause in proves.value.split(","):
                report.proves.setdefault(clause.strip(), []).append(name)
        for option, value in _settings(node).items():
            report.settings.setdefault(option, set()).add(value)
        report.problems += _Example(file, name, entry.key.span, node, game_of).run()
    return report


def _settings(example: Map) -> dict[str, str]:
    """The option values that an example sets."""
    options = example.get("options")
    return (
        {entry.key.value: entry.value.value for entry in options or () if isinstance(entry.value, Text)} if isinstance(options, Map) else {}
    )


def _moves(example: Map, key: str) -> Iterator[tuple[str, Span]]:
    """The moves under a key of an example, each with its place."""
    node = example.get(key)
    if not isinstance(node, Text):
        return
    offset = 0
    for part in node.value.split(";"):
        start = offset + len(part) - len(part.lstrip())
        offset += len(part) + 1
        if part.strip():
            yield part.strip(), node.at(start, len(part.strip()))


def tables_of_examples(game: Game) -> Iterator[Table]:
    """The tables that the examples of a game's files come to under its rules, as far as these allow it: each is moved on for the next."""
    games: dict[frozenset[tuple[str, str]], Game] = {}
    for file in game.document.files:
        for entry in file.examples or ():
            if isinstance(entry.value, Map):
                with suppress(RuleError, RuleFault, IllegalMove):
                    yield from _tables(game, entry.value, games)


def _tables(game: Game, example: Map, games: dict[frozenset[tuple[str, str]], Game]) -> Iterator[Table]:
    """The table of an example, where it begins and after each of its moves."""
    settings, given, seats = _settings(example), example.get("given"), example.get("seats")
    key = frozenset(settings.items())
    if key not in games:
        games[key] = game.with_options(settings) if settings else game
    if isinstance(given, Map):
        table = position.lay(games[key], given, int(seats.value) if isinstance(seats, Text) else None)
        yield table
        for part, _ in _moves(example, "play"):
            seat, text = split_seat(part)
            table.play(table.move(text, seat))
            yield table


def rules_named(rules: str, file: RuleFile, span: Span) -> str:
    """The rules by the paths of their files: what an example of a file names lies in the library or beside that file."""
    parts = [part.strip() for part in rules.split("+")]
    return "+".join(str(file.file if part == file.id else library.find_base(part, file, span)) for part in parts)


class Games:
    """Loads games, each only once: the same rules with other options are not read again."""

    def __init__(self) -> None:
        self.plain: dict[str, Game] = {}
        self.made: dict[tuple[str, frozenset[tuple[str, str]]], Game] = {}

    def __call__(self, rules: str, settings: Mapping[str, str]) -> Game:
        """The game of these rules with these options."""
        key = (rules, frozenset(settings.items()))
        if key not in self.made:
            if rules not in self.plain:
                self.plain[rules] = load(rules)
            self.made[key] = self.plain[rules].with_options(settings) if settings else self.plain[rules]
        return self.made[key]


class _Wrong(Exception):
    """This example cannot go on."""


class _Example:
    def __init__(self, file: RuleFile, name: str, span: Span, node: Map, game_of: GameOf):
        self.file = file
        self.name = name
        self.span = span
        self.node = node
        self.game_of = game_of
        self.problems: list[Problem] = []

    def report(self, message: str, span: Span | None, hint: str = "", rule: Span | None = None) -> None:
        also = (("the rule is", rule),) if rule is not None else ()
        self.problems.append(Problem("example", f"example '{self.name}': {message}", span, hint, also))

    def run(self) -> list[Problem]:
        """What is wrong with the example."""
        if not any(self.node.get(key) for key in CHECKS):
            self.report("it says nothing about the position", self.span, "add legal, illegal, play or then")
        try:
            table = self.table(self.game())
            self.play(table)
            self.legal(table)
            self.legal_only(table)
            self.illegal(table)
            self.holds(self.node.get("then"), table, table.state)
            self.next_deal(table)
            self.match(table)
        except _Wrong:
            pass
        except RuleFault as fault:
            self.report(fault.message, self.span, rule=fault.span)
        except TooManyMoves as error:
            self.report(str(error), self.span)
        return self.problems

    # ---- what is given --------------------------------------------------------------------------------------------

    def game(self) -> Game:
        rules, options = self.node.get("rules"), self.node.get("options")
        settings = _settings(self.node)
        try:
            named = rules_named(rules.value, self.file, self.span) if isinstance(rules, Text) else str(self.file.file)
        except RuleError as error:
            self.report(error.problems[0].message, rules.span if rules else self.span, error.problems[0].hint)
            raise _Wrong from None
        try:
            return self.game_of(named, settings)
        except RuleError as error:
            where = options if error.problems[0].code.endswith("option") else rules
            self.inside(error, where.span if where else self.span)
            raise _Wrong from None

    def inside(self, error: RuleError, span: Span) -> None:
        """Report what is wrong as wrong with this example; what has no place of its own is reported here."""
        for problem in error.problems:
            own = problem.span is not None and problem.span.path == self.file.path
            self.report(problem.message, problem.span if own else span, problem.hint, None if own else problem.span)

    def table(self, game: Game) -> Table:
        given, seats = self.node.get("given"), self.node.get("seats")
        assert isinstance(given, Map)
        try:
            return position.lay(game, given, int(seats.value) if isinstance(seats, Text) else None)
        except RuleError as error:
            self.inside(error, given.span)
            raise _Wrong from None

    # ---- moves ----------------------------------------------------------------------------------------------------

    def moves(self, key: str) -> Iterator[tuple[str, int | None, Span]]:
        """The moves under a key: text, seat, place."""
        for part, span in _moves(self.node, key):
            seat, text = split_seat(part)
            if seat is None:
                self.report(f"'{part}' does not say who moves", span, "begin with the player: P1 …")
                continue
            yield text, seat, span

    def attempt(self, table: Table, text: str, seat: int | None) -> Move | IllegalMove:
        try:
            return table.move(text, seat)
        except IllegalMove as error:
            return error

    def play(self, table: Table) -> None:
        for text, seat, span in self.moves("play"):
            move = self.attempt(table, text, seat)
            if isinstance(move, IllegalMove):
                self.report(f"this move is not legal: {move.reason}", span, rule=move.span)
                raise _Wrong
            try:
                table.play(move)
            except RuleFault as fault:
                self.report(fault.message, span, rule=fault.span)
                raise _Wrong from None

    def legal(self, table: Table) -> None:
        for text, seat, span in self.moves("legal"):
            move = self.attempt(table, text, seat)
            if isinstance(move, IllegalMove):
                self.report(f"this should be legal: {move.reason}", span, rule=move.span)

    def legal_only(self, table: Table) -> None:
        node = self.node.get("legal only")
        if node is None:
            return
        found = []
        for text, seat, span in self.moves("legal only"):
            move = self.attempt(table, text, seat)
            if isinstance(move, IllegalMove):
                self.report(f"this should be legal: {move.reason}", span, rule=move.span)
            else:
                found.append(move)
        more = [move for move in table.legal_moves() if move not in found]
        if more:
            some = "; ".join(move.text() for move in more[:6]) + (f" and {len(more) - 6} more" if len(more) > 6 else "")
            self.report(f"legal too: {some}", node.span, rule=table.game.rules.moves[more[0].name].span)

    def illegal(self, table: Table) -> None:
        for text, seat, span in self.moves("illegal"):
            move = self.attempt(table, text, seat)
            if isinstance(move, Unreadable) and not self.known_here(text):
                self.report(move.reason, span)
            elif isinstance(move, Move):
                self.report("this should not be legal", span, rule=table.game.rules.moves[move.name].span)

    def known_here(self, text: str) -> bool:
        """Whether a text that other rules cannot read is a move of this file's own."""
        if self.node.get("rules") is None:
            return False
        try:
            return bool(self.game_of(str(self.file.file), {}).notation.read(text))
        except (IllegalMove, RuleError):
            return False

    # ---- what holds -----------------------------------------------------------------------------------------------

    def next_deal(self, table: Table) -> None:
        """What holds of the values with which the next deal begins."""
        node = self.node.get("next deal")
        if node is None:
            return
        if not table.is_over:
            self.report("this deal is not over, so there is no next one yet", node.span)
            return
        self.holds(node, table, table.program.kept_in(table.state, table.kept_next()))

    def match(self, table: Table) -> None:
        """How the match stands after this deal, in the words of a record."""
        node = self.node.get("match")
        if not isinstance(node, Text):
            return
        if not table.is_over:
            self.report("this deal is not over, so the match stands as before it", node.span)
            return
        found = standing_text(table.standing())
        for part in node.value.split(","):
            said = " ".join(part.split())
            if not STANDS.fullmatch(said):
                hint = "write not over, loser P1, losers P1 P3, no loser, places 1 2, or several with commas"
                self.report(f"'{said}' does not say how a match stands", node.span, hint)
            elif said not in found.split(", "):
                self.report(f"this does not hold: the match stands '{found}'", node.span)

    def holds(self, node: Node | None, table: Table, state: State) -> None:
        if node is None:
            return
        questions = Questions(table.game)
        for text in _texts(node):
            try:
                reason = questions.against(text, state)
            except RuleError as error:
                self.inside(error, text.span)
            else:
                if reason is not None:
                    self.report(reason[0], reason[1] or text.span)


def _texts(node: Node) -> Iterator[Text]:
    if isinstance(node, Text):
        yield node
    elif isinstance(node, Map):
        yield from (entry.value for entry in node if isinstance(entry.value, Text))
