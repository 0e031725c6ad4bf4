"""Words and numbers in two languages, and what is told of a deal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import durak_dsl
from durak_dsl.table.history import Standing
from durak_dsl.table.position import lay
from durak_dsl.table.reasons import REASONS
from durak_dsl.texts import words
from durak_dsl.texts.telling import Telling


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 карт"),
        (1, "1 карта"),
        (2, "2 карты"),
        (4, "4 карты"),
        (5, "5 карт"),
        (11, "11 карт"),
        (12, "12 карт"),
        (14, "14 карт"),
        (21, "21 карта"),
        (22, "22 карты"),
        (25, "25 карт"),
        (101, "101 карта"),
        (111, "111 карт"),
        (112, "112 карт"),
    ],
)
def test_russian_plurals(number: int, text: str) -> None:
    assert words.amount("ru", number, "card") == text
    assert words.amount("en", number, "card") == f"{number} card{'' if number == 1 else 's'}"


def test_both_languages_say_the_same_things() -> None:
    for texts in words.WORDS.values():
        assert set(texts) == set(words.LANGUAGES)
        fields = [set(re.findall(r"\{(\w+)\}", text)) for text in texts.values()]
        assert fields[0] == fields[1]
    assert set(words.REASONS) == set(REASONS)
    for kind, text in words.REASONS.items():
        assert set(re.findall(r"\{(\w+)\}", text)) <= set(re.findall(r"\{(\w+)\}", REASONS[kind]))
    for forms in words.NOUNS.values():
        assert (len(forms["en"]), len(forms["ru"])) == (2, 3)


@pytest.mark.parametrize("rules", ["simple", "throw-in", "transfer", "transfer-2"])
def test_rules_say_every_zone_and_move_in_both_languages(rules: str) -> None:
    game = durak_dsl.load(rules)
    for language in words.LANGUAGES:
        telling = Telling(game, language)
        assert set(telling.zones) == set(game.rules.zones) and {"trump", "leader", "defender"} <= set(telling.variables)
        if language == "ru":
            assert not any(name.isascii() for name in [*telling.zones.values(), *telling.variables.values()])
        for move in game.rules.moves.values():
            assert move.say[language]


def test_what_happens_is_told_as_a_seat_sees_it() -> None:
    game = durak_dsl.load("throw-in")
    table = durak_dsl.deal(game, 2, deck="6C 7C 8D 9D 6D 7D 8H 9H 6H 7H 8S 9S QC ... KS")
    telling = Telling(game, "en")
    leader = table.actor
    assert leader is not None
    table.play(table.legal_moves()[0])
    table.play("take")
    table.play("done")
    told = table.told()[-1]
    mine, other = [*telling.happened(told, leader)], [*telling.happened(told, 1 - leader)]
    assert mine[0] == other[0] and mine[0].startswith(f"table → P{2 - leader}: ")
    assert re.fullmatch(rf"talon → P{leader + 1}: Q♣.*", mine[1])
    assert re.fullmatch(rf"talon → P{leader + 1}: \d cards?", other[1])
    assert [*telling.happened(told, None)] == mine


def test_a_card_that_lay_face_down_is_not_told_unless_it_is_turned_up() -> None:
    game = durak_dsl.load("believe-or-not")
    table = lay(game, {"hand": "7H 7D KC | 8H 9C 9D KD | QC QD", "trump": "spades"})
    telling = Telling(game, "en")
    for move in ("lead 7H 7D", "beat in the dark 7H 9C", "believe", "beat in the dark 7D 9D", "doubt"):
        table.play(move)
    told = table.told()[-1]
    assert [*telling.happened(told, 0)] == ["shown to all: 9♦ (table)", "table → P1: 7♦ 7♥ 9♣ 9♦"]
    assert [*telling.happened(told, 2)] == ["shown to all: 9♦ (table)", "table → P1: 7♦ 7♥ 9♦ + 1 card"]
    table.undo()
    table.play("believe")
    assert [*telling.happened(table.told()[-1], 0)] == ["table → discard: 7♦ 7♥ + 2 cards"]
    assert [*telling.happened(table.told()[-1], None)] == ["table → discard: 7♦ 7♥ 9♣ 9♦"]


def test_the_end_is_told() -> None:
    game = durak_dsl.load("simple")
    outcome = durak_dsl.Outcome((2, 1, 3), (2,), False, {})
    assert [*Telling(game, "en").ending(outcome)] == ["The deal is over. P3 is the fool.", "places: 1 P2, 2 P1, 3 P3"]
    assert [*Telling(game, "ru").ending(outcome)] == [
        "Игра окончена. В дураках остался P3.",
        "1-е место — P2, 2-е — P1, 3-е — P3",
    ]
    shared = durak_dsl.Outcome((1, 1, 3), (2,), False, {})
    assert [*Telling(game, "en").ending(shared)][1] == "places: 1 P1 and P2, 3 P3"
    assert [*Telling(game, "ru").ending(shared)][1] == "1-е место — P1 и P2, 3-е — P3"
    assert next(Telling(game, "en").ending(durak_dsl.Outcome((1, 1), (), False, {}))) == "The deal is over: a draw."
    won = durak_dsl.Outcome((2, 1, 2), (), False, {}, (1,))
    assert [*Telling(game, "en").ending(won)] == ["The deal is over. P2 has won.", "places: 1 P2, 2 P1 and P3"]
    assert next(Telling(game, "ru").ending(won)) == "Игра окончена. Победил P2."
    together = durak_dsl.Outcome((1, 2, 1, 2), (), False, {}, (0, 2))
    assert next(Telling(game, "en").ending(together)) == "The deal is over. P1 and P3 have won."
    assert next(Telling(game, "ru").ending(together)) == "Игра окончена. Победили P1 и P3."
    assert next(Telling(game, "en").ending(durak_dsl.Outcome((1, 2), (1,), False, {}, (0,)))) == "The deal is over. P2 is the fool."
    assert "for nothing changes" in next(Telling(game, "en").ending(durak_dsl.Outcome((1, 1), (), True, {})))


BEST = """durak: 1
id: best
changes: simple
finish:
  says: {en: "Best is {winner}", ru: "Лучше всех {winner}"}
match:
  place(player p): 1 + count(q in players where q == dealer and p != dealer)
  over: yes
  says: {en: "{winner} before {loser}", ru: "{winner}, а не {loser}"}
"""


def test_who_is_the_best_is_told_where_the_rules_name_the_winner(tmp_path: Path) -> None:
    path = tmp_path / "best.yaml"
    path.write_text(BEST, "utf-8")
    telling, russian = (Telling(durak_dsl.load(str(path)), language) for language in ("en", "ru"))
    for places, losers, said in (
        ((2, 1, 3), (2,), "The deal is over. Best is P2."),
        ((1, 1, 3), (2,), "The deal is over. Best is P1 and P2."),
        ((2, 1, 2), (), "The deal is over. Best is P2."),
        ((1, 1, 1), (), "The deal is over: a draw."),
    ):
        assert next(telling.ending(durak_dsl.Outcome(places, losers, False, {}))) == said
    assert next(russian.ending(durak_dsl.Outcome((2, 1, 3), (2,), False, {}))) == "Игра окончена. Лучше всех P2."
    assert next(telling.ending(durak_dsl.Outcome((1, 2), (1,), True, {}))) == "The deal is over. P2 has lost."
    assert next(telling.match(1, Standing(True, (2, 1), (0,)))) == "The match is over after 1 deal. P2 before P1."
    assert next(telling.match(1, Standing(True, (2, 1, 2), ()))) == "The match is over after 1 deal. Nobody has lost the match."
    assert next(telling.match(1, Standing(True, (1, 1), ()))) == "The match is over after 1 deal. Nobody has lost the match."
