"""Random play of throw-in against what a C program of the same game counts: decisions, draws, and who loses, by distance from the leader.

The expected figures are means over three to five million deals of that program, so their own error does not matter here. Its rules are
those of the rule file with lead_size=one, but for two things too rare to show: who leads when nobody has a trump, and the stalemate.
"""

from __future__ import annotations

from math import sqrt

import pytest

from durak_dsl.compiler.runtime import choosing
from durak_dsl.study.playout import playout
from tests.games import program_of

# seats: deals played here, decisions a deal and their standard deviation, draws, losses by distance from the first leader
EXPECTED = {
    2: (8000, 78.778, 17.366, 0.00211, (0.49740, 0.50049)),
    3: (5000, 141.500, 39.904, 0.00229, (0.33217, 0.33548, 0.33005)),
    4: (5000, 144.727, 35.639, 0.00186, (0.23690, 0.26945, 0.23980, 0.25198)),
    5: (4000, 183.074, 47.078, 0.00197, (0.20170, 0.21546, 0.19627, 0.20927, 0.17534)),
    6: (4000, 165.430, 39.944, 0.00191, (0.09193, 0.25559, 0.10701, 0.22705, 0.11347, 0.20304)),
}
WORST = 4.0


@pytest.mark.parametrize("seats", EXPECTED)
def test_random_play_agrees_with_the_c_program(seats: int) -> None:
    program = program_of("throw-in", {"lead_size": "one"})
    leader, loser = program.layout.variables["leader"], program.ends.loser
    deals, mean, deviation, draws, losses = EXPECTED[seats]
    words = choosing(2024 + seats)
    decisions, drawn, lost = 0, 0, [0] * seats
    for number in range(deals):
        state = program.new(seats, 10**6 * seats + number)
        first = state[leader]
        decisions += playout(program, state, words)[0]
        fool = loser(state)
        if fool < 0:
            drawn += 1
        else:
            lost[(fool - first) % seats] += 1
    scores = {"decisions": (decisions / deals - mean) / (deviation / sqrt(deals))}
    scores["draws"] = z_of(drawn, deals, draws)
    for distance, (count, share) in enumerate(zip(lost, losses, strict=True)):
        scores[f"loss at distance {distance}"] = z_of(count, deals, share)
    assert max(map(abs, scores.values())) < WORST, scores


def z_of(count: int, deals: int, share: float) -> float:
    """How many standard deviations a count lies from its expectation."""
    return (count - deals * share) / sqrt(deals * share * (1 - share))
