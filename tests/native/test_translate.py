"""What becomes of functions of the dialect in machine code, beside what Python makes of them."""

from __future__ import annotations

import ast
import ctypes
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl.compiler import runtime, sums
from durak_dsl.native import machine, source
from durak_dsl.native.dialect import native
from durak_dsl.native.expression import Array
from durak_dsl.native.states import numbers, packed, signed
from durak_dsl.native.translate import FAULT, Unit

pytestmark = pytest.mark.skipif(machine.missing() is not None, reason="llvmlite is not installed")

ROOM = 32
TABLES = {"ROWS": ((1, 2, 3), (5,), (7, 8)), "FACTOR": 3, "PAIRS": ((4, 1 << 40), (9, 2))}


def translated(text: str, parameters: str, words: int = 1) -> Callable[..., tuple[int, list[int]]]:
    """The function `f` of a text, as machine code: of an array and numbers; gives what it returns and what the array is then."""
    functions = {tree.name: native(tree) for tree in ast.parse(text).body if isinstance(tree, ast.FunctionDef)}
    source.add_helpers(functions)
    unit = Unit(functions, TABLES, ROOM, machine.deposits(), None if words == 1 else frozenset(range(16)))
    unit.export("f", [Array() if kind == "a" else 64 for kind in parameters])
    library = machine.loaded(machine.compiled(unit.text()), {"f": parameters})

    def call(cells: Sequence[int], *arguments: int) -> tuple[int, list[int]]:
        array = packed([*cells, *[0] * (ROOM - len(cells))], words)
        found = library.functions["f"](array, *map(signed, arguments))
        return found, numbers(array, words)

    return call


NAMES = ("s[20]", "s[20 + i]", "x", "y", "i")
small = st.integers(-9, 40)


def expressions() -> st.SearchStrategy[str]:
    """Expressions whose value stays small."""
    leaves = st.sampled_from(NAMES) | small.map(str) | st.sampled_from(["ROWS[i % 3][0]", "FACTOR", "ROWS[0][i & 1]"])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        test = st.tuples(inner, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
        return (
            st.tuples(inner, st.sampled_from(["+", "-", "&", "|", "^"]), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
            | st.tuples(inner, st.sampled_from(["//", "%"]), st.sampled_from([1, 2, 3, 4, -3])).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
            | st.tuples(inner, st.sampled_from(["<<", ">>"]), st.integers(0, 3)).map(lambda p: f"({p[0]} {p[1]} {p[2]})")
            | st.tuples(inner, test, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})")
            | st.tuples(test, st.sampled_from(["and", "or"]), test).map(lambda p: f"({p[0]} {p[1]} not {p[2]})")
            | st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})")
            | st.tuples(st.sampled_from(["~", "-"]), inner).map(lambda p: f"({p[0]}{p[1]})")
            | inner.map(lambda x: f"({x} & 1023).bit_count()")
            | inner.map(lambda x: f"(abs_({x})).bit_length()")
        )

    return st.recursive(leaves, larger, max_leaves=12)


PROGRAM = """
def abs_(v):
    return -v if v < 0 else v

def f(s, x, y):
    i = 0
    total = 0
    while i < 5:
        if {0}:
            total += {1}
        elif {2}:
            s[20 + i] = {3}
        else:
            x = {4}
            i += 1
            continue
        for k in range({0} & 3, 9, 2):
            if k == {2} & 15:
                break
            y ^= k
        i += 1
    s[28] = y
    return (total & 65535) + (x & 255)
"""


@given(st.lists(expressions(), min_size=5, max_size=5), st.lists(small, min_size=ROOM, max_size=ROOM), small, small)
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("words", [1, 2])
def test_programs_do_what_python_does(words: int, parts: list[str], cells: list[int], x: int, y: int) -> None:
    text = PROGRAM.format(*parts)
    space: dict[str, Callable[..., int]] = {}
    exec(text, dict(TABLES), space)
    space["f"].__globals__["abs_"] = space["abs_"]
    expected = [*cells]
    result = space["f"](expected, x, y)
    assert translated(text, "ann", words)(cells, x, y) == (result, expected)


MASK = st.integers(0, (1 << 100) - 1)


@given(MASK, MASK, st.integers(0, 99), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_sets_of_two_words(one: int, other: int, card: int, k: int) -> None:
    """Cells 0 to 15 hold sets; a bit alone is as wide as what it is put together with."""
    text = """
def f(s, card, k):
    s[2] = s[0] & ~s[1] | BIT[card]
    s[3] = s[0] ^ s[1]
    found = 0
    rest = s[3]
    while rest:
        top = rest.bit_length() - 1
        rest ^= BIT[top]
        if not top & 1:
            found |= BIT[top]
    s[4] = found
    s[5] = s[0] >> k
    s[6] = (1 << k) - 1
    s[20] = BIT[k & 7]
    s[21] = (s[0] & -s[0]).bit_length() - 1
    s[22] = kth(s[2], s[2].bit_count() - 1)
    s[23] = (s[0] >> card & 1) + s[1].bit_count()
    return s[0] == s[1]
"""
    expected = [one, other, one & ~other | 1 << card, one ^ other, (one ^ other) & int("01" * 50, 2), one >> k, (1 << k) - 1]
    last = (one & ~other | 1 << card).bit_length() - 1
    numbers_ = [1 << (k & 7), (one & -one).bit_length() - 1, last, (one >> card & 1) + other.bit_count()]
    result, cells = translated(text, "ann", 2)([one, other], card, k)
    assert (result, cells[:7], cells[20:24]) == (int(one == other), expected, numbers_)


@pytest.mark.parametrize("deposits", [True, False])
@given(mask=st.integers(1, (1 << 62) - 1), data=st.data())
@settings(max_examples=20, deadline=None)
def test_the_element_of_a_number(deposits: bool, mask: int, data: st.DataObject) -> None:
    if deposits and not machine.deposits():
        pytest.skip("the processor has no such instruction")
    functions = {tree.name: tree for tree in source.functions_in("def f(s, m, k):\n    return kth(m, k)")}
    source.add_helpers(functions)
    unit = Unit(functions, {}, ROOM, deposits)
    unit.export("f", [Array(), 64, 64])
    k = data.draw(st.integers(0, mask.bit_count() - 1))
    library = machine.loaded(machine.compiled(unit.text()), {"f": "ann"})
    assert library.functions["f"](None, mask, k) == runtime.kth(mask, k)


def test_tables_and_their_rows() -> None:
    text = """
def total(row, k):
    return row[k] + row[0]

def f(s, x, y):
    found = total(ROWS[x], y) * 1000
    for a, b in PAIRS:
        if a == 4:
            continue
        found += a * 10 + b
    first, then, last = ROWS
    return found + then[0]
"""
    assert translated(text, "ann")([], 2, 1)[0] == 15 * 1000 + 92 + 5


def test_a_fault_ends_all_that_was_called() -> None:
    text = """
def deeper(s, x):
    s[1] = x
    if x > 3:
        fault(1, x)
    s[2] = x
    return x

def f(s, x, y):
    a, b = both(s, x), deeper(s, y)
    s[3] = 1
    return a + b

def both(s, x):
    return deeper(s, x) + 1
"""
    call = translated(text, "ann")
    assert call([], 2, 3) == (6, [0, 3, 3, 1, *[0] * 28])
    assert call([], 2, 4) == (FAULT, [0, 4, 2, *[0] * 29])


def test_cards_in_order_are_put_down_before_they_are_moved() -> None:
    text = """
def f(s, x, y):
    found = 0
    for card in s[1:1 + x]:
        s[2] = 9
        found = found * 10 + card
    for card in list(reversed(s[1:1 + x])):
        found = found * 10 + card
    return found
"""
    assert translated(text, "ann")([0, 1, 2, 3], 3, 0)[0] == 123391


@given(st.integers(0, (1 << 20) - 1), st.integers(0, (1 << 20) - 1), st.integers(0, 3), st.integers(0, 5), st.integers(0, 30))
@settings(max_examples=30, deadline=None)
def test_what_is_own_adds_up_as_interpreted_code_does(cards: int, chosen: int, few: int, most: int, total: int) -> None:
    chosen &= -chosen
    worth = [card % 7 + 1 for card in range(20)]
    text = """
def f(s, cards, chosen, few, most, total):
    worth = {}
    for card in range(20):
        worth[card] = s[card]
    return adding_up(cards, chosen, few, most, total, worth, 1 << 20)
"""
    expected = sums.adding_up(cards, chosen, few, most, total, worth, 1 << 20)
    assert translated(text, "annnnn")(worth, cards, chosen, few, most, total)[0] == expected


def test_chance_is_that_of_interpreted_code() -> None:
    call = translated("def f(s, n, base):\n    shuffle(s, base)\n    return below(s, n)", "ann")
    state = [0, 0, 0, runtime.mix(5), 0, 0, 9, *range(10, 19), *[0] * 16]
    array = packed(state, 1)
    runtime.shuffle(state, 6)
    expected = runtime.below(state, 1000)
    result, cells = call(list(array), 1000, 6)
    assert (result, cells[6:16], cells[3]) == (expected, state[6:16], ctypes.c_int64(state[3]).value)
