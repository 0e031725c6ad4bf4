"""A trial by play: random deals at every number of seats, which look for dead ends, endless deals, lost cards, moves never legal."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault
from durak_dsl.language.ir import Expr, Rules
from durak_dsl.language.walking import blocks, statements
from durak_dsl.problems import Problem, listed
from durak_dsl.study.random_deal import note_legal, random_deal
from durak_dsl.study.shares import share
from durak_dsl.table.examples import tables_of_examples
from durak_dsl.table.game import Game

TOLD = 4  # each so many-th deal is played in the form that tells what happens too
MUCH = 0.05  # the share of deals ended by stalemate from which on it is too much, if it is surely larger
MORE = 1_000_000  # the numbers of further deals begin here
FEW = 3


@dataclass
class Trial:
    """What was found: how many deals were played, how many choices made in them, which moves came up, what is wrong.

    Of the deals that were played to their end: how many there were with each number of players, and how many ended by stalemate.
    """

    deals: int = 0
    choices: int = 0
    legal: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    ended: Counter[int] = field(default_factory=Counter)
    stalemates: Counter[int] = field(default_factory=Counter)
    tick: Callable[[], object] = lambda: None  # is called for each deal


def trial(game: Game, deals: int, settings: str = "", told: bool = False, tick: Callable[[], object] = lambda: None) -> Trial:
    """A number of random deals at every number of seats; `settings` says which options were set, for the messages.

    `told`: some of the deals are played in the form that tells what happens too. `tick` is called for each deal.
    """
    found = Trial(tick=tick)
    wrong: dict[tuple[object, ...], list[tuple[int, int, Problem]]] = {}
    for seats in _counts(game, found, settings):
        one = _some(game, seats, range(deals), found, told)
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
    if problem.code == "endless":
        return (problem.code,)  # with each number of players something else may go round
    return problem.code, problem.span, problem.message if problem.code == "fault" else ""


def too_often(game: Game, found: Trial) -> Iterator[Problem]:
    """A warning where surely many of the deals with some number of players are ended by the stalemate that the rules declare."""
    stalemate = game.rules.finish.stalemate
    often = [seats for seats, deals in found.ended.items() if share(found.stalemates[seats], deals)["low"] > MUCH]
    if stalemate is not None and often:
        parts = [f"{found.stalemates[seats]:,} of {found.ended[seats]:,} at {seats} players" for seats in often]
        message = f"many random deals end only by stalemate: {listed(parts, 'and')}"
        hint = "is the bound too low? If play itself goes round so often, a rule of the game should end such deals"
        yield Problem("stalemate", message, stalemate.at, hint, warning=True)


def stalemates(found: Trial) -> list[dict[str, float]]:
    """How many deals with each number of players were ended by stalemate, with the interval of their share."""
    parts = ((seats, deals, found.stalemates[seats]) for seats, deals in sorted(found.ended.items()))
    return [{"seats": seats, "deals": deals, "stalemates": ended, **share(ended, deals)} for seats, deals, ended in parts]


def stalemates_said(found: Trial) -> str:
    """The same in words: each number of players with which there were some, then all the others together."""
    some = [(found.stalemates[seats], deals, [seats]) for seats, deals in sorted(found.ended.items()) if found.stalemates[seats]]
    none = [seats for seats in sorted(found.ended) if not found.stalemates[seats]]
    said: list[str] = []
    for ended, deals, counts in [*some, *([(0, sum(found.ended[seats] for seats in none), none)] if none else [])]:
        rate = share(ended, deals)
        what, who = ("", "") if said else (" deal" if deals == 1 else " deals", " players")
        said.append(
            f"{ended:,} of {deals:,}{what} at {_numbers(counts)}{who} (95 %: {100 * rate['low']:.1f} to {100 * rate['high']:.1f} %)"
        )
    return ", ".join(said)


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
            note_legal(table.program, table.state[NODE], table.mask, found.legal)
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
    for other in _elsewhere(game, possible - found.legal):
        if possible <= found.legal | elsewhere.legal:
            break
        for seats in _counts(other, elsewhere, ""):
            _some(other, seats, range(FEW), elsewhere)
    for name in moves:
        if name in possible - found.legal - elsewhere.legal:
            message = f"move '{name}' was never legal in {found.deals} random deals"
            yield Problem("never-legal", message, moves[name].move.span, "does a condition contradict another?", warning=True)


def every_option(game: Game, deals: int, tick: Callable[[], object] = lambda: None) -> Iterator[Trial]:
    """A trial under each other value of each option (of a range: its two ends); a warning for an option that changes nothing."""
    usual = _meaning(game.program)
    idle = dict(game.rules.options)
    for name, other in _other_options(game):
        if _meaning(other.program) != usual:
            idle.pop(name, None)
        yield trial(other, deals, f", --set {name}={other.options[name]}", told=True, tick=tick)  # compiled already, for its meaning
    for name, option in idle.items():
        message = f"option '{name}' changes nothing: with every value the game is the same"
        yield Trial(problems=[Problem("idle-option", message, option.span, warning=True)])


def _other_options(game: Game, only: str = "") -> Iterator[tuple[str, Game]]:
    """The game with each other value of each option, or of one only (of a range: its two ends)."""
    for name, option in game.rules.options.items() if not only else [(only, game.rules.options[only])]:
        for value in range(len(option.words)) if option.words else sorted({option.low, option.high}):
            if value != game.values[name]:
                yield name, game.with_options({name: option.text(value)})


def _elsewhere(game: Game, moves: set[str]) -> Iterator[Game]:
    """The game with other options, in which moves may be legal: first with each other value of the options that they mention.

    Then with all options changed at once, until each has had each of its values: a program for every single value would be many.
    """
    options, values = game.rules.options, game.values
    for name in _mentioned(game.rules, moves) if moves else ():
        yield from (other for _, other in _other_options(game, name))
    words = {name: len(option.words) for name, option in options.items() if option.words}
    for step in range(1, max(words.values(), default=1)):
        yield game.with_options({name: options[name].text((values[name] + step) % count) for name, count in words.items()})
    for end in ("low", "high"):
        if ends := {name: option.text(getattr(option, end)) for name, option in options.items() if not option.words}:
            yield game.with_options(ends)


def _mentioned(rules: Rules, moves: set[str]) -> Sequence[str]:
    """The options on which it depends directly whether moves may be made, then those for whether their phases are entered."""
    waiting: list[Expr] = []
    for name in sorted(moves):
        move = rules.moves[name]
        waiting += [clause.condition for clause in move.when]
        waiting += [part for pick in move.picks for part in (pick.domain, pick.where, pick.when, *(pick.several or ())) if part is not None]
    phases = {phase for name in moves for phase in rules.moves[name].phases}
    waiting += [rules.phases[phase].actor for phase in sorted(phases)]
    for _, block, _ in blocks(rules):
        inner = [*statements(block)]
        if any(statement.op == "go" and statement.data in phases for statement in inner):
            waiting += [arg for statement in inner for arg in statement.args]
    called: set[object] = set()

    def options(expr: Expr) -> Iterator[str]:
        for part in expr.walk():
            if part.op == "option":
                yield str(part.data)
            elif part.op == "call" and part.data not in called:
                called.add(part.data)
                yield from options(rules.defines[str(part.data)].body)

    return [*dict.fromkeys(name for expr in waiting for name in options(expr))]


def _counts(game: Game, found: Trial, settings: str) -> tuple[int, ...]:
    """How many may play; none where not even a deal can be tried."""
    try:
        return game.seats
    except RuleFault as fault:
        found.problems.append(_about(Problem("fault", fault.message, fault.span), f"in the deal{settings}"))
        return ()


def _some(game: Game, seats: int, numbers: range, found: Trial, told: bool = False) -> tuple[Problem, int] | None:
    """Play these deals until something is wrong with one: what, and in which."""
    for number in numbers:
        found.deals += 1
        found.tick()
        dealt = random_deal(game.program, seats, number, told and number % TOLD == 0)
        found.legal |= dealt.legal
        found.choices += dealt.choices
        if dealt.problem is not None:
            return dealt.problem, number
        found.ended[seats] += 1
        found.stalemates[seats] += dealt.stalemate
    return None


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
