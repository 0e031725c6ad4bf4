"""Every word that an expression may call: what it takes, what it gives, what it means. Checker, reference and suggestions read this table.

`takes` and `gives` are codes: a kind of type; `zone` any zone; `heap` a zone or pile; `tower` a stack or pile; `set` any set; `cards` cards
in any form; `element` an element of the set given; `joined` what both are; `?` after a code: or none.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """One word: its operation in the typed meaning, the codes of what it takes and gives, a sentence and an example."""

    name: str
    op: str
    takes: tuple[str, ...]
    gives: str
    meaning: str
    example: str


_TABLE = [
    Word("size", "size", ("heap",), "number", "how many cards lie there; of a row, in all its piles", "size(me.hand)"),
    Word(
        "count",
        "count",
        ("set",),
        "number",
        "how many elements the set has; of a row, how many piles; `count(all hand)`: the cards of all hands",
        "count(table)",
    ),
    Word("top", "top", ("tower",), "card", "the top card; of a stack, or none if it is empty", "top(pile)"),
    Word("bottom", "bottom", ("tower",), "card", "the bottom card; of a stack, or none if it is empty", "bottom(stock)"),
    Word("under", "under", ("tower",), "card?", "the card under the top one, or none", "under(pile)"),
    Word(
        "cards",
        "cards",
        ("cards",),
        "cards",
        "the cards of a zone, pile or set of piles as a set; with `where`, those of which it holds",
        "cards(pile in table where odd(size(pile)))",
    ),
    Word("known", "known", ("zone",), "cards", "the cards of an open zone that lie face up", "ranks(known(table))"),
    Word("ranks", "ranks of", ("cards",), "ranks", "the ranks of these cards", "ranks(p.hand)"),
    Word("suits", "suits of", ("cards",), "suits", "the suits of these cards", "suits(p.hand)"),
    Word(
        "lowest",
        "lowest",
        ("set",),
        "element?",
        "the lowest card (by rank, then suit) or rank, or none of an empty set",
        "lowest(ranks(p.hand))",
    ),
    Word(
        "highest",
        "highest",
        ("set",),
        "element?",
        "the highest card (by rank, then suit) or rank, or none of an empty set",
        "highest(ranks(p.hand))",
    ),
    Word("odd", "odd", ("number",), "yes/no", "whether the number is odd", "odd(size(pile))"),
    Word("even", "even", ("number",), "yes/no", "whether the number is even", "even(size(pile))"),
    Word("min", "min", ("number", "number"), "number", "the smaller of the two", "min(room, 2)"),
    Word("max", "max", ("number", "number"), "number", "the larger of the two", "max(0, n - 1)"),
    Word("left", "left", ("player",), "player", "the next seat clockwise", "left(dealer)"),
    Word("right", "right", ("player",), "player", "the next seat counter-clockwise", "right(dealer)"),
    Word("holder", "holder", ("card",), "player?", "the player in whose own zone, such as a hand, the card lies, or none", "holder(QS)"),
    Word("number", "pips", ("rank",), "number", "the number on a card of that rank, 0 where it has none", "number(card.rank)"),
    Word("either", "either", ("any?", "any?"), "joined", "the first, or the second when the first is none", "either(taker, leader)"),
    Word(
        "random",
        "random",
        ("set",),
        "element?",
        "one of them by chance, or none of a set that may be empty; in statements and in what a match keeps only, "
        "not for each element of something nor handed to a definition",
        "random(players)",
    ),
    Word(
        "sum",
        "sum",
        ("number",),
        "number",
        "the sum of something over a collection, with `where` if wanted",
        "sum(number(c.rank) for c in p.hand)",
    ),
    Word(
        "makes",
        "makes",
        ("number", "number"),
        "yes/no",
        "whether some of the values over a collection, one or more, add up to the number",
        "makes(number(c.rank) for c in p.hand, 15)",
    ),
]

WORDS = {word.name: word for word in _TABLE}
