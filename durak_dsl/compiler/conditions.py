"""What conditions ask, looked at before code is made of them; and what is still so since an actor was found."""

from __future__ import annotations

from durak_dsl.compiler.fold import canonical, mentions, replaced
from durak_dsl.language.ir import Block, Expr
from durak_dsl.language.types import PLAYER

SETTING = {"assign", "announce", "clear"}  # statements that change variables and nothing else
GOING = {"go", "stay", "end"}

EMPTINESS = {">": "m != 0", "!=": "m != 0", "==": "m == 0", "<=": "m == 0"}  # comparisons with no cards


def whole_row(cards: Expr) -> str:
    """The row whose cards these are, all of them; else nothing."""
    inner = cards.args[0] if cards.op == "cards" else cards
    return inner.type.zone if inner.op == "zone" and inner.type.kind == "row" else ""


def asked_empty(condition: Expr) -> str | None:
    """The zone of each player of which a condition asks whether it is empty, if that is what it asks."""
    if condition.op not in EMPTINESS or condition.args[1].op != "const" or condition.args[1].data != 0:
        return None
    size = condition.args[0]
    if size.op not in ("size", "count") or size.args[0].op != "zone" or size.args[0].type.kind != "set" or not size.args[0].args:
        return None
    return size.args[0].type.zone


def parts_of(condition: Expr, local: int) -> tuple[Expr | None, Expr]:
    """What a condition asks that does not depend on the local, if anything; and the rest, which may be nothing but yes."""
    parts = condition.args if condition.op == "and" else (condition,)
    yes = Expr("const", condition.type, data=1)
    if any(part.op == "const" and not part.data for part in parts):
        return Expr("const", condition.type, data=0), yes
    halves = []
    for depends in (False, True):
        half = tuple(part for part in parts if part.op != "const" and mentions(part, local) == depends)
        halves.append(None if not half else half[0] if len(half) == 1 else Expr("and", condition.type, half, at=condition.at))
    return halves[0], halves[1] or yes


def facts_of_actor(actor: Expr, me: int) -> frozenset[Expr]:
    """The conditions that are sure for who acts, where the actor is the first or last player for whom they hold."""
    if actor.op not in ("first", "last"):
        return frozenset()
    where = replaced(actor.args[1], {Expr("local", PLAYER, data=actor.data): Expr("local", PLAYER, data=me)})
    return frozenset(canonical(part) for part in (where.args if where.op == "and" else (where,)))


def without_what_is_settled(actor: Expr) -> Expr:
    """The search for who acts, without what it asks of the table and not of a player."""
    if actor.op not in ("first", "last") or not isinstance(actor.data, int):
        return actor
    _, varying = parts_of(actor.args[1], actor.data)
    return actor.with_args((actor.args[0], varying, *actor.args[2:]))


def stays_as_before(actor: Expr, body: Block) -> bool:
    """Whether statements leave alone what the search for who acts asks of the table and not of a player."""
    if actor.op not in ("first", "last") or not isinstance(actor.data, int):
        return False
    fixed, _ = parts_of(actor.args[1], actor.data)
    everything = [statement for top in body for statement in top.walk()]
    read = set() if fixed is None else {node.data for node in fixed.walk() if node.op == "read"}
    return fixed is not None and all(
        statement.op in GOING or (statement.op in SETTING and statement.data not in read) for statement in everything
    )
