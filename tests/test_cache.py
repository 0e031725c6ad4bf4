"""What is kept between runs: only where nobody else can put anything, and never needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from durak_dsl import cache
from tests.games import ROOT

TABLES = "grammar.lark.tables"


def listed(folder: Path | str) -> str:
    """The answer of `beats`, which reads the grammar, when this is the cache folder."""
    command = [sys.executable, "cli.py", "beats", "simple", "--ascii"]
    ran = subprocess.run(command, cwd=ROOT, env={"DURAK_CACHE": str(folder)}, capture_output=True, encoding="utf-8", check=True)
    assert not ran.stderr
    return ran.stdout


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.NAMED_BY, str(tmp_path / "new" / "folder"))
    folder = cache.folder()
    assert folder == tmp_path / "new" / "folder" and folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("what", ["nothing", "a file", "open to all"])
def test_where_it_cannot_be_trusted_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    place = tmp_path / "place"
    if what == "a file":
        place.write_text("")
    elif what == "open to all":
        place.mkdir()
        place.chmod(0o777)
    monkeypatch.setenv(cache.NAMED_BY, "" if what == "nothing" else str(place))
    assert cache.folder() is None
    said = {"nothing": "", "a file": "it is not a folder", "open to all": "it is not yours alone"}[what]
    assert cache.why_nothing() == (said and f"the cache folder {place} cannot be used: {said}")


def test_grammar_tables_are_kept_and_made_anew_when_spoilt(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    answer = listed(folder)
    kept = (folder / TABLES).read_bytes()
    assert listed(folder) == answer == listed("")
    (folder / TABLES).write_bytes(kept[: len(kept) // 2])
    assert listed(folder) == answer
    assert len((folder / TABLES).read_bytes()) > len(kept) // 2
