"""`bench`: what is printed, and what it says when something is not there."""

from __future__ import annotations

import json

import pytest

from durak_dsl.native.machine import missing
from tests.cli.running import run

SHORT = ("--rounds", "1", "--turn", "1", "--no-compile-times")
FORMS = ["fused, interpreted", "step, interpreted"]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """As without llvmlite, and without a C compiler: nothing is compiled."""
    monkeypatch.setattr("durak_dsl.native.machine.missing", lambda: "llvmlite is not installed")
    monkeypatch.setattr("durak_dsl.study.by_hand.shutil.which", lambda name: None)


def test_the_usual_table() -> None:
    result = run("bench", "--seats", "2", *SHORT)
    assert result.exit_code == 0, result.output
    said = result.stdout
    assert "throw-in lead_size=one, 2 seats" in said and "of Python by hand" in said and "of C by hand" not in said
    assert "throw-in is not compiled: llvmlite is not installed." in said
    assert "There is nothing in C to compare with: no C compiler was found" in said
    assert "met: at least 0.80 of Python by hand" in said and "met: at least 0.40 of Python by hand" in said


def test_as_json() -> None:
    found = json.loads(run("bench", "--json", "--seats", "2", "--seats", "3", *SHORT).stdout)
    assert [part["seats"] for part in found["measured"]] == [2, 3] and len(found["absent"]) == 2
    rows = found["measured"][0]["rows"]
    assert [row["name"] for row in rows] == ["Python by hand", *FORMS]
    for row in rows:
        assert row["decisions_per_second"] > row["deals_per_second"] > 0
    assert rows[1]["bar"]["met"] == (rows[1]["ratios"]["Python by hand"] >= rows[1]["bar"]["at_least"])
    assert found["compiling"] == []


def test_several_rules_are_compared_with_the_first() -> None:
    found = json.loads(run("bench", "simple", "cross", "--seats", "4", "--json", *SHORT).stdout)
    assert {(part["rules"], part["seats"]) for part in found["measured"]} == {("simple", 4), ("cross", 4)}
    assert all([*row["ratios"]] == ["simple"] for part in found["measured"] for row in part["rows"])
    said = run("bench", "simple", "cross", "--seats", "4", *SHORT).stdout
    assert "fused, interpreted, 4 seats\n" in said and "of the first" in said


def test_what_cannot_be_measured() -> None:
    assert "is played by" in run("bench", "--seats", "9").stderr
    assert run("bench", "partners", "--seats", "3").exit_code == 2


def test_bars_of_one_game_with_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setattr("durak_dsl.native.machine.missing", missing)
    monkeypatch.setattr("durak_dsl.study.bulk.processors", lambda: 2)
    monkeypatch.setattr("durak_dsl.study.bench.compile_times", lambda *asked: (3.5, 0.02))
    asked = ("bench", "simple", "--seats", "2", "--rounds", "1", "--turn", "1", "--compile-times")
    found = json.loads(run(*asked, "--json").stdout)
    assert found["workers"]["seats"] == 2 and found["workers"]["met"] == (found["workers"]["ratio"] >= 1.8)
    (compiling,) = found["compiling"]
    assert compiling["seconds"]["fused"] == [3.5, 0.02] and [bar["met"] for bar in compiling["bars"]["fused"]] == [False, True]
    said = run(*asked).stdout
    assert "compiling simple, step: 3.50 s, not met: at most 3 s; from the cache 0.020 s, met: at most 0.05 s\n" in said
    assert "two workers, 2 seats: " in said
    monkeypatch.setattr("durak_dsl.study.bulk.processors", lambda: 1)
    assert "There is one processor: two workers are not measured." in run(*asked).stdout
