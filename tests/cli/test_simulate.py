"""`simulate` with engines, workers and checkpoints: what is said on the standard error, what is refused, and how far it is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.running import HIGH, PLAIN, ROOT, run

llvmlite = pytest.mark.skipif(find_spec("llvmlite") is None, reason="llvmlite is not installed")
SHORT = ("simulate", "throw-in", "--deals", "30")
MISSING = "llvmlite is not installed (pip install 'durak-dsl[fast]')"


def without_engine(text: str) -> dict[str, object]:
    """The JSON without the engine, which is all that may differ."""
    found: dict[str, object] = json.loads(text)
    assert found.pop("engine") in ("python", "native")
    return found


def test_a_few_deals_are_interpreted() -> None:
    said = run(*SHORT)
    assert re.fullmatch(r"[\d,]+ deals a second, interpreted, because so few deals are not worth machine code\n", said.stderr)
    assert re.fullmatch(r"[\d,]+ deals a second, interpreted\n", run(*SHORT, "--engine", "python").stderr)
    assert json.loads(run(*SHORT, "--json").stdout)["engine"] == "python"


@llvmlite
def test_machine_code_says_so() -> None:
    said = run(*SHORT, "--engine", "native")
    assert re.fullmatch(r"[\d,]+ deals a second, in machine code(; to make or load it took \d+\.\d s)?\n", said.stderr)
    assert said.stdout == run(*SHORT, "--engine", "python").stdout
    native, python = (run(*SHORT, "--engine", engine, "--workers", "2", "--json").stdout for engine in ("native", "python"))
    assert json.loads(native)["engine"] == "native" and without_engine(native) == without_engine(python)


@llvmlite
@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize("wanted", [True, False])
def test_machine_code_that_cannot_be_kept(wanted: bool, options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "high.yaml").write_text(HIGH, "utf-8")
    env = {"DURAK_CACHE": str(tmp_path / "file") if wanted else ""}
    said = run("simulate", str(tmp_path / "high.yaml"), "--deals", "30", "--engine", "native", *options, env=env)
    why = f"machine code was made for this run alone, because the cache folder {tmp_path}/file cannot be used: it is not a folder\n"
    assert said.exit_code == 0 and said.stderr.count("alone") == wanted and said.stderr.startswith(why * wanted)


def test_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durak_dsl.native.machine.missing", lambda: MISSING)
    monkeypatch.setattr("durak_dsl.native.build._BUILT", {})
    monkeypatch.setattr("durak_dsl.native.build.WORTH_LOADING", 0.0)
    said = run(*SHORT)
    assert said.exit_code == 0 and said.stderr.endswith(f" deals a second, interpreted, because {MISSING}\n")
    said = run(*SHORT, "--engine", "native")
    assert (said.exit_code, said.stdout, said.stderr) == (2, "", f"{MISSING}\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("throw-in", "--engine", "native", "--players", "search"), "machine code plays random deals; those of search players are inter"),
        (("czech", "--matches", "3", "--engine", "native"), "machine code plays single deals; --matches are interpreted"),
        (("czech", "--matches", "3", "--workers", "2"), "--workers goes with --deals, not with --matches"),
        (("czech", "--matches", "3", "--checkpoint", "x"), "--checkpoint goes with --deals, not with --matches"),
        (("throw-in", "--engine", "jit"), "'jit' is not one of 'auto', 'python', 'native'"),
        (("throw-in", "--workers", "0"), "--workers"),
    ],
)
def test_what_does_not_go_together(args: tuple[str, ...], said: str) -> None:
    result = run("simulate", *args)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""


def test_a_checkpoint_is_gone_on_with(tmp_path: Path) -> None:
    file = str(tmp_path / "run")
    whole = without_engine(run("simulate", "throw-in", "--deals", "50", "--json").stdout)
    assert run(*SHORT, "--checkpoint", file).stderr.count("\n") == 1
    said = run("simulate", "throw-in", "--deals", "50", "--checkpoint", file)
    assert said.stderr.endswith(f"; 30 deals were in {file} already\n")
    again = run("simulate", "throw-in", "--deals", "50", "--checkpoint", file)
    assert again.stderr == f"nothing was left to play; 50 deals were in {file} already\n" and again.stdout == said.stdout
    assert without_engine(run("simulate", "throw-in", "--deals", "50", "--checkpoint", file, "--json").stdout) == whole


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("throw-in", "--seed", "1"), "is of a run with seed 0, not 1"),
        (("transfer",), "is of a run with rules throw-in, not transfer"),
        (("throw-in", "--set", "deck=24", "--set", "hand_size=5"), "is of a run with deck=36 hand_size=6, not deck=24 hand_size=5"),
        (("throw-in", "--deals", "9"), "has the deals 0 to 29; asked for are 0 to 8"),
    ],
)
def test_a_checkpoint_of_another_run(args: tuple[str, ...], said: str, tmp_path: Path) -> None:
    file = tmp_path / "run"
    run(*SHORT, "--checkpoint", str(file))
    result = run("simulate", *args, "--checkpoint", str(file))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{os.path.realpath(file)} {said}\n")


def test_a_file_that_is_no_checkpoint_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("a: b\n", "utf-8")
    result = run(*SHORT, "--checkpoint", str(file))
    assert (result.exit_code, result.stderr) == (2, f"{os.path.realpath(file)} is damaged, or no checkpoint\n")
    assert file.read_text("utf-8") == "a: b\n"


@pytest.mark.skipif(os.name == "nt", reason="terminals are made otherwise there")
@pytest.mark.parametrize("args", [("throw-in", "--deals", "700", "--engine", "python"), ("czech", "--matches", "4")])
def test_on_a_terminal_there_is_a_bar(args: tuple[str, ...]) -> None:
    import pty

    shown, terminal = pty.openpty()
    command = [sys.executable, str(ROOT / "cli.py"), "simulate", *args, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env={**os.environ, **PLAIN, "TERM": "xterm"}) as running:
        os.close(terminal)
        said = b""
        while True:
            try:
                part = os.read(shown, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            said += part
        assert running.stdout is not None
        found = json.loads(running.stdout.read())
    os.close(shown)
    many, what = (found["matches"], "matches") if "--matches" in args else (found["deals"], "deals")
    assert re.search(rf"{what}\s+\[#+\].*{many}/{many}", said.decode())
