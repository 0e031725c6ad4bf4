"""Random expressions, worked out by compiled code and by the referee at positions of random deals: the same values."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from durak_dsl.compiler.fold import Folder
from durak_dsl.compiler.layout import NODE
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import below, mix
from durak_dsl.language.check import check, settle
from durak_dsl.language.ir import Rules
from durak_dsl.problems import RuleError
from durak_dsl.source import overlay
from tests.games import position, position_of, steps
from tests.language.frames import edited, game, typed
from tests.referee import Referee

HEAD = """\
durak: 1
id: probe
changes: {base}
names: {{en: Probe, ru: Проба}}
"""


class Writer:
    """Writes random expressions of each type in the words of the simple game."""

    def __init__(self, chooser: random.Random, open_only: bool = False):
        self.chooser = chooser
        self.open_only = open_only  # only what the acting player may see
        self.count = 0
        self.cards: list[str] = []
        self.players: list[str] = []
        self.piles: list[str] = []

    def one(self, *texts: str) -> str:
        return self.chooser.choice(texts)

    def name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def condition(self, depth: int) -> str:
        """A yes/no text."""
        if depth <= 0:
            return self.one(
                "yes",
                "no",
                "throwers is nobody",
                "turned is none",
                "taker is not none",
                f"{self.player(0)}.done",
                f"{self.player(0)}.place is none",
                f"odd({self.number(0)})",
                f"{self.number(0)} {self.sign()} {self.number(0)}",
                f"{self.card(0)} in {self.set(0)}",
            )
        inner = depth - 1
        kind = self.chooser.randrange(18)
        if kind == 0:
            return f"({self.condition(inner)} and {self.condition(inner)})"
        if kind == 1:
            return f"({self.condition(inner)} or {self.condition(inner)})"
        if kind == 2:
            return f"not ({self.condition(inner)})"
        if kind == 3:
            return f"{self.number(inner)} {self.sign()} {self.number(inner)}"
        if kind == 4:
            return f"{self.rank(inner)} {self.sign()} {self.rank(inner)}"
        if kind == 5:
            return f"{self.suit(inner)} {self.one('==', '!=')} {self.suit(inner)}"
        if kind == 6:
            return f"{self.rank(inner)} {self.one('in', 'not in')} ranks({self.set(inner)})"
        if kind == 7:
            return f"{self.maybe_card(inner)} {self.one('in', 'not in')} {self.set(inner)}"
        if kind == 8:
            return f"{self.maybe_player(inner)} {self.one('==', '!=')} {self.player(inner)}"
        if kind == 9:
            return f"{self.maybe_card(inner)} is {self.one('none', 'not none')}"
        if kind in (10, 11):
            return self.tested(inner)
        if kind == 12:
            return f"beats({self.card(inner)}, {self.card(inner)}, {self.player(inner)})"
        if kind == 13:
            return f"{self.suit(inner)} in suits({self.set(inner)})"
        if kind == 14 and self.piles:
            return f"{self.one('top', 'bottom', 'under')}({self.chooser.choice(self.piles)}) {self.one('in', 'not in')} known(table)"
        if kind == 15:
            name, domain = self.name("c"), self.set(inner)
            self.cards.append(name)
            value = self.one(f"number({name}.rank)", f"max(0, {self.number(min(inner, 1))})")
            found = f"makes({value} for {name} in {domain} where {self.condition(min(inner, 1))}, min({self.number(inner)}, 40))"
            self.cards.pop()
            return found
        return self.quantifier(inner)

    def tested(self, depth: int) -> str:
        """A condition about something that may be none, after a test."""
        text = "turned" if self.open_only else self.one("turned", "top(talon)", "bottom(talon)")
        if text in self.cards or self.chooser.random() < 0.3:
            return f"(trump is not none and {self.one('trump == ', 'trump != ')}{self.suit(depth)})"
        self.cards.append(text)
        found = f"({text} is {self.one('not none and', 'none or')} {self.condition(depth)})"
        self.cards.pop()
        return found

    def sign(self) -> str:
        return self.one("<", "<=", ">", ">=", "==", "!=")

    def quantifier(self, depth: int) -> str:
        """`any`, `no` or `every`."""
        word = self.one("any", "no", "every")
        kind = self.chooser.randrange(3)
        if kind == 0:
            name, domain, names = self.name("c"), self.set(depth), self.cards
        elif kind == 1:
            name, domain, names = self.name("q"), self.round(depth), self.players
        else:
            name, domain, names = self.name("r"), "table", self.piles
        names.append(name)
        where = f" where {self.condition(depth - 1)}" if self.chooser.random() < 0.4 else ""
        found = f"({word} {name} in {domain}{where} has {self.condition(depth)})"
        names.pop()
        return found

    def round(self, depth: int) -> str:
        """Seats to go through."""
        return self.one("players", f"players from {self.player(depth - 1)}", f"players after {self.player(depth - 1)}")

    def number(self, depth: int) -> str:
        """A number."""
        if depth <= 0:
            return self.one(
                "0", "1", "2", "5", "held", "size(talon)", "count(table)", "size(table)", f"size({self.player(0)}.hand)", "hand_size"
            )
        inner = depth - 1
        kind = self.chooser.randrange(10)
        if kind == 0:
            return f"({self.number(inner)} {self.one('+', '-')} {self.number(inner)})"
        if kind == 1:
            return f"{self.one('min', 'max')}({self.number(inner)}, {self.number(inner)})"
        if kind == 2:
            return f"({self.number(inner)} if {self.condition(inner)} else {self.number(inner)})"
        if kind == 3:
            return f"count({self.set(inner)})"
        if kind == 4:
            return f"count(ranks({self.set(inner)}))"
        if kind == 5:
            return f"number({self.rank(inner)})"
        if kind == 6:
            name, domain = self.name("c"), self.set(inner)
            self.cards.append(name)
            found = f"sum({self.number(min(inner, 1))} for {name} in {domain} where {self.condition(inner)})"
            self.cards.pop()
            return found
        if kind == 7:
            name, domain = self.name("q"), self.round(inner)
            self.players.append(name)
            found = f"count({name} in {domain} where {self.condition(inner)})" if domain == "players" else f"count({domain.split()[0]})"
            self.players.pop()
            return found
        if kind == 8 and self.piles:
            return f"size({self.chooser.choice(self.piles)})"
        return self.number(0)

    def card(self, depth: int) -> str:
        """A card."""
        choices = ["either(turned, QS)", "10H", *self.cards * 4, *(f"{self.one('top', 'bottom')}({pile})" for pile in self.piles)]
        if depth > 0:
            choices += [f"either({self.maybe_card(depth - 1)}, {self.card(0)})"] * 2
        return self.chooser.choice(choices)

    def maybe_card(self, depth: int) -> str:
        """A card or none."""
        if depth <= 0 and self.open_only:
            return self.one("turned", f"lowest({self.set(0)})", f"highest({self.set(0)})")
        if depth <= 0:
            return self.one("turned", "top(talon)", "bottom(talon)", f"lowest({self.set(0)})", f"highest({self.set(0)})")
        if self.chooser.random() < 0.25:
            return f"({self.card(0)} if {self.condition(depth - 1)})"
        name, domain = self.name("c"), self.set(depth - 1)
        self.cards.append(name)
        kind = self.chooser.randrange(3)
        where = f" where {self.condition(depth - 1)}"
        if kind == 0:
            found = f"(first {name} in {domain}{where})"
        elif kind == 1:
            found = f"(last {name} in {domain}{where})"
        else:
            by = self.one(f"{name}.rank", name, f"number({name}.rank)", self.number(depth - 1))
            found = f"({self.one('least', 'most')} {name} in {domain}{where} by {by})"
        self.cards.pop()
        return found

    def rank(self, depth: int) -> str:
        """A rank."""
        return self.one(
            f"{self.card(depth)}.rank",
            f"{self.card(depth)}.rank",
            "J",
            f"either({self.one('lowest', 'highest')}(ranks({self.set(depth - 1)})), 9)",
        )

    def suit(self, depth: int) -> str:
        """A suit."""
        return self.one(f"{self.card(depth)}.suit", f"{self.card(depth)}.suit", "hearts", "either(trump, spades)")

    def player(self, depth: int) -> str:
        """A player."""
        choices = ["leader", "defender", "dealer", *self.players * 4]
        if depth > 0:
            choices += [
                f"left({self.player(depth - 1)})",
                f"right({self.player(0)})",
                f"either({self.maybe_player(depth - 1)}, {self.player(0)})",
            ]
        return self.chooser.choice(choices)

    def maybe_player(self, depth: int) -> str:
        """A player or none."""
        if depth <= 0 and self.open_only:
            return self.one("taker", "last_fool")
        if depth <= 0:
            return self.one("taker", "last_fool", f"holder({self.card(0)})")
        name, domain = self.name("q"), self.round(depth - 1)
        self.players.append(name)
        where = f" where {self.condition(depth - 1)}"
        by = self.one(self.number(depth - 1), f"size({name}.hand)" if self.open_only else f"highest(ranks({name}.hand))", f"{name}.place")
        found = self.one(
            f"(first {name} in {domain}{where})",
            f"(last {name} in {domain}{where})",
            f"({self.one('least', 'most')} {name} in {domain}{where} by {by})",
        )
        self.players.pop()
        return found

    def set(self, depth: int) -> str:
        """A set of cards."""
        if depth <= 0 and self.open_only:
            return self.one("me.hand", "me.hand", "cards(table)", "known(table)", "{6C 9D QS AH}")
        if depth <= 0:
            return self.one(
                f"{self.player(0)}.hand",
                f"{self.player(0)}.hand",
                "cards(table)",
                "known(table)",
                "cards(discard)",
                "all hand",
                "{6C 9D QS AH}",
            )
        kind = self.chooser.randrange(6)
        if kind == 0:
            return f"({self.set(depth - 1)} {self.one('+', '-')} {self.set(depth - 1)})"
        if kind in (1, 2):
            name, domain = self.name("c"), self.one(self.set(depth - 1), "all cards")
            self.cards.append(name)
            found = f"cards({name} in {domain} where {self.condition(depth - 1)})"
            self.cards.pop()
            return found
        if kind == 3:
            name = self.name("r")
            self.piles.append(name)
            found = f"cards({name} in table where {self.condition(depth - 1)})"
            self.piles.pop()
            return found
        return self.set(0)


def probe(base: str, seed: int, depth: int, many: int = 8) -> str:
    """A file with scores, and with moves, whose expressions are random."""
    chooser = random.Random(seed)
    lines = [HEAD.format(base=base), "finish:", "  scores:"]
    for number in range(many):
        writer = Writer(chooser)
        writer.players.append("p")
        text = writer.number(depth) if chooser.random() < 0.4 else f"1 if {writer.condition(depth)} else 0"
        lines.append(f'    +s{number}(player p): "{text}"')
    lines.append("moves:")
    for number in range(3):
        lines += probe_move(chooser, number, depth)
    return "\n".join(lines) + "\n"


def probe_move(chooser: random.Random, number: int, depth: int) -> list[str]:
    """A move whose picks and conditions are random; it does nothing."""
    writer = Writer(chooser, open_only=True)
    writer.players.append("me")
    picks, when = [], []
    chosen = chooser.sample(["card", "other", "pile", "suit", "seat", "amount", "cards"], chooser.randrange(1, 4))
    for pick in sorted(chosen, key=lambda pick: pick == "cards"):  # a pick of several cards comes last
        condition = ""
        if pick in ("card", "other"):
            writer.cards.append(pick)
            condition = f" where {writer.condition(depth - 1)}" if chooser.random() < 0.7 else ""
            picks.append(f'      +{pick}: "me.hand{condition}"')
        elif pick == "pile":
            writer.piles.append(pick)
            condition = f" where {writer.condition(depth - 1)}" if chooser.random() < 0.7 else ""
            picks.append(f'      +{pick}: "table{condition}"')
        elif pick == "suit":
            condition = f" when {writer.condition(depth - 1)}" if picks and chooser.random() < 0.7 else ""  # the first pick has none
            picks.append(f'      +{pick}: "suits{condition}"')
        elif pick == "seat":
            writer.players.append(pick)
            picks.append(f'      +{pick}: "players where {writer.condition(depth - 1)}"')
        elif pick == "amount":
            most = writer.one("4", f"min({writer.number(0)}, 6)")
            picks.append(
                f'      +{pick}: "{writer.one("0", "2")} to {most} where amount != {writer.number(0)} or {writer.condition(depth - 1)}"'
            )
        else:
            bounds = writer.one("0 to 2", "1 to 3", "2", f"1 to {writer.number(0)}")
            writer.cards.append(pick)
            value = writer.one(f"number({pick}.rank)", f"max(0, {writer.number(1)})")
            adding = f" adding up to {writer.one('9', '15', f'min({writer.number(0)}, 30)')} by {value}"
            same = writer.one("", " same rank", " same suit", " shape 1 | 2+1 | 3", " shape 2 | 1+1+1 | 1", adding)
            picks.append(f'      +{pick}: "{bounds} of me.hand{same} where {writer.condition(depth - 1)}"')
            writer.cards.remove(pick)
        if chooser.random() < 0.5:
            when.append(f'      +c{len(when)}: "{writer.condition(depth - 1)}"')
    phases = writer.one("lead", "defend", "lead + defend + throw in")
    lines = [f"  +probe{number}:", f"    in: {phases}", "    pick:", *(line.replace("+", "", 1) for line in picks)]
    lines += ["    when:", *(line.replace("+", "", 1) for line in when)] if when else []
    return [*lines, "    do: stay", f"    say: {{en: probe {number}, ru: проба {number}}}"]


def checked(path: Path, base: str, seed: int, depth: int) -> Rules:
    """The first such file that does not cost too much, and in which something can be picked."""
    for attempt in range(100):
        path.write_text(probe(base, seed + 1_000_000 * attempt, depth), "utf-8")
        try:
            return check(overlay.resolve(str(path)))
        except RuleError as error:
            assert all(problem.code in ("cost", "bounds") for problem in error.problems), error
    raise AssertionError("no such file")


def compare(rules: Rules, seats: int, seed: int, moves: int) -> None:
    """Play a deal and compare every score at each position."""
    program = Program(rules, settle(rules, {}))
    chooser = random.Random(seed)
    deck = chooser.sample(program.deck, chooser.choice([14, 20, 36]))
    stream = [0, 0, 0, mix(seed)]
    referee = Referee(rules, program.options, seats, lambda n: below(stream, n))
    referee.new(deck)
    state = program.new(seats, seed, deck)
    for number in range(moves):
        if number % 4 == 3 or number < 2:
            before = list(state)
            for name, define in rules.finish.scores.items():
                for seat in range(seats):
                    have = program.ends.scores[name](state, seat)
                    want = referee.value(define.body, {define.parameters[0][1]: seat})
                    assert have == want, f"{name} for P{seat + 1} after {number} moves: {have} compiled, {want} by the referee"
            assert state == before
        if state[NODE] < 0:
            return
        wholes, made = referee.legal(), steps(program, state)
        for whole in wholes:
            assert sum(step.is_of(whole) for step in made) == 1, f"the referee makes {whole}"
        assert len(wholes) == len(made)
        whole = chooser.choice([whole for whole in wholes if not whole.name.startswith("probe")])
        referee.make(whole)
        state = next(step for step in made if step.is_of(whole)).after
    assert position(program, state) == position_of(referee)


@pytest.mark.parametrize("seed", range(12))
def test_expressions_have_the_values_that_the_referee_finds(seed: int, tmp_path: Path) -> None:
    rules = checked(tmp_path / "probe.yaml", "throw-in", seed, depth=2 + seed % 2)
    compare(rules, seats=2 + seed % 3, seed=seed, moves=24)


def test_where_nothing_is_laid_face_down_what_lies_there_lies_open() -> None:
    folder = Folder(game(), {})
    folded = {text: folder.expr(typed(text)) for text in ("top(pile) in known(table)", "bottom(pile) not in known(table)")}
    assert [(found.op, found.data) for found in folded.values()] == [("const", 1), ("const", 0)]
    assert folder.expr(typed("under(pile) in known(table)")) == folder.expr(typed("under(pile) is not none"))
    assert folder.expr(typed("top(heap) in known(heap)")) == folder.expr(typed("top(heap) is not none"))
    assert folder.expr(typed("top(heap) in known(table)")).op == folder.expr(typed("card in known(table)")).op == "in"


def test_where_cards_are_laid_face_down_it_is_asked(tmp_path: Path) -> None:
    hiding = "procedures:\n  +hide(card): move card to new pile of table face down\n"
    asking = "moves:\n  beat:\n    when:\n      +open: {before: beats, is: top(pile) in known(table)}\n"
    rules = edited(hiding + asking, tmp_path)
    folder = Folder(rules, {})
    assert folder.expr(typed("top(pile) in known(table)", rules=rules)).op == "in"
    assert folder.expr(typed("top(heap) in known(heap)", rules=rules)).op == "not", "elsewhere it is not"
