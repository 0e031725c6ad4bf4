"""`beats` and `compile`: what the rules become — grids of which card beats which, and the code that is run."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

import click

from durak_dsl.cli.asked import json_option, loaded, pairs, with_rules
from durak_dsl.cli.printing import can_show, letters_only, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_dsl import Game, Span
    from durak_dsl.compiler.assembly import Emitted
    from durak_dsl.study.grid import Grid, Relation
    from durak_dsl.table.cards import Cards

HOLDS, FAILS = "x", "."
WIDEST = 120


@click.command("beats", short_help="Show as a grid which card beats which.")
@with_rules
@click.option("--of", "name", default="beats", metavar="NAME", help="Show another definition that says yes or no of two cards.")
@click.option(
    "--given",
    callback=pairs,
    multiple=True,
    default=(),
    metavar="NAME=VALUE",
    help="Fix what it depends on, as in trump=spades.",
)
@json_option
def beats_command(
    rules: str, settings: tuple[tuple[str, str], ...], later_wins: bool, name: str, given: tuple[tuple[str, str], ...], as_json: bool
) -> None:
    """Show as a grid which card beats which: a row for each card, x for each card that it beats."""
    from durak_dsl.study.grid import relation

    game = loaded(rules, settings, later_wins)
    found = relation(game.program, name, dict(given))
    if as_json:
        text = game.cards.text
        grids = [
            {"given": [*grid.given], "pairs": {text(row): game.cards.list(_cards(found, mask)).split() for row, mask in grid.rows.items()}}
            for grid in found.grids
        ]
        say_json(
            {"rules": game.id, "rules_hash": game.hash, "definition": name, "row": found.first, "column": found.second, "grids": grids}
        )
        return
    say(f"{game.id}, '{name}': rows are the {found.first}, columns the {found.second}; {HOLDS} where it holds")
    for grid in found.grids:
        say()
        for line in _lines(game, found, grid):
            say(line.rstrip())


def _lines(game: Game, relation: Relation, grid: Grid) -> Iterator[str]:
    """A heading, two lines of column names and a line for each card, suit by suit."""
    cards = game.cards
    signs = can_show("♣♦♥♠") and not letters_only()
    if grid.given and grid.given[0]:
        yield "; ".join(", ".join(f"{label}: {value}" for label, value in given.items()) for given in grid.given)
    suits = [[card for card in relation.cards if card // cards.copies % len(cards.suits) == suit] for suit in range(len(cards.suits))]
    ranks = max(len(rank) for rank in cards.ranks)
    for line in range(ranks):
        yield " " * (ranks + 2) + " ".join("".join(_rank(cards, card).ljust(ranks)[line] for card in suit) for suit in suits)
    last = " ".join((_suit(cards, suit[0], signs) if suit else "").ljust(len(suit)) for suit in suits)
    yield " " * (ranks + 2) + last
    for suit in suits:
        for card in suit:
            mask = grid.rows[card]
            row = " ".join("".join(HOLDS if mask >> other & 1 else FAILS for other in column) for column in suits)
            yield cards.text(card, signs).rjust(ranks + 1) + " " + row


def _rank(cards: Cards, card: int) -> str:
    return cards.ranks[card // cards.copies // len(cards.suits)]


def _suit(cards: Cards, card: int, signs: bool) -> str:
    return cards.text(card, signs).removeprefix(_rank(cards, card))


def _cards(relation: Relation, mask: int) -> list[int]:
    return [card for card in relation.cards if mask >> card & 1]


@click.command("compile", short_help="Print the code that RULES become.")
@with_rules
@click.option("--watched", is_flag=True, default=False, help="Print the form of the code that reports each card that moves.")
def compile_command(rules: str, settings: tuple[tuple[str, str], ...], later_wins: bool, watched: bool) -> None:
    """Print the Python code that RULES become, with a legend of its state and its tables."""
    import ast

    game = loaded(rules, settings, later_wins)
    program = game.program
    emitted = program.watched if watched else program.plain
    options = " ".join(f"{name}={text}" for name, text in game.options.items())
    say(f"# {game.id} {game.hash}")
    for line in wrap(options, WIDEST, initial_indent="# with ", subsequent_indent="#      ", break_on_hyphens=False):
        say(line)
    say("#\n# The state s is a list of numbers (sets are masks of bits, none is -1):")
    for place in program.layout.places:
        last = place.start + place.length - 1
        say(f"#   s[{place.start}]" + (f" to s[{last}]" if place.length > 1 else "") + f": {place.label}")
    say("#\n# What is chosen next depends on s[0]; bits of the mask that legal_N gives:")
    for number, node in enumerate(program.nodes):
        parts = ", ".join(_segment(game, segment.move, segment.pick, segment.offset, segment.size) for segment in node.segments)
        for line in wrap(f"{number}: {node.phase}: {parts}", WIDEST, initial_indent="#   ", subsequent_indent="#      "):
            say(line)
    say("#")
    for name, table, what in _tables(emitted):
        if what:
            say(f"# {what}")
        for line in _wrapped(f"{name} = {table}"):
            say(line)
    for function in [*emitted.functions, *program.assembly.ends().functions]:
        say(f"\n# {function.what} ({function.path}:{function.tree.body[0].lineno})")
        say(ast.unparse(ast.fix_missing_locations(function.tree)))


def _segment(game: Game, move: str, pick: int, offset: int, size: int) -> str:
    picks = game.program.moves[move].picks
    where = f"bit {offset}" if size == 1 else f"bits {offset} to {offset + size - 1}"
    return f"'{move}'{f' {picks[pick].name}' if picks else ''} {where}"


def _tables(emitted: Emitted) -> Iterator[tuple[str, str, str]]:
    """The constants that the code uses: the deck, and rows of masks with what they say."""
    for name, value in emitted.names.items():
        if name == "DECK" and isinstance(value, int):
            yield name, hex(value), "the cards in the game"
        elif name[0] == "T" and name[1:].isdigit() and isinstance(value, tuple):
            at = emitted.tables[int(name[1:])].condition.at
            yield name, f"({', '.join(map(hex, value))}{',' if len(value) == 1 else ''})", f"{_words(at)} ({at})" if at else ""
        elif name.startswith("SHAPE_"):
            yield name, str(value), "sizes; what is left of a shape after so many cards of a rank; what it was before at most so many"


def _wrapped(table: str) -> list[str]:
    """The lines of a constant: a long row of numbers goes on in the next line, within its brackets."""
    if len(table) <= WIDEST:
        return [table]
    head, _, numbers = table.removesuffix(")").partition("(")
    return [
        f"{head}(",
        *wrap(numbers + ("" if numbers.endswith(",") else ","), WIDEST, initial_indent="    ", subsequent_indent="    "),
        ")",
    ]


def _words(at: Span) -> str:
    return at.quoted[at.column - 1 : at.column - 1 + at.length]
