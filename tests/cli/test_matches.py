"""`play --deals`, `--record`, `--resume` and `replay` of matches."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from durak_dsl.table import match_record
from tests.cli.running import HIGH, PLAIN, ROOT, run
from tests.table.test_match import LOSSES

CZECH = "czech"
AUTO = ("--auto", "--opponents", "random", "--seed", "4")


@pytest.fixture
def high(tmp_path: Path) -> str:
    path = tmp_path / "high.yaml"
    path.write_text(HIGH.replace("examples:\n", LOSSES), "utf-8")
    return str(path)


def lines_of(text: str, *beginnings: str) -> list[str]:
    """The lines that begin so."""
    return [line for line in text.splitlines() if line.startswith(beginnings)]


def test_a_match_of_so_many_deals() -> None:
    said = run("play", "throw-in", "--deals", "3", *AUTO).stdout
    assert said.startswith("Throw-in Durak: 2 players, match 4\n\nDeal 1\n")
    assert lines_of(said, "Deal") == ["Deal 1", "Deal 2", "Deal 3"]
    assert len(lines_of(said, "points: ")) == len(lines_of(said, "points in all: ")) == 3
    assert lines_of(said, "points: ")[0].partition(": ")[2].replace("; bank: P1 2, P2 0", "").replace("; bank: P1 0, P2 2", "") in (
        "P1 2, P2 0",
        "P1 0, P2 2",
        "P1 1, P2 1; bank: P1 1, P2 1",
    )
    assert "\n\n3 deals played. " in said and said.splitlines()[-1].startswith("places: 1 P")
    assert run("play", "throw-in", "--deals", "3", *AUTO).stdout == said


def test_a_match_to_its_end_in_russian() -> None:
    said = run("play", CZECH, "--deals", "90", *AUTO, "--lang", "ru").stdout
    last = said.splitlines()[-2:]
    assert last[0].startswith("Матч окончен, сыграно: ") and " парти" in last[0] and ". Матч проиграл P" in last[0]
    assert last[1].startswith("1-е место — P")
    totals = lines_of(said, "очки: ")
    assert len(totals) == len(lines_of(said, "Партия ")) == len(lines_of(said, "штраф: ")) < 90
    assert max(int(part.split()[1]) for part in totals[-1].removeprefix("очки: ").split(", ")) >= 100


def test_a_match_that_is_not_over(high: str) -> None:
    said = run("play", high, "--deals", "2", *AUTO).stdout
    assert "\n2 deals played: the match is not over.\nplaces: 1 P" in said
    assert lines_of(said, "lost: ")[-1] in ("lost: P1 2, P2 0", "lost: P1 1, P2 1", "lost: P1 0, P2 2")
    assert run("play", "simple", "--deals", "1", *AUTO).stdout.endswith("\n1 deal played.\n")


def test_a_person_plays_a_match(high: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    result = run("play", high, "--deals", "9", "--seed", "1", "--opponents", "random", "--record", str(path), typed="1\n" * 60)
    assert result.exit_code == 0 and "The match is over after " in result.stdout and "has lost the match.\n" in result.stdout
    assert run("replay", str(path), "--quiet").exit_code == 0
    result = run("play", high, "--deals", "9", "--seed", "1", "--opponents", "random", typed="1\n" * 3 + "quit\n")
    assert "The deal is broken off." in result.stdout and "1 deal played: the match is not over." in result.stdout


def test_a_person_sees_how_the_match_stands_before_his_move() -> None:
    options = ("--set", "hand_size=3", "--set", "target=500", "--deals", "2", "--seed", "1", "--opponents", "random")
    first, _, second = run("play", CZECH, *options, typed="1\n" * 90).stdout.partition("\nDeal 2\n")
    (score,) = lines_of(first, "points: ")
    assert "; points: " not in first, "nobody has any yet"
    mine, other = (part.split()[1] for part in score.removeprefix("points: ").split(", "))
    assert lines_of(second, "P1 (you), ")[0].endswith(f"; points: {mine}") and lines_of(second, "P2, ")[0].endswith(f"; points: {other}")


@pytest.mark.parametrize("rules", ["throw-in", "simple", CZECH])
def test_a_record_of_a_match_replays(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    played = run("play", rules, "--deals", "4", *AUTO, "--record", str(path)).stdout
    text = path.read_text("utf-8")
    assert str(match_record.read(text)) == text
    again = run("replay", str(path), "--quiet")
    assert again.exit_code == 0 and "2 players: " in again.stdout and " deals, " in again.stdout and "; match: " in again.stdout
    told = run("replay", str(path)).stdout
    assert lines_of(told, "The deal is over", "points", "penalty", "places", "Deal ") == lines_of(
        played.rpartition("\n\n")[0], "The deal is over", "points", "penalty", "places", "Deal "
    )


def test_what_is_taken_back_is_taken_out_of_the_record(high: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    both = ("--as", "P1", "--as", "P2", "--seed", "1", "--deals", "2", "--record", str(path))
    run("play", high, *both, typed="1\n1\nundo\nundo\n2\nquit\n")
    text = path.read_text("utf-8")
    found = match_record.read(text)
    assert len(found.deals) == 1 and len(found.deals[0].lines) == 1, text
    assert run("replay", str(path), "--quiet").exit_code == 0


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.77, 0.93, 0.999])
def test_a_match_that_was_cut_short_goes_on(share: float, tmp_path: Path) -> None:
    path, full = tmp_path / "match.txt", tmp_path / "full.txt"
    run("play", CZECH, "--set", "target=500", "--deals", "5", *AUTO, "--record", str(full))
    text = full.read_text("utf-8")
    head = text.index("\n\n") + 1
    path.write_text(text[: head + int((len(text) - head) * share)], "utf-8", newline="\n")
    whole = match_record.read(path.read_text("utf-8"), unfinished=True)
    result = run("play", "--resume", str(path), "--auto", "--opponents", "random", "--deals", "7")
    assert result.exit_code == 0, result.output
    assert lines_of(result.stdout, "Deal ")[0] in (f"Deal {len(whole.deals)}", f"Deal {len(whole.deals) + 1}")
    found = match_record.read(path.read_text("utf-8"))
    assert found.deals[: max(0, len(whole.deals) - 1)] == whole.deals[:-1]
    assert len(found.deals) == 7 or found.result.startswith("loser")
    assert run("replay", str(path), "--quiet").exit_code == 0


def test_a_match_knows_how_many_deals_it_is_to_have(tmp_path: Path) -> None:
    path, auto = tmp_path / "match.txt", ("--auto", "--opponents", "random")
    run("play", "throw-in", "--deals", "3", *auto, "--record", str(path), "--seed", "5")
    whole = path.read_text("utf-8")
    assert "\nseed: 5\ndeals: 3\n\ndeal: 1\n" in whole and match_record.read(whole).most == 3
    cut = whole[: whole.index("\n3. ", whole.index("deal: 2")) + 1]

    def resumed(text: str, *more: str) -> str:
        path.write_text(text, "utf-8", newline="\n")
        result = run("play", "--resume", str(path), *auto, *more)
        assert result.exit_code == 0 and run("replay", str(path), "--quiet").exit_code == 0, result.output
        return result.stdout

    assert lines_of(resumed(cut), "Deal ") == ["Deal 2", "Deal 3"]
    assert lines_of(resumed(cut, "--deals", "4"), "Deal ") == ["Deal 2", "Deal 3", "Deal 4"]
    assert match_record.read(path.read_text("utf-8")).most == 4
    assert lines_of(resumed(cut, "--deals", "2"), "Deal ") == ["Deal 2"]
    assert lines_of(resumed(cut.replace("deals: 3\n", "")), "Deal ") == ["Deal 2"], "nobody says how many more"
    assert "deals:" not in path.read_text("utf-8")
    assert lines_of(resumed(whole[: whole.index("\nmatch: ")]), "Deal ") == []
    assert path.read_text("utf-8") == whole, "only the end was missing"
    result = run("play", "--resume", str(path), *auto)
    assert result.exit_code == 1 and path.read_text("utf-8") == whole
    assert "this match of 3 deals is over; there is nothing to go on with\n   with --deals N it goes on" in result.stderr
    assert lines_of(resumed(whole, "--deals", "5"), "Deal ") == ["Deal 4", "Deal 5"]


def test_a_single_deal_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "deal.txt"
    run("play", "throw-in", *AUTO, "--record", str(path))
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    for cut in ("".join(lines[:-1]), "".join(lines[:-3]) + lines[-3][:7], "".join(lines[:12]) + "result: not over\n"):
        path.write_text(cut, "utf-8", newline="\n")
        result = run("play", "--resume", str(path), "--auto", "--opponents", "random")
        assert result.exit_code == 0 and "The deal is over." in result.stdout, result.output
        assert path.read_text("utf-8").startswith("".join(lines[:11]))
        assert run("replay", str(path), "--quiet").exit_code == 0
        if cut == "".join(lines[:-1]):
            assert path.read_text("utf-8") == text, "only its result was missing"
    result = run("play", "--resume", str(path), "--auto")
    assert result.exit_code == 1 and "this deal is over; there is nothing to go on with" in result.stderr
    path.write_text("".join(lines[:12]) + "result: not over\n", "utf-8", newline="\n")
    result = run("play", "--resume", str(path), "--deals", "2")
    assert result.exit_code == 2 and "this is the record of a single deal; --deals is for a match" in result.stderr


def test_only_the_end_of_a_match_was_missing(high: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    run("play", high, "--deals", "9", *AUTO, "--record", str(path))
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("\nmatch: ")], "utf-8", newline="\n")
    result = run("play", "--resume", str(path), "--auto")
    assert result.exit_code == 0 and "The match is over after " in result.stdout
    assert path.read_text("utf-8") == text


def test_a_killed_game_loses_at_most_a_bout(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    command = [sys.executable, str(ROOT / "cli.py"), "play", "throw-in", "--deals", "9", "--seed", "3", "--record", str(path)]
    both = ["--as", "P1", "--as", "P2"]
    with subprocess.Popen(
        [*command, *both], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**PLAIN, "PYTHONUNBUFFERED": "1"}, cwd=ROOT
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        asked = 0
        for line in process.stdout:
            if b"your move:" in line:
                asked += 1
                if asked > 12:
                    break
                process.stdin.write(b"1\n")
                process.stdin.flush()
        process.send_signal(signal.SIGKILL)
    found = match_record.read(path.read_text("utf-8"), unfinished=True)
    other = tmp_path / "other.txt"
    run(*command[2:-1], str(other), *both, typed="1\n" * 12 + "quit\n")
    lines = match_record.read(other.read_text("utf-8")).deals[0].lines
    assert found.result == "" and len(lines) > 1 and found.deals[0].lines in (lines, lines[:-1])
    result = run("play", "--resume", str(path), "--auto", "--opponents", "random")
    assert result.exit_code == 0 and run("replay", str(path), "--quiet").exit_code == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "Missing argument 'RULES'"),
        (("throw-in", "--resume", "{file}"), "with --resume the record says what is played, and goes on where it is: no RULES"),
        (("--resume", "{file}", "--seed", "0"), "no --seed"),
        (("--resume", "{file}", "--record", "x.txt"), "no --record"),
        (("--resume", "{file}", "--deals", "2"), "--deals counts those of the record too, of which there are 2"),
        (("--resume", "nowhere.txt"), "there is no file nowhere.txt"),
        (("throw-in", "--deals", "0"), "--deals"),
        (("throw-in", "--deals", "2", "--deck", "6C ..."), "a match is dealt from its --seed; a --deck is for a single deal"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], words: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    run("play", "throw-in", "--deals", "2", *AUTO, "--record", str(path))
    result = run("play", *(arg.replace("{file}", str(path)) for arg in args))
    assert result.exit_code == 2 and words in result.output


def test_what_cannot_go_on(high: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    run("play", high, "--deals", "9", *AUTO, "--record", str(path))
    text = path.read_text("utf-8")

    def resumed(changed: str) -> str:
        path.write_text(changed, "utf-8", newline="\n")
        result = run("play", "--resume", str(path), "--auto")
        assert result.exit_code == 1 and path.read_text("utf-8") == changed, "the file stays as it is"
        return result.stderr

    assert "this match is over; there is nothing to go on with" in resumed(text)
    assert "have changed since" in resumed(text.replace("hash: ", "hash: 0", 1))
    assert "deals are missing or out of order" in resumed(text.replace("deal: 2", "deal: 4"))
    assert "deal 2 begins with lost=" in resumed(text.replace("lost=0 | 1, ", "lost=1 | 1, ").replace("lost=1 | 0, ", "lost=1 | 1, "))
    assert "does not begin with 'record: 1'" in resumed("mine\n")


def test_matches_are_simulated() -> None:
    found = json.loads(run("simulate", CZECH, "--matches", "5", "--json").stdout)
    assert found["matches"] == 5 == sum(found["loss_by_seat"]) + found["draws"] and found["deals_per_match"] > 2
    said = run("simulate", CZECH, "--matches", "5").stdout
    assert said.startswith("czech: 5 matches of 2 players (random), seed 0\ndeals a match: ") and "\n  P2: " in said
    assert f"\nstalemates of {found['deals']} deals: 0 = 0.0000 (95 %: " in said and found["stalemates"] == 0
    often = json.loads(run("simulate", CZECH, "--set", "stalemate=50", "--matches", "3", "--json").stdout)
    assert 0 < often["stalemates"] <= often["deals"] and often["shares"]["stalemates"]["share"] == often["stalemates"] / often["deals"]
    for args, words in (
        ((CZECH, "--matches", "5", "--deals", "7"), "either so many --deals or so many --matches"),
        (("throw-in", "--matches", "5"), "throw-in does not say when a match is over: only --deals can be counted"),
    ):
        result = run("simulate", *args)
        assert result.exit_code == 2 and words in result.stderr


def test_scores_in_simulations() -> None:
    found = json.loads(run("simulate", "throw-in", "--deals", "40", "--json").stdout)
    points = found["scores"]["points"]
    assert len(points) == 2 and sum(points) == pytest.approx(2) and set(found["scores"]) == {"points", "bank"}
    assert 2 * (found["loss_by_seat"][1]) + found["draws"] + found["stalemates"] == pytest.approx(40 * points[0])
    said = run("simulate", "throw-in", "--deals", "40").stdout
    assert f"points, mean: P1 {points[0]:.2f}, P2 {points[1]:.2f}\n" in said
    assert json.loads(run("simulate", "simple", "--deals", "3", "--json").stdout)["scores"] == {}
