"""What the checker lets through can be compiled and means what the referee finds; anything else it refuses in its own words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from durak_dsl.compiler.answers import Answers
from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import RuleFault, below, mix
from durak_dsl.language.check import check, settle
from durak_dsl.language.ir import Rules
from durak_dsl.language.wrong import Wrong
from durak_dsl.problems import RuleError
from durak_dsl.source import overlay
from durak_dsl.source.nodes import Entry, Map, Node, Seq, Text
from durak_dsl.source.overlay import Document
from tests.games import steps
from tests.language.chunked import GAME, HERE
from tests.language.frames import typed
from tests.language.writing import KINDS, Writer, slipped
from tests.referee import Referee, plain

QUICK = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


def accepted(chooser: random.Random, many: int, slips: float) -> list[str]:
    """Random expressions that the checker lets through, of any kind but zones and none."""
    found: list[str] = []
    while len(found) < many:
        text = Writer(chooser, slips).write(chooser.choice(KINDS), 3)
        try:
            kind = typed(text).type.kind
        except Wrong:
            continue
        if len(text) < 900 and kind not in ("set", "stack", "row", "none"):
            found.append(text)
    return found


def probed(texts: list[str], folder: Path) -> Rules | None:
    """The mixed game with these as definitions; None where they cost too much together."""
    lines = [f'  +x{number}(player p): "{text}"' for number, text in enumerate(texts)]
    (folder / "game.yaml").write_text(GAME, "utf-8")
    (folder / "mixed.yaml").write_text((HERE / "mixed.yaml").read_text("utf-8") + "\ndefine:\n" + "\n".join(lines) + "\n", "utf-8")
    try:
        return check(overlay.resolve(str(folder / "mixed.yaml")))
    except RuleError as error:
        assert {problem.code for problem in error.problems} <= {"cost"}, error
        return None


def played(rules: Rules, seed: int, moves: int) -> Iterator[tuple[Program, list[int], Referee]]:
    """A deal played in both, position by position."""
    program, chooser = Program(rules, settle(rules, {})), random.Random(seed)
    stream = [0, 0, 0, mix(seed)]
    referee = Referee(rules, program.options, 3, lambda n: below(stream, n))
    deck = chooser.sample(program.deck, 30)
    referee.new(deck)
    state = program.new(3, seed, deck)
    for _ in range(moves):
        yield program, state, referee
        if state[NODE] < 0:
            return
        step = chooser.choice(steps(program, state))
        referee.make(next(whole for whole in referee.legal() if step.is_of(whole)))
        state = step.after


@pytest.mark.parametrize("slips", [0.0, 0.06])
def test_what_is_let_through_means_what_the_referee_finds(slips: float, tmp_path: Path) -> None:
    @settings(QUICK, max_examples=14)
    @given(st.integers(0, 1 << 30))
    def holds(seed: int) -> None:
        texts = accepted(random.Random(seed), 12, slips)
        rules = probed(texts, tmp_path)
        if rules is None:
            return
        answers: Answers | None = None
        for program, state, referee in played(rules, seed, 14):
            answers = answers or Answers(program)
            for number, text in enumerate(texts):
                define = rules.defines[f"x{number}"]
                local = define.parameters[0][1]
                for seat in (0, 2):
                    want = referee.value(define.body, {local: seat})
                    have = plain(define.body.type, int(answers.expression(define.body, [local])(state, seat)))
                    want = frozenset(want) if isinstance(want, tuple) else want
                    assert have == want, f"{text} for P{seat + 1}: {have} compiled, {want} by the referee"

    holds()


# ---- slips in the texts of rule files -------------------------------------------------------------------------------


def texts_of(node: Node, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Text]]:
    """Every text in a node, keys too, with the way to it."""
    if isinstance(node, Text):
        yield path, node
    elif isinstance(node, Seq):
        for number, item in enumerate(node.items):
            yield from texts_of(item, (*path, number))
    else:
        for number, entry in enumerate(node.entries):
            yield (*path, 2 * number), entry.key
            yield from texts_of(entry.value, (*path, 2 * number + 1))


def with_text(node: Node, path: tuple[int, ...], value: str) -> Node:
    """The node with the text at the end of a way replaced."""
    if not path:
        assert isinstance(node, Text)
        return Text(value, node.span)
    step, rest = path[0], path[1:]
    if isinstance(node, Seq):
        return replace(node, items=(*node.items[:step], with_text(node.items[step], rest, value), *node.items[step + 1 :]))
    assert isinstance(node, Map)
    entry = node.entries[step // 2]
    key, inner = (entry.key, with_text(entry.value, rest, value)) if step % 2 else (Text(value, entry.key.span), entry.value)
    changed = Entry(key, inner)
    return replace(node, entries=(*node.entries[: step // 2], changed, *node.entries[step // 2 + 1 :]))


@cache
def document(name: str) -> tuple[Document, list[tuple[tuple[int, ...], Text]], list[str]]:
    """A game and its texts."""
    found = overlay.resolve(name)
    texts = list(texts_of(found.root))
    return found, texts, [text.value for _, text in texts]


def run(rules: Rules, seed: int) -> None:
    """Compile, and play a few moves; the rules may break their own bounds, and nothing else may happen."""
    program = Program(rules, settle(rules, {}))
    chooser = random.Random(seed)
    for told in (None, list[Any]()):
        try:
            state = program.new(rules.counts[-1], seed, told=told)
            for _ in range(8):
                mask = program.legal(state)
                if not mask:
                    break
                program.apply(state, chooser.choice([bit for bit in range(mask.bit_length()) if mask >> bit & 1]), told)
        except RuleFault:
            continue


@pytest.mark.parametrize(
    ("name", "examples"),
    [(str(HERE / "mixed.yaml"), 120), ("transfer-2", 12), ("czech", 30), ("round", 20)],
    ids=["mixed", "transfer-2", "czech", "round"],
)
def test_slips_are_refused_in_words_or_harmless(name: str, examples: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parent.parent)
    whole, texts, others = document(name)

    @settings(QUICK, max_examples=examples)
    @given(st.integers(0, 1 << 30))
    def holds(seed: int) -> None:
        chooser = random.Random(seed)
        root = whole.root
        for _ in range(chooser.choice((1, 1, 2, 5))):
            path, text = chooser.choice(texts)
            try:
                changed = with_text(root, path, slipped(text.value, chooser, others))
            except AssertionError:
                continue
            assert isinstance(changed, Map)
            root = changed
        try:
            rules = check(replace(whole, root=root))
        except RuleError as error:
            assert error.problems
            assert all(problem.message for problem in error.problems)
            return
        run(rules, seed)

    holds()
