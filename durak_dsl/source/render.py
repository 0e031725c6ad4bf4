"""Resolved rules as YAML text that can be loaded again; on demand each line with the file that it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import PurePath

from durak_dsl.problems import Span
from durak_dsl.source import schema
from durak_dsl.source.nodes import Map, Node, Seq, Text

_Line = tuple[str, Span | None]
_WIDE = 100
_MARGIN = 72
# What YAML reads as itself without quotes: it begins with a letter, digit or round bracket and holds no sign that ends it.
_BARE = re.compile(r"(?!.*(: |:$| #))[^\W_(](?:.*\S)?|\((?!.*(: |:$| #)).*\S")
_BARE_IN_BRACKETS = re.compile(r"[^\W_][^,\[\]{}:#()]*(?<!\s)")


def yaml_text(root: Map, id: str, *, origins: bool) -> str:
    """The rules as one rule file called `id`."""
    lines: list[_Line] = [("durak: 1", None), (f"id: {id}", None)]
    for entry in root:
        lines += [("", None), *_mapping(Map((entry,), root.span), 0)]
    if not origins:
        return "".join(line + "\n" for line, _ in lines)
    width = max(len(line) for line, _ in lines if len(line) <= _MARGIN)
    return "".join(_with_origin(line, place, width) + "\n" for line, place in lines)


def _with_origin(line: str, place: Span | None, width: int) -> str:
    return f"{line:{width}}  # {PurePath(place.path).name}:{place.line}" if place else line


def _mapping(node: Map, depth: int) -> Iterator[_Line]:
    for entry in node:
        yield from _entry(" " * depth + _scalar(entry.key.value) + ":", entry.key.span, entry.value, depth)


def _entry(key: str, place: Span, node: Node, depth: int) -> Iterator[_Line]:
    """Lines for a key (or the dash of a list) and what stands under it."""
    if isinstance(node, Text) and "\n" in node.value:
        yield f"{key} |", node.span
        yield from ((" " * (depth + 2) + line if line else "", None) for line in node.value.split("\n"))
    elif isinstance(node, Text):
        yield f"{key} {_scalar(node.value)}", node.span
    elif (flat := _flat(node)) is not None and len(key) + len(flat) < _WIDE:
        yield f"{key} {flat}", next(iter(node)).value.span if isinstance(node, Map) and node.entries else node.span
    else:
        yield key, place
        yield from _items(node, depth + 2) if isinstance(node, Seq) else _mapping(node, depth + 2)


def _items(node: Seq, depth: int) -> Iterator[_Line]:
    for item in node:
        dash = " " * depth + "-"
        if isinstance(item, Map):
            # The first key stands beside the dash.
            (first, place), *rest = _mapping(item, depth + 2)
            yield dash + " " + first[depth + 2 :], place
            yield from rest
        else:
            yield from _entry(dash, item.span, item, depth)


def _flat(node: Node) -> str | None:
    """A small mapping or list of words in one line, if it all comes from one file."""
    if isinstance(node, Text):
        return None
    if not (node.entries if isinstance(node, Map) else node.items):
        return "{}" if isinstance(node, Map) else "[]"
    if isinstance(node, Seq) or schema.is_control(node):
        return None
    parts = []
    for entry in node:
        if not isinstance(entry.value, Text) or not all(_BARE_IN_BRACKETS.fullmatch(text.value) for text in (entry.key, entry.value)):
            return None
        parts.append(f"{entry.key.value}: {entry.value.value}")
    files = {entry.value.span.path for entry in node if isinstance(entry.value, Text)}
    return "{" + ", ".join(parts) + "}" if len(files) == 1 else None


def _scalar(text: str) -> str:
    if _BARE.fullmatch(text) and text != "removed":
        return text
    return "'" + text.replace("'", "''") + "'" if '"' in text else json.dumps(text, ensure_ascii=False)
