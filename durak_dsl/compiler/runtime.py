"""The few functions that emitted code calls: chance, stacks, rows of piles, faults. All work on the flat state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import chain
from struct import Struct

from durak_dsl.compiler.layout import CHANCE, FACE_DOWN, GIVEN
from durak_dsl.language.types import MOST_CARDS, MOST_PICKED, MOST_SEATS
from durak_dsl.problems import Span

MASK64 = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

State = list[int]
Tracked = tuple[tuple[int, int], ...]

# BIT[x]: the set that holds x alone; BUT[x]: all that is not x, to be met with a set.
BIT = tuple(1 << x for x in range(max(MOST_CARDS, MOST_PICKED) + 2))
BUT = tuple(~bit for bit in BIT)

# FROM[n][p]: the n seats clockwise from p; AFTER[n][p]: the same without p.
FROM = tuple(tuple(tuple((p + k) % n for k in range(n)) for p in range(n)) for n in range(1, MOST_SEATS + 1))
FROM = ((), *FROM)
AFTER = tuple(tuple(seats[1:] for seats in row) for row in FROM)

# FIRST[n][p][mask]: the first seat clockwise from p that is in the mask, or -1; LAST likewise the last.
FIRST = tuple(
    tuple(tuple(next((q for q in order if mask >> q & 1), -1) for mask in range(1 << n)) for order in FROM[n])
    for n in range(MOST_SEATS + 1)
)
LAST = tuple(
    tuple(tuple(next((q for q in reversed(order) if mask >> q & 1), -1) for mask in range(1 << n)) for order in FROM[n])
    for n in range(MOST_SEATS + 1)
)


class RuleFault(Exception):
    """The rules did something that they may not: left the bounds of a variable, overfilled a zone, found nobody to act."""

    def __init__(self, message: str, span: Span | None = None, hint: str = "the rules go beyond their own bounds"):
        self.message, self.hint = message, hint
        self.span = span
        super().__init__(f"{span}: {message}" if span else message)


def mix(seed: int) -> int:
    """Sixty-four well-mixed bits of the seed (splitmix64)."""
    z = (seed + GOLDEN) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def seed_of(seed: int, number: int) -> int:
    """The seed of one deal of many, from which it gives the same cards."""
    return mix(_mixed(seed) ^ number) >> 16


_mixed = lru_cache(maxsize=16)(mix)  # of the seeds of runs, not of deals


def below(s: State, n: int) -> int:
    """A number from 0 to n - 1 by chance: multiply-shift on the upper half of the next splitmix64 word."""
    z = s[CHANCE] = (s[CHANCE] + GOLDEN) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return ((z ^ (z >> 31)) >> 32) * n >> 32


AHEAD = 20  # of how many words the halves are drawn ahead: numbers as long as they need are still had quickly
UPPER, BOTH = "4xI8x", "II8x"  # which halves of a word are read from a lane

Mixing = tuple[int, int, int, Struct]  # masks of lanes, and what reads halves


@cache
def _lanes(n: int, halves: str) -> tuple[int, int, int, Mixing]:
    """For n words at once, each in a lane of 128 bits of one long number: a one in each lane, the steps of the stream, the step to the
    next n, and what mixes them.
    """
    ones = sum(1 << 128 * lane for lane in range(n))
    steps = sum(((lane + 1) * GOLDEN & MASK64) << 128 * lane for lane in range(n))
    mixing = ones * MASK64, ones * (MASK64 >> 30), ones * (MASK64 >> 27), Struct("<" + halves * n)
    return ones, steps, ones * (n * GOLDEN & MASK64), mixing


def words(s: State, n: int) -> tuple[int, ...]:
    """The upper halves of the next n splitmix64 words, worked out together: a shuffle is a good part of a short deal."""
    ones, steps, _, mixing = _lanes(n, UPPER)
    z = ones * s[CHANCE] + steps
    s[CHANCE] = z >> 128 * (n - 1) & MASK64
    return _mixed_halves(z, mixing)


def _mixed_halves(z: int, mixing: Mixing) -> tuple[int, ...]:
    """The halves of the words that come of these states, one in each lane."""
    lanes, left_by_30, left_by_27, reader = mixing
    z &= lanes
    z = (z ^ z >> 30 & left_by_30) * 0xBF58476D1CE4E5B9 & lanes
    z = (z ^ z >> 27 & left_by_27) * 0x94D049BB133111EB & lanes
    z ^= z >> 31  # what comes in from the next lane stays above its neighbour's word
    return reader.unpack(z.to_bytes(reader.size, "little"))


def choosing(seed: int) -> Callable[[], int]:
    """A source of numbers of 32 bits by which choices are made: the halves of splitmix64 words, the lower first, in a stream of its own for
    each seed, apart from that of the deal.
    """
    return chain.from_iterable(_halves(mix(mix(seed)))).__next__


def _halves(start: int) -> Iterator[tuple[int, ...]]:
    ones, steps, further, mixing = _lanes(AHEAD, BOTH)
    z = ones * start + steps
    while True:
        yield _mixed_halves(z, mixing)
        z += further


class Strided(dict[int, tuple[int, ...]]):
    """Rows by where they start, made when first wanted: element number x is that of the table at start + x * step, for an x below 0 too."""

    def __init__(self, table: tuple[int, ...], step: int):
        super().__init__()
        self.table, self.step = table, step

    def __missing__(self, start: int) -> tuple[int, ...]:
        row = self.table[start % self.step :: self.step]
        first = start // self.step
        self[start] = row = row[first:] + row[:first] if first >= 0 else (0,) * -first + row
        return row


def kth(mask: int, k: int) -> int:
    """The k-th element of the set, from the lowest (0)."""
    while k:
        mask &= mask - 1
        k -= 1
    return (mask & -mask).bit_length() - 1


def shuffle(s: State, base: int) -> None:
    """Shuffle a stack (Fisher and Yates, from the top down); a deck given card by card stays as it is, once."""
    if s[GIVEN]:
        s[GIVEN] = 0
        return
    s[base + 1 : base + 1 + s[base]] = shuffled(s, s[base + 1 : base + 1 + s[base]])


def shuffled(s: State, cards: list[int]) -> list[int]:
    """The list, shuffled in place."""
    left = len(cards)
    for word in words(s, left - 1) if left > 1 else ():
        j = word * left >> 32  # as `below`
        left -= 1
        cards[left], cards[j] = cards[j], cards[left]
    return cards


def stack_cards(s: State, base: int) -> int:
    """The cards of a stack as a set."""
    mask = 0
    for i in range(base + 1, base + 1 + s[base]):
        mask |= 1 << s[i]
    return mask


def stack_order(s: State, base: int) -> tuple[int, ...]:
    """The cards of a stack, the bottom first."""
    return tuple(s[base + 1 : base + 1 + s[base]])


def take_from_stack(s: State, base: int, card: int) -> bool:
    """Take a card out of a stack, wherever it lies in it; False if it is not there."""
    for i in range(base + 1, base + 1 + s[base]):
        if s[i] == card:
            for k in range(i, base + s[base]):
                s[k] = s[k + 1]
            s[base] -= 1
            return True
    return False


def put_into_stack(s: State, base: int, at: int, card: int) -> None:
    """Put a card at a place of a stack (0: the bottom), the cards above moving up."""
    for k in range(base + 1 + s[base], base + 1 + at, -1):
        s[k] = s[k - 1]
    s[base + 1 + at] = card
    s[base] += 1


def piles_of(s: State, count: int, heights: int, wanted: int) -> int:
    """The piles of a row whose height is one of those wanted, for heights that are not kept count of."""
    found = 0
    for i in range(s[count]):
        found |= (wanted >> s[heights + i] & 1) << i
    return found


def pile_cards(s: State, first: int, height: int) -> int:
    """The cards of one pile as a set."""
    mask = 0
    for i in range(first, first + height):
        mask |= 1 << s[i]
    return mask


def take_from_row(s: State, base: int, most: int, high: int, mask: int, tracked: Tracked) -> int:
    """Take these cards out of a row of piles (piles that become empty are gone, the others move up) and return those that were there."""
    found = s[base + 1] & mask
    count = 0
    heights, cards = base + 2, base + 2 + most
    for i in range(s[base]):
        height = 0
        for k in range(s[heights + i]):
            card = s[cards + i * high + k]
            if not mask >> card & 1:
                s[cards + count * high + height] = card
                height += 1
        if height:
            s[heights + count] = height
            count += 1
    s[base] = count
    s[base + 1] &= ~mask
    for place, held in tracked:
        piles = 0
        for i in range(count):
            piles |= (held >> s[heights + i] & 1) << i
        s[place] = piles
    return found


def onto_within(s: State, base: int, most: int, high: int, card: int, index: int, tracked: Tracked) -> int:
    """Move a card from anywhere in a row onto a pile of it, and return the place of that pile then; -1 if it would be too high."""
    heights, cards = base + 2, base + 2 + most
    if s[heights + index] == 1 and s[cards + index * high] == card:
        return index
    for i in range(index):
        if s[heights + i] == 1 and s[cards + i * high] == card:
            index -= 1  # that pile will be gone
            break
    take_from_row(s, base, most, high, 1 << card, ())
    height = s[heights + index]
    if height >= high:
        return -1
    s[cards + index * high + height] = card
    s[heights + index] = height + 1
    s[base + 1] |= 1 << card
    for place, held in tracked:
        piles = 0
        for i in range(s[base]):
            piles |= (held >> s[heights + i] & 1) << i
        s[place] = piles
    return index


def unlike_piles(s: State, base: int, most: int, high: int, piles: int, copies: int) -> int:
    """The piles without those that hold the same cards, all face up, as a lower one: which copies they are does not count."""
    if not piles & piles - 1:
        return piles
    found, seen = 0, set()
    for pile in bits(piles):
        first = base + 2 + most + pile * high
        cards = s[first : first + s[base + 2 + pile]]
        look = -1 - pile if any(s[FACE_DOWN] >> card & 1 for card in cards) else tuple(card // copies for card in cards)
        if look not in seen:
            seen.add(look)
            found |= 1 << pile
    return found


def row_to_stack(s: State, base: int, most: int, high: int) -> list[int]:
    """The cards of a row in order: pile by pile, each from the bottom."""
    heights, cards = base + 2, base + 2 + most
    return [s[cards + i * high + k] for i in range(s[base]) for k in range(s[heights + i])]


def ranks_of(mask: int, width: int) -> int:
    """The ranks of a set of cards, `width` cards a rank."""
    found = 0
    group = (1 << width) - 1
    while mask:
        rank = ((mask & -mask).bit_length() - 1) // width
        found |= 1 << rank
        mask &= ~(group << rank * width)
    return found


def suits_of(mask: int, width: int, copies: int) -> int:
    """The suits of a set of cards."""
    found = 0
    while mask:
        found |= 1 << ((mask & -mask).bit_length() - 1) % width // copies
        mask &= mask - 1
    return found


def looks(mask: int, copies: int) -> int:
    """The set with the first copies of each card instead of whichever there are: as many of each."""
    found = 0
    group = (1 << copies) - 1
    while mask:
        first = ((mask & -mask).bit_length() - 1) // copies * copies
        found |= (1 << (mask >> first & group).bit_count()) - 1 << first
        mask &= ~(group << first)
    return found


def bits(mask: int) -> list[int]:
    """The elements of a set, ascending."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def spread_ranks(mask: int, width: int) -> int:
    """All cards of the ranks of these cards."""
    return cards_of_ranks(ranks_of(mask, width), width)


def cards_of_ranks(ranks: int, width: int) -> int:
    """All cards of these ranks."""
    found = 0
    group = (1 << width) - 1
    while ranks:
        found |= group << ((ranks & -ranks).bit_length() - 1) * width
        ranks &= ranks - 1
    return found


def between(low: int, high: int) -> int:
    """The numbers from the one to the other as a mask; of none, 0."""
    return (2 << high) - (1 << low) if low <= high else 0


# ---- picks of several cards: they ascend; `width` is the number of cards a rank where all must be of one rank, else 0


def drop_highest(mask: int, count: int) -> int:
    """The set without its `count` highest elements."""
    while count > 0 and mask:
        mask ^= 1 << mask.bit_length() - 1
        count -= 1
    return mask


def enough(cards: int, few: int, width: int, done: int) -> int:
    """The cards with which a pick of at least `few` can begin, and *done* if it may be empty."""
    if few <= 0:
        return cards | done
    if not width:
        return drop_highest(cards, few - 1)
    found = 0
    group = (1 << width) - 1
    while cards:
        start = ((cards & -cards).bit_length() - 1) // width * width
        found |= drop_highest(cards & group << start, few - 1)
        cards &= ~(group << start)
    return found


def enough_of_suit(cards: int, few: int, width: int, copies: int, done: int) -> int:
    """The same where all must be of one suit."""
    if few <= 0:
        return cards | done
    found = 0
    for first in range(0, width, copies):
        found |= drop_highest(cards & same_suit(1 << first, width, copies, done.bit_length() - 1), few - 1)
    return found


def several(cards: int, chosen: int, few: int, most: int, width: int, done: int) -> int:
    """The cards that may follow those chosen, and *done* once there are `few`."""
    count = chosen.bit_count()
    last = chosen.bit_length() - 1
    more = cards >> last + 1 << last + 1 if count < most else 0
    if width:
        more &= (1 << width) - 1 << last // width * width
    more = drop_highest(more, few - count - 1)
    return more | done if count >= few else more


def same_suit(chosen: int, width: int, copies: int, cards: int) -> int:
    """All cards of the suit of the lowest card chosen."""
    first = ((chosen & -chosen).bit_length() - 1) % width // copies * copies
    found = 0
    for card in range(first, cards, width):
        found |= (1 << copies) - 1 << card
    return found


# ---- picks of a shape: what is left of it is a number, several such a mask. A table has the size of each way of the shape with the mask of
# what is left at first, then by the count of cards taken of a rank: for each that is left, what may be left then (0 is nothing, all is
# there); and for each that may be left, of what it is left when at most so many are taken.

Masks = tuple[tuple[int, ...], ...]
ShapeTable = tuple[tuple[tuple[int, int], ...], Masks, Masks]


def led_to(mask: int, row: tuple[int, ...]) -> int:
    """All to which these lead in a row of a table."""
    found = 0
    while mask:
        found |= row[(mask & -mask).bit_length() - 1]
        mask &= mask - 1
    return found


def of_shape(cards: int, chosen: int, few: int, most: int, width: int, done: int, shape: ShapeTable) -> int:
    """The cards that may follow those chosen on the way to the shape, and *done* where it is reached, or none are chosen and need be."""
    starts, after, before = shape
    left = 0
    for size, start in starts:
        if few <= size <= most:
            left |= start
    if not chosen:
        base = have = found = 0
        if few <= 0 <= most:
            found = done
    else:
        last = chosen.bit_length() - 1
        base = last // width * width
        group = (1 << width) - 1
        have = (chosen >> base).bit_count()
        chosen &= (1 << base) - 1
        while chosen and left:
            first = ((chosen & -chosen).bit_length() - 1) // width * width
            left = led_to(left, after[(chosen >> first & group).bit_count()])
            chosen &= ~(group << first)
        cards = cards >> last + 1 << last + 1
        found = done if led_to(left, after[have]) & 1 else 0
    if not left:
        return found
    closed = led_to(left, after[have])
    wanted = 1  # what may be left when the ranks from here up are still to come: from the highest down
    while cards:
        here = (cards.bit_length() - 1) // width * width
        free = cards >> here
        cards ^= free << here
        there = free.bit_count()
        begun, now = (have, left) if here == base else (0, closed)
        for count in range(begun + 1, begun + there + 1):
            if led_to(now, after[count]) & wanted:
                found |= drop_highest(free, count - begun - 1) << here
                break
        wanted = led_to(wanted, before[there])
    return found
