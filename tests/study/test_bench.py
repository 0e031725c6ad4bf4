"""What plays by hand plays what the rules say; and no form has become much slower than it was, beside it in one run."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from durak_dsl.native.machine import missing
from durak_dsl.study import bench, by_hand
from durak_dsl.study.bench import Runner
from durak_dsl.study.playout import Endless
from tests.games import ROOT, program_of

SETTINGS = {"lead_size": "one"}


def in_c() -> Runner:
    try:
        return by_hand.in_c()
    except by_hand.Absent as absent:
        pytest.skip(str(absent))


@pytest.mark.parametrize("seats", by_hand.SEATS)
def test_both_by_hand_play_the_same_deals(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    in_c()
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    import durak_bits  # type: ignore[import-not-found,unused-ignore]

    for deposit in (True, False):
        run = ctypes.CDLL(str(by_hand.library(deposit))).limit_run
        run.argtypes = [ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p]
        counts = (ctypes.c_uint64 * by_hand.COUNTS)()
        run(seats, 50, 7, counts)
        assert list(counts) == durak_bits.run(seats, 50, 7, True)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_by_hand_is_played_what_the_rules_say(seats: int) -> None:
    """The mean number of decisions is that of the rules, within five standard errors (one of a deal is less than 40)."""
    deals = 1500
    mine = bench.interpreted(program_of("throw-in", SETTINGS), "fused").play(seats, deals, 1) / deals
    assert abs(by_hand.in_python().play(seats, deals, 1) / deals - mine) < 5 * 40 * (2 / deals) ** 0.5


def test_no_form_is_much_slower_than_it_was() -> None:
    program = program_of("throw-in", SETTINGS)
    least = {"fused, interpreted": 0.45, "step, interpreted": 0.3}
    runners = [by_hand.in_python(), *(bench.interpreted(program, form) for form in bench.FORMS)]
    by_name = speeds(runners)
    for name, ratio in least.items():
        assert by_name[name].ratio(by_name["Python by hand"]) >= ratio, name


@pytest.mark.skipif(missing() is not None, reason="llvmlite is not installed")
def test_machine_code_is_not_much_slower_than_it_was() -> None:
    program = program_of("throw-in", SETTINGS)
    by_name = speeds([in_c(), *(bench.native(program, form) for form in bench.FORMS)])
    for name, ratio in {"fused, native": 0.6, "step, native": 0.35}.items():
        assert by_name[name].ratio(by_name["C by hand"]) >= ratio, name


def speeds(runners: list[Runner]) -> dict[str, bench.Speed]:
    """How fast these are in a short run."""
    return dict(zip((runner.name for runner in runners), bench.measured(runners, 2, 5, 0.03), strict=True))


@pytest.mark.long
@pytest.mark.skipif(missing() is not None, reason="llvmlite is not installed")
def test_compile_times_are_measured() -> None:
    cold, cached = bench.compile_times("simple", {}, False, 2, "fused")
    assert cold > cached > 0


def test_what_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(by_hand.shutil, "which", lambda name: None)
    with pytest.raises(by_hand.Absent, match="no C compiler was found"):
        by_hand.in_c()

    def lacking(name: str) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(by_hand, "shipped", lacking)
    for make in (by_hand.in_c, by_hand.in_python):
        with pytest.raises(by_hand.Absent, match="this installation lacks the folder 'bench'"):
            make()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "does not compile it here: it ends with status 1$"),
        ("echo nothing fits. >&2; exit 1", "does not compile it here: nothing fits$"),
        ("exit 0", "does not compile it here: it writes no file$"),
        ("sleep 9", "does not compile it here in 0.2 seconds$"),
    ],
)
def test_a_compiler_that_fails_is_quoted(script: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setenv("DURAK_CACHE", str(tmp_path))
    if "sleep" in script:
        monkeypatch.setattr(by_hand, "MOST_SECONDS", 0.2)
    with pytest.raises(by_hand.Absent, match=said):
        by_hand.in_c()


def test_a_deal_without_end_is_named() -> None:
    program = program_of("throw-in", SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("durak_dsl.study.playout.MOST_MOVES", 3)
        with pytest.raises(Endless, match=r"not over after 3 moves \(2 seats, --seed \d+\)"):
            bench.interpreted(program, "fused").play(2, 1, 0)
