"""The values of the language as texts, both ways: `5`, `yes`, `6C`, `hearts`, `P2`, `none`; a set as its elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from durak_dsl.compiler.layout import Value
from durak_dsl.language.ir import NO_NUMBER, NONE, Variable
from durak_dsl.language.types import ELEMENT_OF, Type
from durak_dsl.problems import did_you_mean, listed
from durak_dsl.table.cards import Cards, WrongText, bits, player, read_player, words

# Which copy of a card is meant: from the number that all copies share, and the copies that are taken already.
Copy = Callable[[int, int], int]


def write(value: int, kind: Type, cards: Cards, signs: bool = False, braces: bool = False) -> str:
    """The text of a value; a set in braces where asked."""
    if kind.kind == "none" or (kind.maybe and value == (NO_NUMBER if kind.kind == "number" else NONE)):
        return "none"
    if kind.kind in ("set", "stack", "row"):
        kind = Type("cards")
    if kind.kind in ELEMENT_OF:
        inner = " ".join(_write_one(one, ELEMENT_OF[kind.kind], cards, signs) for one in bits(value))
        return f"{{{inner}}}" if braces else inner
    if kind.kind == "choice":
        return kind.words[value]
    return _write_one(value, kind.kind, cards, signs)


def _write_one(value: int, kind: str, cards: Cards, signs: bool) -> str:
    if kind == "card":
        return cards.text(value, signs)
    if kind == "yes/no":
        return "yes" if value else "no"
    if kind in ("rank", "suit"):
        return (cards.ranks if kind == "rank" else cards.suits)[value]
    if kind == "player":
        return player(value)
    return str(value + 1 if kind in ("pile", "team") else value)


def write_all(value: Value, kind: Type, cards: Cards, signs: bool = False) -> str:
    """The text of the value of a variable: of each player's, one for each seat."""
    return " | ".join(write(one, kind, cards, signs) for one in (value if isinstance(value, tuple) else (value,)))


def read_all(text: str, variable: Variable, cards: Cards, seats: int) -> Value:
    """The value of a variable, one for each seat where each player has one; WrongText where it has none."""
    if not variable.each:
        return read(text, variable.type, cards, seats)
    parts = text.split("|")
    if len(parts) != seats:
        raise WrongText(f"given for {len(parts)}, and {seats} play")
    return tuple(read(part, variable.type, cards, seats) for part in parts)


def read(text: str, kind: Type, cards: Cards, seats: int, copy: Copy | None = None) -> int:
    """The value of a text; WrongText where it has none of that type."""
    copy = copy or (lambda kind, taken: free_copy(cards.copies_of(kind), taken))
    word = text.strip()
    if kind.kind in ELEMENT_OF:
        return _read_set(text, ELEMENT_OF[kind.kind], cards, seats, copy)
    try:
        if not word:
            raise WrongText(f"a {kind} is wanted here")
        if word == "none":
            if not kind.maybe:
                raise WrongText(f"none cannot stand here; a {kind} is wanted")
            return NO_NUMBER if kind.kind == "number" else NONE
        if kind.kind == "choice":
            if word not in kind.words:
                raise WrongText(f"'{word}' is none of {listed(kind.words)}", did_you_mean(word, kind.words))
            return kind.words.index(word)
        value = _read_one(word, kind.kind, cards, seats, copy)
        if kind.kind == "number" and not kind.low <= value <= kind.high:
            raise WrongText(f"{value} is not within {kind.low} to {kind.high}")
        return value
    except WrongText as error:
        raise error.further(len(text) - len(text.lstrip()), max(1, len(word))) from None


def free_copy(copies: Iterable[int], taken: int) -> int:
    """The first of these copies that is not taken; the last where all are."""
    found = -1
    for found in copies:
        if not taken >> found & 1:
            break
    return found


def _read_set(text: str, kind: str, cards: Cards, seats: int, copy: Copy) -> int:
    mask = 0
    for word, offset in words(text.replace("{", " ").replace("}", " ")):
        try:
            if word == "none" and not mask:
                continue
            value = _read_one(word, kind, cards, seats, copy, mask)
            if mask >> value & 1:
                raise WrongText(f"'{word}' comes twice")
            mask |= 1 << value
        except WrongText as error:
            raise error.further(offset, len(word)) from None
    return mask


def _read_one(word: str, kind: str, cards: Cards, seats: int, copy: Copy, taken: int = 0) -> int:
    if kind == "card":
        return copy(cards.read_kind(word), taken)
    if kind == "suit":
        return cards.read_suit(word)
    if kind == "rank":
        return cards.read_rank(word)
    if kind == "player":
        return read_player(word, seats)
    if kind == "yes/no":
        if word.casefold() not in ("yes", "no"):
            raise WrongText(f"'{word}' is neither yes nor no")
        return int(word.casefold() == "yes")
    if not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise WrongText(f"'{word}' is no number")
    return int(word) - 1 if kind in ("pile", "team") else int(word)
