"""Every body and every expression of the typed rules, with what people would call it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from durak_dsl.language.ir import Block, Destination, Expr, Rules, Statement
from durak_dsl.problems import Span


def blocks(rules: Rules) -> Iterator[tuple[str, Block, Span | None]]:
    """Every body of the rules, with what it is called and where it is named."""
    yield "'setup'", rules.setup, None
    yield "'position'", rules.position, None
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


def inside(rules: Rules, phase: str) -> list[Block]:
    """The bodies that are run in a phase."""
    return [rules.phases[phase].nobody, *(move.body for move in rules.moves.values() if phase in move.phases)]


def phases_after(rules: Rules, blocks: Iterable[Block]) -> set[str]:
    """The phases that play can come to once these bodies are run."""
    found: set[str] = set()
    left = list(_leads_to(rules, blocks))
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += _leads_to(rules, inside(rules, name))
    return found


def _leads_to(rules: Rules, blocks: Iterable[Block]) -> Iterator[str]:
    """The phases that these bodies and the procedures that they call go to."""
    left, called = list(blocks), set()
    while left:
        for statement in statements(left.pop()):
            if statement.op == "go":
                yield str(statement.data)
            elif statement.op == "do" and statement.data not in called:
                called.add(statement.data)
                left.append(rules.procedures[str(statement.data)].body)


def face_down(rules: Rules) -> frozenset[str]:
    """The zones where the rules lay cards face down."""
    return frozenset(
        statement.args[1].type.zone
        for _, block, _ in blocks(rules)
        for statement in statements(block)
        if isinstance(statement.data, Destination) and statement.data.face_down
    )


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
            for inner in pick.parts:
                yield f"pick '{pick.name}' of move '{move.name}'", inner
        for clause in move.when:
            yield f"'{clause.name}' of move '{move.name}'", clause.condition
    for keep in rules.keeps.values():
        yield f"'{keep.variable}'", keep.first.body
        yield f"'{keep.variable}'", keep.then.body
    for name, part in (("over", rules.match.over), ("loser", rules.match.loser)):
        if part is not None:
            yield f"'{name}' of the match", part


__all__ = ["blocks", "expressions", "face_down", "statements"]
