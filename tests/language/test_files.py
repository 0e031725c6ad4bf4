"""What is said where several files meet, what is only warned of, and what a file from a stranger cannot do."""

from __future__ import annotations

from pathlib import Path

import pytest

from durak_dsl.compiler.program import Program
from durak_dsl.language.check import check, settle
from durak_dsl.problems import Problem, RuleError
from durak_dsl.source import overlay
from tests.language.chunked import GAME, HEAD
from tests.language.frames import edited


def problems(folder: Path, rules: str, **files: str) -> tuple[Problem, ...]:
    """What is wrong with rules made of these files."""
    for name, text in {"game": GAME, **files}.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    with pytest.raises(RuleError) as caught:
        check(overlay.resolve(rules))
    return caught.value.problems


def test_what_an_edit_takes_away_is_missed_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (problem,) = problems(tmp_path, "./edit.yaml", edit=HEAD + "define:\n  limit: removed\n")
    assert problem.message == "unknown name 'limit'"
    assert str(problem.span) == "game.yaml:58:9"
    assert [(text, str(span)) for text, span in problem.also] == [("'edit' removes it in", "edit.yaml:5:3")]
    found = problems(tmp_path, "./edit.yaml", edit=HEAD + "procedures:\n  next turn: removed\nphases:\n  answer: removed\n")
    assert sorted({problem.message for problem in found}) == ["unknown phase 'answer'", "unknown procedure 'next turn'"]
    assert all(problem.also for problem in found)


def test_an_edit_over_other_rules_may_miss_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    more = HEAD.replace("id: edit", "id: more") + "define:\n  +wholly_stuck(player p): stuck(p)\n"
    edit = HEAD.replace("changes: game", "changes: more") + "define:\n  +a1: any p in players has wholly_stuck(p)\n  +b1: leadr == P1\n"
    found = problems(tmp_path, "./game.yaml+./edit.yaml", more=more, edit=edit)
    assert [(problem.message, problem.hint) for problem in found] == [
        ("unknown name 'wholly_stuck'; 'edit' was written for 'more'", "'edit' was written for 'more': write more+edit"),
        ("unknown name 'leadr'; 'edit' was written for 'more'", "did you mean 'leader'?"),
    ]
    (problem,) = problems(tmp_path, "./edit.yaml", more=more, edit=edit)
    assert problem.message == "unknown name 'leadr'"


def test_of_two_meanings_the_later_one_is_to_blame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (problem,) = problems(tmp_path, "./edit.yaml", edit=HEAD + "variables:\n  +p: player\n")
    assert problem.message == "'p' has another meaning in the rules below"
    assert str(problem.span) == "edit.yaml:5:4"
    assert str(problem.also[0][1]).startswith("game.yaml:")


def test_problems_of_all_files_come_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    second = "durak: 1\nid: second\nchanges: edit\nmoves:\n  lay: {do: {lay: move crd to heap}}\ndefine:\n  +b1: leader = P1\n"
    found = problems(tmp_path, "./second.yaml", edit=HEAD + "define:\n  +a1: leadr == P1\n", second=second)
    assert [(str(problem.span), problem.code) for problem in found] == [
        ("edit.yaml:5:8", "unknown-name"),
        ("second.yaml:5:24", "unknown-name"),
        ("second.yaml:7:15", "syntax"),
    ]


def test_very_many_problems_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    edit = HEAD + "define:\n" + "".join(f"  +a{number}: leadr == P1\n" for number in range(500))
    found = problems(tmp_path, "./edit.yaml", edit=edit)
    assert len(found) == 50
    assert found[0].span is not None and found[0].span.line == 5


# ---- warnings -------------------------------------------------------------------------------------------------------


def warnings(text: str, folder: Path) -> list[str]:
    """What is warned of in an edit, and not in the small game itself."""
    found = edited(text, folder).warnings
    assert all(problem.warning for problem in found)
    return [f"{problem.span.line}: {problem.message}" for problem in found if problem.span and problem.span.path.endswith("edit.yaml")]


def test_what_is_declared_and_not_used_is_warned_of(tmp_path: Path) -> None:
    text = """\
options:
  +idle: {choose: a b, default: a, en: Idle, ru: Лень}
  +busy: {choose: a b, default: a, en: Busy, ru: Труд}
zones:
  +nowhere: {set: one, seen by: all}
variables:
  +unused: 0 to 3
  +only_set: 0 to 3
  +only_read: 0 to 3 = 2
  +shown: {is: 0 to 3, en: shown, ru: видно}
  +asked: 0 to 3
define:
  +used_below: busy is a
  +used_in_example: 3
  +never_used(card): card == 7H
phases:
  +unreached: {actor: leader}
  +without_moves: {actor: taker}
procedures:
  +reached: go without_moves
  +not_called: only_set = only_read; shown = 3; asked = 2
moves:
  lay:
    when:
      +busy: used_below
  pass:
    do:
      on:
        - if quiet > 3: do reached
          else if quiet > 4: end deal
          else: do end bout
  +never:
    in: unreached
    when: leader is not none
    do: stay
    say: {en: x, ru: x}
examples:
  one:
    given: {hand: 6C | 7C, asked: 2}
    then: used_in_example == 3 and asked == 2
"""
    assert warnings(text, tmp_path) == [
        "5: option 'idle' is never used",
        "8: zone 'nowhere' is never used",
        "10: variable 'unused' is never used",
        "11: variable 'only_set' is set but never read",
        "12: variable 'only_read' is read but never set",
        "18: definition 'never_used' is never used",
        "20: phase 'unreached' is never reached",
        "21: phase 'without_moves' has no moves",
        "21: phase 'without_moves' may have nobody to act",
        "24: procedure 'not_called' is never used",
        "37: 'leader' is never none here",
    ]


def test_a_shape_that_cannot_be_picked_is_warned_of(tmp_path: Path) -> None:
    text = "moves:\n  lay:\n    pick:\n      card: removed\n      +cards: 1 to 4 of me.hand shape 1 | 2+2+1 | 5 | 2+1\n"
    text += '    do: move cards to discard; stay\n    say: {en: "{me} lays cards", ru: "{me} кладёт карты"}\n'
    assert warnings(text, tmp_path) == [
        "8: nothing of shape 2+2+1 can be picked as 'cards'",
        "8: nothing of shape 5 can be picked as 'cards'",
    ]


def test_what_an_edit_leaves_unused_is_no_error(tmp_path: Path) -> None:
    assert warnings("moves:\n  beat: removed\n  pass: removed\ndefine:\n  limit: 3\n  room: 3\n", tmp_path) == []


# ---- strangers ------------------------------------------------------------------------------------------------------

NASTY = [
    "'] and __import__('os').getpid() or hand['a",
    "{0.__class__}",
    "x\\'); import os #",
    "[h10]",
    "lambda: 0",
    "\u200bfoo",
    "ｆoo",
    "ﬁn",
]


@pytest.mark.parametrize("name", NASTY)
def test_names_with_code_in_them_are_refused(name: str, tmp_path: Path) -> None:
    shown = "'" + name.replace("'", "''") + "'"
    for text in (
        f"procedures:\n  +x1:\n    {shown}: quiet = 1\n",
        f"moves:\n  lay:\n    when:\n      {shown}: yes\n",
        f"define:\n  {shown}: yes\n",
        f"moves:\n  lay:\n    pick:\n      {shown}: players\n",
    ):
        with pytest.raises(RuleError):
            edited(text, tmp_path)


def test_names_never_become_code(tmp_path: Path) -> None:
    """Words that are names in Python, and labels with every sign that labels may have, play like any others."""
    text = """\
define:
  +import: quiet > 60
  +class(player def): def.done and import
  +exec:
    any:
      "lambda's, x-1": class(leader)
      None: no
procedures:
  +os system(player self):
    "it's, a-b": quiet = 3
    "import__ me": leader = self
moves:
  +del raise:
    in: play
    pick: {yield: players, async: suits when yield == me}
    when: {async def: not exec}
    do: do os system(yield); stay
    say: {en: "{me} {yield} {async}", ru: "{me} {yield} {async}"}
"""
    rules = edited(text, tmp_path)
    program = Program(rules, settle(rules, {}))
    state = program.new(2, 1)
    for _ in range(5):
        program.apply(state, program.legal(state).bit_length() - 1)


def test_sentences_are_only_filled_in(tmp_path: Path) -> None:
    for placeholder in ("{0}", "{me.__class__}", "{me!r}", "{card:>99999999}", "{}", "{ me}"):
        text = f"moves:\n  lay:\n    say: {{en: '{{me}} {placeholder}', ru: '{{me}}'}}\n"
        with pytest.raises(RuleError) as caught:
            edited(text, tmp_path)
        assert caught.value.problems[0].message == f"nothing is picked that is called '{placeholder[1:-1]}'"
