"""What a person says, understood in two languages, and what he is told when it cannot be played."""

from __future__ import annotations

import pytest

import durak_dsl
from durak_dsl.players.person import understand
from durak_dsl.problems import IllegalMove
from durak_dsl.table.position import lay
from durak_dsl.texts.telling import Telling
from durak_dsl.texts.words import in_letters, in_the_rules_words, named

RUSSIAN = str.maketrans({"♣": "К", "♦": "Б", "♥": "Ч", "♠": "П", "J": "В", "Q": "Д", "K": "К", "A": "Т"})


def begun(language: str, rules: str = "transfer") -> tuple[durak_dsl.Table, Telling]:
    """A deal in which the seven of spades is led; P1, who has the nine and the king of spades, is to answer."""
    game = durak_dsl.load(rules)
    table = durak_dsl.deal(game, 2, seed=7)
    table.play("lead 7S")
    return table, Telling(game, language)


def said(line: str, table: durak_dsl.Table, telling: Telling) -> object:
    speaking, seat, moves = telling.speaking, table.actor, table.legal_moves()
    assert seat is not None
    line = speaking.read(line)
    phrases = [[*speaking.phrases(seat, move), speaking.offer(move)] for move in moves]
    return understand(line, table, moves, phrases, speaking.notation(line, table.phase))


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("rules", ["simple", "throw-in", "transfer", "transfer-2", "transfer-2+believe-or-not"])
def test_what_the_list_shows_may_be_typed(language: str, rules: str) -> None:
    game = durak_dsl.load(rules)
    telling = Telling(game, language)
    for seed in range(4):
        table = durak_dsl.deal(game, 3, seed=seed)
        for number in range(30):
            if table.is_over:
                break
            moves, seat = table.legal_moves(), table.actor
            assert seat is not None
            for move in moves:
                offer, sentence = telling.speaking.offer(move), telling.sentence(seat, move)
                whole = (sentence, sentence.partition(" ")[2]) if move.name != "beat in the dark" else ()  # which does not name the card
                for line in (offer, f"P{seat + 1} {offer}", offer.upper(), *whole):
                    assert said(line, table, telling) == move, line
                if language == "ru":
                    assert offer.translate(RUSSIAN) == offer or said(offer.translate(RUSSIAN), table, telling) == move
            table.play(moves[number % len(moves)])


@pytest.mark.parametrize(
    ("language", "line", "move"),
    [
        ("ru", "взять", "take"),
        ("ru", "БЕРЁТ", "take"),
        ("ru", "берет", "take"),
        ("ru", "Р1 беру", "take"),
        ("ru", "крою 7П 9П", "beat 7S 9S"),
        ("ru", "бью 9П", "beat 7S 9S"),
        ("ru", "7п кп", "beat 7S KS"),
        ("ru", "К♠", "beat 7S KS"),
        ("ru", "take", "take"),
        ("en", "takes", "take"),
        ("en", "P1 takes", "take"),
        ("en", "beats 7S with 9S", "beat 7S 9S"),
        ("en", "beat 9S", "beat 7S 9S"),
    ],
)
def test_a_move_in_other_words(language: str, line: str, move: str) -> None:
    table, telling = begun(language)
    assert said(line, table, telling) == table.move(move)


def test_suits_and_ranks_are_called_as_people_call_them() -> None:
    game = durak_dsl.load("czech")
    telling = Telling(game, "ru")
    table = lay(game, {"turn": "P1", "hand": "QD 9H | 8S 9S", "pile": "9C", "talon": "6H"})
    spades = table.move("play QD spades")
    assert [telling.speaking.offer(move) for move in table.legal_moves()][1:] == [
        "кладу Q♦: трефы",
        "кладу Q♦: бубны",
        "кладу Q♦: червы",
        "кладу Q♦: пики",
    ]
    assert Telling(game, "en").sentence(0, spades) == "P1 lays Q♦: spades" and str(spades) == "play Q♦ spades"
    for line in ("кладу Q♦: пики", "кладёт ДБ пики", "дб пики", "play QD пик", "play QD spades"):
        assert said(line, table, telling) == spades, line
    with pytest.raises(IllegalMove) as error:
        table.move("play 9H spades")
    assert telling.speaking.reason(error.value) == "масть здесь не называют."
    assert telling.sentence(0, table.move("play 9H")) == "P1 кладёт 9♥"
    table.play(spades)
    assert next(telling.open_standing(table)) == "заказана: ♠"


@pytest.mark.parametrize(
    ("suit", "russian"),
    [("clubs", "трефы"), ("diamonds", "бубны"), ("hearts", "червы"), ("spades", "пики"), ("wands", "wands")],
)
def test_names_of_suits(suit: str, russian: str) -> None:
    assert named("ru", "suit", suit) == russian and named("en", "suit", suit) == suit
    assert in_the_rules_words(russian) == suit


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("бред", "нет такого хода: «бред» (? — подсказка); сейчас можно «бью», «беру»."),
        ("беур", "нет такого хода: «беур» (? — подсказка); может быть, «беру»?"),
        ("бито", "сейчас можно только «бью», «беру»."),
        ("done", "сейчас можно только «бью», «беру»."),
        ("P2 беру", "сейчас ходит P1, а не P2."),
        ("бью 7П 6Ч", "карты 6♥ у вас нет."),
        ("бью 8П 9П", "карты 8♠ там нет (стол)."),
        ("бью", "ход назван не полностью; пишут так: «бью … картой …»."),
        ("бью 7П 11П", "нет такой карты: «11п»."),
    ],
)
def test_why_not_in_russian(line: str, reason: str) -> None:
    table, telling = begun("ru")
    with pytest.raises(IllegalMove) as error:
        said(line, table, telling)
    assert telling.speaking.reason(error.value, table.legal_moves()) == reason


def test_a_clause_is_named_with_its_place() -> None:
    table, telling = begun("ru")
    lower = next(card for card in table.view(0).heap("hand", 0).known if table.game.cards.text(card)[-1] in "CH")
    with pytest.raises(IllegalMove) as error:
        said(f"бью 7П {table.game.cards.text(lower)}", table, telling)
    assert telling.speaking.reason(error.value).endswith(" — это против правила «beats».")
    assert "variants/simple.yaml" in str(error.value.span) and "'beats' does not hold of " in str(error.value)


@pytest.mark.parametrize(
    ("word", "card"), [("9П", "9S"), ("КЧ", "KH"), ("10к", "10C"), ("дБ", "QD"), ("ТТ", "AC"), ("В♠", "J♠"), ("6С", "6C")]
)
def test_cards_in_russian_letters(word: str, card: str) -> None:
    assert in_letters(word) == card


def test_an_open_set_besides_the_table_is_told_of_while_cards_lie_in_it() -> None:
    game = durak_dsl.load("two-trump")
    telling = Telling(game, "ru")
    table = durak_dsl.deal(game, 2, seed=1)
    told = [*telling.standing(table.view(0))]
    assert "стол: пусто" in told and not any(line.startswith("открытые карты") for line in told)
    laid = lay(game, {"hand": "6C | 7C", "talon": "8C", "opened": "9H"})
    assert "открытые карты: 9♥" in [*telling.standing(laid.view(0))]


@pytest.mark.parametrize(
    ("rules", "given", "english", "russian"),
    [
        ("czech", {"turn": "P1", "hand": "7C | 8S", "pile": "9C", "total": "12 | 0"}, ["points: 12", "points: 0"], ["очки: 12", "очки: 0"]),
        ("czech", {"turn": "P1", "hand": "7C | 8S", "pile": "9C"}, ["", ""], ["", ""]),
        (
            "epaulettes-campaign",
            {"trump": "spades", "hand": "7C | 8S | 9C", "due": "Q | 6 | none"},
            ["next epaulettes: Q", "next epaulettes: 6", ""],
            ["следующие погоны: дама", "следующие погоны: 6", ""],
        ),
    ],
)
def test_what_a_match_keeps_is_told_in_a_deal_once_there_is_any(
    rules: str, given: dict[str, str], english: list[str], russian: list[str]
) -> None:
    table = lay(durak_dsl.load(rules), given)
    for language, facts in (("en", english), ("ru", russian)):
        telling = Telling(table.game, language)
        for told in ([*telling.standing(table.view(0))], [*telling.open_standing(table)]):
            assert [line.partition("; ")[2] for line in told if line.startswith("P")] == facts
