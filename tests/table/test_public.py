"""The public names, and that asking for one loads no more than it needs."""

from __future__ import annotations

import doctest
import subprocess
import sys

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
