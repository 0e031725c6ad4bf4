"""Rules by name become one resolved document: a whole game with its edits laid over it."""

from __future__ import annotations

import hashlib
import json
import os.path
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from durak_dsl.problems import Problem, RuleError, Span
from durak_dsl.source import library, merge, schema
from durak_dsl.source.library import RuleFile
from durak_dsl.source.merge import Laying, Rules
from durak_dsl.source.nodes import Map, Node, Text, plain
from durak_dsl.source.render import yaml_text

MOST_CHAIN = 8
MOST_FILES = 24


@dataclass(frozen=True)
class Document:
    """Resolved rules: merged and whole, every node with the place it comes from, `files` in the order laid.

    `disputed`: edits disagree, and the later ones were let win. `joined` are the files joined by +, and `meant` says of each file, by its
    path, which files the names in its `changes` mean.
    """

    id: str
    files: tuple[RuleFile, ...]
    root: Map = field(repr=False)
    disputed: bool = False
    joined: tuple[RuleFile, ...] = field(default=(), repr=False)
    meant: Mapping[str, Mapping[str, RuleFile]] = field(default_factory=dict, repr=False)

    @cached_property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that only these rules have."""
        text = json.dumps(plain(self.root), ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def asked(self) -> tuple[RuleFile, ...]:
        """The files that were asked for, without those that they change."""
        ids = self.id.split("+")
        return tuple(file for file in self.files if file.id in ids)

    def strange(self, path: str) -> RuleFile | None:
        """The file at this path, if it is laid over other rules than those for which it was written."""
        file = next((file for file in self.files if file.path == path), None)
        if file is None or not file.changes:
            return None
        called = {library.folded(word) for other in self.files for word in other.called}
        return None if called.issuperset(library.folded(part) for part in file.changes.split("+")) else file


class Shelf(Protocol):
    """Where rule files are found that other files name."""

    def base(self, name: str, file: RuleFile, place: Span) -> RuleFile:
        """The file that is meant by a name in a file; RuleError at the place where there is none."""
        ...

    def is_meant(self, other: RuleFile, name: str, file: RuleFile, place: Span) -> bool:
        """Whether the other file is meant by a name in a file."""
        ...


class _Folders:
    """The library, and the folder that a file lies in."""

    def base(self, name: str, file: RuleFile, place: Span) -> RuleFile:
        return library.read(library.find_base(name, file, place))

    def is_meant(self, other: RuleFile, name: str, file: RuleFile, place: Span) -> bool:
        return os.path.realpath(other.file) == os.path.realpath(library.find_base(name, file, place))


def resolve(rules: str, *, later_wins: bool = False) -> Document:
    """The document of `game+edit+edit`: each part a name, an alias or a path, edits laid in that order."""
    return joined(_read_all(_parts(rules), lambda name: library.read(library.find(name))), _Folders(), later_wins)


def joined(files: list[RuleFile], shelf: Shelf, later_wins: bool) -> Document:
    """The document of these files, edits laid in that order over what they change, which is found on the shelf."""
    resolver = _Resolver(shelf)
    stack = resolver.combined(files, None, ())
    if problems := _parted(stack.files, shelf):
        raise RuleError(problems)
    conflicts = [*stack.rules.conflicts.values()]
    if problems := ([] if later_wins else conflicts) or schema.check(stack.rules.root, resolved=True):
        raise RuleError(problems)
    id = "+".join(file.id for file in files)
    return Document(id, stack.files, stack.rules.root, bool(conflicts), tuple(files), resolver.meant)


def render(document: Document, origins: bool) -> str:
    """The resolved rules as YAML text that is a whole game, with the file and line of each line behind it when asked."""
    return yaml_text(document.root, document.id.replace("+", "-"), origins=origins)


@dataclass(frozen=True)
class _Stack:
    files: tuple[RuleFile, ...]
    rules: Rules


class _Resolver:
    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.stacks: dict[str, _Stack] = {}
        self.meant: dict[str, dict[str, RuleFile]] = {}

    def combined(self, files: list[RuleFile], by: RuleFile | None, trail: tuple[RuleFile, ...]) -> _Stack:
        """The first file with all that it changes, and the edits of the others laid over it."""
        stack = self.of(files[0], trail)
        for file in files[1:]:
            place = by.place("changes") if by else None
            if file.changes is None:
                message = f"'{file.id}' is a whole game; after + stands an edit"
                raise RuleError(Problem("combination", message, place, f"write '{file.id}' first"))
            if file.path in {other.path for other in stack.files}:
                raise RuleError(Problem("combination", f"'{file.id}' is already part of '{files[0].id}'", place, "leave it out"))
            whole = self.of(file, trail).files[0]  # its own base must be sound, also when it is not the one it is laid over
            if whole.id != stack.files[0].id:
                message = f"'{file.id}' edits '{file.changes}'; '{files[0].id}' is another game"
                raise RuleError(Problem("combination", message, file.place("changes")))
            stack = self.laid(stack, file, files, trail)
        return stack

    def of(self, file: RuleFile, trail: tuple[RuleFile, ...]) -> _Stack:
        """A file laid over all that it changes."""
        if file.path in self.stacks:
            return self.stacks[file.path]
        if file.path in {other.path for other in trail}:
            ids = [other.id for other in trail]
            circle = " changes ".join([*ids[[other.path for other in trail].index(file.path) :], file.id])
            raise RuleError(Problem("circle", f"these rules change each other in a circle: {circle}", trail[-1].place("changes")))
        if len(trail) >= MOST_CHAIN:
            raise RuleError(Problem("too-long", f"more than {MOST_CHAIN} files change each other", trail[-1].place("changes")))
        if len(self.stacks) >= MOST_FILES:
            raise RuleError(Problem("too-long", f"these rules are made of more than {MOST_FILES} files", file.place("id")))
        trail = (*trail, file)
        if file.changes is None:
            stack = self.laid(_Stack((), Rules(Map((), file.root.span))), file, [file], trail)
        else:
            stack = self.laid(self.combined(self.bases(file), file, trail), file, [file], trail)
        self.stacks[file.path] = stack
        return stack

    def bases(self, file: RuleFile) -> list[RuleFile]:
        names = [part.strip() for part in (file.changes or "").split("+")]
        found = _read_all(names, lambda name: self.shelf.base(name, file, file.place("changes")))
        self.meant[file.path] = dict(zip(names, found, strict=True))
        return found

    def laid(self, below: _Stack, file: RuleFile, files: list[RuleFile], trail: tuple[RuleFile, ...]) -> _Stack:
        """The stack with the edits of one file laid over it."""
        written_for = self.stacks.get(file.path)
        known = frozenset(other.path for other in (written_for.files if written_for else (*below.files, file)))

        def missing(path: merge.Path) -> tuple[str, str]:
            name = path[-1]
            strange = written_for is not None and _find(self.combined(self.bases(file), file, trail).rules.root, path)
            if not strange:
                return f"the rules below have no '{name}' here", ""
            others = [other.id for other in files if other.path not in known and other is not file]
            return (
                f"'{file.id}' edits '{name}', which '{files[0].id}' lacks; it comes from {strange.span.path}",
                f"'{file.id}' was written for '{file.changes}': write {'+'.join([file.changes or '', *others, file.id])}",
            )

        laying = Laying(known, missing)
        rules = laying.lay(below.rules, file.rules) if file.changes else Rules(laying.whole(file.rules))
        if laying.problems:
            raise RuleError(laying.problems)
        return _Stack((*below.files, file), rules)


def _parted(files: tuple[RuleFile, ...], shelf: Shelf) -> list[Problem]:
    """What a file says about others with which it does not go."""
    found = []
    for file in files:
        for entry in file.not_with or ():
            name, place = entry.key.value, entry.key.span
            if other := next((other for other in files if shelf.is_meant(other, name, file, place)), None):
                reason = entry.value.get("en") if isinstance(entry.value, Map) else None
                why = f": {reason.value}" if isinstance(reason, Text) else ""
                found.append(Problem("combination", f"'{file.id}' does not go with '{other.id}'{why}", place))
    return found


def _read_all(names: list[str], find: Callable[[str], RuleFile]) -> list[RuleFile]:
    files: list[RuleFile] = []
    problems: list[Problem] = []
    for name in names:
        try:
            files.append(find(name))
        except RuleError as error:
            problems += error.problems
    if problems:
        raise RuleError(dict.fromkeys(problems))
    return files


def _parts(rules: str) -> list[str]:
    if library.is_path(rules) and os.path.isfile(rules):
        return [rules]
    parts = [part.strip() for part in rules.split("+")]
    if not all(parts):
        raise RuleError(Problem("unknown-rules", "rules are named, several joined by +, as in game+edit"))
    if len(parts) > MOST_CHAIN:
        raise RuleError(Problem("too-long", f"more than {MOST_CHAIN} rules are joined by +"))
    return parts


def _find(node: Node, path: merge.Path) -> Text | None:
    """The key at a path of names."""
    key: Text | None = None
    for name in path:
        if not isinstance(node, Map):
            return None
        entry = next((entry for entry in node if merge.bare(entry.key.value) == name), None)
        if entry is None:
            return None
        node, key = entry.value, entry.key
    return key
