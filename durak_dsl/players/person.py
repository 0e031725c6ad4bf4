"""What somebody types, understood: a move by its number or text, or a wish about the game."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from durak_dsl.problems import IllegalMove

if TYPE_CHECKING:
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table

SHORTEST = 3  # letters with which a sentence may be begun


class Wish(enum.Enum):
    """What may be asked for instead of a move."""

    HELP = "help"
    STATE = "state"
    UNDO = "undo"
    QUIT = "quit"


class NoSuchNumber(Exception):
    """A number that no move has."""


WISHES = {
    "?": Wish.HELP,
    "help": Wish.HELP,
    "помощь": Wish.HELP,
    "": Wish.STATE,
    "state": Wish.STATE,
    "стол": Wish.STATE,
    "undo": Wish.UNDO,
    "назад": Wish.UNDO,
    "quit": Wish.QUIT,
    "exit": Wish.QUIT,
    "q": Wish.QUIT,
    "выход": Wish.QUIT,
}


def understand(line: str, table: Table, moves: Sequence[Move], sentences: Sequence[str]) -> Move | Wish:
    """The move or wish of a line: the number of a move, its notation, cards alone where one move fits, or how its sentence begins.

    An empty line means the only move where there is one. IllegalMove says why a move cannot be made.
    """
    text = line.strip()
    if not text and len(moves) == 1:
        return moves[0]
    wish = WISHES.get(text.casefold())
    if wish is not None and not (text and _named(text, table)):
        return wish
    if text.isascii() and text.isdigit():
        if len(text) > 5 or not 1 <= int(text) <= len(moves):
            raise NoSuchNumber(text)
        return moves[int(text) - 1]
    try:
        return table.move(text, table.actor)
    except IllegalMove:
        said = _folded(text)
        known = [(_folded(sentence), move) for sentence, move in zip(sentences, moves, strict=True)]
        begun = [move for sentence, move in known if len(said) >= SHORTEST and sentence.startswith(said)]
        for meant in ([move for sentence, move in known if sentence == said], begun):
            if len(meant) == 1:
                return meant[0]
        raise


def _named(text: str, table: Table) -> bool:
    """Whether the rules have a move of that notation, which then is meant."""
    return any(rule.write.casefold() == text.casefold() for rule in table.game.rules.moves.values())


def _folded(text: str) -> str:
    """The words of a text without case, signs between them, `ё` as `е`."""
    plain = unicodedata.normalize("NFC", text).casefold().replace("ё", "е")
    return " ".join(re.findall(r"[^\s:;,.!?()]+", plain))
