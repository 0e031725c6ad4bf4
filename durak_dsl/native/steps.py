"""The step form as machine code: what is legal in a state, what a choice does, and deals played through nothing but these two."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from durak_dsl.compiler.assembly import Emitted, Function
from durak_dsl.compiler.fuse import MOST_SKIPPED, asked_for, going_round
from durak_dsl.compiler.layout import CHANCE, NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.quote import quote_lines
from durak_dsl.compiler.runtime import MASK64, State
from durak_dsl.native.build import Native, NoNative, against, module_of
from durak_dsl.native.source import calls, module_text

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

# What a function says that would enter a phase from which play may come back to it without a choice: this, less the number of the phase.
ENTERING = -1000
NEVER = ENTERING - 1_000_000  # play goes from phase to phase without end

STEPS = """
OFFSETS = np.array({offsets}, np.int64)


@njit(_nrt=False)
def entered(s, node):
    skipped = 0
    while node <= {entering}:
        skipped += 1
        if skipped > {most_skipped}:
            return {never}
        node = enter(s, {entering} - node)
    return node


@njit(_nrt=False)
def setup(s):
    if entered(s, begin(s)) == {never}:
        raise ValueError


@njit(cache=CACHED, nogil=True, _nrt=False)
def legal(s, found):
    return masks(s, found, s[{node}])


@njit(cache=CACHED, nogil=True, _nrt=False)
def apply(s, choice):
    return entered(s, choose(s, choice, s[{node}]))


@njit(_nrt=False)
def played(s, source, most, found):
    turns = 0
    decisions = 0
    chosen = 0
    chance = source[0]
    node = s[{node}]
    while node >= 0:
        count = legal(s, found)
        total = 0
        for segment in range(count):
            total += popcount(found[segment])
        if node < {phases}:
            turns += 1
            chosen = 0
            if turns > most:
                break
        passed = 0
        if total > 1:
            decisions += 1 - chosen
            chosen = 1
            chance = following(chance)
            passed = word(chance) * total >> 32
        segment = 0
        mask = found[0]
        here = popcount(mask)
        while passed >= here and segment < count - 1:
            passed -= here
            segment += 1
            mask = found[segment]
            here = popcount(mask)
        node = apply(s, OFFSETS[unsigned(node), unsigned(segment)] + kth(mask, passed))
    return (turns if node > {never} else -1), decisions


@njit(_nrt=True)
def playout(s, source, most):
    return played(s, source, most, np.empty({most_segments}, np.int64))
"""


@dataclass(frozen=True)
class Steps:
    """A game as machine code, step by step. A state is an array of 64-bit numbers; `legal` and `apply` compile when first called."""

    program: Program
    module: ModuleType
    was_kept: bool
    fused: Native  # which plays deals with this module's playout

    def state(self, state: State) -> Array:
        """A state of interpreted code as an array of its own."""
        import numpy as np

        return np.array([*state[:CHANCE], state[CHANCE] - (state[CHANCE] >> 63 << 64), *state[CHANCE + 1 :]], np.int64)

    def plain(self, state: Array) -> State:
        """The same state as interpreted code has it."""
        found: State = state.tolist()
        found[CHANCE] &= MASK64
        return found

    def legal(self, state: Array) -> int:
        """As `Program.legal`."""
        import numpy as np

        if state[NODE] < 0:
            return 0
        segments = self.program.nodes[state[NODE]].segments
        found = np.empty(len(segments), np.int64)
        self.module.legal(state, found)
        return sum(mask << segment.offset for mask, segment in zip(found.tolist(), segments, strict=True))

    def apply(self, state: Array, choice: int) -> None:
        """As `Program.apply`."""
        before = state.copy()
        try:
            if self.module.apply(state, choice) > NEVER:
                return
        except ValueError:
            pass
        self.program.apply(self.plain(before), choice)  # which says what is wrong
        raise AssertionError("interpreted code finds no fault here")

    def deals(self, seats: int, seed: int, first: int, last: int, most: int) -> tuple[bool, int, Array]:
        """As `Native.deals`."""
        if not self.module.deals.signatures:
            self.fused.is_sound()  # compiled now
        return self.fused.deals(seats, seed, first, last, most)


_BUILT: dict[int, Steps] = {}


def steps(program: Program) -> Steps:
    """The program as machine code, step by step; NoNative where there is none."""
    if id(program) not in _BUILT:
        if reason := against(program):
            raise NoNative(reason)
        module, was_kept = module_of("steps", text(program))
        _BUILT[id(program)] = Steps(program, module, was_kept, Native(program, module, was_kept))
    return _BUILT[id(program)]


def text(program: Program) -> str:
    """The module as text."""
    nodes = program.nodes
    stepped = program.assembly.stepped()
    counts = [len(node.segments) for node in nodes]
    phases = len(program.rules.phases)
    round_about = going_round(calls([function.tree for function in stepped.functions]))
    trees = [_Entering(round_about).visit(deepcopy(function.tree)) for function in stepped.functions]
    for tree in trees:
        tree.name = {"setup": "begin"}.get(tree.name, tree.name)
    trees += [
        _by_number("masks", "found", [quote_lines("f(s, found)\nreturn k", f=f"masks_{n}", k=counts[n]) for n in range(len(nodes))]),
        _by_number("choose", "a", [quote_lines("return f(s, a)", f=f"apply_{n}") for n in range(len(nodes))]),
        _by_number("enter", None, [quote_lines("return f(s)", f=f"enter_{n}") for n in range(phases)]),
    ]
    most_segments = max(counts)
    offsets = [[*(segment.offset for segment in node.segments), *[0] * (most_segments - len(node.segments))] for node in nodes]
    steps = STEPS.format(
        offsets=offsets,
        entering=ENTERING,
        most_skipped=MOST_SKIPPED,
        never=NEVER,
        node=NODE,
        most_segments=most_segments,
        phases=phases,
    )
    form = Emitted([Function(tree, "steps", tree.name) for tree in trees], stepped.names, stepped.tables, stepped.faults)
    return module_text(program, [form, program.assembly.ends()], steps)


def _by_number(name: str, argument: str | None, bodies: Sequence[list[ast.stmt]]) -> ast.FunctionDef:
    """A function of a state (and something) and a number, that does what stands at the number, found by halving."""
    arguments = [ast.arg("s"), *([ast.arg(argument)] if argument else []), ast.arg("n")]
    body = asked_for(dict(enumerate(bodies)), (), "n")
    made = ast.FunctionDef(name, ast.arguments([], arguments, None, [], [], None, []), body, [])
    made.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return made


class _Entering(ast.NodeTransformer):
    """Says which phase is to be entered instead of entering it, where that might go round for ever."""

    def __init__(self, which: set[str]):
        self.which = which

    def visit_Return(self, node: ast.Return) -> ast.AST:
        call = node.value
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if name in self.which and name.startswith("enter_"):
            (line,) = quote_lines("return k", k=ENTERING - int(name.removeprefix("enter_")))
            return line
        return node
