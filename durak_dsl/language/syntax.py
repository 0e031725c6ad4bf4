"""One-line texts -> syntax nodes (the only user of lark). Bounded in length, tokens and depth before and after parsing."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Problem, Span, listed
from durak_dsl.source.nodes import Text

LONGEST_TEXT = 2000
MOST_TOKENS = 300
DEEPEST = 40

# Rules that only say what their one part is for.
WRAPPERS = ("expression", "control", "where", "otherwise", "only_when", "up_to", "start")

START_RULES = ("expression", "statements", "control", "pick", "declaration", "signature", "domain")


@dataclass(frozen=True)
class Syntax:
    """A node of the syntax tree: its kind (a rule of the grammar), its parts (None where an optional part is absent), its text and place."""

    kind: str
    parts: tuple[Syntax | None, ...]
    text: str
    span: Span

    def __getitem__(self, index: int) -> Syntax:
        part = self.parts[index]
        assert part is not None, f"{self.kind} has no part {index}"
        return part

    def optional(self, index: int) -> Syntax | None:
        """The part, or None where it is absent."""
        return self.parts[index] if index < len(self.parts) else None


@cache
def _parser() -> Lark:
    grammar = (Path(__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", start=list(START_RULES), propagate_positions=True, maybe_placeholders=True)


def parse(text: Text, start: str) -> Syntax:
    """The syntax tree of one text; raises Wrong where it cannot be read."""
    value = text.value
    _check_bounds(text)
    try:
        tree = _parser().parse(value, start=start)
    except UnexpectedInput as error:
        raise Wrong(_explain(error, text)) from None
    return _convert(tree, text, _places(value))


def phrase(syntax: Syntax) -> str:
    """The words of a phrase, joined by single spaces."""
    return " ".join(part.text for part in syntax.parts if part is not None)


def _places(value: str) -> tuple[int, int]:
    return 0, len(value)


def _convert(item: Tree[Token] | Token, text: Text, inside: tuple[int, int]) -> Syntax:
    if isinstance(item, Token):
        start = item.start_pos if item.start_pos is not None else inside[0]
        return Syntax(item.type.lower(), (), str(item), text.at(start, len(item)))
    meta = item.meta
    start, stop = (inside[0], inside[1]) if meta.empty else (meta.start_pos, meta.end_pos)
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


def _check_bounds(text: Text) -> None:
    value = text.value
    if len(value) > LONGEST_TEXT:
        raise wrong("too-long", f"this text has {len(value):,} characters; at most {LONGEST_TEXT:,} are read as one expression", text.span)
    words = re.findall(r"[\w-]+|\S", value)
    if len(words) > MOST_TOKENS:
        raise wrong("too-long", f"this text has {len(words)} words and signs; at most {MOST_TOKENS} make one expression", text.span)
    depth = deepest = prefixes = 0
    for word in words:
        depth += (word in ("(", "{")) - (word in (")", "}"))
        prefixes = prefixes + 1 if word in ("not", "-", "else", "has") else prefixes
        deepest = max(deepest, depth + prefixes)
    if deepest > DEEPEST:
        raise wrong("too-deep", f"this expression is nested {deepest} deep; at most {DEEPEST} are read", text.span)


# ---- what to write instead ----------------------------------------------------------------------------------------

_SIGNS = {
    "&&": "write 'and'",
    "||": "write 'or'",
    "!": "write 'not'",
    "&": "write 'and'",
    "|": "write 'or'",
    "[": "lists are not expressions; a set is written {6C 7D}",
    "'": "words need no quotes",
    '"': "words need no quotes",
    "/": "there is no division",
    "%": "there is no remainder; there are odd(n) and even(n)",
    "♠": "write S for spades, as in QS",
    "♥": "write H for hearts, as in QH",
    "♦": "write D for diamonds, as in QD",
    "♣": "write C for clubs, as in QC",
}

_READABLE = {
    "LPAR": "'('",
    "RPAR": "')'",
    "COMMA": "','",
    "DOT": "'.'",
    "SEMICOLON": "';'",
    "EQUALS": "'='",
    "NAME": "a name",
    "NUMBER": "a number",
    "$END": "the end",
    "COMPARISON": "a comparison",
    "PLUS": "'+'",
    "MINUS": "'-'",
    "STAR": "'*'",
}


def _explain(error: UnexpectedInput, text: Text) -> Problem:
    value = text.value
    if isinstance(error, UnexpectedCharacters):
        offset = error.pos_in_stream or 0
        return _unreadable(value, offset, text)
    if isinstance(error, UnexpectedToken):
        token = error.token
        if token.type == "$END":
            return Problem("syntax", f"this text ends too early; {_expected(error)}", text.at(len(value) - 1))
        offset = token.start_pos or 0
        span = text.at(offset, len(token))
        hint = ""
        if token.type == "EQUALS":
            hint = "write '==' to compare"
        elif token.type == "COMPARISON" and re.search(r"[<>=!]=?", value[:offset]):
            hint = "compare two at a time: 'a < b and b < c'"
        elif re.match(r"[0-9]", str(token)) and re.search(r"(?<![\w-])0+$", value[:offset]):
            hint = "a number is written without leading zeros"
        elif token.type == "NAME" and str(token) in ("true", "false"):
            hint = "write yes or no"
        return Problem("syntax", f"'{_short(str(token))}' cannot stand here; {_expected(error)}", span, hint)
    return Problem("syntax", "this text cannot be read", text.span)


def _unreadable(value: str, offset: int, text: Text) -> Problem:
    char = value[offset]
    if number := re.compile(r"0[0-9]+").match(value, offset):
        return Problem(
            "syntax",
            f"'{_short(number.group())}' starts with a zero",
            text.at(offset, len(number.group())),
            "a number is written without leading zeros",
        )
    if number := re.compile(r"[0-9]+").match(value, offset):
        return Problem(
            "syntax", f"'{_short(value[offset : offset + 12])}' is neither a number nor a card", text.at(offset, len(number.group()))
        )
    for sign, hint in _SIGNS.items():
        if value.startswith(sign, offset):
            return Problem("syntax", f"'{sign}' means nothing here", text.at(offset, len(sign)), hint)
    word = _word_around(value, offset)
    if not char.isascii():
        name = unicodedata.name(char, f"U+{ord(char):04X}").lower()
        hint = f"the word '{word}' mixes alphabets" if re.search("[a-z]", word) else "expressions are written in Latin letters"
        return Problem("look-alike", f"'{char}' is not a Latin letter: it is {name}", text.at(offset), hint)
    return Problem("syntax", f"'{char}' means nothing here", text.at(offset))


def _word_around(value: str, offset: int) -> str:
    start = offset
    while start and (value[start - 1].isalnum() or value[start - 1] == "_"):
        start -= 1
    match = re.compile(r"\w+").match(value, start)
    return match.group() if match else value[offset]


def _expected(error: UnexpectedToken) -> str:
    accepted = error.accepts or error.expected
    if {"NAME", "LPAR"} <= set(accepted):
        return "a value was expected"
    words = [_READABLE.get(name, f"'{name.lower()}'") for name in sorted(accepted) if not name.startswith("__")]
    if len(words) > 6:
        return "an operator or the end was expected"
    return f"{listed(words)} was expected"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"
