"""The typed meaning of a rule file: what the checker makes, and the compiler and the referee read. Everything is frozen.

An expression is one kind of node (`Expr`) with an operation; the operations and their arguments are listed in `OPERATIONS`.
Statements likewise (`STATEMENTS`). Cards, ranks, suits, players, piles are numbers; sets are masks; none is -1 (`NONE`) for
all of them, and `NO_NUMBER` for a number that may be none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from durak_dsl.language.types import Type
from durak_dsl.problems import Problem, Span

NONE = -1
NO_NUMBER = -(1 << 30)

OPERATIONS = {
    "const": "data: value",
    "option": "data: name",
    "local": "data: number of the local",
    "read": "data: variable; args: the seat of a per-player variable",
    "zone": "data: zone; args: the seat of a per-player zone",
    "call": "data: definition; args: arguments",
    "let": "data: local; args: value, body",
    "and": "data: clause names or None; args: conditions in order",
    "or": "data: clause names or None; args: conditions in order",
    "not": "args: condition",
    "if": "args: condition, then, else",
    "either": "data: clause names or None; args: values in order, the first that is not none",
    "is none": "args: value",
    "==": "args: two",
    "!=": "args: two",
    "<": "args: two",
    "<=": "args: two",
    ">": "args: two",
    ">=": "args: two",
    "in": "args: element, set",
    "+": "args: two numbers",
    "-": "args: two numbers",
    "*": "args: two numbers",
    "negative": "args: number",
    "min": "args: two numbers",
    "max": "args: two numbers",
    "odd": "args: number",
    "even": "args: number",
    "union": "args: two sets",
    "minus": "args: two sets",
    "rank": "args: card",
    "suit": "args: card",
    "pips": "args: rank",
    "team": "args: player",
    "size": "args: zone or pile",
    "count": "args: set or row",
    "top": "args: stack or pile",
    "bottom": "args: stack or pile",
    "under": "args: stack or pile",
    "cards": "args: zone, pile, card or set of piles",
    "known": "args: zone",
    "all": "data: per-player zone; the cards of every seat's",
    "deck": "every card in the game",
    "ranks of": "args: cards",
    "suits of": "args: cards",
    "looks": "args: cards; of each as many as there are copies of it, but the first ones: sets that look alike become the same",
    "lowest": "args: set",
    "highest": "args: set",
    "left": "args: player",
    "right": "args: player",
    "holder": "args: card",
    "random": "args: set",
    "everyone": "all seats in seat order",
    "from": "args: player; clockwise, that player first",
    "after": "args: player; clockwise, that player left out",
    "between": "args: two numbers; all from the one to the other, as a mask",
    "every suit": "",
    "every rank": "",
    "every team": "",
    "any": "data: local; args: domain, where, body",
    "every": "data: local; args: domain, where, body",
    "first": "data: local; args: domain, where",
    "last": "data: local; args: domain, where",
    "least": "data: local; args: domain, where, key",
    "most": "data: local; args: domain, where, key",
    "filter": "data: local; args: domain, where; gives the set",
    "map": "data: local; args: domain, where, body; gives the set of bodies",
    "sum": "data: local; args: domain, where, body",
    "makes": "data: local; args: domain, where, body, total, which does not read the local",
}

BINDERS = frozenset({"any", "every", "first", "last", "least", "most", "filter", "map", "sum", "makes"})


@dataclass(frozen=True)
class Expr:
    """One expression: an operation of `OPERATIONS`, its type, arguments and data, and where it stands."""

    op: str
    type: Type
    args: tuple[Expr, ...] = ()
    data: object = None
    at: Span | None = field(default=None, compare=False)

    def walk(self) -> Iterator[Expr]:
        """This expression and all inside it."""
        yield self
        for arg in self.args:
            yield from arg.walk()

    def with_args(self, args: tuple[Expr, ...]) -> Expr:
        """The same operation on other arguments."""
        return self if args == self.args else replace(self, args=args)


STATEMENTS = {
    "step": "data: name; blocks: one",
    "assign": "data: variable; args: value, then the seat of a per-player variable",
    "announce": "as assign",
    "let": "data: local; args: value",
    "clear": "data: variable",
    "move": "data: Destination; args: what, where",
    "draw": "args: how many, from, to",
    "deal": "data: per-player zone; args: how many, from, players",
    "shuffle": "args: zone",
    "show": "args: what, then the player it is shown to (none: all)",
    "show none": "args: cards, zone or `all`",
    "do": "data: procedure; args: arguments",
    "go": "data: phase",
    "stay": "",
    "end": "",
    "again": "",
    "if": "args: conditions; blocks: one each, and one more for else",
    "each": "data: local; args: domain, where; blocks: one",
    "repeat": "args: how often; blocks: one",
    "broken": "what could not be read; only in rules that are refused",
}


@dataclass(frozen=True)
class Statement:
    """One statement: an operation of `STATEMENTS`, its arguments, data and inner blocks, and where it stands."""

    op: str
    args: tuple[Expr, ...] = ()
    data: object = None
    blocks: tuple[Block, ...] = ()
    at: Span | None = field(default=None, compare=False)

    def walk(self) -> Iterator[Statement]:
        """This statement and all inside it."""
        yield self
        for block in self.blocks:
            for statement in block:
                yield from statement.walk()


Block = tuple[Statement, ...]


@dataclass(frozen=True)
class Destination:
    """Where cards go: to a `set`, the `top`, `bottom` or a `random` place of a stack, `onto` a pile, as `new pile` or `new piles`."""

    kind: str
    face_down: bool = False


@dataclass(frozen=True)
class Deck:
    """The grid of cards and which of them are in the game."""

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    copies: int
    only: Expr | None
    only_local: int
    start: str

    @property
    def grid(self) -> int:
        """How many different cards the grid has."""
        return len(self.ranks) * len(self.suits)

    @property
    def same_rank(self) -> tuple[int, ...]:
        """Of each card the set of all cards of its rank."""
        width = len(self.suits) * self.copies
        return tuple((1 << width) - 1 << card // width * width for card in range(self.grid * self.copies))


@dataclass(frozen=True)
class Option:
    """A named value of a game: one of `words`, or a number from low to high."""

    name: str
    words: tuple[str, ...]
    low: int
    high: int
    default: int
    texts: Mapping[str, str] = field(hash=False)
    span: Span = field(compare=False)

    def text(self, value: int) -> str:
        """The value as it is written."""
        return self.words[value] if self.words else str(value)

    @property
    def values(self) -> tuple[str, ...]:
        """All values as they are written, where they are words; else the two bounds."""
        return self.words or (str(self.low), str(self.high))


@dataclass(frozen=True)
class Zone:
    """A place for cards: its kind (set, stack, row), whether each player has one, who sees the cards, its bounds."""

    name: str
    kind: str
    each: bool
    seen: str
    most: int
    high: int
    span: Span = field(compare=False)


@dataclass(frozen=True)
class Variable:
    """A typed value of the table or of each player."""

    name: str
    type: Type
    each: bool
    start: int
    span: Span = field(compare=False)


@dataclass(frozen=True)
class Define:
    """A named expression with parameters (name, local, type)."""

    name: str
    parameters: tuple[tuple[str, int, Type], ...]
    body: Expr
    span: Span = field(compare=False)


@dataclass(frozen=True)
class Keep:
    """A variable that lives from deal to deal: its value in the first deal, and after a deal; of a player where each has one."""

    variable: str
    first: Define
    then: Define


@dataclass(frozen=True)
class Procedure:
    """A named body with parameters (name, local, type)."""

    name: str
    parameters: tuple[tuple[str, int, Type], ...]
    body: Block
    span: Span = field(compare=False)


@dataclass(frozen=True)
class Phase:
    """A stage of the deal: who acts, and what happens when nobody does."""

    name: str
    actor: Expr
    nobody: Block
    span: Span = field(compare=False)


@dataclass(frozen=True)
class Pick:
    """A choice of a move: one element of a domain, or several cards of it in ascending order.

    They may be all of the same rank or suit. A shape is the sizes of groups of one rank, in one way or another: `2+1 | 3` is
    ((2, 1), (3,)). What adds up has a value, that of the single card which the local stands for there, and a total.
    """

    name: str
    local: int
    type: Type
    domain: Expr
    where: Expr | None
    when: Expr | None
    several: tuple[Expr, Expr] | None
    same: str
    span: Span = field(compare=False)
    shape: tuple[tuple[int, ...], ...] = ()
    adding: tuple[Expr, Expr] | None = None

    @property
    def parts(self) -> tuple[Expr, ...]:
        """Every expression of it."""
        parts = (self.domain, self.where, self.when, *(self.several or ()), *(self.adding or ()))
        return tuple(part for part in parts if part is not None)


@dataclass(frozen=True)
class Clause:
    """A named condition."""

    name: str
    condition: Expr
    span: Span = field(compare=False)


@dataclass(frozen=True)
class Move:
    """What an actor may do: in which phases, after which picks and conditions, with what effect; its notation, sentences and calls."""

    name: str
    phases: tuple[str, ...]
    me: int
    picks: tuple[Pick, ...]
    when: tuple[Clause, ...]
    body: Block
    write: str
    say: Mapping[str, str] = field(hash=False)
    span: Span = field(compare=False)
    call: Mapping[str, str] = field(default_factory=dict, hash=False)
    told: Mapping[str, Span] = field(default_factory=dict, compare=False)  # what the sentences name, and where first


@dataclass(frozen=True)
class Finish:
    """What is read when a deal is over."""

    place: Define
    loser: Expr
    stalemate: Expr | None
    scores: Mapping[str, Define]
    says: Mapping[str, str] = field(default_factory=dict, hash=False)
    winner: Expr | None = None


@dataclass(frozen=True)
class Match:
    """How a match of several deals ends, read with what is kept as it has become. Nothing of it need be said; a place goes with a loser."""

    over: Expr | None = None
    place: Define | None = None
    loser: Expr | None = None
    says: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Rules:
    """A whole game: the typed meaning of a resolved rule file. `locals` names the local of each number, for people."""

    id: str
    hash: str
    counts: tuple[int, ...]
    teams: int
    deck: Deck
    options: Mapping[str, Option]
    zones: Mapping[str, Zone]
    variables: Mapping[str, Variable]
    defines: Mapping[str, Define]
    procedures: Mapping[str, Procedure]
    setup: Block
    position: Block
    phases: Mapping[str, Phase]
    moves: Mapping[str, Move]
    finish: Finish
    keeps: Mapping[str, Keep]
    match: Match
    locals: Mapping[int, str]
    warnings: tuple[Problem, ...] = ()
