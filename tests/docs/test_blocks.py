"""No block of YAML in any page is left out by the tests that read them."""

from __future__ import annotations

import re

import pytest

from tests.docs import PAGE, blocks
from tests.games import ROOT
from tests.language import test_docs

PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})

# The blocks of each page that a test reads.
READ = {
    "README.md": test_docs.blocks(test_docs.README),
    "docs/language.md": test_docs.blocks(test_docs.PAGE),
    "docs/own-game.md": [block.text for block in blocks(PAGE.read_text("utf-8")) if block.kind == "yaml"],
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_yaml_is_read_by_a_test(page: str) -> None:
    lines = (ROOT / page).read_text("utf-8").splitlines()
    fences = [at for at, line in enumerate(lines) if re.match(r"\s*(```|~~~)", line)]
    inside = [
        (lines[start], "".join(f"{line}\n" for line in lines[start + 1 : end])) for start, end in zip(*[iter(fences)] * 2, strict=True)
    ]
    assert {opening for opening, _ in inside} <= {"```yaml", "```console", "```python", "```"}, "a kind of block that no test knows"
    name = (ROOT / page).relative_to(ROOT).as_posix()
    assert [text for opening, text in inside if opening == "```yaml"] == READ.get(name, [])
    assert not [text for opening, text in inside if opening == "```" and "durak: 1" in text], "a rule file that is not called YAML"


def test_the_rule_files_beside_the_pages_are_those_that_they_build() -> None:
    assert [path.name for path in sorted((ROOT / "docs").rglob("*.y*ml"))] == ["ladder.yaml"]
