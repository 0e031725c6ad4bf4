"""Why a move is not legal, and which rule says so: found with the conditions from which the list of legal moves is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from durak_dsl.compiler.fold import mentions
from durak_dsl.compiler.layout import ACTOR, NODE
from durak_dsl.compiler.several import takes_one
from durak_dsl.compiler.shapes import fits
from durak_dsl.language.ir import Expr, Pick
from durak_dsl.language.shapes import written
from durak_dsl.problems import IllegalMove, Span
from durak_dsl.table import meaning, snapshot
from durak_dsl.table.cards import player
from durak_dsl.table.choosing import Picks
from durak_dsl.table.moves import Move, Reading
from durak_dsl.table.reasons import illegal

if TYPE_CHECKING:
    from durak_dsl.table.table import Table


def not_your_turn(table: Table, seat: int) -> IllegalMove:
    """That it is somebody else's turn."""
    actor = table.actor
    if actor is None:
        return illegal("over")
    if seat >= table.seats:
        return illegal("no player", player=player(seat))
    return illegal("turn", actor=player(actor), player=player(seat))


def why_not(table: Table, move: Move) -> IllegalMove:
    """Why a move is not legal now."""
    if (general := _not_now(table, move.name)) is not None:
        return general
    if len(move.picks) != len(table.program.moves[move.name].picks):
        return IllegalMove(f"'{move.name}' has {len(table.program.moves[move.name].picks)} picks, not {len(move.picks)}")
    return _Reasons(table, move.name).first(move.picks)[1]


def why(table: Table, readings: Sequence[Reading]) -> IllegalMove:
    """Why what a text says is not legal now: of all that it may mean, what comes nearest to being legal decides."""
    return max((_why(table, reading) for reading in readings), key=lambda reason: reason[0])[1]


def _why(table: Table, reading: Reading) -> tuple[int, IllegalMove]:
    if (general := _not_now(table, reading.name)) is not None:
        return -1, general
    values = meaning.meant(table, reading)
    if isinstance(values, IllegalMove):
        return 0, values
    reasons = _Reasons(table, reading.name)
    return max((reasons.first(picks) for picks in meaning.meanings(table, reading)), key=lambda reason: reason[0])


def _not_now(table: Table, name: str) -> IllegalMove | None:
    """Why no such move at all can be made now."""
    if table.is_over:
        return illegal("over")
    rule = table.game.rules.moves.get(name)
    if rule is None:
        return illegal("unknown", said=name)
    if table.phase not in rule.phases:
        here = tuple(segment.move for segment in table.program.nodes[table.state[NODE]].segments)
        return illegal("phase", rule.span, move=name, phase=table.phase, moves=here)
    return None


class _Reasons:
    """The reasons against one move of the actor."""

    def __init__(self, table: Table, name: str):
        self.table = table
        self.game = table.game
        self.state = table.state
        self.cards = table.game.cards
        self.me = table.state[ACTOR]
        self.name = name
        self.rule = table.game.rules.moves[name]
        self.ask = table.game.choosing.answers.expression

    # ---- the first thing that is against it -----------------------------------------------------------------------

    def first(self, picks: Picks) -> tuple[int, IllegalMove]:
        """The first reason against the move with these picks, and how far it had got until then."""
        for last in range(-1, len(picks)):
            if last >= 0 and (reason := self._against_pick(last, picks)) is not None:
                return 2 * last + 1, reason
            if (reason := self._against_clauses(last, picks)) is not None:
                return 2 * last + 2, reason
        return 2 * len(picks), illegal("unfinished", self.rule.span, move=self.name)

    def _against_clauses(self, last: int, picks: Picks) -> IllegalMove | None:
        """The first clause of `when` against it, of those that read this pick and none after it."""
        for clause in self.rule.when:
            read = [position for position, pick in enumerate(self.rule.picks) if mentions(clause.condition, pick.local)]
            if max(read, default=-1) == last and not self._value(clause.condition, picks, last):
                values = " ".join(self._shown(position, picks) for position in read)
                kind = "clause" if values else "bare clause"
                return illegal(kind, clause.span, clause=clause.name, values=values, text=_said(clause.condition, clause.span))
        return None

    def _against_pick(self, position: int, picks: Picks) -> IllegalMove | None:
        """What is against the value of one pick by itself."""
        pick, value = self.rule.picks[position], picks[position]
        wanted = pick.when is None or bool(self._value(pick.when, picks, position - 1))
        if value is None:
            return illegal("choose", pick.span, pick=pick.name) if wanted else None
        if not wanted:
            return illegal("not chosen", pick.span, pick=pick.name)
        domain = self._value(pick.domain, picks, position - 1) if pick.type.kind != "pile" else -1
        for one in value if isinstance(value, tuple) else (value,):
            if not domain >> one & 1:
                return self._not_in(pick, one)
            if pick.where is not None and not self._value(pick.where, picks, position, one):
                return illegal("not among", pick.where.at or pick.span, value=self._one(pick, one), text=_text(pick.where))
        return self._against_several(pick, position, picks) if isinstance(value, tuple) else None

    def _against_several(self, pick: Pick, position: int, picks: Picks) -> IllegalMove | None:
        value = picks[position]
        assert isinstance(value, tuple) and pick.several
        fewest, most = (self._value(bound, picks, position - 1) for bound in pick.several)
        if len(value) > max(most, 0):
            return illegal("too many", pick.span, most=max(most, 0), count=len(value))
        if len(value) < fewest:
            return illegal("too few", pick.span, fewest=fewest)
        part = self.game.rules.deck
        if pick.shape and not fits(pick.shape, sum(1 << card for card in value), len(part.suits) * part.copies):
            return illegal("shape", pick.span, shapes=written(pick.shape))
        if pick.adding and value and (made := self._made(pick, position, picks)) is not None:
            return made
        for one in value:
            for other in value:
                if pick.same == "rank" and self.cards.kind(one) // len(part.suits) != self.cards.kind(other) // len(part.suits):
                    return illegal("two ranks", pick.span, one=self._text(one), other=self._text(other))
                if pick.same == "suit" and self.cards.kind(one) % len(part.suits) != self.cards.kind(other) % len(part.suits):
                    return illegal("two suits", pick.span, one=self._text(one), other=self._text(other))
        return None

    def _made(self, pick: Pick, position: int, picks: Picks) -> IllegalMove | None:
        """What cards add up to, where it is not what they should."""
        chosen = picks[position]
        assert isinstance(chosen, tuple) and pick.adding
        value, total = pick.adding
        wanted = self._value(total, picks, position - 1)
        made = sum(self._value(value, picks, position, one) for one in chosen)
        return illegal("sum", pick.span, total=wanted, sum=made) if made != wanted else None

    def _value(self, expr: Expr, picks: Picks, last: int, one: int | None = None) -> int:
        """The value of a condition that reads picks up to the last; `one`: a single element of the last."""
        places = [self.rule.me, *(pick.local for pick in self.rule.picks[: last + 1])]
        values = [self.me]
        for position, value in enumerate(picks[: last + 1]):
            if one is not None and position == last:
                values.append(one)
            elif isinstance(value, tuple):
                single = takes_one(self.table.program.moves[self.name].picks[position])
                values.append(value[0] if single else sum(1 << card for card in value))
            else:
                values.append(-1 if value is None else value)
        return int(self.ask(expr, places)(self.state, *values))

    # ---- words ----------------------------------------------------------------------------------------------------

    def _text(self, card: int) -> str:
        return self.cards.text(card, signs=True)

    def _one(self, pick: Pick, value: int) -> str:
        if pick.type.kind in ("card", "cards"):
            return self._text(value)
        if pick.type.kind == "number":
            return str(value)
        labels = {0: snapshot.label(self.table.program, self.state, pick.type.zone, value)} if pick.type.kind == "pile" else {}
        if labels:
            return "/".join(map(self._text, labels[0]))
        return (
            {"suit": self.cards.suits, "rank": self.cards.ranks}[pick.type.kind][value]
            if pick.type.kind in ("suit", "rank")
            else player(value)
        )

    def _shown(self, position: int, picks: Picks) -> str:
        pick, value = self.rule.picks[position], picks[position]
        if value is None:
            return "nothing"
        return " ".join(self._one(pick, one) for one in (value if isinstance(value, tuple) else (value,)))

    def _not_in(self, pick: Pick, one: int) -> IllegalMove:
        domain = pick.domain
        if domain.op == "cards" and domain.args[0].op == "zone":
            domain = domain.args[0]
        if domain.op == "zone" and domain.args:
            return illegal("not held", pick.span, value=self._one(pick, one), player=player(self.me), zone=domain.data)
        return illegal("not among", pick.span, value=self._one(pick, one), text=_text(domain))


def _text(expr: Expr) -> str:
    at = expr.at
    return at.quoted[at.column - 1 : at.column - 1 + at.length] if at and at.quoted else "those allowed"


def _said(condition: Expr, span: Span) -> str:
    """The text of a condition, as the rule file has it."""
    return _text(condition) if condition.at else f"{span}"
