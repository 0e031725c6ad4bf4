"""Operations on machine words that are an instruction or two, as LLVM has them; nothing is called for them.

Each takes what adds an instruction and returns the name of its result, the width of its first operand in bits, and the operands. Sets have
one word or, with more cards than bits, two; seats and what comes back are always one.
"""

from __future__ import annotations

from collections.abc import Callable

Op = Callable[[str], str]
WORD = 64


def _one(op: Op, width: int, value: str) -> str:
    """The lower word of a value."""
    return value if width == WORD else op(f"trunc i{width} {value} to i{WORD}")


def popcount(op: Op, width: int, mask: str) -> str:
    """How many elements the set has."""
    return _one(op, width, op(f"call i{width} @llvm.ctpop.i{width}(i{width} {mask})"))


def _leading(op: Op, width: int, mask: str) -> str:
    return _one(op, width, op(f"call i{width} @llvm.ctlz.i{width}(i{width} {mask}, i1 false)"))


def _trailing(op: Op, width: int, mask: str) -> str:
    return _one(op, width, op(f"call i{width} @llvm.cttz.i{width}(i{width} {mask}, i1 true)"))


def bit_length(op: Op, width: int, mask: str) -> str:
    """As of an int."""
    return op(f"sub i64 {width}, {_leading(op, width, mask)}")


def highest(op: Op, width: int, mask: str) -> str:
    """The highest element of the set, or -1."""
    return op(f"sub i64 {width - 1}, {_leading(op, width, mask)}")


def lowest(op: Op, width: int, mask: str) -> str:
    """The lowest element of the set, or -1."""
    empty = op(f"icmp eq i{width} {mask}, 0")
    return op(f"select i1 {empty}, i64 -1, i64 {_trailing(op, width, mask)}")


def deposited(op: Op, width: int, mask: str, k: str) -> str:
    """The element number k of the set, from the lowest (0), which must be there: by an instruction that only some processors have."""
    if width == WORD:
        bit = op(f"shl i64 1, {k}")
        return _trailing(op, WORD, op(f"call i64 @llvm.x86.bmi.pdep.64(i64 {bit}, i64 {mask})"))
    low = _one(op, width, mask)
    high = _one(op, width, op(f"lshr i{width} {mask}, {WORD}"))
    here = popcount(op, WORD, low)
    is_low = op(f"icmp slt i64 {k}, {here}")
    half = op(f"select i1 {is_low}, i64 {low}, i64 {high}")
    before = op(f"select i1 {is_low}, i64 0, i64 {here}")
    place = deposited(op, WORD, half, op(f"sub i64 {k}, {before}"))
    return op(f"add i64 {place}, {op(f'select i1 {is_low}, i64 0, i64 {WORD}')}")


def above(op: Op, width: int, value: str, count: str) -> str:
    """The word shifted down so many places, its uppermost bit being no sign."""
    return op(f"lshr i{width} {value}, {count}")


# ---- seats


def left(op: Op, width: int, seat: str, seats: str) -> str:
    """The next seat."""
    following = op(f"add i64 {seat}, 1")
    return op(f"select i1 {op(f'icmp slt i64 {following}, {seats}')}, i64 {following}, i64 0")


def right(op: Op, width: int, seat: str, seats: str) -> str:
    """The seat before."""
    is_other = op(f"icmp sgt i64 {seat}, 0")
    return op(f"sub i64 {op(f'select i1 {is_other}, i64 {seat}, i64 {seats}')}, 1")


def first_seat(op: Op, width: int, seats: str, start: str, mask: str) -> str:
    """The first seat from `start` on that is in the mask, or -1."""
    ahead = op(f"shl i64 {op(f'lshr i64 {mask}, {start}')}, {start}")
    found = op(f"select i1 {op(f'icmp eq i64 {ahead}, 0')}, i64 {mask}, i64 {ahead}")
    return op(f"select i1 {op(f'icmp eq i64 {mask}, 0')}, i64 -1, i64 {_trailing(op, WORD, found)}")


def last_seat(op: Op, width: int, seats: str, start: str, mask: str) -> str:
    """The last seat from `start` on that is in the mask, or -1."""
    below = op(f"sub i64 {op(f'shl i64 1, {start}')}, 1")
    behind = op(f"and i64 {mask}, {below}")
    found = op(f"select i1 {op(f'icmp eq i64 {behind}, 0')}, i64 {mask}, i64 {behind}")
    return op(f"sub i64 {WORD - 1}, {_leading(op, WORD, found)}")


OF_SETS: dict[str, Callable[..., str]] = {
    made.__name__: made for made in (popcount, bit_length, highest, lowest, deposited, above, left, right, first_seat, last_seat)
}
