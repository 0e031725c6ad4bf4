"""Conditions become tables within a budget; what goes beyond it is tested in play, and holds of the same cards."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from durak_dsl import deal, load
from durak_dsl.compiler import tabulate
from durak_dsl.compiler.program import Program
from durak_dsl.language.check import settle
from tests.games import ROOT, rules_of

WIDE = 40

HOSTILE = """\
durak: 1
id: hostile
changes: throw-in
deck: {copies: 2}
variables:
""" + "".join(f"  +n{number}: 0 to 63\n" for number in range(WIDE))
HOSTILE += "define:\n"
HOSTILE += "".join(
    f"  +wide{n}(card): (card.rank >= 6 and n{n} + {n} < n{(n + 1) % WIDE} * 3) or (card.rank == 7 and n{n} * 2 != n{(n + 1) % WIDE})\n"
    for n in range(WIDE)
)
HOSTILE += "moves:\n  +wait:\n    in: defend\n    do: stay\n    say: {en: '{me} waits', ru: '{me} ждёт'}\n    when:\n"
HOSTILE += "".join(f"      wide {n}: count(c in me.hand where wide{n}(c)) > {n}\n" for n in range(WIDE))


def untabulated(name: str, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The compiled game without a single table of a condition."""
    monkeypatch.setattr(tabulate, "MOST_WORK", 0)
    program = Program(rules_of(name), settle(rules_of(name), {}))
    assert program.plain and program.watched
    monkeypatch.undo()
    return program


def test_a_file_cannot_make_tables_without_end(tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(HOSTILE, "utf-8")
    program = load(str(path)).program
    tables = program.plain.tables
    cards = program.rules.deck.grid * program.rules.deck.copies
    assert any(len(table.masks) == 64 * 64 for table in tables), "some are made"
    work = sum(len(table.masks) * cards * sum(1 for _ in table.condition.walk()) for table in tables if table.inputs)
    whole = WIDE * 64 * 64 * cards * sum(1 for _ in max(tables, key=lambda table: len(table.masks)).condition.walk())
    assert work <= tabulate.MOST_WORK < whole


@pytest.mark.parametrize("name", ["throw-in", "transfer-2", "czech", "tests/table/fair.yaml"])
def test_what_is_not_tabulated_holds_of_the_same_cards(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    usual = Program(rules_of(name), settle(rules_of(name), {}))
    plain = untabulated(name, monkeypatch)
    assert len(plain.plain.tables) < len(usual.plain.tables)
    for seed in range(6):
        chooser = random.Random(seed)
        seats = chooser.choice(usual.rules.counts)
        state, other = usual.new(seats, seed), plain.new(seats, seed)
        for _ in range(200):
            assert state == other
            if state[0] < 0:
                break
            mask = usual.legal(state)
            assert mask == plain.legal(other)
            choice = chooser.choice([bit for bit in range(mask.bit_length()) if mask >> bit & 1])
            usual.apply(state, choice)
            plain.apply(other, choice)


@pytest.mark.parametrize("turned", ["XH", "XS", "6D"])
def test_what_a_table_depends_on_may_be_none_where_its_condition_tests_that(turned: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A joker turned up makes no trump: what is told of a deal is then the same with tables of conditions on the trump and without."""
    dealt = deal(load("joker"), 2, deck=f"2C ... {turned}")
    assert dict(dealt.view(0).variables)["trump"] == ((-1,) if turned[0] == "X" else (1,))
    told: list[Any] = []
    untabulated("joker", monkeypatch).new(2, 0, dealt.deck, dealt.kept, told)
    assert [*map(tuple, dealt.told()[0].events)] == [*map(tuple, told)]
