"""Every key of a rule file, from the schema: where it stands, what it says, its value, examples; and the names that files choose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from durak_dsl.source import schema
from durak_dsl.source.schema import Place, Schema
from tests.reference.tables import table

NAME = "NAME"
KINDS = {"object": "a mapping", "array": "a list", "string": "a text"}
# Texts that YAML would read as something else.
_QUOTED = re.compile(r"^[!&*>|%@`\[{?'\"-]|: |:$| #|^$")


@dataclass(frozen=True)
class Key:
    """A key of the language: its path as an example writes it, what the schema says of it, and whether a whole game must have it."""

    path: tuple[str, ...]
    schema: Schema
    needed: bool

    @property
    def examples(self) -> list[Any]:
        """What may stand under it."""
        return list(self.schema.get("examples") or _meant(self.schema).get("examples", ()))


@dataclass(frozen=True)
class Section:
    """The keys, or the names of a file's own, that stand at one place; or at all places of one kind, which its title names."""

    path: tuple[str, ...]
    schema: Schema
    title: str
    keys: tuple[Key, ...]
    through: tuple[int, ...]


@dataclass
class _Walk:
    sections: list[Section] = field(default_factory=list)
    visits: Counter[int] = field(default_factory=Counter)

    def walk(self, place: Place, path: tuple[str, ...], title: str, through: tuple[int, ...]) -> None:
        """Collects what stands at the place and below it; what has been collected is only counted."""
        demands = {key for branch in place.branches if "errorMessage" not in branch for key in branch.get("required", ())}
        for branch in place.branches:
            title = branch.get("title", title)
            keys = tuple(_keys(branch, path, demands))
            names = isinstance(branch.get("additionalProperties"), Mapping) and "propertyNames" in branch
            if not keys and not names:
                continue
            self.visits[id(branch)] += 1
            if self.visits[id(branch)] > 1:
                continue
            here = (*through, id(branch))
            self.sections.append(Section(path, branch, title, keys, here))
            for key in keys:
                self.walk(place.under(key.path[-1]), key.path, key.schema.get("title", ""), here)
            if names:
                self.walk(place.under(NAME), (*path, NAME), "", here)


@cache
def _walked() -> _Walk:
    walk = _Walk()
    walk.walk(schema.root(), (), "", ())
    return walk


def sections() -> list[Section]:
    """The places where keys or names stand, each once."""
    return _walked().sections


def _keys(branch: Schema, path: tuple[str, ...], demands: set[str]) -> Iterator[Key]:
    for key, inner in branch.get("properties", {}).items():
        if "title" in inner or "examples" in _meant(inner):  # the schema of a whole game only says which keys it must have
            yield Key((*path, key), inner, key in demands)
    for inner in branch.get("patternProperties", {}).values():
        written = inner["$comment"].removeprefix("written as ")
        yield Key((*path, written), inner, written.partition("(")[0] in demands)


def _meant(inner: Schema) -> Schema:
    """What a reference leads to, else the schema itself."""
    return schema.schema()["definitions"][inner["$ref"].rpartition("/")[2]] if "$ref" in inner else inner


# ---- the page -------------------------------------------------------------------------------------------------------


def lines() -> list[str]:
    """A table of keys for each place, and one of what names are made of."""
    found: list[str] = []
    for section in sections():
        if section.keys:
            found += [f"### {_heading(section)}", "", *_told(section)]
            found += [*table(("key", "what it says", "value", "for example"), map(_row, section.keys)), ""]
    made: dict[str, list[str]] = {}
    for section in sections():
        if "propertyNames" in section.schema:
            rule = _meant(section.schema["propertyNames"])
            marked = rule["pattern"].startswith("^\\+?")  # the mark of a new name does not count
            length = f"; at most {rule['maxLength'] - marked} characters" if "maxLength" in rule else ""
            made.setdefault(rule["patternErrorMessage"] + length, []).append(_heading(section))
    return [
        *found,
        "### Names",
        "",
        *table(("where", "what a name is there"), ((", ".join(places), rule) for rule, places in made.items())),
    ]


def _is_shared(section: Section) -> bool:
    return any(_walked().visits[one] > 1 for one in section.through)


def _heading(section: Section) -> str:
    if _is_shared(section):
        return f"{section.title[0].upper()}{section.title[1:]}" if section.keys else section.title
    return f"`{': '.join(section.path)}`" if section.path else "The whole file"


def _told(section: Section) -> list[str]:
    """What the schema says of the place, unless the table of the whole file has said it."""
    description = section.schema.get("description", "") if _is_shared(section) else ""
    return [description, ""] if description else []


def _row(key: Key) -> tuple[str, ...]:
    meant = _meant(key.schema)
    title = key.schema.get("title") or meant["title"]
    more = key.schema.get("description") or (meant.get("description", "") if "title" not in key.schema else "")
    says = more if key.path[-1].startswith(title) and more else f"{title[0].upper()}{title[1:]}. {more}".strip()
    shown = f"{title} …" if key.path[-1].startswith(f"{title} ") else key.path[-1]
    examples = " · ".join(f"`{key.path[-1]}: {written(value)}`" for value in key.examples)
    return (f"`{shown}`" + (" \\*" if key.needed else ""), says, _value(key.schema), examples)


def _value(inner: Schema) -> str:
    meant = _meant(inner)
    if "enum" in meant:
        return " or ".join(f"`{word}`" for word in meant["enum"] if word != "removed")
    if "$ref" in inner and "title" in inner:
        return str(meant["title"])
    if meant.get("if") == {"const": "removed"}:
        return _value({"title": "", **meant["else"]})
    if isinstance(meant.get("type"), str) and meant["type"] != "string":
        return KINDS[meant["type"]]
    return str(meant["patternErrorMessage"])


def written(value: Any, within: bool = False) -> str:
    """A value as YAML in one line; a mapping in braces."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_scalar(key, True)}: {written(inner, True)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(written(inner, True) for inner in value)}]"
    return _scalar(value, within)


def _scalar(text: str, within: bool) -> str:
    return f'"{text}"' if _QUOTED.search(text) or (within and any(sign in text for sign in "[]{},")) else text
