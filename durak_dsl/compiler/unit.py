"""What the functions of one program share while they are emitted."""

from __future__ import annotations

from dataclasses import dataclass, field

from durak_dsl.compiler import shapes
from durak_dsl.compiler.layout import Layout
from durak_dsl.compiler.runtime import ShapeTable
from durak_dsl.compiler.tabulate import Budget, Table
from durak_dsl.language.ir import Expr, Rules, Zone
from durak_dsl.language.shapes import Shape
from durak_dsl.language.totality import Endings
from durak_dsl.language.types import PLAYER, Type
from durak_dsl.problems import Span


@dataclass
class Unit:
    """What the functions of one program share: rules, layout, tables, faults; `watched`: whether card movements are told."""

    rules: Rules
    layout: Layout
    watched: bool
    actors: tuple[Expr, ...] = ()
    procedures: dict[str, str] = field(default_factory=dict)
    turns_cards: bool = False
    search_local: int = -1
    tables: dict[tuple[int, ...], int] = field(default_factory=dict)
    described: list[Table] = field(default_factory=list)
    faults: list[tuple[str, Span | None]] = field(default_factory=list)
    made: dict[tuple[Expr, int], Table | None] = field(default_factory=dict)
    shapes: dict[str, ShapeTable] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    entered_again: set[int] = field(default_factory=set)  # phases that go on while what they ask of the table stays as it was

    def table_name(self, made: Table) -> str:
        """The name of the table in the emitted module."""
        number = self.tables.setdefault(made.masks, len(self.tables))
        if number == len(self.described):
            self.described.append(made)
        return f"T{number}"

    def shape_name(self, shape: Shape) -> str:
        """The name of the table of a shape in the emitted module."""
        name = shapes.table_name(shape)
        self.shapes[name] = shapes.table(shape, self.width)
        return name

    def fault(self, message: str, span: Span | None) -> int:
        """The number under which emitted code raises this fault."""
        self.faults.append((message, span))
        return len(self.faults) - 1

    def __post_init__(self) -> None:
        self.phases = list(self.rules.phases)
        self.endings = Endings(self.rules)

    def zone(self, zone: Zone, seat: Expr | None = None) -> Expr:
        """A zone as an expression; of a seat, where each player has one."""
        return Expr("zone", Type(zone.kind, zone=zone.name), (seat,) if seat is not None and zone.each else (), zone.name)

    @property
    def seat(self) -> Expr:
        """A local for a seat that emitted code goes through by itself."""
        return Expr("local", PLAYER, data=self.search_local)

    @property
    def width(self) -> int:
        """How many cards a rank has."""
        return len(self.rules.deck.suits) * self.rules.deck.copies

    @property
    def cards(self) -> int:
        """How many cards the whole grid has."""
        return self.rules.deck.grid * self.rules.deck.copies
