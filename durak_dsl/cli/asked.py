"""What stands on the command line wherever RULES does: the rules, their options, and how edits that clash are laid."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from durak_dsl.cli.printing import note_ascii

if TYPE_CHECKING:
    from durak_dsl import Game

F = TypeVar("F", bound=Callable[..., Any])
_EQUALS = re.compile(r"(?<![=!<>])=(?!=)")


class Numbers(click.IntRange):
    """Whole numbers from one to another, told in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or what to write instead."""
        try:
            int(value)
        except ValueError:
            digits = re.sub(r"(?<=[0-9])[,.'_ ](?=[0-9]{3}(?![0-9]))", "", str(value))
            instead = f"write {digits}" if digits.isascii() and digits.isdigit() and digits != value else "write digits, as in 1000"
            self.fail(f"'{value}' is no whole number; {instead}", param, ctx)
        return super().convert(value, param, ctx)

    def _describe_range(self) -> str:
        return f"{self.min:,} to {self.max:,}"


def pairs(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Texts of the form name=value as pairs; a name may hold comparisons, as in `card.rank == 6=yes`."""
    found: list[tuple[str, str]] = []
    for value in values:
        *names, text = _EQUALS.split(value)
        name = "=".join(names)
        if not name.strip() or not text.strip():
            raise click.BadParameter(f"'{value}' is not of the form {str(param.metavar).lower()}", ctx, param)
        if name.strip() in dict(found):
            raise click.BadParameter(f"'{name.strip()}' is said twice", ctx, param)
        found.append((name.strip(), text.strip()))
    return tuple(found)


def complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of rules that go on from what was typed, after the last `+`."""
    from durak_dsl.source import library

    before, plus, last = incomplete.rpartition("+")
    return [CompletionItem(before + plus + head.id, help=head.names.get("en")) for head in library.all_files() if head.id.startswith(last)]


ascii_option = click.option(
    "--ascii",
    is_flag=True,
    default=False,
    expose_value=False,
    is_eager=True,
    callback=note_ascii,
    help="Print suits as letters (10H for 10♥) and arrows and dashes in ASCII; words stay as they are.",
)
json_option = click.option("--json", "as_json", is_flag=True, default=False, help="Print one JSON document.")

later_wins_option = click.option("--later-wins", is_flag=True, default=False, help="Where rules joined by + clash, let the later ones win.")


def set_option(help: str) -> Callable[[F], F]:
    """The option `--set`."""
    return click.option("--set", "settings", callback=pairs, multiple=True, default=(), metavar="OPTION=VALUE", help=help)


def with_rules(command: F) -> F:
    """Give a command RULES, `--set` and `--later-wins`."""
    return _with_rules(command)


def with_rules_or(instead: str) -> Callable[[F], F]:
    """The same for a command that wants no RULES where another option stands."""

    def asked(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is None and not ctx.resilient_parsing and ctx.params.get(instead.lstrip("-")) is None:
            raise click.UsageError("Missing argument 'RULES'", ctx)
        return value

    return lambda command: _with_rules(command, asked)


def _with_rules(command: F, asked: Callable[[click.Context, click.Parameter, str | None], str | None] | None = None) -> F:
    for decorate in (
        ascii_option,
        later_wins_option,
        set_option("Set an option of the rules (may be repeated)."),
        click.argument(
            "rules",
            metavar="RULES" if asked is None else "[RULES]",
            shell_complete=complete_rules,
            required=asked is None,
            callback=asked,
        ),
    ):
        command = decorate(command)
    return command


def seats_option(help: str) -> Callable[[F], F]:
    """The option `--seats`."""
    return click.option("--seats", type=Numbers(1, 99), default=None, metavar="N", help=help)


def loaded(rules: str, settings: tuple[tuple[str, str], ...], later_wins: bool) -> Game:
    """The game that was asked for."""
    import durak_dsl

    return durak_dsl.load(rules, dict(settings), later_wins=later_wins)


def seats_of(game: Game, seats: int | None) -> int:
    """The number of seats: the one asked for, if the rules allow it, else the fewest."""
    if seats is None:
        return min(game.seats)
    game.check_seats(seats)
    return seats
