"""Honesty: what a move may depend on, who is asked, and what variables say must not give hidden cards away.

A pick or `when` may read what everybody sees and what lies in the acting player's own zones. `actor` may read what everybody sees.
Variables are public, so what is put into one must be public too, or be announced; likewise what decides where the game goes next.
Everybody hears the sentence of a move: it names no card that only the mover sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from durak_dsl.language.ir import BINDERS, Block, Destination, Expr, Move, Rules, Statement
from durak_dsl.language.scope import Changes, certain
from durak_dsl.language.statements import changed
from durak_dsl.language.types import CARD, PLAYER, ZONE_KINDS
from durak_dsl.language.walking import face_down
from durak_dsl.problems import Problem, Span

ASK_ALL = "everybody would learn who was asked and who was not"
LEGAL = "the list of legal moves would give it away"
PUBLIC = "show these cards first, or write 'announce': then everybody learns it"
OPEN = "decide it by what everybody sees, or show these cards first"
ALOUD = "leave it out of 'say' ('call' may name it), or show it in 'do'"
HIDDEN = "hidden cards"


def problems(rules: Rules) -> list[Problem]:
    """The places where these rules would give hidden cards away."""
    return list(dict.fromkeys(_Honesty(rules).problems()))


@dataclass(frozen=True)
class Eyes:
    """Who looks: the locals that are the acting player, those that hold hidden things, what has been shown, what locals stand for."""

    me: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    shown: frozenset[Expr] = frozenset()
    lets: Mapping[Expr, Expr] = field(default_factory=dict)

    def sees(self, expr: Expr) -> bool:
        """Whether this has been shown."""
        return certain(expr) in self.shown

    def seeing(self, what: Expr) -> Eyes:
        """These eyes after cards were shown to all: also under the names that stand for them."""
        new = {certain(what)}
        if what.op == "cards":
            new |= {certain(arg) for arg in what.args}
            new |= {Expr(op, CARD, what.args) for op in ("top", "bottom", "under") if what.args[0].type.kind in ("pile", "stack")}
        new |= self.other_names(new)
        new |= {Expr("holder", PLAYER, (card,)) for card in new if card.type.kind == "card"}
        return replace(self, shown=self.shown | new)

    def other_names(self, cards: Iterable[Expr]) -> set[Expr]:
        """What else these cards are called: by locals, and by what locals stand for."""
        return {name for let in self.lets.items() for name in map(certain, let) if any(certain(other) in cards for other in let)}

    def meant(self, expr: Expr) -> Expr:
        """What a local stands for; anything else as it is."""
        return self.lets.get(certain(expr), expr)

    def testing(self, condition: Expr, only: Callable[[Expr], bool] = lambda part: True) -> Eyes:
        """These eyes where a condition holds: what it (or only some part of it) says lies open is seen."""
        open_cards = {certain(part.args[0]) for part in _all_of(condition) if self.asks_open(part) and only(part)}
        return replace(self, shown=self.shown | open_cards | self.other_names(open_cards)) if open_cards else self

    def asks_open(self, condition: Expr) -> bool:
        """Whether a condition asks if a card lies face up: `top(pile) in known(table)`."""
        if condition.op != "in" or condition.args[1].op != "known":
            return False
        return self.meant(condition.args[0]).op in ("top", "bottom", "under")

    def asks_empty(self, condition: Expr) -> bool:
        """Whether a condition asks only if a place holds cards: how many lie where is public."""
        if condition.op != "is none":
            return False
        card = self.meant(condition.args[0])
        if card.op not in ("top", "bottom", "under", "lowest", "highest"):
            return False
        place = card.args[0].args[0] if card.args[0].op == "cards" else card.args[0]
        return place.op == "zone" or place.type.kind == "pile"

    def letting(self, local: int, value: Expr, hidden: bool) -> Eyes:
        """These eyes where a local stands for a value."""
        name = certain(Expr("local", value.type, data=local))
        return replace(self, lets={**self.lets, name: value}, hidden=self.hidden | {local} if hidden else self.hidden)

    def after(self, changes: Changes) -> Eyes:
        """These eyes after something may have changed: what a name stood for is still known, what lies in a place need not be."""
        shown = frozenset(expr for expr in self.shown if not changes.may_change(expr))
        lets = {local: value for local, value in self.lets.items() if not changes.may_change(value)}
        return replace(self, shown=shown, lets=lets)


def _local_of(expr: Expr) -> object:
    """The local that this is, as a card or as the set of it; else None."""
    inner = expr.args[0] if expr.op == "cards" else expr
    return inner.data if inner.op == "local" else None


def _within(inner: Span, outer: Span) -> bool:
    """Whether a place lies in another, or in the same line of it."""
    return (inner.path, inner.line) == (outer.path, outer.line) and outer.column <= inner.column < outer.column + outer.length


def _all_of(condition: Expr) -> Iterator[Expr]:
    """The conditions that all hold when this one does."""
    if condition.op == "and":
        for part in condition.args:
            yield from _all_of(part)
    else:
        yield condition


class _Honesty:
    def __init__(self, rules: Rules):
        self.rules = rules
        self.found: list[Problem] = []
        self.known: dict[tuple[str, frozenset[int]], Expr | None] = {}
        self.walked: set[tuple[str, frozenset[int], bool]] = set()
        self.calls: list[Span] = []  # the calls on the way to the body that is looked at, with hidden things or under a hidden condition
        self.several = {pick.local for move in rules.moves.values() for pick in move.picks if pick.several}
        self.face_down = face_down(rules)

    def problems(self) -> list[Problem]:
        """All of them."""
        rules = self.rules
        for phase in rules.phases.values():
            self.demand(phase.actor, Eyes(), f"who acts in phase '{phase.name}' would depend on", ASK_ALL)
            self.block(phase.nobody, Eyes(), False)
        for move in rules.moves.values():
            self.move(move)
        self.block(rules.setup, Eyes(), False)
        self.block(rules.position, Eyes(), False)
        for procedure in rules.procedures.values():
            if not any(name == procedure.name for name, _, _ in self.walked):  # nothing calls it yet
                self.block(procedure.body, Eyes(), False)
        return self.found

    def move(self, move: Move) -> None:
        """What a move may depend on. A card picked from a hidden place is hidden in its effect, unless that lays it open.

        Its effect knows which cards lie open by what `where` and `when` have asked.
        """
        eyes = Eyes(frozenset({move.me}))
        asked = []
        hidden = set()
        for pick in move.picks:
            for part in pick.parts:
                row = part is pick.domain and part.op == "zone" and part.type.kind == "row"  # of piles it is public where they are
                if not row:
                    self.demand(part, eyes, f"pick '{pick.name}' of move '{move.name}' would depend on", LEGAL)
            secret = pick.type.kind in ("card", "cards") and self.leak(pick.domain, Eyes()) is not None
            if secret and not self.lays_open(move.body, pick.local):
                hidden.add(pick.local)
                if pick.name in move.told:
                    message = f"the sentence of move '{move.name}' would tell '{pick.name}', which others do not see"
                    self.add(message, move.told[pick.name], ALOUD)
            if pick.where is not None and pick.when is None and not pick.several:
                eyes = eyes.testing(pick.where)
                asked.append(pick.where)
        for clause in move.when:
            self.demand(clause.condition, eyes, f"'{clause.name}' of move '{move.name}' would depend on", LEGAL)
            eyes = eyes.testing(clause.condition)
            asked.append(clause.condition)
        all_see = Eyes(hidden=frozenset(hidden))
        for condition in asked:
            all_see = all_see.testing(condition, lambda part: self.leak(part, Eyes(hidden=frozenset(hidden))) is None)
        self.block(move.body, all_see, False)

    def demand(self, expr: Expr, eyes: Eyes, what: str, hint: str) -> None:
        leak = self.leak(expr, eyes)
        if leak is not None:
            self.report(f"{what} {self.secret(leak, bool(eyes.me))}", expr, leak, hint)

    def report(self, message: str, expr: Expr, leak: Expr, hint: str) -> None:
        """A problem at the part that leaks, or where a definition is used that has such a part."""
        here = leak.at is None or expr.at is None or _within(leak.at, expr.at)
        also = (("it is read in", leak.at),) if leak.at is not None and not here else ()
        self.add(message, leak.at or expr.at if here else expr.at, hint, also)

    def add(self, message: str, span: Span | None, hint: str, also: tuple[tuple[str, Span], ...] = ()) -> None:
        """A problem, with the call that makes it one."""
        called = (("the call is", self.calls[-1]),) if self.calls else ()
        self.found.append(Problem("honesty", message, span, hint, (*also, *called)))

    def secret(self, leak: Expr, mine: bool = False) -> str:
        """What a leak would tell."""
        if leak.op == "local":
            return f"'{self.rules.locals[leak.data]}', which comes from hidden cards" if isinstance(leak.data, int) else HIDDEN
        if leak.op == "holder":
            return "where a card lies that is not seen"
        zone = self.rules.zones.get(leak.type.zone or str(leak.data))
        if zone is None:
            return HIDDEN
        if zone.seen == "nobody":
            return f"cards in '{zone.name}', which nobody sees"
        if zone.seen == "owner":
            return f"another player's '{zone.name}'" if mine and leak.op == "zone" else f"what a player has in his '{zone.name}'"
        return f"cards that lie face down in '{zone.name}'"

    # ---- statements -----------------------------------------------------------------------------------------------

    def block(self, block: Block, eyes: Eyes, under: bool) -> Eyes:
        """Go through a body; `under` a condition that hidden cards decide."""
        for statement in block:
            eyes = self.statement(statement, eyes, under)
        return eyes

    def statement(self, statement: Statement, eyes: Eyes, under: bool) -> Eyes:
        """The eyes after a statement."""
        op, args = statement.op, statement.args
        if op == "step":
            return self.block(statement.blocks[0], eyes, under)
        if op in ("assign", "clear"):
            self.told(statement, eyes, under)
        if op in ("go", "stay", "end") and under:
            self.add(f"what comes next would depend on {HIDDEN}", statement.at, OPEN)
        if op == "let":
            assert isinstance(statement.data, int)
            return eyes.letting(statement.data, args[0], self.leak(args[0], eyes) is not None)
        if op == "show":
            return eyes.seeing(args[0]) if len(args) == 1 else eyes
        if op == "do":
            self.call(statement, eyes, under)
        elif statement.blocks:
            self.governed(statement, eyes, under)
        after = eyes.after(changed([(statement,)]))
        if op == "move" and self.lies_open(statement):
            return after.seeing(args[0]) if _local_of(args[0]) is not None else after
        return after

    def told(self, statement: Statement, eyes: Eyes, under: bool) -> None:
        """A variable is set, and everybody sees it."""
        for arg in statement.args:
            if (leak := self.leak(arg, eyes)) is not None:
                message = f"variables are public, and '{statement.data}' would tell {self.secret(leak)}"
                self.report(message, arg, leak, PUBLIC)
                return
        if under:
            message = f"variables are public, and whether '{statement.data}' is set here would tell {HIDDEN}"
            self.add(message, statement.at, PUBLIC)

    def lies_open(self, statement: Statement) -> bool:
        """Whether everybody sees the cards where they are moved to."""
        assert isinstance(statement.data, Destination)
        zone = self.rules.zones.get(statement.args[1].type.zone)
        return zone is not None and zone.seen == "all" and not statement.data.face_down

    def lays_open(self, block: Block, local: int) -> bool:
        """Whether a body shows what a local stands for, or moves it to where everybody sees it, whatever else happens."""
        for statement in block:
            is_it = bool(statement.args) and _local_of(statement.args[0]) == local
            if statement.op == "broken":
                return True  # who knows
            if statement.op == "step" and self.lays_open(statement.blocks[0], local):
                return True
            if is_it and ((statement.op == "show" and len(statement.args) == 1) or (statement.op == "move" and self.lies_open(statement))):
                return True
            if statement.op == "do" and (procedure := self.rules.procedures.get(str(statement.data))):
                given = zip(statement.args, procedure.parameters, strict=True)
                same = [inner for arg, (_, inner, _) in given if _local_of(arg) == local]
                if any(self.lays_open(procedure.body, inner) for inner in same):
                    return True
        return False

    def governed(self, statement: Statement, eyes: Eyes, under: bool) -> None:
        """The bodies that a condition or a collection governs."""
        args = statement.args
        if statement.op == "if":
            hidden = under
            for index, block in enumerate(statement.blocks):
                hidden = hidden or (index < len(args) and self.leak(args[index], eyes) is not None)
                self.block(block, eyes.testing(args[index]) if index < len(args) else eyes, hidden)
            return
        secret = any(self.leak(arg, eyes) is not None for arg in args)
        inside = eyes.after(changed(statement.blocks))
        if statement.op == "each" and secret:
            assert isinstance(statement.data, int)
            inside = replace(inside, hidden=inside.hidden | {statement.data})
        for block in statement.blocks:
            self.block(block, inside, under or secret)

    def call(self, statement: Statement, eyes: Eyes, under: bool) -> None:
        """A procedure, once for each way in which what it is given may be hidden."""
        procedure = self.rules.procedures.get(str(statement.data))
        if procedure is None:
            return
        given = zip(statement.args, procedure.parameters, strict=True)
        hidden = frozenset(local for arg, (_, local, _) in given if self.leak(arg, eyes) is not None)
        key = (procedure.name, hidden, under)
        if key not in self.walked:
            self.walked.add(key)
            outside = self.calls
            self.calls = [*outside, statement.at] if statement.at and (under or hidden) else []
            self.block(procedure.body, Eyes(hidden=hidden), under)
            self.calls = outside

    # ---- expressions ----------------------------------------------------------------------------------------------

    def leak(self, expr: Expr, eyes: Eyes) -> Expr | None:
        """The first part of the expression that reads what these eyes may not see, or None."""
        if eyes.sees(expr):
            return None
        op, args = expr.op, expr.args
        if op == "local":
            return expr if expr.data in eyes.hidden else None
        if op in ("size", "count") and args[0].type.kind in (*ZONE_KINDS, "pile"):
            return self.first_leak(args[0].args if args[0].op == "zone" else args, eyes)
        if op == "count" and args[0].op == "all":
            return None  # sizes are public
        if op == "count" and args[0].op == "local" and args[0].data in self.several:
            return None  # everybody sees how many cards are picked
        if op in ("zone", "all"):
            return self.zone_leak(expr, eyes)
        if op == "holder":
            hides = any(zone.each and zone.seen != "all" for zone in self.rules.zones.values())
            return expr if hides else self.leak(args[0], eyes)
        if op == "call":
            return self.call_leak(expr, eyes)
        if op == "in" and eyes.asks_open(expr):
            return self.place_leak(eyes.meant(args[0]), eyes) or self.leak(args[1], eyes)
        if eyes.asks_empty(expr):
            return self.place_leak(eyes.meant(args[0]), eyes)
        if op == "if":
            inside = eyes.testing(args[0])
            return self.leak(args[0], eyes) or self.leak(args[1], inside) or self.leak(args[2], eyes)
        if op == "makes" and (leak := self.leak(args[3], eyes)) is not None:  # the total is read whatever `where` says
            return leak
        if op == "and" or op in BINDERS:
            return self.tested_leak(expr, eyes)
        if op in ("top", "bottom", "under", "cards") and args[0].type.kind in ("pile", "piles"):
            name = args[0].type.zone
            if self.rules.zones[name].seen != "all" or name in self.face_down:
                return Expr("zone", args[0].type, data=name, at=expr.at)
        if op in ("cards", "known") and args[0].op == "zone":
            zone = self.rules.zones[str(args[0].data)]
            if zone.seen == "all" and (op == "known" or zone.name not in self.face_down):
                return self.first_leak(args[0].args, eyes)
        return self.first_leak(args, eyes)

    def place_leak(self, card: Expr, eyes: Eyes) -> Expr | None:
        """Whether it is hidden which place the top, bottom or lowest card of a place is asked for."""
        place = card.args[0].args[0] if card.args[0].op == "cards" else card.args[0]
        return self.first_leak(place.args, eyes) if place.op == "zone" else self.leak(place, eyes)

    def tested_leak(self, expr: Expr, eyes: Eyes) -> Expr | None:
        """A leak of parts of which the later ones are read only where a test before them holds."""
        parts = expr.args
        if expr.op in BINDERS and parts[0].op == "zone" and parts[0].type.kind == "row":
            parts = parts[1:]  # of piles it is public where they are
        for part in parts:
            if (leak := self.leak(part, eyes)) is not None:
                return leak
            eyes = eyes.testing(part)
        return None

    def first_leak(self, parts: tuple[Expr, ...], eyes: Eyes) -> Expr | None:
        """The first leak of several parts."""
        return next((leak for part in parts if (leak := self.leak(part, eyes)) is not None), None)

    def zone_leak(self, expr: Expr, eyes: Eyes) -> Expr | None:
        """Whether the cards of a zone are hidden from these eyes."""
        zone = self.rules.zones[str(expr.data)]
        own = zone.seen == "owner" and expr.op == "zone" and expr.args[0].op == "local" and expr.args[0].data in eyes.me
        if zone.seen == "all" and zone.name not in self.face_down:
            own = True
        return self.first_leak(expr.args, eyes) if own else expr

    def call_leak(self, expr: Expr, eyes: Eyes) -> Expr | None:
        """A definition that is given the acting player may read his zones."""
        if (leak := self.first_leak(expr.args, eyes)) is not None:
            return leak
        define = self.rules.defines[str(expr.data)]
        given = zip(expr.args, define.parameters, strict=True)
        me = frozenset(local for arg, (_, local, _) in given if arg.op == "local" and arg.data in eyes.me)
        key = (define.name, me)
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self.leak(define.body, Eyes(me))
        return self.known[key]
