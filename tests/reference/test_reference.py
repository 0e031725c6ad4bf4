"""The reference is what its generator writes, its examples are accepted at their places, and it leaves nothing out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import LarkError

from durak_dsl.language.syntax import START_RULES, parse
from durak_dsl.language.types import CARD
from durak_dsl.language.words import WORDS
from durak_dsl.source import nodes, schema
from tests.games import rules_of
from tests.language.frames import scope, text, typed
from tests.language.test_docs import texts
from tests.reference import keys, page, pieces, words
from tests.reference.keys import NAME, Key
from tests.reference.pieces import Piece


def test_the_page_is_what_the_generator_writes() -> None:
    found = page.PAGE.read_text("utf-8")
    assert page.parts(found) == [*page.PARTS]
    assert found == page.written(found), "python -m tests.reference writes it anew"


# ---- keys -----------------------------------------------------------------------------------------------------------

KEYS = [key for section in keys.sections() for key in section.keys]
GAME = rules_of("throw-in")
EXAMPLES = [(key, value) for key in KEYS for value in key.examples]


def test_every_key_of_the_schema_is_told_and_has_an_example() -> None:
    assert all(key.examples for key in KEYS), [key.path for key in KEYS if not key.examples]
    told = {id(key.schema) for key in KEYS}
    whole = schema.schema()["definitions"]["whole"]
    assert [path for path, inner in _properties(schema.schema(), whole) if id(inner) not in told] == []


def _properties(node: Any, but: Any) -> Iterator[tuple[str, Any]]:
    """Every key in the schema, as it stands there, except in a part of it."""
    if isinstance(node, dict) and node is not but:
        for word, inner in node.items():
            if word in ("properties", "patternProperties"):
                yield from inner.items()
            yield from _properties(inner, but) if word != "examples" else ()
    elif isinstance(node, list):
        for inner in node:
            yield from _properties(inner, but)


@pytest.mark.parametrize(("key", "value"), EXAMPLES, ids=[": ".join(key.path) for key, _ in EXAMPLES])
def test_what_an_example_shows_is_accepted_at_its_place(key: Key, value: object) -> None:
    path = tuple("some" if word == NAME else word for word in key.path)
    document = nodes.load(_file(key, path, value).encode(), "example.yaml")
    assert schema.check(document) == []
    inner: Any = nodes.plain(document)
    for word in path:
        inner = inner[word]
    assert inner == value, "what is shown is read as what the schema says"
    for found, start in texts(document, "file"):
        parse(found, start)
        if start == "expression":  # it means something in a game of the library
            inside = scope(chance=True, target=CARD)
            bound = re.findall(r"(\w+) in ", found.value)
            typed(found.value, replace(inside, locals={name: local for name, local in inside.locals.items() if name not in bound}), GAME)


def _file(key: Key, path: tuple[str, ...], value: object) -> str:
    """An edit in which the example stands at its place as the page writes it, with what must stand beside it."""
    *above, last = path
    example = f"{last}: {keys.written(value)}"
    beside = [example]
    siblings = {other.path[-1] for other in KEYS if other.path[:-1] == key.path[:-1]}
    if "before" in siblings:  # a place and what is placed go together
        inner = "do" if "do" in siblings else "is"
        beside.append("after: other" if last == inner else f"{inner}: {'stay' if inner == 'do' else 'yes'}")
    elif above[:1] == ["examples"] and last != "given":
        beside.append("given: {phase: lead}")
    elif last.startswith("else"):
        beside.insert(0, "if yes: stay")
    head = [f"{word}: {said}" for word, said in {"durak": "1", "id": "some", "changes": "simple"}.items() if word != path[0]]
    tree = [f"{'  ' * depth}{word}:" for depth, word in enumerate(above)] + [f"{'  ' * len(above)}{line}" for line in beside]
    return "\n".join([*head, *tree]) + "\n"


def test_what_a_game_must_have_is_marked() -> None:
    needed = {": ".join(key.path) for key in KEYS if key.needed}
    assert {
        "durak",
        "id",
        "players",
        "deck",
        "players: count",
        "deck: start in",
        f"moves: {NAME}: say",
        f"examples: {NAME}: given",
    } <= needed
    assert not needed & {"changes", "options", f"options: {NAME}: range", f"zones: {NAME}: stack", f"moves: {NAME}: pick"}


# ---- words ----------------------------------------------------------------------------------------------------------


def test_every_word_is_told() -> None:
    told = words.lines()
    assert all(any(line.startswith(f"| `{name}` |") and f"`{word.example}`" in line for line in told) for name, word in WORDS.items())
    assert {code for word in WORDS.values() for code in word.takes} == {*words.TAKEN}


# ---- the grammar ----------------------------------------------------------------------------------------------------

PIECES = [piece for chapter in pieces.chapters() for piece in chapter.pieces]
RULES = [piece for piece in PIECES if not piece.is_terminal]


@cache
def grammar() -> tuple[Lark, list[Any]]:
    """The grammar, and the rules that a reading goes through."""
    parser = Lark(pieces.GRAMMAR.read_text("utf-8"), parser="lalr", lexer="basic", start=list(START_RULES), maybe_placeholders=True)
    used: list[Any] = []
    callbacks: dict[Any, Any] = parser.parser.parser.parser.callbacks
    for rule, callback in callbacks.items():
        callbacks[rule] = _noted(rule, callback, used)
    return parser, used


def _noted(rule: Any, callback: Callable[[list[Any]], Any], used: list[Any]) -> Callable[[list[Any]], Any]:
    def noted(parts: list[Any]) -> Any:
        used.append(rule)
        return callback(parts)

    return noted


@cache
def readings(example: str) -> tuple[tuple[str, frozenset[Any]], ...]:
    """The start rules by which a text can be read, each with the rules that are gone through."""
    parser, used = grammar()
    found = []
    for start in START_RULES:
        used.clear()
        try:
            parser.parse(example, start=start)
        except LarkError:
            continue
        found.append((start, frozenset(used)))
    return tuple(found)


@pytest.mark.parametrize("piece", RULES, ids=lambda piece: piece.name)
def test_the_examples_of_a_piece_show_it(piece: Piece) -> None:
    assert piece.name.startswith("_") or (piece.meaning and piece.examples)
    for example in piece.examples:
        starts = [start for start, used in readings(example) if any(str(rule.origin.name) == piece.name for rule in used)]
        assert starts, f"'{example}' does not show '{piece.name}'"
        parse(text(example), starts[0])


def test_every_part_of_every_rule_is_shown() -> None:
    parser, _ = grammar()
    every: dict[str, set[str]] = defaultdict(set)
    shown: dict[str, set[str]] = defaultdict(set)
    for rule in parser.rules:
        every[rule.origin.name] |= {symbol.name for symbol in rule.expansion}
    for piece in RULES:
        for example in piece.examples:
            for _, used in readings(example):
                for rule in used:
                    shown[rule.origin.name] |= {symbol.name for symbol in rule.expansion}
    told = {piece.name for piece in RULES} - {"word"}  # which is any word of the language
    assert {name: every[name] - shown[name] for name in told if every[name] - shown[name]} == {}


def test_every_rule_and_terminal_of_the_grammar_is_told() -> None:
    parser, _ = grammar()
    rules = {str(rule.origin.name) for rule in parser.rules if not rule.origin.name.startswith("__")}
    assert {piece.name for piece in RULES} == rules
    named = set(re.findall(r"^([A-Z_]+)(?:\.2)?: ", pieces.GRAMMAR.read_text("utf-8"), re.M))
    assert {piece.name for piece in PIECES if piece.is_terminal} == named


@pytest.mark.parametrize("piece", [piece for piece in PIECES if piece.is_terminal], ids=lambda piece: piece.name)
def test_the_examples_of_a_terminal_are_found_as_it(piece: Piece) -> None:
    parser, _ = grammar()
    assert piece.meaning and piece.examples
    for example in piece.examples:
        assert [token.type for token in parser.lex(example)] == [piece.name]
