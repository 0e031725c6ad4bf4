"""`simulate`, `perft`, `beats`, `compile`: what is counted and printed about rules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import durak_dsl
from tests.cli.running import run


def simulated(*args: str) -> dict[str, object]:
    """The JSON that `simulate` prints."""
    result = run("simulate", *args, "--json")
    assert result.exit_code == 0 and result.stderr == "", result.output
    found: dict[str, object] = json.loads(result.stdout)
    return found


def test_simulate_as_json() -> None:
    found = simulated("throw-in", "--deals", "60", "--seats", "3", "--seed", "4", "--set", "lead_size=one")
    assert (found["rules"], found["deals"], found["seats"], found["seed"], found["players"]) == ("throw-in", 60, 3, 4, "random")
    assert isinstance(found["options"], dict) and found["options"]["lead_size"] == "one"
    assert isinstance(found["rules_hash"], str) and len(found["rules_hash"]) == 16
    by_seat, by_distance = found["loss_by_seat"], found["loss_by_distance_from_first_leader"]
    assert isinstance(by_seat, list) and isinstance(by_distance, list)
    assert sum(by_seat) == sum(by_distance) == 60 - int(str(found["draws"])) - int(str(found["stalemates"]))
    assert float(str(found["turns_per_deal"])) > float(str(found["decisions_per_deal"])) > 50
    shares = found["shares"]
    assert isinstance(shares, dict)
    for count, share in zip(by_seat, shares["loss_by_seat"], strict=True):
        assert 0 <= share["low"] <= share["share"] == count / 60 <= share["high"] <= 1


def test_simulate_is_the_same_for_the_same_seed() -> None:
    args = ("transfer", "--deals", "20", "--seats", "4")
    assert simulated(*args) == simulated(*args)
    assert simulated(*args) != simulated(*args, "--seed", "1")


def test_simulate_in_words() -> None:
    said = run("simulate", "throw-in", "--deals", "1", "--players", "search", "--set", "lead_size=one").stdout
    assert said.startswith("throw-in lead_size=one: 1 deal of 2 players (search), seed 0\ndecisions a deal: ")
    assert "loss by distance from first leader:\n  0: " in said and "\n  P2: " in said


def test_simulate_counts_wins_where_rules_say_who_wins() -> None:
    found = simulated("round", "--deals", "40", "--seats", "3")
    wins, losses = found["wins_by_seat"], found["loss_by_seat"]
    assert isinstance(wins, list) and isinstance(losses, list)
    assert sum(wins) == 40 - int(str(found["draws"])) - int(str(found["stalemates"])) > sum(losses)
    assert "\nwins by seat:\n  P1: " in run("simulate", "round", "--deals", "2").stdout
    assert "wins by seat" not in run("simulate", "simple", "--deals", "2").stdout


def test_perft_and_its_parts() -> None:
    assert run("perft", "throw-in", "--seed", "1", "--depth", "0").stdout == "1\n"
    parts = run("perft", "throw-in", "--seed", "1", "--depth", "3", "--divide").stdout.splitlines()
    total = run("perft", "throw-in", "--seed", "1", "--depth", "3").stdout.strip()
    assert parts[-1] == total and sum(int(line.rpartition(": ")[2].replace(",", "")) for line in parts[:-1]) == int(total.replace(",", ""))
    found = json.loads(run("perft", "throw-in", "--seed", "1", "--depth", "3", "--divide", "--json").stdout)
    assert found["count"] == int(total.replace(",", "")) == sum(found["divide"].values())
    again = run("perft", "throw-in", "--deck", found["deck"], "--depth", "3").stdout.strip()
    assert again == total, "the deck that is printed is the deck that was dealt"


@pytest.mark.parametrize(
    "args",
    [
        ("perft", "throw-in", "--seed", "1", "--depth", "1", "--divide"),
        ("play", "throw-in", "--seed", "1"),
        ("play", "throw-in", "--seed", "1", "--auto", "--opponents", "random"),
        ("simulate", "throw-in", "--deals", "1", "--players", "search"),
    ],
)
def test_more_moves_than_can_be_listed(args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durak_dsl.table.table.MOST_MOVES", 2)
    result = run(*args, typed="1\n")
    assert result.exit_code == 3 and re.fullmatch(
        r"P[12] has more than 2 moves in phase '\w+', too many to list: a pick takes too many cards\n", result.stderr
    )


def test_beats_is_a_grid_for_each_trump() -> None:
    said = run("beats", "throw-in", "--set", "deck=24").stdout
    assert said.count("\ntrump: ") == 4
    spades = run("beats", "throw-in", "--set", "deck=24", "--given", "trump=spades").stdout.splitlines()
    rows = {
        line.split()[0]: "".join(line.split()[1:]) for line in spades if line[:3].strip() and line.split()[0][:-1].strip("10JQKA9") == ""
    }
    assert rows["9♣"] == "." * 24 and rows["9♠"] == "x" * 18 + "." * 6 and rows["A♠"] == "x" * 23 + "."
    assert rows["Q♦"] == "." * 6 + "xxx..." + "." * 12
    found = json.loads(run("beats", "throw-in", "--set", "deck=24", "--given", "trump=spades", "--json").stdout)
    assert found["grids"][0]["pairs"]["QD"] == ["9D", "10D", "JD"] and found["grids"][0]["given"] == [{"trump": "spades"}]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--given", "trmp=spades"), "did you mean 'trump'?"),
        (("--given", "trump=spade"), "did you mean 'spades'?"),
        (("--given", "trump"), "not of the form name=value"),
        (("--of", "beat"), "did you mean 'beats'?"),
        (("--of", "room"), "is no question about two cards"),
        (("--of", "outdoes"), "that makes"),
    ],
)
def test_what_is_no_grid(args: tuple[str, ...], words: str) -> None:
    result = run("beats", "throw-in", *args)
    assert words in result.stderr and result.exit_code in (1, 2)


def test_a_value_is_given_for_a_condition_that_compares(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "durak: 1\nid: mine\nchanges: throw-in\noptions: {deck: {default: 24}}\n"
        "define: {beats: {any: {+late: 'any c in known(table) has c.rank == 6'}}}\n",
        "utf-8",
    )
    late = "any c in known(table) has c.rank == 6"
    one = run("beats", str(path), "--given", "trump=spades", "--given", f"{late}=yes", "--json")
    assert [grid["given"] for grid in json.loads(one.stdout)["grids"]] == [[{"trump": "spades", late: "yes"}]]
    for given, said in ((late, "not of the form name=value"), (f"{late} = maybe", f"{late} cannot be 'maybe'")):
        result = run("beats", str(path), "--given", given)
        assert result.exit_code == 2 and said in result.stderr


def test_compile_prints_code_that_compiles() -> None:
    said = run("compile", "transfer").stdout
    compile(said, "printed", "exec")
    assert said.startswith("# transfer ") and "#   s[0]: next\n" in said and "# what a choice does in phase 'defend' (variants/" in said
    assert "# higher of the suit (variants/simple.yaml:" in said, "tables say what they hold"
    compile(run("compile", "transfer", "--watched").stdout, "printed", "exec")
    said = run("compile", "round").stdout
    compile(said, "printed", "exec")
    assert "\nSHAPE_1_or_2_1_or_2_2_1 = (\n    ((1, 2), (3, 8), (5, 32)), " in said


@pytest.mark.parametrize("rules", ["transfer", "czech"])
def test_printed_tables_are_lines_that_mean_the_tables(rules: str) -> None:
    head, _, _ = run("compile", rules).stdout.partition("\ndef ")
    assert max(map(len, head.splitlines())) <= 120
    printed: dict[str, object] = {}
    exec(head, printed)
    names = durak_dsl.load(rules).program.plain.names
    tables = {name: value for name, value in names.items() if name == "DECK" or (name[0] == "T" and name[1:].isdigit())}
    assert tables and {name: printed[name] for name in tables} == tables


def test_a_card_named_anyhow_never_reaches_the_code(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(
        'durak: 1\nid: odd\nchanges: simple\nmoves:\n  +"import os":\n    in: lead\n    do: stay\n'
        '    say: {en: "{me} [red]) or __import__(\'os\')", ru: "{me}"}\n',
        "utf-8",
    )
    result = run("compile", str(path))
    if result.exit_code == 0:
        assert all(line.startswith("#") for line in result.stdout.splitlines() if "import" in line)
