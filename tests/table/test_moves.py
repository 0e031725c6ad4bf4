"""Moves as texts, both ways, and why a text or a move is refused."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl import IllegalMove, Move, RuleError, Table, lay, spell
from durak_dsl.table.choosing import Picked
from durak_dsl.table.game import load
from durak_dsl.table.reasons import Unreadable
from tests.table.deals import FAIR, GAMES, game, played


@settings(max_examples=25, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 80))
def test_legal_moves_are_read_as_they_are_written(rules: str, seed: int, moves: int) -> None:
    table = played(game(rules), seed, moves)
    for move in table.legal_moves():
        for text in (move.text(), str(move), move.text().upper(), f"  {move.text()}  ".replace(" ", "  ")):
            assert table.move(text) == move, text
        assert table.move(f"P{(table.actor or 0) + 1} {move}") == move


# Games with copies of cards or with moves of two picks, and with both; the move that has two.
TWICE = [
    ("big", (), "beat"),
    ("transfer+big", ("deck=24",), "beat"),
    ("believe-or-not+big", ("deck=24",), "beat in the dark"),
    ("epaulettes-campaign+big", ("deck=24", "hang_when=any-take"), "hang"),
    ("scopa", (), "take"),
    ("israeli-whist", (), "bid"),
    ("round", (), "beat"),
]


@pytest.mark.parametrize(("rules", "settings", "twice"), TWICE, ids=[rules for rules, _, _ in TWICE])
def test_moves_of_copies_and_of_two_picks_are_read_as_they_are_written(rules: str, settings: tuple[str, ...], twice: str) -> None:
    of, rng = game(rules, *settings), random.Random(rules)
    seen = set()
    for seed in range(4):
        table = played(of, seed, 0)
        for _ in range(50):
            legal = table.legal_moves()
            for move in legal if len(legal) <= 40 else rng.sample(legal, 40):
                assert table.move(move.text()) == table.move(str(move)) == move, move
                seen.update([move.name] if sum(pick not in (None, ()) for pick in move.picks) == 2 else [])
            if not legal:
                break
            table.play(rng.choice(legal))
    assert twice in seen, seen


def position(**given: str) -> Table:
    """A table of transfer, with spades as trumps."""
    return lay(game("transfer"), {"trump": "spades", **given})


LED = {"hand": "7H 8C KD | 7S 9H QC 9D | KC KH", "table": "7D", "defender": "P2", "held": "4", "phase": "defend"}
BEATEN = {"hand": "7H 8C KD | 7S 9H QC | KC KH KS", "table": "7D 8D | 7C", "defender": "P2", "held": "4", "phase": "defend"}
START = {"hand": "7H 8C 8H KD 8D | 7S 9H QC | KC KH"}
ADDING = {"hand": "7H 8C KD | 9H QC 9C | KC KH", "table": "7D 8D", "defender": "P2", "held": "4", "phase": "throw in"}


@pytest.mark.parametrize(
    ("given", "text", "means"),
    [
        (START, "lead 8C 8H", "lead 8C 8H"),
        (START, "8h, 8c", "lead 8C 8H"),
        (START, "P1: lead 8♥", "lead 8H"),
        (LED, "beat 7D 9D", "beat 7D 9D"),
        (LED, "9D", "beat 7D 9D"),
        (LED, "7D 9D", "beat 7D 9D"),
        (LED, "Beat  7♦  9♦", "beat 7D 9D"),
        (LED, "7d 7s", "beat 7D 7S"),
        (BEATEN, "beat 7C QC", "beat 7C QC"),
        (BEATEN, "QC", "beat 7C QC"),
        (ADDING, "8C", "throw in 8C"),
        (ADDING, "THROW IN 8c", "throw in 8C"),
    ],
)
def test_a_text_means_a_move(given: dict[str, str], text: str, means: str) -> None:
    assert position(**given).move(text).text() == means


@pytest.mark.parametrize(
    ("given", "text", "reason", "rule"),
    [
        (START, "lead 9H", "9♥ is not in P1's hand", "cards: 1 to lead_cap of me.hand same rank"),
        (START, "lead 8C 7H", "7♥ and 8♣ are not of one rank", "cards: 1 to lead_cap of me.hand same rank"),
        (START, "lead 8C 8C", "8♣ is named twice", None),
        (START, "take", "'take' is not played in phase 'lead', only lead", "take:"),
        (START, "P2 lead 7S", "it is P1's turn, not P2's", None),
        (START, "P5 take", "there is no player P5 at this table", None),
        (LED, "beat 8D 9D", "no pile of 'table' shows 8♦", "pile: table where uncovered(pile)"),
        (LED, "beat 7D 9H", "'beats' does not hold of 9♥ 7♦ here: beats(card, top(pile), me)", "beats: beats(card, top(pile), me)"),
        (LED, "7S", "'7S' may mean beat 7♦ 7♠ or transfer 7♠", None),
        (LED, "transfer 9D", "'rank' does not hold of 9♦ here: passes(card)", "rank: passes(card)"),
        (LED, "show transfer 7S", "'played' does not hold here: show_transfer is not no", "played: show_transfer is not no"),
        (BEATEN, "beat 7D 9D", "9♦ is not in P2's hand", "card: me.hand"),
        (BEATEN, "beat 8D QC", "8♦ is not among 'uncovered(pile)'", "pile: table where uncovered(pile)"),
        (BEATEN, "beat 7C 7S 9D", "'beat' is written: beat PILE CARD, as in beat 6C 9C", None),
        (BEATEN, "transfer 7S", "'rank' does not hold of 7♠ here: passes(card)", "rank: passes(card)"),
        (ADDING, "throw in KD", "'rank on the table' does not hold of K♦ here: card.rank in table_ranks", None),
        (ADDING, "throw in", "'throw in' is written: throw in CARD, as in throw in 6C", None),
        (ADDING, "trow in 8C", "there is no move 'trow in'; did you mean 'throw in'?", None),
        (ADDING, "throw in 8K", "there is no card '8K'; cards are written like 6C", None),
        (ADDING, "", "no move is written here", None),
        (ADDING, "15X", "there is no card '15X'", None),
        (ADDING, "throw in /8C", "there is no card '/8C'; cards are written like 6C", None),
        (ADDING, "8\x1b[31mC\0", "there is no card '8?[31mC?'", None),
        (ADDING, "5" + "x" * 20_000, "there is no card '5" + "x" * 58 + "…'", None),
    ],
)
def test_a_text_is_refused(given: dict[str, str], text: str, reason: str, rule: str | None) -> None:
    with pytest.raises(IllegalMove) as error:
        position(**given).move(text)
    assert error.value.reason == reason
    if rule is not None:
        assert error.value.span is not None and rule in error.value.span.quoted


@pytest.mark.parametrize(("deck", "sample"), [("24", "9C QC"), ("36", "6C 9C"), ("52", "2C 5C")])
def test_sample_cards_are_in_the_game(deck: str, sample: str) -> None:
    with pytest.raises(IllegalMove, match=f"as in beat {sample}$"):
        game("throw-in", f"deck={deck}").notation.read("beat")
    with pytest.raises(IllegalMove, match=f"cards are written like {sample[:2]}$"):
        game("throw-in", f"deck={deck}").notation.read("beat 1X 1X")


def test_several_cards_have_bounds() -> None:
    table = lay(game("transfer", "lead_size=pair"), {"trump": "spades", **START})
    with pytest.raises(IllegalMove, match="at most 2 may be chosen here, not 3"):
        table.move("lead 8C 8H 8D")
    with pytest.raises(IllegalMove, match="at least 1 must be chosen here"):
        table.move("lead")


def test_several_cards_are_chosen_by_what_each_is_beside_an_earlier_pick() -> None:
    given = {"trump": "spades", "hand": "6C 6D 6H | 9D 9H", "leader": "P1", "defender": "P2", "taker": "P2", "phase": "hang"}
    table = lay(game("epaulettes-campaign"), {**given, "due": "6 | 6"})
    assert [move.text() for move in table.legal_moves()] == [
        *("hang 6C", "hang 6C 6D", "hang 6C 6D 6H", "hang 6C 6H", "hang 6D", "hang 6D 6H", "hang 6H", "keep")
    ]


def test_nothing_is_played_after_the_end() -> None:
    table = played(game("throw-in"), 1, 10_000)
    with pytest.raises(IllegalMove, match="the deal is over"):
        table.move("take")
    with pytest.raises(IllegalMove, match="the deal is over"):
        table.play(Move("take"))


@settings(max_examples=20, deadline=None)
@given(rules=st.sampled_from(GAMES), seed=st.integers(0, 999), moves=st.integers(0, 60))
def test_what_is_not_among_the_legal_moves_is_refused_for_a_reason(rules: str, seed: int, moves: int) -> None:
    table = played(game(rules), seed, moves)
    legal = set(table.legal_moves())
    for move in _conceivable(table, random.Random(seed)):
        found = table.way(move)
        if found is not None:
            assert _alike(table, move) in {_alike(table, other) for other in legal}
            continue
        assert move not in legal
        before = table.state.copy()
        with pytest.raises(IllegalMove) as error:
            table.play(move)
        assert "cannot be finished" not in error.value.reason, move
        assert table.state == before


def _alike(table: Table, move: Move) -> str:
    return table.named(table.way(move)).text()  # type: ignore[arg-type]


def _conceivable(table: Table, rng: random.Random) -> list[Move]:
    """Moves of this phase with any values at all for their picks."""
    found = []
    for segment in table.game.choosing.segments(table.state):
        values: list[list[Picked]] = []
        for pick in table.program.moves[segment.move].picks:
            size = table.program.assembly.pick_size(pick)
            if pick.type.kind == "pile":
                size = table.state[table.program.layout.pile_count(pick.type.zone)]
            if pick.several:
                cards = range(table.game.cards.count)
                values.append([*((card,) for card in cards), *(tuple(sorted(rng.sample(cards, 2))) for _ in range(10))])
            else:
                values.append([*range(size), *(() if pick.when is None else (None,))])
        every = list(itertools.product(*values))
        found += [Move(segment.move, picks) for picks in rng.sample(every, min(60, len(every)))]
    return found


def test_copies_make_one_move() -> None:
    table = lay(game(FAIR), {"hand": "7C 7C 8H | 9M 9M", "rows": "9C | 9C"})
    assert [move.text() for move in table.legal_moves() if move.name in ("hide", "give", "cover")] == [
        "give P2 7C",
        "give P2 7C 7C",
        "give P2 8H",
        "hide 7C",
        "hide 8H",
    ]


def test_piles_with_the_same_top_card_are_told_apart() -> None:
    table = lay(game(FAIR, "dark=no"), {"hand": "9H 8H | 9M 9M", "rows": "9C | 7C 9C | 8M"})
    assert [move.text() for move in table.legal_moves() if move.name == "cover"] == [
        "cover 9C with 8H",
        "cover 7C/9C with 8H",
        "cover 8M with 8H",
        "cover 9C with 9H",
        "cover 7C/9C with 9H",
        "cover 8M with 9H",
    ]
    assert table.move("cover 9C with 8H").picks[1] == 0
    assert table.move("cover 7C with 8H").picks[1] == 1


def test_a_pile_is_called_by_what_lies_face_up() -> None:
    table = lay(game(FAIR), {"hand": "7H 8H 9H | 9M 9M", "pack": "7M", "rows": "9C"})
    table.play("cover 9C with 9H")
    assert spell(table)["rows"] == "9C (9H)"
    assert any(move.text().startswith("cover 9C with") for move in table.legal_moves())


@pytest.mark.parametrize(
    ("write", "wrong"),
    [
        ("beat {card}", "does not name its pick 'pile'"),
        ("beat {pile} {card} {card}", "names more than once its pick 'card'"),
        ("beat {pile} {card} {cart}", "names {cart}, which is not picked"),
        ("throw in {pile} {card}", None),
    ],
)
def test_a_notation_that_says_too_little_is_a_problem_of_the_rules(write: str, wrong: str | None, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    names = 'names: {en: Mine, ru: Мои}\nsummary: {en: "…", ru: "…"}\nsources: [x]\n'
    file.write_text(f'durak: 1\nid: mine\nchanges: throw-in\n{names}moves:\n  beat:\n    write: "{write}"\n', encoding="utf-8")
    if wrong is None:
        load(str(file))
        return
    with pytest.raises(RuleError, match=re.escape(wrong)):
        load(str(file))


def test_an_unreadable_text_is_told_from_an_illegal_move() -> None:
    with pytest.raises(Unreadable):
        position(**START).move("lead the way")


def test_a_move_is_asked_for_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("durak: 1\nid: mine\nchanges: throw-in\nmoves:\n  throw in: {write: 'add {card}'}\n", "utf-8")
    notation = load(str(path)).notation
    with pytest.raises(IllegalMove, match=r"'throw in' is written: add CARD, as in add 6C$"):
        notation.read("throw in 8C")
    with pytest.raises(IllegalMove, match=r"there is no move 'xyz'; the moves are lead, beat, take, add, done and pile on$"):
        notation.read("xyz")
