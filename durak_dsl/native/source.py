"""The functions of one game with its option values that become machine code, in assembly."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from copy import deepcopy

from durak_dsl.compiler import observing, runtime
from durak_dsl.compiler.assembly import Emitted
from durak_dsl.compiler.effects import AGAIN
from durak_dsl.compiler.fuse import BY_CALL, going_round
from durak_dsl.compiler.layout import FACE_DOWN, MOST_PICKS, PICKED
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.quote import quote_lines, walk
from durak_dsl.native import machine, own
from durak_dsl.native.dialect import native
from durak_dsl.native.driver import DEALS, ENTERING, driver
from durak_dsl.native.expression import Array
from durak_dsl.native.sequence import in_sequence
from durak_dsl.native.states import words_of
from durak_dsl.native.translate import Unit
from durak_dsl.native.words import OF_SETS


def text(program: Program) -> str:
    """The assembly of the fused form."""
    return assembly(program, [program.plain, program.assembly.ends(), program.assembly.fused(BY_CALL, in_sequence)], DEALS)


def assembly(program: Program, forms: Iterable[Emitted], called: Mapping[str, str], more: Iterable[ast.FunctionDef] = ()) -> str:
    """The assembly of what is called from outside and of all that it needs: of these forms, of what drives them, and of more functions."""
    emitted = [*forms]
    trees = [function.tree for form in emitted for function in form.functions if function.tree.name != "position"]
    round_about = going_round(calls(trees))
    trees = [native(_Entering(round_about).visit(deepcopy(tree))) for tree in trees]
    for tree in trees:
        tree.name = "begin" if tree.name == "setup" else tree.name
    again = any(map(_deals_again, trees))
    functions = {tree.name: tree for tree in [*functions_in(driver(program, again)), *more, *trees]}
    add_helpers(functions)
    tables = {name: value for form in emitted for name, value in form.names.items() if isinstance(value, (int, tuple))}
    unit = Unit(functions, {**tables, "CARDS": program.deck[::-1]}, program.layout.size, machine.deposits(), two_words(program))
    for name, signature in called.items():
        unit.export(name, [Array() if kind == "a" else 64 for kind in signature])
    return unit.text()


def two_words(program: Program) -> frozenset[int] | None:
    """The places of the state with sets of cards, where these are two machine words, and some around; None where they are one."""
    rules, layout = program.rules, program.layout
    if words_of(program) == 1:
        return None
    starts = [layout.variables[name] for name, variable in rules.variables.items() if variable.type.kind == "cards"]
    starts += [layout.zones[name] for name, zone in rules.zones.items() if zone.kind == "set"]
    found = {FACE_DOWN, *layout.ranks.values(), *(place + seat for place in starts for seat in range(-1, layout.seats + 1))}
    found |= {layout.pile_cards(name) for name, zone in rules.zones.items() if zone.kind == "row"}
    if any(pick.several for move in rules.moves.values() for pick in move.picks):
        found |= {*range(PICKED, PICKED + MOST_PICKS)}
    return frozenset(found)


def _deals_again(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) == str(AGAIN) for node in ast.walk(function)
    )


class _Entering(ast.NodeTransformer):
    """Says which phase is to be entered instead of entering it, where that might go round for ever."""

    def __init__(self, which: set[str]):
        self.which = which

    def visit_Return(self, node: ast.Return) -> ast.AST:
        call = node.value
        name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
        if name in self.which and name.startswith("enter_"):
            (line,) = quote_lines("return k", k=ENTERING - int(name.removeprefix("enter_")))
            return line
        return node


def add_helpers(functions: dict[str, ast.FunctionDef]) -> None:
    """Add what the functions call: of our own where there is such a one, else that of interpreted code."""
    waiting = [*functions]
    while waiting:
        for node in walk(functions[waiting.pop()]):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id in functions:
                continue
            name = node.func.id
            module = next((module for module in (own, runtime, observing) if hasattr(module, name)), None)
            helper = getattr(module, name, None)
            if name not in OF_SETS and inspect.isfunction(helper):
                (tree,) = _Numbers(vars(module)).visit(ast.parse(inspect.getsource(helper))).body
                functions[name] = tree if module is own else native(tree)
                waiting.append(name)


class _Numbers(ast.NodeTransformer):
    """Writes out the numbers for which a module has names."""

    def __init__(self, names: Mapping[str, object]):
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.names.get(node.id)
        return ast.copy_location(ast.Constant(found), node) if isinstance(found, int) else node


def calls(functions: Iterable[ast.FunctionDef]) -> dict[str, list[str]]:
    """Which of the functions each of them names, in any order."""
    names = {function.name: function for function in functions}
    return {name: [node.id for node in walk(tree) if isinstance(node, ast.Name) and node.id in names] for name, tree in names.items()}


def functions_in(source: str) -> list[ast.FunctionDef]:
    """The functions of a text."""
    return [line for line in ast.parse(source).body if isinstance(line, ast.FunctionDef)]
