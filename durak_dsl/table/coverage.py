"""What the examples of a rule file leave unproven: clauses that it states, and values of its options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache

from durak_dsl.problems import Problem, RuleError, Span, did_you_mean
from durak_dsl.source import library, overlay
from durak_dsl.source.library import RuleFile
from durak_dsl.source.nodes import Map, Text
from durak_dsl.table.examples import ExampleReport, rules_named
from durak_dsl.table.game import Game


def unproven(file: RuleFile, game: Game, report: ExampleReport) -> Iterator[Problem]:
    """A warning for each clause without an example, each clause proved that nobody states, each option value that none sets."""
    for entry in file.clauses or ():
        if entry.key.value not in report.proves:
            yield _warning(f"no example proves clause {entry.key.value}", entry.key.span, "an example names it under 'proves'")
    yield from _nobody_states(file, game, report)
    options = file.rules.get("options")
    for entry in options if isinstance(options, Map) else ():
        name = entry.key.value.removeprefix("+")
        option = game.rules.options.get(name)
        states_values = isinstance(entry.value, Map) and any(entry.value.get(key) for key in ("choose", "range"))
        if option is None or not states_values:
            continue
        default = entry.value.get("default") if isinstance(entry.value, Map) else None
        usual = default.value if isinstance(default, Text) else game.options[name]  # what the file's own examples are played with
        seen = report.settings.get(name, set()) | {usual}
        if not option.words and seen == {usual}:
            yield _warning(f"no example sets option '{name}' to another number than {usual}", entry.key.span)
        for value in option.words:
            if value not in seen:
                yield _warning(f"no example sets option '{name}' to '{value}'", entry.key.span)


def _nobody_states(file: RuleFile, game: Game, report: ExampleReport) -> Iterator[Problem]:
    """A warning for each clause that examples prove, but neither the game states nor the rules of the example, nor any shipped file.

    Where the game or the rules of the example state other clauses of the same section, they are the ones who state it.
    """
    own = _clauses(game.document.files)
    for clause, names in report.proves.items():
        if re.fullmatch(r"T\d+", clause):
            continue  # a trap, which nobody states
        for name in names:
            near = own | _clauses(_rules_of(file, name))
            if clause in near:
                continue
            anywhere = frozenset() if _section(clause) in map(_section, near) else _shipped()
            if clause not in anywhere:
                place = file.examples.key(name) if file.examples else None
                message = f"example '{name}' proves clause {clause}, which is not stated under 'clauses'"
                yield _warning(message, place.span if place else None, did_you_mean(clause, sorted(near | anywhere)))
                break


def _section(clause: str) -> str:
    return clause.partition(".")[0]


def _rules_of(file: RuleFile, name: str) -> Sequence[RuleFile]:
    """The files of the rules that an example names."""
    example = file.examples.get(name) if file.examples else None
    rules = example.get("rules") if isinstance(example, Map) else None
    if not isinstance(rules, Text):
        return ()
    try:
        return overlay.resolve(rules_named(rules.value, file, rules.span)).files
    except RuleError:
        return ()  # the example has said so


def _clauses(files: Iterable[RuleFile]) -> frozenset[str]:
    """What is stated in files."""
    return frozenset(entry.key.value for file in files for entry in file.clauses or ())


@cache
def _shipped() -> frozenset[str]:
    """What is stated in all files that come with the package."""
    found: list[RuleFile] = []
    for head in library.all_files():
        with suppress(RuleError):
            found.append(library.read(head.file))
    return _clauses(found)


def _warning(message: str, span: Span | None, hint: str = "") -> Problem:
    return Problem("unproven", message, span, hint, warning=True)
