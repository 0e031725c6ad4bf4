"""Chance: the stream of numbers is splitmix64, however many are drawn at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from durak_dsl.compiler.layout import CHANCE, GIVEN
from durak_dsl.compiler.runtime import GOLDEN, MASK64, below, mix, shuffle


def words_one_by_one(chance: int, count: int) -> list[int]:
    """The words that follow a state of the stream: each is the mixed sum of the state and one more step."""
    return [mix(chance + step * GOLDEN & MASK64) for step in range(count)]


@given(st.integers(0, MASK64), st.integers(1, 1 << 20))
def test_a_number_is_the_upper_half_of_a_word_scaled(chance: int, most: int) -> None:
    state = [0] * (CHANCE + 1)
    state[CHANCE] = chance
    assert below(state, most) == (words_one_by_one(chance, 1)[0] >> 32) * most >> 32


@given(st.integers(0, MASK64), st.integers(0, 64))
def test_a_shuffle_draws_the_same_numbers_one_after_the_other(chance: int, size: int) -> None:
    base = GIVEN + 1
    state = [0] * base + [size, *range(size)]
    state[CHANCE] = chance
    cards = list(range(size))
    words = words_one_by_one(chance, size)
    for last, word in zip(range(size - 1, 0, -1), words, strict=False):
        other = (word >> 32) * (last + 1) >> 32
        cards[last], cards[other] = cards[other], cards[last]
    shuffle(state, base)
    assert state[base + 1 :] == cards
    assert state[CHANCE] == chance + max(size - 1, 0) * GOLDEN & MASK64
