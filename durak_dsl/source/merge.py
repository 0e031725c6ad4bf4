"""One edit laid over the rules below it: mappings merge by name, anything else replaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from durak_dsl.problems import Problem, RuleError, Span, did_you_mean
from durak_dsl.source import schema
from durak_dsl.source.nodes import Entry, Map, Node, Seq, Text, plain
from durak_dsl.source.text import MOST_PROBLEMS

Path = tuple[str, ...]


@dataclass(frozen=True)
class Rules:
    """Merged rules: every node keeps the place it comes from, what was removed the place that said so; disagreements not yet settled.

    `counts` are the counts of players that hold together: no file among those who said them knows another.
    """

    root: Map
    removed: Mapping[Path, Text] = field(default_factory=dict)
    conflicts: Mapping[Path, Problem] = field(default_factory=dict)
    counts: tuple[Text, ...] = ()


@dataclass
class Laying:
    """One file on its way onto a stack: `known` are the files it was written for, itself among them."""

    known: frozenset[str]
    missing: Callable[[Path], tuple[str, str]]  # for a name that the stack lacks: what to say, and a hint
    problems: list[Problem] = field(default_factory=list)
    removed: dict[Path, Text] = field(default_factory=dict)
    conflicts: dict[Path, Problem] = field(default_factory=dict)
    counts: tuple[Text, ...] = ()

    def lay(self, below: Rules, edit: Map) -> Rules:
        """The rules with the edit laid over them."""
        self.removed, self.conflicts, self.counts = dict(below.removed), dict(below.conflicts), below.counts
        root = self.merge(below.root, edit, schema.root(), ())
        return Rules(root, self.removed, self.conflicts, self.counts)

    def whole(self, rules: Map) -> Map:
        """The rules of a whole game, in which nothing can be marked as new."""
        for key in _marked(rules):
            self.refuse("not-new", "a whole game is new throughout", key.span, f"write '{key.value[1:]}' without +")
        new = self.fresh(rules)
        assert isinstance(new, Map)
        return new

    def merge(self, below: Map, edit: Map, place: schema.Place, path: Path) -> Map:
        entries = list(below.entries)
        there = set(_names(entries))
        seen: dict[str, Text] = {}
        for entry in edit:
            name = bare(entry.key.value)
            if name in seen:
                self.refuse("duplicate", f"'{name}' stands twice in this mapping", entry.key.span, "", seen[name].span)
                continue
            seen[name] = entry.key
            if name in there:
                self.change(entries, _names(entries).index(name), entry, place, (*path, name))
            else:
                self.add(entries, entry, place, (*path, name))
        return Map(tuple(entries), below.span)

    def add(self, entries: list[Entry], entry: Entry, place: schema.Place, path: Path) -> None:
        name = path[-1]
        gone = self.removed.get(path)
        if is_removed(entry.value):
            if gone is None or gone.span.path in self.known:
                message, hint = self.missing(path)
                self.refuse("unknown-name", message, entry.key.span, hint or did_you_mean(name, _names(entries)))
            return
        if gone is not None and gone.span.path not in self.known:
            self.conflict(path, entry.key.span, gone)
        elif not entry.key.value.startswith("+") and not place.owns(name):
            message, hint = self.missing(path)
            hint = hint or did_you_mean(name, _names(entries)) or f"if it is new, write '+{name}'"
            self.refuse("unknown-name", message, entry.key.span, hint)
            return
        self.removed.pop(path, None)
        value, beside = _placement(entry.value)
        new = Entry(unmarked(entry.key), self.fresh(value))
        self.insert(entries, new, beside, len(entries))

    def change(self, entries: list[Entry], at: int, entry: Entry, place: schema.Place, path: Path) -> None:
        old, name = entries[at], path[-1]
        value, beside = _placement(entry.value)
        strangers = [text for text in leaves(old.value) if text.span.path not in self.known]
        marked = entry.key.value.startswith("+") and not place.owns(name)
        if marked and old.key.span.path in self.known:
            self.refuse("not-new", f"'{name}' is not new", entry.key.span, f"to edit it, write '{name}' without +", old.key.span)
            return
        written = entry.key.value.removeprefix("+")
        if "(" in written and _spaced(written) != _spaced(old.key.value):
            message = "the parameters differ from those of the rules below"
            self.refuse("parameters", message, entry.key.span, f"write '{name}'", old.key.span)
            return
        if is_removed(value):
            self.conflict(path, entry.key.span, *strangers)
            self.removed[path] = entry.key
            del entries[at]
            return
        inner = place.under(name)
        # What two edits add, each for itself, is not merged; nor is what is no set of names, an `if` with its branches.
        if isinstance(old.value, Map) and isinstance(value, Map) and not marked and not _is_control(old.value, value):
            if _groups(old.value, inner) != _groups(value, inner):
                message = "named clauses and clauses under any, all, never or first of do not mix"
                self.refuse("clauses", message, entry.key.span, "", old.key.span)
                return
            new: Node = self.merge(old.value, value, inner, path)
        elif path == ("players", "count") and isinstance(old.value, Text) and isinstance(value, Text):
            new = self.count(old.value, value)
        else:
            new = self.fresh(value)
            if plain(new) == plain(old.value):
                new = old.value  # said twice: who said it first has set it
                if not strangers:
                    self.conflict(path, value.span)
            else:
                self.conflict(path, value.span, *strangers)
        del entries[at]
        self.insert(entries, Entry(old.key, new), beside, at)

    def insert(self, entries: list[Entry], new: Entry, beside: tuple[str, Text] | None, at: int) -> None:
        if beside is not None:
            side, other = beside
            spot = next((spot for spot, name in enumerate(_names(entries)) if name == other.value), None)
            if spot is None:
                message = f"'{other.value}' does not stand here, so nothing can be placed {side} it"
                self.refuse("unknown-name", message, other.span, did_you_mean(other.value, _names(entries)))
            else:
                at = spot + (side == "after")
        entries.insert(at, new)

    def fresh(self, node: Node) -> Node:
        """The node as something wholly new: marks are taken off, and there is nothing to remove or to be placed by."""
        if isinstance(node, Text):
            return node
        if isinstance(node, Seq):
            return Seq(tuple(self.fresh(item) for item in node), node.span)
        entries: list[Entry] = []
        seen: dict[str, Text] = {}
        control = schema.is_control(node)
        for entry in node:
            name = entry.key.value if control else bare(entry.key.value)
            if name in seen:
                self.refuse("duplicate", f"'{name}' stands twice in this mapping", entry.key.span, "", seen[name].span)
                continue
            seen[name] = entry.key
            value, beside = _placement(entry.value)
            if is_removed(value):
                self.refuse("unknown-name", f"there is no '{name}' to remove: this is new as a whole", entry.key.span)
            elif beside is not None:
                self.refuse("placement", "this is new as a whole: write it in order", entry.key.span)
            else:
                entries.append(Entry(unmarked(entry.key), self.fresh(value)))
        return Map(tuple(entries), node.span)

    def count(self, old: Text, new: Text) -> Text:
        """How many may play: what this file says instead of those it was written for, as far as those it does not know allow it."""
        strangers = [text for text in self.counts or (old,) if text.span.path not in self.known]
        both = set(seats(new.value))
        for other in strangers:
            if not both & set(seats(other.value)):
                message = f"no number of players fits both: {new.value} here, {other.value} there"
                hint = "edits that are joined allow the numbers that each of them allows"
                self.refuse("players", message, new.span, hint, other.span)
                return old
            both &= set(seats(other.value))
        self.counts = (*strangers, new)
        return next((text for text in (*strangers, new) if set(seats(text.value)) == both), Text(_count(sorted(both)), new.span))

    def conflict(self, path: Path, span: Span, *strangers: Text) -> None:
        """What this file says here settles what its bases disagree about, and differs from what strangers have said."""
        for settled in [other for other in self.conflicts if other[: len(path)] == path]:
            del self.conflicts[settled]
        if strangers:
            message = f"two edits disagree about '{': '.join(path)}'"
            self.conflicts[path] = _problem("conflict", message, span, "with --later-wins the later one counts", strangers[0].span)

    def refuse(self, code: str, message: str, span: Span, hint: str = "", other: Span | None = None) -> None:
        self.problems.append(_problem(code, message, span, hint, other))
        if len(self.problems) >= MOST_PROBLEMS:
            raise RuleError(self.problems)


@lru_cache(maxsize=4096)
def bare(key: str) -> str:
    """The name in a key: without the mark and without parameters."""
    name = key.removeprefix("+")
    return name.partition("(")[0].rstrip() if re.match(r"[a-z][a-z0-9_ -]*\(", name) else name


def unmarked(key: Text) -> Text:
    """The key without its mark."""
    if not key.value.startswith("+"):
        return key
    span = replace(key.span, column=key.span.column + 1, length=max(1, key.span.length - 1))
    stretch = key.stretch and replace(key.stretch, start=key.stretch.start + 1)
    return replace(key, value=key.value[1:], span=span, stretch=stretch)


def is_removed(node: Node) -> bool:
    """Whether a name is taken away."""
    return isinstance(node, Text) and node.plain and node.value == "removed"


def leaves(node: Node) -> Iterator[Text]:
    """Every value in the node."""
    if isinstance(node, Text):
        yield node
    elif isinstance(node, Seq):
        for item in node:
            yield from leaves(item)
    else:
        for entry in node:
            yield from leaves(entry.value)


def seats(count: str) -> tuple[int, ...]:
    """The numbers of players that a count allows: `2 to 6`, `4 or 6`, `2`."""
    if match := re.fullmatch(r"([1-8]) to ([1-8])", count):
        return tuple(range(int(match[1]), int(match[2]) + 1))
    return tuple(sorted({int(number) for number in count.split(" or ")}))


def _problem(code: str, message: str, span: Span, hint: str, other: Span | None) -> Problem:
    return Problem(code, message, span, hint, (("the other place is", other),) if other else ())


def _is_control(*nodes: Map) -> bool:
    return any(schema.is_control(node) for node in nodes)


def _count(numbers: list[int]) -> str:
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))


def _placement(node: Node) -> tuple[Node, tuple[str, Text] | None]:
    if isinstance(node, Map):
        for side in ("before", "after"):
            other, body = node.get(side), node.get("do") or node.get("is")
            if isinstance(other, Text) and body is not None:
                return body, (side, other)
    return node, None


def _marked(node: Node) -> Iterator[Text]:
    if isinstance(node, Seq):
        for item in node:
            yield from _marked(item)
    elif isinstance(node, Map):
        for entry in node:
            if entry.key.value.startswith("+"):
                yield entry.key
            yield from _marked(entry.value)


def _groups(node: Map, place: schema.Place) -> bool:
    return any(place.owns(entry.key.value) for entry in node)


def _names(entries: list[Entry]) -> list[str]:
    return [bare(entry.key.value) for entry in entries]


def _spaced(signature: str) -> str:
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(signature.split()))
