"""The page on the design names nothing that is not there, and leaves no folder of the package out of its picture."""

from __future__ import annotations

import ast
import re

import pytest

from durak_dsl.cli.app import durak
from durak_dsl.language.syntax import START_RULES, keywords, parse
from durak_dsl.language.words import WORDS
from durak_dsl.language.wrong import Wrong
from tests.games import ROOT
from tests.language.frames import text
from tests.reference.test_reference import KEYS

PACKAGE = ROOT / "durak_dsl"
PAGE = (ROOT / "docs" / "design.md").read_text("utf-8")
(PICTURE,) = re.findall(r"```\n(.*?)```", PAGE, re.S)
NAMED = dict.fromkeys(re.findall(r"`([^`\n]+)`", PAGE.replace(f"```\n{PICTURE}```", "")))

# What YAML would read as something else, a mark, and what stands for values in general.
OTHERS = {"1e3", "6:30", "+name", "X or none", "durak_dsl/"}


def defined() -> set[str]:
    """The names of functions, classes and constants of the package."""
    found = set()
    for module in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Assign):
                found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def is_path(name: str) -> bool:
    """Whether a file or folder is called so, from the package or from the root of the project."""
    return (PACKAGE / name).exists() or (ROOT / name).exists()


def is_of_the_language(name: str) -> bool:
    """Whether it is a word of the rule language, or a text of it."""
    if re.fullmatch("[a-z ]+", name):
        return name in {key.path[-1] for key in KEYS} or name in keywords() or name in WORDS
    for start in START_RULES:
        try:
            parse(text(name), start)
            return True
        except Wrong:
            continue
    return False


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_is_there(name: str) -> None:
    if "/" in name or name.endswith((".py", ".md", ".lark", ".json")):
        assert is_path(name) or name in OTHERS
    elif name.startswith("durak "):
        assert name.split()[1] in durak.list_commands(durak.make_context("durak", ["list"]))
    else:
        assert name in OTHERS or name in defined() or is_of_the_language(name)


def test_every_folder_is_in_the_picture_and_every_file_in_it_is_there() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    boxes = re.findall(r"─ (\w+)/ ─", PICTURE)
    assert {*boxes} == folders and len(boxes) == len(folders)
    for name in re.findall(r"[\w/.]+\.(?:py|lark|json)", PICTURE):
        assert is_path(name) or any((PACKAGE / folder / name).exists() for folder in folders), name
    for function in re.findall(r"(\w+)\(\)", PICTURE):
        assert function in defined()


def test_the_picture_is_straight_and_fits_a_terminal() -> None:
    lines = PICTURE.splitlines()
    assert len({len(line) for line in lines if re.match(" [┌│└]", line)}) == 1
    assert max(map(len, lines)) < 80


def test_links_lead_somewhere() -> None:
    for page in (*(ROOT / "docs").glob("*.md"), ROOT / "README.md"):
        content = page.read_text("utf-8")
        for target, _, anchor in re.findall(r"\]\(([\w./-]*)(#?)([\w-]*)\)", content):
            path = page.parent / target if target else page
            assert path.exists(), (page.name, target)
            assert not anchor or anchor in anchors(path.read_text("utf-8")), (page.name, target, anchor)


def anchors(page: str) -> set[str]:
    """The anchors of the headings of a page."""
    heads = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", page, flags=re.S), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
