"""What is wrong with a rule file is told all at once, in file order, at the guilty place, in these words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.chunked import HERE, Chunk, answered, chunks

CHUNKS = {f"{path.stem}: {chunk.title}": chunk for path in sorted(HERE.glob("*.chunks")) for chunk in chunks(path)}


@pytest.mark.parametrize("chunk", CHUNKS.values(), ids=list(CHUNKS))
def test_everything_wrong_is_told(chunk: Chunk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert answered(chunk, tmp_path) == chunk.said
