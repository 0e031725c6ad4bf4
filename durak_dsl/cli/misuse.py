"""What is wrong with a command line, told like everything else that is wrong: a sentence, a hint, and which help says more."""

from __future__ import annotations

from typing import IO, Any

import click

from durak_dsl.cli.printing import say
from durak_dsl.problems import did_you_mean


class Misuse(click.UsageError):
    """A wrong command line; `hint` says what may have been meant."""

    def __init__(self, message: str, ctx: click.Context | None = None, hint: str = ""):
        super().__init__(message, ctx)
        self.hint = hint

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence, the hint and the command for help on the standard error."""
        for line in (self.message, *([f"   {self.hint}"] if self.hint else [])):
            say(line, err=True)
        if self.ctx is not None:
            say(f"   {self.ctx.command_path} --help", err=True)


def as_misuse(error: click.UsageError) -> click.UsageError:
    """The same error in our words; the error itself where it is no more than a page of help."""
    if isinstance(error, (Misuse, click.exceptions.NoArgsIsHelpError)):
        return error
    if isinstance(error, click.NoSuchOption):
        return Misuse(error.message.rstrip("."), error.ctx, did_you_mean(error.option_name, error.possibilities or ()))
    return Misuse(error.format_message().rstrip("."), error.ctx)


def no_such_command(name: str, known: list[str], ctx: click.Context) -> Misuse:
    """The error for a command that there is not."""
    return Misuse(f"No such command '{name}'", ctx, did_you_mean(name, known))
