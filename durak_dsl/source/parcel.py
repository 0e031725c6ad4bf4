"""Resolved rules as one text that travels: the texts of all their files, and which file means which by a name. No folder is looked into."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from durak_dsl.problems import Problem, RuleError, Span
from durak_dsl.source import library, overlay
from durak_dsl.source.library import RuleFile
from durak_dsl.source.overlay import MOST_CHAIN, MOST_FILES, Document
from durak_dsl.source.text import MOST_BYTES

MOST_TEXT = 2 * MOST_FILES * MOST_BYTES  # characters; within quotes a character may become two
MOST_PATH = 4096
_KEYS = {"files", "joined", "later wins"}


def packed(document: Document) -> str:
    """The rules as a text of JSON."""
    files = [*_reached(document)]
    numbers = {file.path: number for number, file in enumerate(files)}
    told = [
        {"path": file.path, "text": file.text, "meant": {name: numbers[other.path] for name, other in _named(document, file).items()}}
        for file in files
    ]
    joined = [numbers[file.path] for file in document.joined]
    return json.dumps({"files": told, "joined": joined, "later wins": document.disputed}, ensure_ascii=False, separators=(",", ":"))


def unpacked(text: str) -> Document:
    """The document of such a text, every file of it checked as it is when it is read from a folder; RuleError for all that is wrong."""
    told = _checked(text)
    files = [library.parsed(file["text"].encode(), Path(file["path"]), file["path"]) for file in told["files"]]
    meant = {
        file.path: {name: files[number] for name, number in one["meant"].items()} for file, one in zip(files, told["files"], strict=True)
    }
    return overlay.joined([files[number] for number in told["joined"]], _Parcel(meant), told["later wins"])


class _Parcel:
    """Finds the files that have come along."""

    def __init__(self, meant: Mapping[str, Mapping[str, RuleFile]]):
        self.meant = meant

    def base(self, name: str, file: RuleFile, place: Span) -> RuleFile:
        found = self.meant[file.path].get(name)
        if found is None:
            raise RuleError(Problem("unknown-rules", f"the rules called '{name}' have not come along", place))
        return found

    def is_meant(self, other: RuleFile, name: str, file: RuleFile, place: Span) -> bool:
        return library.folded(name) in map(library.folded, other.called)


def _reached(document: Document) -> Iterator[RuleFile]:
    """The files that were joined and all that they name, each once."""
    seen: set[str] = set()
    waiting = [*document.joined]
    while waiting:
        file = waiting.pop(0)
        if file.path not in seen:
            seen.add(file.path)
            yield file
            waiting += _named(document, file).values()


def _named(document: Document, file: RuleFile) -> Mapping[str, RuleFile]:
    return document.meant.get(file.path, {})


def _checked(text: str) -> dict[str, Any]:
    """What the text says, if it has the form of a parcel within its bounds."""
    if len(text) > MOST_TEXT:
        raise _malformed(f"longer than {MOST_TEXT:,} characters")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise _malformed("not JSON") from None
    if not isinstance(told, dict) or set(told) != _KEYS or not isinstance(told["later wins"], bool):
        raise _malformed("no mapping with the right keys")
    files, joined = told["files"], told["joined"]
    if not isinstance(files, list) or not 1 <= len(files) <= MOST_FILES + MOST_CHAIN or not all(map(_is_file, files)):
        raise _malformed("without a proper list of files")
    if len({file["path"] for file in files}) < len(files):
        raise _malformed("with two files of one path")
    numbers = [*joined, *(number for file in files for number in file["meant"].values())] if isinstance(joined, list) else []
    if not numbers or not 1 <= len(joined) <= MOST_CHAIN or not all(_is_number(number, len(files)) for number in numbers):
        raise _malformed("with numbers of files that it does not hold")
    return told


def _is_file(file: object) -> bool:
    if not isinstance(file, dict) or set(file) != {"path", "text", "meant"}:
        return False
    path, text, meant = file["path"], file["text"], file["meant"]
    if not isinstance(path, str) or not 0 < len(path) <= MOST_PATH or not path.isprintable():
        return False
    return isinstance(text, str) and _is_unicode(text) and isinstance(meant, dict) and len(meant) <= MOST_CHAIN


def _is_unicode(text: str) -> bool:
    """Whether it can be written as bytes: JSON may hold halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_number(number: object, files: int) -> bool:
    return type(number) is int and 0 <= number < files


def _malformed(how: str) -> RuleError:
    return RuleError(Problem("parcel", f"what was sent as rules is {how}"))
