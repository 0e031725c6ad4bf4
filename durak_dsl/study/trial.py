"""A trial by play: random deals at every number of seats, which look for dead ends, endless deals, lost cards, moves never legal."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from durak_dsl.compiler.layout import ACTOR, NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, State, mix
from durak_dsl.language.ir import Define, Expr
from durak_dsl.problems import Problem, listed
from durak_dsl.table.examples import tables_of_examples
from durak_dsl.table.game import Game

MOST_CHOICES = 20_000
MORE = 1_000_000  # the numbers of further deals begin here
FEW = 3


@dataclass
class Trial:
    """What was found: how many deals were played, how many choices made in them, which moves came up, what is wrong."""

    deals: int = 0
    choices: int = 0
    legal: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def trial(game: Game, deals: int, settings: str = "") -> Trial:
    """A number of random deals at every number of seats; `settings` says which options were set, for the messages."""
    found = Trial()
    wrong: dict[tuple[object, ...], list[tuple[int, int, Problem]]] = {}
    for seats in _counts(game, found, settings):
        one = _some(game, seats, range(deals), found)
        if one is not None:
            problem, number = one
            wrong.setdefault(kind_of(problem), []).append((seats, number, problem))
    for same in wrong.values():
        (seats, number, problem), *others = same
        where = f"at {_numbers([seats for seats, *_ in same])} players; first: " if others else ""
        found.problems.append(_about(problem, where + _where(seats, number) + settings))
    return found


def kind_of(problem: Problem) -> tuple[object, ...]:
    """What problems have in common that are the same, found in different deals."""
    return problem.code, problem.span, problem.message if problem.code == "fault" else ""


def never_legal(game: Game, found: Trial, deals: int) -> Iterator[Problem]:
    """A warning for each move that was never legal in the trial, nor in the examples of the game's files, nor in so many deals more.

    Nor with another value of an option.
    """
    moves = game.program.moves
    possible = {name for name, folded in moves.items() if not any(part.op == "const" and not part.data for _, part in folded.conditions)}
    if found.problems:
        return
    for table in tables_of_examples(game) if not possible <= found.legal else ():
        if not table.is_over:
            _note(table.program, table.state[NODE], table.mask, found)
        if possible <= found.legal:
            return
    for number in range(MORE, MORE + deals // len(game.seats)):
        if possible <= found.legal:
            break
        for seats in game.seats:
            one = _some(game, seats, range(number, number + 1), found)
            if one is not None:
                yield _about(one[0], _where(seats, number))
                return
    elsewhere = Trial()
    for _, other in _other_options(game):
        if possible <= found.legal | elsewhere.legal:
            break
        for seats in _counts(other, elsewhere, ""):
            _some(other, seats, range(FEW), elsewhere)
    for name in moves:
        if name in possible - found.legal - elsewhere.legal:
            message = f"move '{name}' was never legal in {found.deals} random deals"
            yield Problem("never-legal", message, moves[name].move.span, "does a condition contradict another?", warning=True)


def every_option(game: Game, deals: int) -> Iterator[Trial]:
    """A trial under each other value of each option (of a range: its two ends); a warning for an option that changes nothing."""
    usual = _meaning(game.program)
    idle = dict(game.rules.options)
    for name, other in _other_options(game):
        if _meaning(other.program) != usual:
            idle.pop(name, None)
        yield trial(other, deals, f", --set {name}={other.options[name]}")
    for name, option in idle.items():
        message = f"option '{name}' changes nothing: with every value the game is the same"
        yield Trial(problems=[Problem("idle-option", message, option.span, warning=True)])


def _other_options(game: Game) -> Iterator[tuple[str, Game]]:
    """The game with each other value of each option (of a range: its two ends)."""
    for name, option in game.rules.options.items():
        for value in range(len(option.words)) if option.words else sorted({option.low, option.high}):
            if value != game.values[name]:
                yield name, game.with_options({name: option.text(value)})


def _counts(game: Game, found: Trial, settings: str) -> tuple[int, ...]:
    """How many may play; none where not even a deal can be tried."""
    try:
        return game.seats
    except RuleFault as fault:
        found.problems.append(_about(Problem("fault", fault.message, fault.span), f"in the deal{settings}"))
        return ()


def _some(game: Game, seats: int, numbers: range, found: Trial) -> tuple[Problem, int] | None:
    """Play these deals until something is wrong with one: what, and in which."""
    whole = sum(1 << card for card in game.program.deck)
    for number in numbers:
        found.deals += 1
        problem = _deal(game.program, seats, number, whole, found)
        if problem is not None:
            return problem, number
    return None


def _deal(program: Program, seats: int, number: int, whole: int, found: Trial) -> Problem | None:
    """One random deal; what is wrong with it."""
    random = Random(mix(number)).random
    nodes = program.nodes
    choices = 0
    try:
        state = program.new(seats, number)
        if problem := _lost(program, state, seats, whole):
            return problem
        while state[NODE] >= 0:
            node = nodes[state[NODE]]
            mask = program.legal(state)
            if not mask:
                phase = program.rules.phases[node.phase]
                message = f"in phase '{node.phase}' P{state[ACTOR] + 1} is to act and has no legal move"
                return Problem("dead-end", message, phase.span, "an actor must always have a move")
            _note(program, state[NODE], mask, found)
            skipped = int(random() * mask.bit_count())
            while skipped:
                mask &= mask - 1
                skipped -= 1
            program.apply(state, (mask & -mask).bit_length() - 1)
            choices += 1
            if choices % 16 == 0 and (problem := _lost(program, state, seats, whole)):
                return problem
            if choices > MOST_CHOICES:
                message = f"a deal of random moves is not over after {MOST_CHOICES:,} choices"
                return Problem("endless", message, None, "let a counter in what ends the deal bound it")
    except RuleFault as fault:
        return Problem("fault", fault.message, fault.span)
    found.choices += choices
    return _lost(program, state, seats, whole) or _ending(program, state, seats)


def _note(program: Program, node: int, mask: int, found: Trial) -> None:
    """Note which moves have come up where these choices are legal."""
    for segment in program.nodes[node].segments:
        if segment.move not in found.legal and mask >> segment.offset & (1 << segment.size) - 1:
            found.legal.add(segment.move)


def _ending(program: Program, state: State, seats: int) -> Problem | None:
    """What is wrong with the end of a deal, or with the match after it."""
    ends = program.ends
    try:
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
    except RuleFault as fault:
        return Problem("fault", fault.message, fault.span)
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


def _where(seats: int, number: int) -> str:
    return f"{seats} players, deal {number}"


def _numbers(counts: Sequence[int]) -> str:
    """The numbers as words: `2 to 6`, or `2, 4 and 6` where some are missing between."""
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return listed([*map(str, counts)], "and")


def _about(problem: Problem, where: str) -> Problem:
    return replace(problem, message=f"{problem.message} ({where})")


def _meaning(program: Program) -> tuple[tuple[int, ...], tuple[object, ...], tuple[str, ...]]:
    """Everything that a program does and tells, for comparison."""
    emitted, ends = program.watched, program.assembly.ends()
    tables = tuple(value for part in (emitted, ends) for name, value in sorted(part.names.items()) if name.startswith("T"))
    return program.deck, tables, tuple(ast.dump(function.tree) for function in (*emitted.functions, *ends.functions))
