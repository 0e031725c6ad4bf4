"""`list` and `show`: which rules there are, and what one of them says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from durak_dsl.cli.asked import ascii_option, json_option, loaded, with_rules
from durak_dsl.cli.printing import can_show, say, say_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_dsl import Game


# What the folders of the library are called; the games that lie in none come first, without a heading.
GROUPS = {"others": {"en": "Other games", "ru": "Другие игры"}}


@click.command("list")
@json_option
@ascii_option
def list_command(as_json: bool) -> None:
    """List the rules that come with the program."""
    from durak_dsl.source import library

    heads = library.all_files()
    if as_json:
        keys = ("id", "names", "aliases", "summary", "changes", "sources", "group")
        say_json({"rules": [{key: getattr(head, key) for key in keys} | {"path": str(head.file)} for head in heads]})
        return
    group = None
    for head in heads:
        if head.group is not None and head.group != group:
            say()
            say(click.style(_both(GROUPS.get(head.group, {"en": head.group})), bold=True))
        group = head.group
        say(f"{click.style(head.id, bold=True)}: {_both(head.names)}" + (f" (changes {head.changes})" if head.changes else ""))
        for text in _shown(head.summary):
            say(f"    {text}")
    say(f"{len(heads)} sets of rules; several are joined by +, as in throw-in+first-five. More: durak show RULES")


@click.command("show", short_help="Show what RULES say, briefly or whole.")
@with_rules
@click.option("--resolved", is_flag=True, default=False, help="Print the rules whole, as one rule file.")
@click.option("--origins", is_flag=True, default=False, help="Print the rules whole, each line with the file that it comes from.")
@click.option("--clauses", is_flag=True, default=False, help="Print the rules in words, clause by clause.")
def show_command(rules: str, settings: tuple[tuple[str, str], ...], later_wins: bool, resolved: bool, origins: bool, clauses: bool) -> None:
    """Show what RULES say: players, options and moves; with --resolved or --origins all of it."""
    if clauses and (resolved or origins):
        other = "--resolved" if resolved else "--origins"
        raise click.UsageError(f"--clauses prints the rules in words; it does not go with {other}")
    if resolved or origins:
        from durak_dsl.source import overlay

        # As the bytes of a rule file, whatever the terminal can show: other signs in their place would be other rules.
        click.echo(overlay.render(overlay.resolve(rules, later_wins=later_wins), origins).encode(), nl=False)
        return
    game = loaded(rules, settings, later_wins)
    if clauses:
        _show_clauses(game)
        return
    _show_head(game)
    _show_options(game)
    _show_moves(game)


def _show_head(game: Game) -> None:
    document = game.document
    say(click.style(document.id, bold=True))
    for file in document.asked:
        if file.names:
            say(f"  {_both(file.names)}")
        for text in _shown(file.summary):
            say(f"    {text}")
        if aliases := ", ".join(_shown(dict(enumerate(file.aliases)))):
            say(f"    also called: {aliases}")
    say("made of: " + ", ".join(f"{file.id} ({file.path})" for file in document.files))
    say(f"hash: {document.hash}")
    counts = game.rules.counts
    say("players: " + (f"{counts[0]} to {counts[-1]}" if len(counts) > 2 else " or ".join(map(str, counts))))
    say(f"cards: {len(game.program.deck)}")


def _show_clauses(game: Game) -> None:
    for file in game.document.files:
        say(click.style(file.id, bold=True) + (f": {_both(file.names)}" if file.names else ""))
        if not file.stated:
            say("  no clauses are stated")
        for clause, texts in file.stated.items():
            first, *others = _shown(texts)
            say(f"  {clause:6} {first}")
            for text in others:
                say(f"         {text}")


def _show_options(game: Game) -> None:
    if not game.rules.options:
        return
    say("options (--set OPTION=VALUE):")
    for name, option in game.rules.options.items():
        value = game.options[name]
        default = option.text(option.default)
        choices = " ".join(option.words) if option.words else f"{option.low} to {option.high}"
        say(f"  {click.style(name, bold=True)} = {value}  ({choices}" + (f"; default {default})" if value != default else ")"))
        for text in _shown(option.texts):
            say(f"      {text}")


def _show_moves(game: Game) -> None:
    say("moves:")
    for move in game.rules.moves.values():
        say(f"  {click.style(move.write, bold=True)}")
        for text in _shown(move.say):
            say(f"      {text}")


def _both(texts: Mapping[str, str]) -> str:
    return " · ".join(_shown(texts))


def _shown(texts: Mapping[str, str] | Mapping[int, str]) -> list[str]:
    """The texts that the terminal has letters for; all if it has for none."""
    found = [text for text in texts.values() if can_show("".join(filter(str.isalpha, text)))]
    return found or [*texts.values()]
