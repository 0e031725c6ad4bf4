"""What goes round in a deal that does not end: which moves in which phases, whether cards move, and what the rules count meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State
from durak_dsl.language.ir import NO_NUMBER, Expr, Rules
from durak_dsl.problems import Problem, listed

LOOKED_AT = 400  # choices


def endless(program: Program, state: State, random: Callable[[], float], made: int) -> Problem:
    """The problem of a deal that is not over after so many choices: what is done again and again, and which counter is missing."""
    rules, layout = program.rules, program.layout
    ending = rules.finish.stalemate
    counters = [] if ending is None else [name for name in _read(ending, rules) if rules.variables[name].type.kind == "number"]
    numbers: dict[str, set[int]] = {name: set() for name in counters}
    phases: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    first, moved = _cards(program, state), False
    for _ in range(LOOKED_AT):
        if state[NODE] < 0:
            break
        node = program.nodes[state[NODE]]
        mask = program.legal(state)
        for _ in range(int(random() * mask.bit_count())):
            mask &= mask - 1
        choice = (mask & -mask).bit_length() - 1
        phases[node.phase] += 1
        moves[next(segment.move for segment in node.segments if choice < segment.offset + segment.size)] += 1
        program.apply(state, choice)
        moved = moved or _cards(program, state) != first
        for name, found in numbers.items():
            value = layout.value(state, name)
            found.update(value if isinstance(value, tuple) else (value,))
    seen = [name for name in rules.phases if phases[name]]
    message = f"a deal of random moves is not over after {made:,} choices; at last it goes round in phase{'s' if seen[1:] else ''} "
    message += f"{_quoted(seen)} by {_quoted([name for name in rules.moves if moves[name]])}" + ("" if moved else ", and no card moves")
    if ending is None:
        often = rules.phases[max(seen, key=lambda name: phases[name])]
        hint = "count in a variable what goes round, end the deal when it is high, and say so under 'finish', as in stalemate: idle >= 60"
        return Problem("endless", message, often.span, hint)
    return Problem("endless", message, ending.at, _missing(program, state, numbers))


def _missing(program: Program, state: State, numbers: dict[str, set[int]]) -> str:
    """Why a stalemate that the rules declare does not end the deal."""
    if state[NODE] >= 0 and program.ends.stalemate(state):
        return "this holds, but the deal is not ended by it: 'end deal' has to follow from the same"
    said = []
    for name, found in numbers.items():
        sure = found - {NO_NUMBER}
        if sure:
            span = f"from {min(sure)} to {max(sure)}" if len(sure) > 1 else f"at {min(sure)}"
            said.append(f"'{name}' stays {span}")
    return (
        f"{listed(said, 'and')} meanwhile: let it count what goes round" if said else "no number is read here: let it count what goes round"
    )


def _read(expr: Expr, rules: Rules) -> list[str]:
    """The variables that an expression reads, also in definitions, in the order of the rules."""
    called: set[str] = set()

    def reads(expr: Expr) -> Iterator[str]:
        for part in expr.walk():
            if part.op == "read":
                yield str(part.data)
            elif part.op == "call" and (name := str(part.data)) not in called:
                called.add(name)
                yield from reads(rules.defines[name].body)

    found = {*reads(expr)}
    return [name for name in rules.variables if name in found]


def _cards(program: Program, state: State) -> list[int]:
    """The places of the state that say where the cards lie."""
    layout = program.layout
    found = []
    for zone in program.rules.zones.values():
        start = layout.zones[zone.name]
        found += state[start : start + layout.width(zone) * (layout.seats if zone.each else 1)]
    return found


def _quoted(names: list[str]) -> str:
    return listed([f"'{name}'" for name in names], "and")
