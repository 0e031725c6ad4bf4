"""Machine players: they move legally, by what their seat knows alone, and the one that tries out plays better than chance."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import durak_dsl
from durak_dsl.players import MACHINES, machine
from durak_dsl.players.chance import ByChance
from durak_dsl.players.search import Search


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("rules", ["transfer-2", "simple"])
def test_a_machine_plays_a_deal_to_its_end(name: str, rules: str) -> None:
    table = durak_dsl.deal(durak_dsl.load(rules, {"deck": "24"}), 3, seed=1)
    players = [machine(name, seat) if name == "random" else Search(Random(seat), 10) for seat in range(3)]
    while (actor := table.actor) is not None:
        move = players[actor].choose(table)
        assert move in table.legal_moves()
        table.play(move)
    assert table.outcome().places


def test_chance_takes_each_choice_alike() -> None:
    table = durak_dsl.deal(durak_dsl.load("throw-in", {"lead_size": "one"}), 2, seed=3)
    player = ByChance(Random(5))
    chosen = Counter(str(player.choose(table)) for _ in range(3000))
    assert len(chosen) == 6 and all(400 < count < 600 for count in chosen.values())


def test_trying_out_beats_chance() -> None:
    game = durak_dsl.load("throw-in")
    lost = Counter[str]()
    for number in range(12):
        table = durak_dsl.deal(game, 2, seed=number)
        clever = number % 2
        players = {clever: Search(Random(number), 40), 1 - clever: ByChance(Random(number))}
        while (actor := table.actor) is not None:
            table.play(players[actor].choose(table))
        loser = table.outcome().loser
        lost["nobody" if loser is None else "clever" if loser == clever else "chance"] += 1
    assert lost["chance"] >= 10, lost
