"""The fused form without detours: a value is worked out where it is wanted, and what was just found out is not asked again."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection

from durak_dsl.compiler.quote import walk
from durak_dsl.compiler.tidy import harmless

_OWN = re.compile(r"t\d+_[nf]\d+")  # variables of one state


def straight(lines: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, which do the same."""
    return _everywhere(_everywhere(lines, _asked_once), _worked_out_in_place)


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
