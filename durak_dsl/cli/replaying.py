"""`replay`: a record played again, which says where it stops agreeing with the rules."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durak_dsl.cli.asked import ascii_option, loaded
from durak_dsl.cli.playing import chosen_language, lang_option
from durak_dsl.cli.printing import amount, say

if TYPE_CHECKING:
    from durak_dsl.table.record import Record

MOST_BYTES = 4_000_000


@click.command("replay")
@click.argument("source", metavar="RECORD", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--anyway", is_flag=True, default=False, help="Play it under the rules of now, if they have changed since.")
@click.option("--rules", default=None, metavar="RULES", help="Where the rules are now, if not where the record says.")
@click.option("--quiet", is_flag=True, default=False, help="Say only whether it agrees.")
@lang_option
@ascii_option
def replay_command(source: Path, rules: str | None, anyway: bool, quiet: bool, lang: str | None) -> None:
    """Play the RECORD of a deal again (- reads it from the input), checking every move."""
    from durak_dsl.table.record import Replay, read, result
    from durak_dsl.texts.telling import Telling

    record = read(_text(source), str(source) if str(source) != "-" else "record")
    if rules is None:
        replay = Replay(replace(record, rules=_located(record.rules, source.parent)), anyway=anyway)
    else:
        replay = Replay(record, loaded(rules, tuple(record.options.items()), False), anyway=anyway)
    if not quiet:
        telling = Telling(replay.game, chosen_language(lang))
        table = replay.start()
        for line in [*telling.teams(table.seats), *telling.happened(table.told()[0], None), *telling.open_standing(table)]:
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


def _located(rules: str, folder: Path) -> str:
    """The rules with their paths as they lead from here, or, where nothing is there, from the folder of the record."""
    from durak_dsl.source import library

    parts = rules.split("+")
    beside = [library.is_path(part) and not os.path.exists(part) and os.path.exists(folder / part) for part in parts]
    return "+".join(os.path.join(".", folder / part) if moved else part for part, moved in zip(parts, beside, strict=True))


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
        data = sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin is not None else b""
    else:
        if not os.path.isfile(source):
            raise RuleError(Problem("no-file", f"{source} is not a file" if os.path.exists(source) else f"there is no file {source}"))
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
