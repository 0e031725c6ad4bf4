"""Functions that answer questions about a state, compiled when they are first wanted: expressions, and the values of one pick of a move."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from durak_dsl.compiler.assembly import Function, compiled
from durak_dsl.compiler.choices import Choices
from durak_dsl.compiler.emit import Emitter
from durak_dsl.compiler.fold import Folder
from durak_dsl.compiler.layout import ACTOR
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.quote import put_everywhere
from durak_dsl.compiler.unit import Unit
from durak_dsl.language.ir import Expr
from durak_dsl.problems import Span

Answer = Callable[..., int]

# Locals that folding makes for questions: far from those of the rules and of other questions.
FIRST_LOCAL = 1_000_000


class Answers:
    """Questions about the states of one program, and their answers as functions of the state."""

    def __init__(self, program: Program):
        self.program = program
        self.folder = Folder(program.rules, program.options)
        self.folder.fresh = FIRST_LOCAL
        self.unit = Unit(program.rules, program.layout, watched=False)
        self.unit.turns_cards = bool(self.folder.face_down)
        self.unit.search_local = FIRST_LOCAL
        self.space = dict(program.plain.namespace)
        self.made: dict[object, Answer] = {}

    def expression(self, expr: Expr, arguments: Sequence[int] = ()) -> Answer:
        """The value of an expression of the rules, as a function of the state and of the locals that are its arguments."""
        key = (expr, tuple(arguments))
        if key not in self.made:
            path = expr.at.path if expr.at else "question"
            emitter = Choices(self.unit, path, 0)
            self.made[key] = self._function(emitter, emitter.expr(self.folder.expr(expr)), arguments, expr.at)
        return self.made[key]

    def values(self, move: str, position: int) -> Answer:
        """The mask of the values of a pick, as a function of the state and of the earlier picks; of a move without picks, 1 or 0."""
        key = (move, position)
        if key not in self.made:
            emitter = self._of_move(move)
            mask = emitter.first() if position == 0 else emitter.candidates(position)
            picks = self.program.moves[move].picks
            mask = emitter.unlike(picks[position], mask) if picks else mask
            self.made[key] = self._function(emitter, mask, self._locals(move, position), self.program.moves[move].move.span)
        return self.made[key]

    def more(self, move: str, position: int) -> Answer:
        """The cards that may follow in a pick of several, as a function of the state, the earlier picks and the set chosen so far."""
        key = (move, position, "more")
        if key not in self.made:
            emitter = self._of_move(move)
            picks = self.program.moves[move].picks
            chosen = picks[position].local
            emitter.add("chosen = v", v=f"v{chosen}")  # what follows may go through the cards under the pick's own name
            mask = emitter.unlike(picks[position], emitter.several(picks[position], position, ast.Name("chosen", ast.Load())))
            self.made[key] = self._function(emitter, mask, self._locals(move, position + 1), picks[position].span)
        return self.made[key]

    def _of_move(self, move: str) -> Choices:
        folded = self.program.moves[move]
        emitter = Choices(self.unit, folded.move.span.path, 0)
        emitter.prepare(folded)
        emitter.add("v = s[a]", v=f"v{folded.move.me}", a=ACTOR)
        return emitter

    def _locals(self, move: str, count: int) -> list[int]:
        return [pick.local for pick in self.program.moves[move].picks[:count]]

    def _function(self, emitter: Emitter, value: ast.expr, arguments: Sequence[int], span: Span | None) -> Answer:
        emitter.add("return x", x=value)
        name = f"answer_{len(self.made)}"
        names = [ast.arg(arg) for arg in ("s", *(f"v{local}" for local in arguments))]
        tree = ast.FunctionDef(name, ast.arguments([], names, None, [], [], None, []), emitter.out, [])
        tree.type_params = []  # type: ignore[attr-defined,unused-ignore]
        put_everywhere(tree, span.line if span else 1)
        self.space |= {f"T{number}": masks for masks, number in self.unit.tables.items()} | self.unit.shapes
        exec(compiled(Function(tree, emitter.path, "a question")), self.space)
        answer: Answer = self.space[name]
        return answer
