"""The public names, and that asking for one loads no more than it needs."""

from __future__ import annotations

import doctest
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import durak_dsl


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(durak_dsl) == (0, 5)


@pytest.mark.parametrize("name", durak_dsl.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(durak_dsl, name) is not None and name in dir(durak_dsl)


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'cards'"):
        durak_dsl.cards  # noqa: B018


def test_listing_rules_loads_no_compiler() -> None:
    heavy = ("lark", "durak_dsl.compiler", "durak_dsl.table")
    code = f"import sys, durak_dsl.source.library; print(*(name for name in {heavy} if name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


@pytest.mark.parametrize(
    ("settings", "options"),
    [({"bout_limit": 4}, {"bout_limit": "4"}), ({"pile_on": False, "throwers": "leader"}, {"pile_on": "no", "throwers": "leader"})],
)
def test_options_are_set_as_python_has_their_values(settings: dict[str, str | int], options: dict[str, str]) -> None:
    found = durak_dsl.load("transfer", settings)
    assert options.items() <= found.options.items()
    assert found is durak_dsl.load("transfer", options) is durak_dsl.load("transfer").with_options(settings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"throwers": None},
            "option throwers cannot be None; it is all, neighbours, leader or nobody\n   a value is a text, a number, True or False",
        ),
        ({"bout_limit": 4.0}, "option bout_limit cannot be 4.0; it is a number from"),
        ({"bout_limit": True}, "option bout_limit cannot be 'yes'; it is a number from"),
        ({"bout_limit": -1}, "option bout_limit cannot be '-1'; it is a number from"),
        ({"pile_on": 2}, "option pile_on cannot be '2'; it is "),
        ({3: "leader"}, "transfer has no option '3'"),
    ],
)
def test_options_have_no_other_values(settings: dict[str, str], words: str) -> None:
    with pytest.raises(durak_dsl.RuleError) as error:
        durak_dsl.load("transfer", settings)
    assert str(error.value).startswith(words)


def test_rules_are_loaded_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "four.yaml"
    path.write_text("durak: 1\nid: four\nchanges: throw-in\noptions: {bout_limit: {default: 4}}\n", "utf-8")
    assert durak_dsl.load(path) is durak_dsl.load(str(path))


GAME = durak_dsl.load("simple")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: durak_dsl.deal(GAME, seats=2, seed="x"), "seed is a whole number, not 'x'"),
        (lambda: durak_dsl.deal(GAME, seats="2"), "seats is a whole number, not '2'"),
        (lambda: durak_dsl.Match(GAME, 2.0), "seats is a whole number, not 2.0"),
        (lambda: durak_dsl.Match(GAME, seed="x"), "seed is a whole number, not 'x'"),
        (lambda: durak_dsl.deal(GAME).play(3), "a move is one of legal_moves() or its text, not 3"),
        (lambda: durak_dsl.deal(GAME).after(None), "a move is one of legal_moves() or its text, not None"),
        (lambda: durak_dsl.load(3), "the rules are a name, a path or several joined by +, not 3"),
        (
            lambda: durak_dsl.load("simple", "24"),
            "the settings are options with their values, such as {'name': 'value'}, not '24'",
        ),
    ],
)
def test_what_is_no_argument_is_told(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError) as error:
        call()
    assert str(error.value) == words


def test_the_same_rules_are_called_as_they_were_asked_for() -> None:
    assert [durak_dsl.load(rules).called for rules in ("throw-in+any-time", "any-time")] == ["throw-in+any-time", "any-time"]
