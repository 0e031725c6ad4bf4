"""Numbers that add up: what can be made of some of them, as masks in which bit n stands for the sum n. Emitted code calls this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from durak_dsl.compiler.runtime import bits

ONE_WORD = 61  # a mask of sums up to this is one machine word

Worth = Mapping[int, int] | Sequence[int]


def with_one_more(sums: int, value: int, total: int) -> int:
    """The sums that can be made of at least one of some numbers, when one more may be taken; nothing above the total counts."""
    return sums | (sums | 1) << value & (2 << total) - 1 if value <= total else sums


def adding_up(cards: int, chosen: int, few: int, most: int, total: int, worth: Worth, done: int) -> int:
    """The cards that may follow those chosen on the way to a total, and *done* where it is reached, or none are chosen and need be."""
    count = chosen.bit_count()
    total -= sum(worth[card] for card in bits(chosen))
    found = done if few <= count <= most and (not chosen or not total) else 0
    last = chosen.bit_length()
    cards = cards >> last << last
    room = min(most - count, cards.bit_count())
    if total < 0 or room <= 0:
        return found
    # For each number of cards, the sums that so many of the cards from here up make: one mask, a part of it for each number.
    part = 2 * total + 1
    ones = (1 << part) - 1
    kept = ((1 << part * (room + 1)) - 1) // ones * ((2 << total) - 1)
    fewest = max(few - count - 1, 0)
    wanted = ((1 << part * (room - fewest)) - 1) // ones << part * fewest + total if fewest < room else 0
    sums = 1
    while cards:
        card = cards.bit_length() - 1
        cards ^= 1 << card
        if worth[card] <= total:
            more = sums << worth[card]
            if more & wanted:
                found |= 1 << card
            sums |= more << part & kept
    return found
