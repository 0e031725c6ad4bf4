"""A text that cannot be parsed -> what stands where it should not, what was expected, and what to write instead."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from durak_dsl.language.words import WORDS
from durak_dsl.problems import Problem, did_you_mean, listed
from durak_dsl.source.nodes import Text
from durak_dsl.source.text import latin

# Signs that mean nothing in the language, and what to write instead.
_SIGNS = {
    "&&": "write 'and'",
    "||": "write 'or'",
    "!": "write 'not'",
    "&": "write 'and'",
    "|": "write 'or'",
    "?": "a choice is written 'a if CONDITION else b'",
    "[": "lists are not expressions; a set is written {6C 7D}",
    "]": "lists are not expressions; a set is written {6C 7D}",
    "'": "words need no quotes",
    '"': "words need no quotes",
    "/": "there is no division",
    "%": "there is no remainder; there are odd(n) and even(n)",
    "^": "there are no powers",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write '!='",
    "−": "write '-'",
    "–": "write '-'",
    "—": "write '-'",
    "×": "write '*'",
    "♠": "write S for spades, as in QS",
    "♥": "write H for hearts, as in QH",
    "♦": "write D for diamonds, as in QD",
    "♣": "write C for clubs, as in QC",
}
_FOREIGN_WORDS = {"true": "yes", "false": "no", "True": "yes", "False": "no", "null": "none", "None": "none"}

_READABLE = {
    "LPAR": "'('",
    "RPAR": "')'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COMMA": "','",
    "DOT": "'.'",
    "SEMICOLON": "';'",
    "EQUALS": "'='",
    "CHANGE": "'+=' or '-='",
    "NAME": "a name",
    "NUMBER": "a number",
    "BAR": "'|'",
    "SYMBOL": "a card",
    "WORD": "a word",
    "$END": "the end",
    "COMPARISON": "a comparison",
    "PLUS": "'+'",
    "MINUS": "'-'",
    "STAR": "'*'",
    "ORDER": "'from'",
    "QUANTIFIER": "'any' or 'every'",
    "YES_NO": "'yes/no'",
}


LIKENESS = 0.74  # of a word to the one that is suggested for it

# What a statement and a value may begin with, besides names.
_BEGINNINGS = {
    "statements": ("announce", "clear", "deal", "draw", "end", "let", "move", "show", "shuffle", "stay"),
    "expression": ("any", "every", "first", "last", "least", "most", "not"),
}

_OPERATORS = {"AND", "OR", "NOT", "IF", "PLUS", "MINUS", "STAR", "COMPARISON", "IN", "IS", "DOT"}


def instead_of(word: str) -> str:
    """What to write instead of a word that other languages have, as a hint, or an empty text."""
    meant = _FOREIGN_WORDS.get(word)
    return f"write '{meant}'" if meant else ""


def misplaced(word: str, kind: str, offset: int, expected: frozenset[str], text: Text, start: str) -> Problem:
    """What is wrong with a text in which a word stands where it cannot; `kind` and `expected` are terminals of the grammar."""
    in_shape = re.search(r"(?<!\w)shape [0-9+| ]*$", text.value[:offset])
    if kind == "BAR" and not in_shape:
        return meaningless(offset, text)
    what = f"{_expected(expected)} was expected"
    if kind == "$END":
        return Problem("syntax", f"this text ends too early: {what}", text.at(len(text.value) - 1), _unfinished(text.value))
    hint = (
        "shapes are joined by '|'" if in_shape and kind in ("OR", "COMMA") else _misspelt(word, kind, text.value[:offset], expected, start)
    )
    hint = hint or _instead(word, kind, text.value, offset, start)
    return Problem("syntax", f"'{short(word)}' cannot stand here: {what}", text.at(offset, len(word)), hint)


def _unfinished(value: str) -> str:
    if re.search(r"[=!]= *all$", value):
        return "a word of an option is asked for with 'is'"
    return "a bracket is not closed" if value.count("(") > value.count(")") or value.count("{") > value.count("}") else ""


def _misspelt(word: str, kind: str, before: str, expected: frozenset[str], start: str) -> str:
    """The hint where a word of the language is meant that is misspelt: this word, or the one before it."""
    if kind == "NAME" and (near := _near(word, [name.lower() for name in expected if name.isalpha() and name not in ("NAME", "WORD")])):
        return near
    first = re.search(r"(?:^|[;(]|\b(?:and|or|not|if|else|has|where)\b) *([a-z]+) +$", before)
    if first is None or kind not in ("NAME", "NUMBER", "SYMBOL", "WORD", "LPAR", "TOP", "BOTTOM", "RANDOM"):
        return ""
    opens_statement = start == "statements" and re.search(r"(?:^|;) *[a-z]+ +$", before)
    return "" if first[1] in WORDS else _near(first[1], _BEGINNINGS["statements" if opens_statement else "expression"])


def _near(word: str, known: Iterable[str]) -> str:
    """Which of these words is meant by one that is nearly the same, as a hint."""
    known = [*known]
    return "" if word in known else did_you_mean(word, known, LIKENESS)


def _instead(word: str, kind: str, value: str, offset: int, start: str) -> str:
    """The hint for a word that stands where it cannot."""
    before = value[:offset].rstrip()
    statement = start == "statements"
    if kind == "EQUALS":
        return "write '==' to compare"
    if kind == "COMPARISON" and statement and word == "==" and not re.search(r"[<>=!]", before):
        return "write '='"
    if kind == "COMPARISON" and re.search(r"[<>=!]=?", before):
        return "compare two at a time: 'a < b and b < c'"
    if word[0].isdigit() and re.search(r"(?<![\w-])0+$", before):
        return "a number is written without leading zeros"
    if word[0].isdigit() and before.endswith("."):
        return "numbers are whole"
    if kind == "ORDER" and before.endswith("players"):
        return f"'players {word} p' stands behind 'in' only"
    if kind == "COMMA" and before.count("{") > before.count("}"):
        return "a set is written without commas: {6C 7D}"
    if kind == "STAR" and before.endswith("*"):
        return "there are no powers"
    if start == "declaration" and re.fullmatch("[0-9]+-[0-9]+", word):
        return f"write '{word.replace('-', ' to ')}'"
    if kind == "WORD" and re.match(r"\w+-", word):
        return f"put spaces round the minus: '{word.replace('-', ' - ')}'"
    if statement and word in ("if", "for", "repeat", "else"):
        return f"'{word}' begins a key of its own: '- {_KEYS[word]}: …'"
    if word == "if" and not before and start == "expression":
        return "a choice is written 'a if CONDITION else b'"
    if kind == "LPAR" and re.search(r"\.\w+$", before):
        return "functions come first, as in size(me.hand)"
    if statement and word in "+-" and value[offset + 1 : offset + 2] == word:
        return f"write '{before} {word}= 1'"
    if statement and re.fullmatch(r"(?!(move|draw|deal|show|stay) )[a-z][a-z0-9_ ]*", before) and kind in ("LPAR", "NAME"):
        return "a procedure is called by 'do NAME'"
    return instead_of(word)


_KEYS = {"if": "if CONDITION", "for": "for each x in S", "repeat": "repeat N times", "else": "else"}


def meaningless(offset: int, text: Text) -> Problem:
    """What is wrong with a text in which a sign begins nothing that the language knows."""
    value = text.value
    char = value[offset]
    if number := re.compile(r"[0-9]\w*").match(value, offset):
        digits, span = short(number.group()), text.at(offset, len(number.group()))
        if re.fullmatch("0[0-9]+", number.group()):
            return Problem("syntax", f"'{digits}' starts with a zero", span, "a number is written without leading zeros")
        if number.group().isdigit():
            return Problem("syntax", f"'{digits}' is too long a number", span, "numbers go to 999999999")
        return Problem("syntax", f"'{digits}' is neither a number nor a card", span)
    for sign, hint in _SIGNS.items():
        if value.startswith(sign, offset):
            shown = "a quotation mark" if sign in "'\"" else f"'{sign}'"
            return Problem("syntax", f"{shown} means nothing here", text.at(offset, len(sign)), hint)
    if char == "\n":
        hint = "a text of several lines begins with '>', not with '|'"
        return Problem("syntax", "a line break stands inside this text", text.at(offset), hint)
    if char == "_":
        word = _word_around(value, offset)
        hint = "a name begins with a lower-case letter"
        return Problem("unknown-name", f"unknown name '{short(word)}'", text.at(offset, len(word)), hint)
    if not char.isascii():
        return _foreign(value, offset, text)
    return Problem("syntax", f"'{char}' means nothing here", text.at(offset))


def _foreign(value: str, offset: int, text: Text) -> Problem:
    char, word = value[offset], _word_around(value, offset)
    name = unicodedata.name(char, f"U+{ord(char):04X}").capitalize()
    if not char.isalpha():
        return Problem("syntax", f"'{char}' means nothing here: it is {name}", text.at(offset))
    meant = latin(unicodedata.normalize("NFKC", word))
    hint = f"write '{meant}'" if meant.isascii() else "expressions are written in Latin letters"
    return Problem("look-alike", f"'{char}' is no plain Latin letter: it is {name}", text.at(offset), hint)


def _word_around(value: str, offset: int) -> str:
    start = offset
    while start and (value[start - 1].isalnum() or value[start - 1] == "_"):
        start -= 1
    match = re.compile(r"\w+").match(value, start)
    return match.group() if match else value[offset]


def _expected(accepted: frozenset[str]) -> str:
    for names, what in ((("NAME", "LPAR"), "a value"), (("NAME", "AND"), "a word"), (("NAME",), "a name"), (("CHANGE",), "'='")):
        if accepted.issuperset(names):
            return what
    others = accepted - _OPERATORS
    if "$END" in others and others != accepted:
        return "an operator or the end"
    return listed([_READABLE.get(name, f"'{name.lower()}'") for name in sorted(others or accepted) if not name.startswith("__")])


def short(text: str) -> str:
    """The text as it is shown in a message: cut where it is long."""
    return text if len(text) <= 40 else text[:37] + "…"
