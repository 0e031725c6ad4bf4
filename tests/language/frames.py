"""The small game as a place to try texts in: its names, and an edit laid over it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from durak_dsl.language.check import check
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Expr, Rules
from durak_dsl.language.names import Names
from durak_dsl.language.scope import Scope
from durak_dsl.language.syntax import parse
from durak_dsl.language.types import CARD, PLAYER, Type
from durak_dsl.problems import Span
from durak_dsl.source import overlay
from durak_dsl.source.nodes import Text
from tests.language.chunked import GAME, HEAD, HERE


@cache
def game() -> Rules:
    """The small game, checked."""
    return check(overlay.resolve(str(HERE / "game.yaml")))


def edited(text: str, folder: Path, game_text: str = GAME) -> Rules:
    """The small game with an edit laid over it, checked."""
    (folder / "game.yaml").write_text(game_text, "utf-8")
    (folder / "edit.yaml").write_text(HEAD + text, "utf-8")
    return check(overlay.resolve(str(folder / "edit.yaml")))


def text(value: str) -> Text:
    """A text that stands in a file."""
    return Text(value, Span("text.yaml", 1, 1, max(1, len(value)), value))


def names_of(rules: Rules) -> Names:
    """The names of checked rules, for more texts."""
    return Names(
        deck=rules.deck,
        options=dict(rules.options),
        zones=dict(rules.zones),
        variables=dict(rules.variables),
        signatures={name: tuple((label, kind) for label, _, kind in define.parameters) for name, define in rules.defines.items()},
        defines=dict(rules.defines),
        procedures={name: tuple((label, kind) for label, _, kind in item.parameters) for name, item in rules.procedures.items()},
        phases=set(rules.phases),
        counts=rules.counts,
        teams=rules.teams,
        locals=dict(rules.locals),
        define=lambda name, span: rules.defines[name],
    )


def scope(chance: bool = False, **locals_: Type) -> Scope:
    """A scope with these locals, and `me`, `p`, `card` and `pile`."""
    known = {"me": PLAYER, "p": PLAYER, "card": CARD, "pile": Type("pile", zone="table"), **locals_}
    return Scope({name: Expr("local", kind, data=1000 + number) for number, (name, kind) in enumerate(known.items())}, chance=chance)


def typed(value: str, inside: Scope | None = None, rules: Rules | None = None) -> Expr:
    """The typed meaning of an expression in the small game."""
    return Expressions(names_of(rules or game())).typed(parse(text(value), "expression"), inside or scope())
