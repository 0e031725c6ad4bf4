"""Options become constants, definitions and small procedures are written out where they are used, and what is then known is worked out.

After this pass an expression holds no `option`, `call` or `known` operation; statements hold no condition that is a constant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from durak_dsl.compiler.evaluate import CannotEvaluate, evaluate
from durak_dsl.language.ir import BINDERS, NO_NUMBER, NONE, Block, Expr, Rules, Statement
from durak_dsl.language.types import CARDS, YES_NO, Type
from durak_dsl.language.walking import blocks, face_down, statements

SMALL_PROCEDURE = 30
CHEAP = ("const", "local")
PURE = frozenset(
    {
        "==",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "negative",
        "min",
        "max",
        "odd",
        "even",
        "rank",
        "suit",
        "pips",
        "in",
        "union",
        "minus",
        "is none",
    }
)


class Folder:
    """Folds the expressions and statements of one game with its option values; unwatched, what is shown is left out."""

    def __init__(self, rules: Rules, options: Mapping[str, int], watched: bool = True):
        self.rules = rules
        self.watched = watched
        self.options = options
        self.fresh = max(rules.locals, default=0) + 1
        self.face_down = face_down(rules)
        self.calls = Counter(str(inner.data) for _, block, _ in blocks(rules) for inner in statements(block) if inner.op == "do")

    def new_local(self) -> int:
        """A local that nothing else uses."""
        self.fresh += 1
        return self.fresh

    # ---- expressions ----------------------------------------------------------------------------------------------

    def expr(self, expr: Expr, bound: Mapping[int, Expr] | None = None) -> Expr:
        """The folded expression, with these locals replaced."""
        bound = bound or {}
        op = expr.op
        if op == "local":
            assert isinstance(expr.data, int)
            value = bound.get(expr.data)
            if value is None:
                return expr
            return value if value.type.maybe == expr.type.maybe else replace(value, type=replace(value.type, maybe=expr.type.maybe))
        if op == "option":
            return replace(expr, op="const", data=self.options[str(expr.data)], type=_exact(expr.type, self.options[str(expr.data)]))
        if op == "call":
            return self._call(expr, bound)
        if op in BINDERS:
            return self._binder(expr, bound)
        if op == "let":
            return self._let(expr, bound)
        if op in ("and", "or"):
            return self._logic(expr, bound)
        if op == "if":
            condition = self.expr(expr.args[0], bound)
            if condition.op == "const":
                return self.expr(expr.args[1 if condition.data else 2], bound)
            one, two = self.expr(expr.args[1], bound), self.expr(expr.args[2], bound)
            return one if one == two else expr.with_args((condition, one, two))
        if op == "either":
            return self._either(expr, bound)
        folded = expr.with_args(tuple(self.expr(arg, bound) for arg in expr.args))
        return self._work_out(folded)

    def _work_out(self, expr: Expr) -> Expr:
        op, args = expr.op, expr.args
        if op == "known" and args[0].type.zone not in self.face_down:
            return replace(expr, op="cards", type=CARDS)
        if op == "in" and args[1].op == "cards" and (found := self._lies_there(args[0], args[1].args[0], expr)) is not None:
            return found
        if op == "not":
            inner = args[0]
            if inner.op == "const":
                return yes_no(not inner.data, expr)
            if inner.op == "not":
                return inner.args[0]
            if inner.op in ("==", "!="):
                return replace(inner, op="!=" if inner.op == "==" else "==")
        if op == "is none":
            if not args[0].type.maybe:
                return yes_no(False, expr)
            if args[0].op == "const":
                return yes_no(args[0].data in (NONE, NO_NUMBER), expr)
        if op in ("==", "!=") and args[0] == args[1]:
            return yes_no(op == "==", expr)
        if op in (">", ">=", "<", "<="):
            simpler = self._simpler_comparison(expr)
            if simpler is not None:
                return simpler
            ranges = self._compare_ranges(expr)
            if ranges is not None:
                return ranges
        if op in PURE and args and all(arg.op == "const" for arg in args):
            try:
                value = evaluate(expr, {}, self.rules.deck)
            except CannotEvaluate:
                return expr
            return replace(expr, op="const", args=(), data=value, type=_exact(expr.type, value))
        return expr

    def _lies_there(self, card: Expr, there: Expr, expr: Expr) -> Expr | None:
        """Whether the top, bottom or second card of a place lies in that zone: it does if there is one."""
        if there.op != "zone" or card.op not in ("top", "bottom", "under"):
            return None
        place = card.args[0]
        same = place == there or (place.type.kind == "pile" and place.type.zone == there.type.zone)
        if not same:
            return None
        return self._work_out(Expr("not", YES_NO, (self._work_out(Expr("is none", YES_NO, (card,), at=expr.at)),), at=expr.at))

    def _simpler_comparison(self, expr: Expr) -> Expr | None:
        """`a - b > 0` as `a > b`, and `min(a, b) > c` as `a > c and b > c`."""
        one, two = expr.args
        if one.op == "-" and two.op == "const" and two.data == 0:
            return self._work_out(replace(expr, args=one.args))
        if one.op in ("min", "max") and (
            two.op in CHEAP or (two.op in ("read", "count", "size") and all(not arg.args for arg in two.args))
        ):
            every = (one.op == "min") == (expr.op in (">", ">="))
            halves = tuple(self._work_out(replace(expr, args=(half, two))) for half in one.args)
            return self._logic(Expr("and" if every else "or", YES_NO, halves, at=expr.at), {})
        return None

    def _compare_ranges(self, expr: Expr) -> Expr | None:
        one, two = expr.args[0].type, expr.args[1].type
        if one.kind != "number":
            return None
        sure = {
            ">": (one.low > two.high, one.high <= two.low),
            ">=": (one.low >= two.high, one.high < two.low),
            "<": (one.high < two.low, one.low >= two.high),
            "<=": (one.high <= two.low, one.low > two.high),
        }[expr.op]
        return yes_no(True, expr) if sure[0] else yes_no(False, expr) if sure[1] else None

    def _call(self, expr: Expr, bound: Mapping[int, Expr]) -> Expr:
        define = self.rules.defines[str(expr.data)]
        inside: dict[int, Expr] = {}
        lets: list[tuple[int, Expr]] = []
        for arg, (_, local, _) in zip(expr.args, define.parameters, strict=True):
            value = self.expr(arg, bound)
            if value.op in CHEAP or _uses(define.body, local) <= 1:
                inside[local] = value
            else:
                fresh = self.new_local()
                lets.append((fresh, value))
                inside[local] = Expr("local", value.type, data=fresh, at=value.at)
        body = self.expr(define.body, inside)
        for fresh, value in reversed(lets):
            body = self._simple_let(fresh, value, body, expr)
        return body

    def _simple_let(self, local: int, value: Expr, body: Expr, expr: Expr) -> Expr:
        times = _uses(body, local)
        if times == 0:
            return body
        if times == 1 and not _inside_binder(body, local):
            return self.expr(body, {local: value})
        return Expr("let", body.type, (value, body), local, expr.at)

    def _let(self, expr: Expr, bound: Mapping[int, Expr]) -> Expr:
        assert isinstance(expr.data, int)
        value = self.expr(expr.args[0], bound)
        if value.op in CHEAP:
            return self.expr(expr.args[1], {**bound, expr.data: value})
        fresh = self.new_local()
        return self._simple_let(fresh, value, self.expr(expr.args[1], {**bound, expr.data: Expr("local", value.type, data=fresh)}), expr)

    def _binder(self, expr: Expr, bound: Mapping[int, Expr]) -> Expr:
        assert isinstance(expr.data, int)
        domain = self.expr(expr.args[0], bound)
        fresh = self.new_local()
        element = next((node.type for arg in expr.args[1:] for node in arg.walk() if node.op == "local" and node.data == expr.data), None)
        inside = {**bound, expr.data: Expr("local", element, data=fresh)} if element else bound
        rest = tuple(self.expr(arg, inside) for arg in expr.args[1:])
        where = rest[0]
        if where.op == "const" and not where.data:
            empty = {"any": 0, "every": 1, "filter": 0, "map": 0, "sum": 0, "makes": 0}.get(expr.op, NONE)
            return replace(expr, op="const", args=(), data=empty)
        if expr.op in ("any", "every"):
            body = rest[1]
            if body.op == "const" and bool(body.data) == (expr.op == "every"):
                return yes_no(expr.op == "every", expr)
            if expr.op == "every":  # every x has C  =  not (any x has not C)
                opposite = self._work_out(Expr("not", YES_NO, (body,), at=body.at))
                found = replace(expr, op="any", args=(domain, _both(where, opposite), yes_no(True, expr)), data=fresh)
                return Expr("not", YES_NO, (found,), at=expr.at)
            return replace(expr, args=(domain, _both(where, body), yes_no(True, expr)), data=fresh)
        if expr.op == "filter" and where.op == "const":
            return domain if domain.type.kind == expr.type.kind else replace(expr, args=(domain, *rest), data=fresh)
        return replace(expr, args=(domain, *rest), data=fresh)

    def _logic(self, expr: Expr, bound: Mapping[int, Expr]) -> Expr:
        deciding = 0 if expr.op == "and" else 1
        args: list[Expr] = []
        for arg in expr.args:
            folded = self.expr(arg, bound) if bound else self.expr(arg)
            if folded.op == "const":
                if bool(folded.data) == bool(deciding):
                    return yes_no(bool(deciding), expr)
                continue
            args += folded.args if folded.op == expr.op else (folded,)
        if not args:
            return yes_no(not deciding, expr)
        return args[0] if len(args) == 1 else replace(expr, args=tuple(args), data=None)

    def _either(self, expr: Expr, bound: Mapping[int, Expr]) -> Expr:
        args: list[Expr] = []
        for arg in expr.args:
            folded = self.expr(arg, bound)
            if folded.op == "const" and folded.data in (NONE, NO_NUMBER) and folded.type.maybe:
                continue
            args.append(folded)
            if not folded.type.maybe:
                break
        if not args:
            return Expr("const", expr.type, data=NO_NUMBER if expr.type.kind == "number" else NONE, at=expr.at)
        return args[0] if len(args) == 1 else replace(expr, args=tuple(args), data=None)

    # ---- statements -----------------------------------------------------------------------------------------------

    def block(self, block: Block, bound: Mapping[int, Expr] | None = None) -> Block:
        """The folded statements, with these locals replaced."""
        found: list[Statement] = []
        self._into(found, block, dict(bound or {}))
        return _without_idle_lets(found)

    def _into(self, found: list[Statement], block: Block, bound: dict[int, Expr]) -> None:
        for statement in block:
            if statement.op == "step":
                self._into(found, statement.blocks[0], bound)
            elif statement.op == "let":
                assert isinstance(statement.data, int)
                value = self.expr(statement.args[0], bound)
                fresh = self.new_local()
                bound[statement.data] = value if value.op in CHEAP else Expr("local", value.type, data=fresh)
                if value.op not in CHEAP:
                    found.append(replace(statement, args=(value,), data=fresh))
            elif statement.op == "if":
                found += self._if(statement, bound)
            elif statement.op == "do":
                found += self._do(statement, bound)
            elif statement.op == "each":
                made = self._each(statement, bound)
                found += (made,) if made.blocks[0] else ()
            elif not self.watched and (statement.op == "show none" or (statement.op == "show" and not self._turns_up(statement))):
                continue
            else:
                args = tuple(self.expr(arg, bound) for arg in statement.args)
                found.append(replace(statement, args=args, blocks=tuple(self.block(inner, bound) for inner in statement.blocks)))

    def _turns_up(self, statement: Statement) -> bool:
        """Whether what is shown may lie face down: then it is turned up."""
        return bool(self.face_down) and len(statement.args) == 1

    def _if(self, statement: Statement, bound: Mapping[int, Expr]) -> Block:
        conditions: list[Expr] = []
        blocks: list[Block] = []
        for condition, block in zip(statement.args, statement.blocks, strict=False):
            folded = self.expr(condition, bound)
            if folded.op == "const" and not folded.data:
                continue
            inner = self.block(block, bound)
            if folded.op == "const":
                blocks.append(inner)
                break
            conditions.append(folded)
            blocks.append(inner)
        else:
            if len(statement.blocks) > len(statement.args):
                blocks.append(self.block(statement.blocks[-1], bound))
        if not conditions:
            return blocks[0] if blocks else ()
        if not any(blocks):
            return ()
        return (replace(statement, args=tuple(conditions), blocks=tuple(blocks)),)

    def _do(self, statement: Statement, bound: Mapping[int, Expr]) -> Block:
        procedure = self.rules.procedures[str(statement.data)]
        args = tuple(self.expr(arg, bound) for arg in statement.args)
        size = sum(1 + sum(1 for arg in inner.args for _ in arg.walk()) for top in procedure.body for inner in top.walk())
        if size > SMALL_PROCEDURE and self.calls[procedure.name] > 1:
            return (replace(statement, args=args),)
        inside: dict[int, Expr] = {}
        lets: list[Statement] = []
        for value, (_, local, _) in zip(args, procedure.parameters, strict=True):
            if value.op in CHEAP:
                inside[local] = value
            else:
                fresh = self.new_local()
                lets.append(Statement("let", (value,), fresh, at=statement.at))
                inside[local] = Expr("local", value.type, data=fresh)
        return (*lets, *self.block(procedure.body, inside))

    def _each(self, statement: Statement, bound: Mapping[int, Expr]) -> Statement:
        assert isinstance(statement.data, int)
        fresh = self.new_local()
        nodes = [node for arg in statement.args for node in arg.walk()]
        nodes += [node for top in statement.blocks[0] for inner in top.walk() for arg in inner.args for node in arg.walk()]
        element = next((node.type for node in nodes if node.op == "local" and node.data == statement.data), None)
        inside = {**bound, statement.data: Expr("local", element, data=fresh)} if element else bound
        domain = self.expr(statement.args[0], bound)
        return replace(
            statement, args=(domain, self.expr(statement.args[1], inside)), data=fresh, blocks=(self.block(statement.blocks[0], inside),)
        )


def _without_idle_lets(block: list[Statement]) -> Block:
    """The statements without those `let`s that nothing reads."""
    read: set[object] = set()
    kept: list[Statement] = []
    for statement in reversed(block):
        if statement.op == "let" and statement.data not in read:
            continue
        kept.append(statement)
        for inner in statement.walk():
            read.update(node.data for arg in inner.args for node in arg.walk() if node.op == "local")
    return tuple(reversed(kept))


def yes_no(value: bool, like: Expr) -> Expr:
    """The constant yes or no."""
    return Expr("const", YES_NO, data=int(value), at=like.at)


def mentions(expr: Expr, local: int) -> bool:
    """Whether the expression reads that local."""
    return any(node.op == "local" and node.data == local for node in expr.walk())


def replaced(expr: Expr, stand_ins: Mapping[Expr, Expr]) -> Expr:
    """The expression with some of its parts replaced."""
    if expr in stand_ins:
        return stand_ins[expr]
    return expr.with_args(tuple(replaced(arg, stand_ins) for arg in expr.args))


def canonical(expr: Expr, depth: int = 0, bound: Mapping[int, int] | None = None) -> Expr:
    """The expression with its own locals numbered by depth: equal for expressions that differ in those numbers only."""
    bound = bound or {}
    if expr.op == "local" and expr.data in bound:
        assert isinstance(expr.data, int)
        return replace(expr, data=bound[expr.data])
    if expr.op not in BINDERS and expr.op != "let":
        return expr.with_args(tuple(canonical(arg, depth, bound) for arg in expr.args))
    assert isinstance(expr.data, int)
    number = -100 - depth
    inside = {**bound, expr.data: number}
    args = (canonical(expr.args[0], depth, bound), *(canonical(arg, depth + 1, inside) for arg in expr.args[1:]))
    return replace(expr, data=number, args=args)


def _both(one: Expr, two: Expr) -> Expr:
    if one.op == "const" and one.data:
        return two
    if two.op == "const" and two.data:
        return one
    parts = [*(one.args if one.op == "and" else (one,)), *(two.args if two.op == "and" else (two,))]
    return Expr("and", YES_NO, tuple(parts), at=one.at)


def _exact(kind: Type, value: int) -> Type:
    return replace(kind, low=value, high=value) if kind.kind == "number" else kind


def _uses(expr: Expr, local: int) -> int:
    return sum(1 for node in expr.walk() if node.op == "local" and node.data == local)


def _inside_binder(expr: Expr, local: int) -> bool:
    if expr.op in BINDERS:
        return any(mentions(arg, local) for arg in expr.args[1:]) or _inside_binder(expr.args[0], local)
    return any(_inside_binder(arg, local) for arg in expr.args)
