"""`play` and `replay`: in a pipe, by number, text and cards, in two languages; what is refused, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import HIGH, run

# P1 holds 6C 8C QC 6D 7D 8D, P2 10C KC 10D JD QD KD; hearts are trump, and P1 leads with the trump six that he lacks: nobody does.
DECK = "6C 10C 7D 10D 8C JD 6D QD QC KC 8D KD ... 6H"


def play(*lines: str, rules: str = "throw-in", seats: int = 2, args: tuple[str, ...] = ("--opponents", "random")) -> str:
    """All that is printed when these lines are typed."""
    result = run("play", rules, "--seats", str(seats), "--deck", DECK, *args, typed="".join(line + "\n" for line in lines))
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_the_table_is_told_line_by_line() -> None:
    said = play("quit", args=("--as", "P2", "--as", "P1"))
    assert said.startswith("Throw-in Durak: 2 players\nshown to all: ")
    assert "\ntrump: ♥; leader: P" in said
    assert "talon: 24 cards, bottom: 6♥\n" in said
    assert "discard: no cards\ntable: empty\n" in said
    assert "\x1b" not in said and "\r" not in said and "\b" not in said, "nothing is drawn over"


def first(said: str) -> str:
    """Who leads: the seat that is asked first."""
    return said.split(", your move:")[0].rsplit("\n", 1)[1]


@pytest.fixture
def leader() -> str:
    return first(play("quit", args=("--as", "P1", "--as", "P2")))


def test_moves_by_number_text_and_cards(leader: str) -> None:
    both = ("--as", "P1", "--as", "P2")
    offered = play("quit", args=both)
    number, _, text = next(line for line in offered.splitlines() if line.strip().startswith("1: ")).strip().partition(": ")
    cards = text.removeprefix("lead ")
    plain = cards.translate(str.maketrans("♣♦♥♠", "CDHS"))
    said = [
        play(line, "quit", args=both)
        for line in (number, text, text.upper(), f"lead {plain}", plain.lower(), cards, f"{leader} lead {plain}")
    ]
    for one in said:
        assert f"\n{leader} leads {cards}\n" in one
        assert one.split("leads", 1)[1] == said[0].split("leads", 1)[1]


def test_sentences_are_understood_in_russian(leader: str) -> None:
    both = ("--as", "P1", "--as", "P2", "--lang", "ru")
    other = "P2" if leader == "P1" else "P1"
    said = play("1", "берёт", "quit", args=both)
    assert f"{leader} заходит с " in said and f"\n{other} берёт\n" in said
    assert f"\n{other} берёт\n" in play("1", "БЕР", "quit", args=both)


def test_russian_is_all_russian() -> None:
    refused = ("бред", "беру", "хожу с 6Ч", "хожу с 6К 7Б", "захожу", "11К")
    said = play("?", "", *refused, "1", "undo", "77", "выход", rules="переводной", args=("--as", "P1", "--as", "P2", "--lang", "ru"))
    assert "Переводной дурак: 2 игрока" in said and "козырь: ♥; ходит P" in said
    assert "колода: 24 карты, снизу 6♥\nотбой: нет карт\nстол: пусто\n" in said
    assert "нет такого хода: «бред» (? — подсказка); сейчас можно «захожу»" in said
    assert "ваш ход:" in said and "Ход взят назад: " in said and "Ходы пронумерованы от 1 до" in said
    assert said.endswith("Партия прервана.\n")
    letters = {word for word in said.replace("/", " ").split() if word.isascii() and word.isalpha()}
    assert letters <= {"C", "D", "H", "S", "undo", "quit", "Enter", "P", "variants"}, "no English word is left"


def test_wishes(leader: str) -> None:
    both = ("--as", "P1", "--as", "P2")
    said = play("undo", "?", "", "1", "undo", "state", "quit", args=both)
    assert "There is no move of yours to take back." in said and "Type the number of a move" in said
    assert said.count("table: empty") == 4 and said.endswith("The deal is broken off.\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0", "The moves are numbered from 1 to"),
        ("99999999999999999999", "The moves are numbered from 1 to"),
        ("-1", "The moves are numbered from 1 to"),
        ("foo", "there is no move 'foo'; possible now: lead."),
        ("tkae", "did you mean 'take'?"),
        ("lead", "at least 1 must be chosen here"),
        ("lead 6H", "6♥ is not in P"),
        ("lead 6C 7D", "is not in P|are not of one rank"),
        ("take", "'take' is not played in phase 'lead'"),
        ("lead 11C", "there is no card '11C'"),
        ("\x1b[31m\x07", "This cannot be played"),
        ("x" * 5000, "This cannot be played"),
        ("beat 6♣ 9♣", "'beat' is not played in phase 'lead'"),
    ],
)
def test_what_cannot_be_played_is_said_with_its_rule(line: str, words: str, leader: str) -> None:
    said = play(line, "quit", args=("--as", "P1", "--as", "P2"))
    assert any(word in said for word in words.split("|"))
    assert "\x1b" not in said
    if "6H" in line:
        assert "   the rule: variants/simple.yaml:" in said


def test_the_input_may_end_in_the_middle() -> None:
    said = play(args=("--as", "P1", "--as", "P2"))
    assert said.endswith("> \nThe input has ended in the middle of the deal: it is broken off, nobody has won or lost.\n")
    said = play("1", args=("--as", "P1", "--as", "P2", "--lang", "ru"))
    assert said.endswith("Ввод закончился посреди партии: она прервана, никто не выиграл и не проиграл.\n")


def test_a_person_sees_no_hidden_card() -> None:
    said = play("quit", args=("--as", "P1", "--opponents", "random"))
    assert "P1 (you), hand: 6♣ 6♦ 7♦ 8♣ 8♦ Q♣" in said or "P1 (you), hand: 10♣" in said
    assert "\nP2, hand: " in said
    other = next(line for line in said.splitlines() if line.startswith("P2, hand: "))
    assert "cards" in other


def test_a_whole_deal_by_first_moves() -> None:
    result = run("play", "throw-in", "--seats", "3", "--seed", "5", "--as", "P2", "--opponents", "random", typed="1\n" * 500)
    assert result.exit_code == 0
    assert "The deal is over" in result.stdout and "places: 1 P" in result.stdout


@pytest.mark.parametrize("rules", ["simple", "throw-in", "transfer", "transfer-2+first-five", "throw-in+deck-52+no-draw"])
@pytest.mark.parametrize("seats", [2, 6])
def test_auto_plays_to_the_end_and_its_record_replays(rules: str, seats: int, tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    args = ("play", rules, "--auto", "--seats", str(seats), "--seed", "11", "--opponents", "random")
    result = run(*args, "--record", str(path))
    assert result.exit_code == 0 and "The deal is over" in result.stdout
    assert "\n1-е место — P" in run(*args, "--lang", "ru").stdout
    again = run("replay", str(path), "--quiet")
    assert again.exit_code == 0 and f"{seats} players: " in again.stdout and "as the rules have them" in again.stdout
    told = run("replay", str(path)).stdout
    moves = [line for line in result.stdout.splitlines() if line.startswith("P") and "hand:" not in line]
    assert [line for line in told.splitlines() if line.startswith("P") and "hand:" not in line] == moves


def test_the_same_seed_is_the_same_deal() -> None:
    args = ("play", "transfer", "--auto", "--seed", "3", "--opponents", "random")
    assert run(*args).stdout == run(*args).stdout != run(*args[:4], "4", *args[5:]).stdout


def test_a_game_without_names_for_its_zones(tmp_path: Path) -> None:
    path = tmp_path / "high.yaml"
    path.write_text(HIGH.replace(", en: table, ru: стол", ""), "utf-8")
    said = run("play", str(path), "--auto", "--seed", "1", "--lang", "ru", "--opponents", "search").stdout
    assert "Старшая карта: 2 игрока" in said and "\ntable: нет карт\n" in said and " кладёт " in said


def test_a_deal_that_does_not_end_is_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "endless.yaml"
    wait = '  wait:\n    in: play\n    do: stay\n    say: {en: "{me} waits", ru: "{me} ждёт"}\nfinish:'
    text = HIGH.partition("examples:")[0].replace("      card: me.hand\n", "      card: me.hand where no c in me.hand has c.rank >= 6\n")
    path.write_text(text.replace("finish:", wait), "utf-8")
    result = run("simulate", str(path), "--deals", "1")
    assert result.exit_code == 3 and "not over after 100,000 moves (2 seats, --seed " in result.stderr
    result = run("play", str(path), "--auto", "--opponents", "random")
    assert result.exit_code == 3 and "not over after 5,000 moves" in result.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("throw-in", "--seats", "9"), "throw-in is played by 2, 3, 4, 5 or 6, not by 9"),
        (("deck-24", "--seats", "6"), "not by 6"),
        (("throw-in", "--set", "hand_size=12", "--seats", "6"), "does not have enough cards for 6 players"),
        (("throw-in", "--seats", "0"), "--seats"),
        (("throw-in", "--set", "first_bout_limt=5"), "did you mean 'first_bout_limit'?"),
        (("throw-in", "--set", "first_bout_limit=50"), "it is a number from 1 to 20"),
        (("throw-in", "--set", "first_bout_limit"), "is not of the form option=value"),
        (("throw-in", "--as", "P7"), "the seats are P1 to P2"),
        (("throw-in", "--as", "me"), "is no seat"),
        (("throw-in", "--auto", "--as", "P1"), "with --auto there is none"),
        (("throw-in", "--deck", "6C 6C"), "6C comes twice"),
        (("throw-in", "--deck", "6C"), "the deck lacks"),
        (("throw-in", "--deck", "6C ...", "--seed", "1"), "either of a --seed or of a --deck"),
        (("throw-in", "--opponents", "clever"), "clever"),
        (("throw-in", "--record", "/"), "--record"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], words: str) -> None:
    result = run("play", *args)
    assert result.exit_code == 2 and words in result.output


def test_a_record_that_does_not_agree(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    run("play", "simple", "--auto", "--seed", "2", "--opponents", "random", "--record", str(path))
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)

    def replay(changed: str) -> str:
        path.write_text(changed, "utf-8")
        result = run("replay", str(path))
        assert result.exit_code == 1
        return result.stderr

    assert "it was cut short" in replay("".join(lines[:-1]))
    assert "it was cut short" in replay(text[: len(text) * 2 // 3])
    assert "the rules 'simple' have changed since" in replay(text.replace("hash: ", "hash: 0"))
    assert "the record says" in replay(text.replace("result: loser P1", "result: loser P3").replace("result: loser P2", "result: loser P1"))
    first_move = next(place for place, line in enumerate(lines) if line.startswith("1. "))
    wrong = [*lines]
    wrong[first_move] = "1. P1 take\n"
    assert "record.txt" in replay("".join(wrong)) and "in line 1 the record stops agreeing" in replay("".join(wrong))
    assert "does not begin with 'record: 1'" in replay("")
    path.write_bytes(b"\xff\xfe\x00")
    assert run("replay", str(path)).exit_code == 1
    assert run("replay", str(tmp_path / "none.txt")).exit_code == 2
    assert run("replay", "-", typed=text).exit_code == 0, "- is the input"


def test_a_record_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_text("mine", "utf-8")
    result = run("play", "simple", "--auto", "--record", str(path))
    assert result.exit_code == 2 and path.read_text("utf-8") == "mine"


def test_a_list_of_many_moves_is_cut(tmp_path: Path) -> None:
    rules = tmp_path / "many.yaml"
    rules.write_text(
        "durak: 1\nid: many\nchanges: simple\noptions:\n  hand_size: {range: 1 to 18, default: 18}\n"
        "moves:\n  lead:\n    pick:\n      cards: 1 to 5 of me.hand shape 1 | 2+1 | 2+2+1\n",
        "utf-8",
    )
    both = ("--as", "P1", "--as", "P2")
    said = run("play", str(rules), "--seats", "2", "--seed", "1", *both, typed="61\n1\nquit\n").stdout
    offered = [line for line in said.splitlines() if line.startswith("  ")]
    assert offered[17].startswith("  18: lead ") and len(offered[0].split()) == 3 and len(offered[18].split()) == 5
    assert "  60: " in said and "  61: " not in said
    assert " more, not numbered: type the move, as in lead " in said
    assert "The moves are numbered from 1 to 60." in said


def test_the_second_stage_of_a_game_is_told_and_written_down_round_by_round(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    said = run("play", "cross", "--auto", "--seed", "5", "--seats", "3", "--opponents", "random", "--record", str(path)).stdout
    building, playing = said[: said.index(" leads ")], said[said.index(" leads ") :]
    assert building.count("turned up: ") > 5 and "hand: no cards" not in building, "nobody has a hand yet"
    assert playing.count("\nturn: ") > 5 and "heap: " not in playing.partition("\nturn: ")[2]
    lines = path.read_text("utf-8").splitlines()
    led = [line for line in lines if " lead " in line]
    assert len(led) > 5 and all(line.partition(". ")[2].count(" lead ") == 1 for line in led)


def test_what_was_written_down_of_a_second_stage_is_there_when_the_deal_is_broken_off(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    typed = "\n" * 60 + "1\n" * 5 + "quit\n"
    assert (
        run("play", "cross", "--seed", "5", "--seats", "2", "--as", "P1", "--as", "P2", "--record", str(path), typed=typed).exit_code == 0
    )
    assert sum(" lead " in line for line in path.read_text("utf-8").splitlines()) >= 2
    assert run("replay", str(path)).exit_code == 0
