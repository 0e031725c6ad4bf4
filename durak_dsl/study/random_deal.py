"""One random deal under scrutiny: dead ends, faults, lost cards, no end, wrong places, and whether it goes alike when it is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, State, mix
from durak_dsl.language.ir import Define, Expr
from durak_dsl.problems import Problem, listed
from durak_dsl.study.cycles import endless

MOST_CHOICES = 20_000
OTHERWISE = "this is a fault of the program, not of the rules"


@dataclass
class Dealt:
    """What one deal came to: how many choices were made, which moves were legal, what is wrong, else whether it ended by stalemate."""

    choices: int = 0
    legal: set[str] = field(default_factory=set)
    problem: Problem | None = None
    stalemate: bool = False


def random_deal(program: Program, seats: int, number: int, told: bool) -> Dealt:
    """A deal of random moves; `told`: played besides in the form that tells each card that moves, which must go the same way."""
    found = Dealt()
    try:
        with program.chance.of(None):
            found.problem = _play(program, seats, number, found, [] if told else None)
    except RuleFault as fault:
        found.problem = Problem("fault", fault.message, fault.span)
    return found


def _play(program: Program, seats: int, number: int, found: Dealt, told: list[Any] | None) -> Problem | None:
    """Play the deal; what is wrong with it."""
    random = Random(mix(number)).random
    nodes, legal = program.nodes, found.legal
    choices = 0
    whole = sum(1 << card for card in program.deck)
    state = program.new(seats, number)
    if problem := _lost(program, state, seats, whole):
        return problem
    again = program.new(seats, number, told=told) if told is not None else state
    if again != state:
        return Problem("told", "the cards are dealt otherwise when it is told how each one moves", hint=OTHERWISE)
    while state[NODE] >= 0:
        node = nodes[state[NODE]]
        mask = program.legal(state)
        if not mask:
            fault = program.dead_end(state)
            return Problem("dead-end", fault.message, fault.span, fault.hint)
        note_legal(program, state[NODE], mask, legal)
        skipped = int(random() * mask.bit_count())
        while skipped:
            mask &= mask - 1
            skipped -= 1
        choice = (mask & -mask).bit_length() - 1
        program.apply(state, choice)
        if told is not None:
            told.clear()
            program.apply(again, choice, told)
            if again != state:
                move = next(segment.move for segment in node.segments if choice < segment.offset + segment.size)
                message = f"move '{move}' leads elsewhere when it is told how each card moves"
                return Problem("told", message, program.rules.moves[move].span, OTHERWISE)
        choices += 1
        if choices % 16 == 0 and (problem := _lost(program, state, seats, whole)):
            return problem
        if choices > MOST_CHOICES:
            return endless(program, state, random, MOST_CHOICES)
    found.choices = choices
    if problem := _lost(program, state, seats, whole) or _ending(program, state, seats):
        return problem
    found.stalemate = bool(program.ends.stalemate(state))
    return None


def note_legal(program: Program, node: int, mask: int, legal: set[str]) -> None:
    """Note the moves that come up where these choices of a node are legal."""
    for segment in program.nodes[node].segments:
        if segment.move not in legal and mask >> segment.offset & (1 << segment.size) - 1:
            legal.add(segment.move)


def _ending(program: Program, state: State, seats: int) -> Problem | None:
    """What is wrong with the end of a deal, or with the match after it."""
    ends = program.ends
    ends.loser(state)
    places = [ends.place(state, seat) for seat in range(seats)]
    if problem := _misplaced(program, places, program.rules.finish.loser, program.rules.finish.place):
        return problem
    winner = program.rules.finish.winner
    for seat in program.winners(state):
        if places[seat] != 1 and winner is not None:
            return Problem("places", f"who wins has place 1; P{seat + 1} has place {places[seat]}", winner.at)
    match = program.kept_in(state, program.kept_next(state))
    ends.match_over(match)
    if ends.match_place is not None and ends.match_loser is not None:
        ends.match_loser(match)
        places = [ends.match_place(match, seat) for seat in range(seats)]
        return _misplaced(program, places, program.rules.match.loser, program.rules.match.place)
    return None


def _misplaced(program: Program, places: Sequence[int], loser: Expr | None, place: Define | None) -> Problem | None:
    """What is wrong with places: they lie within the players' number, somebody has the first, and of a team that loses all share one."""
    if place is not None:
        for seat, found in enumerate(places):
            if not 1 <= found <= len(places):
                return Problem(
                    "places", f"a place is a number from 1 to {len(places)}, as many as play; P{seat + 1} has place {found}", place.span
                )
        if 1 not in places:
            said = listed([f"P{seat + 1} has place {found}" for seat, found in enumerate(places)], "and")
            return Problem("places", f"somebody has place 1; {said}", place.span)
    if loser is None or place is None or loser.type.kind != "team":
        return None
    for team in range(program.rules.teams):
        seats = range(team, len(places), program.rules.teams)
        if len({places[seat] for seat in seats}) > 1:
            said = listed([f"P{seat + 1} has place {places[seat]}" for seat in seats], "and")
            return Problem("places", f"a team loses, so the players of a team share a place; {said}", place.span)
    return None


def _lost(program: Program, state: State, seats: int, whole: int) -> Problem | None:
    """What is wrong if not every card lies in exactly one place."""
    seen = doubled = 0
    for cards in _held(program, state, seats):
        doubled |= seen & cards
        seen |= cards
    if seen == whole and not doubled:
        return None
    wrong, how = (doubled, "lies in two places") if doubled else (seen ^ whole, "lies nowhere")
    deck = program.rules.deck
    rank, suit = divmod(((wrong & -wrong).bit_length() - 1) // deck.copies, len(deck.suits))
    return Problem("lost-card", f"a card {how}: {deck.ranks[rank]}{deck.suits[suit][0].upper()}")


def _held(program: Program, state: State, seats: int) -> Iterator[int]:
    """The cards of each zone of each seat, each card of a stack or pile for itself."""
    layout = program.layout
    for zone in program.rules.zones.values():
        width = layout.width(zone)
        for seat in range(seats if zone.each else 1):
            base = layout.zones[zone.name] + seat * width
            if zone.kind == "set":
                yield state[base]
            elif zone.kind == "stack":
                yield from (1 << card for card in state[base + 1 : base + 1 + state[base]])
            else:
                first = base + 2 + zone.most
                for pile in range(state[base]):
                    start = first + pile * zone.high
                    yield from (1 << card for card in state[start : start + state[base + 2 + pile]])
