"""Rules that travel as one text come to the same rules, and a text that is no such parcel is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import durak_dsl
from durak_dsl.problems import RuleError
from durak_dsl.source import library, overlay
from durak_dsl.source.parcel import packed, unpacked
from durak_dsl.table.game import game_of
from tests.games import COMBINED, VARIANTS

EDIT = "durak: 1\nid: mine\nchanges: theirs\noptions: {bout_limit: {default: 4}}\n"
BASE = "durak: 1\nid: theirs\nchanges: подкидной\noptions: {bout_limit: {default: 3}}\n"


@pytest.mark.parametrize("name", [*VARIANTS, *COMBINED])
def test_rules_that_have_travelled_are_the_same(name: str) -> None:
    document = overlay.resolve(name)
    arrived = unpacked(packed(document))
    assert (arrived.id, arrived.hash) == (document.id, document.hash)
    assert [file.path for file in arrived.files] == [file.path for file in document.files]
    assert packed(arrived) == packed(document)


def test_no_folder_is_looked_into_where_they_arrive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of a file beside it, which changes one of the library by its Russian name, laid over another game."""
    (tmp_path / "mine.yaml").write_text(EDIT, "utf-8")
    (tmp_path / "theirs.yaml").write_text(BASE, "utf-8")
    document = overlay.resolve(f"transfer+{tmp_path}/mine.yaml")
    text = packed(document)
    for path in tmp_path.iterdir():
        path.unlink()
    for name in ("find", "find_base", "read", "read_bytes", "all_files"):
        monkeypatch.delattr(library, name)
    arrived = unpacked(text)
    assert arrived.hash == document.hash
    assert game_of(arrived, {"lead_size": "pair"}).options["bout_limit"] == "4"


def test_which_edit_wins_travels_too(tmp_path: Path) -> None:
    for name, limit in (("one", 4), ("two", 3)):
        (tmp_path / f"{name}.yaml").write_text(f"durak: 1\nid: {name}\nchanges: throw-in\noptions: {{bout_limit: {{default: {limit}}}}}\n")
    rules = f"{tmp_path}/one.yaml+{tmp_path}/two.yaml"
    game = durak_dsl.load(rules, later_wins=True)
    assert game_of(unpacked(packed(game.document))).hash == game.hash
    plain = json.loads(packed(game.document))
    with pytest.raises(RuleError, match="disagree"):
        unpacked(json.dumps(plain | {"later wins": False}))


def test_what_is_wrong_in_a_file_is_told_with_its_place() -> None:
    plain = json.loads(packed(overlay.resolve("simple")))
    plain["files"][0]["text"] += "nonsense: 1\n"
    with pytest.raises(RuleError, match="nonsense") as caught:
        unpacked(json.dumps(plain))
    (problem,) = caught.value.problems
    assert problem.span is not None and problem.span.path.endswith("simple.yaml")


def test_a_base_that_has_not_come_along_is_not_looked_for() -> None:
    plain = json.loads(packed(overlay.resolve("transfer")))
    for file in plain["files"]:
        file["meant"] = {}
    with pytest.raises(RuleError, match="have not come along"):
        unpacked(json.dumps(plain))


GOOD = json.loads(packed(overlay.resolve("throw-in+first-five")))
FILE = GOOD["files"][0]


@pytest.mark.parametrize(
    "plain",
    [
        "text",
        [],
        {},
        GOOD | {"more": 1},
        GOOD | {"later wins": 1},
        GOOD | {"files": []},
        GOOD | {"files": "ab"},
        GOOD | {"files": [FILE, FILE]},
        GOOD | {"files": [FILE | {"path": ""}]},
        GOOD | {"files": [FILE | {"path": "a\nb"}]},
        GOOD | {"files": [FILE | {"path": 1}]},
        GOOD | {"files": [FILE | {"text": None}]},
        GOOD | {"files": [FILE | {"text": "\ud800"}]},
        GOOD | {"files": [FILE | {"meant": {"a": 99}}]},
        GOOD | {"files": [FILE | {"meant": {"a": True}}]},
        GOOD | {"files": [FILE | {"meant": {str(n): 0 for n in range(99)}}]},
        GOOD | {"files": [FILE | {"path": str(n)} for n in range(99)]},
        GOOD | {"joined": []},
        GOOD | {"joined": [-1]},
        GOOD | {"joined": ["0"]},
        GOOD | {"joined": 0},
    ],
)
def test_a_text_that_is_no_parcel_is_refused(plain: Any) -> None:
    with pytest.raises(RuleError, match="what was sent as rules is"):
        unpacked(json.dumps(plain))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, " " * 4_000_000, "NaN"])
def test_nor_is_what_is_no_json(text: str) -> None:
    with pytest.raises(RuleError, match="what was sent as rules is"):
        unpacked(text)


def test_a_file_is_bounded_as_in_a_folder() -> None:
    plain = json.loads(packed(overlay.resolve("simple")))
    plain["files"][0]["text"] += "#" + " " * 70_000
    with pytest.raises(RuleError, match="longer than 64 KiB"):
        unpacked(json.dumps(plain))


def test_paths_are_told_and_never_opened(tmp_path: Path) -> None:
    plain = json.loads(packed(overlay.resolve("simple")))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    plain["files"][0]["path"] = str(pipe)
    assert unpacked(json.dumps(plain)).hash == overlay.resolve("simple").hash
