"""Games for tests: loaded and compiled once, decks written out, and whole moves made of a compiled program's steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from durak_dsl.compiler.layout import ACTOR, FACE_DOWN, NODE, SEATS
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault
from durak_dsl.language.check import check, settle
from durak_dsl.language.ir import Rules, Variable, Zone
from durak_dsl.source import overlay
from tests.referee import Referee, Whole, plain

ROOT = Path(__file__).parent.parent
FILES = {path.stem: path for path in sorted((ROOT / "variants").rglob("*.yaml"))}
VARIANTS = sorted(FILES)
COMBINED = [
    *("transfer+first-five+no-draw", "transfer-2+neighbours+deck-24", "transfer-2+believe-or-not", "transfer+partners+road"),
    *("transfer+big", "throw-in+joker"),
]
# The games that are more than another with an option set.
LARGE = {*COMBINED, *(name for name in VARIANTS if "\nmoves:" in FILES[name].read_text("utf-8"))}

State = list[int]


@cache
def rules_of(name: str) -> Rules:
    """The checked rules of a name, path or combination."""
    return check(overlay.resolve(name))


@cache
def _program(name: str, settings: tuple[tuple[str, str], ...]) -> Program:
    rules = rules_of(name)
    return Program(rules, settle(rules, dict(settings)))


def program_of(name: str, settings: Mapping[str, str] | None = None) -> Program:
    """The compiled game."""
    return _program(name, tuple(sorted((settings or {}).items())))


def results(program: Program, state: State) -> list[Any]:
    """All that is asked of a state in which a deal is over, and of the match after it."""
    ends, seats = program.ends, range(state[SEATS])
    match = program.kept_in(state, kept := program.kept_next(state))
    found: list[Any] = [state[NODE], state[ACTOR], program.losers(state), program.winners(state), ends.stalemate(state), kept]
    found += [[ends.place(state, seat) for seat in seats], [[score(state, seat) for seat in seats] for score in ends.scores.values()]]
    found += [ends.match_over(match), program.match_losers(match), ends.match_place and [ends.match_place(match, seat) for seat in seats]]
    return found


# ---- cards as text --------------------------------------------------------------------------------------------------


def cards(rules: Rules, text: str) -> list[int]:
    """Cards written like `6C 10H` as numbers; of copies the first first."""
    deck = rules.deck
    letters = [suit[0].upper() for suit in deck.suits]
    words = text.split()
    return [
        (deck.ranks.index(card[:-1]) * len(deck.suits) + letters.index(card[-1])) * deck.copies + words[:at].count(card)
        for at, card in enumerate(words)
    ]


def written(rules: Rules, numbers: Sequence[int]) -> str:
    """Cards as text."""
    deck = rules.deck
    return " ".join(
        deck.ranks[n // deck.copies // len(deck.suits)] + deck.suits[n // deck.copies % len(deck.suits)][0].upper() for n in numbers
    )


# ---- whole moves of a program ---------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A whole move as the program makes it: the picks that were asked for, by their position, the state after it, and the choices made."""

    name: str
    asked: dict[int, Any]
    after: State
    choices: tuple[int, ...] = ()
    fault: str = ""

    def is_of(self, whole: Whole) -> bool:
        """Whether this may be that move."""
        return self.name == whole.name and all(whole.picks[position] == value for position, value in self.asked.items())


def unmatched(made: Sequence[Step], wholes: Sequence[Whole]) -> list[Step | Whole]:
    """The steps that are not exactly one of the whole moves, and the whole moves that are not exactly one of the steps."""
    asked = Counter((step.name, tuple(step.asked.items())) for step in made)
    forms = {(name, tuple(position for position, _ in picks)) for name, picks in asked}
    found: Counter[object] = Counter()
    alone: list[Step | Whole] = []
    for whole in wholes:
        keys = [(name, tuple((at, whole.picks[at]) for at in positions)) for name, positions in forms if name == whole.name]
        found.update(keys)
        if sum(asked[key] for key in keys) != 1:
            alone.append(whole)
    return alone + [step for step in made if found[step.name, tuple(step.asked.items())] != 1]


def bits(mask: int) -> list[int]:
    """The elements of a mask."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def steps(program: Program, state: State, faults: bool = False) -> list[Step]:
    """Every whole move from here, each with the state that it leads to; with faults, also those by which the rules leave their bounds."""
    return list(_steps(program, state, {}, (), faults)) if state[NODE] >= 0 else []


def _steps(program: Program, state: State, asked: dict[int, Any], choices: tuple[int, ...], faults: bool) -> Iterator[Step]:
    node = program.nodes[state[NODE]]
    for choice in bits(program.legal(state)):
        segment = next(segment for segment in node.segments if segment.offset <= choice < segment.offset + segment.size)
        picks, value = program.rules.moves[segment.move].picks, choice - segment.offset
        now = dict(asked)
        if picks and picks[segment.pick].several:
            chosen = now.get(segment.pick, frozenset())
            cards = program.rules.deck.grid * program.rules.deck.copies
            now[segment.pick] = chosen if value == cards else chosen | {value}
        elif picks:
            now[segment.pick] = value
        after = list(state)
        made = (*choices, choice)
        try:
            program.apply(after, choice)
        except RuleFault as fault:
            if not faults:
                raise
            yield Step(segment.move, now, state, made, str(fault))
            continue
        if after[NODE] >= len(program.rules.phases):
            yield from _steps(program, after, now, made, faults)
        else:
            yield Step(segment.move, now, after, made)


def perft(program: Program, state: State, depth: int) -> int:
    """How many sequences of that many whole moves there are; one that ends the deal sooner counts as soon as it does."""
    if depth == 0 or state[NODE] < 0:
        return 1
    found = steps(program, state)
    return len(found) if depth == 1 else sum(perft(program, step.after, depth - 1) for step in found)


# ---- what a state says, in plain values -----------------------------------------------------------------------------


def _variable(program: Program, state: State, variable: Variable) -> Any:
    place, seats = program.layout.variables[variable.name], range(state[SEATS])
    if not variable.each:
        return plain(variable.type, state[place])
    if program.layout.spread(variable):
        return [plain(variable.type, state[place + seat]) for seat in seats]
    return [bool(state[place] >> seat & 1) for seat in seats]


def _zone(state: State, zone: Zone, place: int) -> Any:
    if zone.kind == "set":
        return set(bits(state[place]))
    if zone.kind == "stack":
        return state[place + 1 : place + 1 + state[place]]
    cards = place + 2 + zone.most
    row = [state[cards + pile * zone.high :][: state[place + 2 + pile]] for pile in range(state[place])]
    assert state[place + 1] == sum(1 << card for pile in row for card in pile), "the mask of a row is the mask of its cards"
    return row


def position(program: Program, state: State) -> dict[str, Any]:
    """Everything that a state says: who acts in which phase, variables, zones."""
    rules, layout = program.rules, program.layout
    found: dict[str, Any] = {
        "phase": program.nodes[state[NODE]].phase if state[NODE] >= 0 else None,
        "actor": state[ACTOR] if state[NODE] >= 0 else None,
        "face down": set(bits(state[FACE_DOWN])),
    }
    for variable in rules.variables.values():
        found[variable.name] = _variable(program, state, variable)
    for zone in rules.zones.values():
        start, width = layout.zones[zone.name], layout.width(zone)
        found[zone.name] = (
            [_zone(state, zone, start + seat * width) for seat in range(state[SEATS])] if zone.each else _zone(state, zone, start)
        )
    return found


def lying(program: Program, state: State) -> list[int]:
    """All cards that lie anywhere, as often as they do, in ascending order."""
    found: list[int] = []
    for zone in program.rules.zones.values():
        start, width = program.layout.zones[zone.name], program.layout.width(zone)
        for place in range(start, start + width * (state[SEATS] if zone.each else 1), width):
            lies = _zone(state, zone, place)
            found += [card for pile in lies for card in pile] if zone.kind == "row" else lies
    return sorted(found)


def position_of(referee: Referee) -> dict[str, Any]:
    """The same of a referee's table."""
    over = referee.phase is None
    return {
        "phase": referee.phase,
        "actor": None if over else referee.actor,
        "face down": set(referee.face_down),
        **referee.variables,
        **referee.zones,
    }


def result(program: Program, state: State) -> dict[str, Any]:
    """What is read when the deal is over."""
    ends, seats = program.ends, range(state[SEATS])
    loser, winner = ends.loser(state), ends.winner(state) if ends.winner is not None else -1
    return {
        "place": [ends.place(state, seat) for seat in seats],
        "loser": None if loser < 0 else loser,
        "winner": None if winner < 0 else winner,
        "stalemate": bool(ends.stalemate(state)),
        **{name: [score(state, seat) for seat in seats] for name, score in ends.scores.items()},
    }


def match(program: Program, state: State) -> dict[str, Any]:
    """What is kept for the next deal, whether the match is over, places and loser in it."""
    kept, ends = program.kept_next(state), program.ends
    after = program.kept_in(state, kept)
    over = bool(ends.match_over(after))
    loser = ends.match_loser(after) if ends.match_loser and (over or program.rules.match.over is None) else -1
    return {
        "kept": {name: _variable(program, after, program.rules.variables[name]) for name in kept},
        "over": over,
        "places": [ends.match_place(after, seat) for seat in range(state[SEATS])] if ends.match_place else [],
        "loser": None if loser < 0 else loser,
    }
