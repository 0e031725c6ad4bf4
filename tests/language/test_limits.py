"""Hostile texts are refused by length or depth, quickly; what is just allowed is allowed; limits keep compiling possible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from durak_dsl.compiler.layout import MOST_PICKS as PICKS_OF_THE_STATE
from durak_dsl.compiler.program import Program
from durak_dsl.language import costs, syntax, totality
from durak_dsl.language.check import settle
from durak_dsl.language.syntax import parse
from durak_dsl.language.types import MOST_PICKS
from durak_dsl.language.wrong import Wrong
from durak_dsl.problems import RuleError
from tests.language.frames import edited, text, typed

# Texts and the words that refuse them.
LONG = {
    "not " * 500 + "yes": "this text has 2,003 characters; at most 2,000",
    "not " * 490 + "yes": "this text has 491 words and signs; at most 300",
    "not " * 200 + "yes": "this expression is nested 201 deep; at most 40",
    "(" * 100_000 + "yes" + ")" * 100_000: "this text has 200,003 characters",
    "(" * 140 + "yes" + ")" * 140: "nested 140 deep",
    "{" * 140 + "}" * 140: "nested 140 deep",
    "(" * 140: "nested 140 deep",
    ")" * 140: "')' cannot stand here",
    "-" * 1500 + "1": "1501 words and signs",
    "-" * 250 + "1": "nested 250 deep",
    "me" + ".hand" * 140: "nested 141 deep",
    "1" + " + 1" * 140: "nested 140 deep",
    "1 if yes else " * 60 + "2": "nested 120 deep",
    "any p in players has " * 50 + "yes": "nested 52 deep",
    "left(" * 99 + "me" + ")" * 99: "nested 99 deep",
    "9" * 1990: "is too long a number",
    "x" * 1990: "unknown name",
    "yes" + " or yes" * 200: "401 words and signs",
    "🂡" * 900: "900 words and signs",
    "ж" * 1990: "expressions are written in Latin letters",
}


@pytest.mark.parametrize("value", LONG, ids=[f"{value[:12]}… {len(value)}" for value in LONG])
def test_long_and_deep_texts_are_refused(value: str) -> None:
    with pytest.raises(Wrong) as caught:
        typed(value)
    problem = caught.value.problem
    assert problem is not None
    assert LONG[value] in f"{problem.message} {problem.hint}"
    assert len(problem.hint) < 2100


@pytest.mark.parametrize(
    "value",
    [
        "not " * 38 + "yes",
        "(" * 40 + "yes" + ")" * 40,
        "yes" + " and yes" * 148,
        "1" + " + 1" * 38 + " > 0",
        "any p in players has " * 3 + "yes",  # read, though the names are taken
        "leader" + ".hand" * 1,
    ],
)
def test_what_is_just_short_enough_is_read(value: str) -> None:
    parse(text(value), "expression")


def test_no_text_starts_anything_else() -> None:
    for start in syntax.START_RULES:
        for value in ("", " ", ";", "(", "é", "\n", "\t", "'", "0x1F", "1e3", "~"):
            with pytest.raises(Wrong):
                parse(text(value), start)


def test_words_are_cut_from_texts_whole() -> None:
    """`orb` is a name, never `or b`; `isnt`, `notme`, `lastcard` likewise."""
    for word in (
        "orb",
        "andy",
        "notme",
        "isnt",
        "inn",
        "ifs",
        "lastcard",
        "anybody",
        "fromage",
        "topper",
        "nones",
        "yesno",
        "random2",
        "by_",
    ):
        assert parse(text(word), "expression").kind == "name"


# ---- what the checker lets through, the compiler can emit ----------------------------------------------------------

USE = "moves:\n  +use:\n    in: play\n    when: {}\n    do: {}\n    say: {{en: x, ru: x}}\n"


def chain(count: int, each: Callable[[int], str], first: str) -> str:
    """Definitions each of which uses the one before."""
    return f"define:\n  +d0: {first}\n" + "".join(f"  +d{number}: {each(number)}\n" for number in range(1, count))


def calls(count: int, each: Callable[[int], str], last: str) -> str:
    """Procedures each of which calls the next."""
    lines = [f"  +p{number}:\n    - {each(number)}\n" for number in range(count)]
    return "procedures:\n" + "".join(lines) + f"  +p{count}:\n    - {last}\n"


def nested(count: int) -> str:
    """Loops in one another."""
    lines = [" " * 4 * (number + 1) + f"- for each s{number} in suits:\n" for number in range(count)]
    inner = " " * 4 * (count + 1) + "- move cards(c in discard where c.suit == s0) to heap\n"
    return "deck: {suits: clubs spades}\nprocedures:\n  +p0:\n" + "".join(lines) + inner


def quantifiers(count: int) -> str:
    """Quantifiers in one another."""
    words = " ".join(f"any p{number} in players has" for number in range(count))
    return f"players: {{count: 2}}\ndefine:\n  +d0: {words} p0.done and p{count - 1}.done\n"


ALLOWED = {
    "max": chain(costs.MOST_DEEP - 2, lambda n: f"max(d{n - 1}, {n})", "quiet") + USE.format(f"d{costs.MOST_DEEP - 3} > 3", "stay"),
    "if": chain(56, lambda n: f"{n} if quiet > {n} else d{n - 1}", "quiet") + USE.format("d55 > 3", "stay"),
    "and": chain(56, lambda n: f"quiet > {n} and d{n - 1}" if n % 2 else f"quiet == {n} or d{n - 1}", "yes") + USE.format("d55", "stay"),
    "either": chain(56, lambda n: f"either(d{n - 1}, taker)", "taker") + USE.format("d55 is none", "stay"),
    "calls": calls(totality.MOST_CALLS - 1, lambda n: f"do p{n + 1}", "quiet = 1") + USE.format("yes", "do p0; stay"),
    "double": calls(10, lambda n: f"do p{n + 1}; do p{n + 1}", "quiet = 1") + USE.format("yes", "do p0; stay"),
    "else": "procedures:\n  +p0:\n    - if quiet == 59: quiet = 0\n"
    + "".join(f"      else if quiet == {n}: quiet = {n}\n" for n in range(50))
    + USE.format("yes", "do p0; stay"),
    "loops": nested(9) + USE.format("yes", "do p0; stay"),
    "repeat": calls(10, lambda n: f"repeat 2 times: do p{n + 1}", "move talon to random place of heap") + USE.format("yes", "do p0; stay"),
    "any": quantifiers(10) + USE.format("d0", "stay"),
    "moves": "moves:\n"
    + "".join(f"  +m{n}:\n    in: play\n    do: stay\n    say: {{en: x, ru: x}}\n" for n in range(costs.MOST_MOVES - 2)),
    "picks": "moves:\n  +m:\n    in: play\n    pick: {a: me.hand, b: suits, c: ranks, d: players}\n"
    "    when: a.suit == b and d != me and a.rank != c\n    do: stay\n    say: {en: x, ru: x}\n",
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_is_just_allowed_can_be_compiled_and_played(name: str, tmp_path: Path) -> None:
    rules = edited(ALLOWED[name], tmp_path)
    program = Program(rules, settle(rules, {}))
    told: list[object] = []
    for events in (None, told):
        state = program.new(2, 1, told=events)
        for _ in range(6):
            mask = program.legal(state)
            if mask:
                program.apply(state, mask.bit_length() - 1, events)


REFUSED = {
    "max": chain(costs.MOST_DEEP + 2, lambda n: f"max(d{n - 1}, {n})", "quiet"),
    "chain": chain(1000, lambda n: f"d{n - 1} + 1", "quiet"),
    "calls": calls(totality.MOST_CALLS + 1, lambda n: f"do p{n + 1}", "quiet = 1"),
    "many calls": calls(1000, lambda n: f"do p{n + 1}", "quiet = 1"),
    "double": calls(19, lambda n: f"do p{n + 1}; do p{n + 1}", "quiet = 1"),
    "double definitions": chain(40, lambda n: f"d{n - 1} + d{n - 1}", "min(quiet, 0)"),
    "loops": nested(10),
    "any": quantifiers(11),
    "moves": "moves:\n"
    + "".join(f"  +m{n}:\n    in: play\n    do: stay\n    say: {{en: x, ru: x}}\n" for n in range(costs.MOST_MOVES - 1)),
    "all": "define:\n"
    + "".join(f"  +d{n}: {' + '.join(['quiet'] * 30)} > 0\n" for n in range(100))
    + "".join(f"  +e{n}: {' and '.join(f'd{m}' for m in range(n, n + 30))}\n" for n in range(30)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_too_much_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(RuleError) as caught:
        edited(REFUSED[name], tmp_path)
    assert {problem.code for problem in caught.value.problems} <= {"cost", "bounds"}
    assert "at most" in caught.value.problems[0].message or "can reach" in caught.value.problems[0].message


def test_a_move_has_as_many_picks_as_the_state_has_places() -> None:
    assert MOST_PICKS == PICKS_OF_THE_STATE
