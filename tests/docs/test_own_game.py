"""The page that builds a game from an empty file: every step of it, with what its commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from durak_dsl.language.syntax import START_RULES, parse
from durak_dsl.language.wrong import Wrong
from tests.docs import PAGE, Reader, agrees, blocks, lay
from tests.language.frames import text

FILE = "# a comment\nhead: 1\n\nzones:\n  stock: {stack: one}  # cards\n\n# of moves\nmoves:\n  play:\n    in: play\n"


@pytest.mark.parametrize(
    ("addition", "file"),
    [
        ("zones:\n  hand: {set: each}\n", FILE.replace("# cards\n", "# cards\n  hand: {set: each}\n")),
        ("zones:\n  stock: {set: one}\n", FILE.replace("{stack: one}  # cards", "{set: one}")),
        ("moves:\n  play:\n    do: stay\n  pass:\n    in: play\n", FILE + "    do: stay\n  pass:\n    in: play\n"),
        ("moves:\n  play:\n    in:\n      - play\n", FILE.replace("in: play", "in:\n      - play")),
        ("finish:\n  loser: none\n", FILE + "\nfinish:\n  loser: none\n"),
    ],
)
def test_an_addition_goes_where_a_reader_puts_it(addition: str, file: str) -> None:
    assert lay(FILE, addition) == file


def test_lines_may_be_left_out_only_where_the_page_says_so() -> None:
    assert agrees("a\n…\nd\n", "a\nb\nc\nd\n") and agrees("a\n…\nd\n", "a\nd\n")
    assert not agrees("a\nd\n", "a\nb\nd\n") and not agrees("a\n…\n", "b\na\n")


def test_every_step_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reader, ran = Reader(tmp_path), 0
    for block in blocks(PAGE.read_text("utf-8")):
        if block.kind == "yaml":
            reader.take(block)
            continue
        for line, shown, printed in reader.told(block):
            assert agrees(shown, printed), f"{line} prints\n{printed}"
            ran += 1
    assert ran >= 10
    whole = (PAGE.parent / "ladder.yaml").read_text("utf-8")
    assert (tmp_path / "ladder.yaml").read_text("utf-8") == whole, "the page links to the whole file"


def test_every_command_and_every_addition_is_run() -> None:
    page = PAGE.read_text("utf-8")
    assert set(re.findall(r"```(\w+)", page)) == {"yaml", "console"}
    assert len(re.findall(r"^\$ ", page, re.M)) == sum(len(re.findall(r"^\$ ", block.text, re.M)) for block in blocks(page))


def test_what_other_games_need_is_read() -> None:
    page = PAGE.read_text("utf-8")
    samples = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| .* \|$", page[page.index("## 12") :], re.M)))
    assert len(samples) > 25
    for sample in samples:
        if not re.match("(if|else).*C", sample) and not sample.startswith("else"):
            assert _is_read(sample), sample


def _is_read(sample: str) -> bool:
    """Whether a text is one of the language, or a line of YAML whose value is."""
    if re.fullmatch("when|actor", sample) or re.search(r": \{.*\}$", sample):
        return True  # structure, which the schema checks
    for part in (sample, sample.partition(": ")[2], sample.partition(": ")[0]):
        for start in START_RULES:
            if start != "signature" or part == sample:
                try:
                    parse(text(part), start)
                except Wrong:
                    continue
                return True
    return False
