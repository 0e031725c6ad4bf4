"""What somebody types, understood."""

from __future__ import annotations

import pytest

import durak_dsl
from durak_dsl.players.person import NoSuchNumber, Wish, understand
from durak_dsl.problems import IllegalMove

DECK = "7C 10H 7D JH 8C QD 9D AD 6S KC 10S AC ... 6C"


@pytest.fixture
def table() -> durak_dsl.Table:
    """P1 (7C 8C 6S … ) or P2 is to lead."""
    return durak_dsl.deal(durak_dsl.load("throw-in"), 2, deck=DECK)


def said(line: str, table: durak_dsl.Table) -> object:
    moves = table.legal_moves()
    return understand(
        line, table, moves, [[f"заходит с {move.parts(signs=True)['cards']}" if move.name == "lead" else move.name] for move in moves]
    )


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("отмена", Wish.UNDO),
        ("?", Wish.HELP),
        (" HELP ", Wish.HELP),
        ("undo", Wish.UNDO),
        ("Назад", Wish.UNDO),
        ("quit", Wish.QUIT),
        ("q", Wish.QUIT),
        ("", Wish.STATE),
    ],
)
def test_wishes(line: str, wish: Wish, table: durak_dsl.Table) -> None:
    assert said(line, table) is wish


def test_numbers(table: durak_dsl.Table) -> None:
    moves = table.legal_moves()
    assert [said(f" {number} ", table) for number in range(1, len(moves) + 1)] == list(moves)
    for line in ("0", str(len(moves) + 1), "9" * 400, "-1", "1.", "1 2", "#1", "№ 1"):
        with pytest.raises(NoSuchNumber):
            said(line, table)


def test_texts_cards_and_sentences(table: durak_dsl.Table) -> None:
    for move in table.legal_moves():
        for line in (
            str(move),
            move.text(),
            move.text().lower(),
            move.text().removeprefix("lead "),
            f"ЗАХОДИТ с {move.parts(signs=True)['cards']}",
        ):
            assert said(line, table) == move, line
    with pytest.raises(IllegalMove):
        said("заходит с", table)  # may be any of them
    with pytest.raises(IllegalMove):
        said("take", table)


def test_enter_makes_the_only_move(table: durak_dsl.Table) -> None:
    table.play(table.legal_moves()[0])
    table.play("take")
    only = table.legal_moves()
    if len(only) == 1:
        assert said("", table) == only[0]
