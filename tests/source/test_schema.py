"""The schema is the one statement of structure: what it refuses is said in our words, at the guilty line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from durak_dsl.source import nodes, schema
from tests.source.games import BASE, Chunk, chunks

CHUNKS = chunks(Path(__file__).with_name("structure.chunks"))


@pytest.mark.parametrize("chunk", CHUNKS, ids=[chunk.title for chunk in CHUNKS])
def test_the_guilty_line_is_named(chunk: Chunk) -> None:
    problems = [
        (problem, f"{problem.message} {problem.hint}")
        for name, text in chunk.files.items()
        for problem in schema.check(nodes.load(text.encode(), name))
    ]
    for name, line, words in chunk.said:
        assert any(
            words in said and problem.span and (problem.span.path, problem.span.line) == (name, line) for problem, said in problems
        ), f"{name}:{line} should say: {words}\n" + "\n".join(str(problem) for problem, _ in problems)
    for problem, said in problems:
        assert problem.span is not None
        place = (problem.span.path, problem.span.line)
        assert any(words in said for name, line, words in chunk.said if (name, line) == place), f"not expected: {problem}"


def test_a_sound_game_is_accepted() -> None:
    assert schema.check(nodes.load(BASE.encode(), "base.yaml")) == []


def test_values_in_messages_are_cut() -> None:
    node = nodes.load(f"durak: 1\nid: {'x_' * 300}\nchanges: base\n{'y' * 119}: z\n".encode(), "x.yaml")
    problems = schema.check(node)
    assert problems
    assert all(len(problem.message) < 200 for problem in problems)


def subschemas(node: Any) -> Iterator[dict[str, Any]]:
    """Every schema within the schema."""
    if isinstance(node, dict):
        yield node
        for word in ("if", "then", "else", "not", "items", "additionalProperties", "propertyNames"):
            yield from subschemas(node.get(word))
        for word in ("properties", "patternProperties", "definitions"):
            for inner in node.get(word, {}).values():
                yield from subschemas(inner)
        for inner in node.get("anyOf", []):
            yield from subschemas(inner)


WORDS = {
    "$schema", "$ref", "$comment", "title", "description", "type", "required", "properties", "patternProperties",
    "additionalProperties", "propertyNames", "minProperties", "maxProperties", "items", "minItems", "enum", "const", "pattern",
    "maxLength", "examples", "if", "then", "else", "not", "anyOf", "definitions", "errorMessage", "patternErrorMessage",
}  # fmt: skip


def test_the_schema_is_sound() -> None:
    Draft7Validator.check_schema(schema.schema())
    named = set()
    for one in subschemas(schema.schema()):
        assert set(one) <= WORDS, set(one) - WORDS
        if "$ref" in one:
            named.add(one["$ref"].removeprefix("#/definitions/"))
            assert one["$ref"].startswith("#/definitions/")
        if "pattern" in one:
            assert one["pattern"].startswith("^") or one["pattern"] == "\\S"
    assert named == set(schema.schema()["definitions"])


def test_every_key_is_described() -> None:
    """Editors show the titles, and the key reference is made from them."""
    whole = schema.schema()["definitions"]["whole"]
    for one in subschemas({**schema.schema(), "definitions": {**schema.schema()["definitions"], "whole": {}}}):
        for key, inner in {**one.get("properties", {}), **one.get("patternProperties", {})}.items():
            assert "title" in inner or "$ref" in inner, key
    assert whole["title"]
    assert all("title" in inner for inner in schema.schema()["definitions"].values())


def test_which_keys_are_the_languages_own() -> None:
    root = schema.root()
    assert root.owns("define") and not root.owns("defin")
    beats = root.under("define").under("beats(card)")
    assert not root.under("define").owns("beats(card)")
    assert beats.owns("any") and beats.owns("first of") and not beats.owns("higher")
    assert not beats.under("any").owns("any higher")
    assert root.under("finish").owns("place(player p)")
    move = root.under("moves").under("lay")
    assert move.owns("when") and move.under("when").owns("never") and not move.under("when").owns("fits")
    assert move.under("when").under("never").under("x").owns("all")
    assert not move.under("pick").owns("card")
    assert root.under("options").under("size").owns("default")


def test_the_deepest_file_is_checked() -> None:
    deep = "durak: 1\nid: x\nchanges: y\nprocedures:\n" + "".join(" " * i + f"+a{i}:\n" for i in range(1, 22)) + " " * 23 + "b: x = 1\n"
    assert schema.check(nodes.load(deep.encode(), "x.yaml")) == []
    lists = "durak: 1\nid: x\nchanges: y\nsetup: " + "[" * 22 + "x = 1" + "]" * 22 + "\n"
    assert schema.check(nodes.load(lists.encode(), "x.yaml")) == []
