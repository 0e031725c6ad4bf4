"""What compiled code calls and interpreted code has by other means: chance, lists of cards, sums. Only ever compiled, never run as it is.

It is written in what `native.dialect` makes of emitted code: numbers, the state, arrays (`{}`), loops, and the names of `native.words`.
"""

# mypy: ignore-errors

from __future__ import annotations

from durak_dsl.compiler.layout import CHANCE, FACE_DOWN, GIVEN
from durak_dsl.native.words import above, highest, lowest, popcount

# ---- chance: the words of splitmix64, and its two factors as numbers with a sign


def mixed(z):
    """splitmix64 of a state of the source."""
    z = (z ^ above(z, 30)) * -0x40A7B892E31B1A47
    z = (z ^ above(z, 27)) * -0x6B2FB644ECCEEE15
    return z ^ above(z, 31)


def following(chance):
    """The next state of a source."""
    return chance - 0x61C8864680B583EB


def mix(seed):
    """As `compiler.runtime.mix`."""
    return mixed(following(seed))


def half(start, count):
    """The number of 32 bits that `compiler.runtime.choosing` gives after so many others; its stream begins at this state."""
    return above(mixed(start + ((count >> 1) + 1) * -0x61C8864680B583EB), (count & 1) << 5) & 0xFFFFFFFF


def below(s, n):
    """As `compiler.runtime.below`."""
    s[CHANCE] = following(s[CHANCE])
    return above(mixed(s[CHANCE]), 32) * n >> 32


def shuffle(s, base):
    """As `compiler.runtime.shuffle`."""
    if s[GIVEN]:
        s[GIVEN] = 0
    else:
        for i in range(s[base] - 1, 0, -1):
            j = base + 1 + below(s, i + 1)
            card = s[base + 1 + i]
            s[base + 1 + i] = s[j]
            s[j] = card


# ---- sets and cards in order


def kth(mask, k):
    """The element number k of the set, from the lowest (0): where the processor has no instruction that finds it."""
    while k:
        mask &= mask - 1
        k -= 1
    return lowest(mask)


def stretch(s, first, count, found):
    """Puts so many places of the state from the first on into an array; how many."""
    for place in range(count):
        found[place] = s[first + place]
    return count


def row_to_stack(s, base, most, high, found):
    """Puts what `compiler.runtime.row_to_stack` gives into an array; how many cards."""
    count = 0
    for i in range(s[base]):
        for k in range(s[base + 2 + i]):
            found[count] = s[base + 2 + most + i * high + k]
            count += 1
    return count


def unlike_piles(s, base, most, high, piles, copies):
    """As `compiler.runtime.unlike_piles`."""
    found = piles
    if piles & piles - 1:
        found = 0
        while piles:
            pile = lowest(piles)
            piles &= piles - 1
            if not like_one(s, base, most, high, found, copies, pile):
                found |= 1 << pile
    return found


def like_one(s, base, most, high, piles, copies, pile):
    """Whether the pile holds the same cards as one of these, all face up."""
    mine = base + 2 + most + pile * high
    while piles:
        other = lowest(piles)
        piles &= piles - 1
        alike = s[base + 2 + other] == s[base + 2 + pile]
        if alike:
            for k in range(s[base + 2 + pile]):
                card = s[mine + k]
                its = s[base + 2 + most + other * high + k]
                if card // copies != its // copies or s[FACE_DOWN] >> card & 1 or s[FACE_DOWN] >> its & 1:
                    alike = 0
                    break
        if alike:
            return 1
    return 0


# ---- sums: masks of one word


def with_one_more(sums, value, total):
    """As `compiler.sums.with_one_more`."""
    return sums | (sums | 1) << value & (2 << total) - 1 if value <= total else sums


def adding_up(cards, chosen, few, most, total, worth, done):
    """As `compiler.sums.adding_up`, with a mask for each number of cards."""
    count = popcount(chosen)
    first = 0
    while chosen:
        first = lowest(chosen) + 1
        total -= worth[first - 1]
        chosen &= chosen - 1
    found = done if few <= count <= most and (count == 0 or total == 0) else 0
    cards = cards >> first << first
    room = min(most - count, popcount(cards))
    if total < 0 or room <= 0:
        return found
    fewest = max(few - count - 1, 0)
    sums = {}
    sums[0] = 1
    for many in range(1, room + 1):
        sums[many] = 0
    while cards:
        card = highest(cards)
        cards ^= 1 << card
        value = worth[card]
        if value <= total:
            for many in range(fewest, room):
                if sums[many] << value >> total & 1:
                    found |= 1 << card
            for many in range(room - 1, -1, -1):
                sums[many + 1] |= sums[many] << value & (2 << total) - 1
    return found
