"""Random statements, carried out by compiled code and by the referee: the same table after each move, and a fault in both or in neither."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import below, mix
from durak_dsl.language.check import check, settle
from durak_dsl.language.ir import Rules
from durak_dsl.problems import RuleError
from durak_dsl.source import overlay
from tests.games import position, position_of, steps
from tests.referee import Fault, PileIsGone, Referee

GAME = """\
durak: 1
id: shuffling
names: {en: Shuffling, ru: Перекладывание}
players: {count: 2 to 3}
deck: {ranks: 6 7 8 9 J A, suits: clubs hearts spades, start in: talon}
options:
  size: {range: 1 to 6, default: 3, en: How many, ru: Сколько}
zones:
  talon: {stack: one, seen by: all}
  heap:  {set: one, seen by: all}
  row:   {piles: one, seen by: all, most: 12, high: 6}
  hand:  {set: each, seen by: all}
  tray:  {stack: each, seen by: all}
variables:
  turn:  player
  count: 0 to 40
  best:  card or none
  who:   player or none
  some:  set of cards
  ready: each player yes/no
  score: each player 0 to 20 or none
setup:
  shuffle: shuffle talon
  deal: deal size from talon to hand of players from left(turn)
  trays: deal 2 from talon to tray of players from turn
  begin: go play
position: {begin: go play}
phases:
  play: {actor: turn}
"""
FINISH = """\
finish:
  place(player p): 1
  loser: none
"""


class Writer:
    """Writes random statements about that game."""

    def __init__(self, chooser: random.Random, cards: list[str], piles: list[str]):
        self.chooser, self.cards, self.piles = chooser, cards, piles
        self.players = ["me", "turn", "left(me)", "either(who, me)"]
        self.count = 0

    def one(self, *texts: str) -> str:
        return self.chooser.choice(texts)

    def name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def player(self) -> str:
        return self.chooser.choice(self.players)

    def number(self) -> str:
        return self.one("0", "1", "2", "size", f"size({self.player()}.hand)", "min(count, 3)", "count(row)")

    def condition(self) -> str:
        return self.one(
            "odd(count)",
            "best is none",
            f"{self.player()}.ready",
            f"size({self.player()}.hand) > {self.number()}",
            "size(talon) == 0",
            f"either(best, 9C) in {self.player()}.hand",
            "any p0 in players has p0.ready",
            f"{self.player()}.score is none",
        )

    def stack(self) -> str:
        return self.one("talon", f"{self.player()}.tray")

    def set(self) -> str:
        return self.one(
            f"{self.player()}.hand",
            "heap",
            "some",
            "cards(talon)",
            "cards(row)",
            "known(row)",
            "{6C 9H AS}",
            f"cards({self.player()}.tray)",
            f"{self.player()}.hand - some",
            "heap + some",
            "cards(c0 in all hand where c0.suit == hearts)",
            "cards(r0 in row where odd(size(r0)))",
        )

    def what(self) -> str:
        """Something that can be moved."""
        found = ["highest(all hand)", "best", "7H", self.stack(), f"{self.player()}.hand", "heap", "row", self.set()]
        found += [*self.cards * 3, f"top({self.stack()})", f"bottom({self.stack()})", f"lowest({self.set()})"]
        found += [text for pile in self.piles for text in (pile, f"top({pile})", f"cards({pile})")]
        return self.chooser.choice(found)

    def statements(self, depth: int, indent: str) -> list[str]:
        """Lines of a list of statements."""
        found = []
        for _ in range(self.chooser.randrange(1, 4)):
            found += self.statement(depth, indent)
        return found

    def statement(self, depth: int, indent: str) -> list[str]:
        kind = self.chooser.randrange(18 if depth > 0 else 13)
        if kind <= 4:
            text = f"move {self.what()} {self.where()}"
        elif kind == 5:
            text = f"draw {self.number()} from {self.stack()} to {self.one('heap', self.player() + '.hand', self.player() + '.tray')}"
        elif kind == 6:
            around = self.one("players", f"players from {self.player()}", f"players after {self.player()}")
            text = f"deal {self.number()} from {self.stack()} to {self.one('hand', 'tray')} of {around}"
        elif kind == 7:
            text = self.one(f"shuffle {self.stack()}", f"show {self.set()} to all", "clear ready", "clear score", "clear some")
        elif kind == 8:
            text = self.one("count = 0", "count += 1", f"count = {self.number()}", f"best = highest({self.set()})", "best = top(talon)")
        elif kind == 9:
            text = self.one(f"who = {self.player()}", "who = none", f"who = holder({self.one('7H', '9C')})", f"some = {self.set()}")
        elif kind == 10:
            text = self.one(
                f"{self.player()}.ready = yes", f"{self.player()}.ready = {self.condition()}", f"{self.player()}.score = {self.number()}"
            )
        elif kind == 11:
            text = self.one(
                f"some = some + {self.set()}",
                "some = {}",
                f"do tidy({self.player()}, {self.number()})",
                f"who = random({self.one('players', 'players')})",
            )
        elif kind == 12:
            name = self.name("x")
            return [
                f"{indent}- let {name} = {self.one('best', 'top(talon)', 'lowest(heap)')}",
                f"{indent}- if {name} is not none: best = {name}",
            ]
        elif kind in (13, 14):
            found = [f"{indent}- if {self.condition()}:", *self.statements(depth - 1, indent + "    ")]
            if self.chooser.random() < 0.3:
                found += [f"{indent}  else if {self.condition()}:", *self.statements(depth - 1, indent + "    ")]
            if self.chooser.random() < 0.5:
                found += [f"{indent}  else:", *self.statements(depth - 1, indent + "    ")]
            return found
        elif kind == 15:
            name, around = self.name("q"), self.one("players", f"players from {self.player()}", f"players after {self.player()}")
            where = self.one("", f" where {self.condition()}")
            self.players.append(name)
            found = [f"{indent}- for each {name} in {around}{where}:", *self.statements(depth - 1, indent + "    ")]
            self.players.remove(name)
            return found
        elif kind == 16:
            name, domain = self.name("c"), self.set()
            self.cards.append(name)
            found = [f"{indent}- for each {name} in {domain}:", *self.statements(depth - 1, indent + "    ")]
            self.cards.remove(name)
            return found
        else:
            return [f"{indent}- repeat {self.one('2', 'min(count, 3)')} times:", *self.statements(depth - 1, indent + "    ")]
        return [f"{indent}- {text}"]

    def where(self) -> str:
        """Where something is moved."""
        sets = ["to heap", f"to {self.player()}.hand"]
        stacks = [f"to {self.stack()}", f"to bottom of {self.stack()}", f"to random place of {self.stack()}"]
        piles = ["to new pile of row", "to new piles of row", *(f"onto {pile}" for pile in self.piles)]
        return self.chooser.choice([*sets, *stacks, *piles]) + self.one("", "", "", " face down")


def game(chooser: random.Random, moves: int = 6) -> str:
    """A game whose moves do random things."""
    writer = Writer(chooser, [], [])
    writer.players = ["p", "turn", "left(p)"]
    body = [line for line in writer.statements(1, "    ") if "do tidy" not in line]
    lines = ["procedures:", "  tidy(player p, number many):", *(body or ["    - count = 0"]), "    - if many > 2: count = 0", "moves:"]
    for number in range(moves):
        kind = chooser.choice(["", "card", "pile", "card"]) if number else ""
        writer = Writer(chooser, ["card"] if kind == "card" else [], ["pile"] if kind == "pile" else [])
        domain = {"card": "hand of me", "pile": "row"}.get(kind)
        height = chooser.choice(["", " where odd(size(pile))", " where size(pile) == 1"])
        picks = {"card": "    pick: {card: me.hand}", "pile": f"    pick:\n      pile: row{height}"}
        lines += [f"  act{number}:", "    in: play", *([picks[kind]] if domain else []), "    do:"]
        lines += ["      act:", *writer.statements(2, "        ")]
        lines += ["      on:", "        - turn = left(turn)", "        - stay", f"    say: {{en: act {number}, ru: ход {number}}}"]
    return "\n".join([GAME.rstrip(), *lines, FINISH])


def checked(path: Path, seed: int) -> Rules:
    """The first such game that checks: some of what is written at random makes no sense."""
    for attempt in range(200):
        path.write_text(game(random.Random(seed + 1_000_000 * attempt)), "utf-8")
        try:
            return check(overlay.resolve(str(path)))
        except RuleError:
            continue
    raise AssertionError("no such game")


def compare(rules: Rules, seed: int, moves: int) -> int:
    """Play in both, and say how many moves were made before the rules left their bounds."""
    program = Program(rules, settle(rules, {}))
    chooser = random.Random(seed)
    seats = chooser.choice([2, 3])
    deck = chooser.sample(program.deck, len(program.deck))
    stream = [0, 0, 0, mix(seed)]
    referee = Referee(rules, program.options, seats, lambda n: below(stream, n))
    state, told = program.new(seats, seed, deck), []
    referee.new(deck)
    watched = list(state)
    for number in range(moves):
        assert position(program, state) == position_of(referee), f"after {number} moves"
        whole = chooser.choice(referee.legal())
        made = next(step for step in steps(program, state, faults=True) if step.is_of(whole))
        try:
            referee.make(whole)
        except PileIsGone:  # what that means is not said, but for moving cards there
            return number
        except Fault as fault:
            assert made.fault, f"after {number} moves {whole.name} is a fault by the referee: {fault}"
            return number
        assert not made.fault, f"after {number} moves {whole.name} is a fault in compiled code: {made.fault}"
        state = made.after
        for choice in made.choices:
            program.apply(watched, choice, told)
        assert watched == state
    return moves


@pytest.mark.parametrize("seed", range(8))
def test_statements_do_what_the_referee_does(seed: int, tmp_path: Path) -> None:
    compare(checked(tmp_path / "game.yaml", seed), seed, moves=30)
