"""What the pages and the README show is read by the language, and the figures in them are those of the code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from durak_dsl import Match, load
from durak_dsl.cli.app import durak
from durak_dsl.language import costs, declare, names, shapes, statements, syntax, totality, types
from durak_dsl.language.check import check
from durak_dsl.language.fitting import LARGEST
from durak_dsl.language.syntax import START_RULES, parse
from durak_dsl.language.types import PLAYER, Type, number
from durak_dsl.language.words import WORDS
from durak_dsl.language.wrong import Wrong
from durak_dsl.source import nodes, overlay
from durak_dsl.source import text as text_limits
from durak_dsl.source.nodes import Map, Node, Seq, Text
from durak_dsl.study.grid import relation
from durak_dsl.table import match_record, record
from tests.games import ROOT, rules_of
from tests.language.frames import game, scope, text, typed
from tests.reference.page import PAGE as WHOLE_PAGE
from tests.reference.page import by_hand

PAGE = by_hand(WHOLE_PAGE.read_text("utf-8"))  # what is generated is tested with its generator
RECORDS = (ROOT / "docs" / "records.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def blocks(page: str) -> list[str]:
    """The fenced YAML of a page."""
    return re.findall(r"```yaml\n(.*?)```", page, re.S)


# ---- blocks of YAML -------------------------------------------------------------------------------------------------


def texts(node: Node, section: str) -> Iterator[tuple[Text, str]]:
    """The texts of a section, each with what it is to be read as; what is no text of the language is left out."""
    if isinstance(node, Text):
        yield node, section
    elif isinstance(node, Seq):
        for item in node:
            yield from texts(item, section)
    else:
        for entry in node:
            yield from _texts(entry.key, entry.value, section)


def _texts(key: Text, value: Node, section: str) -> Iterator[tuple[Text, str]]:
    word = key.value
    if section == "statements" and re.match("if |else|for each |repeat ", word):
        yield key, "control"
        yield from texts(value, section)
    elif section == "file":
        if word in ("define", "finish", "procedures"):
            assert isinstance(value, Map)
            for entry in value:
                if entry.key.value not in ("scores", "stalemate", "says"):
                    yield entry.key, "signature"
        inner = {
            "define": "expression",
            "finish": "expression",
            "procedures": "statements",
            "setup": "statements",
            "variables": "declaration",
        }
        inner |= {part: part for part in ("deck", "moves", "phases", "match", "examples")}
        if word in inner:
            yield from texts(value, inner[word])
    elif section == "deck":
        yield from texts(value, "expression") if word == "only" else ()
    elif section in ("moves", "phases", "match", "examples", "keep"):
        parts = {"actor": "expression", "nobody": "statements", "pick": "pick", "when": "expression", "do": "statements"}
        parts |= {"is": "declaration", "first": "expression", "then": "expression"}
        parts |= dict.fromkeys(("over", "place", "loser") if section == "match" else (), "expression")
        if "(" in word:
            yield key, "signature"
        if (word := word.partition("(")[0]) in parts:
            yield from texts(value, parts[word])
        elif isinstance(value, Map):
            yield from texts(value, section)
    elif section in ("expression", "statements", "pick", "declaration"):
        yield from texts(value, section) if word not in ("says", "en", "ru", "before", "after") else ()


@pytest.mark.parametrize("block", blocks(PAGE), ids=lambda block: block.split("\n")[0][:30])
def test_every_block_is_read(block: str) -> None:
    indented = "setup:\n" + "".join(f"  {line}\n" for line in block.splitlines())
    root = nodes.load((indented if block.startswith("- ") else block).encode(), "page.yaml")
    read = [(found, start) for found, start in texts(root, "file") if "…" not in found.value]
    for found, start in read:
        parse(found, start)
    assert read or root.get("id") or root.get("options") or root.get("zones")


def test_the_readme_tells_the_truth(tmp_path: Path) -> None:
    for count, block in enumerate(blocks(README)):
        path = tmp_path / f"{count}.yaml"
        path.write_text(block, "utf-8")
        check(overlay.resolve(str(path)))


def test_the_house_rules_of_the_readme_do_what_is_said(tmp_path: Path) -> None:
    for block in blocks(README):
        (tmp_path / f"{block.split('id: ')[1].split()[0]}.yaml").write_text(block, "utf-8")
    four, six = str(tmp_path / "four.yaml"), str(tmp_path / "six.yaml")
    usual = relation(load("throw-in").program, "beats", {"trump": "spades"}).grids[0].rows
    both = load(f"{six}+{four}")
    found = relation(both.program, "beats", {"trump": "spades"}).grids[0].rows
    lowest, ace = both.cards.read_kind("6S"), both.cards.read_kind("AS")
    assert found == {**usual, lowest: usual[lowest] | 1 << ace} != usual
    assert {both.options["bout_limit"], both.options["first_bout_limit"]} == {"4"}
    assert both.program.legal(both.program.new(2, 7)) and load(f"transfer+{four}").options["bout_limit"] == "4"
    for command in re.findall(r"^\$ durak (.*)$", README, re.M):
        words = [word.replace("./", f"{tmp_path}/") for word in command.split()]
        if "./" in command:
            assert CliRunner().invoke(durak, words).exit_code == 0, command


def test_the_programs_of_the_readme_run() -> None:
    space: dict[str, object] = {}
    for program in re.findall(r"```python\n(.*?)```", README, re.S):
        exec(program, space)
    assert isinstance(match := space["match"], Match) and match.deals == 2


def test_json_has_the_keys_that_are_told() -> None:
    told = re.findall(r"^\| `durak (.* --json)` \| (.*) \|$", README, re.M)
    assert len(told) == 5
    for command, keys in told:
        result = CliRunner().invoke(durak, command.split())
        found = json.loads(result.stdout)
        inner = {key for value in found.values() if isinstance(value, list) and value and isinstance(value[0], dict) for key in value[0]}
        named = set(re.findall(r"`(\w+)`", keys)) - {"ok", "problems"}
        assert result.exit_code == 0 and named <= {*found, *inner}, (command, named - {*found, *inner})
        assert "means" in keys or {*found, *inner} - {"problems"} == named, command


def test_a_deal_that_is_broken_off_is_well() -> None:
    for line in ("quit\n", ""):
        assert CliRunner().invoke(durak, ["play", "simple", "--seed", "1"], input=line).exit_code == 0


def test_the_record_that_is_shown_plays_again(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```\n(record: 1\n.*?)```", RECORDS, re.S)
    written = match_record.read(shown)
    assert str(written) == shown and written.most == len(written.deals) == 2
    match = match_record.MatchReplay(written, anyway=True).all()  # the rules may change as long as it is a match of theirs
    assert match.deals == 1 and not match.is_over


def test_every_line_of_a_record_is_told() -> None:
    told = re.findall(r"^\| `([a-z ]+): ", RECORDS, re.M)
    assert {*told} == {*record.HEAD, "given hand", "result", "seed", "deals", "deal", "match"}


# ---- samples within the text ----------------------------------------------------------------------------------------

# Words of the language and of people that stand alone, and stretches of texts.
NOT_TEXTS = """
any every no all any when never first of where has by is is not not or and let else else if for each repeat announce random stay
pick nobody actor when setup position match do move draw deal shuffle show go|
== != < <= > >= in, not in, is, is not|+ -|*|.|;|where COND|to bottom of Z|to random place of Z|face down|changes|S + T
"""
STANDALONE = set(re.split(r"[\s|]+", NOT_TEXTS)) | {part.strip() for part in NOT_TEXTS.split("|")} | {"first of", "for each", "else if"}


def samples() -> list[str]:
    """Every sample of code from the chapter on statements on to the end of the guide, with placeholders filled."""
    text_only = re.sub(r"```.*?```", "", PAGE[PAGE.index("## Statements") : PAGE.index("## All keys")], flags=re.S)
    found = [code.replace("\\|", "|").replace("\n", " ").strip() for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", text_only)]
    return [code for code in dict.fromkeys(found) if code not in STANDALONE and not code.startswith(("after again ", "me players "))]


@pytest.mark.parametrize("sample", samples())
def test_every_sample_is_read(sample: str) -> None:
    value = re.sub(r"^(- |actor: )", "", sample.replace("…", "yes").replace("COND", "yes")).removesuffix(":")
    if re.fullmatch("(move|draw|show|deal|let|clear|announce|go|do|shuffle|if|for|repeat) .*", value) and ":" in value:
        head, _, rest = value.partition(": ")
        parse(text(head), "control")
        value = rest
    for start in START_RULES:
        if start == "signature" and " " in value:
            continue  # any words are a name
        try:
            parse(text(value), start)
            return
        except Wrong:
            continue
    control, _, rest = value.partition(": ")
    parse(text(control), "control")
    parse(text(rest), "statements")


TYPED = {
    "me.hand": "set zone",
    "card.rank >= 6": "yes or no",
    "throwers is all": "yes or no",
    "taker is none": "yes or no",
    "count(c in me.hand where c.suit == trump)": "number",
    "card + me.hand": "set of cards",
    "players": "set of players",
    "all hand": "set of cards",
    "all cards": "set of cards",
    "{9C QS}": "set of cards",
    "either(taker, leader)": "player",
    "ranks(top(q) for q in table where yes)": "set of ranks",
    "top(pile) in known(table) and beats(card, top(pile), me)": "yes or no",
    "P1.hand == {9C} and leader == P2": "yes or no",
}


@pytest.mark.parametrize("value", TYPED)
def test_samples_mean_what_is_said_in_a_game_of_the_library(value: str) -> None:
    assert str(typed(value, rules=rules_of("throw-in")).type) == TYPED[value]


# ---- words and figures ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WORDS)
def test_the_example_of_every_word_is_right(name: str) -> None:
    inside = scope(chance=True, dealer=PLAYER, stock=Type("stack", zone="heap"), n=number(0, 9))
    bound = re.findall(r"(\w+) in ", WORDS[name].example)
    typed(WORDS[name].example, replace(inside, locals={name: local for name, local in inside.locals.items() if name not in bound}), game())


def test_the_words_that_name_nothing_are_told() -> None:
    told = re.search(r"Words that cannot name anything used in expressions, because these use them: `([a-z\s]+)`, and `([a-z ]+)`", PAGE)
    assert told is not None
    assert told[1].split() == sorted(syntax.keywords())
    assert told[2].split() == sorted(("me", *names.COLLECTIONS))


def test_the_figures_are_those_of_the_code() -> None:
    table = PAGE[PAGE.index("## Limits") :]
    for figures in (
        (text_limits.MOST_BYTES // 1024, nodes.MOST_DEPTH),
        (text_limits.MOST_COLUMNS,),
        (syntax.LONGEST_TEXT, syntax.MOST_TOKENS, syntax.DEEPEST),
        (overlay.MOST_CHAIN, overlay.MOST_FILES),
        (types.MOST_SEATS,),
        (types.MOST_CARDS,),
        (types.MOST_PICKS, costs.MOST_MOVES),
        (shapes.MOST_WAYS, shapes.MOST_GROUPS, shapes.LARGEST_GROUP),
        (types.LARGEST_TOTAL,),
        (statements.MOST_REPEATS,),
        (totality.MOST_CALLS,),
        (costs.MOST_DEEP, costs.MOST_LOOPS),
        (costs.MOST_NODES, costs.MOST_CODE),
        (costs.MOST_STEPS, costs.MOST_WORK),
    ):
        numbers = [f"{figure:,}" for figure in figures]
        assert any(re.findall(r"\d[\d,]*\d|\d", line.rpartition(" | ")[2]) == numbers for line in table.splitlines()), numbers
    assert f"{LARGEST:,}" in PAGE
    assert f"numbers up to {declare.PASSED_ON:,}" in PAGE
    assert f"at most {names.LONGEST_NAME}." in PAGE
