"""Command lines that are wrong, files that cannot be read or written, and records that are found again: a sentence and a status each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from durak_dsl.cli.app import COMMANDS
from tests.cli.running import HIGH, ROOT, process, run

FOUR = "durak: 1\nid: four\nchanges: throw-in\noptions: {bout_limit: {default: 4}, first_bout_limit: {default: 4}}\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("chek",), "No such command 'chek'\n   did you mean 'check'?\n   durak --help\n"),
        (("play", "throw-in", "--sed", "3"), "No such option '--sed'\n   did you mean '--seed'?\n   durak play --help\n"),
        (("play",), "Missing argument 'RULES'\n   durak play --help\n"),
        (("new", "mine"), "Missing option '--changes'\n   durak new --help\n"),
        (
            ("simulate", "simple", "--deals", "1,000"),
            "Invalid value for '--deals': '1,000' is no whole number; write 1000\n   durak simulate --help\n",
        ),
        (
            ("simulate", "simple", "--deals", "x"),
            "Invalid value for '--deals': 'x' is no whole number; write digits, as in 1000\n   durak simulate --help\n",
        ),
        (
            ("play", "simple", "--set", "deck=24", "--set", "deck=36"),
            "Invalid value for '--set': 'deck' is said twice\n   durak play --help\n",
        ),
        (
            ("beats", "simple", "--given", "trump=spades", "--given", "trump=hearts"),
            "Invalid value for '--given': 'trump' is said twice\n   durak beats --help\n",
        ),
        (
            ("perft", "simple", "--deck", "6C ...", "--seed", "0"),
            "a deal is either of a --seed or of a --deck\n   durak perft --help\n",
        ),
        (
            ("show", "simple", "--resolved", "--clauses"),
            "--clauses prints the rules in words; it does not go with --resolved\n   durak show --help\n",
        ),
        (
            ("show", "simple", "--origins", "--clauses"),
            "--clauses prints the rules in words; it does not go with --origins\n   durak show --help\n",
        ),
        (("play", "throw-in", "--record", "/nowhere/x"), "/nowhere/x cannot be written: No such file or directory\n   durak play --help\n"),
    ],
)
def test_what_is_wrong_with_a_command_line(args: tuple[str, ...], said: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", said)


def test_the_help_is_whole_sentences() -> None:
    said = run("--help").stdout
    commands = said.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in commands] == [*COMMANDS] and all(line.endswith(".") and "..." not in line for line in commands)
    for name in COMMANDS:
        assert "<=" not in run(name, "--help").stdout
    assert run("check", "simple", "--deals", "-1").stderr.startswith("Invalid value for '--deals': -1 is not in the range 0 to 1,000,000\n")


def test_the_help_says_the_exit_statuses() -> None:
    assert "Exit status: 0 all is well;" in run("--help").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="links and long names")
def test_what_the_system_refuses_is_said_in_a_sentence(tmp_path: Path) -> None:
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)
    for path in (str(loop), "./" + "x" * 5000, "x" * 5000 + ".yaml"):
        result = run("check", path)
        assert result.exit_code == 2 and "cannot be read: " in result.output and len(result.output) < 400
    assert run("replay", "x" * 5000).exit_code == 2
    assert run("check", str(tmp_path)).exit_code == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("args", [("list",), ("--help",), ("check", "simple", "--deals", "1")])
def test_an_output_that_is_full(args: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, str(ROOT / "cli.py"), *args]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False)
    assert result.returncode == 1
    assert result.stderr == b"the output cannot be written: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that can close the input")
def test_a_closed_input_has_ended() -> None:
    command = f"'{sys.executable}' '{ROOT / 'cli.py'}' play simple --seed 1 --opponents random <&-"
    result = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=120, check=False)
    assert result.returncode == 0 and result.stderr == b"" and b"The input has ended" in result.stdout


def test_a_record_of_rules_given_by_path_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "rules" / "four.yaml"
    file.write_text(FOUR, "utf-8")
    monkeypatch.chdir(tmp_path / "rules")
    played = run("play", "./four.yaml", "--auto", "--seed", "1", "--opponents", "random", "--record", "deal.txt")
    assert played.exit_code == 0 and "rules: four.yaml\n" in Path("deal.txt").read_text("utf-8")
    assert run("replay", "deal.txt").exit_code == 0
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert run("replay", "../rules/deal.txt").exit_code == 0, "beside the record"
    moved = file.rename(tmp_path / "elsewhere" / "moved.yaml")
    assert "there is no file four.yaml" in run("replay", "../rules/deal.txt").stderr
    assert run("replay", "../rules/deal.txt", "--rules", "./moved.yaml").exit_code == 0
    moved.write_text(FOUR.replace("4}", "5}"), "utf-8")
    result = run("replay", "../rules/deal.txt", "--rules", "./moved.yaml")
    assert result.exit_code == 1 and "have changed since" in result.stderr and "--anyway plays it" in result.stderr


def test_a_record_says_that_the_later_of_two_edits_won(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("four.yaml").write_text(FOUR, "utf-8")
    Path("five.yaml").write_text(FOUR.replace("four", "five").replace("4}", "5}"), "utf-8")
    asked = ("--auto", "--seed", "1", "--opponents", "random", "--record", "deal.txt")
    assert run("play", "./four.yaml+./five.yaml", *asked).exit_code == 1
    assert run("play", "./four.yaml+./five.yaml", *asked, "--later-wins").exit_code == 0
    text = Path("deal.txt").read_text("utf-8")
    assert "\nlater wins: yes\nseats: " in text
    assert run("replay", "deal.txt", "--quiet").exit_code == 0
    assert run("replay", "deal.txt", "--quiet", "--rules", "./four.yaml+./five.yaml").exit_code == 0
    Path("deal.txt").write_text(text.replace("wins: yes", "wins: no"), "utf-8")
    assert "'later wins' is yes, or left out" in run("replay", "deal.txt").stderr
    Path("deal.txt").write_text(text.replace("later wins: yes\n", ""), "utf-8")
    assert "two edits disagree about" in run("replay", "deal.txt").stderr
    assert run("play", "transfer+./four.yaml", *asked[:-1], "again.txt", "--later-wins").exit_code == 0
    assert "later wins" not in Path("again.txt").read_text("utf-8"), "nothing was in dispute"


def test_a_line_that_lost_its_number_is_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    run("play", "simple", "--auto", "--seed", "2", "--opponents", "random", "--record", str(path))
    text = path.read_text("utf-8")
    path.write_text(text.replace("\n2. ", "\n"), "utf-8")
    result = run("replay", str(path))
    assert result.exit_code == 1 and result.stderr.endswith("1 problem\n") and "neither a part of the head" in result.stderr


def test_the_cards_of_the_last_move_are_all_told() -> None:
    said = run("play", "throw-in", "--auto", "--opponents", "random", "--seed", "4").stdout
    assert "P2 beats Q♥ with 9♦\n   table → discard: 9♦ Q♥\n" in said


def test_an_option_that_only_the_end_of_a_deal_asks_for_is_not_idle(tmp_path: Path) -> None:
    text = HIGH.replace("  rest: {choose", "  lenient: {choose: no yes, default: no, en: lenient, ru: мягко}\n  rest: {choose", 1)
    (tmp_path / "high.yaml").write_text(text.replace("  loser: worst", "  loser: worst if lenient is no else P1"), "utf-8")
    result = run("check", str(tmp_path / "high.yaml"), "--thorough", "--deals", "2")
    assert result.exit_code == 0, result.output
    assert "changes nothing" not in result.output


def test_a_long_line_is_cut_around_the_place(tmp_path: Path) -> None:
    path = tmp_path / "high.yaml"
    path.write_text(HIGH.replace("loser: worst", "loser: " + "(" * 200 + "wurst" + ")" * 200), "utf-8")
    said = run("check", str(path)).output
    assert all(len(line) < 140 for line in said.splitlines() if " | " in line)


def test_problems_that_are_alike_are_not_all_printed(tmp_path: Path) -> None:
    path = tmp_path / "high.yaml"
    path.write_text(HIGH.replace("\n  ", "\n\t"), "utf-8")
    said = run("check", str(path)).output
    assert said.count("\t") < 10 and " more like it: a tab is not allowed here\n" in said and said.endswith(" problems\n")


def test_an_encoding_without_russian_letters() -> None:
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    said = process("play", "simple", "--auto", "--seed", "1", "--opponents", "random", "--lang", "ru", env=plain)
    assert said.returncode == 0 and b"has no Russian letters" in said.stderr and b" leads " in said.stdout
    assert process("list", env=plain).stdout.isascii()
    rules = process("show", "throw-in", "--resolved", env=plain).stdout
    assert "зах" in rules.decode("utf-8"), "a rule file is UTF-8 whatever the terminal is"


@pytest.mark.parametrize("more", [(), ("--deals", "2")])
def test_a_record_cut_short_can_be_gone_on_with(more: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    run("play", "simple", "--auto", "--seed", "2", "--opponents", "random", "--record", str(path), *more)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-4]), "utf-8")
    said = run("replay", str(path)).stderr
    assert "cut short" in said and f"'durak play --resume {path}' goes on with it\n" in said
    path.write_text("".join(lines[:-4]).replace("hash: ", "hash: 0"), "utf-8")
    said = run("replay", str(path)).stderr
    assert "cut short" in said and "--resume" not in said
