"""What can be wrong: a rule file (`RuleError`, all its problems at once) or a move (`IllegalMove`)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

WIDEST = 120  # characters of a quoted line


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of one line of a text: 1-based line and column, columns counted in characters."""

    path: str
    line: int
    column: int
    length: int = 1
    quoted: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, where, and at most one hint. `code` names the kind, for machines."""

    code: str
    message: str
    span: Span | None = None
    hint: str = ""
    also: tuple[tuple[str, Span], ...] = ()
    warning: bool = False

    def __str__(self) -> str:
        lines = [f"{self.span}: {self.message}" if self.span else self.message]
        if self.span:
            lines += caret(self.span)
        for text, span in self.also:
            lines += [f"   {text} {span}", *caret(span)]
        if self.hint:
            lines.append(f"   {self.hint}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        """The problem as plain values: code, message, path, line, column, length, hint; `also`: other places that have to do with it."""
        return {
            "code": self.code,
            "severity": "warning" if self.warning else "error",
            "message": self.message,
            **_place(self.span),
            "hint": self.hint or None,
            "also": [{"text": text, **_place(span)} for text, span in self.also],
        }


class RuleError(Exception):
    """A rule file is wrong; `problems` holds every problem found, in file order."""

    def __init__(self, problems: Iterable[Problem] | Problem):
        found = [problems] if isinstance(problems, Problem) else list(problems)
        self.problems = tuple(sorted(found, key=_file_order))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class IllegalMove(Exception):
    """A move is not legal here: `reason` says why, `span` which rule says so (None where no rule is involved).

    `kind` and `parts` say the same so that it can be put into the words of another language; "" where only English has words for it.
    """

    def __init__(self, reason: str, span: Span | None = None, kind: str = "", parts: Mapping[str, object] | None = None):
        self.reason = reason
        self.span = span
        self.kind = kind
        self.parts = parts or {}
        super().__init__(f"{reason} ({span})" if span else reason)


def caret(span: Span) -> list[str]:
    """The quoted line and a line of carets under the span; nothing where the line is not known."""
    if not span.quoted:
        return []
    line = "".join(char if char.isprintable() or char == "\t" else "?" for char in span.quoted)
    start, length = span.column - 1, max(1, span.length)
    if len(line) > WIDEST:  # only what stands around the place is shown
        first = max(0, min(start - WIDEST // 2, len(line) - WIDEST))
        shown = line[first : first + WIDEST]
        line = ("…" if first else "") + shown + ("…" if first + WIDEST < len(line) else "")
        length = max(1, min(length, first + WIDEST - start))
        start += bool(first) - first
    indent = "".join("\t" if char == "\t" else " " for char in line[:start].ljust(start))
    number = f"{span.line:5} | "
    return [number + line, " " * (len(number) - 2) + "| " + indent + "^" * length]


def did_you_mean(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """A hint naming the nearest known word, or an empty text where none is so much (up to 1) like it."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=likeness)
    return f"did you mean '{near[0]}'?" if near else ""


def listed(words: Sequence[str], last: str = "or") -> str:
    """The words as a phrase: `a, b or c`."""
    return f" {last} ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def must_be_whole(**values: object) -> None:
    """TypeError where one of the arguments, by name, is no whole number."""
    for name, value in values.items():
        if not isinstance(value, int):
            raise TypeError(f"{name} is a whole number, not {value!r}")


def _place(span: Span | None) -> dict[str, object]:
    return {name: getattr(span, name, None) for name in ("path", "line", "column", "length")}


def _file_order(problem: Problem) -> tuple[str, int, int]:
    span = problem.span
    return (span.path, span.line, span.column) if span else ("", 0, 0)
