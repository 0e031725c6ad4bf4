"""The fused form of a deal: it agrees with the step form in what is asked of its end, and what is kept in the state besides is true."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from durak_dsl.compiler.fuse import BY_LOOP, in_turn
from durak_dsl.compiler.hone import apart, by_identity, rows_apart, without_copies
from durak_dsl.compiler.layout import ACTOR, NODE
from durak_dsl.compiler.once import once
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import BIT, BUT, Strided, choosing, kth
from durak_dsl.compiler.spare import asked, without_unread
from durak_dsl.compiler.straight import late, straight
from durak_dsl.language.check import check, settle
from durak_dsl.source import overlay
from durak_dsl.study.playout import playout, playout_by_steps
from tests.games import VARIANTS, program_of, results


@pytest.mark.parametrize("name", VARIANTS)
def test_both_forms_end_alike(name: str) -> None:
    program = program_of(name)
    for seats in program.rules.counts:
        for seed in range(3):
            fused = program.new(seats, seed)
            stepped = fused.copy()
            assert playout(program, fused, choosing(seed)) == playout_by_steps(program, stepped, choosing(seed))
            assert results(program, fused) == results(program, stepped)


FAR = """durak: 1
id: far
names: {en: Far, ru: Даль}
players: {count: 2}
deck: {ranks: 6 7 8 9, suits: clubs spades, start in: stock}
zones:
  stock: {stack: one, seen by: nobody}
variables:
  far: 0 to 1000
setup: {begin: go one}
phases:
  one: {actor: P1}
moves:
  further:
    in: one
    pick: {amount: far to 1000}
    do: {note: far = amount, on: stay}
    say: {en: "{amount}", ru: "{amount}"}
  stop:
    in: one
    do: end deal
    say: {en: stop, ru: стоп}
finish: {place(player p): 1, loser: none, scores: {reached(player p): far}}
"""


def test_values_are_found_beyond_all_bits_that_are_kept_in_a_table(tmp_path: Path) -> None:
    path = tmp_path / "far.yaml"
    path.write_text(FAR, "utf-8")
    rules = check(overlay.resolve(str(path)))
    program = Program(rules, settle(rules, {}))
    for seed in range(20):
        fused, stepped = program.new(2, seed), program.new(2, seed)
        assert playout(program, fused, choosing(seed)) == playout_by_steps(program, stepped, choosing(seed))
        assert results(program, fused) == results(program, stepped)


@pytest.mark.parametrize("name", VARIANTS)
def test_masks_that_repeat_what_stands_elsewhere_are_true_after_each_step(name: str) -> None:
    program = program_of(name)
    seats = max(program.rules.counts)
    state, words = program.new(seats, 5), choosing(5)
    for _ in range(300):
        afresh = state.copy()
        program.layout.refresh(afresh)
        assert afresh == state
        mask = program.legal(state)
        if not mask:
            break
        for _ in range(words() * mask.bit_count() >> 32):
            mask &= mask - 1
        program.apply(state, (mask & -mask).bit_length() - 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("v1_n0 = s1\nx = y[v1_n0]", "v1_n0 = s1\nx = y[s1]"),
        ("v1_n0 = s1\ns1 = 2\nx = v1_n0", "v1_n0 = s1\ns1 = 2\nx = v1_n0"),  # the first is another one now
        ("v1_n0 = s1\nif z:\n    s1 = q\nx = v1_n0", "v1_n0 = s1\nif z:\n    s1 = q\nx = v1_n0"),
        ("v1_n0 = s1\nif z:\n    s1 = q\n    continue\nx = v1_n0", "v1_n0 = s1\nif z:\n    s1 = q\n    continue\nx = s1"),
        ("v1_n0 = s1\nwhile v1_n0 < z:\n    s1 += 1", "v1_n0 = s1\nwhile v1_n0 < z:\n    s1 += 1"),
        ("if s5 != 0:\n    x = s5\nelse:\n    x = s5 | y", "if s5 != 0:\n    x = s5\nelse:\n    x = y"),
        ("if s5 != 0:\n    x = 1\nelif s5 > 0:\n    x = 2", "if s5 != 0:\n    x = 1"),
        ("s5 = 0\nif z:\n    s5 = q\nx = s5 | y", "s5 = 0\nif z:\n    s5 = q\nx = s5 | y"),
        ("s5 = 0\nfor q in y:\n    s5 |= q", "s5 = 0\nfor q in y:\n    s5 |= q"),
        ("bit = BIT[a]\nx ^= BIT[a]", "bit = BIT[a]\nx ^= bit"),
        ("bit = BIT[a]\na = 3\nx ^= BIT[a]", "bit = BIT[a]\na = 3\nx ^= BIT[3]"),
    ],
)
def test_copies_and_numbers_are_read_where_they_come_from(before: str, after: str) -> None:
    made = without_copies(ast.parse(before).body, {"v1_n0"})
    assert "\n".join(map(ast.unparse, made)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\ny = x", "pass"),
        ("x |= y", "pass"),
        ("if y > 0:\n    x = 1", "pass"),
        ("if y > 0:\n    x = 1\nelse:\n    z = 1", "if not y > 0:\n    z = 1"),
        ("x = f(y)", "x = f(y)"),
        ("p[2 * v] = 1", "pass"),
        ("p[1 + v * 2] = 1\nz = p[v * 2]", "z = p[v * 2]"),
        ("p[1 + v * 2] = 1\nz = p[v]", "p[1 + v * 2] = 1\nz = p[v]"),
        ("p[1 + v * 2] = 1\nz = p[3]", "p[1 + v * 2] = 1\nz = p[3]"),
        ("p[4] = 1\nz = p[3]", "z = p[3]"),
        ("p[v] = 1\nz = f(p)", "p[v] = 1\nz = f(p)"),
        ("s[4] = 1", "s[4] = 1"),
    ],
)
def test_what_nothing_reads_is_not_set(before: str, after: str) -> None:
    made = without_unread(ast.parse(before).body, {"z"})
    assert "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in made) == after.replace("pass", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("t1_n0 = 0\nwhile z:\n    t1_n0 |= z\nm0_n0 = t1_n0", "m0_n0 = 0\nwhile z:\n    m0_n0 |= z\nt1_n0 = m0_n0"),
        ("t1_n0 = s1\nt1_n0 |= z\ns1 = t1_n0", "t1_n0 = s1\nt1_n0 |= z\ns1 = t1_n0"),  # it is read meanwhile
        ("t1_n0 = 0\nif z:\n    break\ns1 = t1_n0", "t1_n0 = 0\nif z:\n    break\ns1 = t1_n0"),
        ("t1_n0 |= 1\ns1 = t1_n0", "t1_n0 |= 1\ns1 = t1_n0"),
        ("if x > 0:\n    x = y\nif x > 0:\n    z = x", "if x > 0:\n    x = y\n    if x > 0:\n        z = x"),
        ("if x:\n    z = 1\nelse:\n    x = 1\nif x:\n    z = x", "if x:\n    z = 1\nelse:\n    x = 1\nif x:\n    z = x"),
        ("if f(x):\n    x = y\nif f(x):\n    z = x", "if f(x):\n    x = y\nif f(x):\n    z = x"),
        ("if x != 0 and y.bit_count() > 0 and k >= 1:\n    z = 1", "if x and y and k:\n    z = 1"),
        ("while y.bit_count() == 0 or x == 0:\n    z = 1", "while not y or not x:\n    z = 1"),
        ("if x > 0 or y.bit_count() > 1 or k >= 2:\n    z = 1", "if x > 0 or y.bit_count() > 1 or k >= 2:\n    z = 1"),
    ],
)
def test_detours_are_left_out(before: str, after: str) -> None:
    made = straight(ast.parse(before).body, {"k"})
    assert "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in made) == after


LATE = [
    ("t1_n0 = x\nx = x + 1\ny |= t1_n0\nz = 1", "t1_n0 = x\ny |= x\nx = x + 1\nz = 1"),
    ("t1_n0 = x\nx = x + 1\ny |= t1_n0 | x", "t1_n0 = x\nx = x + 1\ny |= t1_n0 | x"),  # it is read meanwhile
    ("t1_n0 = x\nx = 0\nx = x + 1\ny |= t1_n0", "t1_n0 = x\nx = 0\nx = x + 1\ny |= t1_n0"),  # no copy any more
    ("t1_n0 = x\nx = x + 1\nt1_n0 = 0\ny |= t1_n0", "t1_n0 = x\nx = x + 1\nt1_n0 = 0\ny |= t1_n0"),
    ("t1_n0 = x\nx = x + 1\nif z:\n    break\ny |= t1_n0", "t1_n0 = x\nx = x + 1\nif z:\n    break\ny |= t1_n0"),
    ("t1_n0 = x\nx = x + 1\ny = f(t1_n0)", "t1_n0 = x\nx = x + 1\ny = f(t1_n0)"),
    ("t1_n0 = x\nz = y\nif z:\n    z = t1_n0", "z = y\nif z:\n    t1_n0 = x\n    z = t1_n0"),
    ("t1_n0 = x\nif z:\n    y = 1\nelse:\n    y = t1_n0", "if z:\n    y = 1\nelse:\n    t1_n0 = x\n    y = t1_n0"),
    ("t1_n0 = x\nif z:\n    y = t1_n0\ny = t1_n0", "t1_n0 = x\nif z:\n    y = t1_n0\ny = t1_n0"),
    ("t1_n0 = x\nif t1_n0:\n    y = t1_n0", "t1_n0 = x\nif t1_n0:\n    y = t1_n0"),
    ("t1_n0 = p[x]\np[z] = 1\nif z:\n    y = t1_n0", "t1_n0 = p[x]\np[z] = 1\nif z:\n    y = t1_n0"),
    ("t1_n0 = x\nif f(z):\n    y = t1_n0", "t1_n0 = x\nif f(z):\n    y = t1_n0"),
    ("s1 = x\nif z:\n    y = s1", "s1 = x\nif z:\n    y = s1"),  # when the deal is over it is put back
    (
        "v1_n0 = x.bit_count()\nwhile z:\n    z = z - v1_n0",
        "if z:\n    v1_n0 = x.bit_count()\n    while z:\n        z = z - v1_n0",
    ),
    ("v1_n0 = x.bit_count()\nwhile z > v1_n0:\n    z = z - v1_n0", "v1_n0 = x.bit_count()\nwhile z > v1_n0:\n    z = z - v1_n0"),
    ("v1_n0 = x + 1\nwhile z:\n    z = z - v1_n0", "v1_n0 = x + 1\nwhile z:\n    z = z - v1_n0"),  # a test costs as much
]


@pytest.mark.parametrize(("before", "after"), LATE)
def test_what_is_not_needed_yet_is_set_later(before: str, after: str) -> None:
    made = late(ast.parse(before).body)
    assert "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in made) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("p[v] ^= x\nif not p[v]:\n    z = 1", "kept = p[v] ^ x\np[v] = kept\nif not kept:\n    z = 1"),
        ("p[v] ^= x\nif not p[w]:\n    z = 1", "p[v] ^= x\nif not p[w]:\n    z = 1"),
        ("p[v] ^= x\nif f(v) and p[v]:\n    z = 1", "p[v] ^= x\nif f(v) and p[v]:\n    z = 1"),
        ("p[f(v)] ^= x\nif p[f(v)]:\n    z = 1", "p[f(v)] ^= x\nif p[f(v)]:\n    z = 1"),
        (
            "if 6 > x.bit_count() and y:\n    z = 6 - x.bit_count()",
            "if 6 > (kept := x.bit_count()) and y:\n    z = 6 - kept",
        ),
        ("if y and 6 > x.bit_count():\n    z = x.bit_count()", "if y and 6 > x.bit_count():\n    z = x.bit_count()"),
        ("if 6 > x.bit_count():\n    y = 1\n    z = x.bit_count()", "if 6 > x.bit_count():\n    y = 1\n    z = x.bit_count()"),
        (
            "p[v] |= x\nif p[v] > y.bit_count():\n    z = y.bit_count()",
            "kept = p[v] | x\np[v] = kept\nif kept > y.bit_count():\n    z = y.bit_count()",
        ),
    ],
)
def test_what_was_just_worked_out_is_kept(before: str, after: str) -> None:
    made = once(ast.parse(before).body)
    assert "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in made) == after


@pytest.mark.parametrize("mask", [0b1, 0b1000, 0b10110, 0b1111111, 0b1000010001 << 60])
def test_a_value_is_found_by_its_number(mask: int) -> None:
    for number in range(mask.bit_count()):
        names: dict[str, Any] = {"BIT": BIT, "m": mask, "c": mask.bit_count(), "k": number}
        exec(BY_LOOP, names)
        assert names["a"] == kth(mask, number) and names["bit"] == 1 << names["a"]


def test_what_is_asked_at_the_end_of_a_deal_is_known() -> None:
    """And with a mask that repeats what stands elsewhere also that; but where a function gets the whole state it may ask for anything."""
    layout = program_of("throw-in").layout
    hand, filled = layout.zones["hand"], layout.filled["hand"]
    hands = {*range(hand, hand + layout.seats)}

    def of(text: str) -> frozenset[int] | None:
        return asked([tree for tree in ast.parse(text).body if isinstance(tree, ast.FunctionDef)], layout)

    assert of("def place(s, v): return s[13]") == {NODE, ACTOR, 13}
    assert of(f"def place(s, v): return s[{hand + 1} + v]") == {NODE, ACTOR, *hands}
    assert of(f"def place(s, v): return s[{filled}]") == {NODE, ACTOR, filled, *hands}
    assert of("def place(s, v): return s[v]") is None
    assert of("def place(s, v): return stack_cards(s, 3)") is None
    assert of("def then(s): return below(s, 3)") is None


def test_a_stretch_of_the_state_is_a_list_of_its_own() -> None:
    layout = program_of("throw-in").layout
    hand = layout.zones["hand"]
    loop = ast.parse(
        f"while z:\n    s[{hand} + v] |= x\n    y = s[{hand + 1}] & s[{hand} + v * 2 + 1]\n    s[{layout.zones['talon']} + v] = 1"
    ).body[0]
    before, after = apart(loop, layout, helped=True)
    name = f"s{hand}_"
    assert [ast.unparse(ast.fix_missing_locations(line)) for line in before] == [f"{name} = s[{hand}:{hand + layout.seats}]"]
    assert [ast.unparse(ast.fix_missing_locations(line)) for line in after] == [f"s[{hand}:{hand + layout.seats}] = {name}"]
    text = ast.unparse(ast.fix_missing_locations(loop))
    assert f"{name}[v] |= x" in text and f"y = {name}[1] & {name}[v * 2 + 1]" in text


def test_what_of_a_table_can_be_looked_at_is_a_row_of_its_own() -> None:
    loop = ast.parse("while z:\n    x = T1[v * 5 + s11 + 1] | T1[w * 5 + s12 + 1] | T2[v * 5 + s11 + 1]").body[0]
    before, made = rows_apart(loop, {"T1": 260, "T2": 2600}, {"s11"})
    assert [ast.unparse(ast.fix_missing_locations(line)) for line in before] == ["row0 = T1_5[s11 + 1]"]
    assert {name: ast.unparse(value) for name, value in made.items()} == {"T1_5": "Strided(T1, 5)"}
    assert "x = row0[v] | T1[w * 5 + s12 + 1] | T2[v * 5 + s11 + 1]" in ast.unparse(ast.fix_missing_locations(loop))
    loop = ast.parse("while z:\n    x = FIRST[s2][s13] | FIRST[s2][v] | FIRST[s13][v] | T1[s2]").body[0]
    before, made = rows_apart(loop, {"T1": 260}, {"s2"})
    assert not made
    assert [ast.unparse(ast.fix_missing_locations(line)) for line in before] == ["row0 = FIRST[s2]"]
    assert "x = row0[s13] | row0[v] | FIRST[s13][v] | T1[s2]" in ast.unparse(ast.fix_missing_locations(loop))
    loop = ast.parse("while z:\n    x = y & ~BIT[v] & ~bit").body[0]
    assert rows_apart(loop, {}, set()) == ([], {})
    assert "x = y & BUT[v] & ~bit" in ast.unparse(ast.fix_missing_locations(loop)) and all(BUT[x] == ~BIT[x] for x in range(len(BIT)))


def test_a_state_is_found_by_the_object_that_stands_for_it() -> None:
    loop = ast.parse("while z:\n    if state == 1:\n        state = 5\n    elif state < 4:\n        state = -1").body[0]
    before, numbers = by_identity(loop, 2)
    assert [ast.unparse(ast.fix_missing_locations(line)) for line in before] == ["state = (at0, at1)[state]"]
    assert numbers == {"at0": 0, "at1": 1, "at5": 5}
    wanted = "while z:\n    if state is at1:\n        state = at5\n    elif state < 4:\n        state = -1"
    assert ast.unparse(ast.fix_missing_locations(loop)) == wanted


STATE = """\
found.append({number})
if len(found) > 50:
    break
if len(found) & 1:
    if len(found) & 2:
        state = {first}
        continue
    else:
        state = {second}
        continue
state = {third}
continue"""


@pytest.mark.parametrize("order", [(), (0,), (4, 2), (8, 7, 6, 5, 4, 3, 2, 1, 0), (3, 6, 0, 1, 2, 4, 5, 7)])
def test_states_are_found_in_whatever_order_they_are_asked_for(order: tuple[int, ...]) -> None:
    jumps = {number: [(number * 4 + 3) % 9, (number + 5) % 9, (number * 2 + 1) % 9] for number in range(9)}
    states = {
        number: ast.parse(STATE.format(number=number, first=one, second=two, third=three)).body
        for number, (one, two, three) in jumps.items()
    }
    tree = ast.While(ast.Constant(True), in_turn(states, order), [])
    found: list[int] = []
    exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), "states", "exec"), {"state": 0, "found": found})
    wanted = [0]
    while len(wanted) < len(found):
        wanted.append(jumps[wanted[-1]][2 if not len(wanted) & 1 else 0 if len(wanted) & 2 else 1])
    assert found == wanted and len(found) == 51


@pytest.mark.parametrize("start", range(-9, 25))
def test_a_row_gives_what_the_table_does(start: int) -> None:
    table, step = tuple(range(100, 120)), 5
    row = Strided(table, step)[start]
    for number in range(-6, 7):
        if 0 <= start + number * step < len(table):
            assert row[number] == table[start + number * step]
