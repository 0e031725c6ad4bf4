"""Commands that are interrupted, as by Ctrl-C: they end at once, say in a sentence what becomes of their deals, and leave nobody behind."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.running import PLAIN, ROOT
from tests.study.test_bulk import children_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="keys interrupt otherwise there")
llvmlite = pytest.mark.skipif(find_spec("llvmlite") is None, reason="llvmlite is not installed")
dask = pytest.mark.skipif(find_spec("distributed") is None, reason="dask is not installed")
DEALS = 10**9  # so many that they are never over
PATIENCE = 60.0
WAYS = [
    ("--engine", "python"),
    ("--engine", "python", "--workers", "2"),
    pytest.param(("--engine", "native", "--workers", "1"), marks=llvmlite),
    pytest.param(("--engine", "native", "--workers", "2"), marks=llvmlite),
    pytest.param(("--engine", "python", "--cluster", "local", "--workers", "2"), marks=dask),
]


def interrupted(*args: str, when: Callable[[int, str], object]) -> str:
    """What the command prints last on its terminal when it is interrupted there as soon as its process and what it has printed allow."""
    import pty

    shown, terminal = pty.openpty()
    said, sent = "", False
    command = [sys.executable, str(ROOT / "cli.py"), *args]
    env = {**os.environ, **PLAIN, "TERM": "xterm"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=terminal, stderr=terminal, env=env, start_new_session=True) as running:
        os.close(terminal)
        waited = 0.0
        while True:
            if not sent and when(running.pid, said):
                os.killpg(running.pid, signal.SIGINT)  # a terminal tells all processes of the command
                sent = True
            if not select.select([shown], [], [], 0.01)[0]:
                waited += 0.01
                if waited > PATIENCE:
                    os.killpg(running.pid, signal.SIGKILL)
                    pytest.fail(f"somebody is left, or the sign does not come: {said[-500:]}")
                continue
            try:
                part = os.read(shown, 4096)
            except OSError:  # nobody has the terminal any more, not even a worker
                break
            if not part:
                break
            said += part.decode()
    os.close(shown)
    assert sent and running.returncode == 130, said[-500:]
    assert "Traceback" not in said and "Error" not in said, said[-2000:]
    return said.replace("\r", "\n").rstrip("\n").rpartition("\n")[2]


def shows(text: str) -> Callable[[int, str], object]:
    """When something of this form has been printed."""
    return lambda pid, said: re.search(text, said)


SOME = shows(r" [1-9]\d*/\d+")  # in the bar


@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_down_is_kept(way: tuple[str, ...], tmp_path: Path) -> None:
    args = ("simulate", "simple", "--deals", str(DEALS), "--checkpoint", str(file := tmp_path / "run"), *way)
    last = interrupted(*args, when=SOME)
    found = re.fullmatch(rf"interrupted: ([\d,]+) of 1,000,000,000 deals are kept in {file}; to go on: durak {' '.join(args)}", last)
    assert found, last
    kept = sum(end - start for start, end in json.loads(file.read_text("utf-8"))["done"])
    assert 0 < int(found[1].replace(",", "")) <= kept
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize("way", WAYS[1:3])
def test_what_is_not_written_down_is_thrown_away(way: tuple[str, ...]) -> None:
    last = interrupted("simulate", "simple", "--deals", str(DEALS), *way, when=SOME)
    assert re.fullmatch(r"interrupted: [1-9][\d,]* deals played and thrown away", last)


@pytest.mark.parametrize("way", [WAYS[1], WAYS[4]])
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nobody says which processes there are")
def test_workers_that_are_just_starting_are_quiet(way: tuple[str, ...]) -> None:
    last = interrupted("simulate", "simple", "--deals", str(DEALS), *way, when=lambda pid, _: len(children_of(pid)) > 1)
    assert last == "interrupted: 0 deals played and thrown away"


@pytest.mark.parametrize(
    ("args", "sign", "said"),
    [
        (("simulate", "czech", "--matches", "1000000"), r" [1-9]\d*/\d+", r"interrupted: [1-9][\d,]* match(es)? played and thrown away"),
        (
            ("check", "simple", "transfer", "--thorough"),
            "simple: all is well",
            r"interrupted: [\d,]+ random deals? played and thrown away",
        ),
        (
            ("bench", "simple", "--seats", "2", "--rounds", "999"),
            "rounds; medians",
            "interrupted: [\\d,]+ deals? played and thrown away",
        ),
        (("bench", "simple", "--seats", "2", "--rounds", "1", "--turn", "1"), "step, interpreted", "interrupted: 0 deals played .*"),
        (("play", "throw-in", "--seed", "1"), "trump", ""),
    ],
)
def test_other_commands(args: tuple[str, ...], sign: str, said: str) -> None:
    last = interrupted(*args, when=shows(sign))
    assert re.fullmatch(said, last) or not said


LOST = """
import sys, time
from durak_dsl import cli

class Deaf:
    def __del__(self):
        raise KeyboardInterrupt

sys.unraisablehook = cli.not_lost
try:
    Deaf()
    while True:
        time.sleep(1)
except KeyboardInterrupt:
    print("heard")
"""


def test_an_interruption_that_cannot_be_raised_is_not_lost() -> None:
    done = subprocess.run([sys.executable, "-c", LOST], cwd=ROOT, capture_output=True, timeout=PATIENCE, check=True)
    assert done.stdout == b"heard\n" and done.stderr == b""
