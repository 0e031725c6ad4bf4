"""One-line texts -> syntax nodes (the only user of lark). Bounded in length, tokens and depth before anything goes through them."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from durak_dsl import cache
from durak_dsl.language.unreadable import meaningless, misplaced, short
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Span
from durak_dsl.source.nodes import Text

LONGEST_TEXT = 2000
MOST_TOKENS = 300
DEEPEST = 40

# Rules that only say what their one part is for.
WRAPPERS = ("expression", "control", "where", "otherwise", "only_when", "up_to", "start")

GRAMMAR_TABLES = "grammar.lark.tables"

START_RULES = ("expression", "statements", "control", "pick", "declaration", "signature", "domain")

# Words of the grammar that may also be names: the grammar's rule `name` lists them.
ALSO_NAMES = frozenset({"pile", "piles", "player", "place", "set", "shape", "adding", "up"})


@dataclass(frozen=True)
class Syntax:
    """A node of the syntax tree: its kind (a rule of the grammar), its parts (None where an optional one is absent), its text and place."""

    kind: str
    parts: tuple[Syntax | None, ...]
    text: str
    span: Span

    def __getitem__(self, index: int) -> Syntax:
        part = self.parts[index]
        assert part is not None, f"{self.kind} has no part {index}"
        return part

    @property
    def shown(self) -> str:
        """The text as messages show it."""
        return short(self.text)

    def optional(self, index: int) -> Syntax | None:
        """The part, or None where it is absent."""
        return self.parts[index] if index < len(self.parts) else None


@functools.cache
def _parser() -> Lark:
    grammar = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    kept = cache.folder()
    tables = str(kept / GRAMMAR_TABLES) if kept else False  # lark makes them anew where they are of another grammar, or spoilt
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=list(START_RULES),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=tables,
    )


@functools.cache
def keywords() -> frozenset[str]:
    """The words of the grammar that can never be names."""
    made = (terminal for terminal in _parser().terminals if terminal.name not in ("NAME", "WORD", "SYMBOL", "NUMBER"))
    found = {word for terminal in made for word in re.findall("[a-z]+", str(terminal.pattern.value))}
    return frozenset(word for word in found if len(word) > 1) - ALSO_NAMES


def parse(text: Text, start: str) -> Syntax:
    """The syntax tree of one text; raises Wrong where it cannot be read."""
    value = text.value
    _check_length(text)
    try:
        tree = _parser().parse(value, start=start)
    except UnexpectedCharacters as error:
        raise Wrong(meaningless(error.pos_in_stream or 0, text)) from None
    except UnexpectedToken as error:
        token = error.token
        expected = frozenset(error.accepts or error.expected)
        raise Wrong(misplaced(str(token), token.type, token.start_pos or 0, expected, text, start)) from None
    if (deep := _depth(tree)) > DEEPEST:
        raise _too_deep(deep, text)
    return _convert(tree, text, (0, len(value)))


def phrase(syntax: Syntax) -> str:
    """The words of a phrase, joined by single spaces."""
    return " ".join(part.text for part in syntax.parts if part is not None)


def _convert(item: Tree[Token] | Token, text: Text, inside: tuple[int, int]) -> Syntax:
    if isinstance(item, Token):
        start = item.start_pos if item.start_pos is not None else inside[0]
        return Syntax(item.type.lower(), (), str(item), text.at(start, len(item)))
    meta = item.meta
    start, stop = inside if meta.empty else (meta.start_pos, meta.end_pos)
    parts = tuple(None if part is None else _convert(part, text, (start, stop)) for part in item.children)
    kind = str(item.data)
    if kind in WRAPPERS and parts[-1] is not None:
        return parts[-1]
    if kind in ("name", "word"):
        return Syntax(kind, (), " ".join(part.text for part in parts if part), text.at(start, stop - start))
    if kind in ("and", "or"):
        parts = tuple(inner for part in parts if part for inner in (part.parts if part.kind == kind else (part,)) if inner)
    return Syntax(kind, parts, text.value[start:stop], text.at(start, stop - start))


# ---- bounds -------------------------------------------------------------------------------------------------------


def _check_length(text: Text) -> None:
    value = text.value
    if len(value) > LONGEST_TEXT:
        message = f"this text has {len(value):,} characters; at most {LONGEST_TEXT:,} are read as one expression"
        raise wrong("too-long", message, text.span, "give names to parts of it, with 'define'")
    words = re.findall(r"\w+(?:-\w+)*|\S", value)
    if len(words) > MOST_TOKENS:
        message = f"this text has {len(words)} words and signs; at most {MOST_TOKENS} make one expression"
        raise wrong("too-long", message, text.span, "give names to parts of it, with 'define'")
    depth = deepest = 0
    for word in words:
        depth += (word in ("(", "{")) - (word in (")", "}"))
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise _too_deep(deepest, text)


def _depth(tree: Tree[Token]) -> int:
    """How deep operations are nested in one another; a run of `and`, of `or` counts once."""
    deepest = 0
    left: list[tuple[Tree[Token], int]] = [(tree, 0)]
    while left:
        node, depth = left.pop()
        deepest = max(deepest, depth)
        for child in node.children:
            if isinstance(child, Tree):
                left.append((child, depth if child.data == node.data and child.data in ("and", "or") else depth + 1))
    return deepest


def _too_deep(deep: int, text: Text) -> Wrong:
    message = f"this expression is nested {deep} deep; at most {DEEPEST} are read"
    return wrong("too-deep", message, text.span, "give names to parts of it, with 'define'")
