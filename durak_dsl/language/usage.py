"""What is declared and never used, set and never read, or never reached: warnings, since an edit may well leave some of it to others."""

from __future__ import annotations

from collections.abc import Iterator

from durak_dsl.language.ir import Rules
from durak_dsl.language.shapes import possible, written
from durak_dsl.language.walking import blocks, phases_after, statements
from durak_dsl.problems import Problem, Span

Used = set[tuple[str, str]]


def problems(rules: Rules, used: Used) -> Iterator[Problem]:
    """A warning for each thing that nothing uses or reaches."""
    yield from _unused(rules, used)
    yield from _variables(rules, used)
    yield from _phases(rules)
    yield from _shapes(rules)
    yield from _end(rules)


def _warning(code: str, message: str, span: Span, hint: str = "") -> Problem:
    return Problem(code, message, span, hint, warning=True)


def _unused(rules: Rules, used: Used) -> Iterator[Problem]:
    for kind, table in (("option", rules.options), ("zone", rules.zones), ("definition", rules.defines), ("procedure", rules.procedures)):
        for name, item in table.items():
            if (kind, name) not in used:
                yield _warning("unused", f"{kind} '{name}' is never used", item.span)


def _variables(rules: Rules, used: Used) -> Iterator[Problem]:
    for name, variable in rules.variables.items():
        read, written = ("variable", name) in used, ("set", name) in used
        if not read:
            yield _warning("unused", f"variable '{name}' is {'set but never read' if written else 'never used'}", variable.span)
        elif not written:
            yield _warning("unused", f"variable '{name}' is read but never set", variable.span)


def _phases(rules: Rules) -> Iterator[Problem]:
    reached = phases_after(rules, (rules.setup, rules.position))
    for name, phase in rules.phases.items():
        if name not in reached:
            yield _warning("unused", f"phase '{name}' is never reached", phase.span, "a 'go' leads to a phase")
        elif not any(name in move.phases for move in rules.moves.values()):
            yield _warning("no-moves", f"phase '{name}' has no moves", phase.span)
        if not phase.nobody and phase.actor.type.maybe:
            yield _warning("nobody", f"phase '{name}' may have nobody to act", phase.span, "say what happens then, with 'nobody'")


def _shapes(rules: Rules) -> Iterator[Problem]:
    width = len(rules.deck.suits) * rules.deck.copies
    picks = {pick.span: pick for move in rules.moves.values() for pick in move.picks if pick.shape and pick.several}
    for span, pick in picks.items():
        assert pick.several
        fewest, most = (bound.type for bound in pick.several)
        for groups in pick.shape:
            if not possible(groups, fewest.low, most.high, width):
                yield _warning("unused", f"nothing of shape {written((groups,))[0]} can be picked as '{pick.name}'", span)


def _end(rules: Rules) -> Iterator[Problem]:
    if rules.phases and not any(statement.op == "end" for _, block, _ in blocks(rules) for statement in statements(block)):
        span = next(iter(rules.phases.values())).span
        yield _warning("no-end", "no deal ever ends: nothing says 'end deal'", span)
