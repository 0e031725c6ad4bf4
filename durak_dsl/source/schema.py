"""Nodes against the schema of rule files, the one statement of their structure, and what it says about keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from durak_dsl.problems import Problem, Span, did_you_mean, listed
from durak_dsl.source.nodes import Map, Node, Seq, Text, plain
from durak_dsl.source.text import MOST_PROBLEMS, latin, shipped

if TYPE_CHECKING:
    from jsonschema import Draft7Validator, ValidationError

Schema = Mapping[str, Any]
_MOST_SHOWN = 60


@cache
def schema() -> Schema:
    """The schema of rule files."""
    loaded: Schema = json.loads((shipped("schema") / "rules.schema.json").read_text("utf-8"))
    return loaded


@cache
def head_keys() -> frozenset[str]:
    """The keys in which a file speaks about itself: they are not merged, and stand first."""
    return frozenset(key for key, inner in schema()["properties"].items() if inner.get("$comment") == "head")


@dataclass(frozen=True)
class Place:
    """A place in a rule file as the schema sees it: every branch of the schema that may speak there."""

    branches: tuple[Schema, ...]

    def owns(self, key: str) -> bool:
        """Whether the key is the language's own here, not a name that the file has chosen."""
        return any(key in branch.get("properties", ()) or _patterned(branch, key) for branch in self.branches)

    def under(self, key: str) -> Place:
        """The place under a key."""
        inner: list[Schema] = []
        for branch in self.branches:
            if key in branch.get("properties", ()):
                inner.append(branch["properties"][key])
            elif patterned := _patterned(branch, key):
                inner += patterned
            elif isinstance(branch.get("additionalProperties"), Mapping):
                inner.append(branch["additionalProperties"])
        return Place(tuple(_branches(inner)))


def root() -> Place:
    """The place of a whole rule file."""
    return Place(tuple(_branches([schema()])))


def is_control(node: Map) -> bool:
    """Whether a mapping is an `if`, `for each` or `repeat` with what it governs."""
    return any(re.search(pattern, entry.key.value) for pattern in schema()["definitions"]["control"]["patternProperties"] for entry in node)


def check(node: Map, *, resolved: bool = False) -> list[Problem]:
    """The breaches of the schema, all unless they are very many; a resolved document is a whole game without its head."""
    if not resolved and (misspelt := _misspelt_changes(node)) is not None:
        return [misspelt]  # whatever else is wrong is said of a whole game, which this is not meant to be
    errors = _validator(resolved).iter_errors(plain(node))
    problems = [*islice((problem for error in errors for problem in _problems(error, node)), MOST_PROBLEMS)]
    # Where several branches of the schema want different types, the widest is what is wanted.
    widest = {problem.span: problem for problem in sorted(problems, key=lambda problem: len(problem.message)) if problem.code == "type"}
    problems = [problem for problem in problems if problem.code != "type" or problem is widest[problem.span]]
    if not resolved:
        problems += _late_heads(node)
    problems += [problem for entry in node if entry.key.value != "examples" for problem in _broken_control(entry.value)]
    return [*dict.fromkeys(problems)]


def _misspelt_changes(node: Map) -> Problem | None:
    """That a key is meant to be `changes`, where there is no such key."""
    known = list(schema()["properties"])
    if node.get("changes") is not None:
        return None
    unknown = (_unknown_key(entry.key, known, "a rule file") for entry in node if entry.key.value not in known)
    return next((problem for problem in unknown if "'changes'" in problem.hint), None)


def _late_heads(node: Map) -> Iterator[Problem]:
    rules = False
    for entry in node:
        if entry.key.value not in head_keys():
            rules = True
        elif rules:
            hint = f"first come {', '.join(key for key in schema()['properties'] if key in head_keys())}"
            yield Problem("order", f"'{entry.key.value}' stands after the rules", entry.key.span, hint)


def _broken_control(node: Node) -> Iterator[Problem]:
    """What the schema cannot say: the order of `if`, `else if` and `else`."""
    if isinstance(node, Seq):
        for item in node:
            yield from _broken_control(item)
    elif isinstance(node, Map):
        words = [re.match(r"(else if|if|else|for each|repeat)( |$)", entry.key.value) for entry in node]
        if words and all(words):
            yield from _misplaced(node, [match[1] for match in words if match])
        for entry in node:
            yield from _broken_control(entry.value)


def _misplaced(node: Map, words: list[str]) -> Iterator[Problem]:
    for entry, word, before in zip(node, words, ["", *words], strict=False):
        if word.startswith("else") and before not in ("if", "else if"):
            hint = "" if before else "it stands below its 'if', in the same item of a list: without a dash"
            yield Problem("control", f"there is no 'if' before this '{word}'", entry.key.span, hint)
        elif not word.startswith("else") and before:
            hint = "write a list: each '- if …' with its own 'else'"
            yield Problem("control", f"'{word}' cannot follow '{before}' in one mapping", entry.key.span, hint)


def _branches(schemas: Iterable[Schema]) -> Iterator[Schema]:
    for one in schemas:
        yield one
        if "$ref" in one:
            yield from _branches([schema()["definitions"][one["$ref"].rpartition("/")[2]]])
        else:
            yield from _branches(one[word] for word in ("then", "else") if word in one)


def _patterned(branch: Schema, key: str) -> list[Schema]:
    return [inner for pattern, inner in branch.get("patternProperties", {}).items() if re.search(pattern, key)]


def _patterned_words(branch: Schema) -> list[str]:
    """The keys that may stand with parameters: `first` of `first(player p)`."""
    return [match[1] for pattern in branch.get("patternProperties", {}) if (match := re.match(r"\^([a-z]+)\(\\\(", pattern))]


@cache
def _validator(resolved: bool) -> Draft7Validator:
    from jsonschema import Draft7Validator
    from referencing import Registry

    # An empty registry: no reference is ever fetched.
    return Draft7Validator({**schema(), "required": []} if resolved else dict(schema()), registry=Registry())


def _problems(error: ValidationError, root_node: Map) -> Iterator[Problem]:
    node, key = _at(root_node, list(error.absolute_path))
    where = node.span if isinstance(node, Text) or key is None else key.span
    what = f"'{_short(key.value.removeprefix('+'))}'" if key is not None else "a rule file"
    at = error.schema if isinstance(error.schema, Mapping) else {}
    value: Any = error.instance
    limit: Any = error.validator_value
    if isinstance(node, Map) and isinstance(value, str):
        yield _bad_name(node, value, at)
    elif "errorMessage" in at:
        yield Problem("schema", f"{what}: {at['errorMessage']}", where)
    elif error.validator == "additionalProperties" and isinstance(node, Map):
        known = [*at.get("properties", ()), *_patterned_words(at)]
        for entry in node:
            if entry.key.value not in known and not _patterned(at, entry.key.value):
                yield _unknown_key(entry.key, known, what) if known else _not_control(entry.key)
    elif error.validator == "required":
        missing = [name for name in limit if name not in value]
        hint = "a file that edits other rules names them: 'changes: …'" if key is None and "deck" in missing else ""
        yield Problem("missing", f"{what} lacks {listed([repr(name) for name in missing], 'and')}", where, hint)
    elif error.validator == "type":
        yield _wrong_type(error, node, what, where)
    elif isinstance(value, str):
        yield _wrong_text(error, value, where, what)
    else:
        yield Problem("schema", f"{what}: {_COUNTS.get(str(error.validator), 'this does not fit the language')}", where)


_TYPES = {"object": "a mapping", "array": "a list", "string": "a text"}
_COUNTS = {
    "minProperties": "something is missing here",
    "maxProperties": "'before' and 'after' do not go together",
    "minItems": "the list is empty",
}


def _at(node: Node, path: Sequence[str | int]) -> tuple[Node, Text | None]:
    key: Text | None = None
    for step in path:
        if isinstance(node, Map):
            entry = next(entry for entry in node if entry.key.value == step)
            node, key = entry.value, entry.key
        elif isinstance(node, Seq) and isinstance(step, int):
            node = node.items[step]
    return node, key


def _unknown_key(key: Text, known: list[str], what: str) -> Problem:
    name = key.value.removeprefix("+")
    hint = f"'{name}' is a key of the language: no + is needed" if name in known else did_you_mean(latin(name), known)
    if not hint and len(known) <= 12:
        hint = f"known here: {', '.join(known)}"
    return Problem("unknown-key", f"{what} has no key '{_short(name)}'", key.span, hint)


def _not_control(key: Text) -> Problem:
    hint = "one mapping holds an 'if' with its 'else', a 'for each' or a 'repeat', and nothing else; a list holds several"
    return Problem("control", f"'{_short(key.value)}' does not belong here", key.span, hint)


def _bad_name(node: Map, name: str, at: Schema) -> Problem:
    span = next((entry.key.span for entry in node if entry.key.value == name), node.span)
    if latin(name) != name:
        letter = next(char for char in name if latin(char) != char)
        message = f"'{_short(name)}' has a letter of another alphabet: '{letter}'"
        return Problem("look-alike", message, span, f"write '{_short(latin(name))}'")
    return Problem("name", f"'{_short(name)}': {at.get('patternErrorMessage', 'the name is too long')}", span)


def _wrong_type(error: ValidationError, node: Node, what: str, where: Span) -> Problem:
    value: Any = error.instance
    found = "a mapping" if isinstance(value, dict) else "a list" if isinstance(value, list) else f"the text '{_short(value)}'"
    types: Any = error.validator_value
    wanted = listed([_TYPES[name] for name in ([types] if isinstance(types, str) else types)])
    hint = ""
    if isinstance(node, Text) and node.plain and (match := re.match(r"([a-z][a-z _]*):(\S.*)", node.value)):
        hint = f"write a space after the colon: '{match[1]}: {_short(match[2])}'"
    return Problem("type", f"{what} wants {wanted}, not {found}", where, hint)


def _wrong_text(error: ValidationError, value: str, where: Span, what: str) -> Problem:
    at = error.schema if isinstance(error.schema, Mapping) else {}
    shown = _short(value)
    limit: Any = error.validator_value
    if error.validator == "enum":
        words = [str(word) for word in limit if word != "removed"]
        hint = did_you_mean(value, words)
        return Problem("value", f"{what} is {listed(words)}, not '{shown}'", where, hint)
    if error.validator == "maxLength":
        return Problem("too-long", f"{what} is longer than {limit} characters", where)
    message = str(at.get("patternErrorMessage", "this text does not fit"))
    return Problem("value", f"'{shown}': {message}", where, _instead(value, str(at.get("title", ""))))


def _instead(value: str, wanted: str) -> str:
    """What to write for a scalar that YAML readers take for something else."""
    if wanted != "a number":
        return ""
    for pattern, base in ((r"0x([0-9A-Fa-f]{1,7})", 16), (r"0o([0-7]{1,9})", 8), (r"0b([01]{1,28})", 2), (r"0+([0-9]{1,9})", 10)):
        if match := re.fullmatch(pattern, value):
            return f"write {int(match[1], base)}"
    if match := re.fullmatch(r"([0-9]{1,9})\.0*", value):
        return f"write {match[1]}"
    if match := re.fullmatch(r"([0-9]{1,4})e([0-5])", value):
        return f"write {match[1] + '0' * int(match[2])}"
    if re.fullmatch(r"[0-9][0-9_]{1,11}", value):
        return f"write {value.replace('_', '')}"
    return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_SHOWN else line[: _MOST_SHOWN - 1] + "…"
