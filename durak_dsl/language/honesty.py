"""Honesty: what a move may depend on, who is asked, and what variables say must not give hidden cards away.

A pick or `when` may read what everybody sees and what lies in the acting player's own zones. `actor` may read what everybody sees.
Variables are public, so what is put into one must be public too, or be announced; likewise what decides where the game goes next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from durak_dsl.language.ir import BINDERS, Block, Expr, Rules, Statement
from durak_dsl.language.totality import blocks, statements
from durak_dsl.language.types import ZONE_KINDS
from durak_dsl.problems import Problem, Span

MOVING = ("move", "draw", "deal", "shuffle", "do")
PUBLIC = "Everybody may learn it: write 'announce', or show the card first"


def problems(rules: Rules) -> list[Problem]:
    """The places where these rules would give hidden cards away."""
    return list(dict.fromkeys(_Honesty(rules).problems()))


@dataclass(frozen=True)
class _Eyes:
    """Who looks: the locals that are the acting player, the locals that hold hidden things, what has been shown."""

    me: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    shown: frozenset[Expr] = frozenset()


class _Honesty:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.found: list[Problem] = []
        self.known: dict[tuple[str, frozenset[int], frozenset[int]], Expr | None] = {}
        self.walked: set[tuple[str, frozenset[int], bool]] = set()
        self.face_down = {
            arg.type.zone
            for _, block, _ in blocks(rules)
            for statement in statements(block)
            if statement.op == "move" and getattr(statement.data, "face_down", False)
            for arg in statement.args[1:]
        }

    def problems(self) -> list[Problem]:
        rules = self.rules
        for phase in rules.phases.values():
            self.demand(
                phase.actor,
                _Eyes(),
                f"who acts in phase '{phase.name}' would depend on",
                "everybody would learn who was asked and who was not",
            )
            self.block(phase.nobody, _Eyes(), False)
        for move in rules.moves.values():
            eyes = _Eyes(frozenset({move.me}))
            for pick in move.picks:
                for part in (pick.domain, pick.where, pick.when, *(pick.several or ())):
                    if part is not None:
                        self.demand(
                            part, eyes, f"pick '{pick.name}' of move '{move.name}' would depend on", "", pick_domain=part is pick.domain
                        )
            for clause in move.when:
                self.demand(clause.condition, eyes, f"'{clause.name}' of move '{move.name}' would depend on", "")
            self.block(move.body, _Eyes(), False)
        self.block(rules.setup, _Eyes(), False)
        return self.found

    def demand(self, expr: Expr, eyes: _Eyes, what: str, hint: str, pick_domain: bool = False) -> None:
        if pick_domain and expr.op == "zone" and expr.type.kind == "row":
            return
        leak = self.leak(expr, eyes)
        if leak is not None:
            self.found.append(
                Problem("honesty", f"{what} {self.secret(leak)}", expr.at, hint or "the list of legal moves would give it away")
            )

    def secret(self, leak: Expr) -> str:
        if leak.op in ("zone", "all"):
            zone = self.rules.zones[str(leak.data)]
            if zone.seen == "nobody":
                return f"cards in '{zone.name}', which nobody sees"
            if zone.seen == "owner":
                return f"another player's '{zone.name}'"
            return f"cards that lie face down in '{zone.name}'"
        return "hidden cards"

    # ---- statements -----------------------------------------------------------------------------------------------

    def block(self, block: Block, eyes: _Eyes, under: bool) -> _Eyes:
        for statement in block:
            eyes = self.statement(statement, eyes, under)
        return eyes

    def statement(self, statement: Statement, eyes: _Eyes, under: bool) -> _Eyes:
        op, args = statement.op, statement.args
        if op == "step":
            return self.block(statement.blocks[0], eyes, under)
        if op == "assign":
            leak = self.leak(args[0], eyes)
            if leak is not None or under:
                secret = self.secret(leak) if leak is not None else "hidden cards"
                self.found.append(
                    Problem("honesty", f"variables are public, and '{statement.data}' would tell {secret}", statement.at, PUBLIC)
                )
        elif op == "let" and self.leak(args[0], eyes) is not None:
            assert isinstance(statement.data, int)
            return replace(eyes, hidden=eyes.hidden | {statement.data})
        elif op == "show":
            return replace(eyes, shown=eyes.shown | {args[0], *args[0].args}) if len(args) == 1 else eyes
        elif op == "if":
            hidden = under
            for index, block in enumerate(statement.blocks):
                hidden = hidden or (index < len(args) and self.leak(args[index], eyes) is not None)
                self.block(block, eyes, hidden)
        elif op == "each":
            assert isinstance(statement.data, int)
            secret_domain = self.leak(args[0], eyes) is not None or self.leak(args[1], eyes) is not None
            inside = replace(eyes, hidden=eyes.hidden | {statement.data}) if secret_domain else eyes
            self.block(statement.blocks[0], inside, under or secret_domain)
        elif op == "repeat":
            self.block(statement.blocks[0], eyes, under or self.leak(args[0], eyes) is not None)
        elif op in ("go", "stay", "end") and under:
            self.found.append(
                Problem("honesty", "what comes next would depend on hidden cards", statement.at, "decide it by what everybody sees")
            )
        elif op == "do":
            procedure = self.rules.procedures[str(statement.data)]
            hidden_args = frozenset(
                local for arg, (_, local, _) in zip(args, procedure.parameters, strict=True) if self.leak(arg, eyes) is not None
            )
            key = (procedure.name, hidden_args, under)
            if key not in self.walked:
                self.walked.add(key)
                self.block(procedure.body, _Eyes(hidden=hidden_args), under)
        return replace(eyes, shown=frozenset()) if op in MOVING else eyes

    # ---- expressions ----------------------------------------------------------------------------------------------

    def leak(self, expr: Expr, eyes: _Eyes) -> Expr | None:
        """The first part of the expression that reads what these eyes may not see, or None."""
        if expr in eyes.shown:
            return None
        op, args = expr.op, expr.args
        if op == "local":
            return expr if expr.data in eyes.hidden else None
        if op in ("size", "count") and args[0].type.kind in (*ZONE_KINDS, "pile"):
            return next((leak for arg in args[0].args if (leak := self.leak(arg, eyes)) is not None), None)
        if op in ("zone", "all"):
            return self.zone_leak(expr, eyes)
        if op == "holder":
            secret = next((zone for zone in self.rules.zones.values() if zone.each and zone.seen != "all"), None)
            return expr if secret else self.leak(args[0], eyes)
        if op == "call":
            return self.call_leak(expr, eyes)
        if op in ("top", "bottom", "under", "cards") and args[0].type.kind == "pile" and args[0].type.zone in self.face_down:
            return Expr("zone", args[0].type, data=args[0].type.zone)
        if op in ("cards", "known") and args[0].type.kind == "row" and args[0].op == "zone":
            zone = self.rules.zones[args[0].type.zone]
            if zone.seen == "all" and (op == "known" or zone.name not in self.face_down):
                return None
        if op == "known" and args[0].op == "zone" and self.rules.zones[str(args[0].data)].seen == "all":
            return None
        if op in BINDERS and args[0].op == "zone" and args[0].type.kind == "row":
            args = args[1:]
        return next((leak for arg in args if (leak := self.leak(arg, eyes)) is not None), None)

    def zone_leak(self, expr: Expr, eyes: _Eyes) -> Expr | None:
        zone = self.rules.zones[str(expr.data)]
        if zone.seen == "all":
            if zone.name in self.face_down:
                return expr
        elif not (zone.seen == "owner" and expr.op == "zone" and expr.args[0].op == "local" and expr.args[0].data in eyes.me):
            return expr
        return next((leak for arg in expr.args if (leak := self.leak(arg, eyes)) is not None), None)

    def call_leak(self, expr: Expr, eyes: _Eyes) -> Expr | None:
        for arg in expr.args:
            if (leak := self.leak(arg, eyes)) is not None:
                return leak
        define = self.rules.defines[str(expr.data)]
        me = frozenset(
            local for arg, (_, local, _) in zip(expr.args, define.parameters, strict=True) if arg.op == "local" and arg.data in eyes.me
        )
        key: tuple[str, frozenset[int], frozenset[int]] = (define.name, me, frozenset())
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self.leak(define.body, _Eyes(me))
        return self.known[key]


__all__ = ["Span", "problems"]
