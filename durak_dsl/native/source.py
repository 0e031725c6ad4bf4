"""One module for one game with its option values: the text that numba compiles, all that it needs in it but `native.runtime`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from typing import Any

from durak_dsl.compiler import runtime
from durak_dsl.compiler.assembly import Emitted
from durak_dsl.compiler.effects import AGAIN
from durak_dsl.compiler.fuse import BY_CALL
from durak_dsl.compiler.layout import ACTOR, CHANCE, GIVEN, NODE, SEATS
from durak_dsl.compiler.program import MOST_REDEALS, Program
from durak_dsl.compiler.quote import walk
from durak_dsl.language.ir import Expr
from durak_dsl.language.order import ordered
from durak_dsl.native.build import NoNative
from durak_dsl.native.dialect import native
from durak_dsl.native.sequence import in_sequence

OWN = ("below", "shuffle", "row_to_stack", "kth", "with_one_more", "adding_up")  # which native.runtime has itself

HEAD = '''
"""One game as machine code. Made by a program, and made again when it is not there."""

import numpy as np
from numba import njit

from durak_dsl.native.runtime import (
    adding_up, below, bit_length, first_seat, following, highest, kth, last_seat, left, lowest, mix, popcount, right, row_to_stack, shuffle,
    unsigned, with_one_more,
    word,
)

@njit
def fault(number, value):
    raise ValueError

@njit
def short(zone, seat):
    pass
'''


def text(program: Program) -> str:
    """The module as text: the fused form."""
    return module_text(program, [program.plain, program.assembly.ends(), program.assembly.fused(BY_CALL, in_sequence)])


def module_text(program: Program, forms: Iterable[Emitted], steps: str = "") -> str:
    """A module with these functions, some others as text, and the driver: `playout` must be among them."""
    emitted = [*forms]
    functions = _in_order(function.tree for form in emitted for function in form.functions if function.tree.name != "position")
    lines = [HEAD]
    names = {name: value for form in emitted for name, value in form.names.items()}
    used = {node.id for function in functions for node in walk(function) if isinstance(node, ast.Name)}
    for name in sorted(used & names.keys()):
        if inspect.isfunction(names[name]) and name not in OWN and not hasattr(runtime, name):
            raise NoNative(f"these rules need the function '{name}', which there is not in machine code")
    for name in sorted(used & names.keys() - {"FROM", "AFTER", "FIRST", "LAST", "BIT"}):
        value = names[name]
        if name == "DECK":
            lines.append(f"DECK = {value}\n")
        elif isinstance(value, tuple):
            lines.append(f"{name} = {_table(value)}\n")
    helpers = _in_order(_derived(sorted(used)))
    tables: dict[tuple[object, ...], str] = {}
    trees = [native(function, tables) for function in [*helpers, *functions]]
    arrays = _with_arrays(trees[: len(helpers)])
    # Who makes no array need not count who holds those that it was given: that would cost a short function more than what it does. (All
    # say which it is: else it would be as with the first that calls them.)
    code = [f"{'@njit(_nrt=True)' if _makes_arrays(tree, arrays) else '@njit(_nrt=False)'}\n{ast.unparse(tree)}\n" for tree in trees]
    lines += [f"{name} = {_table(value, 2)}\n" for value, name in tables.items()]
    lines += [*code, steps]
    lines.append(_driver(program, any(_deals_again(function) for function in functions)))
    return "\n".join(lines)


def _with_arrays(helpers: Iterable[ast.FunctionDef]) -> set[str]:
    """The names of helpers that may hand on an array of their own."""
    found = {"row_to_stack", "adding_up"}
    for function in helpers:  # in order: those that are called come first
        if _makes_arrays(function, found):
            found.add(function.name)
    return found


def _makes_arrays(function: ast.FunctionDef, given: set[str]) -> bool:
    """Whether the function has arrays that it was not given: as parts of one, by methods, or from one of these functions."""
    return any(isinstance(node, (ast.Slice, ast.Attribute)) or (isinstance(node, ast.Name) and node.id in given) for node in walk(function))


def _table(value: tuple[Any, ...], width: int = 0) -> str:
    """Numbers as a table; tables within each other as tables side by side."""
    if value and isinstance(value[0], tuple) and isinstance(value[0][0], tuple):
        return f"({', '.join(map(_table, value))})"
    text = f"np.array({[list(row) if isinstance(row, tuple) else row for row in value]}, np.int64)"
    return f"{text}.reshape(-1, {width})" if width else text


def _derived(used: Iterable[str]) -> list[ast.FunctionDef]:
    """The helpers of interpreted code that are used, and those which they use."""
    found: dict[str, ast.FunctionDef] = {}
    waiting = [*used]
    while waiting:
        name = waiting.pop()
        helper = getattr(runtime, name, None)
        if name in found or name in OWN or not inspect.isfunction(helper):
            continue
        (tree,) = ast.parse(inspect.getsource(helper)).body
        assert isinstance(tree, ast.FunctionDef)
        tree.returns = None
        for argument in tree.args.args:
            argument.annotation = None
        found[name] = tree
        waiting += [node.id for node in walk(tree) if isinstance(node, ast.Name)]
    return list(found.values())


def calls(functions: Iterable[ast.FunctionDef]) -> dict[str, list[str]]:
    """Which of the functions each of them names, in any order."""
    names = {function.name: function for function in functions}
    return {name: [node.id for node in walk(tree) if isinstance(node, ast.Name) and node.id in names] for name, tree in names.items()}


def _in_order(functions: Iterable[ast.FunctionDef]) -> list[ast.FunctionDef]:
    """The functions, those that are called before those that call them."""
    by_name = {function.name: function for function in functions}
    order, _ = ordered({name: [(other, None) for other in called] for name, called in calls(by_name.values()).items()})
    return [by_name[name] for name in order]


DEAL_AGAIN = f"""for place in range(len(s)):
            before[unsigned(place)] = s[unsigned(place)]
        setup(s)
        again = 0
        while s[{NODE}] == {AGAIN} and again < {MOST_REDEALS - 1}:
            again += 1
            chance = s[{CHANCE}]
            for place in range(len(s)):
                s[unsigned(place)] = before[unsigned(place)]
            s[{CHANCE}] = chance
            s[{GIVEN}] = 0
            setup(s)"""

PLAIN, SEATED = 6, 3  # how many counts there are of all deals, and of each seat (besides its scores)

DRIVER = """
@njit
def start(s, blank, deck, seed):
    for place in range(len(blank)):
        s[unsigned(place)] = blank[unsigned(place)]
    s[{CHANCE}] = np.int64(mix(seed))
    {firsts}
    s[{base}] = len(deck)
    for place in range(len(deck)):
        s[unsigned({base} + 1 + place)] = deck[unsigned(place)]
    shuffle(s, {base})
    s[{GIVEN}] = 1


@njit(cache=CACHED, nogil=True, _nrt=True)
def deals(s, before, blank, deck, seed, first, last, most, counts, source, at):
    seats = blank[{SEATS}]
    for number in range(first, last):
        at[0] = number
        one = mix(mix(seed) ^ np.uint64(number)) >> np.uint64(16)
        start(s, blank, deck, one)
        {setup}
        s[{GIVEN}] = 0
        leader = s[{ACTOR}]
        source[0] = mix(mix(one))
        turns, decisions = playout(s, source, most)
        if turns < 0 or turns > most or s[{NODE}] == {AGAIN}:
            return False
        counts[0] += turns
        counts[1] += turns * turns
        counts[2] += decisions
        counts[3] += decisions * decisions
        first_of = loser(s)
        also = {winner}
        ended = stalemate(s)
        if ended:
            counts[5] += 1
        elif first_of < 0 and also < 0:
            counts[4] += 1
        if first_of >= 0:
            for seat in range(first_of, {lost}):
                counts[6 + seat] += 1
                counts[6 + seats + (seat - leader) % seats] += 1
        first_of = also
        if first_of >= 0:
            for seat in range(first_of, {won}):
                counts[6 + 2 * seats + seat] += 1
        for seat in range(seats):
            {scores}
    return True
"""


def _deals_again(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) == str(AGAIN) for node in ast.walk(function)
    )


def _driver(program: Program, again: bool) -> str:
    """What plays the deals from one number to another and counts what comes of them, in the order of `study.simulate.Statistics`."""
    layout, rules = program.layout, program.rules
    base = layout.zones[rules.deck.start]
    firsts = []
    for number, (name, keep) in enumerate(rules.keeps.items()):
        if keep.first.body.op != "const":
            place, each = layout.variables[name], bool(keep.first.parameters)
            told = f"s[{place} + seat] = first_{number}(s, seat)" if each else f"s[{place}] = first_{number}(s)"
            firsts.append(f"for seat in range(s[{SEATS}]): {told}" if each else told)
    scores = [
        f"counts[{PLAIN} + {SEATED + number} * seats + seat] += score_{number}(s, seat)" for number in range(len(rules.finish.scores))
    ]
    return DRIVER.format(
        ACTOR=ACTOR,
        CHANCE=CHANCE,
        GIVEN=GIVEN,
        NODE=NODE,
        SEATS=SEATS,
        AGAIN=AGAIN,
        base=base,
        firsts="\n    ".join(firsts) or "pass",
        setup=DEAL_AGAIN if again else "setup(s)",
        scores="\n            ".join(scores) or "pass",
        lost=_seats_of(rules.finish.loser, rules.teams),
        won=_seats_of(rules.finish.winner, rules.teams),
        winner="winner(s)" if rules.finish.winner is not None else "-1",
    )


def _seats_of(who: Expr | None, teams: int) -> str:
    """The seats that a result means, from the first one on: of a team all."""
    return f"seats, {teams}" if who is not None and who.type.kind == "team" else "first_of + 1"
