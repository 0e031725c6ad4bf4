"""What is printed: texts in what the terminal can show, problems, JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from durak_dsl.problems import Problem

# Signs that some terminals lack, and what is printed instead.
_SPELLED = {
    "♣": "C",
    "♦": "D",
    "♥": "H",
    "♠": "S",
    "…": "...",
    "→": "->",
    "—": "-",
    "–": "-",
    "·": "|",
    "×": "x",
    "•": "*",
    "«": '"',
    "»": '"',
    "’": "'",
}
MOST_ALIKE = 5  # problems with the same message are printed one by one; of more only the first few
FEW = 3
_ASCII = "durak_dsl.ascii"
_CARETS = re.compile(r" +\| +\^+")


def note_ascii(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Note that only ASCII signs are wanted."""
    if value:
        ctx.find_root().meta[_ASCII] = True


def say(text: str = "", *, err: bool = False) -> None:
    """Print a line on the standard output (or error), in signs that it can show."""
    stream = sys.stderr if err else sys.stdout
    click.echo(spelled(text, stream), file=stream)


def spelled(text: str, stream: TextIO) -> str:
    """The text in signs that the stream can show, or in ASCII where that was asked for."""
    if text.isascii():
        return text
    if letters_only():
        return "".join(_SPELLED.get(sign, sign) for sign in text)
    if can_show(text, stream):
        return text
    return "".join(sign if can_show(sign, stream) else _SPELLED.get(sign, sign) for sign in text)


def letters_only() -> bool:
    """Whether only ASCII signs are wanted."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.find_root().meta.get(_ASCII))


def can_show(text: str, stream: TextIO | None = None) -> bool:
    """Whether the stream (the standard output) can show these signs."""
    stream = stream or sys.stdout
    try:
        text.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def chosen_colour() -> bool | None:
    """Whether NO_COLOR or FORCE_COLOR settle it; None: as the terminal is."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR", "0") not in ("", "0") else None


def say_json(value: object) -> None:
    """Print one JSON document."""
    plain = not can_show("ж♠")
    click.echo(json.dumps(value, ensure_ascii=plain, allow_nan=False, indent=2))


def say_problems(problems: Iterable[Problem], *, err: bool = False, summary: bool = True) -> None:
    """Print problems, and how many they are."""
    found = [*problems]
    alike = Counter((problem.code, problem.message) for problem in found)
    shown: Counter[tuple[str, str]] = Counter()
    for problem in found:
        kind = (problem.code, problem.message)
        shown[kind] += 1
        if alike[kind] > MOST_ALIKE and shown[kind] > FEW:
            if shown[kind] == alike[kind]:
                say(f"and {alike[kind] - FEW} more like it: {problem.message}", err=err)
            continue
        for number, line in enumerate(str(problem).split("\n")):
            if not number:
                place = f"{problem.span}: " if problem.span else ""
                line = click.style(place + ("warning: " if problem.warning else "") + line.removeprefix(place), bold=True)
            elif _CARETS.fullmatch(line):
                line = click.style(line, fg="yellow" if problem.warning else "red")
            say(line, err=err)
    if summary:
        say(counted(found), err=err)


def counted(problems: Iterable[Problem]) -> str:
    """How many problems and warnings these are: `2 problems, 1 warning`."""
    found = [*problems]
    warnings = sum(problem.warning for problem in found)
    parts = [amount(len(found) - warnings, "problem")] if len(found) > warnings or not warnings else []
    return ", ".join([*parts, *([amount(warnings, "warning")] if warnings else [])])


def amount(number: int, word: str, ending: str = "s") -> str:
    """A number with its noun: `1 problem`, `2 problems`."""
    return f"{number:,} {word}{'' if number == 1 else ending}"


def thrown_away(said: str) -> str:
    """What is said when so many deals have been played that nobody will hear of."""
    return f"interrupted: {said} played and thrown away"


def say_not_kept() -> None:
    """Say why machine code is not there for the next run, where it was to be kept."""
    from durak_dsl import cache

    if why := cache.why_nothing():
        say(f"machine code was made for this run alone, because {why}", err=True)


def json_problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """The problems as plain values."""
    return [problem.as_json() for problem in problems]
