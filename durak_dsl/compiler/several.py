"""Moves with their options worked out, and the cards that may be picked next of a pick of several."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass, replace

from durak_dsl.compiler.effects import Effects
from durak_dsl.compiler.evaluate import CannotEvaluate, pure
from durak_dsl.compiler.fold import Folder, canonical, mentions
from durak_dsl.compiler.quote import quote
from durak_dsl.compiler.tabulate import Table
from durak_dsl.language.ir import Block, Expr, Move, Pick
from durak_dsl.language.types import CARD, CARDS, YES_NO


@dataclass(frozen=True)
class FoldedMove:
    """A move with its options worked out: conditions sorted by the last pick that they read (-1: none)."""

    move: Move
    picks: tuple[Pick, ...]
    conditions: tuple[tuple[int, Expr], ...]
    body: Block


def fold_move(move: Move, folder: Folder) -> FoldedMove:
    """The move with its options worked out."""

    def fold(expr: Expr | None) -> Expr | None:
        return None if expr is None else folder.expr(expr)

    picks = tuple(
        replace(
            pick,
            domain=folder.expr(pick.domain),
            where=fold(pick.where),
            when=fold(pick.when),
            several=pick.several and (folder.expr(pick.several[0]), folder.expr(pick.several[1])),
            adding=pick.adding and (folder.expr(pick.adding[0]), folder.expr(pick.adding[1])),
        )
        for pick in move.picks
    )
    conditions: list[tuple[int, Expr]] = []
    for position, pick in enumerate(picks):
        if pick.where is not None:
            conditions.append((position, pick.where))
    for clause in move.when:
        folded = folder.expr(clause.condition)
        for part in folded.args if folded.op == "and" else (folded,):
            last = max((position for position, pick in enumerate(picks) if mentions(part, pick.local)), default=-1)
            conditions.append((last, part))
    # One card where several could be picked is that card: its effects need no loop.
    single = {pick.local: Expr("cards", CARDS, (Expr("local", CARD, data=pick.local),)) for pick in picks if takes_one(pick)}
    return FoldedMove(move, picks, tuple(conditions), folder.block(move.body, single))


def takes_one(pick: Pick) -> bool:
    """Whether a pick of several cards is, with these options, a pick of exactly one."""
    if pick.several is None or pick.adding or (pick.shape and (1,) not in pick.shape):
        return False
    return all(bound.op == "const" and bound.data == 1 for bound in pick.several)


def card_by_card(pick: Pick) -> bool:
    """Whether several cards may be picked, which is asked one card at a time."""
    return pick.several is not None and not takes_one(pick)


def both(parts: list[Expr]) -> Expr:
    """The conditions as one."""
    parts = [part for part in parts if part.op != "const" or not part.data]
    if not parts:
        return Expr("const", YES_NO, data=1)
    return parts[0] if len(parts) == 1 else Expr("and", YES_NO, tuple(parts), at=parts[0].at)


class Several(Effects):
    """Emits what may be picked next in a pick of several cards of one move."""

    folded: FoldedMove
    sure: frozenset[Expr]

    def conditions(self, position: int) -> list[Expr]:
        """The conditions that can be asked at a pick, without those that finding the actor has answered."""
        return [condition for last, condition in self.folded.conditions if last == position and canonical(condition) not in self.sure]

    def worth(self, pick: Pick, value: Expr, cards: ast.expr) -> ast.expr:
        """The value of each of these cards: a table of all cards where it depends on nothing else."""
        if all(node.data == pick.local for node in value.walk() if node.op == "local"):
            with suppress(CannotEvaluate):
                of_card = pure(value, self.rules.deck)
                values = tuple(of_card({pick.local: card}) for card in range(self.unit.cards))
                made = Table((Expr("local", CARD, data=pick.local),), (len(values),), (0,), values, value)
                return ast.Name(self.unit.table_name(made), ast.Load())
        worth = self.temp()
        self.add("worth = {}", worth=worth)
        with self.bit_loop(f"v{pick.local}", cards):
            self.add("worth[v] = x", worth=worth, v=f"v{pick.local}", x=self.expr(value))
        return ast.Name(worth, ast.Load())

    def several(self, pick: Pick, position: int, chosen: ast.expr | None) -> ast.expr:
        """The cards that may be picked next (and *done*), after those chosen so far; they ascend."""
        assert pick.several
        fewest, most = pick.several
        done = 1 << self.unit.cards
        cards = self.where(both(self.conditions(position)), pick.local, pick.domain)
        width = self.unit.width if pick.same == "rank" else 0
        if pick.shape or pick.adding:
            cards = self.named(cards) if pick.adding else cards
            parts = {"cards": cards, "chosen": quote("0") if chosen is None else chosen, "few": self.expr(fewest), "most": self.expr(most)}
            if pick.shape:
                shape, of_shape = self.unit.shape_name(pick.shape), "of_shape(cards, chosen, few, most, width, done, shape)"
                return quote(of_shape, **parts, width=self.unit.width, done=done, shape=shape)
            assert pick.adding
            value, total = pick.adding[0], self.expr(pick.adding[1])
            adding_up = "adding_up(cards, chosen, few, most, total, worth, done)"
            return quote(adding_up, **parts, total=total, worth=self.worth(pick, value, cards), done=done)
        if chosen is None:
            mask = self.temp()
            self.add("m = 0", m=mask)
            one = Expr("const", most.type, data=1)
            with self.inside() as body:
                if fewest.op == "const" and fewest.data == 1:
                    self.add("m = cards", m=mask, cards=cards)
                else:
                    cards = quote("cards if x else 0", cards=cards, x=self.expr(Expr(">=", YES_NO, (most, one))))
                    of_suit = pick.same == "suit"
                    beginning = "enough_of_suit(cards, few, width, copies, done)" if of_suit else "enough(cards, few, width, done)"
                    self.add(
                        f"m = {beginning}",
                        m=mask,
                        cards=cards,
                        few=self.expr(fewest),
                        width=self.unit.width if pick.same else 0,
                        copies=self.rules.deck.copies,
                        done=done,
                    )
            if fewest.type.low < 0 and most.type.low < 0:  # of less than no cards not even none can be picked
                fewest = Expr("max", fewest.type, (fewest, Expr("const", most.type, data=0)))
            self.when(self.expr(Expr(">=", YES_NO, (most, fewest))), body)
            return ast.Name(mask, ast.Load())
        if pick.same == "suit":
            cards = quote(
                "cards & same_suit(chosen, width, copies, all)",
                cards=cards,
                chosen=chosen,
                width=self.unit.width,
                copies=self.rules.deck.copies,
                all=self.unit.cards,
            )
        return quote(
            "several(cards, chosen, few, most, width, done)",
            cards=cards,
            chosen=chosen,
            few=self.expr(fewest),
            most=self.expr(most),
            width=width,
            done=done,
        )
