"""What is known at one place of a rule file: its locals, what is surely not none there, whether chance may be asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from durak_dsl.language.ir import Expr
from durak_dsl.language.names import Names

Facts = frozenset[Expr]

# What depends on where cards lie, also where it names a pile only.
OF_CARDS = ("zone", "all", "top", "bottom", "under", "cards", "size", "count", "known", "holder")


@dataclass(frozen=True)
class Changes:
    """What some statements may change: variables (None: any), and whether cards may lie elsewhere after them."""

    variables: frozenset[str] | None = frozenset()
    cards: bool = False

    def may_change(self, expr: Expr) -> bool:
        """Whether the expression may have another value after them."""
        return any(self._may_change(node) for node in expr.walk())

    def _may_change(self, node: Expr) -> bool:
        if node.op == "read":
            return self.variables is None or node.data in self.variables
        if node.op == "call":
            return self.cards or self.variables != frozenset()
        return self.cards and node.op in OF_CARDS


ANYTHING = Changes(None, True)


@dataclass(frozen=True)
class Scope:
    """What is known at one place: locals by name, what is surely not none, what locals stand for, whether chance may be asked.

    `late` are picks that cannot be read here. After something wrong, `broken` names what would be a local, and a `doubtful` scope does not
    know all that is not none.
    """

    locals: Mapping[str, Expr] = field(default_factory=dict)
    sure: Facts = frozenset()
    lets: Mapping[Expr, Expr] = field(default_factory=dict)
    chance: bool = False
    late: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()
    doubtful: bool = False

    def bind(self, name: str, value: Expr) -> Scope:
        """This scope with one more local."""
        return replace(self, locals={**self.locals, name: value})

    def breaking(self, *names: str) -> Scope:
        """This scope after something was wrong, which would have declared these locals."""
        return replace(self, broken=self.broken | set(names), doubtful=True)

    def letting(self, name: str, local: Expr, value: Expr) -> Scope:
        """This scope with one more local, which stands for that value as long as nothing in it changes."""
        inside = self.bind(name, local)
        return inside if _by_chance(value) else replace(inside, lets={**self.lets, local: value})

    def knowing(self, facts: Facts) -> Scope:
        """This scope where these expressions are surely not none."""
        return replace(self, sure=self.sure | {fact for fact in facts if not _by_chance(fact)}) if facts else self

    def told(self, condition: Expr, holds: bool = True) -> Scope:
        """This scope after a test with that outcome: what it says of locals holds for what they stand for, and the other way round."""
        meant = _replaced(condition, self.lets)
        known = facts(condition, holds) | facts(meant, holds)
        known |= {certain(self.lets[local]) for local in self.lets if certain(local) in known}
        known |= {certain(local) for local, value in self.lets.items() if certain(value) in known}
        return self.knowing(known)

    def forgetting(self, changes: Changes) -> Scope:
        """This scope after something may have changed."""
        sure = frozenset(fact for fact in self.sure if not changes.may_change(fact))
        lets = {local: value for local, value in self.lets.items() if not changes.may_change(value)}
        return replace(self, sure=sure, lets=lets)

    def after(self, ways: Iterable[Scope]) -> Scope:
        """This scope after one of several ways was taken: what is known at the end of all of them."""
        ends = list(ways)
        if not ends:
            return self
        sure = frozenset.intersection(*(end.sure for end in ends))
        lets = {local: value for local, value in self.lets.items() if all(end.lets.get(local) == value for end in ends)}
        return replace(self, sure=sure, lets=lets, doubtful=self.doubtful or any(end.doubtful for end in ends))


def facts(condition: Expr, holds: bool = True) -> Facts:
    """The expressions that are surely not none when the condition holds (or does not)."""
    if condition.op == "not":
        return facts(condition.args[0], not holds)
    if condition.op == ("and" if holds else "or"):
        return frozenset().union(*(facts(arg, holds) for arg in condition.args))
    if condition.op == "is none" and not holds:
        return frozenset({certain(condition.args[0])})
    if condition.op == "in" and holds:
        return frozenset({certain(condition.args[0])})
    if condition.op == ("==" if holds else "!="):
        one, other = condition.args
        return frozenset({certain(x) for x, y in ((one, other), (other, one)) if x.type.maybe and not y.type.maybe})
    return frozenset()


def certain(value: Expr) -> Expr:
    """The same expression, typed as never none."""
    return replace(value, type=value.type.sure)


def _by_chance(expr: Expr) -> bool:
    return any(node.op == "random" for node in expr.walk())


def _replaced(expr: Expr, lets: Mapping[Expr, Expr]) -> Expr:
    if expr in lets:
        return lets[expr]
    return expr.with_args(tuple(_replaced(arg, lets) for arg in expr.args))


__all__ = ["ANYTHING", "Changes", "Facts", "Names", "Scope", "certain", "facts"]
