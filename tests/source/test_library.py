"""Names, aliases and paths lead to files, and to no others."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from durak_dsl.cli import library as library_groups
from durak_dsl.cli.asked import complete_rules
from durak_dsl.problems import RuleError
from durak_dsl.source import library, overlay, text
from tests.cli.running import ROOT, run
from tests.source.games import BASE

YOLKA = """\
durak: 1
id: yolka
changes: base
names: {en: Fir Tree, ru: Ёлка зелёная}
aliases: elka, ёлочка
summary: {en: A tree., ru: Дерево.}
sources: [002, A10]
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A library of its own, in place of the one that comes with the package."""
    folder = tmp_path / "variants"
    (folder / "others").mkdir(parents=True)
    (folder / "base.yaml").write_text(BASE, "utf-8")
    (folder / "others" / "yolka.yaml").write_text(YOLKA, "utf-8")
    shipped = text.shipped
    monkeypatch.setattr(library, "shipped", lambda name: folder if name == "variants" else shipped(name))
    yield folder


@pytest.mark.parametrize(
    "name", ["yolka", "Yolka", "elka", "ёлочка", "елочка", "ЁЛКА ЗЕЛЁНАЯ", "елка  зеленая", "fir tree", "Fir-Tree", "fir_tree"]
)
def test_a_name_leads_to_its_file(shelf: Path, name: str) -> None:
    assert library.find(name) == shelf / "others" / "yolka.yaml"
    assert overlay.resolve(name).id == "yolka"


def test_a_file_says_what_it_is(shelf: Path) -> None:
    head = next(head for head in library.all_files() if head.id == "yolka")
    assert head.names == {"en": "Fir Tree", "ru": "Ёлка зелёная"}
    assert head.aliases == ("elka", "ёлочка")
    assert head.summary == {"en": "A tree.", "ru": "Дерево."}
    assert head.sources == ("002", "A10")
    assert head.changes == "base" and head.group == "others" and library.read(shelf / "base.yaml").group is None
    file = library.read(head.file)
    assert (file.id, file.changes, file.examples, file.rules.entries) == ("yolka", "base", None, ())


@pytest.mark.parametrize(("name", "hint"), [("yolkaa", "did you mean 'yolka'?"), ("базе", "durak list"), ("\x1b[31m", "durak list")])
def test_an_unknown_name_is_told(shelf: Path, name: str, hint: str) -> None:
    with pytest.raises(RuleError) as caught:
        library.find(name)
    assert hint in str(caught.value)
    assert str(caught.value).replace("\n", "").isprintable()


def test_a_file_is_meant_by_its_path_only(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.yaml").write_text(YOLKA.replace("id: yolka", "id: mine"), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert overlay.resolve("./mine.yaml").id == "mine"
    assert overlay.resolve("mine.yaml").files[-1].path == "mine.yaml"
    assert overlay.resolve(str(tmp_path / "mine.yaml")).files[-1].path == "mine.yaml"
    assert overlay.resolve("yolka+./mine.yaml").id == "yolka+mine"
    with pytest.raises(RuleError, match=r"write \./mine\.yaml"):
        overlay.resolve("mine")
    with pytest.raises(RuleError, match=r"there is no file .*nowhere\.yaml"):
        overlay.resolve("nowhere.yaml")


def test_a_base_may_lie_beside_the_file(shelf: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "under.yaml").write_text("durak: 1\nid: under\nchanges: base\noptions: {size: {default: 4}}\n", "utf-8")
    (folder / "base.yaml").write_text("not: read\n", "utf-8")
    (folder / "top.yaml").write_text("durak: 1\nid: top\nchanges: under\n", "utf-8")
    files = overlay.resolve(str(folder / "top.yaml")).files
    assert [file.id for file in files] == ["base", "under", "top"]
    assert files[0].file == shelf / "base.yaml", "the library's own names cannot be taken"


@pytest.mark.parametrize("kind", ["link out", "pipe", "device", "folder", "upper case"])
def test_a_base_is_nothing_but_a_file_of_the_folder(shelf: Path, tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (tmp_path / "secret.yaml").write_text(BASE, "utf-8")
    (folder / "top.yaml").write_text(f"durak: 1\nid: top\nchanges: {'UNDER' if kind == 'upper case' else 'under'}\n", "utf-8")
    under = folder / "under.yaml"
    if kind == "link out":
        under.symlink_to("../secret.yaml")
    elif kind == "pipe":
        os.mkfifo(under)
    elif kind == "device":
        under.symlink_to("/dev/zero")
    elif kind == "folder":
        under.mkdir()
    else:
        under.write_text(BASE, "utf-8")
    with pytest.raises(RuleError) as caught:
        overlay.resolve(str(folder / "top.yaml"))
    assert caught.value.problems[0].code in ("outside", "not-a-file", "unknown-rules")


def test_a_link_within_the_folder_is_followed(shelf: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "real.yaml").write_text(BASE, "utf-8")
    (folder / "under.yaml").symlink_to("real.yaml")
    (folder / "top.yaml").write_text("durak: 1\nid: top\nchanges: under\n", "utf-8")
    assert [file.id for file in overlay.resolve(str(folder / "top.yaml")).files] == ["base", "top"]


def test_a_file_that_cannot_be_read_does_not_break_the_list(shelf: Path) -> None:
    (shelf / "broken.yaml").write_bytes(b"durak: 1\nid: broken\nnames: {en: \xff}\n")
    assert [head.id for head in library.all_files()] == ["base", "yolka"]
    with pytest.raises(RuleError, match="not UTF-8"):
        overlay.resolve("broken")


def test_a_changed_file_is_read_again(shelf: Path) -> None:
    assert overlay.resolve("yolka").root.get("options") is not None
    before = overlay.resolve("yolka").hash
    (shelf / "others" / "yolka.yaml").write_text(YOLKA + "options: {size: {default: 5}}\n", "utf-8")
    assert overlay.resolve("yolka").hash != before


def test_the_list_needs_neither_a_validator_nor_the_whole_of_a_file(shelf: Path) -> None:
    (shelf / "long.yaml").write_text("durak: 1\nid: long\nchanges: base\nsetup: [\n", "utf-8")
    assert "long" in [head.id for head in library.all_files()]
    script = "import sys; from durak_dsl.source import library; library.all_files(); print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True)
    assert done.stdout.strip() == "False"


def test_data_is_found_in_an_installation_and_in_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "durak_dsl" / "source"
    source.mkdir(parents=True)
    monkeypatch.setattr(text, "__file__", str(source / "text.py"))
    (tmp_path / "variants").mkdir()
    with pytest.raises(FileNotFoundError):
        text.shipped("variants")  # a folder of that name beside an installed package is not ours
    (tmp_path / "pyproject.toml").touch()
    assert text.shipped("variants") == tmp_path / "variants"
    (tmp_path / "durak_dsl" / "variants").mkdir()
    assert text.shipped("variants") == tmp_path / "durak_dsl" / "variants"


def test_the_shipped_rules_are_sound_and_their_names_unique() -> None:
    seen: dict[str, str] = {}
    for head in library.all_files():
        assert head.file.stem == head.id
        assert set(head.names) == {"en", "ru"}, head.id
        for name in {library.folded(name) for name in head.called}:
            assert seen.setdefault(name, head.id) == head.id, name
        assert overlay.resolve(head.id).files[-1].id == head.id
    files = [*text.shipped("variants").rglob("*.yaml")]
    assert len({head.id for head in library.all_files()}) == len(library.all_files()) == len(files)
    assert {head.group for head in library.all_files()} <= {None, *library_groups.GROUPS}


def test_the_library_is_told_group_by_group(shelf: Path) -> None:
    (shelf / "zoo.yaml").write_text(BASE.replace("id: base", "id: zoo"), "utf-8")
    (shelf / "own").mkdir()
    (shelf / "own" / "apple.yaml").write_text(BASE.replace("id: base", "id: apple"), "utf-8")
    assert [(head.group, head.id) for head in library.all_files()] == [(None, "base"), (None, "zoo"), ("others", "yolka"), ("own", "apple")]
    heads = [line for line in run("list").output.splitlines() if line and not line.startswith(" ")]
    assert [line.partition(":")[0] for line in heads[:-1]] == ["base", "zoo", "Other games · Другие игры", "yolka", "own", "apple"]
    assert [one["group"] for one in json.loads(run("list", "--json").stdout)["rules"]] == [None, None, "others", "own"]
    context, argument = click.Context(click.Command("show")), click.Argument(["rules"])
    assert [item.value for item in complete_rules(context, argument, "base+y")] == ["base+yolka"]


def test_a_game_of_a_folder_is_called_by_name_like_all(shelf: Path) -> None:
    shutil.copy(ROOT / "docs" / "ladder.yaml", shelf / "others")
    assert run("show", "лесенка").output.startswith("ladder\n")
    assert run("check", "Ladder", "--deals", "1").exit_code == 0
    assert run("play", "ladder", "--auto", "--seed", "7").exit_code == 0
