"""`play`: a deal or a match at the terminal or in a pipe, against machine players or among them."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durak_dsl.cli.asked import Numbers, loaded, seats_of, seats_option, with_rules_or
from durak_dsl.cli.printing import can_show, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_dsl import Game, Match, Table

MOST_DEALS = 100_000

lang_option = click.option("--lang", type=click.Choice(["en", "ru"]), default=None, help="The language (default: that of the terminal).")


def chosen_language(lang: str | None) -> str:
    """The language asked for, else Russian where the environment says so and the terminal has the letters."""
    if lang == "ru" and not can_show("ж"):
        say(f"the terminal's encoding ({getattr(sys.stdout, 'encoding', None)}) has no Russian letters: this is told in English", err=True)
        return "en"
    if lang is not None:
        return lang
    said = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "ru" if said.startswith("ru") and can_show("ж") else "en"


@click.command("play", short_help="Play against machine players.")
@with_rules_or("--resume")
@seats_option("How many players (default: the fewest).")
@click.option("--seed", type=int, default=None, metavar="S", help="The seed of the deal or match (default: by chance; it is printed).")
@click.option(
    "--deck", default=None, metavar="CARDS", help="The deck instead of a seed, top first; ... stands for all other cards in order."
)
@click.option("--deals", type=Numbers(1, MOST_DEALS), default=None, metavar="N", help="Play a match of N deals, or until it is over.")
@click.option("--as", "mine", multiple=True, default=(), metavar="P1", help="The seat of a person (may be repeated; default: P1).")
@click.option(
    "--opponents", type=click.Choice(["random", "search"]), default="search", show_default=True, help="Who plays the other seats."
)
@click.option("--auto", is_flag=True, default=False, help="Let machine players play all seats and print what they do.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Write the record to a new file, as it goes.",
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Go on with what the record in FILE has begun, by its rules, and write it there.",
)
@lang_option
def play_command(
    rules: str | None,
    settings: tuple[tuple[str, str], ...],
    later_wins: bool,
    seats: int | None,
    seed: int | None,
    deck: str | None,
    deals: int | None,
    mine: tuple[str, ...],
    opponents: str,
    auto: bool,
    record: Path | None,
    resume: Path | None,
    lang: str | None,
) -> None:
    """Play a deal of RULES against machine players, or with --deals a match. What they know is what their seats see.

    A move is answered by its number, its text (beat 6C 9C) or its cards alone (6C 9C); undo, quit and ? do what they say.
    Lines may come from a pipe.
    """
    import durak_dsl
    from durak_dsl.cli import recording, series
    from durak_dsl.texts.telling import Telling

    if auto and mine:
        raise click.UsageError("--as names a person's seat; with --auto there is none")
    if seed is not None and deck is not None:
        raise click.UsageError("a deal is either of a --seed or of a --deck")
    if deals is not None and deck is not None:
        raise click.UsageError("a match is dealt from its --seed; a --deck is for a single deal")
    before: Sequence[Table] = ()
    match: Match | None = None
    table: Table | None = None
    as_recorded, asked = None, deals
    if resume is not None:
        given = {"RULES": rules, "--set": settings, "--later-wins": later_wins, "--seats": seats, "--record": record}
        for name, value in (given | {"--seed": None if seed is None else str(seed), "--deck": deck}).items():
            if value:
                raise click.UsageError(f"with --resume the record says what is played, and goes on where it is: no {name}")
        going_on = series.resumed(resume, deals)
        before, match, table, as_recorded = going_on.before, going_on.match, going_on.table, going_on.rules
        asked = going_on.most
        if match is None and deals is not None:
            raise click.UsageError("this is the record of a single deal; --deals is for a match")
        if match is not None:
            deals = _until(match, deals, asked)
    else:
        assert rules is not None
        game = loaded(rules, settings, later_wins)
        count = seats_of(game, seats)
        if seed is None and deck is None:
            seed = int.from_bytes(os.urandom(4), "big")
        if deals is not None:
            match = durak_dsl.Match(game, count, seed=seed)
        else:
            table = durak_dsl.deal(game, count, seed=seed, deck=deck)
    game, count = (match.game, match.seats) if match is not None else _of(table)
    people = [] if auto else [_seat(text, count) for text in mine or ("P1",)]
    file = recording.new(record, asked) if record is not None else None
    if resume is not None:
        file = recording.there(resume, as_recorded or "", asked)
    with contextlib.closing(file.file) if file is not None else contextlib.nullcontext():
        playing = series.Playing(Telling(game, chosen_language(lang)), people, opponents, file)
        if match is not None:
            playing.match(match, deals, before, table)
        elif table is not None:
            playing.deal(table)


def _of(table: Table | None) -> tuple[Game, int]:
    """The game and the seats of a table."""
    assert table is not None
    return table.game, table.seats


def _until(match: Match, deals: int | None, recorded: int | None) -> int | None:
    """How many deals a match that goes on has in all: as many as asked for now or by its record, else until it is over, or one more."""
    if deals is None and recorded is not None:
        return recorded
    if deals is None:
        return None if match.game.rules.match.over is not None else match.deals + 1
    if deals <= match.deals:
        raise click.UsageError(f"--deals counts those of the record too, of which there are {match.deals}")
    return deals


def _seat(text: str, seats: int) -> int:
    word = text.strip().upper().removeprefix("P")
    if not (word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= seats):
        raise click.UsageError(f"'{text}' is no seat; the seats are P1 to P{seats}")
    return int(word) - 1
