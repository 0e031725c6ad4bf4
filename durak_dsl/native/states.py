"""States as machine code has them: arrays of machine words, one or two for each place, the lower first."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

from durak_dsl.compiler.layout import CHANCE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import MASK64, State

MOST_BITS = (62, 126)  # of masks of one machine word and of two: room is left for *done* and the sign
Words = Any  # a ctypes array of 64-bit numbers


def words_of(program: Program) -> int:
    """How many machine words a set of cards, a mask of what is legal, and so each place take; ValueError where two are too few."""
    cards = program.rules.deck.grid * program.rules.deck.copies
    values = max((segment.size for node in program.nodes for segment in node.segments), default=0)
    for words, most in enumerate(MOST_BITS, 1):
        if cards <= most and values <= most + 1:
            return words
    what = f"number {cards}" if cards > MOST_BITS[-1] else f"have a pick among {values:,} values"
    raise ValueError(f"machine code has sets of at most {MOST_BITS[-1]}; these rules {what}")


def signed(value: int) -> int:
    """The number that the lower 64 bits of this one are, the uppermost being its sign."""
    return (value & MASK64 ^ 1 << 63) - (1 << 63)


def array(values: Iterable[int]) -> Words:
    """An array of these numbers of 64 bits."""
    words = [*values]
    return (ctypes.c_int64 * len(words))(*words)


def packed(values: Iterable[int], words: int) -> Words:
    """Numbers of so many words each as an array."""
    if words == 1:
        return array(map(signed, values))
    return array(part for value in values for part in (signed(value), value >> 64))


def numbers(found: Words, words: int) -> list[int]:
    """The numbers of so many words each in an array."""
    if words == 1:
        return [*found]
    return [(low & MASK64) + (high << 64) for low, high in zip(found[::2], found[1::2], strict=True)]


def state_of(found: Words, words: int) -> State:
    """The state in an array, as interpreted code has it."""
    state = numbers(found, words)
    state[CHANCE] &= MASK64
    return state
