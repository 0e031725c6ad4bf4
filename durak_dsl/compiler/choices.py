"""Phases -> three functions each: who acts (`enter`), what may be chosen next (`legal`), and what a choice does (`apply`).

A choice is one value of one pick: a bit of the mask that `legal` returns. The bits of a phase are the values of the first picks of its
moves, one move after the other (`Segment`). A move that needs more picks than one leads to a node of its own for each later pick; a pick
that leaves one value is made without asking. Only values from which the whole move can be finished are legal.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass

from durak_dsl.compiler.conditions import facts_of_actor, stays_as_before
from durak_dsl.compiler.fold import mentions
from durak_dsl.compiler.layout import ACTOR, NODE, PICKED
from durak_dsl.compiler.quote import quote, quote_lines
from durak_dsl.compiler.several import FoldedMove, Several, both, card_by_card
from durak_dsl.language.ir import Block, Expr, Phase, Pick


@dataclass(frozen=True)
class Segment:
    """A run of bits of a node's mask: the values of one pick of one move. The last bit of a pick of several cards is *done*."""

    move: str
    pick: int
    offset: int
    size: int


@dataclass(frozen=True)
class Node:
    """Where a choice is made: at the start of moves of a phase, or at a later pick of one move."""

    phase: str
    segments: tuple[Segment, ...]
    pick: int = 0


class Choices(Several):
    """Emits the functions of one phase; `nodes` numbers the nodes of later picks."""

    def prepare(self, folded: FoldedMove, actor: Expr | None = None) -> None:
        """Turn to a move: remember whence picked cards come, and what is sure since this actor was found."""
        self.folded = folded
        self.sure = frozenset() if actor is None else facts_of_actor(actor, folded.move.me)
        for pick in folded.picks:
            origin = self.origin(pick.domain) if pick.type.kind in ("card", "cards") else None
            if origin is not None:
                self.origins[pick.local] = origin

    # ---- what is legal --------------------------------------------------------------------------------------------

    def legal(self, position: int, first: bool) -> ast.expr:
        """The mask of legal values of a pick: at the start of a move, or when the earlier picks (or cards of this one) have been made."""
        pick = self.folded.picks[position] if self.folded.picks else None
        mask = self.first() if first else self._legal(position)
        return mask if pick is None else self.unlike(pick, mask)

    def _legal(self, position: int) -> ast.expr:
        pick = self.folded.picks[position]
        if not card_by_card(pick):
            return self.candidates(position)
        chosen = self.named(quote("s[k]", k=PICKED + position))
        if not position:
            return self.several(pick, position, chosen)
        mask = self.temp()
        with self.inside() as body:
            self.add("m = value", m=mask, value=self.several(pick, position, chosen))
        with self.inside() as none_yet:
            self.add("m = value", m=mask, value=self.candidates(position))
        self.when(chosen, body, none_yet)
        return ast.Name(mask, ast.Load())

    def first(self) -> ast.expr:
        """The mask of legal values of the first pick; of a move without picks, 1 or 0."""
        folded = self.folded
        fixed = both(self.conditions(-1))
        if fixed.op == "const" and not fixed.data:
            return quote("0")
        if not folded.picks:
            return quote("1") if fixed.op == "const" else quote("1 if x else 0", x=self.expr(fixed))
        if fixed.op == "const":
            return self.candidates(0)
        mask = self.temp()
        self.add("m = 0", m=mask)
        test = self.expr(fixed)
        with self.inside() as body:
            self.add("m = value", m=mask, value=self.candidates(0))
        self.when(test, body)
        return ast.Name(mask, ast.Load())

    def candidates(self, position: int) -> ast.expr:
        """The mask of the values of a pick, given the earlier ones, from which the move can be finished."""
        picks = self.folded.picks
        pick = picks[position]
        if card_by_card(pick):
            return self.several(pick, position, None)
        conditions = self.conditions(position)
        following = picks[position + 1 :]
        if not following:
            return self.guarded(pick, self.where(both(conditions), pick.local, pick.domain))
        other = following[0]
        if len(following) == 1 and not other.several and other.when is None and not mentions(other.domain, pick.local):
            return self.guarded(pick, self.projected(pick, other, conditions, position))
        total = self.temp()
        self.add("total = 0", total=total)
        with self.bit_loop(f"v{pick.local}", self.where(both(conditions), pick.local, pick.domain), gathering=True):
            test = self.finishable(position + 1)
            self.when(test, quote_lines("total |= 1 << v", total=total, v=f"v{pick.local}"))
        return self.guarded(pick, ast.Name(total, ast.Load()))

    def remaining(self, position: int) -> ast.expr:
        """The candidates of a later pick. One value left before its conditions are asked is the one: the pick before was legal."""
        pick = self.folded.picks[position]
        varying = [
            condition
            for condition in self.conditions(position)
            if any(mentions(condition, before.local) for before in self.folded.picks[:position])
        ]
        if pick.when is not None or pick.several or position + 1 < len(self.folded.picks) or not varying:
            return self.candidates(position)
        fixed = [condition for condition in self.conditions(position) if condition not in varying]
        mask = self.temp()
        self.add("m = value", m=mask, value=self.where(both(fixed), pick.local, pick.domain))
        with self.inside() as body:
            self.add("m = value", m=mask, value=self.candidates(position))
        self.when(quote("m & m - 1", m=mask), body)
        return ast.Name(mask, ast.Load())

    def unlike(self, pick: Pick, mask: ast.expr) -> ast.expr:
        """The values without those that look like a lower one: of copies of a card the first, of piles of the same cards the first."""
        copies = self.rules.deck.copies
        if copies == 1 or pick.type.kind not in ("card", "cards", "pile"):
            return mask
        if pick.type.kind == "pile":
            zone = self.rules.zones[pick.type.zone]
            base = self.layout.zones[zone.name]
            return quote("unlike_piles(s, b, most, high, m, k)", b=base, most=zone.most, high=zone.high, m=mask, k=copies)
        mask = self.named(mask)
        higher: ast.expr = quote("0")
        for step in range(1, copies):
            lower = sum((1 << copies - step) - 1 << kind * copies for kind in range(self.rules.deck.grid))
            part = quote("(m & low) << k", m=mask, low=lower, k=step)
            higher = part if step == 1 else quote("a | b", a=higher, b=part)
        return quote("m & ~higher", m=mask, higher=higher)

    def projected(self, pick: Pick, other: Pick, conditions: list[Expr], position: int) -> ast.expr:
        """The values of a pick for which the next one has a value: the next one's values outside, masks of this one inside."""
        total = self.temp()
        self.add("total = 0", total=total)
        later = self.conditions(position + 1)
        alone = [condition for condition in later if not mentions(condition, pick.local)]
        joint = [condition for condition in later if mentions(condition, pick.local)]
        with self.bit_loop(f"v{other.local}", self.where(both(alone), other.local, other.domain), gathering=True):
            self.add("total |= m", total=total, m=self.where(both([*conditions, *joint]), pick.local, pick.domain))
        self._straight_for_one()
        return ast.Name(total, ast.Load())

    def _straight_for_one(self) -> None:
        """Go the way of the loop that was just emitted without it where it would be gone once, as is usual."""
        loop = self.out.pop()
        assert isinstance(loop, ast.While)
        once = [line for place, line in enumerate(deepcopy(loop.body)) if place != 1]  # which takes the one away
        last = once[-1]
        assert isinstance(last, ast.AugAssign) and isinstance(last.target, ast.Name)
        once[-1] = ast.Assign([last.target], last.value)
        self.when(quote("m & m - 1", m=loop.test), [loop], [ast.If(loop.test, once, [])])

    def finishable(self, position: int) -> ast.expr:
        """Whether the picks from this one on have values."""
        pick = self.folded.picks[position]
        if pick.when is None:
            return quote("m != 0", m=self.candidates(position))
        if position + 1 == len(self.folded.picks):
            return quote("m != 0 or not x", m=self.candidates(position), x=self.expr(pick.when))
        test = self.temp()
        with self.inside() as picked:
            self.add("test = m != 0", test=test, m=self.candidates(position))
        with self.inside() as passed_over:
            self.add("v = -1", v=f"v{pick.local}")
            self.add("test = x", test=test, x=self.finishable(position + 1))
        self.when(self.expr(pick.when), picked, passed_over)
        return ast.Name(test, ast.Load())

    def guarded(self, pick: Pick, mask: ast.expr) -> ast.expr:
        return mask if pick.when is None else quote("m if x else 0", m=mask, x=self.expr(pick.when))

    # ---- what a choice does ---------------------------------------------------------------------------------------

    def proceed(self, position: int, nodes: Mapping[tuple[str, str, int], int], phase: str) -> None:
        """Make the picks from this one on where they leave one value; ask where they leave more; then the effect."""
        folded = self.folded
        picks = folded.picks
        if position == len(picks):
            self.block(folded.body)
            return
        pick = picks[position]
        node = nodes[phase, folded.move.name, position]
        mask = self.named(self.unlike(pick, self.remaining(position)))
        ask = [
            line
            for earlier, before in enumerate(picks[:position])
            for line in quote_lines("s[k] = v", k=PICKED + earlier, v=f"v{before.local}")
        ]
        if card_by_card(pick):
            ask += quote_lines("s[k] = 0", k=PICKED + position)
        ask += quote_lines("s[n] = node\nreturn node", n=NODE, node=node)
        if card_by_card(pick):
            self.when(quote("m != done", m=mask, done=1 << self.unit.cards), ask)
            self.add("v = 0", v=f"v{pick.local}")
        else:
            self.when(quote("m & m - 1", m=mask), ask)
            self.add("v = m.bit_length() - 1", v=f"v{pick.local}", m=mask)
        self.proceed(position + 1, nodes, phase)

    def chosen(self, value: ast.expr, position: int, nodes: Mapping[tuple[str, str, int], int], phase: str, first: bool) -> None:
        """A value of a pick was chosen: go on from there; `first`: at the start of the move."""
        pick = self.folded.picks[position]
        local = f"v{pick.local}"
        if not card_by_card(pick):
            self.add("v = value", v=local, value=value)
            if pick.domain.type.kind == "row":
                self.note_height(both(self.conditions(position)), pick.local, self.zone_of(pick.domain))
            self.proceed(position + 1, nodes, phase)
            return
        value = self.named(value)
        done = self.unit.cards
        so_far = self.temp()  # not yet the local: while conditions are asked of the next card, that is the local
        if first:
            self.add("v = 0", v=so_far)
        else:
            self.add("v = s[k]", v=so_far, k=PICKED + position)
        with self.inside() as body:
            self.add("v |= 1 << value", v=so_far, value=value)
            more = self.named(self.several(pick, position, ast.Name(so_far, ast.Load())))
            ask = [
                line
                for earlier, before in enumerate(self.folded.picks[:position])
                for line in quote_lines("s[k] = v", k=PICKED + earlier, v=f"v{before.local}")
            ]
            ask += quote_lines(
                "s[k] = v\ns[n] = node\nreturn node",
                k=PICKED + position,
                v=so_far,
                n=NODE,
                node=nodes[phase, self.folded.move.name, position],
            )
            self.when(quote("m & ~done", m=more, done=1 << done), ask)
        self.when(quote("value != done", value=value, done=done), body)
        self.add("v = cards", v=local, cards=ast.Name(so_far, ast.Load()))
        self.proceed(position + 1, nodes, phase)

    def restore(self, position: int) -> None:
        """Bind who moves, and the earlier picks of a move under way."""
        self.add("v = s[a]", v=f"v{self.folded.move.me}", a=ACTOR)
        for earlier, before in enumerate(self.folded.picks[:position]):
            self.add("v = s[k]", v=f"v{before.local}", k=PICKED + earlier)

    def settle(self, actor: Expr) -> None:
        """Note whether the move's body leaves as it was what was asked of the table when its actor was found."""
        self.as_before = stays_as_before(actor, self.folded.body)

    def enter(self, phase: Phase, actor: Expr, nobody: Block) -> None:
        """The function that finds who acts in a phase."""
        value = self.expr(actor)
        number = self.unit.phases.index(phase.name)
        if not actor.type.maybe:
            self.add("s[a] = x\nreturn n", a=ACTOR, x=value, n=number)
            return
        value = self.named(value)
        self.add("s[a] = x", a=ACTOR, x=value)
        with self.inside() as body:
            if nobody:
                self.block(nobody)
            else:
                fault = self.unit.fault(
                    f"nobody is to act in phase '{phase.name}', and its 'nobody' does not say what happens then", phase.span
                )
                self.add("fault(f, 0)", f=fault)
        self.when(quote("x < 0", x=value), body)
        self.add("return n", n=number)
