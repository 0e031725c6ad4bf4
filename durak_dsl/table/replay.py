"""A deal that was written down, played again move by move."""

from __future__ import annotations

import re
from collections.abc import Iterator

from durak_dsl.compiler.chance import ChanceDiffers, Drawn, Result, Shuffled
from durak_dsl.compiler.layout import Value
from durak_dsl.compiler.runtime import RuleFault
from durak_dsl.problems import IllegalMove, Problem, RuleError, Span
from durak_dsl.table import position, values
from durak_dsl.table.cards import Hands, WrongText, player, read_deck
from durak_dsl.table.game import Game, load
from durak_dsl.table.history import Origin
from durak_dsl.table.record import Record, RecordError, Written, result
from durak_dsl.table.table import Table


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
        self.agree(table)
        return table

    def agree(self, table: Table) -> None:
        """RecordError where the table after all moves has another result than the record (if that was not cut short)."""
        found = result(table)
        if self.record.result and found != " ".join(self.record.result.split()):
            raise self._wrong(f"the record says '{self.record.result}', but now it is '{found}'", "result")

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
        state = game.program.start(record.seats, 0, deck, self.kept())
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
            return load(self.record.rules, self.record.options, self.record.later_wins)
        except RuleError as error:
            own = [problem for problem in error.problems if problem.span is not None]
            if own:
                raise  # the rules themselves are wrong
            problem = error.problems[0]
            part = "options" if problem.code.endswith("option") else "rules"
            raise self._wrong(problem.message, part, problem.hint) from None

    def kept(self) -> dict[str, Value]:
        """What the deal begins with, as the record says it."""
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
