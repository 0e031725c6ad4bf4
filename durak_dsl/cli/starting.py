"""`new`: a rule file to start from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from durak_dsl.cli.asked import ascii_option
from durak_dsl.cli.printing import say

if TYPE_CHECKING:
    from durak_dsl import Game
    from durak_dsl.source.nodes import Map

MOST_DEFINITIONS = 60
LONGEST_NAME = 40


@click.command("new", short_help="Write a rule file to start from.")
@click.argument("name")
@click.option("--changes", "base", required=True, metavar="BASE", help="The rules that the new ones are an edit of.")
@ascii_option
def new_command(name: str, base: str) -> None:
    """Write NAME.yaml, a commented rule file that changes BASE: take out the comment signs where something is to be different.

    A whole game is begun from an empty file: docs/own-game.md shows how.
    """
    import durak_dsl
    from durak_dsl.source import library

    id = Path(name).name.removesuffix(".yaml").removesuffix(".yml")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", id) or len(id) > LONGEST_NAME:
        shown = id if len(id) <= LONGEST_NAME else id[:LONGEST_NAME] + "…"
        hint = f"at most {LONGEST_NAME} lower-case letters and digits, a letter first, with hyphens between them"
        raise click.UsageError(f"'{shown}' is no name of rules: {hint}")
    if not all(part.strip() for part in base.split("+")):
        raise click.UsageError("--changes names rules, several joined by +, as in throw-in or transfer+first-five")
    if any(library.folded(id) in map(library.folded, head.called) for head in library.all_files()):
        raise click.UsageError(f"there are rules called '{id}' already; choose another name")
    if any(library.is_path(part) for part in base.split("+")):
        raise click.UsageError("rules are changed by name, not by path: a file in the same folder by its name without .yaml")
    path = Path(name).parent / f"{id}.yaml"
    changed = "+".join(_id(part.strip(), path.parent) for part in base.split("+"))
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(_head(id, changed))
    except FileExistsError:
        raise click.UsageError(f"{path} is already there; nothing was written") from None
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None
    try:
        game = durak_dsl.load(str(path.absolute()))
        path.write_text(_head(id, changed) + _suggestions(game), encoding="utf-8", newline="\n")
        durak_dsl.load(str(path.absolute()))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    say(
        f"{path} is written: an edit of {changed} that changes nothing yet. Then: durak check {_as_path(path)}; durak play {_as_path(path)}"
    )


def _id(name: str, folder: Path) -> str:
    """The id of rules of the library; the name itself for a file in the folder. RuleError where there is neither."""
    from durak_dsl.source import library

    for head in library.all_files():
        if library.folded(name) in map(library.folded, head.called):
            return head.id
    if not any((folder / f"{name}{ending}").is_file() for ending in (".yaml", ".yml")):
        library.find(name)
    return name


def _as_path(path: Path) -> str:
    return str(path) if path.is_absolute() or len(path.parts) > 1 else f"./{path}"


def _head(id: str, base: str) -> str:
    title = id.replace("-", " ").capitalize()
    return f"""\
durak: 1
id: {id}
changes: {base}
names: {{en: "{title}", ru: "{title}"}}        # the second is the Russian name
summary:
  en: "What is different, in a sentence."
  ru: "Что изменено, одной фразой."
"""


def _suggestions(game: Game) -> str:
    """What may be changed, as comments."""
    lines = ["# Take away the '# ' before what you want to change, and the heading over it. Below stands what holds now."]
    if game.rules.options:
        lines += ["", "# options:"]
    width = max((len(name) for name in game.rules.options), default=0)
    for name, option in game.rules.options.items():
        choices = " ".join(option.words) or f"{option.low} to {option.high}"
        setting = f"#   {name}: {' ' * (width - len(name))}{{default: {option.text(option.default)}}}"
        lines.append(f"{setting}  # {choices}; {option.texts.get('en', '')}".rstrip(" ;"))
    lines += ["", *_definitions(game.document.root), "", *_example(game)]
    return "\n".join(lines) + "\n"


def _definitions(root: Map) -> list[str]:
    """The definitions that are one line each."""
    from durak_dsl.source.nodes import Map, Text

    define = root.get("define")
    entries = [entry for entry in define if isinstance(entry.value, Text)] if isinstance(define, Map) else []
    texts = [
        f"#   {entry.key.value}: {entry.value.value}"
        for entry in entries
        if isinstance(entry.value, Text) and "\n" not in entry.value.value
    ]
    return ["# define:", *texts[:MOST_DEFINITIONS]] if texts else []


def _example(game: Game) -> list[str]:
    """An example of the base, to be rewritten into one that shows what the edit does."""
    from durak_dsl.source.nodes import Map
    from durak_dsl.source.render import yaml_text

    for file in reversed(game.document.files):
        if file.examples is not None and file.examples.entries:
            first = Map(file.examples.entries[:1], file.examples.span)
            text = yaml_text(first, "example", origins=False).split("\n\n", 1)[1]
            return ["# Examples are run by 'durak check'. This one is from " + file.id + ":", "# examples:"] + [
                f"#   {line}" for line in text.splitlines()
            ]
    return []
