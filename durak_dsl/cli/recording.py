"""Records in files: written while a deal is played, and found again."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from durak_dsl.cli.printing import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_dsl import Match, Table

MOST_BYTES = 4_000_000


class RecordFile:
    """The file of a record, which at any time holds what was last written into it; what is the same is not written again."""

    def __init__(self, file: BinaryIO, path: Path, written: bytes = b"", rules: str | None = None, most: int | None = None):
        self.file = file
        self.path = path
        self.written = written
        self.rules = rules  # the rules as the file has them, where it was there before
        self.most = most  # how many deals of a match were asked for

    def deal(self, table: Table, *, ended: bool) -> None:
        """Write the record of one deal: while it goes on, its whole lines."""
        from dataclasses import replace

        from durak_dsl.table import record

        found = record.record(table) if ended else record.so_far(table)
        self.write(str(replace(found, rules=self.rules or found.rules)))

    def match(self, match: Match, tables: Sequence[Table], *, ended: bool) -> None:
        """Write the record of a match: while it goes on, without its end."""
        from dataclasses import replace

        from durak_dsl.table import match_record, record

        found = match_record.of(match, tables, self.most)
        if not ended:
            last = () if not tables else (found.deals[-1] if tables[-1].is_over else record.so_far(tables[-1]),)
            found = replace(found, deals=(*found.deals[:-1], *last), result="")
        self.write(str(replace(found, head=replace(found.head, rules=self.rules or found.head.rules))))

    def write(self, text: str) -> None:
        """Let the file hold this text; where it takes no more, print it on the standard error."""
        data = text.encode()
        same = len(self.written)
        if not data.startswith(self.written):  # a move was taken back
            same = next((place for place, pair in enumerate(zip(data, self.written, strict=False)) if pair[0] != pair[1]), len(data))
        try:
            self.file.seek(same)
            self.file.write(data[same:])
            self.file.truncate()
            self.file.flush()
        except OSError as error:
            say(f"{self.path} cannot be written: {error.strerror}; the record is:\n{text}", err=True)
            click.get_current_context().exit(1)
        self.written = data


def new(path: Path, most: int | None) -> RecordFile:
    """A new file for a record, opened before the deal: it would be too late afterwards to say that it cannot be."""
    if os.path.lexists(path):
        raise click.UsageError(f"{path} is already there; a record is written to a new file")
    return RecordFile(_opened(path, "x+b"), path, most=most)


def there(path: Path, rules: str, most: int | None) -> RecordFile:
    """The file of a record that goes on; the rules as it has them, and how many deals a match is to have."""
    file = _opened(path, "r+b")
    return RecordFile(file, path, file.read(), rules, most)


def _opened(path: Path, mode: str) -> BinaryIO:
    try:
        file: BinaryIO = path.open(mode)  # type: ignore[assignment]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it has no proper name"
        raise click.UsageError(f"{path} cannot be written: {reason}") from None
    return file


def text_of(source: Path) -> str:
    """The text of a record; - is the input."""
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


def located(rules: str, folder: Path) -> str:
    """The rules with their paths as they lead from here, or, where nothing is there, from the folder of the record."""
    from durak_dsl.source import library

    parts = rules.split("+")
    beside = [library.is_path(part) and not os.path.exists(part) and os.path.exists(folder / part) for part in parts]
    return "+".join(os.path.join(".", folder / part) if moved else part for part, moved in zip(parts, beside, strict=True))
