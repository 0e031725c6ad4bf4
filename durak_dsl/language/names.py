"""The names that a rule file declares, filled while it is checked, with the problems found so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from durak_dsl.language.ir import Deck, Define, Option, Variable, Zone
from durak_dsl.language.syntax import keywords
from durak_dsl.language.types import Type
from durak_dsl.language.unreadable import instead_of, short
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Problem, Span, did_you_mean

# Names that stand for something in every game.
COLLECTIONS = ("players", "suits", "ranks", "teams")
LONGEST_NAME = 40

Parameters = tuple[tuple[str, Type], ...]
# For a name that nothing has: what else to say (a stretch of the message, places that explain it).
Origin = Callable[[str, Span], tuple[str, tuple[tuple[str, Span], ...]]]


@dataclass
class Names:
    """What a rule file declares.

    `broken` are names that are declared wrongly, `places` says where names are declared, `surely` how many seats there are at least (0: the
    players that are written out are not bounded by that), `laid` how late a file is laid over the others.
    """

    deck: Deck = field(default_factory=lambda: Deck((), (), 1, None, -1, ""))
    options: dict[str, Option] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    signatures: dict[str, Parameters] = field(default_factory=dict)
    defines: dict[str, Define] = field(default_factory=dict)
    procedures: dict[str, Parameters] = field(default_factory=dict)
    phases: set[str] = field(default_factory=set)
    counts: tuple[int, ...] = ()
    teams: int = 0
    locals: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    used: set[tuple[str, str]] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    places: dict[str, Span] = field(default_factory=dict)
    surely: int = 0
    define: Callable[[str, Span], Define] = field(default=lambda name, span: _no_define(name, span))
    origin: Origin = field(default=lambda name, span: ("", ()))
    laid: Callable[[str], int] = field(default=lambda path: 0)

    def new_local(self, name: str) -> int:
        """A number that no other local of the file has."""
        number = len(self.locals)
        self.locals[number] = name
        return number

    @property
    def cards(self) -> int:
        """The number of cards of the whole grid, all copies."""
        return self.deck.grid * self.deck.copies

    @property
    def seats(self) -> int:
        """The largest number of seats."""
        return max(self.counts, default=2)

    # ---- problems -------------------------------------------------------------------------------------------------

    def report(self, error: Wrong, doubtful: bool = False) -> None:
        """Keep the problem of one text; where a test before it failed, what may be none is not told."""
        problem = error.problem
        if problem is None or (doubtful and problem.code == "none"):
            return
        if not any((problem.message, problem.span) == (other.message, other.span) for other in self.problems):
            self.problems.append(problem)

    @contextmanager
    def reporting(self, *declared: str) -> Iterator[None]:
        """A stretch of checking that is left at its first problem; the problem is kept, and what it declares is known to be broken."""
        try:
            yield
        except Wrong as error:
            self.broken.update(declared)
            self.report(error)

    def unknown(self, what: str, name: str, span: Span, known: Iterable[str], hint: str = "") -> Wrong:
        """The exception for a name that nothing has, as `unknown name` or `a player has no`; silent where what it should name is broken."""
        if name in self.broken:
            return Wrong()
        said, also = self.origin(name, span)
        hint = hint or instead_of(name) or did_you_mean(name, known) or self._other_kind(name)
        return Wrong(Problem("unknown-name", f"{what} '{short(name)}'{said}", span, hint, also))

    def _other_kind(self, name: str) -> str:
        for kind, table, how in (
            ("procedure", self.procedures, f"call it by 'do {name}'"),
            ("phase", self.phases, f"'go {name}' goes to it"),
        ):
            if name in table:
                return f"'{name}' is a {kind}: {how}"
        return ""

    # ---- what names mean ------------------------------------------------------------------------------------------

    def use(self, kind: str, name: str) -> None:
        """Note that a declared name is used somewhere."""
        self.used.add((kind, name))

    def kind_of(self, name: str) -> str:
        """What a bare name already means here, with its article, or an empty text."""
        if name in self.variables:
            return "" if self.variables[name].each else "a variable"
        if name in self.zones:
            return "" if self.zones[name].each else "a zone"
        for what, table in (("an option", self.options), ("a definition", self.signatures), ("a suit", self.deck.suits)):
            if name in table:
                return what
        return ""

    def check_name(self, name: str, span: Span, what: str) -> None:
        """Raise Wrong where a new name cannot be one, or is taken."""
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            hint = "names in expressions have underscores, not spaces or hyphens"
            raise wrong("name", f"'{name}' cannot be used in expressions", span, hint)
        if len(name) > LONGEST_NAME:
            raise wrong("too-long", f"the name of {what} has at most {LONGEST_NAME} letters, this has {len(name)}", span)
        if name in keywords() or name in (*COLLECTIONS, "me"):
            raise wrong("name-taken", f"'{name}' is a word of the language and cannot name {what}", span)
        if meaning := self.kind_of(name):
            raise self.taken(name, meaning, span)

    def taken(self, name: str, meaning: str, span: Span) -> Wrong:
        """The exception for a name that means something already; of two files, the one laid later is to blame."""
        other = self.places.get(name)
        if other is None:
            return Wrong(Problem("name-taken", f"'{name}' is already the name of {meaning}", span))
        if self.laid(other.path) > self.laid(span.path):
            return Wrong(Problem("name-taken", f"'{name}' has another meaning in the rules below", other, "", (("it stands in", span),)))
        return Wrong(Problem("name-taken", f"'{name}' is already the name of {meaning}", span, "", (("it is declared in", other),)))

    def declare(self, name: str, span: Span, what: str) -> None:
        """Note a new name of the whole file; raises Wrong where it cannot be one, or is taken."""
        self.check_name(name, span, what)
        for table, meaning in ((self.variables, "a variable"), (self.zones, "a zone")):
            if name in table:
                raise self.taken(name, meaning, span)
        self.places[name] = span

    def declare_definition(self, name: str, span: Span, parameters: Parameters) -> None:
        """Note a definition and its parameters."""
        self.places.setdefault(name, span)
        self.signatures[name] = parameters


def _no_define(name: str, span: Span) -> Define:
    raise wrong("unknown-name", f"definitions cannot be used here: '{name}'", span)
