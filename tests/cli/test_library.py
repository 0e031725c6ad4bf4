"""`list`, `show`, `new`: which rules there are, what they say, and a file to start from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from durak_dsl.source import library
from tests.cli.running import run


def test_list_names_everything_in_both_languages() -> None:
    said = run("list").output
    for head in library.all_files():
        assert f"{head.id}: {head.names['en']} · {head.names['ru']}" in said
        assert head.summary["en"] in said and head.summary["ru"] in said
    assert "first-five: First Five · Первый отбой — пять карт (changes throw-in)" in said


def test_list_as_json() -> None:
    rules = json.loads(run("list", "--json").stdout)["rules"]
    assert [one["id"] for one in rules] == [head.id for head in library.all_files()]
    simple = next(one for one in rules if one["id"] == "simple")
    assert simple["names"] == {"en": "Simple Durak", "ru": "Простой дурак"} and simple["changes"] is None


@pytest.mark.parametrize("name", ["throw-in", "podkidnoy", "Подкидной дурак", "ПОДКИДНОЙ"])
def test_rules_are_found_by_every_name(name: str) -> None:
    assert "made of: simple (variants/simple.yaml), throw-in" in run("show", name).output


def test_show_says_options_with_values_and_sentences_and_moves() -> None:
    said = run("show", "transfer+first-five", "--set", "lead_size=one").output
    assert "players: 2 to 6" in said
    assert "first_bout_limit = 5  (1 to 20)" in said
    assert "lead_size = one  (one pair any; default any)" in said
    assert "How many cards of one rank may be led" in said and "По сколько карт" in said
    assert "beat {pile} {card}\n      {me} beats {pile} with {card}\n      {me} бьёт {pile} картой {card}" in said


def test_show_says_the_rules_in_words(tmp_path: Path) -> None:
    path = tmp_path / "worded.yaml"
    text = 'durak: 1\nid: worded\nchanges: simple\nclauses:\n  Z1.1: {en: "Hearts beat all.", ru: "Черви бьют всё."}\n'
    path.write_text(text, "utf-8")
    said = run("show", str(path), "--clauses").output
    assert "  Z1.1   Hearts beat all.\n         Черви бьют всё.\n" in said


def test_show_resolved_is_a_rule_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "whole.yaml"
    path.write_text(run("show", "transfer+first-five", "--resolved").output, "utf-8")
    assert run("check", str(path), "--deals", "2").exit_code == 0
    said = run("show", "transfer+first-five", "--resolved", "--origins").output
    assert any(
        "first_bout_limit" not in line and line.endswith("# first-five.yaml:" + line.rpartition(":")[2]) for line in said.splitlines()
    )
    assert "# simple.yaml:" in said and "# throw-in.yaml:" in said and "# transfer.yaml:" in said


def test_a_new_file_checks_and_is_never_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = run("new", "my-rules", "--changes", "подкидной+first-five")
    assert said.exit_code == 0 and "durak check ./my-rules.yaml" in said.output
    text = Path("my-rules.yaml").read_text("utf-8")
    assert "changes: throw-in+first-five\n" in text and "#   first_bout_limit:  {default: 5}" in text
    assert run("check", "my-rules.yaml", "--strict").exit_code == 0
    again = run("new", "my-rules", "--changes", "simple")
    assert again.exit_code == 2 and "already there" in again.output
    assert Path("my-rules.yaml").read_text("utf-8") == text
    assert run("new", "mine-too", "--changes", "my-rules").exit_code == 0, "a file of the same folder may be changed too"


def test_what_a_new_file_suggests_can_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "mine", "--changes", "throw-in")
    lines = Path("mine.yaml").read_text("utf-8").splitlines()
    start = lines.index("# options:")
    Path("mine.yaml").write_text(
        "\n".join(
            line.removeprefix("# ") if place >= start and line.strip() not in ("",) and not line.startswith("# Ex") else line
            for place, line in enumerate(lines)
        ),
        "utf-8",
    )
    result = run("check", "mine.yaml", "--deals", "2")
    assert result.exit_code == 0, result.output
    assert "1 example" in result.output


@pytest.mark.parametrize(
    ("name", "base", "words"),
    [
        ("simple", "throw-in", "there are rules called 'simple' already"),
        ("prostoy", "throw-in", "there are rules called 'prostoy' already"),
        ("Mine", "throw-in", "is no name of rules"),
        ("../../etc/x y", "throw-in", "is no name of rules"),
        ("7-cards", "throw-in", "a letter first"),
        ("x" * 41, "throw-in", "is no name of rules: at most 40 "),
        ("mine", "throw-in+", "--changes names rules, several joined by +"),
        ("mine", "", "--changes names rules, several joined by +"),
        ("nowhere/mine", "throw-in", "cannot be written"),
        ("mine", "trow-in", "did you mean 'throw-in'?"),
        ("mine", "../other.yaml", "by name, not by path"),
    ],
)
def test_nothing_is_written_for_a_wrong_name(name: str, base: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("new", name, "--changes", base)
    assert result.exit_code == 2 and words in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("rules", "words", "status"),
    [
        ("trow-in", "did you mean 'throw-in'?", 2),
        ("throw-in+", "rules are named, several joined by +", 2),
        ("", "rules are named", 2),
        ("transfer+simple", "'simple' is a whole game", 1),
        ("nowhere/rules.yaml", "there is no file", 2),
        ("/dev/zero", "is not a regular file", 2),
        ("x" * 3000, "there are no rules called", 2),
        ("\u202e\x1b[31mred", "there are no rules called '??[31mred'", 2),
    ],
)
def test_rules_that_are_not_there(rules: str, words: str, status: int) -> None:
    result = run("show", rules)
    assert words in result.stderr and result.stdout == ""
    assert result.exit_code == status


def test_a_file_that_says_little_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("durak: 1\nid: mine\nchanges: simple\noptions: {stalemate: {default: 900}}\n", "utf-8")
    shown = run("show", str(path)).stdout
    assert shown.startswith("mine\nmade of: simple (") and not [line for line in shown.splitlines() if not line.strip()]
    assert run("show", str(path), "--clauses").stdout.endswith("\nmine\n  no clauses are stated\n")
