"""What a seat sees of a state: nothing that differs where only what it does not see differs, and all else unchanged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from durak_dsl import load
from durak_dsl.compiler.layout import ACTOR, CHANCE, FACE_DOWN, FIRST_FREE, GIVEN, NODE, PICKED, SEATS
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.several import card_by_card
from durak_dsl.table.watching import Places
from tests.games import COMBINED, VARIANTS, State, bits, program_of
from tests.table.deals import game, played

DARK = str(Path(__file__).parent / "table" / "dark.yaml")  # cards lie face down in rows and in sets
GAMES = [*VARIANTS, *COMBINED, DARK]


def picks_made(program: Program, state: State, seat: int) -> int:
    """How many picks of a move under way that seat knows."""
    node = program.nodes[state[NODE]]
    if state[NODE] < len(program.rules.phases) or state[ACTOR] != seat:
        return 0
    return node.pick + card_by_card(program.moves[node.segments[0].move].picks[node.pick])


def empty_places(program: Program, state: State) -> list[int]:
    """The places of cards where none lies now."""
    found = []
    for zone in program.rules.zones.values():
        base, width = program.layout.zones[zone.name], program.layout.width(zone)
        for start in range(base, base + width * (state[SEATS] if zone.each else 1), width):
            if zone.kind == "stack":
                found += range(start + 1 + state[start], start + width)
            elif zone.kind == "row":
                found += range(start + 2 + state[start], start + 2 + zone.most)
                for pile in range(zone.most):
                    first = start + 2 + zone.most + pile * zone.high
                    found += range(first + (state[start + 2 + pile] if pile < state[start] else 0), first + zone.high)
    return found


def other_state(program: Program, state: State, seat: int, chooser: random.Random) -> State:
    """Another state in which that seat sees the same: cards that it does not see have changed places, and what says nothing is anything."""
    places = Places(program, state[SEATS])
    contents = places.contents(state)
    hidden = [card for number, cards in contents.items() if not places.seen_by[number] >> seat & 1 for card in bits(cards)]
    becomes = {card: card for card in program.deck} | dict(zip(hidden, chooser.sample(hidden, len(hidden)), strict=True))
    found = list(state)
    found[FACE_DOWN] = 0
    for number, place in enumerate(places.all):
        if not place.exists:
            continue
        now = sum(1 << becomes[card] for card in bits(contents.get(number, 0)))
        if place.zone.kind == "set":
            found[places.base(place)] = now | (found[places.base(place)] if place.down else 0)
        elif not place.down:
            for spot in places.spots(state, place):
                found[spot] = becomes[state[spot]]
        if place.down:
            found[FACE_DOWN] |= now
    program.layout.refresh(found)
    made = picks_made(program, state, seat)
    for at in [*empty_places(program, state), *range(PICKED + made, FIRST_FREE)]:
        found[at] = chooser.randrange(3)
    found[CHANCE] = chooser.getrandbits(64)
    if state[NODE] >= 0 and state[ACTOR] != seat:
        phase = program.nodes[state[NODE]].phase
        found[NODE] = chooser.choice([number for number, node in enumerate(program.nodes) if node.phase == phase])
    return found


def assert_sees(program: Program, state: State, seat: int, seen: State) -> None:
    """What that seat sees is there, and nothing else."""
    rules, layout, places = program.rules, program.layout, Places(program, state[SEATS])
    expected = list(state)
    for at in empty_places(program, state):
        expected[at] = 0
    contents = places.contents(state)
    open_to_all = [number for number, place in enumerate(places.all) if place.down and place.zone.seen == "all"]
    expected[CHANCE], expected[FACE_DOWN] = 0, -sum(contents.get(number, 0).bit_count() for number in open_to_all)
    for number, place in enumerate(places.all):
        if not place.exists or place.down:
            continue
        base, lying = places.base(place), {False: contents.get(number, 0), True: contents.get(number + 1, 0)}
        sees = sum(lying[down] for down in lying if places.seen_by[number + down] >> seat & 1)
        mask = sees or -(lying[False] | lying[True]).bit_count()
        if place.zone.kind == "set":
            expected[base] = mask
            continue
        for spot in places.spots(state, place):
            expected[spot] = state[spot] if sees >> state[spot] & 1 else -1
        if place.zone.kind == "row":
            expected[layout.pile_cards(place.zone.name)] = mask
            if place.zone.name in layout.ranks:
                expected[layout.ranks[place.zone.name]] = sum({rules.deck.same_rank[card] for card in bits(sees)})
    if state[NODE] >= 0 and state[ACTOR] != seat:
        expected[NODE] = [*rules.phases].index(program.nodes[state[NODE]].phase)
    made = picks_made(program, state, seat)
    expected[PICKED + made : FIRST_FREE] = [0] * (FIRST_FREE - PICKED - made)
    assert seen == expected


@pytest.mark.parametrize("name", GAMES)
def test_what_differs_unseen_is_observed_alike(name: str) -> None:
    assert_sees_what_it_may(program_of(name))


def test_kept_ranks_do_not_give_cards_away(tmp_path: Path) -> None:
    path, asking = tmp_path / "ranks.yaml", "[if card.rank in ranks(pool): move card to bottom of stock]"
    drop = "      lay: move card to away\n"
    path.write_text(Path(DARK).read_text("utf-8").replace(drop, f"      look: {asking}\n{drop}"), "utf-8")
    program = program_of(str(path))
    assert "pool" in program.layout.ranks
    assert_sees_what_it_may(program)


def assert_sees_what_it_may(program: Program) -> None:
    """At each step of some deals every seat sees what it may see and nothing that hangs on what it does not see."""
    for number in range(3):
        chooser = random.Random(number)
        state = program.new(chooser.choice(program.rules.counts), number)
        for _ in range(150):
            assert state[GIVEN] == 0
            for seat in range(state[SEATS]):
                seen = program.observe(state, seat)
                assert_sees(program, state, seat, seen)
                assert program.observe(other_state(program, state, seat, chooser), seat) == seen
            if state[NODE] < 0:
                break
            program.apply(state, chooser.choice(bits(program.legal(state))))


def looks(program: Program, seen: Sequence[int]) -> list[object]:
    """What is observed, without regard to which copies of cards lie where."""
    copies, found = program.rules.deck.copies, list[object](seen)

    def kinds(mask: int) -> object:
        return [card // copies for card in bits(mask)] if mask > 0 else mask

    for zone in program.rules.zones.values():
        base, width = program.layout.zones[zone.name], program.layout.width(zone)
        for start in range(base, base + width * (seen[SEATS] if zone.each else 1), width):
            if zone.kind == "set":
                found[start] = kinds(seen[start])
                continue
            first = start + 1 if zone.kind == "stack" else start + 2 + zone.most
            found[first : start + width] = [card // copies for card in seen[first : start + width]]
            if zone.kind == "row":
                found[start + 1] = kinds(seen[start + 1])
    return found


@pytest.mark.parametrize("name", GAMES)
def test_tables_that_agree_with_what_a_seat_knows_are_observed_alike(name: str) -> None:
    chooser = random.Random(7)
    for number in range(4):
        table = played(game(name), number, chooser.randrange(40))
        if number % 2 and not table.is_over:
            table.step(chooser.choice(bits(table.mask)))
        for seat in range(table.seats):
            seen, drawn = table.program.observe(table.state, seat), table.sample(seat, chooser)
            assert looks(table.program, table.program.observe(drawn.state, seat)) == looks(table.program, seen)


def test_cards_face_down_are_left_out() -> None:
    table = played(load(DARK), 0, 0, seats=2)
    program, row = table.program, table.game.rules.zones["pool"]
    hidden, sunk = (table.after(next(move for move in table.legal_moves() if move.name == name)) for name in ("hide", "sink"))
    pool, mud = program.layout.zones["pool"], program.layout.zones["mud"]
    for seat in range(2):
        seen = program.observe(hidden.state, seat)
        assert (seen[pool : pool + 3], seen[pool + 2 + row.most], seen[FACE_DOWN]) == ([1, -1, 1], -1, -1)
        seen = program.observe(sunk.state, seat)
        assert (seen[mud], seen[FACE_DOWN]) == (-1, -1)


def test_a_move_under_way_is_seen_by_who_makes_it() -> None:
    table = played(load(DARK), 0, 0, seats=2)
    program = table.program
    for name in ("hide", "lay"):
        table.play(next(move for move in table.legal_moves() if move.name == name))
    actor, before = table.state[ACTOR], [program.observe(table.state, seat) for seat in range(2)]
    cover = next(segment for segment in program.nodes[0].segments if segment.move == "cover")
    (card,) = bits(table.mask >> cover.offset & (1 << cover.size) - 1)
    table.step(cover.offset + card)
    assert program.observe(table.state, actor)[NODE : PICKED + 2] != before[actor][NODE : PICKED + 2]
    assert program.observe(table.state, actor)[PICKED : PICKED + 2] == [card, 0]
    assert program.observe(table.state, 1 - actor) == before[1 - actor]


def test_nobody_observes_from_a_seat_that_is_not_there() -> None:
    program = program_of("simple")
    state = program.new(3)
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=f"there is no seat {seat}: 3 sit at the table"):
            program.observe(state, seat)


def test_a_deal_that_goes_on_has_no_result() -> None:
    program = program_of("simple")
    with pytest.raises(ValueError, match="the deal is not over"):
        program.result(program.new(2))
