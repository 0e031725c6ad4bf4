"""What plays by hand plays what the rules say; and no form has become much slower than it was, beside it in one run."""

from __future__ import annotations

import ctypes

import pytest

from durak_dsl.native.machine import missing
from durak_dsl.study import bench, by_hand
from durak_dsl.study.bench import Runner
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


def test_a_compiler_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    with pytest.raises(by_hand.Absent, match="does not compile it here: "):
        by_hand.in_c()
