"""Expressions that are right, and their types."""

from __future__ import annotations

from pathlib import Path

import pytest

from durak_dsl.language.types import MOST_PICKS
from tests.language.frames import edited, game, scope, typed

TYPES = {
    # names and literals
    "leader": "player",
    "taker": "player or none",
    "dark": "pile or none",
    "laid": "set of cards",
    "cap": "number",
    "throwers": "choice (all, leader, nobody)",
    "talon": "stack",
    "discard": "set zone",
    "table": "row of piles",
    "7": "number",
    "J": "rank",
    "QS": "card",
    "10H": "card",
    "P6": "player",
    "spades": "suit",
    "yes": "yes or no",
    "none": "none",
    "{}": "set of cards",
    "{9C QS}": "set of cards",
    "{J 10 6}": "set of ranks",
    "{6 7}": "set of ranks",
    "{clubs spades}": "set of suits",
    "{P1 P2}": "set of players",
    "all cards": "set of cards",
    "all hand": "set of cards",
    "players": "set of players",
    "suits": "set of suits",
    "ranks": "set of ranks",
    "loser": "player or none",
    "dealer": "player",
    # parts
    "me.hand": "set zone",
    "me.done": "yes or no",
    "me.place": "number or none",
    "card.rank": "rank",
    "card.suit": "suit",
    "QS.rank": "rank",
    "left(me).hand": "set zone",
    "(me).done": "yes or no",
    # logic, choices
    "not me.done and yes or no": "yes or no",
    "leader if yes else taker": "player or none",
    "leader if yes": "player or none",
    "1 if yes else 2 if no else 3": "number",
    "card.rank if yes else 7": "rank",
    "me.hand if yes else talon": "set of cards",
    "card if yes else me.hand": "set of cards",
    "table if yes else {}": "set of cards",
    "none if yes": "none",
    # comparisons
    "card == QS": "yes or no",
    "card.rank >= 9": "yes or no",
    "9 <= card.rank": "yes or no",
    "taker == leader": "yes or no",
    "taker is none": "yes or no",
    "taker is not none": "yes or no",
    "throwers is all": "yes or no",
    "throwers is not nobody": "yes or no",
    "me.done is yes": "yes or no",
    "me.hand == {6C 7D}": "yes or no",
    "talon != table": "yes or no",
    "pile == pile": "yes or no",
    "card in pile": "yes or no",
    "card not in me.hand": "yes or no",
    "me in players after leader": "yes or no",
    "me in players from leader": "yes or no",
    "7 in ranks(laid)": "yes or no",
    "leader in {P1 P2}": "yes or no",
    "{} == ranks(laid)": "yes or no",
    # arithmetic and sets
    "1 + 2 * 3 - 4": "number",
    "-quiet": "number",
    "me.hand + talon": "set of cards",
    "laid + card": "set of cards",
    "laid + turned": "set of cards",
    "laid - me.hand": "set of cards",
    "ranks(laid) - {7}": "set of ranks",
    "ranks(laid) - {}": "set of ranks",
    # words
    "size(pile)": "number",
    "size(table)": "number",
    "count(table)": "number",
    "count(pile in table where odd(size(pile)))".replace("pile in", "q in").replace("size(pile)", "size(q)"): "number",
    "count(players)": "number",
    "top(pile)": "card",
    "top(heap)": "card or none",
    "bottom(pile)": "card",
    "under(pile)": "card or none",
    "cards(q in table where yes)": "set of cards",
    "cards(c in me.hand where c.rank == 7)": "set of cards",
    "cards(table)": "set of cards",
    "known(table)": "set of cards",
    "ranks(q in me.hand where yes)": "set of ranks",
    "suits(me.hand)": "set of suits",
    "ranks(top(q) for q in table)": "set of ranks",
    "ranks(top(q) for q in table where odd(size(q)))": "set of ranks",
    "lowest(ranks(me.hand))": "rank or none",
    "highest(me.hand)": "card or none",
    "lowest(c in me.hand where c.rank > 7)": "card or none",
    "odd(3)": "yes or no",
    "even(count(laid))": "yes or no",
    "min(1, quiet)": "number",
    "max(1, quiet)": "number",
    "left(me)": "player",
    "right(me)": "player",
    "holder(card)": "player or none",
    "number(card.rank)": "number",
    "number(7)": "number",
    "either(taker, leader)": "player",
    "either(taker, none)": "player or none",
    "either(taker, dealer)": "player",
    "either(lowest(ranks(laid)), 7)": "rank",
    "sum(number(c.rank) for c in laid)": "number",
    "sum(1 for p2 in players where p2 != me)": "number",
    "makes(number(c.rank) for c in laid, 15)": "yes or no",
    "makes(quiet for p2 in players where p2 != me, quiet)": "yes or no",
    # going through collections
    "any c in laid has c.rank == 7": "yes or no",
    "no c in laid where c.rank > 7 has c.suit == spades": "yes or no",
    "every q in table has size(q) == 1": "yes or no",
    "any c in pile has c == QS": "yes or no",
    "first q in players after leader where not q.done": "player or none",
    "first q in table where odd(size(q))": "pile or none",
    "last q in players": "player or none",
    "least q in players by size(q.hand)": "player or none",
    "most q in players from leader where q != me by highest(q.hand)": "player or none",
    "not any q in players has q.done": "yes or no",
    "yes and any q in players has q.done and q != me": "yes or no",
    "yes or no q in players has q.done": "yes or no",
    # definitions
    "in_game(me)": "yes or no",
    "beats(card, QS)": "yes or no",
    "room": "number",
    "defender": "player or none",
    "limit(3)": "number",
    "place(me)": "number",
    "me.place if in_game(me)": "number or none",
}


@pytest.mark.parametrize("value", TYPES)
def test_expressions_have_their_types(value: str) -> None:
    assert str(typed(value).type) == TYPES[value]


BOUNDS = {
    "quiet + 1": (1, 61),
    "quiet - 10": (-10, 50),
    "quiet * -2": (-120, 0),
    "-quiet": (-60, 0),
    "min(quiet, 9)": (0, 9),
    "max(quiet, 9)": (9, 60),
    "size(pile)": (0, 3),
    "count(table)": (0, 12),
    "count(players)": (0, 6),
    "count(suits)": (0, 4),
    "size(me.hand)": (0, 36),
    "number(card.rank)": (0, 10),
    "sum(2 for p2 in players)": (0, 12),
    "3 if yes else quiet": (0, 60),
    "either(me.place, 12)": (1, 12),
}


@pytest.mark.parametrize("value", BOUNDS)
def test_numbers_know_their_bounds(value: str) -> None:
    kind = typed(value).type
    assert (kind.low, kind.high) == BOUNDS[value]


def test_chance_gives_something_where_there_is_something() -> None:
    assert str(typed("random(players)", scope(chance=True)).type) == "player"
    assert str(typed("random(suits)", scope(chance=True)).type) == "suit"
    assert str(typed("random(me.hand)", scope(chance=True)).type) == "card or none"


def test_operators_bind_as_the_language_says() -> None:
    def shape(value: str) -> str:
        expr = typed(value)
        return expr.op if not expr.args else f"{expr.op}({', '.join(arg.op for arg in expr.args)})"

    assert shape("yes or no and yes") == "or(const, and)"
    assert shape("not yes and no") == "and(not, const)"
    assert shape("not quiet == 3") == "not(==)"
    assert shape("1 + 2 == 3") == "==(+, const)"
    assert shape("1 + 2 * 3") == "+(const, *)"
    assert shape("1 - 2 - 3") == "-(-, const)"
    assert shape("-1 + 2") == "+(negative, const)"
    assert shape("1 if yes or no else 2") == "if(or, const, const)"
    assert shape("not any q in players has q.done or q.done") == "not(any)"
    assert shape("yes and yes and yes") == "and(const, const, const)"


def test_definitions_are_used_before_they_stand(tmp_path: Path) -> None:
    rules = edited("define:\n  +a1: b1(leader)\n  +b1(player p): c1 and p.done\n  +c1: size(talon) > 0\n", tmp_path)
    assert str(rules.defines["a1"].body.type) == "yes or no"
    assert [name for name in rules.defines if name in ("a1", "b1", "c1")] == ["c1", "b1", "a1"]


def test_what_the_end_says_is_used_like_a_definition(tmp_path: Path) -> None:
    rules = edited(
        "define:\n  +a1(player p): place(p) + points(p) if loser != p else 0\nfinish:\n  scores: {points(player p): 3}\n", tmp_path
    )
    assert list(rules.finish.scores) == ["points"]
    assert str(rules.defines["a1"].body.type) == "number"


def test_the_picks_of_a_move_have_their_types(tmp_path: Path) -> None:
    move = "moves:\n  +a1:\n    in: play + answer\n    pick:\n{}\n    do: stay\n    say: {{en: x, ru: x}}\n"
    picks = {
        "suit": "suits",
        "rank": "ranks where rank > 7",
        "friend": "players after me when suit == clubs",
        "cards": "0 to room of me.hand same suit where cards.rank > 7",
    }
    assert len(picks) == MOST_PICKS
    rules = edited(move.format("\n".join(f"      {name}: {pick}" for name, pick in picks.items())), tmp_path)
    assert {pick.name: str(pick.type) for pick in rules.moves["a1"].picks} == {
        "suit": "suit",
        "rank": "rank",
        "friend": "player or none",
        "cards": "set of cards",
    }
    rules = edited(
        move.format("      pile: table where size(pile) > 1\n      card: pile\n      any_card: me.hand + me.won\n      team: '{P1 P2}'"),
        tmp_path,
    )
    assert [str(pick.type) for pick in rules.moves["a1"].picks] == ["pile", "card", "card", "player"]
    assert rules.moves["a1"].phases == ("play", "answer")


def test_a_name_given_by_let_reaches_to_the_end_of_its_body(tmp_path: Path) -> None:
    body = """\
procedures:
  +a1:
    one: let x = 3
    two:
      - let y = x + 1
      - if y > 3:
          - let z = y
          - quiet = z
        else:
          - let z = x
          - quiet = z
      - for each z in suits:
          - let w = z
          - if w == clubs: quiet = x
      - for each z in suits: let w = z
    three: quiet = y
"""
    assert len(edited(body, tmp_path).procedures["a1"].body) == 3


def test_parameters_and_bodies_share_no_names(tmp_path: Path) -> None:
    rules = edited("define:\n  +a1(player p): p.done\n  +b1(player p): any q in players has a1(q) and a1(p)\n", tmp_path)
    (one,), (two,) = rules.defines["a1"].parameters, rules.defines["b1"].parameters
    assert one[1] != two[1]


def test_the_small_game_uses_what_it_has() -> None:
    said = [warning.message for warning in game().warnings]
    assert said == [
        "option 'throwers' is never used",
        "zone 'heap' is never used",
        "zone 'won' is never used",
        "variable 'taker' is never used",
        "variable 'dark' is never used",
        "variable 'quiet' is read but never set",
        "variable 'laid' is never used",
        "variable 'done' is set but never read",
        "variable 'place' is read but never set",
        "definition 'stuck' is never used",
        "procedure 'draw up' is never used",
        "no deal ever ends: nothing says 'end deal'",
    ]
