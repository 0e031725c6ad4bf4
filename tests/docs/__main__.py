"""`python -m tests.docs` writes what the commands print into the page; where lines are left out it only tells what they print."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from tests.docs import LEFT_OUT, PAGE, Reader, agrees, blocks

page = PAGE.read_text("utf-8")
parts, end = [], 0
with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    reader = Reader(Path(folder))
    for block in blocks(page):
        if block.kind == "yaml":
            reader.take(block)
            continue
        parts.append(page[end : block.start])
        for line, shown, printed in reader.told(block):
            keep = agrees(shown, printed) or LEFT_OUT in shown
            if not agrees(shown, printed) and keep:
                print(f"{line} prints otherwise:\n{printed}")
            parts.append(f"{line}\n{shown if keep else printed}")
        end = block.start + len(block.text)
    whole = (Path(folder) / "ladder.yaml").read_text("utf-8")
PAGE.write_text("".join(parts) + page[end:], "utf-8")
(PAGE.parent / "ladder.yaml").write_text(whole, "utf-8")
