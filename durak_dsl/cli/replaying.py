"""`replay`: a record played again, which says where it stops agreeing with the rules."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from durak_dsl.cli.asked import ascii_option, loaded
from durak_dsl.cli.playing import chosen_language, lang_option
from durak_dsl.cli.printing import amount, say
from durak_dsl.cli.recording import located, text_of

if TYPE_CHECKING:
    from durak_dsl import Game, Table
    from durak_dsl.table.match_record import MatchReplay
    from durak_dsl.table.record import Record
    from durak_dsl.table.replay import Replay
    from durak_dsl.texts.telling import Telling

T = TypeVar("T")


@click.command("replay", short_help="Play a RECORD again, checking every move.")
@click.argument("source", metavar="RECORD", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--anyway", is_flag=True, default=False, help="Play it even if the rules have changed since.")
@click.option("--rules", default=None, metavar="RULES", help="Play it under these rules, if the record's are no longer where it says.")
@click.option("--quiet", is_flag=True, default=False, help="Print only the result.")
@lang_option
@ascii_option
def replay_command(source: Path, rules: str | None, anyway: bool, quiet: bool, lang: str | None) -> None:
    """Play the RECORD of a deal or match again (- reads it from the input), checking every move."""
    from durak_dsl.table import match_record, record
    from durak_dsl.table.replay import Replay
    from durak_dsl.texts.telling import Telling

    text, path = text_of(source), str(source) if str(source) != "-" else "record"

    def here(head: Record) -> tuple[Record, Game | None]:
        if rules is None:
            return replace(head, rules=located(head.rules, source.parent)), None
        return head, loaded(rules, tuple(head.options.items()), head.later_wins)

    if match_record.is_match(text):
        written = _whole(lambda: match_record.read(text, path), source)
        head, game = here(written.head)
        replay = match_record.MatchReplay(replace(written, head=head), game, anyway=anyway)
        _match(replay, None if quiet else Telling(replay.game, chosen_language(lang)))
        return
    one, game = here(_whole(lambda: record.read(text, path), source))
    replaying = Replay(one, game, anyway=anyway)
    table = replaying.table() if quiet else _told(replaying, Telling(replaying.game, chosen_language(lang)))
    agreed = f"{amount(len(table.made), 'move')}, as the rules have them"
    say(f"{table.game.id}, {amount(table.seats, 'player')}: {agreed}; result: {record.result(table)}")


def _whole(read: Callable[[], T], source: Path) -> T:
    """What is read of a record; where it was only cut short, RecordError says how to go on with it."""
    from durak_dsl.cli.series import resumed
    from durak_dsl.problems import RuleError
    from durak_dsl.table.record import CUT_SHORT, RecordError

    try:
        return read()
    except RecordError as error:
        if str(source) == "-" or any(problem.code != CUT_SHORT for problem in error.problems):
            raise
        try:
            resumed(source)
        except RuleError:
            raise error from None
        *others, last = error.problems
        hint = f"'durak play --resume {shlex.quote(str(source))}' goes on with it"
        raise RecordError([*others, replace(last, hint=hint)]) from None


def _match(replay: MatchReplay, telling: Telling | None) -> None:
    """Play a match again, and tell it where there is somebody who tells."""
    from durak_dsl.table.history import standing_text

    if telling is None:
        replay.all()
    else:
        for number, replaying in enumerate(replay.deals(), 1):
            say(telling.say("deal number", number=number))
            table = _told(replaying, telling)
            replay.count(table)
            if table.is_over:
                for line in [*telling.ending(table.outcome()), *telling.score(replay.match.kept), ""]:
                    say(line)
        replay.agree()
    match = replay.match
    moves = sum(len(table.made) for table in replay.tables)
    agreed = f"{amount(len(replay.tables), 'deal')}, {amount(moves, 'move')}, as the rules have them"
    say(f"{replay.game.id}, {amount(match.seats, 'player')}: {agreed}; match: {standing_text(match.standing)}")


def _told(replay: Replay, telling: Telling) -> Table:
    """Play a deal again and tell it, move by move; the table after it."""
    table = replay.start()
    for line in [*telling.teams(table.seats), *telling.happened(table.told()[0], None), *telling.open_standing(table)]:
        say(line)
    begins = _beginnings(replay.record)
    for number, written in enumerate(replay.moves(table)):
        if number in begins:
            say()
        told = table.told()[-1]
        assert told.move is not None
        say(telling.sentence(written.seat, told.move))
        for line in telling.happened(told, None):
            say(f"   {line}")
    say()
    replay.agree(table)
    return table


def _beginnings(record: Record) -> set[int]:
    """The numbers of the moves with which lines of the record begin."""
    found, count = set(), 0
    for line in record.lines:
        found.add(count)
        count += len(line)
    return found
