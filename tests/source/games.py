"""Small rule files for tests, and chunks: files in a text, with what must be said about a line written behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

BASE = """\
durak: 1
id: base
names: {en: Base, ru: Основа}
players: {count: 2 to 6}
deck: {ranks: 6 7 8 9, suits: clubs spades, start in: talon}
options:
  size: {range: 1 to 6, default: 3, en: How many, ru: Сколько}
  who: {choose: all leader, default: all, en: Who, ru: Кто}
zones:
  talon: {stack: one, seen by: nobody}
  table: {piles: one, seen by: all}
  hand: {set: each, seen by: owner}
variables:
  leader: player
define:
  beats(card, card target):
    any:
      higher: card.suit == target.suit and card.rank > target.rank
  limit(number cards): cards
  room: limit(size)
procedures:
  end bout:
    clear: move table to talon
    out: leader = left(leader)
    next: go play
phases:
  play: {actor: leader}
moves:
  lay:
    in: play
    pick: {card: me.hand}
    when:
      fits: room > 0
    do:
      lay: move card to new pile of table
      go on: stay
    say: {en: "{me} lays {card}", ru: "{me} кладёт {card}"}
finish: {loser: none}
"""


@dataclass(frozen=True)
class Chunk:
    """Files by name, and what must be said: file, line, words."""

    title: str
    files: dict[str, str]
    said: tuple[tuple[str, int, str], ...]


def chunks(path: Path) -> list[Chunk]:
    """`=== title`, then `--- file` before each file (`edit.yaml` where there is none); `##! words` ends a guilty line."""
    found = []
    for block in re.split(r"^=== ", path.read_text("utf-8"), flags=re.M)[1:]:
        title, _, rest = block.partition("\n")
        parts = re.split(r"^--- (\S+)\n", rest, flags=re.M)
        named = list(zip(parts[1::2], parts[2::2], strict=True)) or [("edit.yaml", parts[0])]
        files, said = {}, []
        for name, text in named:
            lines = []
            for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
                code, *words = re.split(r"\s*##! ", line)
                lines.append(code)
                said += [(name, number, word.strip()) for word in words]
            files[name] = "\n".join(lines) + "\n"
        found.append(Chunk(title.strip(), files, tuple(said)))
    return found
