"""Which edits go over which games: every pair that the catalogue allows loads, checks and plays; every other is refused with a reason.

And games that are no edits play too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from durak_dsl import RuleError, deal, load
from durak_dsl.study.trial import trial

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

# Games of their own, with each of the options that make the deal another one.
WHOLE = [
    *(("chinese", {"may_take": may}) for may in ("no", "yes")),
    *(("cross", {"deck": deck, "answer": answer}) for deck in ("36", "52") for answer in ("suit-first", "any-beat")),
    ("cross", {"pile_size": "never"}),
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


@pytest.mark.parametrize(("rules", "options"), WHOLE)
def test_games_of_their_own_play(rules: str, options: Mapping[str, str]) -> None:
    play(rules, 3, options)


@pytest.mark.long
@pytest.mark.parametrize(("rules", "options"), WHOLE)
def test_games_of_their_own_play_long(rules: str, options: Mapping[str, str]) -> None:
    play(rules, 2000, options)


@pytest.mark.parametrize("rules", [*pairs(allowed=False)])
def test_what_does_not_go_together_says_why(rules: str) -> None:
    with pytest.raises(RuleError) as caught:
        load(rules)
    assert all(problem.span is not None for problem in caught.value.problems)
    assert any("was written for" in problem.hint or "does not go with" in problem.message for problem in caught.value.problems)
