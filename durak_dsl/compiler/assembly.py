"""The functions of a program, emitted one by one: setup, procedures, phases, choices, the end; in two forms, plain and watched."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType
from typing import Any

from durak_dsl.compiler import runtime
from durak_dsl.compiler.choices import Choices, Node, Segment
from durak_dsl.compiler.conditions import asked_empty, whole_row, without_what_is_settled
from durak_dsl.compiler.effects import Effects
from durak_dsl.compiler.emit import Emitter
from durak_dsl.compiler.evaluate import evaluate
from durak_dsl.compiler.fold import Folder
from durak_dsl.compiler.fuse import BY_LOOP, Choosing, Laid, fused
from durak_dsl.compiler.layout import Layout
from durak_dsl.compiler.quote import put_everywhere, quote
from durak_dsl.compiler.runtime import RuleFault
from durak_dsl.compiler.several import both, card_by_card, fold_move
from durak_dsl.compiler.spare import asked
from durak_dsl.compiler.sums import adding_up, with_one_more
from durak_dsl.compiler.tabulate import Budget, Table, split_heights
from durak_dsl.compiler.tidy import tidy
from durak_dsl.compiler.unit import Unit
from durak_dsl.language.ir import BINDERS, Block, Define, Expr, Pick, Rules
from durak_dsl.language.types import YES_NO
from durak_dsl.language.walking import statements
from durak_dsl.problems import Span

RUNTIME = (
    "below kth shuffle stack_cards stack_order take_from_stack put_into_stack piles_of pile_cards take_from_row onto_within unlike_piles "
    "row_to_stack between ranks_of suits_of looks spread_ranks cards_of_ranks several enough enough_of_suit same_suit of_shape "
    "Strided FROM AFTER FIRST LAST BIT BUT"
)


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
    tables: list[Table]
    faults: list[tuple[str, Span | None]]
    short: set[tuple[int, int]] = field(default_factory=set)  # the zones, by number and seat, for which a `deal` has found no card

    @cached_property
    def namespace(self) -> dict[str, Any]:
        """The compiled functions by name."""
        space = dict(self.names)

        def fault(number: int, value: int) -> None:
            message, span = self.faults[number]
            raise RuleFault(f"{message}; here it would be {value}" if value else message, span)

        space["fault"] = fault
        space["short"] = lambda zone, seat: self.short.add((zone, seat))
        for function in self.functions:
            exec(compiled(function), space)
        return space


def compiled(function: Function) -> CodeType:
    """The code of one function, with the rule file as its file name."""
    module = ast.Module([function.tree], [])
    return compile(module, function.path, "exec")


class Assembly:
    """Emits all functions of one game with its option values."""

    def __init__(self, rules: Rules, options: Mapping[str, int], layout: Layout):
        self.rules = rules
        self.options = options
        self.layout = layout
        self._phases = list(rules.phases)
        folder = Folder(rules, options, watched=False)
        self.moves = {name: fold_move(move, folder) for name, move in rules.moves.items()}
        self.nodes, self._later = self._plan()
        self._tables: dict[tuple[Expr, int], Table | None] = {}
        self._budget = Budget()
        self._numbers: dict[tuple[int, ...], int] = {}
        self._described: list[Table] = []

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
                    if position or card_by_card(pick):
                        later[phase, name, position] = len(nodes)
                        nodes.append(Node(phase, (Segment(name, position, 0, self.pick_size(pick)),), position))
        return nodes, later

    def pick_size(self, pick: Pick) -> int:
        """How many bits the values of a pick take."""
        kind = pick.type.kind
        cards = self.rules.deck.grid * self.rules.deck.copies
        if card_by_card(pick):
            return cards + 1
        if kind == "pile":
            return self.rules.zones[pick.type.zone].most
        if kind == "number":
            return pick.type.high + 1
        sizes = {
            "card": cards,
            "cards": cards,
            "rank": len(self.rules.deck.ranks),
            "suit": len(self.rules.deck.suits),
            "player": self.layout.seats,
        }
        return sizes.get(kind, max(self.rules.teams, 1))

    # ---- emitting -------------------------------------------------------------------------------------------------

    def emit(self, watched: bool) -> Emitted:
        """All functions in one form."""
        rules = self.rules
        folder = self.folder = Folder(rules, self.options, watched)
        self._folded = {name: fold_move(move, folder) for name, move in rules.moves.items()}
        bodies = {"setup": folder.block(rules.setup), "position": folder.block(rules.position)}
        nobody = [folder.block(phase.nobody) for phase in rules.phases.values()]
        actors = tuple(folder.expr(phase.actor) for phase in rules.phases.values())
        procedures = self._called([*bodies.values(), *nobody, *(folded.body for folded in self._folded.values())])
        unit = self.unit = self._new_unit(watched, actors)
        self._ask_heights([*bodies.values(), *nobody, *procedures.values()], actors)

        functions = [self._body(name, body, name, None) for name, body in bodies.items()]
        functions += [self._enter(number, actors[number], nobody[number], "enter") for number in range(len(actors))]
        for number, node in enumerate(self.nodes):
            functions += [self._legal(number, node), self._apply(number, node)]
        for number in sorted(unit.entered_again):
            functions.append(self._enter(number, without_what_is_settled(actors[number]), nobody[number], "again"))
        for name, body in procedures.items():
            procedure = rules.procedures[name]
            arguments = tuple(f"v{local}" for _, local, _ in procedure.parameters)
            functions.append(self._body(unit.procedures[name], body, f"procedure '{name}'", procedure.span, arguments))
        return self._emitted(functions)

    def ends(self) -> Emitted:
        """The functions that are asked before a first deal and when a deal is over."""
        rules = self.rules
        self.folder = Folder(rules, self.options, watched=False)
        self.unit = self._new_unit(watched=False)
        functions = [self._value("place", rules.finish.place), self._expression("loser", rules.finish.loser)]
        functions += [self._expression("winner", rules.finish.winner)] if rules.finish.winner is not None else []
        functions.append(self._expression("stalemate", rules.finish.stalemate or Expr("const", YES_NO, data=0)))
        functions += [self._value(f"score_{number}", define) for number, define in enumerate(rules.finish.scores.values())]
        for number, keep in enumerate(rules.keeps.values()):
            functions += [self._value(f"first_{number}", keep.first), self._value(f"then_{number}", keep.then)]
        functions.append(self._expression("match_over", rules.match.over or Expr("const", YES_NO, data=0)))
        if rules.match.place is not None and rules.match.loser is not None:
            functions += [self._value("match_place", rules.match.place), self._expression("match_loser", rules.match.loser)]
        return self._emitted(functions)

    def stepped(self) -> Emitted:
        """The functions of the step form with `masks_N(s, found)` instead of `legal_N`: it puts the mask of each segment, not moved to the
        segment's offset, into an array, so that no mask has more bits than a segment has values.
        """
        plain = self.emit(watched=False)
        functions = [function for function in plain.functions if not function.tree.name.startswith("legal_")]
        for number, node in enumerate(self.nodes):
            emitter, masks = self.masks(number, node)
            for place, mask in enumerate(masks):
                emitter.add("found[k] = m", k=place, m=mask)
            functions.append(self._function(f"masks_{number}", emitter, self._describe("what is legal", node), None, ("found",)))
        return self._emitted(functions)

    def fused(self, kth: str = BY_LOOP, laid: Laid | None = None) -> Emitted:
        """A whole deal by chance as one function, `playout`; interpreted, the state at its end is right as far as results ask for it."""
        ends = [function.tree for function in self.ends().functions if not function.tree.name.startswith("first_")]
        plain = self.emit(watched=False)
        nodes = []
        for number, node in enumerate(self.nodes):
            emitter, masks = self.masks(number, node)
            value = ast.Name("a", ast.Load())
            branches = [self.branch(number, node, place, value) for place in range(len(node.segments))]
            nodes.append(Choosing(emitter.out, masks, branches))
        others = [function.tree for function in plain.functions if function.tree.name.startswith(("enter_", "again_", "do_"))]
        sizes = {f"T{number}": len(masks) for masks, number in self.unit.tables.items()}
        tree = fused(nodes, len(self._phases), others, self.layout, sizes, kth, laid, asked(ends, self.layout))
        tidy(tree)
        return self._emitted([Function(tree, "playout", "a whole deal by chance")])

    def _new_unit(self, watched: bool, actors: tuple[Expr, ...] = ()) -> Unit:
        rules = self.rules
        unit = Unit(
            rules, self.layout, watched, actors, tables=self._numbers, described=self._described, made=self._tables, budget=self._budget
        )
        unit.procedures = {name: f"do_{number}" for number, name in enumerate(rules.procedures)}
        unit.turns_cards = bool(self.folder.face_down)
        unit.search_local = 0 if not rules.locals else max(rules.locals) + 1
        return unit

    def _emitted(self, functions: list[Function]) -> Emitted:
        names = {name: getattr(runtime, name) for name in RUNTIME.split()}
        names |= {"adding_up": adding_up, "with_one_more": with_one_more}
        names["T_RANK"] = self.rules.deck.same_rank
        names["DECK"] = sum(1 << card for card in cards_in_game(self.rules, self.options))
        names |= {f"T{number}": masks for masks, number in self.unit.tables.items()} | self.unit.shapes
        return Emitted(functions, names, self.unit.described, self.unit.faults)

    def _called(self, blocks: list[Block]) -> dict[str, Block]:
        """The folded bodies of the procedures that these blocks call: those that are not written out everywhere."""
        found: dict[str, Block] = {}
        waiting = blocks
        while waiting:
            names = {str(inner.data) for block in waiting for inner in statements(block) if inner.op == "do"} - found.keys()
            new = {name: self.folder.block(procedure.body) for name, procedure in self.rules.procedures.items() if name in names}
            found |= new
            waiting = list(new.values())
        return {name: found[name] for name in self.rules.procedures if name in found}

    def _ask_heights(self, blocks: list[Block], actors: tuple[Expr, ...]) -> None:
        """Give a place to each set of heights of piles that conditions ask for, before any code moves a pile."""
        asked = [arg for block in blocks for inner in statements(block) for arg in inner.args]
        for folded in self._folded.values():
            asked += [condition for _, condition in folded.conditions] + [arg for inner in statements(folded.body) for arg in inner.args]
            for position, pick in enumerate(folded.picks):
                if pick.domain.type.kind == "row":
                    own = both([condition for last, condition in folded.conditions if last == position])
                    self._ask(own, pick.local, pick.domain)
        for expr in (*asked, *actors):
            for inner in expr.walk():
                if inner.op == "ranks of" and (row := whole_row(inner.args[0])):
                    self.layout.ranks_place(row)
                if inner.op in BINDERS and inner.args[0].op in ("everyone", "from", "after"):
                    for part in inner.args[1].walk():
                        if (zone := asked_empty(part)) is not None:
                            self.layout.filled_place(zone)
                if inner.op in BINDERS and inner.args[0].type.kind == "row" and isinstance(inner.data, int):
                    self._ask(inner.args[1], inner.data, inner.args[0])

    def _ask(self, condition: Expr, local: int, row: Expr) -> None:
        zone = self.rules.zones[row.type.zone]
        wanted, _ = split_heights(condition, local, zone.high, self.rules)
        if wanted and len(wanted) < zone.high and (zone.name, frozenset(range(1, zone.high + 1)) - wanted) not in self.layout.heights:
            self.layout.heights_place(zone.name, wanted)

    def _function(
        self, name: str, emitter: Emitter, what: str, span: Span | None, arguments: Sequence[str] = (), watch: bool = False
    ) -> Function:
        args = ["s", *arguments, *(["w"] if watch and emitter.unit.watched else [])]
        parameters = ast.arguments([], [ast.arg(arg) for arg in args], None, [], [], None, [])
        tree = ast.FunctionDef(name, parameters, emitter.out or [ast.Pass()], [])
        tree.type_params = []  # type: ignore[attr-defined,unused-ignore]
        tidy(tree)
        put_everywhere(tree, span.line if span else 1)
        return Function(tree, emitter.path, what)

    def _body(self, name: str, block: Block, what: str, span: Span | None, arguments: Sequence[str] = ()) -> Function:
        first = next((statement.at for statement in block if statement.at), span)
        emitter = Effects(self.unit, (span or first or Span("rules", 1, 1)).path)
        emitter.block(block)
        return self._function(name, emitter, what, span or first, arguments, watch=True)

    def _enter(self, number: int, actor: Expr, nobody: Block, name: str) -> Function:
        phase = self.rules.phases[self._phases[number]]
        emitter = Choices(self.unit, phase.span.path, number)
        emitter.enter(phase, actor, nobody)
        return self._function(f"{name}_{number}", emitter, f"who acts in phase '{phase.name}'", phase.span, watch=True)

    def _legal(self, number: int, node: Node) -> Function:
        span = self.rules.moves[node.segments[0].move].span if node.segments else self.rules.phases[node.phase].span
        emitter, masks = self.masks(number, node)
        total: ast.expr | None = None
        for segment, mask in zip(node.segments, masks, strict=True):
            part = quote("m << k", m=mask, k=segment.offset) if segment.offset else mask
            total = part if total is None else quote("a | b", a=total, b=part)
        emitter.add("return m", m=total if total is not None else 0)
        return self._function(f"legal_{number}", emitter, self._describe("what is legal", node), span)

    def masks(self, number: int, node: Node) -> tuple[Choices, list[ast.expr]]:
        """The masks of what may be chosen in each segment of a node, with the statements that work them out."""
        span = self.rules.moves[node.segments[0].move].span if node.segments else self.rules.phases[node.phase].span
        emitter = Choices(self.unit, span.path)
        masks = []
        for segment in node.segments:
            emitter.prepare(self._folded[segment.move], self.unit.actors[self._phases.index(node.phase)])
            emitter.restore(segment.pick)
            masks.append(emitter.legal(segment.pick, first=number < len(self._phases)))
        return emitter, masks

    def _describe(self, what: str, node: Node) -> str:
        if len(node.segments) == 1 and node.pick:
            segment = node.segments[0]
            return f"{what}: pick '{self.moves[segment.move].picks[segment.pick].name}' of move '{segment.move}'"
        return f"{what} in phase '{node.phase}'"

    def _apply(self, number: int, node: Node) -> Function:
        span = self.rules.phases[node.phase].span
        outer = Choices(self.unit, span.path, self._phases.index(node.phase))
        lines: list[ast.stmt] = []
        for position, segment in reversed(list(enumerate(node.segments))):
            value = quote("a - k", a="a", k=segment.offset) if segment.offset else ast.Name("a", ast.Load())
            body = self.branch(number, node, position, value)
            last = position == len(node.segments) - 1
            lines = body if last else [ast.If(quote("a < k", a="a", k=segment.offset + segment.size), body, lines)]
        outer.out = lines
        return self._function(f"apply_{number}", outer, self._describe("what a choice does", node), span, ("a",), watch=True)

    def branch(self, number: int, node: Node, position: int, value: ast.expr) -> list[ast.stmt]:
        """What the choice of a value in one segment of a node does."""
        segment = node.segments[position]
        folded = self._folded[segment.move]
        emitter = Choices(self.unit, folded.move.span.path, self._phases.index(node.phase))
        emitter.temps = 100 * position  # the branches stand in one function: their variables must differ
        emitter.prepare(folded)
        emitter.settle(self.unit.actors[self._phases.index(node.phase)])
        emitter.restore(segment.pick)
        if folded.picks:
            emitter.chosen(value, segment.pick, self._later, node.phase, first=number < len(self._phases))
        else:
            emitter.proceed(0, self._later, node.phase)
        if folded.move.span.path == self.rules.phases[node.phase].span.path:
            for line in emitter.out:
                put_everywhere(line, folded.move.span.line)
        return emitter.out

    def _value(self, name: str, define: Define) -> Function:
        emitter = Emitter(self.unit, define.span.path)
        emitter.add("return x", x=emitter.expr(self.folder.expr(define.body)))
        return self._function(name, emitter, f"'{define.name}'", define.span, [f"v{local}" for _, local, _ in define.parameters])

    def _expression(self, name: str, expr: Expr) -> Function:
        span = expr.at or Span("rules", 1, 1)
        emitter = Emitter(self.unit, span.path)
        emitter.add("return x", x=emitter.expr(self.folder.expr(expr)))
        return self._function(name, emitter, name, span)


def cards_in_game(rules: Rules, options: Mapping[str, int]) -> tuple[int, ...]:
    """The cards of the grid that are played with."""
    deck = rules.deck
    every = range(deck.grid * deck.copies)
    if deck.only is None:
        return tuple(every)
    only = Folder(rules, options).expr(deck.only)
    return tuple(card for card in every if evaluate(only, {deck.only_local: card}, deck))
