"""The fused form without detours: a value is worked out where it is wanted, and what was just found out is not asked again."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Set
from copy import deepcopy
from functools import partial

from durak_dsl.compiler.hone import number_in
from durak_dsl.compiler.quote import quote, walk
from durak_dsl.compiler.tidy import harmless

_OWN = re.compile(r"t\d+_[nf]\d+")  # variables of one state
_LOCAL = re.compile(r"[tvmc]\d+_[nf]\d+")  # and those that the rules name, and those of its choice


def straight(lines: list[ast.stmt], natural: Set[str] = frozenset()) -> list[ast.stmt]:
    """The statements, which do the same; `natural`: variables that are never below 0."""
    for line in lines:
        for node in walk(line):
            if isinstance(node, ast.If | ast.While):
                node.test = _asked(node.test, natural)
    return _everywhere(_everywhere(lines, _asked_once), _worked_out_in_place)


def late(lines: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, which do the same: what is set before it is needed is set later, or where it is needed only."""
    lines = _everywhere(lines, _put_off)
    return _everywhere(lines, partial(_where_wanted, _reads(lines)))


def _asked(test: ast.expr, natural: Set[str]) -> ast.expr:
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


def _put_off(lines: list[ast.stmt]) -> list[ast.stmt]:
    """A variable that is set from itself is set after its copies were read, instead of which it is read then."""
    made = list(lines)
    for start in reversed(range(len(made))):
        line = made[start]
        if not isinstance(line, ast.Assign) or not isinstance(target := line.targets[0], ast.Name) or not _is_plain(line):
            continue
        name = target.id
        if _names(line.value) != {name} or not (copies := _copies(made[:start], name)):
            continue
        end = start
        for number, later in enumerate(made[start + 1 :], start + 1):
            if not _is_plain(later) or name in _names(later) or copies & _set_in([later]):
                break
            if copies & _names(later):
                end = number
        for node in (node for later in made[start + 1 : end + 1] for node in walk(later)):
            if isinstance(node, ast.Name) and node.id in copies:
                node.id = name
        made[start : end + 1] = [*made[start + 1 : end + 1], line]
    return made


def _copies(lines: list[ast.stmt], name: str) -> set[str]:
    """The variables of one state that are copies of this one after these statements."""
    found = set[str]()
    for line in lines:
        changed = _set_in([line])
        found = set() if name in changed else found - changed
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Name) and line.value.id == name:
            found |= {target for target in changed if _OWN.fullmatch(target)}
    return found


def _set_in(lines: list[ast.stmt]) -> set[str]:
    return {node.id for line in lines for node in walk(line) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _where_wanted(reads: Counter[str], lines: list[ast.stmt]) -> list[ast.stmt]:
    """What is read in one branch only, or in a loop that may not be gone through, is worked out where that is."""
    made = list(lines)
    for start in reversed(range(len(made))):
        line = made[start]
        if not isinstance(line, ast.Assign) or not isinstance(target := line.targets[0], ast.Name) or not harmless(line.value):
            continue
        name = target.id
        end = start + 1
        while end < len(made) and _is_plain(made[end]) and not ({name, *_names(line.value)} & _stored(made[end])):
            end += 1
        where = made[end] if end < len(made) else None
        if not isinstance(where, ast.If | ast.While) or not harmless(where.test) or not reads[name] or not _LOCAL.fullmatch(name):
            continue
        if isinstance(where, ast.While):
            if _reads(where.body)[name] == reads[name] and any(isinstance(node, ast.Call) for node in walk(line.value)):
                made[end] = ast.If(deepcopy(where.test), [line, where], [])
                reads.update(_reads([ast.Expr(where.test)]))
                del made[start]
            continue
        for branch in (where.body, where.orelse):
            if _reads(branch)[name] == reads[name]:
                branch.insert(0, line)
                del made[start]
                break
    return made


def _reads(lines: list[ast.stmt]) -> Counter[str]:
    """How often each variable is read."""
    found = Counter[str]()
    for node in (node for line in lines for node in walk(line)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] += 1
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] += 1
    return found


def _is_plain(line: ast.stmt) -> bool:
    """Whether all that it does is to set something."""
    target = line.targets[0] if isinstance(line, ast.Assign) else line.target if isinstance(line, ast.AugAssign) else None
    return isinstance(line, ast.Assign | ast.AugAssign) and harmless(line.value) and target is not None and harmless(target)


def _stored(line: ast.stmt) -> set[str]:
    """The variables, and the lists with elements, that it sets."""
    targets = line.targets if isinstance(line, ast.Assign) else [line.target] if isinstance(line, ast.AugAssign) else []
    parts = (target.value if isinstance(target, ast.Subscript) else target for target in targets)
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _sets_out(line: ast.stmt, name: str) -> bool:
    """Whether a variable begins anew here."""
    target = line.targets[0] if isinstance(line, ast.Assign) else None
    return isinstance(line, ast.Assign) and isinstance(target, ast.Name) and target.id == name and name not in _names(line.value)


def _hinders(line: ast.stmt, wanted: str) -> bool:
    return wanted in _names(line) or any(isinstance(node, ast.Break | ast.Continue | ast.Return) for node in walk(line))


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in walk(tree) if isinstance(node, ast.Name)}
