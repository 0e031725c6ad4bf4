"""`replay`: a record played again, which says where it stops agreeing with the rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durak_dsl.cli.asked import ascii_option
from durak_dsl.cli.playing import chosen_language, lang_option
from durak_dsl.cli.printing import amount, say

if TYPE_CHECKING:
    from durak_dsl.table.record import Record

MOST_BYTES = 4_000_000


@click.command("replay")
@click.argument("source", metavar="RECORD", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--anyway", is_flag=True, default=False, help="Play it under the rules of now, if they have changed since.")
@click.option("--quiet", is_flag=True, default=False, help="Say only whether it agrees.")
@lang_option
@ascii_option
def replay_command(source: Path, anyway: bool, quiet: bool, lang: str | None) -> None:
    """Play the RECORD of a deal again (- reads it from the input), checking every move."""
    from durak_dsl.table.record import Replay, read, result
    from durak_dsl.texts.telling import Telling

    record = read(_text(source), str(source) if str(source) != "-" else "record")
    replay = Replay(record, anyway=anyway)
    if not quiet:
        telling = Telling(replay.game, chosen_language(lang))
        table = replay.start()
        for line in [*telling.happened(table.told()[0], None), *telling.open_standing(table)]:
            say(line)
        begins = _beginnings(record)
        for number, written in enumerate(replay.moves(table)):
            if number in begins:
                say()
            told = table.told()[-1]
            assert told.move is not None
            say(telling.sentence(written.seat, told.move))
            for line in telling.happened(told, None):
                say(f"   {line}")
        say()
    table = replay.table()
    agreed = f"{amount(len(table.made), 'move')}, as the rules have them"
    say(f"{replay.game.id}, {amount(record.seats, 'player')}: {agreed}; result: {result(table)}")


def _beginnings(record: Record) -> set[int]:
    """The numbers of the moves with which lines of the record begin."""
    found, count = set(), 0
    for line in record.lines:
        found.add(count)
        count += len(line)
    return found


def _text(source: Path) -> str:
    from durak_dsl.problems import Problem, RuleError

    if str(source) == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        if not source.is_file():
            raise RuleError(Problem("no-file", f"{source} is not a file" if source.exists() else f"there is no file {source}"))
        try:
            with source.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise RuleError(Problem("no-file", f"{source} cannot be read: {error.strerror}")) from None
    if len(data) > MOST_BYTES:
        raise RuleError(Problem("record", f"{source} is too long for a record"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RuleError(Problem("record", f"{source} is no record: it is not UTF-8 text")) from None
