"""What compiled code calls and interpreted code has by other means: instructions on machine words, chance, seats."""

# numba works out the types of the functions below; the places of the state and sets are int64, chance is uint64.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc, untyped-decorator, import-untyped, call-arg, var-annotated"

from __future__ import annotations

import inspect
import os

import numpy as np
from llvmlite import binding, ir
from numba import njit, types
from numba.extending import intrinsic

from durak_dsl.compiler.layout import CHANCE, GIVEN
from durak_dsl.compiler.runtime import GOLDEN
from durak_dsl.compiler.sums import ONE_WORD

STEP = np.uint64(GOLDEN)
FACTOR_1, FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31, HALF = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

WORD = ir.IntType(64)
NO, YES = ir.IntType(1)(0), ir.IntType(1)(1)


def instructions(build):
    """A function of words that numba replaces by the instructions which `build(builder, *words)` makes: nothing is called."""
    count = len(inspect.signature(build).parameters) - 1
    signature = types.int64(*[types.int64] * count)

    def typed(context, *words):
        return signature, lambda context, builder, signature, values: build(builder, *values)

    names = ", ".join(f"word_{number}" for number in range(count))
    space = {"typed": typed}
    exec(f"def {build.__name__}(context, {names}):\n    return typed(context, {names})", space)  # numba wants them by name
    made = space[build.__name__]
    made.__doc__ = build.__doc__
    return intrinsic(made)


# ---- sets


@instructions
def popcount(builder, mask):
    """How many elements the set has."""
    return builder.ctpop(mask)


@instructions
def bit_length(builder, mask):
    """As of an int."""
    return builder.sub(WORD(64), builder.ctlz(mask, NO))


@instructions
def lowest(builder, mask):
    """The lowest element of the set, or -1."""
    return builder.select(builder.icmp_signed("==", mask, WORD(0)), WORD(-1), builder.cttz(mask, YES))


@instructions
def highest(builder, mask):
    """The highest element of the set, or -1."""
    return builder.sub(WORD(63), builder.ctlz(mask, NO))


@instructions
def _deposited(builder, bits, mask):
    name = "llvm.x86.bmi.pdep.64"
    function = builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(WORD, [WORD, WORD]), name)
    return builder.cttz(builder.call(function, [bits, mask]), YES)


@intrinsic
def unsigned(context, index):
    """The index, which is known not to be negative."""
    return types.uint64(types.int64), lambda context, builder, signature, values: values[0]


def _kth_by_loop():
    @njit
    def kth(mask, k):
        """The element number k of the set, from the lowest (0)."""
        while k:
            mask &= mask - 1
            k -= 1
        return lowest(mask)

    return kth


def _kth_by_instruction():
    @njit
    def kth(mask, k):
        """The element number k of the set, from the lowest (0)."""
        return _deposited(1 << k, mask)

    return kth


NAMED_BY = "DURAK_PDEP"


def has_deposit() -> bool:
    """Whether the processor has the instruction that finds an element by its number; the environment variable DURAK_PDEP=0 says no."""
    return os.environ.get(NAMED_BY) != "0" and bool(binding.get_host_cpu_features().get("bmi2"))


kth = _kth_by_instruction() if has_deposit() else _kth_by_loop()


# ---- seats


@instructions
def left(builder, seat, seats):
    """The next seat."""
    following = builder.add(seat, WORD(1))
    return builder.select(builder.icmp_signed("<", following, seats), following, WORD(0))


@instructions
def right(builder, seat, seats):
    """The seat before."""
    return builder.sub(builder.select(builder.icmp_signed(">", seat, WORD(0)), seat, seats), WORD(1))


@instructions
def first_seat(builder, seats, start, mask):
    """The first seat from `start` on that is in the mask, or -1."""
    ahead = builder.shl(builder.lshr(mask, start), start)
    found = builder.select(builder.icmp_signed("==", ahead, WORD(0)), mask, ahead)
    return builder.select(builder.icmp_signed("==", mask, WORD(0)), WORD(-1), builder.cttz(found, YES))


@instructions
def last_seat(builder, seats, start, mask):
    """The last seat from `start` on that is in the mask, or -1."""
    behind = builder.and_(mask, builder.sub(builder.shl(WORD(1), start), WORD(1)))
    found = builder.select(builder.icmp_signed("==", behind, WORD(0)), mask, behind)
    return builder.sub(WORD(63), builder.ctlz(found, NO))


# ---- chance


@njit
def mixed(z):
    """splitmix64 of a state of the source."""
    z = (z ^ z >> SHIFT_30) * FACTOR_1
    z = (z ^ z >> SHIFT_27) * FACTOR_2
    return z ^ z >> SHIFT_31


@njit
def mix(seed):
    """As `compiler.runtime.mix`."""
    return mixed(seed + STEP)


@njit
def following(chance):
    """The next state of a source."""
    return chance + STEP


@njit
def word(chance):
    """The word of 32 bits that a state of a source gives."""
    return np.int64(mixed(chance) >> HALF)


@njit
def below(s, n):
    """As `compiler.runtime.below`."""
    z = np.uint64(s[CHANCE]) + STEP
    s[CHANCE] = np.int64(z)
    return np.int64(mixed(z) >> HALF) * n >> 32


@njit
def shuffle(s, base):
    """As `compiler.runtime.shuffle`."""
    if s[GIVEN]:
        s[GIVEN] = 0
        return
    for i in range(s[base] - 1, 0, -1):
        j = below(s, i + 1)
        here, there = unsigned(base + 1 + i), unsigned(base + 1 + j)
        s[here], s[there] = s[there], s[here]


@njit
def row_to_stack(s, base, most, high):
    """As `compiler.runtime.row_to_stack`."""
    found = np.empty(most * high, np.int64)
    count = 0
    for i in range(s[base]):
        for k in range(s[base + 2 + i]):
            found[count] = s[base + 2 + most + i * high + k]
            count += 1
    return found[:count]


# ---- sums: masks of one word


@njit
def with_one_more(sums, value, total):
    """As `compiler.sums.with_one_more`."""
    if total > ONE_WORD:
        raise ValueError
    return sums | (sums | 1) << value & (2 << total) - 1 if value <= total else sums


@njit
def adding_up(cards, chosen, few, most, total, worth, done):
    """As `compiler.sums.adding_up`, with a mask for each number of cards."""
    count = popcount(chosen)
    rest = chosen
    while rest:
        total -= worth[lowest(rest)]
        rest &= rest - 1
    found = done if few <= count <= most and (chosen == 0 or total == 0) else 0
    first = bit_length(chosen)
    cards = cards >> first << first
    room = min(most - count, popcount(cards))
    if total < 0 or room <= 0:
        return found
    if total > ONE_WORD:
        raise ValueError
    fewest = max(few - count - 1, 0)
    sums = np.zeros(room + 1, np.int64)
    sums[0] = 1
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
