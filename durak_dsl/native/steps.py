"""The step form as machine code: what is legal in a state, what a choice does, what a seat sees, how a deal ended; and deals by it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from durak_dsl.compiler.fuse import DEAD_END, asked_for
from durak_dsl.compiler.layout import NODE, SEATS
from durak_dsl.compiler.program import Outcome, Program
from durak_dsl.compiler.quote import quote_lines
from durak_dsl.compiler.runtime import State
from durak_dsl.native.build import Native, built_as
from durak_dsl.native.driver import DEALS, NEVER
from durak_dsl.native.states import Words, numbers, packed, state_of, words_of

STEPS = """
def legal(s, found):
    return masks(s, found, s[{node}])

def apply(s, choice):
    return entered(s, choose(s, choice, s[{node}]))

def observe(s, seat):
    hide(s, seat, ZONES, NODES)
    return 0

def result(s, found):
    found[0] = loser(s)
    found[1] = {winner}
    found[2] = 1 if stalemate(s) else 0
    for seat in range(s[{seats}]):
        found[3 + seat] = place(s, seat)
        {scores}
    return 0

def playout(s, source, most):
    found = {{}}
    turns = 0
    decisions = 0
    chosen = 0
    drawn = 0
    ready = half(source[0], 0)
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
        if total == 0:
            return {dead_end}, decisions
        if total > 1:
            decisions += 1 - chosen
            chosen = 1
            passed = ready * total >> 32
            drawn += 1
            ready = half(source[0], drawn)
        segment = 0
        mask = found[0]
        here = popcount(mask)
        while passed >= here and segment < count - 1:
            passed -= here
            segment += 1
            mask = found[segment]
            here = popcount(mask)
        node = apply(s, OFFSETS[node][segment] + kth(mask, passed))
    return (turns if node > {never} else -1), decisions
"""

SCORE = "found[3 + ({number} + 1) * s[{seats}] + seat] = score_{number}(s, seat)"

CALLED = {**DEALS, "legal": "aa", "apply": "an", "observe": "an", "result": "aa"}


@dataclass(frozen=True)
class Steps(Native):
    """A game as machine code, step by step."""

    def state(self, state: State) -> Words:
        """A state of interpreted code as an array of its own."""
        return packed(state, words_of(self.program))

    def plain(self, state: Words) -> State:
        """The same state as interpreted code has it."""
        return state_of(state, words_of(self.program))

    def legal(self, state: Words) -> int:
        """As `Program.legal`."""
        words = words_of(self.program)
        node = numbers(state, words)[NODE]
        if node < 0:
            return 0
        segments = self.program.nodes[node].segments
        found = packed([0] * len(segments), words)
        self.code.library.functions["legal"](state, found)
        return sum(mask << segment.offset for mask, segment in zip(numbers(found, words), segments, strict=True))

    def apply(self, state: Words, choice: int) -> None:
        """As `Program.apply`."""
        before = self.plain(state)
        if self.code.library.functions["apply"](state, choice) <= NEVER:
            self.program.apply(before, choice)  # which says what is wrong
            raise AssertionError("interpreted code finds no fault here")

    def observe(self, state: Words, seat: int) -> Words:
        """As `Program.observe`."""
        self.program.check_seat(seat, self._at(state, SEATS))
        found = type(state).from_buffer_copy(state)
        self.code.library.functions["observe"](found, seat)
        return found

    def result(self, state: Words) -> Outcome:
        """As `Program.result`."""
        seats, words = self._at(state, SEATS), words_of(self.program)
        found = packed([0] * (3 + (1 + len(self.program.rules.finish.scores)) * seats), words)
        self.program.check_over(self._at(state, NODE))
        self.code.library.functions["result"](state, found)
        return self.program.outcome(numbers(found, words), seats)

    def _at(self, state: Words, place: int) -> int:
        """What stands at a place, where that is no set of cards."""
        return int(state[place * words_of(self.program)])


def steps(program: Program) -> Steps:
    """The program as machine code, step by step; NoNative where there is none."""
    return built_as(Steps, program, "steps", text, CALLED)


def text(program: Program) -> str:
    """The assembly of the step form."""
    from durak_dsl.native.source import assembly, functions_in  # not needed where the code is kept

    stepped = program.assembly.stepped()
    counts = [len(node.segments) for node in program.nodes]
    most = max(counts)
    stepped.names["OFFSETS"] = tuple(
        (*(segment.offset for segment in node.segments), *[0] * (most - count)) for node, count in zip(program.nodes, counts, strict=True)
    )
    stepped.names["ZONES"], stepped.names["NODES"] = program.sight
    finish = program.rules.finish
    more = functions_in(
        STEPS.format(
            node=NODE,
            never=NEVER,
            dead_end=DEAD_END,
            phases=len(program.rules.phases),
            seats=SEATS,
            winner="-1" if finish.winner is None else "winner(s)",
            scores="\n        ".join(SCORE.format(number=number, seats=SEATS) for number in range(len(finish.scores))) or "pass",
        )
    )
    more += [
        _by_number("masks", "found", [quote_lines("f(s, found)\nreturn k", f=f"masks_{n}", k=count) for n, count in enumerate(counts)]),
        _by_number("choose", "a", [quote_lines("return f(s, a)", f=f"apply_{n}") for n in range(len(counts))]),
    ]
    return assembly(program, [stepped, program.assembly.ends()], CALLED, more)


def _by_number(name: str, argument: str, bodies: Sequence[list[ast.stmt]]) -> ast.FunctionDef:
    """A function of a state, something, and a number, that does what stands at the number, found by halving."""
    arguments = [ast.arg("s"), ast.arg(argument), ast.arg("n")]
    made = ast.FunctionDef(name, ast.arguments([], arguments, None, [], [], None, []), asked_for(dict(enumerate(bodies)), (), "n"), [])
    made.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return made
