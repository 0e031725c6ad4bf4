"""A whole game as code: the functions of setup, phases, moves and the end, compiled from trees; and how to step through a deal with them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType
from typing import Any

from durak_dsl.compiler import runtime
from durak_dsl.compiler.chance import Chance
from durak_dsl.compiler.choices import Choices, FoldedMove, Node, Segment, fold_move, takes_one
from durak_dsl.compiler.effects import AGAIN, Effects
from durak_dsl.compiler.emit import Emitter, Unit
from durak_dsl.compiler.evaluate import evaluate
from durak_dsl.compiler.fold import Folder
from durak_dsl.compiler.layout import ACTOR, CHANCE, GIVEN, NODE, OVER, SEATS, Layout
from durak_dsl.compiler.quote import put_everywhere, quote, quote_lines
from durak_dsl.compiler.runtime import RuleFault, State
from durak_dsl.compiler.tabulate import Table
from durak_dsl.language.ir import Block, Define, Expr, Pick, Rules
from durak_dsl.language.types import YES_NO
from durak_dsl.problems import Span

MOST_SETTLING = 1000
MOST_REDEALS = 1000

Legal = Callable[[State], int]
Apply = Callable[[State, int], object]


@dataclass(frozen=True)
class Function:
    """One emitted function and the file whose lines it bears."""

    tree: ast.FunctionDef
    path: str
    what: str


@dataclass
class Emitted:
    """All functions of one form of a program, with the values that they use."""

    functions: list[Function]
    names: dict[str, Any]
    faults: list[tuple[str, Span | None]]

    @cached_property
    def namespace(self) -> dict[str, Any]:
        """The compiled functions by name."""
        space = dict(self.names)

        def fault(number: int, value: int) -> None:
            message, span = self.faults[number]
            raise RuleFault(f"{message}; here it would be {value}" if value else message, span)

        space["fault"] = fault
        for function in self.functions:
            exec(compiled(function), space)
        return space


def compiled(function: Function) -> CodeType:
    """The code of one function, with the rule file as its file name."""
    module = ast.Module([function.tree], [])
    return compile(module, function.path, "exec")


@dataclass
class Program:
    """The code of one game with its option values.

    `new` gives a dealt state, `legal` the mask of what may be chosen next, `apply` makes a choice. The state is changed in place.
    """

    rules: Rules
    options: Mapping[str, int]
    layout: Layout = field(init=False)
    nodes: list[Node] = field(init=False)
    deck: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.folder = Folder(self.rules, self.options, watched=False)
        self.layout = Layout(self.rules)
        self._blanks: dict[int, State] = {}
        self.chance = Chance()
        self.deck = self._cards_in_game()
        self.moves = {name: fold_move(move, self.folder) for name, move in self.rules.moves.items()}
        self.nodes, self._later = self._plan()
        self._tables: dict[tuple[Expr, int], Table | None] = {}
        self.plain = self._emit(watched=False)
        self.plain = self._emit(watched=False)  # once more: now all sets of heights that are asked for are known
        space = self.plain.namespace
        count = len(self.nodes)
        self.legal_of: list[Legal] = [space[f"legal_{node}"] for node in range(count)]
        self.apply_of: list[Apply] = [space[f"apply_{node}"] for node in range(count)]
        self.enter_of: list[Callable[[State], object]] = [space[f"enter_{phase}"] for phase in range(len(self.rules.phases))]

    @cached_property
    def keeps(self) -> dict[str, tuple[int, Callable[[State], int]]]:
        """The place of each kept variable, and its value in a first deal."""
        space = self.plain.namespace
        return {name: (self.layout.variables[name], space[f"first_{number}"]) for number, name in enumerate(self.rules.keeps)}

    @cached_property
    def watched(self) -> Emitted:
        """The same functions, telling each movement of a card to a list given as their last argument, and what chance gave to `chance`."""
        emitted = self._emit(watched=True)
        emitted.names |= {"below": self.chance.below, "shuffle": self.chance.shuffle}
        return emitted

    def _cards_in_game(self) -> tuple[int, ...]:
        deck = self.rules.deck
        cards = []
        for card in range(deck.grid * deck.copies):
            only = None if deck.only is None else self.folder.expr(deck.only)
            if only is None or evaluate(only, {deck.only_local: card}, deck):
                cards.append(card)
        return tuple(cards)

    # ---- the plan of choices --------------------------------------------------------------------------------------

    def _plan(self) -> tuple[list[Node], dict[tuple[str, str, int], int]]:
        nodes = []
        for phase in self.rules.phases:
            offset = 0
            segments = []
            for name, folded in self.moves.items():
                if phase in folded.move.phases:
                    size = self.pick_size(folded.picks[0]) if folded.picks else 1
                    segments.append(Segment(name, 0, offset, size))
                    offset += size
            nodes.append(Node(phase, tuple(segments)))
        later: dict[tuple[str, str, int], int] = {}
        for phase in self.rules.phases:
            for name, folded in self.moves.items():
                if phase not in folded.move.phases:
                    continue
                for position, pick in enumerate(folded.picks):
                    if position or (pick.several and not takes_one(pick)):
                        later[phase, name, position] = len(nodes)
                        nodes.append(Node(phase, (Segment(name, position, 0, self.pick_size(pick)),), position))
        return nodes, later

    def pick_size(self, pick: Pick) -> int:
        """How many bits the values of a pick take."""
        kind = pick.type.kind
        cards = self.rules.deck.grid * self.rules.deck.copies
        if pick.several and not takes_one(pick):
            return cards + 1
        if kind == "pile":
            return self.rules.zones[pick.type.zone].most
        sizes = {"card": cards, "cards": cards, "rank": len(self.rules.deck.ranks), "suit": len(self.rules.deck.suits), "player": self.layout.seats}
        return sizes.get(kind, max(self.rules.teams, 1))

    # ---- emitting -------------------------------------------------------------------------------------------------

    def _emit(self, watched: bool) -> Emitted:
        rules = self.rules
        self.folder = folder = Folder(rules, self.options, watched)
        self._folded = {name: fold_move(move, folder) for name, move in rules.moves.items()}
        unit = Unit(rules, self.layout, watched, made=self._tables)
        unit.actors = tuple(folder.expr(phase.actor) for phase in rules.phases.values())
        unit.procedures = {name: f"do_{number}" for number, name in enumerate(rules.procedures)}
        unit.turns_cards = folder.face_down
        unit.search_local = 0 if not rules.locals else max(rules.locals) + 1
        self.unit = unit
        functions = [self._body("setup", rules.setup, "setup", None)]
        functions.append(self._body("position", rules.position, "position", None))
        for name, procedure in rules.procedures.items():
            body = folder.block(procedure.body)
            arguments = tuple(f"v{local}" for _, local, _ in procedure.parameters)
            functions.append(self._body(unit.procedures[name], body, f"procedure '{name}'", procedure.span, arguments, folded=True))
        for number, phase in enumerate(rules.phases.values()):
            emitter = Choices(unit, phase.span.path, number)
            emitter.enter(phase, unit.actors[number], folder.block(phase.nobody))
            functions.append(self._function(f"enter_{number}", emitter, f"who acts in phase '{phase.name}'", phase.span, watch=True))
        for number, node in enumerate(self.nodes):
            functions += [self._legal(number, node), self._apply(number, node)]
        functions += self._ends()
        names = {
            name: getattr(runtime, name)
            for name in (
                "below kth shuffle stack_cards take_from_stack put_into_stack pile_cards take_from_row row_to_stack ranks_of suits_of "
                "spread_ranks cards_of_ranks several enough same_suit FROM AFTER FIRST LAST"
            ).split()
        }
        names["DECK"] = sum(1 << card for card in self.deck)
        names |= {f"T{number}": masks for masks, number in unit.tables.items()}
        return Emitted(functions, names, unit.faults)

    def _function(self, name: str, emitter: Emitter, what: str, span: Span | None, arguments: Sequence[str] = (), watch: bool = False) -> Function:
        args = ["s", *arguments, *(["w"] if watch and emitter.unit.watched else [])]
        parameters = ast.arguments([], [ast.arg(arg) for arg in args], None, [], [], None, [])
        tree = ast.FunctionDef(name, parameters, emitter.out or [ast.Pass()], [])
        tree.type_params = []  # type: ignore[attr-defined,unused-ignore]
        put_everywhere(tree, span.line if span else 1)
        return Function(tree, emitter.path, what)

    def _body(
        self, name: str, block: Block, what: str, span: Span | None, arguments: Sequence[str] = (), folded: bool = False
    ) -> Function:
        first = next((statement.at for statement in block if statement.at), span)
        emitter = Effects(self.unit, (span or first or Span("rules", 1, 1)).path)
        emitter.block(block if folded else self.folder.block(block))
        return self._function(name, emitter, what, span or first, arguments, watch=True)

    def _legal(self, number: int, node: Node) -> Function:
        span = self.rules.moves[node.segments[0].move].span if node.segments else self.rules.phases[node.phase].span
        emitter = Choices(self.unit, span.path, number)
        total: ast.expr | None = None
        for segment in node.segments:
            folded = self._folded[segment.move]
            emitter.prepare(folded, self.unit.actors[list(self.rules.phases).index(node.phase)])
            emitter.actor(folded)
            emitter.restore(segment.pick)
            pick = folded.picks[segment.pick] if folded.picks else None
            if node.pick or number >= len(self.rules.phases):
                assert pick is not None
                emitter.add("m = s[k]", m="chosen", k=self._picked(segment))
                mask = emitter.several(pick, segment.pick, ast.Name("chosen", ast.Load())) if self._under_way(pick) else emitter.candidates(segment.pick)
            else:
                mask = emitter.first()
            if isinstance(mask, ast.Constant) and mask.value == 0:
                continue
            if isinstance(mask, ast.Constant) and isinstance(mask.value, int):
                part = quote("m", m=mask.value << segment.offset)
            else:
                part = quote("m << k", m=mask, k=segment.offset) if segment.offset else mask
            total = part if total is None else quote("a | b", a=total, b=part)
        emitter.add("return m", m=total if total is not None else 0)
        return self._function(f"legal_{number}", emitter, self._describe("what is legal", node), span)

    def _picked(self, segment: Segment) -> int:
        from durak_dsl.compiler.layout import PICKED

        return PICKED + segment.pick

    def _under_way(self, pick: Pick) -> bool:
        return pick.several is not None and not takes_one(pick)

    def _describe(self, what: str, node: Node) -> str:
        if len(node.segments) == 1 and node.pick:
            segment = node.segments[0]
            return f"{what}: pick '{self.moves[segment.move].picks[segment.pick].name}' of move '{segment.move}'"
        return f"{what} in phase '{node.phase}'"

    def _apply(self, number: int, node: Node) -> Function:
        span = self.rules.phases[node.phase].span
        phase_number = list(self.rules.phases).index(node.phase)
        later = number >= len(self.rules.phases)
        outer = Choices(self.unit, span.path, phase_number)
        lines: list[ast.stmt] = []
        for position, segment in reversed(list(enumerate(node.segments))):
            folded = self._folded[segment.move]
            emitter = Choices(self.unit, folded.move.span.path, phase_number)
            emitter.temps = 100 * position
            emitter.prepare(folded)
            emitter.actor(folded)
            emitter.restore(segment.pick)
            if folded.picks:
                value = quote("a - k", a="a", k=segment.offset) if segment.offset else ast.Name("a", ast.Load())
                emitter.chosen(value, segment.pick, self._later, node.phase, later and self._under_way(folded.picks[segment.pick]))
            else:
                emitter.proceed(0, self._later, node.phase)
            put_everywhere_first(emitter.out, folded.move.span, span.path)
            if position == len(node.segments) - 1:
                lines = emitter.out
            else:
                lines = [ast.If(quote("a < k", a="a", k=segment.offset + segment.size), emitter.out, lines)]
        outer.out = lines
        return self._function(f"apply_{number}", outer, self._describe("what a choice does", node), span, ("a",), watch=True)

    def _ends(self) -> list[Function]:
        rules = self.rules
        found = [self._value("place", rules.finish.place)]
        found.append(self._expression("loser", rules.finish.loser))
        found.append(self._expression("stalemate", rules.finish.stalemate or Expr("const", YES_NO, data=0)))
        found += [self._value(f"score_{number}", define) for number, define in enumerate(rules.finish.scores.values())]
        for number, keep in enumerate(rules.keeps.values()):
            found += [self._expression(f"first_{number}", keep.first), self._expression(f"then_{number}", keep.then)]
        return found

    def _value(self, name: str, define: Define) -> Function:
        emitter = Emitter(self.unit, define.span.path)
        emitter.add("return x", x=emitter.expr(self.folder.expr(define.body)))
        return self._function(name, emitter, f"'{define.name}'", define.span, [f"v{local}" for _, local, _ in define.parameters])

    def _expression(self, name: str, expr: Expr) -> Function:
        span = expr.at or Span("rules", 1, 1)
        emitter = Emitter(self.unit, span.path)
        emitter.add("return x", x=emitter.expr(self.folder.expr(expr)))
        return self._function(name, emitter, name, span)

    # ---- playing --------------------------------------------------------------------------------------------------

    def blank(self, seats: int, seed: int = 0) -> State:
        """A state before anything is dealt: variables at their starts, zones empty."""
        if seats not in self._blanks:
            self._blanks[seats] = self._blank(seats)
        state = self._blanks[seats].copy()
        state[CHANCE] = runtime.mix(seed)
        return state

    def _blank(self, seats: int) -> State:
        state = [0] * self.layout.size
        state[NODE], state[ACTOR], state[SEATS] = OVER, -1, seats
        for variable in self.rules.variables.values():
            place = self.layout.variables[variable.name]
            if self.layout.spread(variable):
                state[place : place + self.layout.seats] = [variable.start] * self.layout.seats
            else:
                state[place] = ((1 << seats) - 1 if variable.start else 0) if variable.each else variable.start
        self.layout.refresh(state)
        return state

    def new(self, seats: int, seed: int = 0, deck: Sequence[int] | None = None, kept: Mapping[str, int] | None = None, told: list[Any] | None = None) -> State:
        """A state after setup, with the first actor found; `deck` (top first) instead of a shuffled one; `kept` from the deal before."""
        state = self.start(seats, seed, deck, kept)
        self.setup(state, told)
        return state

    def start(self, seats: int, seed: int = 0, deck: Sequence[int] | None = None, kept: Mapping[str, int] | None = None) -> State:
        """A state before setup: the values that are kept from deal to deal are set, and the deck lies there, shuffled unless it is given."""
        state = self.blank(seats, seed)
        for name, (place, first) in self.keeps.items():
            state[place] = kept[name] if kept is not None and name in kept else first(state)
        self._lay_deck(state, self.deck if deck is None else deck)
        if deck is None:
            runtime.shuffle(state, self.layout.zones[self.rules.deck.start])
        state[GIVEN] = 1  # the first shuffle of the setup has been made
        return state

    def setup(self, state: State, told: list[Any] | None = None) -> None:
        """Deal from a state before setup, and find the first actor."""
        space = self.plain.namespace if told is None else self.watched.namespace
        before = state.copy()
        for attempt in range(MOST_REDEALS):
            if attempt:
                state[:] = [*before[:CHANCE], state[CHANCE], *before[CHANCE + 1 :]]
                state[GIVEN] = 0
            if told is not None:
                del told[:]
            space["setup"](state, *(() if told is None else (told,)))
            if state[NODE] != AGAIN:
                break
        else:
            raise RuleFault(f"the cards were dealt {MOST_REDEALS:,} times without a deal that the rules accept")
        state[GIVEN] = 0
        self.settle(state, told)

    def _lay_deck(self, state: State, cards: Sequence[int]) -> None:
        base = self.layout.zones[self.rules.deck.start]
        state[base] = len(cards)
        state[base + 1 : base + 1 + len(cards)] = cards[::-1]

    def legal(self, state: State) -> int:
        """The mask of what may be chosen next; 0 when the deal is over."""
        return self.legal_of[state[NODE]](state) if state[NODE] >= 0 else 0

    def apply(self, state: State, choice: int, told: list[Any] | None = None) -> None:
        """Make a choice (a bit of the legal mask), and find who acts next."""
        if told is None:
            self.apply_of[state[NODE]](state, choice)
        else:
            self.watched.namespace[f"apply_{state[NODE]}"](state, choice, told)
        if state[ACTOR] < 0:
            self.settle(state, told)

    def settle(self, state: State, told: list[Any] | None = None) -> None:
        """Find who acts, passing over phases in which nobody does."""
        for _ in range(MOST_SETTLING):
            if state[ACTOR] >= 0 or state[NODE] < 0:
                return
            if told is None:
                self.enter_of[state[NODE]](state)
            else:
                self.watched.namespace[f"enter_{state[NODE]}"](state, told)
        phase = self.nodes[state[NODE]].phase
        raise RuleFault(f"after {MOST_SETTLING:,} phases there is still nobody to act; the last was '{phase}'", self.rules.phases[phase].span)


def put_everywhere_first(lines: list[ast.stmt], span: Span, path: str) -> None:
    """Give the lines of a move the place of its name, where that is in the file."""
    if span.path == path:
        for line in lines:
            put_everywhere(line, span.line)


def moves_of(program: Program) -> Mapping[str, FoldedMove]:
    """The moves with their options worked out."""
    return program.moves


__all__ = ["Emitted", "Function", "Program", "quote_lines"]
