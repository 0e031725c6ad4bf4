"""The fused form: the functions of a program -> one function that plays a deal from where it stands to its end by chance.

Each function that ends in saying what comes next becomes a state of a loop: calling another is a jump. What is chosen among is counted
segment by segment, never put together into one mask. Places of the state that stand for one value and are read by no helper are kept
in variables of the function, and put back when the deal is over.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeVar

from durak_dsl.compiler.hone import apart, by_identity, rows_apart, tables_in, without_copies
from durak_dsl.compiler.layout import NODE, Layout
from durak_dsl.compiler.once import once
from durak_dsl.compiler.places import Kept, alone, helped, place_of
from durak_dsl.compiler.quote import put_everywhere, quote, quote_lines, walk
from durak_dsl.compiler.spare import without_unread
from durak_dsl.compiler.straight import late, straight

OWN = re.compile(r"[tvmc]\d+|a")  # variables of one function
_COPY = re.compile(r"[tv]\d+_[nf]\d+")  # locals of the rules in one state

T = TypeVar("T")

Laid = Callable[[Sequence[tuple[int, list[ast.stmt]]]], list[ast.stmt]]  # how the states stand in the loop


@dataclass(frozen=True)
class Choosing:
    """A node as trees: the statements that work out the masks of its segments, the masks, and what a value of each (`a`) does."""

    before: list[ast.stmt]
    masks: list[ast.expr]
    branches: list[list[ast.stmt]]


# The element number k of a set of c, as interpreted code finds it fastest, from the nearer end, and as compiled code does.
BY_LOOP = """\
if k < c >> 1:
    while k:
        m &= m - 1
        k -= 1
    m &= -m
else:
    k += 1
    while k < c:
        m ^= BIT[m.bit_length() - 1]
        k += 1
a = m.bit_length() - 1
bit = BIT[a]
"""
BY_CALL = "a = kth(m, k)"


def fused(
    nodes: Sequence[Choosing],
    phases: int,
    others: Sequence[ast.FunctionDef],
    layout: Layout,
    sizes: Mapping[str, int],
    kth: str = BY_LOOP,
    laid: Laid | None = None,
    asked: frozenset[int] | None = None,
) -> ast.FunctionDef:
    """`playout(s, draw, most)`: from a state and a source of 32-bit words, how many turns (moves) there were and how many decisions
    (turns with a choice); it stops once those with a choice, or those without, are more than `most`; -1 turns where one phase hands on to
    another without end, DEAD_END where nothing is legal. The first nodes, as many as there are phases, begin a turn. `sizes`: of tables, by
    name.
    """
    jumps = {function.name: len(nodes) + number for number, function in enumerate(others)}
    states = {}
    for number, node in enumerate(nodes):
        total, body = _choice(node, number, number < phases, kth)
        noted = quote_lines("chosen = 1 if total > 1 else 0", total=total) if number < phases else []
        states[number] = _state(body, f"n{number}", jumps, dict.fromkeys(range(phases, len(nodes)), noted))
    for function in others:
        parameters = [
            line
            for position, argument in enumerate(function.args.args[1:])
            for line in quote_lines("x = value", x=argument.arg, value=_handed(function.name, position))
        ]
        states[jumps[function.name]] = _state([*parameters, *function.body], f"f{jumps[function.name]}", jumps)
    following = {number: [to for to in targets(body) if to >= len(nodes)] for number, body in states.items() if number >= len(nodes)}
    endless = going_round(following)  # without a choice
    for phase in range(phases):
        if (number := jumps[f"enter_{phase}"]) in endless:
            guard = "skipped += 1\nif skipped > most:\n    forced = -1 - decisions\n    state = k\n    break"
            states[number][:0] = quote_lines(guard, most=MOST_SKIPPED, k=phase)
    states = _threaded(states, len(nodes))
    if laid is None:
        jumped = Counter(target for body in states.values() for target in targets(body))
        hottest = sorted(range(phases), key=lambda number: -jumped[number])[:HOT]
        order = [*hottest, *range(len(nodes), len(nodes) + len(others)), *range(len(nodes))]  # a later pick at the end
        order = [number for number in dict.fromkeys(order) if number in states]
        laid_out = in_turn({number: _ended(body) for number, body in states.items()}, order[:IN_TURN])
    else:
        laid_out = laid(list(states.items()))
    loop: ast.stmt = ast.While(ast.Constant(True) if laid is None else quote("state >= 0"), laid_out, [])
    kept = Kept(alone(loop, layout))
    kept.visit(loop)
    begun, numbers = by_identity(loop, len(nodes)) if kth == BY_LOOP else ([], {})
    (loop,) = straight([loop], {"k", *(f"s{place}" for place in layout.zones.values())}) if kth == BY_LOOP else [loop]
    (loop,) = without_copies([loop], {name for line in walk(loop) if isinstance(line, ast.Name) and _COPY.fullmatch(name := line.id)})
    (loop,) = late([loop]) if kth == BY_LOOP else [loop]
    before, after = list[ast.stmt](), list[ast.stmt]()
    globals_used: list[str] = []
    made: dict[str, ast.expr] = {name: ast.Constant(number) for name, number in numbers.items()}
    if kth == BY_LOOP:  # interpreted
        before, after = apart(loop, layout, helped(loop))
        rows, made_once = rows_apart(loop, sizes, {f"s{place}" for place in kept.places - kept.written})
        before += rows
        made |= made_once
        if asked is not None:
            needed = {f"s{place}" for place in asked} | {f"s{place}_" for place in asked}
            (loop,) = without_unread([loop], needed | {"state", "forced", "decisions"})
            used = needed | _names(loop)
            before = [line for line in before if any(name in used for name in _names(line))]
            after = [line for line in after if any(name in needed for name in _names(line))]
            kept.written &= asked
        (loop,) = once([loop])
        globals_used = tables_in([*before, loop])
    lines = quote_lines("forced = 0\ndecisions = 0\nchosen = 0\nskipped = 0\nstate = s[k]", k=NODE)
    lines += [line for place in sorted(kept.places) for line in quote_lines("x = s[k]", x=f"s{place}", k=place)]
    lines += [*before, ast.If(quote("state >= 0"), [*begun, loop], []), *after]
    lines += [line for place in sorted(kept.written) for line in quote_lines("s[k] = x", x=f"s{place}", k=place)]
    lines += quote_lines("s[k] = state\nturns = forced + decisions\nreturn turns, decisions", k=NODE)
    arguments = ast.arguments([], [ast.arg(name) for name in ("s", "draw", "most", *globals_used, *made)], None, [], [], None, [])
    arguments.defaults = [*(ast.Name(name, ast.Load()) for name in globals_used), *made.values()]  # found faster than what is global
    tree = ast.FunctionDef("playout", arguments, lines, [])
    tree.type_params = []  # type: ignore[attr-defined,unused-ignore]
    put_everywhere(tree, 1)
    return tree


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in walk(tree) if isinstance(node, ast.Name)} - {"s"}


def _handed(function: str, position: int) -> str:
    """The variable in which an argument is handed over with a jump."""
    return f"{function}_{position}"


def _is_one_or_none(mask: ast.expr, branch: Sequence[ast.stmt]) -> bool:
    """Whether this is the mask of a move without picks that is always legal, or never."""
    return isinstance(mask, ast.Constant) and (mask.value == 0 or (mask.value == 1 and not _reads(branch, "a")))


def _choice(node: Choosing, place: int, first: bool, kth: str) -> tuple[ast.expr, list[ast.stmt]]:
    """How many values there are to choose among; and to choose uniformly among those of all segments, and to go on with what was
    chosen. `place` is the number of the node; `first`: a turn begins here.
    """
    body = list(node.before)
    counts: list[ast.expr] = []
    several: list[ast.stmt] = []
    without = quote_lines("k = 0")
    varying = [number for number, mask in enumerate(node.masks) if not _is_one_or_none(mask, node.branches[number])]
    for number, mask in enumerate(node.masks):
        if number in varying:
            body += quote_lines("m = mask", m=f"m{number}", mask=mask)
            several += quote_lines("c = m.bit_count()", m=f"m{number}", c=f"c{number}")
            without += quote_lines("c = 0", c=f"c{number}")
            counts.append(ast.Name(f"c{number}", ast.Load()))
        else:  # a move without picks that is always legal, or never
            counts.append(mask)
    total = counts[0] if counts else quote("0")
    for count in counts[1:]:
        total = quote("a + b", a=total, b=count)
    stuck = quote_lines("forced = k - decisions\nstate = n\nbreak", k=DEAD_END, n=place)
    if first:
        body += quote_lines("skipped = 0")
    branches = list(node.branches)
    for number, branch in enumerate(branches):
        if _reads(branch, "a"):
            branches[number] = [*quote_lines(kth, m=f"m{number}", c=counts[number]), *branch]
    always = [number for number, mask in enumerate(node.masks) if number not in varying and ast.literal_eval(mask)]
    possible = sorted({*varying, *always})
    if not possible:
        return total, [*body, *stuck]
    # At a later pick a turn that seemed to be without a choice may have one.
    with_choice = "decisions += 1\nif decisions > most: break" if first else "decisions += 1 - chosen\nforced -= 1 - chosen\nchosen = 1"
    no_choice = quote_lines("forced += 1\nif forced > most: break") if first else []
    drawing = quote_lines(f"k = draw() * (total) >> 32\n{with_choice}", total=total)
    if len(always) == 1 and varying:  # there is a choice where any mask is not empty
        (only,) = always
        names: list[ast.expr] = [ast.Name(f"m{number}", ast.Load()) for number in varying]
        test = names[0] if len(names) == 1 else ast.BoolOp(ast.Or(), names)
        if kth == BY_LOOP and all(map(ends, branches)):
            chosen = _which(possible, counts, [[] if number == only else branch for number, branch in enumerate(branches)])
            return total, [*body, ast.If(test, [*several, *drawing, *chosen], no_choice), *branches[only]]
        body.append(ast.If(test, [*several, *drawing], [*no_choice, *without]))
    else:
        body += several
        ending = [] if always else [ast.If(quote("total == 0", total=total), stuck, [])]
        body.append(ast.If(quote("total > 1", total=total), drawing, [*ending, *no_choice, *quote_lines("k = 0")]))
    return total, body + _which(possible, counts, branches)


def _which(possible: Sequence[int], counts: Sequence[ast.expr], branches: Sequence[list[ast.stmt]]) -> list[ast.stmt]:
    """To go on with the segment to which the value number k belongs; one that has no statements is passed over."""
    lines: list[ast.stmt] = branches[possible[-1]] if possible else []
    for number in reversed(possible[:-1]):
        rest = [*quote_lines("k -= c", c=counts[number]), *lines] if lines else []
        test = quote("k < c" if branches[number] else "k >= c", c=counts[number])
        lines = [ast.If(test, branches[number] or rest, rest if branches[number] else [])]
    return lines


def _reads(lines: Iterable[ast.stmt], name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for line in lines for node in walk(line))


DEAD_END = -2  # turns where nothing is legal, though somebody is to act
MOST_SKIPPED = 900  # phases that may be passed over between two turns, as many as calls of functions within each other
HOT = 3  # phases that are asked for first
IN_TURN = 12  # states that are asked for one by one
SHORT = 400  # parts of a state that is written out wherever it is jumped to


def ends(lines: Sequence[ast.stmt]) -> bool:
    """Whether nothing after these statements is reached."""
    if not lines:
        return False
    last = lines[-1]
    return isinstance(last, ast.Return | ast.Continue | ast.Break) or (isinstance(last, ast.If) and ends(last.body) and ends(last.orelse))


def asked_for(states: Mapping[int, list[ast.stmt]], hottest: Sequence[int], of: str = "state") -> list[ast.stmt]:
    """The state whose number stands in a variable: asked for the hottest one by one, then found by halving."""
    if len(states) == 1:
        return next(iter(states.values()))
    if hottest:
        hot, *others = hottest
        rest = {number: body for number, body in states.items() if number != hot}
        return [ast.If(quote("n == k", n=of, k=hot), states[hot], asked_for(rest, others, of))]
    numbers = sorted(states)
    middle = numbers[len(numbers) // 2]
    lower, upper = ({number: states[number] for number in numbers if (number < middle) == low} for low in (True, False))
    return [ast.If(quote("n < k", n=of, k=middle), asked_for(lower, (), of), asked_for(upper, (), of))]


def in_turn(states: Mapping[int, list[ast.stmt]], hottest: Sequence[int]) -> list[ast.stmt]:
    """The states, the hottest asked for one after the other, then the others by halving: a jump to a later one only goes on."""
    later = dict(states)
    lines: list[ast.stmt] = []
    for number in hottest if len(states) > len(hottest) else hottest[:-1]:
        body = later.pop(number)
        lines.append(ast.If(quote("state == k", k=number), _going_on(body, later), []))
    return [*lines, *asked_for(later, ())]


def _going_on(lines: Sequence[ast.stmt], later: Collection[int]) -> list[ast.stmt]:
    """The same with jumps to these states that only go on: what comes after a branch with such a jump is the other branch."""
    found: list[ast.stmt] = []
    for number, line in enumerate(lines):
        if isinstance(line, ast.Continue) and found and _jump(found[-1]) in later:
            return found
        if isinstance(line, ast.If) and ends(line.body) and any(target in later for target in targets(lines[number:])):
            orelse = line.orelse if ends(line.orelse) else [*line.orelse, *lines[number + 1 :]]
            return [*found, ast.If(line.test, _going_on(line.body, later), _going_on(orelse, later))]
        found.append(line)
    return found


def _ended(lines: list[ast.stmt]) -> list[ast.stmt]:
    """A state that leaves the loop when the deal is over, instead of going on."""
    for before, line in enumerate(lines[1:]):
        target = _jump(lines[before])
        if isinstance(line, ast.Continue) and target is not None and target < 0:
            return [*lines[: before + 1], ast.Break()]
    for line in lines:
        if isinstance(line, ast.If):
            line.body, line.orelse = _ended(line.body), _ended(line.orelse)
    return lines


def _threaded(states: dict[int, list[ast.stmt]], nodes: int) -> dict[int, list[ast.stmt]]:
    """The states with jumps to short ones, or to those that have one jump to them, replaced by what they do; choices stay."""
    while True:
        jumps = Counter(target for body in states.values() for target in targets(body))
        for number in sorted(states):
            body = states[number]
            if number < nodes or number in targets(body):
                continue
            if jumps[number] > 1 and sum(1 for line in body for _ in walk(line)) > SHORT:
                continue
            instead = _Instead(number, states.pop(number))
            states = {other: instead.lines(lines) for other, lines in states.items()}
            break
        else:
            return states


def going_round(following: Mapping[T, Collection[T]]) -> set[T]:
    """Of things that lead to others those that may come round to themselves."""
    found = set()
    for one in following:
        reached, waiting = set[T](), list(following[one])
        while waiting:
            if (other := waiting.pop()) not in reached:
                reached.add(other)
                waiting += following[other]
        if one in reached:
            found.add(one)
    return found


def targets(body: Iterable[ast.stmt]) -> list[int]:
    """The states to which a state jumps."""
    found: list[int] = []
    for line in body:
        if isinstance(line, ast.If | ast.For | ast.While):
            found += [*targets(line.body), *targets(line.orelse)]
        elif (target := _jump(line)) is not None:
            found.append(target)
    return found


def _jump(line: ast.stmt) -> int | None:
    """The state to which a statement jumps (with the `continue` after it)."""
    if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name) and line.targets[0].id == "state":
        return int(ast.literal_eval(line.value))
    return None


class _Instead(ast.NodeTransformer):
    """Writes a state out instead of jumping to it."""

    def __init__(self, number: int, body: list[ast.stmt]):
        self.number, self.body = number, body

    def lines(self, lines: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for line in lines:
            if _jump(line) == self.number:
                return [*found, *deepcopy(self.body)]
            found.append(self.visit(line))
        return found

    def visit_If(self, node: ast.If) -> ast.AST:
        node.body, node.orelse = self.lines(node.body), self.lines(node.orelse)
        return node


def _state(
    body: Sequence[ast.stmt], suffix: str, jumps: Mapping[str, int], noted: Mapping[int, list[ast.stmt]] | None = None
) -> list[ast.stmt]:
    module = _Jumps(suffix, jumps, noted or {}).visit(deepcopy(ast.Module(list(body), [])))
    assert isinstance(module, ast.Module)
    return module.body


class _Jumps(ast.NodeTransformer):
    """Makes a function a state: its variables its own, its `return` a jump; where play goes next is the state itself."""

    def __init__(self, suffix: str, jumps: Mapping[str, int], noted: Mapping[int, list[ast.stmt]]):
        self.suffix, self.jumps, self.noted = suffix, jumps, noted

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(f"{node.id}_{self.suffix}", node.ctx) if OWN.fullmatch(node.id) else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and place_of(target) == NODE:
            return None
        self.generic_visit(node)
        return node

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        value = node.value
        if not isinstance(value, ast.Call):
            assert value is not None
            to = value.value if isinstance(value, ast.Constant) else None
            noted = deepcopy(self.noted.get(to, [])) if isinstance(to, int) else []
            return [*map(self.visit, noted), *quote_lines("state = k", k=value), ast.Continue()]
        assert isinstance(value.func, ast.Name)
        lines: list[ast.stmt] = []
        for position, argument in enumerate(value.args[1:]):
            lines += quote_lines("x = value", x=_handed(value.func.id, position), value=self.visit(argument))
        return [*lines, *quote_lines("state = k", k=self.jumps[value.func.id]), ast.Continue()]
