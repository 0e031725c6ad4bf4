"""The words that an expression may call, from the table that the checker reads."""

from __future__ import annotations

from durak_dsl.language.words import WORDS
from tests.reference.tables import table

# What the codes of the table stand for.
TAKEN = {
    "any?": "anything or none",
    "card": "a card",
    "cards": "cards in any form",
    "heap": "a zone or pile",
    "number": "a number",
    "player": "a player",
    "rank": "a rank",
    "set": "a set",
    "tower": "a stack or pile",
    "zone": "a zone",
}
GIVEN = {
    "cards": "a set of cards",
    "element": "an element",
    "joined": "what both are",
    "ranks": "a set of ranks",
    "suits": "a set of suits",
    "yes/no": "yes or no",
}


def lines() -> list[str]:
    """The table of the words."""
    return table(
        ("word", "takes", "gives", "what it is", "for example"),
        (
            (f"`{word.name}`", ", ".join(TAKEN[code] for code in word.takes), _given(word.gives), word.meaning, f"`{word.example}`")
            for word in WORDS.values()
        ),
    )


def _given(code: str) -> str:
    sure = code.removesuffix("?")
    return (GIVEN.get(sure) or TAKEN[sure]) + (" or none" if code.endswith("?") else "")
