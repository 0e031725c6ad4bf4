"""Edits over their bases: what merges, what is refused and where, and that combined edits do not silently overrule each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from durak_dsl.problems import RuleError
from durak_dsl.source import nodes, overlay, schema
from durak_dsl.source.merge import leaves, seats
from durak_dsl.source.overlay import Document
from tests.source.games import BASE, Chunk, chunks

CHUNKS = chunks(Path(__file__).with_name("overlay.chunks"))


def resolved(folder: Path, rules: str, **files: str) -> Document:
    """The document of rules in a folder with the base and these files, whose heads are written for them."""
    return overlay.resolve(written(folder, rules, **files))


def written(folder: Path, rules: str, **files: str) -> str:
    """The rules by their paths, when the files are written."""
    (folder / "base.yaml").write_text(BASE, "utf-8")
    for name, text in files.items():
        head = "" if "changes:" in text else "changes: base\n"
        (folder / f"{name}.yaml").write_text(f"durak: 1\nid: {name}\n{head}{text}", "utf-8")
    return "+".join(f"{folder}/{name}.yaml" for name in rules.split("+"))


def value(document: Document, *path: str) -> Any:
    """The plain value at a path of the document."""
    node: nodes.Node | None = document.root
    for name in path:
        assert isinstance(node, nodes.Map)
        node = node.get(name)
    assert node is not None
    return nodes.plain(node)


@pytest.mark.parametrize("chunk", CHUNKS, ids=[chunk.title for chunk in CHUNKS])
def test_the_guilty_line_is_named(chunk: Chunk, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE, "utf-8")
    for name, text in chunk.files.items():
        if text.strip():
            (tmp_path / name).write_text(text, "utf-8")
    names = chunk.title.partition(" : ")[2] or [*chunk.files][-1]
    with pytest.raises(RuleError) as caught:
        overlay.resolve("+".join(str(tmp_path / name) for name in names.split("+")))
    problems = [(problem, f"{problem.message} {problem.hint}") for problem in caught.value.problems]
    for name, line, words in chunk.said:
        assert any(
            words in said and problem.span and (Path(problem.span.path).name, problem.span.line) == (name, line)
            for problem, said in problems
        ), f"{name}:{line} should say: {words}\n{caught.value}"
    for problem, said in problems:
        assert problem.span is not None
        place = (Path(problem.span.path).name, problem.span.line)
        assert any(words in said for name, line, words in chunk.said if (name, line) == place), f"not expected: {problem}"


def test_mappings_merge_by_name_and_anything_else_replaces(tmp_path: Path) -> None:
    edit = """\
options:
  size: {default: 4}
define:
  beats:
    any:
      +same: card.rank == target.rank
    never:
      +spades only: card.suit != spades
  limit: min(cards, 4)
  room:
    first of:
      one: 1 if size > 4
      two: 2
variables:
  +done: each player yes/no
moves:
  lay:
    when: {fits: room > 1}
    write: put {card}
"""
    document = resolved(tmp_path, "edit", edit=edit)
    assert value(document, "options", "size") == {"range": "1 to 6", "default": "4", "en": "How many", "ru": "Сколько"}
    assert value(document, "define", "beats(card, card target)") == {
        "any": {"higher": "card.suit == target.suit and card.rank > target.rank", "same": "card.rank == target.rank"},
        "never": {"spades only": "card.suit != spades"},
    }
    assert value(document, "define", "limit(number cards)") == "min(cards, 4)"
    assert value(document, "define", "room") == {"first of": {"one": "1 if size > 4", "two": "2"}}
    assert value(document, "variables") == {"leader": "player", "done": "each player yes/no"}
    assert value(document, "moves", "lay", "when") == {"fits": "room > 1"}
    assert value(document, "moves", "lay", "pick") == {"card": "me.hand"}
    assert value(document, "moves", "lay", "write") == "put {card}"


def test_steps_are_placed(tmp_path: Path) -> None:
    edit = """\
procedures:
  end bout:
    +first: {before: clear, do: [x = 1, y = 2]}
    +late: {after: next, do: stay}
    +later: stay
    next: {before: clear, do: go lay}
    out: removed
define:
  beats:
    any:
      +before all: {before: higher, is: yes}
moves:
  lay:
    pick:
      +pile: {before: card, is: table}
"""
    document = resolved(tmp_path, "edit", edit=edit)
    steps = value(document, "procedures", "end bout")
    assert isinstance(steps, dict)
    assert [*steps.items()] == [
        ("first", ["x = 1", "y = 2"]),
        ("next", "go lay"),
        ("clear", "move table to talon"),
        ("late", "stay"),
        ("later", "stay"),
    ]
    assert [*value(document, "define", "beats(card, card target)", "any")] == ["before all", "higher"]
    assert [*value(document, "moves", "lay", "pick")] == ["pile", "card"]


def test_names_are_taken_away(tmp_path: Path) -> None:
    edit = (
        "options: {who: removed}\ndefine: {limit: removed, room: size}\nmoves:\n  lay: {when: removed}\nprocedures: {end bout: removed}\n"
    )
    document = resolved(tmp_path, "edit", edit=edit)
    assert value(document, "options") == {"size": {"range": "1 to 6", "default": "3", "en": "How many", "ru": "Сколько"}}
    assert value(document, "define", "room") == "size"
    assert value(document, "procedures") == {}
    assert "when" not in value(document, "moves", "lay")


def test_a_quoted_removed_is_a_text(tmp_path: Path) -> None:
    document = resolved(tmp_path, "edit", edit='moves:\n  lay:\n    say: {en: "removed"}\n')
    assert value(document, "moves", "lay", "say", "en") == "removed"
    again = nodes.load(overlay.render(document, False).encode(), "again.yaml")
    assert schema.check(again) == []


def test_control_is_replaced_whole(tmp_path: Path) -> None:
    edit = "procedures:\n  end bout:\n    out:\n      if size > 3: x = 1\n      else: x = 2\n"
    second = "changes: edit\nprocedures:\n  end bout:\n    out:\n      if size > 3: x = 5\n"
    document = resolved(tmp_path, "second", edit=edit, second=second)
    assert value(document, "procedures", "end bout", "out") == {"if size > 3": "x = 5"}


def test_every_node_keeps_its_origin(tmp_path: Path) -> None:
    document = resolved(tmp_path, "edit", edit="options:\n  size: {default: 4}\ndefine:\n  +four: 4\n")
    origin = {text.value: (Path(text.span.path).name, text.span.line) for text in leaves(document.root)}
    assert origin["4"] == ("edit.yaml", 7)
    assert origin["player"] == ("base.yaml", 14)
    new = document.root.get("define")
    assert isinstance(new, nodes.Map)
    key = new.key("four")
    assert key is not None
    assert (key.value, key.span.line, key.span.column, key.span.length) == ("four", 7, 4, 4)
    assert key.at(1).column == 5


def test_an_edit_goes_over_another_base(tmp_path: Path) -> None:
    document = resolved(
        tmp_path,
        "more+less",
        more="options: {size: {default: 5}}\ndefine: {+extra: 1}\n",
        less="variables: {+held: 0 to 9}\ndefine:\n  limit: min(cards, 3)\n",
    )
    assert document.id == "more+less"
    assert [file.id for file in document.files] == ["base", "more", "less"]
    assert value(document, "options", "size", "default") == "5"
    assert value(document, "define", "limit(number cards)") == "min(cards, 3)"
    assert value(document, "define", "extra") == "1"


def test_only_the_edits_of_the_file_itself_are_laid(tmp_path: Path) -> None:
    document = resolved(
        tmp_path,
        "other+low",
        middle="options: {size: {default: 5}}\nvariables: {+held: 0 to 9}\n",
        low="changes: middle\ndefine: {limit: 1}\n",
        other="define: {+extra: 1}\n",
    )
    assert value(document, "options", "size", "default") == "3"
    assert value(document, "define", "limit(number cards)") == "1"


CLASH = {
    "four": "options: {size: {default: 4}}\ndefine: {limit: removed, room: 1}\n",
    "five": "options: {size: {default: 5}}\ndefine: {limit: 5}\n",
}


def test_the_later_wins_when_told(tmp_path: Path) -> None:
    with pytest.raises(RuleError) as caught:
        resolved(tmp_path, "four+five", **CLASH)
    assert [problem.code for problem in caught.value.problems] == ["conflict", "conflict"]
    assert "the other place is" in str(caught.value) and "four.yaml:4" in str(caught.value)
    document = overlay.resolve(written(tmp_path, "four+five", **CLASH), later_wins=True)
    assert value(document, "options", "size", "default") == "5"
    assert value(document, "define", "limit") == "5"


def test_a_file_settles_what_its_bases_disagree_about(tmp_path: Path) -> None:
    clash = {"four": "options: {size: {default: 4}}\n", "five": "options: {size: {default: 5}}\n"}
    with pytest.raises(RuleError):
        resolved(tmp_path, "both", both="changes: four+five\n", **clash)
    document = resolved(tmp_path, "both", both="changes: four+five\noptions: {size: {default: 6}}\n", **clash)
    assert value(document, "options", "size", "default") == "6"


def test_an_edit_may_overrule_what_it_was_written_for(tmp_path: Path) -> None:
    document = resolved(tmp_path, "top", four="options: {size: {default: 4}}\n", top="changes: four\noptions: {size: {default: 6}}\n")
    assert value(document, "options", "size", "default") == "6"


def test_saying_the_same_twice_is_no_conflict(tmp_path: Path) -> None:
    same = "options: {size: {default: 4}}\ndefine:\n  +extra:\n    any: {a: yes}\n"
    document = resolved(tmp_path, "one+two", one=same, two=same)
    assert value(document, "options", "size", "default") == "4"
    assert {Path(text.span.path).name for text in leaves(document.root)} == {"base.yaml", "one.yaml"}


@pytest.mark.parametrize(
    ("one", "two", "both"),
    [("2 to 4", "3 to 6", "3 or 4"), ("4 or 6", "2 to 5", "4"), ("2 to 5", "3 to 6", "3 to 5"), ("2 to 6", "2", "2")],
)
def test_counts_of_players_intersect(tmp_path: Path, one: str, two: str, both: str) -> None:
    document = resolved(tmp_path, "one+two", one=f"players: {{count: {one}}}\n", two=f"players: {{count: {two}}}\n")
    assert value(document, "players", "count") == both
    assert seats(both)


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        ("wide", "2 to 8"),
        ("wide+few", "2 to 4"),
        ("few+wide", "2 to 4"),
        ("even+wide", "4 or 6"),
        ("wide+even+few", "4"),
        ("wide+some+fewer", "2 or 3"),
        ("some+fewer+wide+odd", "3"),
    ],
)
def test_an_edit_may_let_more_play_than_what_it_was_written_for(rules: str, count: str, tmp_path: Path) -> None:
    said = {"wide": "2 to 8", "few": "2 to 4", "even": "4 or 6", "odd": "3 or 5", "some": "2 to 5"}
    files = {name: f"changes: base\nplayers: {{count: {text}}}\n" for name, text in said.items()}
    files["fewer"] = "changes: some\nplayers: {count: 2 or 3}\n"
    assert value(resolved(tmp_path, rules, **files), "players", "count") == count


def test_a_chain_is_bounded(tmp_path: Path) -> None:
    files = {f"e{n}": f"changes: {f'e{n - 1}' if n else 'base'}\ndefine: {{+d{n}: 1}}\n" for n in range(9)}
    assert len(resolved(tmp_path, "e6", **files).files) == 8
    with pytest.raises(RuleError, match="more than 8 files change each other"):
        resolved(tmp_path, "e7", **files)


def test_a_bush_of_bases_is_bounded(tmp_path: Path) -> None:
    files = {f"e{n}": f"changes: {'+'.join(f'e{k}' for k in range(n)) or 'base'}\n" for n in range(8)}
    assert len(resolved(tmp_path, "e7", **files).files) == 9


def test_names_alone_and_paths_and_both(tmp_path: Path) -> None:
    document = resolved(tmp_path, "base")
    assert document.id == "base"
    with pytest.raises(RuleError, match="joined by"):
        overlay.resolve("simple+")
    with pytest.raises(RuleError, match="more than 8"):
        overlay.resolve("+".join(["simple"] * 9))


def test_the_hash_knows_the_rules_and_nothing_else(tmp_path: Path) -> None:
    plain = resolved(tmp_path, "base")
    same = resolved(
        tmp_path, "edit", edit="names: {en: Other, ru: Другой}\noptions: {size: {default: 3}}\nexamples: {a: {given: {hand: 6C}}}\n"
    )
    other = resolved(tmp_path, "edit", edit="options: {size: {default: 4}}\n")
    assert len(plain.hash) == 16
    assert plain.hash == same.hash != other.hash
    assert same.root.get("names") is None and same.root.get("examples") is None
    assert same.files[-1].examples is not None


@pytest.mark.parametrize("origins", [False, True])
def test_resolved_rules_are_a_whole_game_again(tmp_path: Path, origins: bool) -> None:
    edit = """\
procedures:
  end bout:
    out:
      - if size > 3:
          - move table to talon
          - |
            x = 1
            y = 2
        else:
          deep: [a, "b: c", "d #e", "- f", "it's"]
    +text: "say \\"x\\": 'y'"
setup: [a; b, [c, d]]
"""
    document = resolved(tmp_path, "edit", edit=edit)
    text = overlay.render(document, origins)
    again = nodes.load(text.encode(), "again.yaml")
    assert schema.check(again) == []
    said = nodes.plain(again)
    assert isinstance(said, dict)
    assert {key: said[key] for key in said if key not in ("durak", "id")} == nodes.plain(document.root)
    assert ("# base.yaml:14" in text) == origins
    assert ("# edit.yaml:8" in text) == origins


def test_files_that_do_not_go_together_say_why(tmp_path: Path) -> None:
    apart = 'not with:\n  other: {en: "both want the same", ru: "обе хотят одного"}\n'
    files = {"one": apart, "other": "", "third": "changes: other\n", "fourth": "not with:\n  othr: {en: a, ru: b}\n"}
    for combined in ("base+one+other", "other+one", "third+one"):
        with pytest.raises(RuleError, match=r"one.yaml:5:3: 'one' does not go with 'other': both want the same"):
            resolved(tmp_path, combined, **files)
    assert resolved(tmp_path, "base+one", **files).id == "base+one"
    with pytest.raises(RuleError, match=r"fourth.yaml:5:3: there are no rules called 'othr'"):
        resolved(tmp_path, "fourth", **files)
