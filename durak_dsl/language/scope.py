"""The names that a text may use: the whole file's (`Names`) and those of one place in it (`Scope`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from durak_dsl.language.ir import Deck, Define, Expr, Option, Variable, Zone
from durak_dsl.language.types import Type
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Problem, Span


@dataclass
class Names:
    """What a rule file declares, filled while it is checked, with the problems found so far."""

    deck: Deck = field(default_factory=lambda: Deck((), (), 1, None, -1, ""))
    options: dict[str, Option] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    signatures: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    defines: dict[str, Define] = field(default_factory=dict)
    procedures: dict[str, tuple[tuple[str, Type], ...]] = field(default_factory=dict)
    phases: set[str] = field(default_factory=set)
    counts: tuple[int, ...] = ()
    teams: int = 0
    locals: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    used: set[tuple[str, str]] = field(default_factory=set)
    define: Callable[[str, Span], Define] = field(default=lambda name, span: _no_define(name, span))

    def new_local(self, name: str) -> int:
        """A number that no other local of the file has."""
        number = len(self.locals)
        self.locals[number] = name
        return number

    def report(self, error: Wrong) -> None:
        """Keep the problem of one text."""
        if error.problem is not None and error.problem not in self.problems:
            self.problems.append(error.problem)

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """A stretch of checking that is left at its first problem; the problem is kept."""
        try:
            yield
        except Wrong as error:
            self.report(error)

    def use(self, kind: str, name: str) -> None:
        """Note that a declared name is used somewhere."""
        self.used.add((kind, name))

    @property
    def cards(self) -> int:
        """The number of cards of the whole grid, all copies."""
        return self.deck.grid * self.deck.copies

    @property
    def seats(self) -> int:
        """The largest number of seats."""
        return max(self.counts, default=2)


def _no_define(name: str, span: Span) -> Define:
    raise wrong("unknown-name", f"definitions cannot be used here: '{name}'", span)


@dataclass(frozen=True)
class Scope:
    """What is known at one place: the locals by name, what is surely not none, who moves, whether chance may be asked."""

    locals: Mapping[str, Expr] = field(default_factory=dict)
    sure: frozenset[Expr] = frozenset()
    chance: bool = False

    def bind(self, name: str, value: Expr) -> Scope:
        """This scope with one more local."""
        return replace(self, locals={**self.locals, name: value})

    def knowing(self, facts: frozenset[Expr]) -> Scope:
        """This scope where these expressions are surely not none."""
        return replace(self, sure=self.sure | facts) if facts else self

    def forgetting(self, variables: frozenset[str] | None) -> Scope:
        """This scope after these variables (None: any) may have changed."""

        def may_change(node: Expr) -> bool:
            if node.op == "read":
                return variables is None or node.data in variables
            return node.op not in ("local", "const", "option", "rank", "suit", "team", "left", "right")

        return replace(self, sure=frozenset(fact for fact in self.sure if not any(may_change(node) for node in fact.walk())))


def facts(condition: Expr, holds: bool = True) -> frozenset[Expr]:
    """The expressions that are surely not none when the condition holds (or does not)."""
    if condition.op == "not":
        return facts(condition.args[0], not holds)
    if condition.op == ("and" if holds else "or"):
        return frozenset().union(*(facts(arg, holds) for arg in condition.args))
    if condition.op == "is none" and not holds:
        return frozenset({certain(condition.args[0])})
    if condition.op == ("==" if holds else "!="):
        one, other = condition.args
        return frozenset({certain(x) for x, y in ((one, other), (other, one)) if x.type.maybe and not y.type.maybe})
    return frozenset()


def certain(value: Expr) -> Expr:
    """The same expression, typed as never none."""
    return replace(value, type=value.type.sure)
