"""YAML text as nodes with positions. Stricter than YAML: text, lists and mappings only, and nothing that can be misread."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from durak_dsl.problems import Problem, RuleError, Span
from durak_dsl.source.text import MOST_PROBLEMS, Source, decode, wrong_character
from durak_dsl.source.wording import in_plain_words

MOST_DEPTH = 24
MOST_EVENTS = 10_000
MOST_KEY = 120


@dataclass(frozen=True)
class Stretch:
    """Where the value of a scalar stands in its source, and how it is written: `'` `"` `|` `>` or plain."""

    source: Source
    start: int
    style: str


@dataclass(frozen=True)
class Text:
    """A scalar: its text, where it stands, and whether it is written without quotes."""

    value: str
    span: Span
    plain: bool = True
    stretch: Stretch | None = field(default=None, repr=False, compare=False)

    def at(self, offset: int, length: int = 1) -> Span:
        """The place in the file of a stretch of the value (its part on the first line, where it is folded)."""
        if self.stretch is None:
            return self.span
        points = self._points
        last = len(points) - 1
        start = points[min(offset, last)][0]
        end = points[min(max(offset + length - 1, offset), last)][1]
        return self.stretch.source.span(start, max(end, start + 1))

    @cached_property
    def _points(self) -> tuple[tuple[int, int], ...]:
        """Start and end in the source of each character of the value, and of its end."""
        assert self.stretch is not None
        return tuple(_points(self.stretch, self.value))


@dataclass(frozen=True)
class Seq:
    """A list."""

    items: tuple[Node, ...]
    span: Span

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


@dataclass(frozen=True)
class Entry:
    """A key and what it says."""

    key: Text
    value: Node


@dataclass(frozen=True)
class Map:
    """A mapping, in the order of the file; its span is that of its first key."""

    entries: tuple[Entry, ...]
    span: Span

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def get(self, name: str) -> Node | None:
        """The value under a key."""
        return next((entry.value for entry in self.entries if entry.key.value == name), None)

    def key(self, name: str) -> Text | None:
        """The key itself, for its place."""
        return next((entry.key for entry in self.entries if entry.key.value == name), None)


Node = Text | Seq | Map


def load(data: bytes, path: str) -> Map:
    """The root mapping of a rule file; raises a `RuleError` with every problem that could be found."""
    return _Builder(decode(data, path)).document()


def head(data: bytes, path: str, keys: frozenset[str]) -> Map:
    """The first entries of the root mapping, up to the first key that is none of `keys`: the rest is not read."""
    return _Builder(decode(data, path), keys).document()


def plain(node: Node) -> object:
    """The node as JSON values: dict, list and str, keys as written."""
    if isinstance(node, Text):
        return node.value
    if isinstance(node, Seq):
        return [plain(item) for item in node.items]
    return {entry.key.value: plain(entry.value) for entry in node.entries}


class _Events(Reader, Scanner, Parser):
    """PyYAML's own scanner and parser in Python, nothing after them: its C twin reads some files differently."""

    def __init__(self, text: str):
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


class _Stop(Exception):
    """Nothing more can be read."""


class _Builder:
    def __init__(self, source: Source, only: frozenset[str] | None = None):
        self.source = source
        self.only = only
        self.problems: list[Problem] = []
        self.count = 0
        self.split = False  # a comma has cut a text in these brackets: what follows in them is not told again
        self.events = _Events(source.text)

    def document(self) -> Map:
        root: Node | None = None
        with contextlib.suppress(_Stop):
            root = self.root()
        if root is not None and not isinstance(root, Map) and not self.problems:
            self.refuse("structure", "a rule file is a mapping of keys, such as 'durak: 1'", root.span)
        if self.problems:
            raise RuleError(self.problems)
        assert isinstance(root, Map)
        return root

    def root(self) -> Node | None:
        self.next()  # the start of the stream
        start = self.next()
        if isinstance(start, StreamEndEvent):
            self.refuse("empty", "the file is empty", self.source.span(0, 1))
            return None
        if isinstance(start, DocumentStartEvent) and (start.version or start.tags):
            self.refuse("directive", "YAML directives (lines that start with %) are not allowed", self.place(start))
        root = self.node(self.next(), 0, False)
        if self.only is not None:
            return root
        if not isinstance(self.next(), DocumentEndEvent):
            raise _Stop
        end = self.next()
        if not isinstance(end, StreamEndEvent):
            self.refuse("document", "a second document begins here; a rule file is one", self.place(end))
        return root

    def next(self) -> Event:
        self.count += 1
        if self.count > MOST_EVENTS:
            self.refuse("too-long", "the file has too many keys and values", self.source.span(self.events.index, self.events.index + 1))
            raise _Stop
        try:
            event: Event | None = self.events.get_event()  # type: ignore[no-untyped-call]
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            unclosed = "quoted scalar" in (error.context or "") and "end of stream" in (error.problem or "")
            if unclosed and error.context_mark:
                mark = error.context_mark
            here = min(mark.index if mark else 0, max(0, len(self.source.text) - 1))
            message, hint = in_plain_words(error.context or "", error.problem or "", self.source.text, here)
            self.refuse("yaml", message, self.source.span(here, here + 1), hint)
            raise _Stop from None
        except (YAMLError, ValueError, OverflowError):
            # An escape such as "\UFFFFFFFF" is no character.
            here = self.events.index
            self.refuse("character", "an escape in the quoted text is not a character", self.source.span(here, here + 1))
            raise _Stop from None
        assert event is not None
        return event

    def place(self, event: Event) -> Span:
        return self.source.span(*_bounds(event))

    def refuse(self, code: str, message: str, span: Span, hint: str = "", also: tuple[tuple[str, Span], ...] = ()) -> None:
        self.problems.append(Problem(code, message, span, hint, also))
        if len(self.problems) >= MOST_PROBLEMS:
            raise _Stop

    def node(self, event: Event, depth: int, flow: bool) -> Node:
        if isinstance(event, AliasEvent):
            self.refuse("alias", "aliases (*name) are not allowed", self.place(event), "a text that begins with '*' must be quoted")
            return Text("-", self.place(event))
        if isinstance(event, NodeEvent) and event.anchor is not None:
            self.refuse("anchor", "anchors (&name) are not allowed", self.place(event), "a text that begins with '&' must be quoted")
        if isinstance(event, (ScalarEvent, CollectionStartEvent)) and event.tag is not None:
            self.refuse("tag", "tags (!name) are not allowed", self.place(event), "a text that begins with '!' must be quoted")
        if isinstance(event, ScalarEvent):
            return self.text(event, flow)
        assert isinstance(event, CollectionStartEvent)
        if depth == MOST_DEPTH:
            self.refuse("depth", f"this is nested more than {MOST_DEPTH} levels deep", self.place(event))
            raise _Stop
        outside, self.split = self.split, False
        kind = self.mapping if isinstance(event, MappingStartEvent) else self.sequence
        node = kind(event, depth + 1, bool(event.flow_style))
        self.split = outside
        return node

    def sequence(self, start: CollectionStartEvent, depth: int, flow: bool) -> Seq:
        items: list[Node] = []
        while not isinstance(inner := self.next(), SequenceEndEvent):
            if isinstance(inner, ScalarEvent) and _is_nothing(inner):
                self.refuse("empty", "nothing stands after '-'", self.place(inner))
                continue
            items.append(self.node(inner, depth, flow))
        return Seq(tuple(items), self.place(start))

    def mapping(self, start: CollectionStartEvent, depth: int, flow: bool) -> Map:
        entries: list[Entry] = []
        seen: dict[str, Text] = {}
        while not isinstance(event := self.next(), MappingEndEvent):
            if depth == 1 and self.only is not None and isinstance(event, ScalarEvent) and event.value not in self.only:
                break
            key = self.key(event, depth, flow)
            value = self.next()
            if isinstance(value, ScalarEvent) and _is_nothing(value) and key is not None and not value.tag and not value.anchor:
                self.nothing(key, value)
                continue
            node = self.node(value, depth, flow)
            if key is None:
                continue
            name = key.value.removeprefix("+")
            if name in seen:
                self.refuse("duplicate", f"'{name}' stands twice in this mapping", key.span, also=(("the first is", seen[name].span),))
                continue
            seen[name] = key
            entries.append(Entry(key, node))
        return Map(tuple(entries), entries[0].key.span if entries else self.place(start))

    def key(self, event: Event, depth: int, flow: bool) -> Text | None:
        if not isinstance(event, ScalarEvent) or event.anchor or event.tag:
            if isinstance(event, MappingStartEvent) and event.flow_style:
                self.refuse("key", "a mapping cannot be a key", self.place(event), "a text that begins with '{' must be quoted")
            elif isinstance(event, CollectionStartEvent):
                self.refuse("key", "a list or mapping cannot be a key", self.place(event), "a text that begins with '[' must be quoted")
            self.node(event, depth, flow)
            return None
        if _is_nothing(event):
            self.refuse("key", "a key is missing before ':'", self.place(event))
            return None
        key = self.text(event, flow)
        before = key.span.quoted[: key.span.column - 1].rstrip()
        if before.endswith("?"):
            self.refuse("key", "keys marked with '?' are not allowed", key.span)
        elif not key.value.strip() or "\n" in self.source.text[slice(*_bounds(event))]:
            self.refuse("key", "a key is a text of one line", key.span)
        elif len(key.value) > 5 * MOST_KEY or (len(key.value) > MOST_KEY and "(" not in key.value and " " not in key.value):
            self.refuse("too-long", "the key is too long", key.span)
        else:
            return key
        return None

    def nothing(self, key: Text, value: ScalarEvent) -> None:
        if self.split:
            return
        name, colon, rest = key.value.partition(":")
        end = _bounds(value)[1]
        after = self.source.text[end : self.source.text.find("\n", end)]
        if colon and rest and key.plain:
            self.refuse("colon", f"'{key.value}' is one text", key.span, f"write a space after the colon: '{name}: {rest}'")
        elif after.lstrip().startswith("#"):
            self.refuse("empty", f"nothing stands after '{key.value}:': '#' begins a comment", key.span, "quote the text")
        else:
            self.refuse("empty", f"nothing stands after '{key.value}'", key.span)

    def text(self, event: ScalarEvent, flow: bool) -> Text:
        start, end = _bounds(event)
        style = event.style or ""
        value = event.value
        stretch = Stretch(self.source, start, style)
        text = Text(value, self.source.span(start, end), not style, stretch)
        if style and style in "|>":
            header = self.source.text[start : self.source.text.find("\n", start)]
            if any(char.isdigit() for char in header.partition("#")[0]):
                self.refuse("yaml", f"a text that begins with '{style}' must be quoted", text.span)
            text = replace(text, value=value.rstrip("\n"))
            if text.value.strip():
                return replace(text, span=text.at(0, len(text.value)))
            self.refuse("empty", f"nothing stands after '{style}'", text.span)
            return text
        escaped = style == '"' and "\\" in self.source.text[start:end]
        if escaped:
            self.escapes(text)
        if "\n" in value and not escaped:
            self.refuse("yaml", "an empty line stands inside this text", text.span)
        if not style:
            if re.match(" #", self.source.text[end : end + 2]):
                self.refuse(
                    "comment",
                    "one space and '#' after a text: it would be cut here",
                    self.source.span(end + 1, end + 2),
                    "quote the text, or put two spaces before the comment",
                )
            if flow and not self.split and value.count("(") != value.count(")"):
                self.split = True
                self.refuse(
                    "flow",
                    "inside { } and [ ] a comma ends the text, also between round brackets",
                    text.span,
                    "quote the text or write it on a line of its own",
                )
        return text

    def escapes(self, text: Text) -> None:
        for offset, char in enumerate(text.value):
            wrong = wrong_character(char)
            here = text.at(offset)
            if char == "\n":
                wrong = "a line break"
            if wrong:
                self.refuse("character", f"{wrong} is not allowed here", here)
                return


def _is_nothing(event: ScalarEvent) -> bool:
    start, end = _bounds(event)
    return not event.value and not event.style and start == end


def _bounds(event: Event) -> tuple[int, int]:
    assert event.start_mark is not None
    assert event.end_mark is not None
    return event.start_mark.index, event.end_mark.index


_ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}


def _points(stretch: Stretch, value: str) -> Iterator[tuple[int, int]]:
    """Walks the source beside the value: what is not white space stands in both in the same order, but for quotes and escapes."""
    text, style = stretch.source.text, stretch.style
    here = stretch.start
    if style and style in "|>":
        here = text.find("\n", here) + 1
    elif style:
        here += 1
    for char in value:
        while style == '"' and text.startswith("\\\n", here):
            here = _past_blanks(text, here + 2)
        if char not in " \n":
            here = _past_blanks(text, here)
        width = 1
        if style == "'" and char == "'":
            width = 2
        elif style == '"' and text.startswith("\\", here):
            width = _ESCAPE_LENGTHS.get(text[here + 1], 2)
        yield here, here + width
        here += width
    yield here, here + 1


def _past_blanks(text: str, here: int) -> int:
    while text[here] in " \n":
        here += 1
    return here
