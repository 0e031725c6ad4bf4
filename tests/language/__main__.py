"""`python -m tests.language`: writes into the chunks what is said about them now; the diff is the review."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.language.chunked import HERE, answered, chunks, introduction

paths = sorted(HERE.glob("*.chunks"))
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for path in paths:
        written = [f"=== {chunk.title}\n{answered(chunk, Path(folder))}" for chunk in chunks(path)]
        path.write_text(introduction(path) + "\n".join(written), "utf-8")
