"""`check`: structure, names, types; examples; and what random deals find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, State
from tests.cli.running import HIGH, ROOT, run


def check(text: str, folder: Path, *args: str) -> tuple[int, str]:
    """The exit status and what is said about a rule file."""
    path = folder / "game.yaml"
    path.write_text(text, "utf-8")
    result = run("check", str(path), *args)
    return result.exit_code, result.output


def replaced(*pairs: tuple[str, str]) -> str:
    text = HIGH
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def test_a_sound_game(tmp_path: Path) -> None:
    assert check(HIGH, tmp_path) == (0, "high: all is well (1 example, 40 random deals)\n")


def test_it_is_said_with_how_many_players_there_are_not_enough_cards(tmp_path: Path) -> None:
    text = replaced(("2 to 3", "2 to 6"))
    status, said = check(text, tmp_path, "--deals", "2")
    assert status == 0 and "high: all is well" in said
    assert said.endswith("\n   not tried with 5 and 6 players: there are not enough cards to deal to so many\n")
    assert json.loads(check(text, tmp_path, "--deals", "2", "--json")[1])["results"][0]["short"] == [5, 6]
    assert "not tried" not in check(text, tmp_path, "--deals", "0")[1]
    played = run("play", str(tmp_path / "game.yaml"), "--seats", "5", "--auto")
    assert (played.exit_code, played.stderr) == (2, "high does not have enough cards for 5 players; 2, 3 or 4 can play\n1 problem\n")


@pytest.mark.parametrize(
    ("old", "new", "status", "said"),
    [
        ("id: high", "id: neighbours", 0, ":2:5: warning: there are rules called 'neighbours' already: by that name they are meant"),
        ("id: high", "id: podkidnoy", 1, ":2:5: 'podkidnoy' means 'throw-in' already"),
        ("players: {", "aliases: старшая, Podkidnoy\nplayers: {", 1, ":5:19: 'Podkidnoy' means 'throw-in' already"),
        ("players: {", "aliases: neighbours\nplayers: {", 1, ":5:10: 'neighbours' means 'neighbours' already"),
        ("ru: Старшая карта", "ru: Подкидной дурак", 0, ":3:28: warning: 'Подкидной дурак' means 'throw-in' already"),
    ],
)
def test_a_name_that_other_rules_have(tmp_path: Path, old: str, new: str, status: int, said: str) -> None:
    found, output = check(replaced((old, new)), tmp_path, "--deals", "1")
    assert said in output and "   the other place is variants/" in output and found == status, output


def test_a_copy_of_shipped_rules_is_no_clash_until_it_is_changed(tmp_path: Path) -> None:
    text = (ROOT / "variants" / "neighbours.yaml").read_text("utf-8")
    assert "warning" not in check(text, tmp_path, "--deals", "1")[1]
    status, said = check(text + "  # changed\n", tmp_path, "--deals", "1")
    assert status == 0 and said.count("warning: ") == 1 and "there are rules called 'neighbours' already" in said
    assert "warning" not in run("check", str(ROOT / "variants" / "neighbours.yaml"), "--deals", "1").output


def test_the_shipped_rules_are_sound() -> None:
    result = run("check", "throw-in", "transfer-2", "--strict", "--deals", "3")
    assert result.exit_code == 0, result.output


def test_everything_wrong_is_said_at_once_with_its_place(tmp_path: Path) -> None:
    text = replaced(("loser: worst", "loser: wurst"), ("move card to table", "move crad to table"))
    status, said = check(text, tmp_path)
    assert status == 1
    assert "game.yaml:" in said and "did you mean 'worst'?" in said and "did you mean 'card'?" in said
    assert "^^^^^" in said and said.endswith("2 problems\n")


def test_an_example_that_does_not_hold(tmp_path: Path) -> None:
    status, said = check(replaced(("then: loser == P2", "then: loser == P1")), tmp_path)
    assert status == 1 and "example 'one card each'" in said and "high: 1 problem (1 example, 0 random deals)" in said


def test_an_example_with_more_moves_than_can_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durak_dsl.table.table.MOST_MOVES", 1)
    text = replaced(
        ("hand: 6C | 9H", "hand: 6C 7C | 9H"), ("    play: P1 play 6C; P2 play 9H\n    then: loser == P2", "    legal only: P1 play 6C")
    )
    status, said = check(text, tmp_path)
    assert status == 1 and "example 'one card each': P1 has more than 1 moves in phase 'play', too many to list" in said


def test_a_dead_end(tmp_path: Path) -> None:
    status, said = check(replaced((" or void(p)", "")).partition("examples:")[0], tmp_path)
    assert status == 1
    assert "is to act and has no legal move" in said and "2 players, deal " in said and "an actor must always have a move" in said


IDLE = (
    ("      card: me.hand", "      card: me.hand where no c in me.hand has c.rank >= 6"),
    ("finish:", '  wait:\n    in: play\n    do: DO\n    say: {en: "{me} waits", ru: "{me} ждёт"}\nfinish:'),
    ("examples:\n" + HIGH.partition("examples:\n")[2], ""),
)
COUNTED = ("turn: {is: player,", "idle: 0 to 30000\n  turn: {is: player,")


def test_an_endless_deal(tmp_path: Path) -> None:
    status, said = check(replaced(*IDLE).replace("DO", "stay"), tmp_path, "--deals", "1")
    assert status == 1 and said.count("not over after") == 1
    assert (
        "a deal of random moves is not over after 20,000 choices; at last it goes round in phase 'play' by 'wait', and no card moves"
        " (at 2 and 3 players; first: 2 players, deal 0)\n" in said
    )
    assert (
        "   count in a variable what goes round, end the deal when it is high, and say so under 'finish', as in stalemate: idle >= 60\n"
        in said
    )
    assert "  play: {actor: next" in said, "the place is the phase"


@pytest.mark.parametrize(
    ("do", "stalemate", "hint"),
    [
        ("stay", "idle >= 60", "'idle' stays at 0 meanwhile: let it count what goes round"),
        ("[idle = 1 - idle, stay]", "idle >= 60", "'idle' stays from 0 to 1 meanwhile: let it count what goes round"),
        ("[idle += 1, stay]", "idle >= 60", "this holds, but the deal is not ended by it: 'end deal' has to follow from the same"),
        ("stay", "turn == P1 and best is not none", "no number is read here: let it count what goes round"),
    ],
)
def test_why_a_stalemate_does_not_end_a_deal(tmp_path: Path, do: str, stalemate: str, hint: str) -> None:
    text = replaced(*IDLE, ("  loser: worst\n", f"  loser: worst\n  stalemate: {stalemate}\n"), COUNTED).replace("DO", do)
    if do.startswith("["):
        text = text.replace(f"do: {do}", "do:" + "".join(f"\n      - {part}" for part in do.strip("[]").split(", ")))
    status, said = check(text, tmp_path, "--deals", "1")
    assert status == 1 and f"   {hint}\n" in said and f"  stalemate: {stalemate}\n" in said, said


def test_how_many_deals_end_by_stalemate(tmp_path: Path) -> None:
    ended = ("      go on: stay\n", "      go on:\n        - if size(table) >= BOUND: end deal\n          else: stay\n")
    text = replaced(ended, ("  loser: worst\n", "  loser: worst\n  stalemate: size(table) == 6 or size(table) == BOUND\n"))
    status, said = check(text.replace("BOUND", "5"), tmp_path)
    assert status == 0 and "warning: many random deals end only by stalemate: 20 of 20 at 3 players\n" in said
    assert "is the bound too low?" in said and "high: 1 warning (1 example, 40 random deals)\n" in said
    assert said.endswith("   stalemate: 20 of 20 deals at 3 players (95 %: 83.9 to 100.0 %), 0 of 20 at 2 (95 %: 0.0 to 16.1 %)\n")
    found = json.loads(check(text.replace("BOUND", "5"), tmp_path, "--json")[1])["results"][0]["stalemates"]
    assert [(part["seats"], part["deals"], part["stalemates"], part["share"]) for part in found] == [(2, 20, 0, 0), (3, 20, 20, 1)]
    assert found[1]["low"] == pytest.approx(0.8389, abs=1e-4) and found[1]["high"] == 1
    status, said = check(text.replace("BOUND", "7"), tmp_path, "--set", "held=1")
    assert said == "high: all is well (1 example, 40 random deals, no stalemate)\n"


def test_some_deals_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apply, setup = Program.apply, Program.setup
    told_deals = []

    def telling(self: Program, state: State, told: list[Any] | None = None) -> None:
        told_deals.append(told is not None)
        setup(self, state, told)

    def otherwise(self: Program, state: State, choice: int, told: list[Any] | None = None) -> None:
        apply(self, state, choice, told)
        if told is not None:
            state[self.layout.variables["worst"]] = 1

    monkeypatch.setattr(Program, "setup", telling)
    assert check(HIGH, tmp_path, "--deals", "5")[0] == 0 and sum(told_deals) == 4, "the first and the fifth with 2 and with 3 players"
    monkeypatch.setattr(Program, "apply", otherwise)
    status, said = check(HIGH, tmp_path)
    assert status == 1 and "move 'play' leads elsewhere when it is told how each card moves (at 2 and 3 players; first: 2 players" in said

    def failing(self: Program, state: State, choice: int, told: list[Any] | None = None) -> None:
        if told is not None:
            raise RuleFault("what is told goes wrong", None)
        apply(self, state, choice)

    monkeypatch.setattr(Program, "apply", failing)
    status, said = check(HIGH, tmp_path)
    assert status == 1 and "what is told goes wrong (at 2 and 3 players; first: 2 players, deal 0)" in said


def test_a_fault_of_the_rules(tmp_path: Path) -> None:
    text = replaced(
        ("turn: {is: player,", "count: 0 to 2\n  turn: {is: player,"), ("turn: turn = left(me)", "turn: turn = left(me); count += 1")
    )
    status, said = check(text, tmp_path)
    assert status == 1 and "count += 1" in said and "players, deal " in said


def test_a_lost_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = Program.new

    def losing(self: Program, seats: int, seed: int = 0) -> State:
        state = new(self, seats, seed)
        hand = self.layout.zones["hand"]
        state[hand] &= state[hand] - 1
        return state

    monkeypatch.setattr(Program, "new", losing)
    status, said = check(HIGH, tmp_path)
    assert status == 1 and "a card lies nowhere: " in said


def test_a_move_that_is_never_legal_is_a_warning(tmp_path: Path) -> None:
    never = '  never:\n    in: play\n    when: size(me.hand) > 2\n    do: stay\n    say: {en: "{me} rests", ru: "{me} ждёт"}\nfinish:'
    text = replaced(("finish:", never))
    status, said = check(text, tmp_path)
    assert status == 0 and "warning: move 'never' was never legal in" in said
    assert "high: 1 warning" in said
    assert check(text, tmp_path, "--strict")[0] == 1


def test_a_move_that_is_legal_in_an_example_is_none(tmp_path: Path) -> None:
    never = '  never:\n    in: play\n    when: size(me.hand) > 2\n    do: stay\n    say: {en: "{me} rests", ru: "{me} ждёт"}\nfinish:'
    example = "  many:\n    given: {hand: 6H | 7H 8H 9H, phase: play}\n    play: P1 play 6H\n    legal: P2 never\n"
    text = replaced(("finish:", never))
    assert check(text + example, tmp_path) == (0, "high: all is well (2 examples, 40 random deals)\n")
    (tmp_path / "edit.yaml").write_text("durak: 1\nid: edit\nchanges: high\nsources: [test]\n", "utf-8")
    (tmp_path / "high.yaml").write_text(text + example, "utf-8")
    assert "never legal" not in run("check", str(tmp_path / "edit.yaml")).output, "the examples of what it changes are tried too"
    (tmp_path / "edit.yaml").write_text(
        "durak: 1\nid: edit\nchanges: high\nsources: [test]\nmoves: {never: {when: size(me.hand) > 3}}\n", "utf-8"
    )
    assert "move 'never' was never legal in" in run("check", str(tmp_path / "edit.yaml")).output, "under the rules as they are now"


def test_a_move_that_needs_another_option_is_none() -> None:
    assert "never legal" not in run("check", "simple", "transfer", "--deals", "3").output


def test_a_move_that_needs_other_options_is_sought_where_they_are_mentioned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = "".join(f'  o{number}: {{choose: a b c, default: a, en: "x", ru: "x"}}\n' for number in range(8))
    rests = "  rest:\n    in: play\n    when: size(me.hand) > COUNT and (mine is b or ALL)\n    do: stay\n    say: {en: x, ru: x}\nfinish:"
    text = replaced(
        ("zones:", options + '  mine: {choose: a b, default: a, en: "x", ru: "x"}\nzones:'),
        ("finish:", rests),
        ("worst = me", "worst = me if " + " or ".join(f"o{number} is a" for number in range(8)) + " else me"),
    ).replace("ALL", "best is none and size(me.hand) > 2")
    made = []
    new = Program.__post_init__

    def counted(self: Program) -> None:
        made.append(self)
        new(self)

    monkeypatch.setattr(Program, "__post_init__", counted)
    _, said = check(text.replace("COUNT", "1"), tmp_path, "--deals", "2")
    assert "never legal" not in said and len(made) <= 3
    made.clear()
    _, said = check(text.replace("COUNT", "2"), tmp_path, "--deals", "2")
    assert "move 'rest' was never legal in" in said and len(made) <= 8, "not each of 20 values has had a program"


def test_thorough_plays_with_every_option_and_finds_an_idle_one(tmp_path: Path) -> None:
    text = replaced(
        ("zones:", '  idle: {choose: a b, default: a, en: "Nothing", ru: "Ничего"}\nzones:'),
        ("worst = me", "worst = me if idle is a else me"),
    )
    status, said = check(text, tmp_path, "--thorough", "--deals", "4")
    assert status == 0 and "option 'idle' changes nothing" in said and "'rest'" not in said and "'held'" not in said
    broken = replaced(("      card: me.hand\n", "      card: me.hand where held == 2\n"))
    status, said = check(broken, tmp_path, "--thorough", "--deals", "4")
    assert status == 1 and "--set held=1)" in said


def test_json(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(replaced(("loser: worst", "loser: wurst")), "utf-8")
    result = run("check", str(path), "throw-in", "no-such", "--json", "--deals", "1")
    found = json.loads(result.stdout)
    assert result.exit_code == 2 and found["status"] == "problems"
    wrong, right, missing = found["results"]
    assert wrong["status"] == "problems" and wrong["problems"][0]["line"] and wrong["problems"][0]["severity"] == "error"
    assert (right["id"], right["status"], right["problems"], right["deals"]) == ("throw-in", "ok", [], 5)
    assert missing["problems"][0]["code"] == "unknown-rules"


def test_json_says_the_other_place_too(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(replaced(("  hand:  {set", "  table: {set: one, seen by: all}\n  hand:  {set")), "utf-8")
    problem = json.loads(run("check", str(path), "--json").stdout)["results"][0]["problems"][0]
    lines = path.read_text("utf-8").splitlines()
    first, second = [number for number, line in enumerate(lines, 1) if line.startswith("  table: {")]
    assert problem["line"] == second
    assert problem["also"] == [{"text": "the first is", "path": problem["path"], "line": first, "column": 3, "length": 5}]
    path.write_text(replaced(("loser: worst", "loser: wurst")), "utf-8")
    assert json.loads(run("check", str(path), "--json").stdout)["results"][0]["problems"][0]["also"] == []


def test_set_and_wrong_options() -> None:
    assert run("check", "throw-in", "--set", "lead_size=pair", "--deals", "1").exit_code == 0
    result = run("check", "throw-in", "--set", "lead_sise=pair")
    assert result.exit_code == 2 and "did you mean 'lead_size'?" in result.output


def test_hostile_files_get_a_message_and_status_1(tmp_path: Path) -> None:
    for number, data in enumerate(
        [b"", b"\xff\xfe", b"a: &x [*x]\n", b"[" * 2000, b"durak: 1\nid: a\nchanges: ../../etc/passwd\n", b"\0", b"x" * 70_000]
    ):
        path = tmp_path / f"bad{number}.yaml"
        path.write_bytes(data)
        result = run("check", str(path))
        assert result.exit_code == 1 and "problem" in result.output


def test_a_deal_that_cannot_be_made(tmp_path: Path) -> None:
    text = replaced(("begin: go play", "begin:\n    - if size(stock) < 9: deal again\n      else: go play"))
    status, said = check(text, tmp_path)
    assert status == 1 and "without a deal that the rules accept" in said and "Traceback" not in said
    result = run("simulate", str(tmp_path / "game.yaml"))
    assert result.exit_code == 1 and "without a deal that the rules accept" in result.stderr


def test_a_fault_in_play_is_said_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        replaced(
            ("turn: {is: player,", "count: 0 to 2\n  turn: {is: player,"), ("turn: turn = left(me)", "turn: turn = left(me); count += 1")
        ),
        "utf-8",
    )
    for args in (("simulate", str(path)), ("play", str(path), "--auto", "--opponents", "random")):
        result = run(*args)
        assert result.exit_code == 1 and "game.yaml:" in result.stderr and "count += 1" in result.stderr


def test_clauses_and_option_values_without_an_example(tmp_path: Path) -> None:
    stated = """clauses:
  Z1.1: {en: "The higher card wins.", ru: "Старшая бьёт."}
  Z1.2: {en: "Nobody wins.", ru: "Никто не бьёт."}
players:"""
    proven = "  one card each:\n    proves: Z1.1, Z1.3, T1\n"
    options = """options:
  side: {choose: high low, default: high, en: "Which side", ru: "Что старше"}
"""
    text = replaced(("players:", stated), ("  one card each:\n", proven), ("options:\n", options))
    status, said = check(text, tmp_path, "--clauses", "--deals", "2")
    assert status == 0
    assert "no example proves clause Z1.2" in said and "clause Z1.1" not in said
    assert "example 'one card each' proves clause Z1.3, which is not stated under 'clauses'" in said and "clause T1" not in said
    assert "no example sets option 'side' to 'low'" in said and "to 'high'" not in said
    assert "no example sets option 'held' to another number than 2" in said
    assert "no example" not in check(text, tmp_path, "--deals", "2")[1]


def test_clauses_that_nobody_states(tmp_path: Path) -> None:
    def said(proves: str, more: str = "") -> str:
        proven = f"  one card each:\n    proves: {proves}\n{more}"
        return check(replaced(("  one card each:\n", proven)), tmp_path, "--clauses", "--deals", "2")[1]

    unstated = "example 'one card each' proves clause {}, which is not stated under 'clauses'"
    assert unstated.format("H9.9") in said("H9.9")
    assert unstated.format("A1.99") in (found := said("A1.5, T57, A1.99")), "A1.5 is stated by a file that is shipped"
    assert found.count("proves clause") == 1 and "did you mean 'A1." in found
    assert unstated.format("Tx") in said("Tx"), "a trap is a T with a number"
    of_others = (
        "  of others:\n    rules: throw-in\n    proves: A5.1, A5.77\n    given: {trump: spades, hand: 6C | 7C}\n    then: not over\n"
    )
    text = replaced(("examples:\n", f"examples:\n{of_others}"))
    found = check(text, tmp_path, "--clauses", "--deals", "2")[1]
    assert "example 'of others' proves clause A5.77, which" in found and found.count("proves clause") == 1


def test_a_default_is_proven_by_the_file_that_sets_it() -> None:
    result = run("check", "simple+leader-only", "--clauses", "--deals", "0")
    assert result.exit_code == 0 and "all is well" in result.output


def test_a_clause_has_a_number(tmp_path: Path) -> None:
    status, said = check(replaced(("players:", 'clauses:\n  first: {en: "a", ru: "б"}\nplayers:')), tmp_path)
    assert status == 1 and "'first': a clause is a letter and numbers joined by points, as in A2.1" in said
