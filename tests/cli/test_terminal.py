"""What the terminal can show, colours, pipes that break, and the launcher of a bare checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from durak_dsl.cli.app import COMMANDS
from tests.cli.running import PLAIN, ROOT, process, run


def test_help_of_every_command() -> None:
    said = run("--help").output
    for name in COMMANDS:
        assert f"\n  {name}" in said
        helped = run(name, "--help")
        assert helped.exit_code == 0 and helped.output.startswith(f"Usage: durak {name}")
    assert run("--version").exit_code == 0
    assert "Did you mean" in run("lst").output or "No such command" in run("lst").output
    assert run("lst").exit_code == 2 and run("list", "--jsn").exit_code == 2


def test_the_launcher_of_a_bare_checkout(tmp_path: Path) -> None:
    done = process("list", folder=tmp_path)
    assert done.returncode == 0 and done.stderr == b"" and "Подкидной дурак".encode() in done.stdout


@pytest.mark.parametrize(("module", "package"), [("click", "click"), ("yaml", "pyyaml")])
def test_a_missing_dependency_is_said_in_a_sentence(module: str, package: str, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text(f"raise ModuleNotFoundError('no {module}', name='{module}')", "utf-8")
    done = process("list", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1 and b"Traceback" not in done.stderr
    assert done.stderr.startswith(f"durak needs the package {package}. This installs all that it needs: ".encode())


@pytest.mark.parametrize("encoding", ["cp866", "cp1251"])
def test_russian_code_pages_have_no_suits(encoding: str) -> None:
    done = process("play", "throw-in", "--lang", "ru", "--seed", "1", typed=b"1\n", env={"PYTHONIOENCODING": encoding})
    said = done.stdout.decode(encoding)
    assert done.returncode == 0 and "Подкидной дурак: 2 игрока" in said and "колода: 24 карты" in said
    assert "?" not in said and "♠" not in said
    assert any(f"козырь: {letter}" in said for letter in "CDHS")


def test_ascii_alone() -> None:
    for args in (
        ("play", "throw-in", "--seed", "1"),
        ("beats", "throw-in"),
        ("list",),
        ("show", "transfer"),
        ("check", "throw-in", "--deals", "1"),
    ):
        done = process(*args, env={"PYTHONIOENCODING": "ascii", "LC_ALL": "ru_RU.UTF-8"})
        assert done.returncode == 0 and b"?" not in done.stdout and b"Traceback" not in done.stderr
        done.stdout.decode("ascii")
    wanted = process("play", "throw-in", "--seed", "1", "--ascii")
    wanted.stdout.decode("ascii")
    assert b"trump: " in wanted.stdout


def test_typed_bytes_that_are_no_text() -> None:
    done = process("play", "throw-in", "--seed", "1", typed=b"\xff\xfe\x00\n")
    assert done.returncode == 0 and b"Traceback" not in done.stderr and b"The input has ended" in done.stdout


def test_colours() -> None:
    plain, forced = process("list"), process("list", env={"FORCE_COLOR": "1"})
    neither = process("list", env={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert b"\x1b" not in plain.stdout and b"\x1b[1m" in forced.stdout and b"\x1b" not in neither.stdout
    wrong = process("show", "trow-in", env={"FORCE_COLOR": "1"})
    assert b"\x1b[1mthere are no rules" in wrong.stderr


def test_the_language_of_the_environment() -> None:
    typed = b"quit\n"
    assert "Партия прервана".encode() in process("play", "throw-in", typed=typed, env={"LC_ALL": "", "LANG": "ru_RU.UTF-8"}).stdout
    assert (
        b"The deal is broken off" in process("play", "throw-in", typed=typed, env={"LC_ALL": "en_GB.UTF-8", "LANG": "ru_RU.UTF-8"}).stdout
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
def test_a_broken_pipe_is_quiet() -> None:
    command = [sys.executable, str(ROOT / "cli.py"), "compile", "throw-in"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **PLAIN}) as running:
        assert running.stdout is not None and running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 141


def test_list_imports_no_more_than_it_needs() -> None:
    done = process("list", python=("-X", "importtime"))
    assert b"| durak_dsl.cli" in done.stderr.replace(b"|   ", b"| ").replace(b"|  ", b"| ")
    for module in (b"lark", b"jsonschema", b"durak_dsl.compiler", b"durak_dsl.language"):
        assert not re.search(rb"\|\s+" + re.escape(module) + rb"\b", done.stderr), "what list does not need is not imported"
