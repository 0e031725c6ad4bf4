"""Which file is meant by a name: ids, aliases and names in both languages, paths; and what a file says about itself."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from durak_dsl.problems import Problem, RuleError, Span, did_you_mean
from durak_dsl.source import nodes, schema
from durak_dsl.source.nodes import Map, Node, Seq, Text
from durak_dsl.source.text import read as read_bytes
from durak_dsl.source.text import shipped

_SIBLING = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


@dataclass(frozen=True)
class Head:
    """What a rule file says about itself: `path` as shown in messages, `file` where it is, `group` its folder of the library."""

    path: str
    file: Path = field(repr=False)
    id: str
    names: Mapping[str, str]
    aliases: tuple[str, ...]
    summary: Mapping[str, str]
    sources: tuple[str, ...]
    changes: str | None
    group: str | None

    @property
    def called(self) -> tuple[str, ...]:
        """Everything that the rules may be called by, the id first."""
        return (self.id, *self.aliases, *self.names.values())


@dataclass(frozen=True)
class RuleFile(Head):
    """A rule file, checked against the schema: `root` is all of it, `rules` what is merged."""

    root: Map = field(repr=False)
    rules: Map = field(repr=False)
    examples: Map | None = field(repr=False)
    clauses: Map | None = field(repr=False)
    not_with: Map | None = field(repr=False)

    @property
    def text(self) -> str:
        """All that the file says, as it was read."""
        stretch = next(iter(self.root)).key.stretch
        assert stretch is not None
        return stretch.source.text

    @property
    def stated(self) -> dict[str, Mapping[str, str]]:
        """The clauses that the file states, each in both languages."""
        return {entry.key.value: _texts(entry.value) for entry in self.clauses or ()}

    def place(self, key: str) -> Span:
        """Where the file says something under a key."""
        value = self.root.get(key)
        return value.span if value is not None else self.root.span


def all_files() -> tuple[Head, ...]:
    """The heads of all rule files that come with the package, group by group in order of id; what cannot be read is left out."""
    found = []
    for path in _library():
        try:
            found.append(_head(path, *_stamp(path)))
        except RuleError:
            continue
    return tuple(sorted(found, key=lambda head: (head.group or "", head.id)))


def find(name: str) -> Path:
    """The file that is meant by an id, an alias, a name in English or Russian, or a path."""
    if is_path(name):
        return Path(name)
    by_name = _by_name()
    if (path := by_name.get(folded(name))) is not None:
        return path
    for path in _library():
        if path.stem == name:
            return path  # its head cannot be read: reading it says why
    hint = did_you_mean(folded(name), [*by_name]) or "'durak list' shows all"
    for end in ("", ".yaml", ".yml"):
        if _SIBLING.fullmatch(name) and Path(name + end).is_file():
            hint = f"to use the file, write ./{name}{end}"
    raise RuleError(Problem("unknown-rules", f"there are no rules called '{_shown(name)}'", None, hint))


def find_base(name: str, file: RuleFile, place: Span) -> Path:
    """The file that is meant by a name in a file — of the library, or beside the file itself; never a path."""
    by_name = _by_name()
    if (path := by_name.get(folded(name))) is not None:
        return path
    folder = Path(os.path.realpath(file.file)).parent
    for end in (".yaml", ".yml"):
        beside = folder / (name + end)
        if _SIBLING.fullmatch(name) and os.path.lexists(beside):
            if Path(os.path.realpath(beside)).parent != folder:
                raise RuleError(Problem("outside", f"{beside.name} is a link out of its folder", place))
            return beside
    near = did_you_mean(folded(name), [*by_name])
    raise RuleError(Problem("unknown-rules", f"there are no rules called '{_shown(name)}'", place, near))


def is_path(name: str) -> bool:
    """Whether a text is meant as a path, not as a name."""
    return "/" in name or os.sep in name or name.endswith((".yaml", ".yml"))


def asked_as(head: Head) -> str:
    """What the rules of a file can be asked for by: the id if the file comes with the package, else its path as it was given."""
    if os.path.realpath(head.file) in map(os.path.realpath, _library()):
        return head.id
    return str(head.file) if is_path(str(head.file)) else os.path.join(".", head.file)


def clashes(file: RuleFile) -> Iterator[Problem]:
    """What a file is called that other rules of the package are called already: a warning where it is their id, as in a copy under way."""
    places = [("id", file.id), *(("aliases", alias) for alias in file.aliases), *(("names", name) for name in file.names.values())]
    own = os.path.realpath(file.file)
    for other in all_files():
        if os.path.realpath(other.file) == own or _same(other.file, file.file):
            continue
        if other.id == file.id:
            message = f"there are rules called '{file.id}' already: by that name they are meant, not this file"
            yield Problem("name-taken", message, file.place("id"), "", _said_by(other, "id"), warning=True)
            continue
        theirs = {folded(word) for word in other.called}
        for key, word in places:
            if folded(word) in theirs:
                message = f"'{word}' means '{other.id}' already"
                yield Problem("name-taken", message, _place(file, key, word), "", _said_by(other, word), warning=key == "names")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.read_bytes() == other.read_bytes()
    except OSError:
        return False


def _said_by(head: Head, word: str) -> tuple[tuple[str, Span], ...]:
    """Where the other rules say so."""
    try:
        file = read(head.file)
    except RuleError:
        return ()
    keys = [("id", head.id), *(("aliases", alias) for alias in head.aliases), *(("names", name) for name in head.names.values())]
    key = next((key for key, said in keys if folded(said) == folded(word)), "id")
    return (("the other place is", _place(file, key, word)),)


def _place(file: RuleFile, key: str, word: str) -> Span:
    """Where a file says that it is called so, under a key of its head."""
    value = file.root.get(key)
    if isinstance(value, Map):
        value = next((entry.value for entry in value if folded(_text(entry.value)) == folded(word)), value)
    if isinstance(value, Text) and key == "aliases":
        start = 0
        for part in value.value.split(","):
            if folded(part) == folded(word):
                return value.at(start + len(part) - len(part.lstrip()), len(part.strip()))
            start += len(part) + 1
    return value.span if value is not None else file.root.span


def read(path: Path) -> RuleFile:
    """A rule file, loaded strictly and checked against the schema."""
    return _read(path, *_stamp(path))


@lru_cache(maxsize=256)
def _read(path: Path, stamp: int, size: int) -> RuleFile:
    shown = _relative(path)
    return parsed(read_bytes(path, shown), path, shown)


def parsed(data: bytes, path: Path, shown: str) -> RuleFile:
    """The rule file that these bytes are: of the path, which messages show so."""
    root = nodes.load(data, shown)
    if problems := schema.check(root):
        raise RuleError(problems)
    head = _say(root, path, shown)
    unmerged = schema.head_keys() | {"examples"}
    rules = Map(tuple(entry for entry in root if entry.key.value not in unmerged), root.span)
    examples, clauses, not_with = (part if isinstance(part := root.get(key), Map) else None for key in ("examples", "clauses", "not with"))
    return RuleFile(**vars(head), root=root, rules=rules, examples=examples, clauses=clauses, not_with=not_with)


@lru_cache(maxsize=256)
def _head(path: Path, stamp: int, size: int) -> Head:
    shown = _relative(path)
    return _say(nodes.head(read_bytes(path, shown), shown, schema.head_keys()), path, shown)


def _say(root: Map, path: Path, shown: str) -> Head:
    aliases = _text(root.get("aliases"))
    sources = root.get("sources")
    return Head(
        path=shown,
        file=path,
        id=_text(root.get("id")) or path.stem,
        names=_texts(root.get("names")),
        aliases=tuple(alias.strip() for alias in aliases.split(",") if alias.strip()),
        summary=_texts(root.get("summary")),
        sources=tuple(_text(item) for item in sources) if isinstance(sources, Seq) else (),
        changes=_text(root.get("changes")) or None,
        group=_group(path),
    )


def _group(path: Path) -> str | None:
    """The folder of the library that a file lies in; None where it is the library itself, or no file of the library."""
    folder = Path(os.path.realpath(path)).parent
    return folder.name if folder.parent == Path(os.path.realpath(shipped("variants"))) else None


def _text(node: Node | None) -> str:
    return node.value if isinstance(node, Text) else ""


def _texts(node: Node | None) -> dict[str, str]:
    return {entry.key.value: _text(entry.value) for entry in node} if isinstance(node, Map) else {}


def _library() -> list[Path]:
    folder = shipped("variants")
    return sorted([*folder.glob("*.yaml"), *folder.glob("*/*.yaml")])


def _by_name() -> dict[str, Path]:
    """Names, folded, to files; an id comes before an alias, an alias before a name."""
    heads = all_files()
    found: dict[str, Path] = {}
    for words in ([(head.id, head) for head in heads], *[[(word, head) for word in head.called[1:]] for head in heads]):
        for word, head in words:
            found.setdefault(folded(word), head.file)
    return found


def folded(name: str) -> str:
    """The name as it is looked up: without case, `ё` as `е`, words joined by hyphens."""
    plain = unicodedata.normalize("NFC", name).casefold().replace("ё", "е")
    return "-".join(re.split(r"[\s_-]+", plain.strip()))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except (OSError, ValueError):
        return 0, 0  # reading it will say what is wrong
    return state.st_mtime_ns, state.st_size


def _relative(path: Path) -> str:
    """The path as messages show it: from the working folder where it lies within, the same however it was written."""
    try:
        whole = Path(os.path.realpath(path))  # unlike resolve() content with links that lead in a circle
        name = whole.relative_to(Path.cwd()).as_posix() if whole.is_relative_to(Path.cwd()) else str(whole)
    except (ValueError, OSError):
        name = str(path)
    return "".join(char if char.isprintable() else "?" for char in name)


def _shown(name: str) -> str:
    clean = "".join(char if char.isprintable() else "?" for char in name)
    return clean if len(clean) <= 60 else clean[:59] + "…"
