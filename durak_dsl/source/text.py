"""The bytes of a file as checked text: bounded, UTF-8, and without characters that nobody can see."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from durak_dsl.problems import Problem, RuleError, Span

MOST_BYTES = 64 * 1024
MOST_COLUMNS = 1000
MOST_SHOWN = 200  # characters of a path in a message
MOST_PROBLEMS = 50  # of one kind in a file: who has more has misunderstood something

# Everything ordinary in rule files, so that the slow look at each character is seldom taken.
_UNUSUAL = re.compile("[^\n\x20-\x7e\u0410-\u044f\u0401\u0451–—…«»„“”’№×♣♦♥♠]")
_SEEN_AS_NOTHING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_CATEGORIES = {
    "Cc": "a control character",
    "Cf": "an invisible character",
    "Cs": "half of a character (a surrogate)",
    "Co": "a character of private use",
    "Cn": "a character that does not exist",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
    "Zs": "an unusual space",
}
_NAMES = {"\t": "a tab", "\r": "a carriage return", "\0": "a zero byte (NUL)"}
_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_LOOK_ALIKE = str.maketrans("АВЕЅІЈКМНОРСТХУаеѕіјорсхуԁԛԝһ", "ABESIJKMHOPCTXYaesijopcxydqwh")


@dataclass(frozen=True)
class Source:
    """The text of one file, which knows where each of its characters stands."""

    path: str
    text: str = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)

    def line(self, number: int) -> str:
        """The text of a line, counted from 0."""
        start = self.starts[number]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def span(self, start: int, end: int) -> Span:
        """The place of a stretch of the text; what goes on in later lines is left out."""
        row = bisect_right(self.starts, start) - 1
        line = self.line(row)
        column = start - self.starts[row]
        return Span(self.path, row + 1, column + 1, max(1, min(end - start, len(line) - column)), line)


def read(path: Path, shown: str) -> bytes:
    """The bytes of a regular file of bounded size; anything else is refused before it is read."""
    shown = shown if len(shown) <= MOST_SHOWN else f"{shown[: MOST_SHOWN // 2]}…{shown[-MOST_SHOWN // 2 :]}"
    try:
        # Not to block: a pipe without a writer would hang the open itself.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise RuleError(Problem("no-file", f"there is no file {shown}")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it has no proper name"
        raise RuleError(Problem("no-file", f"{shown} cannot be read: {reason}")) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise RuleError(Problem("not-a-file", f"{shown} is not a regular file"))
    with open(handle, "rb") as file:
        return file.read(MOST_BYTES + 1)


def decode(data: bytes, path: str) -> Source:
    """The checked text of a file: UTF-8 with or without a byte order mark, lines ended by LF or CRLF."""
    if len(data) > MOST_BYTES:
        raise RuleError(Problem("too-long", f"{path} is longer than {MOST_BYTES // 1024} KiB, the most that a rule file may have"))
    for mark, name in _MARKS:
        if data.startswith(mark):
            raise RuleError(Problem("encoding", f"{path} is {name} text; save it as UTF-8"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RuleError(_not_utf8(data, path, error)) from None
    text = text.replace("\r\n", "\n")
    source = Source(path, text, (0, *(match.end() for match in re.finditer("\n", text))))
    problems = [*_long_lines(source), *_unseen(source)]
    if problems:
        raise RuleError(problems)
    return source


def wrong_character(char: str) -> str:
    """What is wrong with a character in a rule file, or an empty text."""
    if char in "\n ":
        return ""
    kind = "an invisible character" if char in _SEEN_AS_NOTHING else _CATEGORIES.get(unicodedata.category(char), "")
    if not kind and 0xFE00 <= ord(char) <= 0xFE0F:
        kind = "an invisible character"
    if not kind:
        return ""
    name = unicodedata.name(char, "")
    return _NAMES.get(char) or f"{kind}, U+{ord(char):04X}" + (f" {name}" if name else "")


def latin(word: str) -> str:
    """The word with letters of other scripts that look like Latin ones replaced by those."""
    return word.translate(_LOOK_ALIKE)


def shipped(name: str) -> Path:
    """The folder of that name which comes with the package: inside it when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / name
    if inside.is_dir():
        return inside
    if (package.parent / "pyproject.toml").is_file() and (package.parent / name).is_dir():
        return package.parent / name
    raise FileNotFoundError(f"this installation lacks its folder '{name}'")


def _not_utf8(data: bytes, path: str, error: UnicodeDecodeError) -> Problem:
    start = data.rfind(b"\n", 0, error.start) + 1
    end = data.find(b"\n", error.start)
    line = data[start : end if end >= 0 else len(data)]
    quoted = "".join(char if char.isprintable() else "?" for char in line.decode("utf-8", "replace").replace("\ufffd", "?"))
    column = len(data[start : error.start].decode("utf-8-sig", "replace")) + 1
    span = Span(path, data.count(b"\n", 0, start) + 1, column, 1, quoted[:MOST_COLUMNS])
    return Problem("encoding", "this is not UTF-8 text (Latin-1 or a Windows code page?)", span, "save the file as UTF-8")


def _long_lines(source: Source) -> list[Problem]:
    ends = (*source.starts[1:], len(source.text) + 1)
    return [
        Problem("too-long", f"the line has more than {MOST_COLUMNS} characters", Span(source.path, row + 1, MOST_COLUMNS + 1))
        for row, (start, end) in enumerate(zip(source.starts, ends, strict=True))
        if end - start - 1 > MOST_COLUMNS
    ][:MOST_PROBLEMS]


def _unseen(source: Source) -> list[Problem]:
    if _UNUSUAL.search(source.text) is None:
        return []
    problems: list[Problem] = []
    for match in _UNUSUAL.finditer(source.text):
        wrong = wrong_character(match[0])
        if wrong:
            span = source.span(match.start(), match.end())
            shown = "".join("?" if wrong_character(char) and char != "\t" else char for char in span.quoted)
            hint = "write spaces" if match[0] == "\t" else "an ordinary space is meant?" if "space" in wrong else ""
            problems.append(
                Problem("character", f"{wrong} is not allowed here", Span(span.path, span.line, span.column, 1, shown[:MOST_COLUMNS]), hint)
            )
            if len(problems) == MOST_PROBLEMS:
                return problems
    if not problems and not unicodedata.is_normalized("NFC", source.text):
        for row in range(len(source.starts)):
            if not unicodedata.is_normalized("NFC", source.line(row)):
                span = source.span(source.starts[row], source.starts[row] + 1)
                message = "a letter of this line is written in two parts"
                problems.append(Problem("character", message, span, "save the file in the form NFC"))
    return problems[:MOST_PROBLEMS]
