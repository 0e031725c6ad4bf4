"""All forms of a game play the same deals from the same seeds: step by step, as one function, and as machine code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import durak_dsl
from durak_dsl.compiler.runtime import choosing, seed_of
from durak_dsl.native import build
from durak_dsl.native.build import against, built
from durak_dsl.study.playout import MOST_MOVES, playout, playout_by_steps
from durak_dsl.study.simulate import Statistics, simulate
from tests.games import COMBINED, ROOT, VARIANTS, results

DEALS = 20
SEEDS = (0, 1, -1, 2**63, 2**64 - 1, 2**64 + 5, -(2**70))


def some_seats(game: durak_dsl.Game) -> list[int]:
    """The fewest and the most that may play."""
    return sorted({min(game.seats), max(game.seats)})


@pytest.mark.parametrize("rules", [*VARIANTS, *COMBINED])
def test_a_whole_deal_goes_as_step_by_step(rules: str) -> None:
    """To the same results in as many moves and decisions, and as many words of chance are drawn."""
    game = durak_dsl.load(rules)
    for seats in some_seats(game):
        for number in range(DEALS):
            seed = seed_of(seats, number)
            whole, steps = game.program.new(seats, seed), game.program.new(seats, seed)
            words, others = choosing(seed), choosing(seed)
            assert playout(game.program, whole, words) == playout_by_steps(game.program, steps, others)
            assert results(game.program, whole) == results(game.program, steps)
            assert words() == others()


def agree(rules: str) -> None:
    """Machine code counts the same, deal by deal."""
    pytest.importorskip("llvmlite")
    game = durak_dsl.load(rules)
    if reason := against(game.program):
        pytest.skip(reason)
    native, names = built(game.program), [*game.rules.finish.scores]
    for seats in some_seats(game):
        for number in range(DEALS):
            well, at, counts = native.deals(seats, 7, number, number + 1, MOST_MOVES)
            found = Statistics(seats)
            found.take_in(1, counts, names)
            assert well and at == number
            assert found == simulate(game, seats, [number], 7), f"deal {number} of {seats} players"


def test_totals_that_are_no_mask_of_one_word_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    program = durak_dsl.load("scopa").program
    monkeypatch.setattr(build, "ONE_WORD", 14)
    assert against(program) == "machine code adds up to totals of at most 14; those of these rules go up to 15"


def test_what_is_damaged_in_the_cache_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("DURAK_CACHE", str(tmp_path))
    counts, made = [], []
    for damage in (None, None, lambda data: b"", lambda data: data[:-1], lambda data: data[:99] + b"?" + data[100:], None):
        for path in (tmp_path / "native").glob("*"):
            path.write_bytes(damage(path.read_bytes()) if damage else path.read_bytes())
        monkeypatch.setattr(build, "_BUILT", {})
        native = built(durak_dsl.load("chinese").program)
        counts.append(native.deals(2, 7, 0, 5, MOST_MOVES)[2])
        made.append(native.code.was_made)
        assert native.code.was_kept and len([*(tmp_path / "native").iterdir()]) == 1
    assert made == [True, False, True, True, True, False]
    assert all(count == counts[0] for count in counts) and any(counts[0])


def test_a_cache_that_cannot_be_used_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    (tmp_path / "native").write_text("a file where a folder should be", "utf-8")
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("DURAK_CACHE", folder)
        monkeypatch.setattr(build, "_BUILT", {})
        native = built(durak_dsl.load("chinese").program)
        assert native.code.was_made and not native.code.was_kept
        assert native.deals(2, 7, 0, 5, MOST_MOVES)[0]


@pytest.mark.parametrize("rules", [*VARIANTS, *COMBINED])
def test_machine_code_plays_the_same_deals(rules: str) -> None:
    agree(rules)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_seed(seed: int) -> None:
    pytest.importorskip("llvmlite")
    game = durak_dsl.load("throw-in")
    well, _, counts = built(game.program).deals(2, seed, 5, 30, MOST_MOVES)
    found = Statistics(2)
    found.take_in(25, counts, [*game.rules.finish.scores])
    assert well and found == simulate(game, 2, range(5, 30), seed)


def test_the_text_does_not_depend_on_the_order_of_sets() -> None:
    """What is made does not depend on which process makes it."""
    pytest.importorskip("llvmlite")
    program = "import durak_dsl; from durak_dsl.native.source import text; print(text(durak_dsl.load('czech').program))"
    texts = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, cwd=ROOT, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1
