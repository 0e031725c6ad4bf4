"""A page that builds rule files step by step: its blocks laid into files as a reader would do it, and its commands run there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.cli.running import run
from tests.games import ROOT

PAGE = ROOT / "docs" / "own-game.md"
LEFT_OUT = "…"

_BLOCK = re.compile(r"```(yaml|console)\n(.*?)```", re.S)
_KEY = re.compile(r"( *)([^\s#-].*?):(?= |$)")


class Block(NamedTuple):
    """A fenced block of the page: what kind it is of, its text, and where the text starts in the page."""

    kind: str
    text: str
    start: int


def blocks(page: str) -> list[Block]:
    """The blocks of YAML and of commands, in order."""
    return [Block(found[1], found[2], found.start(2)) for found in _BLOCK.finditer(page)]


def lay(file: str, addition: str) -> str:
    """The file with what is added to it: a key goes below the others of its section, one that is there already is replaced."""
    lines = file.splitlines()
    _lay(lines, 0, len(lines), _entries(addition.splitlines()))
    return "\n".join(lines) + "\n"


def _lay(lines: list[str], start: int, end: int, entries: list[list[str]]) -> int:
    """Lay entries into the section between these lines; where it ends afterwards."""
    for entry in entries:
        found = next(((at, until) for at, until in _places(lines, start, end) if _key(lines[at]) == _key(entry[0])), None)
        before = len(lines)
        if found is None:
            at = _last(lines, start, end)
            lines[at:at] = ["", *entry] if not entry[0].startswith(" ") else entry
        elif _is_section(entry) and _is_section(lines[slice(*found)]):
            _lay(lines, found[0] + 1, found[1], _entries(entry[1:]))
        else:
            lines[slice(*found)] = entry
        end += len(lines) - before
    return end


def _entries(lines: list[str]) -> list[list[str]]:
    return [lines[at:until] for at, until in _places(lines, 0, len(lines))]


def _places(lines: list[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the entries of a section begin and end, without the blank lines and comments between them."""
    keys = [(at, found) for at in range(start, end) if (found := _KEY.match(lines[at]))]
    depth = min((len(found[1]) for _, found in keys), default=0)
    starts = [at for at, found in keys if len(found[1]) == depth]
    for at, until in zip(starts, [*starts[1:], end], strict=True):
        yield at, _last(lines, at + 1, until)


def _last(lines: list[str], start: int, end: int) -> int:
    """The end of a stretch without the blank lines and comments at its end."""
    while end > start and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _key(line: str) -> str:
    found = _KEY.match(line)
    assert found is not None, f"{line!r} is no key of a section"
    return found[2]


def _is_section(entry: list[str]) -> bool:
    """Whether an entry holds keys of its own, each below the other."""
    return len(entry) > 1 and entry[0].partition("#")[0].rstrip().endswith(":") and _KEY.match(entry[1]) is not None


class Reader:
    """Somebody who goes through the page in a folder of his own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder
        self.before: str | None = None

    def take(self, block: Block) -> None:
        """Write a new file where the block is one; lay it into the last file otherwise; a trial is taken back at the next block."""
        if block.text.startswith("durak: 1\n"):
            (name,) = re.findall(r"^id: (\S+)", block.text, re.M)
            self.file = self.folder / f"{name}.yaml"
            self.file.write_text(block.text, "utf-8")
            self.before = None
            return
        now = self.before if self.before is not None else self.file.read_text("utf-8")
        trial, text = block.text.startswith("# only to try\n"), block.text.removeprefix("# only to try\n")
        self.before = now if trial else None
        self.file.write_text(lay(now, text), "utf-8")

    def told(self, block: Block) -> list[tuple[str, str, str]]:
        """Of each command of a block the line, what the page says that it prints, and what it prints."""
        found = []
        for part in re.split(r"^(?=\$ )", block.text, flags=re.M)[1:]:
            line, _, shown = part.partition("\n")
            words = re.fullmatch(r"\$ (?:echo (\S+) \| )?durak (.*)", line)
            assert words is not None, line
            result = run(*words[2].split(), typed=f"{words[1]}\n" if words[1] else None)
            found.append((line, shown, result.output))
        return found


def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed, `…` on a line of its own standing for lines that are left out."""
    parts = re.split(rf"^{LEFT_OUT}\n", shown, flags=re.M)
    return re.fullmatch("(?:.*\n)*?".join(map(re.escape, parts)), printed) is not None
