"""House rules of the code: who imports whom, what no engine module may know, what every rule file must have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from durak_dsl.source import library
from tests import golden
from tests.games import FILES, ROOT, VARIANTS, rules_of

PACKAGE = ROOT / "durak_dsl"
MODULES = sorted(PACKAGE.rglob("*.py"))
ORDER = ["problems", "cache", "writing", "source", "version", "language", "compiler", "table", "native", "players", "study", "texts", "cli"]
ONLY_IN = {
    "yaml": "source/nodes.py",
    "jsonschema": "source/schema.py",
    "lark": "language/syntax.py",
    "click": "cli/",
    "platformdirs": "cache.py",
    "llvmlite": "native/machine.py",
    "dask": "study/cluster.py",
    "distributed": "study/cluster.py",
}

# What is said to people, and the example at the head of the package, name rule files.
SPEAKING = ("cli/", "texts/", "__init__.py")
WORDS = re.compile(
    r"trump|attacker|defender|\bbouts?\b|talon|throw[\s_-]?ins?\b|throws? in|thrown in|transfer|\bfools?\b|podkidn|perevodn|kozyr"
    r"|козыр|дурак|перевод|подкид",
    re.IGNORECASE,
)

# Ids of rule files that are ordinary English words.
PLAIN_WORDS = ("simple", "round", "neighbours", "cross", "big", "road", "joker", "partners", "epaulettes", "epaulettes-campaign")

MOST_LINES = 400
LONG = {
    "compiler/emit.py": "one method for each operation of the typed meaning",
    "compiler/runtime.py": "what emitted code calls, a short function for each",
    "compiler/fold.py": "one pass over expressions and one over statements, which share what is bound",
}


def named(module: Path) -> str:
    """The module's path inside the package."""
    return module.relative_to(PACKAGE).as_posix()


def imports(module: Path) -> Iterator[str]:
    """The modules that a module imports, wherever it does so."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(module)} imports relatively"
            yield node.module or ""
            if node.module == "durak_dsl":
                yield from (f"durak_dsl.{alias.name}" for alias in node.names)


def test_imports_go_down() -> None:
    wrong = []
    for module in MODULES:
        part = named(module).split("/")[0].removesuffix(".py")
        if part == "__init__":
            continue
        assert part in ORDER
        for name in imports(module):
            words = name.split(".")
            if words[0] == "durak_dsl" and len(words) > 1 and words[1] in ORDER and ORDER.index(words[1]) > ORDER.index(part):
                wrong.append(f"{named(module)} imports {name}")
    assert not wrong


def test_each_foreign_package_has_one_user() -> None:
    wrong = []
    for module in MODULES:
        for name in imports(module):
            place = ONLY_IN.get(name.split(".")[0])
            if place is not None and not named(module).startswith(place):
                wrong.append(f"{named(module)} imports {name}")
    assert not wrong


def test_the_engine_knows_no_game() -> None:
    ids = "|".join(re.escape(name) for name in VARIANTS if name not in PLAIN_WORDS)
    known = re.compile(rf"(?<![\w-])({ids})(?![\w-])")
    wrong = []
    for module in [*MODULES, PACKAGE / "language" / "grammar.lark"]:
        if not named(module).startswith(SPEAKING):
            for number, line in enumerate(module.read_text("utf-8").splitlines(), 1):
                if WORDS.search(line) or known.search(line):
                    wrong.append(f"{named(module)}:{number}: {line.strip()}")
    assert not wrong


def test_modules_are_short_and_say_what_they_are() -> None:
    wrong = []
    for module in MODULES:
        text = module.read_text("utf-8")
        if not ast.get_docstring(ast.parse(text)):
            wrong.append(f"{named(module)} does not say what it holds")
        if len(text.splitlines()) > MOST_LINES and named(module) not in LONG:
            wrong.append(f"{named(module)} is long, without a reason given here")
    assert not wrong


def test_only_long_modules_are_excused() -> None:
    for name in LONG:
        assert len((PACKAGE / name).read_text("utf-8").splitlines()) > MOST_LINES, f"{name} is short now"


@pytest.mark.parametrize("name", VARIANTS)
def test_every_rule_file_is_complete(name: str) -> None:
    file = library.read(FILES[name])
    rules = rules_of(name)
    assert file.examples is not None and list(file.examples), "it has no examples"
    for what in (
        file.names,
        file.summary,
        *(option.texts for option in rules.options.values()),
        *(move.say for move in rules.moves.values()),
    ):
        assert {"en", "ru"} <= set(what) and all(what.values())
    assert file.sources and file.stated
    assert not rules.warnings, [str(warning) for warning in rules.warnings]
    assert any(count.rules == name for count in golden.counts())
