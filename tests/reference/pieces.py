"""The grammar piece by piece, from its file: above each rule stands what it means, and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tests.games import ROOT
from tests.reference.tables import table

GRAMMAR = ROOT / "durak_dsl" / "language" / "grammar.lark"
WIDEST = 240  # characters of a form; of the longest, a list of words, the rest is left out


@dataclass(frozen=True)
class Piece:
    """A rule or terminal of the grammar: its name, what it is written like, what it means, examples."""

    name: str
    form: str
    meaning: str = ""
    examples: tuple[str, ...] = ()

    @property
    def is_terminal(self) -> bool:
        """Whether it is found before the rules are looked at."""
        return self.name.isupper()


@dataclass(frozen=True)
class Chapter:
    """Pieces that belong together, and what is said of them all."""

    title: str
    pieces: tuple[Piece, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """The grammar, in the order of its file."""
    found: list[Chapter] = []
    for text in GRAMMAR.read_text("utf-8").split("\n// ---- ")[1:]:
        title, _, rules = text.partition("\n")
        found.append(Chapter(title, tuple(_pieces(rules))))
    return tuple(found)


def _pieces(text: str) -> Iterator[Piece]:
    said: list[str] = []
    rule = None
    for line in [*text.splitlines(), ""]:
        if rule and not line.startswith(" "):
            yield _piece(rule, said)
            rule, said = None, []
        if line.startswith("// "):
            said.append(line.removeprefix("// "))
        elif re.match(r"!?\w+(\.\d)?: ", line):
            rule = line
        elif rule:
            rule += f" {line.strip()}"


def _piece(rule: str, said: list[str]) -> Piece:
    name, _, form = rule.partition(": ")
    meaning, _, examples = " ".join(said).partition("e.g. ")
    form = " ".join(re.sub(r" -> \w+", "", form).split())
    return Piece(name.partition(".")[0].lstrip("!"), form, meaning.strip(), tuple(re.findall("`([^`]+)`", examples)))


def lines() -> list[str]:
    """The chapters of the grammar, each with a table."""
    found: list[str] = []
    for chapter in chapters():
        title, _, more = chapter.title.partition(". ")
        found += [f"### {title.rstrip('.').capitalize()}", "", *([more, ""] if more else [])]
        found += [*table(("piece", "written", "what it is", "for example"), (_row(piece) for piece in chapter.pieces)), ""]
    return found[:-1]


def _row(piece: Piece) -> tuple[str, ...]:
    form = _form(piece.form)
    if len(form) > WIDEST:
        form = f"{form[: form.rindex(' | ', 0, WIDEST)]} | …"
    return (f"`{piece.name}`", f"`{form}`", piece.meaning or "One of these.", " · ".join(f"`{example}`" for example in piece.examples))


def _form(form: str) -> str:
    """What a piece is written like; a pattern without what may not stand behind it, and as words where it is words."""
    plain = re.sub(r"\(\?!.*?\)", "", form)
    if words := re.fullmatch(r"/\(?([a-z|]+)\)?/", plain):
        return " | ".join(f'"{word}"' for word in words[1].split("|"))
    return '"|"' if plain == r"/\|/" else plain
