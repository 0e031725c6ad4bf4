"""What somebody types, understood: a move by its number or text, or a wish about the game."""

from __future__ import annotations

import enum
import itertools
import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from durak_dsl.problems import IllegalMove
from durak_dsl.table.moves import split_seat
from durak_dsl.table.reasons import Unreadable

if TYPE_CHECKING:
    from durak_dsl.table.cards import Cards
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table

_NUMBERED = re.compile(r"[#№+−-]?\s*[0-9]+[.):]?(\s+[0-9]+)*")  # what is meant as the number of a move
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
    "отмена": Wish.UNDO,
    "отменить": Wish.UNDO,
    "quit": Wish.QUIT,
    "exit": Wish.QUIT,
    "q": Wish.QUIT,
    "выход": Wish.QUIT,
    "выйти": Wish.QUIT,
    "конец": Wish.QUIT,
}


def numbers(table: Table, moves: Sequence[Move]) -> list[int]:
    """The numbers by which moves are chosen: 1, 2, …; where a number is all that is picked, that one, and of other moves those after it."""
    pickers = {move.name for move in moves if move.picks}
    if [pick.type.kind for name in pickers for pick in table.game.rules.moves[name].picks] != ["number"]:
        return [*range(1, len(moves) + 1)]
    picked = [move.picks[0] if move.picks else None for move in moves]
    after = itertools.count(1 + max(number for number in picked if isinstance(number, int)))
    return [number if isinstance(number, int) else next(after) for number in picked]


def understand(
    line: str, table: Table, moves: Sequence[Move], phrases: Sequence[Collection[str]], notation: str = "", numbered: int = 99_999
) -> Move | Wish:
    """The move or wish of a line: the number of a move, its notation, cards alone where one move fits, or a phrase of it.

    An empty line means the only move where there is one. IllegalMove says why a move cannot be made; `notation` is the line in notation,
    where it says in other words a move that cannot be made; `numbered` is how many moves have numbers, where not all have.
    """
    text = line.strip()
    if not text and len(moves) == 1:
        return moves[0]
    wish = WISHES.get(text.casefold())
    if wish is not None and not (text and _named(text, table)):
        return wish
    if text.isascii() and text.isdigit():
        known = numbers(table, moves)[:numbered]
        if len(text) <= 5 and int(text) in known:
            return moves[known.index(int(text))]
        if known == [*range(1, len(known) + 1)]:
            raise NoSuchNumber(text)
    cards = table.game.cards
    seat, rest = split_seat(text, table.actor)
    said = folded(rest if seat == table.actor else text, cards)
    said_of = [([folded(phrase, cards) for phrase in several], move) for several, move in zip(phrases, moves, strict=True)]
    exact = [move for several, move in said_of if said in several]
    if len(exact) == 1:
        return exact[0]
    try:
        return table.move(text, table.actor)
    except IllegalMove as error:
        if isinstance(error, Unreadable) and _NUMBERED.fullmatch(text):
            raise NoSuchNumber(text) from None
        begun = [move for several, move in said_of if len(said) >= SHORTEST and any(phrase.startswith(said) for phrase in several)]
        if len(begun) == 1:
            return begun[0]
        if not isinstance(error, Unreadable):
            raise
        try:
            return table.move(notation or text, seat)
        except Unreadable as unreadable:
            meant = _by_some_cards(said, moves, str(unreadable.parts.get("move")), cards)
            if len(meant) == 1 and seat == table.actor:
                return meant[0]
            raise


def _by_some_cards(said: str, moves: Sequence[Move], name: str, cards: Cards) -> list[Move]:
    """The moves of that name in which all cards occur that are said, where some are: what is played onto the only pile need not name it."""
    named = {word for word in said.split() if cards.is_card(word)}
    return [move for move in moves if move.name == name and named and named <= set(folded(move.text(), cards).split())]


def _named(text: str, table: Table) -> bool:
    """Whether the rules have a move of that notation, which then is meant."""
    return any(rule.write.casefold() == text.casefold() for rule in table.game.rules.moves.values())


def folded(text: str, cards: Cards | None = None) -> str:
    """The words of a text without case, signs between them, `ё` as `е`, and cards in letters."""
    plain = unicodedata.normalize("NFC", text).casefold().replace("ё", "е")
    found = re.findall(r"[^\s:;,.!?()«»\"]+", plain)
    return " ".join("/".join(_in_letters(part, cards) for part in word.split("/")) for word in found) if cards else " ".join(found)


def _in_letters(word: str, cards: Cards) -> str:
    return cards.text(cards.copies_of(cards.read_kind(word))[0]).casefold() if cards.is_card(word) else word
