"""What the rules may cost at most, worked out before anything runs: steps, size once written out, depth, loops within loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from durak_dsl.language.ir import BINDERS, Expr, Move, Pick, Rules, Statement
from durak_dsl.language.shapes import leftovers
from durak_dsl.language.walking import blocks, expressions, statements
from durak_dsl.problems import Problem, Span

MOST_STEPS = 1_000_000  # to work out one expression
MOST_WORK = 5_000_000  # to carry out one body, or to find what is legal in one move
MOST_NODES = 10_000  # in one expression or body when definitions and procedures are written out
MOST_CODE = 50_000  # in all of them
MOST_DEEP = 60  # operations within operations, statements within statements
MOST_LOOPS = 10
MOST_MOVES = 60  # in one phase
WORD = 64  # bits of a mask that one step goes through


@dataclass(frozen=True)
class Cost:
    """The cost of one expression or body: steps, parts, depth, loops in one another."""

    steps: int = 1
    nodes: int = 1
    deep: int = 1
    loops: int = 0


def problems(rules: Rules) -> list[Problem]:
    """Where the rules may cost too much."""
    return list(_Costs(rules).problems())


def _calls(expr: Expr) -> list[tuple[str, object]]:
    return [(node.op, node.data) for node in expr.walk() if node.op == "call"]


class _Costs:
    """Costs of the definitions and procedures are worked out once, in an order in which each comes after those that it uses."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.defines: dict[str, Cost] = {}
        self.procedures: dict[str, Cost] = {}
        self.total = 0
        for define in rules.defines.values():
            self.defines[define.name] = self.of(define.body)

    def problems(self) -> Iterator[Problem]:
        """All of them; what costs too much because of something else that does is not told."""
        rules = self.rules
        costly = {("call", name) for name, cost in self.defines.items() if self.against("", cost, None, MOST_STEPS)}
        costly |= {("do", name) for name in rules.procedures if self.against("", self.procedure(name), None, MOST_WORK)}
        found: dict[Span | None, Problem] = {}

        def look(what: str, cost: Cost, span: Span | None, most: int, uses: Iterable[tuple[str, object]]) -> None:
            problem = self.against(what, cost, span, most)
            if problem is not None and costly.isdisjoint(uses):
                found.setdefault(span, problem)

        for what, expr in expressions(rules):
            cost = self.of(expr)
            self.total += cost.nodes
            look(what, cost, expr.at, MOST_STEPS, _calls(expr))
        for what, block, span in blocks(rules):
            cost = self.block(block)
            self.total += cost.nodes
            uses = [(inner.op, inner.data) for inner in statements(block)]
            uses += [use for inner in statements(block) for arg in inner.args for use in _calls(arg)]
            look(what, cost, span or (block[0].at if block else None), MOST_WORK, uses)
        for move in rules.moves.values():
            parts = [part for pick in move.picks for part in pick.parts]
            parts += [clause.condition for clause in move.when]
            uses = [use for part in parts for use in _calls(part)]
            look(f"finding the picks of move '{move.name}'", self.choice(move), move.span, MOST_WORK, uses)
        yield from found.values()
        yield from self.whole()

    def whole(self) -> Iterator[Problem]:
        rules = self.rules
        if self.total > MOST_CODE:
            message = f"the rules come to {self.total:,} parts when everything is written out; at most {MOST_CODE:,} are allowed"
            yield Problem("cost", message, next((phase.span for phase in rules.phases.values()), None), "use fewer large definitions")
        for phase in rules.phases.values():
            count = sum(phase.name in move.phases for move in rules.moves.values())
            if count > MOST_MOVES:
                yield Problem("cost", f"phase '{phase.name}' has {count} moves; at most {MOST_MOVES} are allowed", phase.span)

    def against(self, what: str, cost: Cost, span: Span | None, most: int) -> Problem | None:
        """The first thing of which this is too much."""
        for figure, bound, says, hint in (
            (cost.deep, MOST_DEEP, "is nested {} deep when everything is written out", "nest less"),
            (cost.loops, MOST_LOOPS, "goes through collections {} deep within one another", "nest less"),
            (cost.steps, most, "may take {} steps", "go through fewer things within one another"),
            (cost.nodes, MOST_NODES, "comes to {} parts when everything is written out", "use fewer large definitions within one another"),
        ):
            if figure > bound:
                return Problem("cost", f"{what} {says.format(f'{figure:,}')}; at most {bound:,} are allowed", span, hint)
        return None

    # ---- expressions ----------------------------------------------------------------------------------------------

    def of(self, expr: Expr) -> Cost:
        """The cost of an expression."""
        args = [self.of(arg) for arg in expr.args]
        nodes = 1 + sum(arg.nodes for arg in args)
        deep = 1 + max((arg.deep for arg in args), default=0)
        if expr.op == "call":
            body = self.defines[str(expr.data)]
            loops = max(body.loops, *(body.loops + arg.loops for arg in args), 0) if args else body.loops
            deep = body.deep + max((arg.deep for arg in args), default=0)
            return Cost(1 + body.steps + sum(arg.steps for arg in args), nodes + body.nodes, deep, loops)
        if expr.op in BINDERS:
            domain, *inner = args
            steps = 1 + domain.steps + self.elements(expr.args[0]) * sum(arg.steps for arg in inner)
            return Cost(steps, nodes, deep, max(domain.loops, 1 + max(arg.loops for arg in inner)))
        loops = max((arg.loops for arg in args), default=0)
        if expr.op == "holder" or (expr.op == "cards" and expr.args[0].type.kind == "piles"):
            loops = max(loops, 1)
        return Cost(1 + sum(arg.steps for arg in args), nodes, deep, loops)

    def elements(self, domain: Expr) -> int:
        """How many elements a collection may have."""
        rules, kind = self.rules, domain.type.kind
        if domain.op == "const" and isinstance(domain.data, int):
            return domain.data.bit_count()
        if kind == "numbers":
            return domain.type.high - domain.type.low + 1
        if kind in ("row", "piles"):
            return rules.zones[domain.type.zone].most
        sizes = {"players": max(rules.counts), "teams": rules.teams, "suits": len(rules.deck.suits), "ranks": len(rules.deck.ranks)}
        return sizes.get(kind, rules.deck.grid * rules.deck.copies)

    # ---- bodies ---------------------------------------------------------------------------------------------------

    def block(self, block: Iterable[Statement]) -> Cost:
        """The cost of a body."""
        costs = [self.statement(statement) for statement in block]
        return Cost(
            sum(cost.steps for cost in costs),
            sum(cost.nodes for cost in costs),
            1 + max((cost.deep for cost in costs), default=0),
            max((cost.loops for cost in costs), default=0),
        )

    def procedure(self, name: str) -> Cost:
        """The cost of a procedure; of one that is missing, nothing."""
        if name not in self.procedures:
            procedure = self.rules.procedures.get(name)
            self.procedures[name] = self.block(procedure.body) if procedure else Cost()
        return self.procedures[name]

    def statement(self, statement: Statement) -> Cost:
        """The cost of a statement with what it governs."""
        args = [self.of(arg) for arg in statement.args]
        inner = [self.block(block) for block in statement.blocks]
        if statement.op == "do":
            inner.append(self.procedure(str(statement.data)))
        times = 1
        if statement.op == "each":
            times = self.elements(statement.args[0])
        elif statement.op == "repeat":
            times = max(1, statement.args[0].type.high)
        own = sum(arg.steps for arg in args) + (self._cards(statement) if statement.op in ("move", "draw", "deal", "shuffle") else 1)
        deep = max((cost.deep for cost in inner), default=0)
        if statement.op == "if":  # the branches stand in one another
            deep = max((position + cost.deep for position, cost in enumerate(inner)), default=0)
        return Cost(
            own * times + times * sum(cost.steps for cost in inner),
            1 + sum(cost.nodes for cost in (*args, *inner)),
            1 + max(deep, *(arg.deep for arg in args), 0) if args else 1 + deep,
            max([(times > 1) + max((cost.loops for cost in inner), default=0), *(arg.loops for arg in args)]),
        )

    def _cards(self, statement: Statement) -> int:
        what = statement.args[0].type
        return 1 if what.kind == "card" else self.rules.deck.grid * self.rules.deck.copies

    # ---- choices --------------------------------------------------------------------------------------------------

    def choice(self, move: Move) -> Cost:
        """The cost of finding what can be picked: each later pick is tried for each value of those before."""
        steps, loops, combinations = 0, 0, [1]
        for pick in move.picks:
            parts = [self.of(part) for part in pick.parts if part is not pick.domain]
            domain, count = self.of(pick.domain), self.elements(pick.domain)
            shaped = len(leftovers(pick.shape)) * count if pick.shape else 0  # what is left of it, at each count of cards of each rank
            shaped += self.sums(pick, count)
            steps += combinations[-1] * (domain.steps + count * (1 + sum(part.steps for part in parts)) + shaped)
            combinations.append(combinations[-1] * count)
            loops = max([loops, domain.loops, *(1 + part.loops for part in parts)])
        for clause in move.when:
            cost = self.of(clause.condition)
            read = {node.data for node in clause.condition.walk() if node.op == "local"}
            last = max((number for number, pick in enumerate(move.picks, 1) if pick.local in read), default=0)
            steps += combinations[last] * cost.steps
            loops = max(loops, cost.loops + bool(last))
        return Cost(steps, 1, 1, loops)

    def sums(self, pick: Pick, count: int) -> int:
        """The cost of the sums of so many cards that a pick may make, for each number of them: masks, a word of which is a step."""
        if pick.adding is None or pick.several is None:
            return 0
        room = min(count, max(pick.several[1].type.high, 1))
        return count * (1 + 2 * max(pick.adding[1].type.high, 1) * room // WORD)


__all__ = ["MOST_CODE", "MOST_DEEP", "MOST_LOOPS", "MOST_MOVES", "MOST_NODES", "MOST_STEPS", "MOST_WORK", "problems"]
