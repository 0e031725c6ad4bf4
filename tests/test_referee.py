"""The compiled code against the referee: the same deals, the same choices, the same table after each."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import durak_dsl
from durak_dsl.compiler.runtime import below, mix
from durak_dsl.language.check import settle
from tests.games import COMBINED, LARGE, ROOT, VARIANTS, match, position, position_of, program_of, result, rules_of, steps, unmatched
from tests.referee import Referee, Whole

SURFACE = [f"tests/surface/{name}.yaml" for name in ("chinese", "czech")]
GAMES = [*VARIANTS, *COMBINED, *SURFACE]


@st.composite
def deals(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A way to play a game: seats, options, a deck (whole or short), and what chooses."""
    rules = rules_of(name)
    values = {}
    for option in draw(st.lists(st.sampled_from(sorted(rules.options)), max_size=3, unique=True)):
        one = rules.options[option]
        values[option] = draw(st.sampled_from(one.words) if one.words else st.integers(one.low, min(one.high, one.low + 12)).map(str))
    return {
        "settings": values,
        "seats": draw(st.sampled_from(rules.counts)),
        "short": draw(st.sampled_from([1.0, 0.7, 0.5])),
        "seed": draw(st.integers(0, 1 << 30)),
    }


def play_both(name: str, deal: dict[str, Any], most: int = 60) -> None:
    """Play a deal in both and compare at each move."""
    program, chooser = program_of(name, deal["settings"]), random.Random(deal["seed"])
    deck = chooser.sample(program.deck, max(2 * deal["seats"], int(len(program.deck) * deal["short"])))
    stream = [0, 0, 0, mix(deal["seed"])]
    referee = Referee(program.rules, settle(program.rules, deal["settings"]), deal["seats"], lambda n: below(stream, n))
    referee.new(deck)
    state = program.new(deal["seats"], deal["seed"], deck)
    for _ in range(most):
        assert position(program, state) == position_of(referee)
        if state[0] < 0:
            assert result(program, state) == referee.result()
            chancy = any(keep.then.body.op == "random" for keep in program.rules.keeps.values())
            assert chancy or match(program, state) == referee.match()
            return
        wholes, made = referee.legal(), steps(program, state)
        assert not unmatched(made, wholes)
        whole = chooser.choice(wholes)
        referee.make(whole)
        state = next(step for step in made if step.is_of(whole)).after


@pytest.mark.parametrize("name", GAMES)
def test_the_compiled_code_plays_as_the_referee(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

    @settings(
        max_examples=12 if name in LARGE else 4,
        deadline=timedelta(seconds=20),
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(deals(name))
    def check(deal: dict[str, Any]) -> None:
        play_both(name, deal)

    check()


@pytest.mark.parametrize("name", sorted(LARGE))
def test_a_table_offers_the_moves_of_the_referee(name: str) -> None:
    game = durak_dsl.load(name)
    chooser = random.Random(name)
    for seats in chooser.sample(game.seats, min(2, len(game.seats))):
        deck = chooser.sample(game.program.deck, len(game.program.deck))
        stream = [0, 0, 0, mix(0)]
        referee = Referee(game.rules, game.program.options, seats, lambda n, stream=stream: below(stream, n))
        referee.new(deck)
        table = durak_dsl.deal(game, seats, deck=deck)
        while not table.is_over and len(table.history) < 40:
            wholes = {whole.name: [] for whole in referee.legal()}
            for whole in referee.legal():
                wholes[whole.name].append([sorted(pick) if isinstance(pick, frozenset) else pick for pick in whole.picks])
            moves = table.legal_moves()
            for kind, picks in wholes.items():
                offered = [[list(pick) if isinstance(pick, tuple) else pick for pick in move.picks] for move in moves if move.name == kind]
                assert sorted(map(str, offered)) == sorted(map(str, picks))
            assert len(moves) == sum(map(len, wholes.values()))
            move = chooser.choice(moves)
            picks = [frozenset(pick) if isinstance(pick, tuple) else pick for pick in move.picks]
            referee.make(Whole(move.name, tuple(picks)))
            table.play(move)
