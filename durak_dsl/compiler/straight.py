"""The fused form without detours: a value is worked out where it is wanted, and what was just found out is not asked again."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection

from durak_dsl.compiler.hone import number_in
from durak_dsl.compiler.quote import quote, walk
from durak_dsl.compiler.tidy import harmless

_OWN = re.compile(r"t\d+_[nf]\d+")  # variables of one state


def straight(lines: list[ast.stmt], natural: Collection[str] = ()) -> list[ast.stmt]:
    """The statements, which do the same; `natural`: variables that are never below 0."""
    for line in lines:
        for node in walk(line):
            if isinstance(node, ast.If | ast.While):
                node.test = _asked(node.test, natural)
    return _everywhere(_everywhere(lines, _asked_once), _worked_out_in_place)


def _asked(test: ast.expr, natural: Collection[str]) -> ast.expr:
    """A test that compares with no 0: whether a number is another is known from the number."""
    if isinstance(test, ast.BoolOp):
        test.values = [_asked(value, natural) for value in test.values]
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return test
    left, how, right = test.left, test.ops[0], number_in(test.comparators[0])
    if isinstance(how, ast.GtE) and right == 1:
        how, right = ast.Gt(), 0
    if right != 0 or not isinstance(how, ast.NotEq | ast.Eq | ast.Gt):
        return test
    if isinstance(left, ast.Call) and isinstance(left.func, ast.Attribute) and left.func.attr == "bit_count":
        left = left.func.value
    elif isinstance(how, ast.Gt) and not (isinstance(left, ast.Name) and left.id in natural):
        return test
    return quote("not x", x=left) if isinstance(how, ast.Eq) else left


def _everywhere(lines: list[ast.stmt], change: Callable[[list[ast.stmt]], list[ast.stmt]]) -> list[ast.stmt]:
    for line in lines:
        if isinstance(line, ast.If | ast.While | ast.For):
            line.body, line.orelse = _everywhere(line.body, change), _everywhere(line.orelse, change)
    return change(lines)


def _asked_once(lines: list[ast.stmt]) -> list[ast.stmt]:
    """A test right after the same one is put into its branch, for otherwise it does not hold."""
    made: list[ast.stmt] = []
    for line in lines:
        before = made[-1] if made else None
        if (
            isinstance(line, ast.If)
            and isinstance(before, ast.If)
            and not line.orelse
            and not before.orelse
            and harmless(line.test)
            and ast.dump(line.test) == ast.dump(before.test)
        ):
            before.body.append(line)
        else:
            made.append(line)
    return made


def _worked_out_in_place(lines: list[ast.stmt]) -> list[ast.stmt]:
    """What is worked out in one variable and put into another is worked out in that."""
    made = list(lines)
    for end, line in enumerate(made):
        if not isinstance(line, ast.Assign) or not isinstance(line.value, ast.Name) or not isinstance(line.targets[0], ast.Name):
            continue
        name, wanted = line.value.id, line.targets[0].id
        if name == wanted or not _OWN.fullmatch(name):
            continue
        start = end - 1
        while start >= 0 and not _sets_out(made[start], name) and not _hinders(made[start], wanted):
            start -= 1
        if start < 0 or _hinders(made[start], wanted):
            continue
        for inner in made[start:end]:
            for node in walk(inner):
                if isinstance(node, ast.Name) and node.id == name:
                    node.id = wanted
        made[end] = ast.Assign([ast.Name(name, ast.Store())], ast.Name(wanted, ast.Load()))
    return made


def _sets_out(line: ast.stmt, name: str) -> bool:
    """Whether a variable begins anew here."""
    target = line.targets[0] if isinstance(line, ast.Assign) else None
    return isinstance(line, ast.Assign) and isinstance(target, ast.Name) and target.id == name and name not in _names(line.value)


def _hinders(line: ast.stmt, wanted: str) -> bool:
    return wanted in _names(line) or any(isinstance(node, ast.Break | ast.Continue | ast.Return) for node in walk(line))


def _names(tree: ast.AST) -> Collection[str]:
    return {node.id for node in walk(tree) if isinstance(node, ast.Name)}
