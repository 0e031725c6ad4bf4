"""What is proved about every rule file: procedures end, and every way through a move ends in one `go`; costs are in `costs`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from durak_dsl.language import costs
from durak_dsl.language.ir import Block, Rules, Statement
from durak_dsl.language.order import ordered
from durak_dsl.language.walking import blocks, statements
from durak_dsl.problems import Problem, Span

MOST_CALLS = 20

# With these, other questions about the rules cannot be asked.
ENDLESS = ("circle", "cost")


def problems(rules: Rules) -> list[Problem]:
    """What is not total in these rules."""
    found = list(_calls(rules))
    if found:
        return found
    return [*Endings(rules).problems(), *_misplaced(rules), *costs.problems(rules)]


def _calls(rules: Rules) -> Iterator[Problem]:
    """Procedures that call each other in a circle, or in too long a chain."""
    calls = {
        name: [(str(inner.data), inner.at) for inner in statements(procedure.body) if inner.op == "do" and inner.data in rules.procedures]
        for name, procedure in rules.procedures.items()
    }
    order, circles = ordered(calls)
    for names, span in circles:
        yield Problem("circle", f"procedures call each other in a circle: {' → '.join(names)}", span, "go to a phase instead")
    deep: dict[str, int] = {}
    for name in order:
        deep[name] = 1 + max((deep.get(other, 0) for other, _ in calls[name]), default=0)
        if deep[name] == MOST_CALLS + 1:
            message = f"'{name}' calls procedures that call procedures, {deep[name]} deep; at most {MOST_CALLS} are allowed"
            yield Problem("cost", message, rules.procedures[name].span, "go to a phase instead")


def _misplaced(rules: Rules) -> Iterator[Problem]:
    """`stay` where no phase is known, and `deal again` where the deal has begun."""
    for what, block, _ in blocks(rules):
        for statement in statements(block):
            if statement.op == "stay" and not what.startswith("move"):
                message = f"'stay' stands directly under the 'do' of a move, not in {what}"
                yield Problem("misplaced", message, statement.at, "name the phase: 'go …'")
        if what.startswith("procedure") or what == "'setup'":
            continue
        for statement in _with_called(rules, block):
            if statement.op == "again":
                yield Problem("misplaced", f"'deal again' belongs to 'setup'; {what} comes to it", statement.at, "end the deal: 'end deal'")


def _endings(what: str) -> str:
    """The statements in which a body of that name may end."""
    only = "'stay', " if what.startswith("move") else "'deal again', " if what == "'setup'" else ""
    return f"'go', {only}".removesuffix(", ") + " or 'end deal'"


def _last(block: Block) -> Span | None:
    """Where the last statement of a body stands."""
    last = block[-1]
    return _last(last.blocks[0]) if last.op == "step" and last.blocks[0] else last.at


def _with_called(rules: Rules, block: Block) -> Iterator[Statement]:
    """Every statement of a body and of the procedures that it calls."""
    left, called = [block], set()
    while left:
        for statement in statements(left.pop()):
            yield statement
            if statement.op == "do" and statement.data not in called and statement.data in rules.procedures:
                called.add(statement.data)
                left.append(rules.procedures[str(statement.data)].body)


@dataclass(frozen=True)
class Ways:
    """Whether a body may run to its end (falls), whether it may end in a `go` (ends); not `sure` where a part of it could not be read."""

    falls: bool
    ends: bool
    sure: bool = True


class Endings:
    """How the bodies of these rules end."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self.found: list[Problem] = []
        self.known: dict[str, Ways] = {}

    def problems(self) -> list[Problem]:
        """What does not end, or goes on after its end."""
        for name in self.rules.procedures:
            self.procedure(name)
        for what, block, span in blocks(self.rules):
            if what.startswith("procedure"):
                continue
            ways = self.ways(block)
            if ways.falls and ways.sure and block:
                hint = f"every way through ends in one {_endings(what)}"
                message = f"{what} can run to its end without saying what comes next"
                self.found.append(Problem("no-end", message, _last(block) or span, hint))
        return list(dict.fromkeys(self.found))

    def procedure(self, name: str) -> Ways:
        """How a procedure ends."""
        if name not in self.known:
            procedure = self.rules.procedures.get(name)
            self.known[name] = self.ways(procedure.body) if procedure else Ways(True, True, False)
        return self.known[name]

    def ways(self, block: Block) -> Ways:
        """How a body ends."""
        falls, ends, sure = True, False, True
        for statement in block:
            if not falls and sure:
                self.found.append(Problem("unreached", "this is never reached: what stands before it always goes elsewhere", statement.at))
                break
            ways = self.statement(statement)
            falls, ends, sure = ways.falls, ends or ways.ends, sure and ways.sure
        return Ways(falls, ends, sure)

    def statement(self, statement: Statement) -> Ways:
        """How a statement ends."""
        if statement.op in ("go", "stay", "end", "again"):
            return Ways(False, True)
        if statement.op == "broken":
            return Ways(True, True, False)
        if statement.op == "do":
            return self.procedure(str(statement.data))
        if statement.op == "step":
            return self.ways(statement.blocks[0])
        if statement.op == "if":
            branches = [self.ways(block) for block in statement.blocks]
            open_end = len(statement.blocks) == len(statement.args)
            falls = open_end or any(way.falls for way in branches)
            return Ways(falls, any(way.ends for way in branches), all(way.sure for way in branches))
        if statement.op in ("each", "repeat"):
            inner = self.ways(statement.blocks[0])
            return Ways(True, inner.ends, inner.sure)
        return Ways(True, False)


__all__ = ["ENDLESS", "MOST_CALLS", "Endings", "Ways", "problems"]
