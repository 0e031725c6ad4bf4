"""The group of all commands: finds them by name, and turns what can go wrong into a message and an exit status."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import shlex
import sys
from collections.abc import Sequence
from typing import Any, TextIO

import click

from durak_dsl.cli.misuse import as_misuse, no_such_command
from durak_dsl.cli.printing import chosen_colour, say, say_problems

# Exit statuses.
FINDINGS = 1
USAGE = 2
LIMIT = 3
INTERRUPTED = 130
BROKEN_PIPE = 141

COMMANDS = {
    "list": "library",
    "show": "library",
    "new": "starting",
    "check": "checking",
    "beats": "inside",
    "compile": "inside",
    "play": "playing",
    "replay": "replaying",
    "simulate": "counting",
    "perft": "counting",
    "bench": "measuring",
}

_TYPED = "durak_dsl.typed"

# Problems that are those of a command line, not of a rule file, where they have no place in a file.
_ASKED_WRONGLY = frozenset({"unknown-rules", "unknown-option", "bad-option", "no-file", "not-a-file", "seats", "deck", "given", "no-grid"})


class Commands(click.Group):
    """Commands that are imported when they are called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order in which a newcomer meets them."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"durak_dsl.cli.{COMMANDS[cmd_name]}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        """The context of the group, coloured as the environment asks."""
        typed = shlex.join(["durak", *args])
        try:
            ctx = super().make_context(info_name, args, parent, color=chosen_colour(), **extra)
        except click.UsageError as error:
            raise as_misuse(error) from None
        ctx.meta[_TYPED] = typed
        return ctx

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called for, with what stands behind it."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise no_such_command(args[0], [*COMMANDS], ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was asked for; what goes wrong becomes a message and an exit status."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            say("\r" * sys.stderr.isatty() + str(interrupt), err=True)  # over the ^C that a terminal shows
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            _forget(sys.stdout)
            ctx.exit(BROKEN_PIPE)
        except click.UsageError as error:
            raise as_misuse(error) from None
        except OSError as error:
            _say_system_error(error)
            ctx.exit(FINDINGS)
        except Exception as error:
            status = _told(error)
            if status is None:
                raise
            ctx.exit(status)


def _say_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    from importlib import metadata

    if value:
        try:
            say(metadata.version("durak-dsl"))
        except metadata.PackageNotFoundError:
            say("a checkout that is not installed")
        ctx.exit()


class Limit(Exception):
    """A bound of the program was hit before an answer was found."""


EPILOG = """\
Exit status: 0 all is well; 1 the rules, the record or a move are wrong; 2 the command line is wrong, or names what is not there;
3 a bound of the program was hit before an answer was found; 130 interrupted.
"""


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.option(
    "--version", is_flag=True, default=False, expose_value=False, is_eager=True, callback=_say_version, help="Show the version and exit."
)
def durak() -> None:
    """Card-game rules as data: list, check, play and study them.

    RULES is a name (throw-in), an alias or Russian name (подкидной), the path of a rule file, or several joined by + (transfer+first-five).
    """


def run(args: Sequence[str] | None = None) -> None:
    """Run a command on the process's own streams, and exit."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        durak.main(args, prog_name="durak")
    except OSError as error:  # outside any command: a page of help, or the message about something else, could not be written
        _say_system_error(error)
        sys.exit(FINDINGS)
    finally:
        for stream in (sys.stderr, sys.stdout):
            try:
                if stream is not None:
                    stream.flush()
            except (OSError, ValueError):
                _forget(stream)


def typed() -> str:
    """The command as it was typed."""
    found: str = click.get_current_context().meta[_TYPED]
    return found


def status_of(problems: Sequence[Any]) -> int:
    """The exit status for these problems: of usage where only the command line is wrong."""
    return USAGE if all(problem.span is None and problem.code in _ASKED_WRONGLY for problem in problems) else FINDINGS


def _told(error: Exception) -> int | None:
    """Say what was wrong, in the words of the error; the exit status for it, or None where it is a fault of this program."""
    from durak_dsl.compiler.runtime import RuleFault
    from durak_dsl.problems import IllegalMove, Problem, RuleError
    from durak_dsl.table.table import TooManyMoves

    if isinstance(error, RuleError):
        say_problems(error.problems, err=True)
        return status_of(error.problems)
    if isinstance(error, RuleFault):
        say_problems([Problem("fault", error.message, error.span, error.hint)], err=True)
        return FINDINGS
    if isinstance(error, IllegalMove):
        say(str(Problem("illegal", error.reason, error.span)), err=True)
        return FINDINGS
    if isinstance(error, (Limit, TooManyMoves)):
        say(str(error), err=True)
        return LIMIT
    return None


def _say_system_error(error: OSError) -> None:
    """Say in a sentence what the system refused; nothing where that cannot be written either."""
    reason = error.strerror or str(error)
    with contextlib.suppress(OSError, ValueError):
        say(f"{error.filename}: {reason}" if error.filename else f"the output cannot be written: {reason}", err=True)
    _forget(sys.stdout)


def _forget(stream: TextIO) -> None:
    """Let nothing more be written to a stream that takes nothing: the interpreter would complain of it when it ends."""
    with contextlib.suppress(OSError, ValueError, AttributeError, io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
