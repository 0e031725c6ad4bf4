"""What the examples of a rule file leave unproven: clauses that it states, and values of its options."""

from __future__ import annotations

from collections.abc import Iterator

from durak_dsl.problems import Problem, Span
from durak_dsl.source.library import RuleFile
from durak_dsl.source.nodes import Map, Text
from durak_dsl.table.examples import ExampleReport
from durak_dsl.table.game import Game


def unproven(file: RuleFile, game: Game, report: ExampleReport) -> Iterator[Problem]:
    """A warning for each clause without an example, each example of a clause that nobody states, each option value that none sets."""
    for entry in file.clauses or ():
        if entry.key.value not in report.proves:
            yield _warning(f"no example proves clause {entry.key.value}", entry.key.span, "an example names it under 'proves'")
    stated = {entry.key.value for one in game.document.files for entry in one.clauses or ()}
    sections = {clause.partition(".")[0] for clause in stated}
    for clause, (first, *_) in report.proves.items():
        if clause not in stated and clause.partition(".")[0] in sections:
            place = file.examples.key(first) if file.examples else None
            yield _warning(f"example '{first}' proves clause {clause}, which is not stated under 'clauses'", place.span if place else None)
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


def _warning(message: str, span: Span | None, hint: str = "") -> Problem:
    return Problem("unproven", message, span, hint, warning=True)
