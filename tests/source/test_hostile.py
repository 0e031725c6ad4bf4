"""A file from a stranger meets one clear message a problem, and nothing else gets out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_dsl.problems import RuleError
from durak_dsl.source import library, nodes, overlay, schema, text
from tests.source.games import BASE

# name, bytes, code of a problem, words in it, line and column (or None)
HOSTILE: list[tuple[str, bytes, str, str, tuple[int, int] | None]] = [
    ("empty", b"", "empty", "the file is empty", (1, 1)),
    ("only a comment", b"# nothing\n", "empty", "the file is empty", (1, 1)),
    ("a list", b"- a\n- b\n", "structure", "is a mapping", (1, 1)),
    ("a text", b"durak\n", "structure", "is a mapping", (1, 1)),
    ("a key twice", b"id: a\nx: 1\nid: b\n", "duplicate", "'id' stands twice", (3, 1)),
    ("a key twice, deep", b"a:\n  b:\n    c: 1\n    c: 2\n", "duplicate", "'c' stands twice", (4, 5)),
    ("a key twice, marked", b"a:\n  c: 1\n  +c: 2\n", "duplicate", "'c' stands twice", (3, 3)),
    ("a key twice, quoted", b'a: 1\n"a": 2\n', "duplicate", "'a' stands twice", (2, 1)),
    ("a key twice, in brackets", b"a: {b: 1, b: 2}\n", "duplicate", "'b' stands twice", (1, 11)),
    ("anchor", b"a: &x b\n", "anchor", "anchors", (1, 4)),
    ("alias", b"a: b\nc: *x\n", "alias", "aliases", (2, 4)),
    ("alias as a key", b"*x : b\n", "alias", "aliases", (1, 1)),
    ("alias bomb", b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", "alias", "aliases", (2, 8)),
    ("self-reference", b"beats: &b [*b]\n", "alias", "aliases", (1, 12)),
    ("merge key", b"a: &a {x: 1}\nb:\n  <<: *a\n", "alias", "aliases", (3, 7)),
    ("tag", b"a: !!python/object/apply:os.system [ls]\n", "tag", "tags", (1, 4)),
    ("unquoted !", b"when: !trump\n", "tag", "must be quoted", (1, 7)),
    ("!!set", b"a: !!set {x, y}\n", "tag", "tags", (1, 4)),
    ("unquoted *", b"when: *trump\n", "alias", "must be quoted", (1, 7)),
    ("unquoted * and space", b"when: * trump\n", "yaml", "cannot begin", (1, 8)),
    ("unquoted &", b"when: &x\n", "anchor", "must be quoted", (1, 7)),
    ("unquoted >", b"when: > 5\n", "yaml", "cannot begin with '>'", (1, 9)),
    ("unquoted >5", b"when: >5\nid: x\n", "yaml", "begins with '>'", (1, 7)),
    ("unquoted |", b"when: | x\n", "yaml", "cannot begin with '>' or '|'", (1, 9)),
    ("unquoted %", b"when: %x\n", "yaml", "cannot begin with this sign", (1, 7)),
    ("unquoted @", b"when: @x\n", "yaml", "cannot begin with this sign", (1, 7)),
    ("unquoted backtick", b"when: `x`\n", "yaml", "cannot begin with this sign", (1, 7)),
    ("unquoted [", b"when: [a] + 1\n", "yaml", "does not belong", (1, 11)),
    ("unquoted {", b"then: {9C} == P1.hand\n", "yaml", "does not belong", (1, 12)),
    ("a text is cut by #", b"when: a #b\n", "comment", "it would be cut here", (1, 9)),
    ("a text is cut by # in brackets", b"a: {b: c #d\n  }\n", "comment", "it would be cut here", (1, 10)),
    ("a text is nothing but #", b"when: #b\n", "empty", "'#' begins a comment", (1, 1)),
    ("nothing", b"a:\nb: 1\n", "empty", "nothing stands after 'a'", (1, 1)),
    ("nothing in a block", b"a: |\n\nb: c\n", "empty", "nothing stands after", (1, 4)),
    ("nothing in a list", b"a:\n  -\n  - b\n", "empty", "nothing stands after '-'", (2, 4)),
    ("no space after a colon", b"hand: {hand:6}\n", "colon", "'hand:6' is one text", (1, 8)),
    ("no space after a colon, alone", b"durak:1\nid: a\n", "yaml", "space after the colon", (2, 3)),
    ("a comma splits a call", b"a: {when: beats(card, target)}\n", "flow", "a comma ends the text", (1, 11)),
    ("a comma splits a call in a list", b"a: [min(x, y), z]\n", "flow", "a comma ends the text", (1, 5)),
    ("a set in brackets", b"a: {is: x in {9C QS}}\n", "yaml", "does not fit inside { }", (1, 14)),
    ("two colons", b"say: {me}: foo\n", "yaml", "", (1, 10)),
    ("a colon in a text", b"a: b: c\n", "yaml", "a colon and a space", (1, 5)),
    ("a second document", b"a: 1\n---\nb: 2\n", "document", "second document", (2, 1)),
    ("a directive", b"%YAML 1.1\n---\na: 1\n", "directive", "directives", (1, 1)),
    ("deep lists", b"a: " + b"[" * 900, "depth", "24 levels deep", (1, 27)),
    ("deep mappings", b"".join(b" " * i + b"a:\n" for i in range(200)), "depth", "24 levels deep", (25, 25)),
    ("deep brackets in lines", b"a: " + b"[\n" * 2000, "depth", "24 levels deep", None),
    ("two thousand brackets", b"a: " + b"[" * 2000, "too-long", "1000 characters", (1, 1001)),
    ("long number", b"a: " + b"9" * 5000, "too-long", "1000 characters", (1, 1001)),
    ("long key", b"a" * 700 + b": 1", "too-long", "key is too long", (1, 1)),
    ("long file", b"# " + b"x\n# " * 30000, "too-long", "64 KiB", None),
    ("many keys", b"a: [" + b"b,\n " * 12000 + b"]", "too-long", "too many keys", None),
    ("explicit key", b"? a\n: b\n", "key", "'?'", (1, 3)),
    ("explicit key in brackets", b"a: {? b : c}\n", "key", "'?'", (1, 7)),
    ("a list as a key", b"[a, b]: c\n", "key", "cannot be a key", (1, 1)),
    ("a mapping as a key", b"{a: b}: c\n", "key", "cannot be a key", (1, 1)),
    ("an empty key", b": c\n", "yaml", "does not belong", (1, 1)),
    ("a key of two lines", b'"a\n  b": c\n', "yaml", "a colon and a space", None),
    ("a blank key", b'" ": c\n', "key", "one line", (1, 1)),
    ("UTF-16", "durak: 1\n".encode("utf-16"), "encoding", "UTF-16", None),
    ("UTF-32", "durak: 1\n".encode("utf-32"), "encoding", "UTF-32", None),
    ("UTF-16 without mark", "durak: 1\n".encode("utf-16-le"), "character", "a zero byte", (1, 2)),
    ("Latin-1", "a: 1\nname: Dürak\n".encode("latin-1"), "encoding", "not UTF-8", (2, 8)),
    ("cp1251", "names: дурак\n".encode("cp1251"), "encoding", "not UTF-8", (1, 8)),
    ("NUL", b"a: b\0c\n", "character", "NUL", (1, 5)),
    ("NUL escaped", b'a: "b\\0c"\n', "character", "NUL", (1, 6)),
    ("line break escaped", b'a: "b\\nc"\n', "character", "a line break", (1, 6)),
    ("terminal escape", b"a: \x1b]0;owned\x07\n", "character", "U+001B", (1, 4)),
    ("terminal escape escaped", b'a: "\\e]0;owned"\n', "character", "U+001B", (1, 5)),
    ("C1 control", "a: \u009b31m\n".encode(), "character", "U+009B", (1, 4)),
    ("bidirectional", "a: durak\u202e\n".encode(), "character", "U+202E", (1, 9)),
    ("bidirectional escaped", b'a: "durak\\u202e"\n', "character", "U+202E", (1, 10)),
    ("zero width", "a: d\u200burak\n".encode(), "character", "U+200B", (1, 5)),
    ("soft hyphen", "a: d\u00adurak\n".encode(), "character", "U+00AD", (1, 5)),
    ("no-break space", "a: d\u00a0u\n".encode(), "character", "U+00A0", (1, 5)),
    ("variation selector", "a: ♥\ufe0f\n".encode(), "character", "U+FE0F", (1, 5)),
    ("mark in the middle", "a: b\ufeffc\n".encode(), "character", "U+FEFF", (1, 5)),
    ("next line", "x: 1\u0085deck: 52\n".encode(), "character", "U+0085", (1, 5)),
    ("line separator", "x: 1\u2028deck: 52\n".encode(), "character", "U+2028", (1, 5)),
    ("old Mac line ends", b"a: 1\rb: 2\r", "character", "carriage return", (1, 5)),
    ("tab after a colon", b"deck:\t36\n", "character", "a tab", (1, 6)),
    ("letter in two parts", "a: подкидно\u0438\u0306\n".encode(), "character", "in two parts", (1, 1)),
    ("surrogate escaped", b'a: "\\ud800"\n', "character", "surrogate", (1, 5)),
    ("no character escaped", b'a: "\\UFFFFFFFF"\n', "character", "not a character", None),
    ("no character escaped either", b'a: "\\U00110000"\n', "character", "not a character", None),
    ("escape cut short", b'a: "\\x4"\n', "yaml", "not complete", None),
    ("unknown escape", b'a: "\\q"\n', "yaml", "backslash", None),
    ("open quote", b'id: x\na: "b\nc: d\n', "yaml", "never closed", (2, 4)),
    ("open bracket", b"a: [b, c\nd: e\n", "yaml", "", None),
    ("bad indentation", b"a:\n    b: 1\n  c: 2\n", "yaml", "does not belong", (3, 3)),
    ("a list in a line", b"a: - b\n", "yaml", "cannot begin a list here", (1, 4)),
    ("an empty line in a text", b"a: b\n\n  c\n", "yaml", "an empty line", (1, 4)),
]


@pytest.mark.parametrize(("data", "code", "words", "place"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_hostile_bytes_are_refused(data: bytes, code: str, words: str, place: tuple[int, int] | None) -> None:
    with pytest.raises(RuleError) as caught:
        nodes.load(data, "x.yaml")
    found = [problem for problem in caught.value.problems if problem.code == code and words in problem.message + problem.hint]
    assert found, str(caught.value)
    if place is not None:
        spans = [(problem.span.line, problem.span.column) for problem in found if problem.span]
        assert place in spans, str(caught.value)
    for line in str(caught.value).splitlines():
        assert line.replace("\t", "").isprintable() and len(line) < 1200


@pytest.mark.parametrize("key", ["if a", "else", "for each p in players", "repeat 2 times"])
def test_what_a_key_governs_stands_on_lines_of_its_own(key: str) -> None:
    with pytest.raises(RuleError) as caught:
        nodes.load(f"a:\n  - {key}: repeat 10 times: x = 0\n".encode(), "f")
    (problem,) = caught.value.problems
    assert (problem.message, problem.hint) == (
        "a second colon and a space in one line",
        "what an 'if', 'for each' or 'repeat' governs stands on lines of its own, as a list",
    )


def test_what_is_unusual_but_sound_is_accepted() -> None:
    node = nodes.load(
        b"\xef\xbb\xbf---\r\ndurak: 1  # version\r\n# a comment\r\nlegal only: \xe2\x80\xa6\r\nx:   # two\r\n  - y\r\n", "x.yaml"
    )
    assert nodes.plain(node) == {"durak": "1", "legal only": "…", "x": ["y"]}


def test_every_scalar_is_text() -> None:
    data = b"a: no\non: 1\n6: x\nb: 010\nc: .nan\nd: 0x1F\ne: 2024-13-45\nf: ~\ng: [true, 1e3, 6.0, 36:00]\n"
    assert nodes.plain(nodes.load(data, "x.yaml")) == {
        "a": "no", "on": "1", "6": "x", "b": "010", "c": ".nan", "d": "0x1F", "e": "2024-13-45", "f": "~",
        "g": ["true", "1e3", "6.0", "36:00"]
    }  # fmt: skip


def test_all_problems_of_a_file_are_reported_in_order() -> None:
    data = b"a: &x b\nc: !t d\ne: f #g\ni: {j:1}\na: k\nl: {m: n(o, p)}\nq:\n"
    with pytest.raises(RuleError) as caught:
        nodes.load(data, "x.yaml")
    assert [problem.code for problem in caught.value.problems] == ["anchor", "tag", "comment", "colon", "duplicate", "flow", "empty"]


def test_a_duplicate_shows_both_places() -> None:
    with pytest.raises(RuleError) as caught:
        nodes.load(b"a: 1\nb: 2\na: 3\n", "x.yaml")
    assert "x.yaml:3:1: 'a' stands twice" in str(caught.value)
    assert "the first is x.yaml:1:1" in str(caught.value)


def test_a_scalar_knows_the_place_of_each_of_its_characters() -> None:
    data = (
        b"plain: one  two\n"
        b"  three\n"
        b"single: 'it''s a\n"
        b"  day'\n"
        b'double: "a\\u00e9 \\"b\\" \\\n'
        b'    c"\n'
        b"literal: |\n"
        b"  if x:\n"
        b"    move y\n"
        b"folded: >-\n"
        b"  four\n"
        b"  five\n"
    )
    node = nodes.load(data, "x.yaml")
    shown = {}
    for entry in node:
        assert isinstance(entry.value, nodes.Text)
        spans = [entry.value.at(offset) for offset in range(len(entry.value.value))]
        shown[entry.key.value] = [(span.line, span.quoted[span.column - 1 : span.column - 1 + span.length]) for span in spans]
        for char, (_, there) in zip(entry.value.value, shown[entry.key.value], strict=True):
            assert char.isspace() or there in (char, "\\u00e9", '\\"', "''"), entry.key.value
    assert shown["plain"][10] == (2, "h")
    assert shown["single"][2:4] == [(3, "''"), (3, "s")]
    assert shown["double"][1] == (5, "\\u00e9")
    assert shown["double"][-1] == (6, "c")
    assert shown["literal"][8:12] == [(9, char) for char in "move"]
    assert shown["folded"][5:9] == [(12, char) for char in "five"]


def test_a_stretch_of_a_text_is_shown_up_to_its_line_end() -> None:
    node = nodes.load(b"when: higher(card,\n  target)\n", "x.yaml")
    value = node.get("when")
    assert isinstance(value, nodes.Text)
    assert (value.at(7, 4).column, value.at(7, 4).length) == (14, 4)
    assert (value.at(13, 6).line, value.at(13, 6).column, value.at(13, 6).length) == (2, 3, 6)
    assert (value.at(0, 30).line, value.at(0, 30).length) == (1, 12)
    assert (value.at(99).line, value.at(99).column) == (2, 10)
    assert (value.span.line, value.span.column, value.span.length) == (1, 7, 12)


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "missing", "long", "NUL in the name"])
def test_only_a_regular_file_is_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "long":
        path.write_bytes(b"#" * 1_000_000)
    elif kind == "NUL in the name":
        path = tmp_path / "x\0.yaml"
    with pytest.raises(RuleError) as caught:
        library.read(path)
    assert caught.value.problems[0].code in ("not-a-file", "no-file", "too-long")


@pytest.mark.parametrize(
    ("word", "plain"),
    [("rаnk", "rank"), ("trump", "trump"), ("Сard", "Card"), ("козырь", "кoзыpь")],
    ids=["mixed", "latin", "first", "cyrillic"],
)
def test_look_alikes(word: str, plain: str) -> None:
    assert text.latin(word) == plain


def read_to_the_end(data: bytes, folder: Path) -> None:
    """Everything that is done with a rule file in this package."""
    node = nodes.load(data, "x.yaml")
    schema.check(node)
    nodes.head(data, "x.yaml", schema.head_keys())
    (folder / "fuzz.yaml").write_bytes(data)
    overlay.render(overlay.resolve(str(folder / "fuzz.yaml")), True)


@given(st.binary(max_size=400))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_random_bytes_raise_nothing_but_rule_errors(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    try:
        read_to_the_end(data, tmp_path_factory.getbasetemp())
    except RuleError as error:
        assert error.problems


_PIECES = (
    "{",
    "}",
    "[",
    "]",
    ": ",
    "- ",
    "&a ",
    "*a",
    "!t ",
    "|",
    ">",
    '"',
    "'",
    "#",
    " #",
    "\n",
    "  ",
    "? ",
    "removed",
    "+",
    "before: x",
    "\\",
    "%",
    "(",
    ",",
)


@given(st.lists(st.tuples(st.integers(0, len(BASE)), st.integers(0, 12), st.sampled_from(_PIECES)), min_size=1, max_size=4))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_mutated_files_raise_nothing_but_rule_errors(tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int, str]]) -> None:
    data = BASE
    for at, cut, piece in changes:
        data = data[:at] + piece + data[at + cut :]
    try:
        read_to_the_end(data.encode(), tmp_path_factory.getbasetemp())
    except RuleError as error:
        assert error.problems
        assert all(problem.span is None or problem.span.line >= 1 for problem in error.problems)
