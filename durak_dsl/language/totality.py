"""What is proved about every rule file: procedures end, every way through a move ends in one `go`, no evaluation costs too much; what is never reached."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from durak_dsl.language.ir import BINDERS, Block, Expr, Rules, Statement
from durak_dsl.problems import Problem, Span

MOST_STEPS = 1_000_000
MOST_NODES = 40_000


def problems(rules: Rules) -> list[Problem]:
    """What is not total in these rules."""
    found = list(_circles(rules))
    if found:
        return found
    return [*Endings(rules).problems(), *_Costs(rules).problems()]


def blocks(rules: Rules) -> Iterator[tuple[str, Block, Span | None]]:
    """Every body of the rules, with what it is called and where it is named."""
    yield "setup", rules.setup, None
    yield "position", rules.position, None
    for procedure in rules.procedures.values():
        yield f"procedure '{procedure.name}'", procedure.body, procedure.span
    for phase in rules.phases.values():
        yield f"'nobody' of phase '{phase.name}'", phase.nobody, phase.span
    for move in rules.moves.values():
        yield f"move '{move.name}'", move.body, move.span


def statements(block: Block) -> Iterator[Statement]:
    """Every statement of a body, inner ones too."""
    for statement in block:
        yield from statement.walk()


def expressions(rules: Rules) -> Iterator[tuple[str, Expr]]:
    """Every expression that stands for itself, with what it belongs to."""
    for define in rules.defines.values():
        yield f"'{define.name}'", define.body
    for name, block, _ in blocks(rules):
        for statement in statements(block):
            for arg in statement.args:
                yield name, arg
    for phase in rules.phases.values():
        yield f"the actor of phase '{phase.name}'", phase.actor
    for move in rules.moves.values():
        for pick in move.picks:
            for part in (pick.domain, pick.where, pick.when, *(pick.several or ())):
                if part is not None:
                    yield f"pick '{pick.name}' of move '{move.name}'", part
        for clause in move.when:
            yield f"'{clause.name}' of move '{move.name}'", clause.condition
    for keep in rules.keeps.values():
        yield f"'{keep.variable}'", keep.first
        yield f"'{keep.variable}'", keep.then


def _circles(rules: Rules) -> Iterator[Problem]:
    calls = {
        name: [(str(inner.data), inner.at) for inner in statements(procedure.body) if inner.op == "do"]
        for name, procedure in rules.procedures.items()
    }
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> Iterator[Problem]:
        if name in done:
            return
        for other, at in calls[name]:
            if other in [*path, name]:
                circle = [*path, name]
                shown = " → ".join([*circle[circle.index(other) :], other])
                yield Problem("circle", f"procedures call each other in a circle: {shown}", at, "go to a phase instead")
            else:
                yield from visit(other, [*path, name])
        done.add(name)

    for name in calls:
        yield from visit(name, [])


@dataclass(frozen=True)
class Ways:
    """Whether a body may run to its end (falls), and whether it may end in a `go` (ends)."""

    falls: bool
    ends: bool


class Endings:
    """How the bodies of these rules end."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.found: list[Problem] = []
        self.known: dict[str, Ways] = {}

    def problems(self) -> list[Problem]:
        """What does not end, or goes on after its end."""
        rules = self.rules
        for procedure in rules.procedures.values():
            self.procedure(procedure.name)
        for what, block, span in blocks(rules):
            if what.startswith("procedure"):
                continue
            ways = self.ways(block)
            if ways.falls and (block or what.startswith(("move", "setup"))):
                at = block[-1].at if block and span is None else span
                hint = "every way through ends in one 'go', 'stay' or 'end deal'"
                self.found.append(Problem("no-end", f"{what} can run to its end without saying what comes next", at, hint))
        return list(dict.fromkeys(self.found))

    def procedure(self, name: str) -> Ways:
        """How a procedure ends."""
        if name not in self.known:
            self.known[name] = self.ways(self.rules.procedures[name].body)
        return self.known[name]

    def ways(self, block: Block) -> Ways:
        falls, ends = True, False
        for statement in block:
            if not falls:
                self.found.append(Problem("unreached", "this is never reached: what stands before it always ends the move", statement.at))
                break
            ways = self.statement(statement)
            falls, ends = ways.falls, ends or ways.ends
        return Ways(falls, ends)

    def statement(self, statement: Statement) -> Ways:
        if statement.op in ("go", "stay", "end", "again"):
            return Ways(False, True)
        if statement.op == "do":
            return self.procedure(str(statement.data))
        if statement.op == "step":
            return self.ways(statement.blocks[0])
        if statement.op == "if":
            branches = [self.ways(block) for block in statement.blocks]
            open_end = len(statement.blocks) == len(statement.args)
            return Ways(open_end or any(way.falls for way in branches), any(way.ends for way in branches))
        if statement.op in ("each", "repeat"):
            return Ways(True, self.ways(statement.blocks[0]).ends)
        return Ways(True, False)


class _Costs:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.steps: dict[str, int] = {}
        self.nodes: dict[str, int] = {}

    def problems(self) -> list[Problem]:
        found = []
        for name, expr in expressions(self.rules):
            steps, nodes = self.cost(expr), self.size(expr)
            if steps > MOST_STEPS:
                found.append(
                    Problem(
                        "cost",
                        f"{name} may take {steps:,} steps; at most {MOST_STEPS:,} are allowed",
                        expr.at,
                        "nest fewer 'any', 'count' …",
                    )
                )
            elif nodes > MOST_NODES:
                found.append(Problem("cost", f"{name} spells out to {nodes:,} parts; at most {MOST_NODES:,} are allowed", expr.at))
        return list({problem.span: problem for problem in found}.values())[:20]

    def cost(self, expr: Expr) -> int:
        if expr.op == "call":
            name = str(expr.data)
            if name not in self.steps:
                self.steps[name] = self.cost(self.rules.defines[name].body)
            return 1 + self.steps[name] + sum(self.cost(arg) for arg in expr.args)
        if expr.op in BINDERS:
            return 1 + self.cost(expr.args[0]) + self.elements(expr.args[0]) * sum(self.cost(arg) for arg in expr.args[1:])
        return 1 + sum(self.cost(arg) for arg in expr.args)

    def size(self, expr: Expr) -> int:
        if expr.op == "call":
            name = str(expr.data)
            if name not in self.nodes:
                self.nodes[name] = self.size(self.rules.defines[name].body)
            return self.nodes[name] + sum(self.size(arg) for arg in expr.args)
        return 1 + sum(self.size(arg) for arg in expr.args)

    def elements(self, domain: Expr) -> int:
        rules, kind = self.rules, domain.type.kind
        if kind in ("row", "piles"):
            return rules.zones[domain.type.zone].most
        sizes = {"players": max(rules.counts), "teams": rules.teams, "suits": len(rules.deck.suits), "ranks": len(rules.deck.ranks)}
        return sizes.get(kind, rules.deck.grid * rules.deck.copies)


def unreached(rules: Rules, used: set[tuple[str, str]]) -> Iterator[Problem]:
    """A warning for each declared thing that nothing uses: options, variables, definitions, procedures, phases."""

    def warn(what: str, name: str, span: Span) -> Problem:
        return Problem("unused", f"{what} '{name}' is never used", span, warning=True)

    for kind, what, table in (
        ("option", "option", rules.options),
        ("variable", "variable", rules.variables),
        ("definition", "definition", rules.defines),
        ("procedure", "procedure", rules.procedures),
        ("phase", "phase", rules.phases),
    ):
        for name, item in table.items():
            if (kind, name) not in used:
                yield warn(what, name, item.span)
    for name, phase in rules.phases.items():
        if not phase.nobody and phase.actor.type.maybe:
            hint = "say what happens then, with 'nobody'"
            yield Problem("nobody", f"phase '{name}' may have nobody to act", phase.span, hint, warning=True)
        if not any(name in move.phases for move in rules.moves.values()):
            yield Problem("no-moves", f"phase '{name}' has no moves", phase.span, warning=True)
