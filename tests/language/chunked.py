"""Chunks: edits of the small game, with what must be said about them, exactly and where, in comments under the guilty lines.

    === title
    define:
      +x: leadr == P1
    #     ^^^^^ unknown name 'leadr' in 'edit', an edit of 'game' | did you mean 'leader'?

The carets show the column and length, then comes the message, then the hint behind ` | `. What cannot be shown so (another file, a first
column) stands at the end of the chunk: `#@ game.yaml:12:3:5 message | hint`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from durak_dsl.language.check import check
from durak_dsl.problems import Problem, RuleError
from durak_dsl.source import overlay

HERE = Path(__file__).parent
GAME = (HERE / "game.yaml").read_text("utf-8")
HEAD = "durak: 1\nid: edit\nchanges: game\n"
SAID = re.compile(r"#( *\^+ .*|@ .*)\Z")


@dataclass(frozen=True)
class Chunk:
    """An edit, as it is written, without what must be said."""

    title: str
    said: str
    text: str

    @property
    def file(self) -> str:
        """The whole file."""
        return self.text if self.text.startswith("durak:") else HEAD + self.text


def chunks(path: Path) -> list[Chunk]:
    """The chunks of a file."""
    found = []
    for block in re.split(r"^=== ", path.read_text("utf-8"), flags=re.M)[1:]:
        title, _, said = block.partition("\n")
        text = "\n".join(line for line in said.split("\n") if not SAID.match(line))
        found.append(Chunk(title.strip(), said.strip("\n") + "\n", text.strip("\n") + "\n"))
    return found


def introduction(path: Path) -> str:
    """What stands before the first chunk."""
    return re.split(r"^=== ", path.read_text("utf-8"), flags=re.M)[0]


def answered(chunk: Chunk, folder: Path) -> str:
    """The chunk with what is said about it, in a folder where the small game lies as well; the folder is the working one."""
    (folder / "game.yaml").write_text(GAME, "utf-8")
    (folder / "edit.yaml").write_text(chunk.file, "utf-8")
    try:
        check(overlay.resolve("edit.yaml"))
    except RuleError as error:
        return _with_comments(chunk, error.problems)
    return chunk.text


def _with_comments(chunk: Chunk, problems: tuple[Problem, ...]) -> str:
    lines = chunk.text.rstrip("\n").split("\n")
    head = chunk.file.count("\n") - chunk.text.count("\n")
    under: dict[int, list[str]] = {}
    last = []
    for problem in problems:
        words = (
            problem.message + "".join(f" ({text} {span})" for text, span in problem.also) + (f" | {problem.hint}" if problem.hint else "")
        )
        span = problem.span
        if span is None or span.path != "edit.yaml" or span.column < 2 or span.line <= head:
            last.append(f"#@ {span}{f':{span.length}' if span else ''} {words}")
        else:
            under.setdefault(span.line - head, []).append("#" + " " * (span.column - 2) + "^" * span.length + " " + words)
    found = []
    for number, line in enumerate(lines, 1):
        found += [line, *under.get(number, [])]
    return "\n".join([*found, *last]) + "\n"
