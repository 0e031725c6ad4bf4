"""Which edits go over which games: every pair that the catalogue allows loads, checks and plays; every other is refused with a reason.

And games that are no edits play too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from durak_dsl import RuleError, deal, load
from durak_dsl.study.trial import trial
from durak_dsl.table.position import lay
from tests.games import FILES, VARIANTS

BASES = ("simple", "throw-in", "transfer", "transfer-2")
EVERYWHERE = (
    *("no-trump", "big", "believe-or-not", "japanese", "pik-pikami", "two-trump", "hidden-trump", "partners", "joker"),
    *("no-draw", "deck-24", "deck-52", "fallen-ace", "trump-exchange", "redeal", "leader-only"),
    *("epaulettes", "epaulettes-campaign"),
)
NOT_OVER = {
    "magadan": {"transfer-2"},
    "road": {"transfer-2"},
    # There is nothing to throw in, or nothing to transfer.
    **{edit: {"simple"} for edit in ("first-five", "neighbours", "no-pile-on", "any-time")},
    "no-transfer-first": {"simple", "throw-in"},
}
THREE = (
    *("transfer+japanese+partners", "throw-in+joker+first-five", "transfer+no-trump+neighbours"),
    *(
        "transfer+magadan+no-draw",
        "throw-in+japanese+first-five",
        "throw-in+partners+believe-or-not",
        "throw-in+epaulettes-campaign+partners",
    ),
)

SHEDDING = ("czech", "czech-1", "czech-2", "czech-1+czech-2", "czech-2+czech-1")


def family(name: str) -> str:
    """The whole game on which rules are built."""
    head = re.search(r"^changes: ([\w-]+)", FILES[name].read_text("utf-8"), re.M)
    return family(head[1]) if head else name


# Games of other families, also with each of the options that make the deal another one.
APART: list[tuple[str, Mapping[str, str]]] = [
    *((name, {}) for name in VARIANTS if family(name) != "simple" and name not in SHEDDING),
    *((name, {}) for name in SHEDDING),
    ("chinese", {"may_take": "yes"}),
    *(("cross", {"deck": deck, "answer": answer}) for deck, answer in (("36", "any-beat"), ("52", "suit-first"), ("52", "any-beat"))),
    ("cross", {"pile_size": "never"}),
    *(("round", {"play_on": play_on, "talon_left": "out"}) for play_on in ("no", "yes")),
]


def pairs(allowed: bool) -> Iterator[str]:
    """The combinations of a game and an edit that are allowed, or those that are not."""
    refused = {**{edit: set[str]() for edit in EVERYWHERE}, **NOT_OVER}
    return (f"{base}+{edit}" for edit, bases in refused.items() for base in BASES if (base not in bases) == allowed)


def play(rules: str, deals: int, options: Mapping[str, str] | None = None) -> None:
    """Random deals at every number of players: somebody can move, cards are conserved, the deal ends in its bounds; and deals are told."""
    game = load(rules, options)
    tried = trial(game, deals)
    assert not tried.problems, [str(problem) for problem in tried.problems]
    assert tried.deals == deals * len(game.seats)
    for seats in game.seats:
        for number in range(deals):
            assert deal(game, seats, seed=number).told()


@pytest.mark.parametrize("rules", [*pairs(allowed=True), *THREE])
def test_what_goes_together_plays(rules: str) -> None:
    play(rules, 4)


@pytest.mark.long
@pytest.mark.parametrize("rules", [*pairs(allowed=True), *THREE])
def test_what_goes_together_plays_long(rules: str) -> None:
    play(rules, 2000)


@pytest.mark.parametrize(("rules", "options"), APART)
def test_games_of_other_families_play(rules: str, options: Mapping[str, str]) -> None:
    play(rules, 3, options)


@pytest.mark.long
@pytest.mark.parametrize(("rules", "options"), APART)
def test_games_of_other_families_play_long(rules: str, options: Mapping[str, str]) -> None:
    play(rules, 2000, options)


@pytest.mark.parametrize(
    "rules",
    [
        *pairs(allowed=False),
        *("throw-in+czech-1", "transfer+czech-2", "czech+neighbours", "czech-1+partners"),
        *("cross+deck-52", "chinese+deck-52", "czech+deck-24", "round+deck-52", "scopa+deck-52"),
    ],
)
def test_what_does_not_go_together_says_why(rules: str) -> None:
    with pytest.raises(RuleError) as caught:
        load(rules)
    assert all(problem.span is not None for problem in caught.value.problems)
    reasons = [f"{problem.message} {problem.hint}" for problem in caught.value.problems]
    assert any(said in reason for reason in reasons for said in ("was written for", "does not go with", "is another game")), reasons


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("cross+deck-52", "'deck-52' edits 'simple'; 'cross' is another game"),
        ("chinese+neighbours", "'neighbours' edits 'throw-in'; 'chinese' is another game"),
        ("transfer+czech-1", "'czech-1' edits 'czech'; 'transfer' is another game"),
    ],
)
def test_an_edit_of_another_game_is_told_as_it_says_itself(rules: str, said: str) -> None:
    with pytest.raises(RuleError) as caught:
        load(rules)
    (problem,) = caught.value.problems
    assert problem.message == said and problem.span is not None and problem.span.quoted.startswith("changes: ")


def test_an_option_that_both_games_have_makes_them_no_family(tmp_path: Path) -> None:
    path = tmp_path / "four.yaml"
    path.write_text("durak: 1\nid: four\nchanges: simple\nsources: [test]\noptions:\n  hand_size: {default: 4}\n", "utf-8")
    with pytest.raises(RuleError, match="'four' edits 'simple'; 'czech' is another game"):
        load(f"czech+{path}")
    assert load(f"transfer+{path}").options["hand_size"] == "4"


# ---- house rules over another family ----------------------------------------------------------------------------------

EIGHTS = """\
durak: 1
id: eights
changes: czech
sources: [test]
define:
  draws:
    first of:
      +eight: {before: others, is: 1 if card.rank == 8}
"""
TENS = """\
durak: 1
id: tens
changes: czech
sources: [test]
define:
  wild:
    any:
      +ten: card.rank == 10
"""


@pytest.mark.parametrize("rules", SHEDDING)
def test_house_rules_go_over_all_of_a_family(rules: str, tmp_path: Path) -> None:
    for name, text in (("eights", EIGHTS), ("tens", TENS)):
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    both = f"{rules}+{tmp_path / 'eights.yaml'}+{tmp_path / 'tens.yaml'}"
    play(both, 10)
    table = lay(load(both), {"turn": "P1", "hand": "8C 10H 9S | 7H 7S", "pile": "9C", "talon": "KD AD", "dealer": "P2"})
    named = {move.text() for move in table.legal_moves()} - {"play 8C", "play 9S"}
    assert named == {f"play 10H {suit}" for suit in ("clubs", "diamonds", "hearts", "spades")}
    table.play(table.move("play 8C"))
    assert table.actor == 1 and table.view(1).heap("hand", 1).size == 3, "one card is drawn, and no turn is missed"
