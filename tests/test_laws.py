"""Laws of every game: cards are conserved, somebody can move, deals end, nothing depends on names or on the order of options."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from durak_dsl.compiler.layout import CHANCE, NODE
from durak_dsl.compiler.program import Program
from durak_dsl.language.ir import Expr, Rules
from tests.games import COMBINED, LARGE, VARIANTS, State, Step, bits, cards, lying, position, program_of, rules_of, steps

GAMES = [*VARIANTS, *COMBINED]
MOST = 3000


class Deal(NamedTuple):
    """A way to play a game: options, seats, the source of deck and choices."""

    options: dict[str, str]
    seats: int
    seed: int

    def program(self, name: str) -> Program:
        return program_of(name, self.options)

    def start(self, program: Program) -> tuple[State, list[int], random.Random]:
        """The dealt state, the deck, and what chooses from here."""
        chooser = random.Random(self.seed)
        deck = chooser.sample(program.deck, len(program.deck))
        return program.new(self.seats, self.seed, deck), deck, chooser


def ways_to_play(rules: Rules, options: int = 2) -> st.SearchStrategy[Deal]:
    """Ways to play these rules with some options set."""

    def value(name: str) -> st.SearchStrategy[str]:
        option = rules.options[name]
        return st.sampled_from(option.words) if option.words else st.integers(option.low, min(option.high, option.low + 20)).map(str)

    names = st.lists(st.sampled_from(sorted(rules.options)), max_size=options, unique=True) if rules.options else st.just([])
    values = names.flatmap(lambda chosen: st.fixed_dictionaries({name: value(name) for name in chosen}))
    return st.builds(Deal, values, st.sampled_from(rules.counts), st.integers(0, 1 << 30))


def law(examples: int, options: int = 2) -> Callable[[Callable[[str, Deal], None]], Callable[[str], None]]:
    """A test of every game, by so many deals each."""

    def make(check: Callable[[str, Deal], None]) -> Callable[[str], None]:
        @pytest.mark.parametrize("name", GAMES)
        def test(name: str) -> None:
            few = examples if name in LARGE else examples // 3 + 1
            quiet = settings(max_examples=few, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
            quiet(given(ways_to_play(rules_of(name), options))(lambda deal: check(name, deal)))()

        test.__doc__ = check.__doc__
        return test

    return make


def choose(program: Program, state: State, chooser: random.Random) -> int:
    """A random bit of the legal mask."""
    return chooser.choice(bits(program.legal(state)))


@law(examples=20, options=3)
def test_cards_are_conserved_and_deals_end(name: str, deal: Deal) -> None:
    """At each step every card lies in one place, somebody can move, and there is an end, with a place for everybody."""
    program = deal.program(name)
    state, deck, chooser = deal.start(program)
    for _ in range(MOST):
        assert lying(program, state) == sorted(deck)
        if state[NODE] < 0:
            break
        assert program.legal(state), f"no move in phase {program.nodes[state[NODE]].phase}"
        program.apply(state, choose(program, state, chooser))
    else:
        raise AssertionError("the deal does not end")
    ends = program.ends
    assert -1 <= ends.loser(state) < deal.seats
    places = [ends.place(state, seat) for seat in range(deal.seats)]
    assert all(1 <= place <= deal.seats for place in places)
    if ends.loser(state) >= 0:
        assert places[ends.loser(state)] == max(places)


@law(examples=4)
def test_same_deck_and_choices_give_the_same_deal(name: str, deal: Deal) -> None:
    """Nothing but the deck and the choices decides, nor does a copy share anything with its original."""
    program = deal.program(name)
    (one, _, chooser), (other, _, _) = deal.start(program), deal.start(program)
    while one[NODE] >= 0:
        assert one == other
        choice, copied = choose(program, one, chooser), list(one)
        program.apply(one, choice)
        program.apply(copied, choice)
        program.apply(other, choice)
        assert one == copied
    assert one == other


@law(examples=4)
def test_the_order_in_which_options_are_set_is_nothing(name: str, deal: Deal) -> None:
    """Options are values, not steps."""
    program = deal.program(name)
    turned = Program(program.rules, dict(reversed(program.options.items())))
    assert play_steps(program, deal) == play_steps(turned, deal)


def play_steps(program: Program, deal: Deal) -> list[State]:
    """The states of a deal."""
    state, _, chooser = deal.start(program)
    found = [list(state)]
    while state[NODE] >= 0:
        program.apply(state, choose(program, state, chooser))
        found.append(list(state))
    return found


@law(examples=6)
def test_the_watched_form_plays_as_the_plain_one_and_tells_every_movement(name: str, deal: Deal) -> None:
    """From what it tells follows where every card is."""
    program = deal.program(name)
    state, deck, chooser = deal.start(program)
    told: list[Any] = []
    watched = program.new(deal.seats, deal.seed, deck, told=told)
    zones = list(program.rules.zones)
    where = dict.fromkeys(deck, (zones.index(program.rules.deck.start), 0))
    while True:
        assert watched == state
        for event in told:
            if event[0] == "move":
                _, card, old, old_seat, new, new_seat, _ = event
                assert where[card] == (old, old_seat)
                where[card] = (new, new_seat)
        told.clear()
        assert where == places(program, state)
        if state[NODE] < 0:
            return
        choice = choose(program, state, chooser)
        program.apply(state, choice)
        program.apply(watched, choice, told)


def test_where_a_card_is_found_is_told_when_no_expression_says_it() -> None:
    """`move turned to me.hand` looks for the card: in the talon, which has no seat, whoever sits where."""
    program = program_of("trump-exchange")
    deck = cards(program.rules, "6S 7C 8S 8C 9S 9C 10S 10C JS JC QS QC")
    turned = cards(program.rules, "KS")
    rest = [card for card in program.deck if card not in [*deck, *turned]]
    state = program.new(2, 0, [*deck, *rest, *turned], {"dealer": 1})
    exchange = next(step for step in steps(program, state) if step.name == "exchange")
    told: list[Any] = []
    for choice in exchange.choices:
        program.apply(state, choice, told)
    zones = list(program.rules.zones)
    moves = [event for event in told if event[0] == "move"]
    assert [event[1:4] for event in moves] == [(turned[0], zones.index("talon"), 0), (deck[0], zones.index("hand"), 0)]


def places(program: Program, state: State) -> dict[int, tuple[int, int]]:
    """The zone, by number, and the seat (0 for the table) where each card lies."""
    found = {}
    table = position(program, state)
    for number, zone in enumerate(program.rules.zones.values()):
        for seat, lies in enumerate(table[zone.name] if zone.each else [table[zone.name]]):
            for card in [card for pile in lies for card in pile] if zone.kind == "row" else lies:
                found[card] = (number, seat)
    return found


# ---- suits ----------------------------------------------------------------------------------------------------------


def expressions(what: object) -> Iterator[Expr]:
    """Every expression inside."""
    if isinstance(what, Expr):
        yield from what.walk()
    elif isinstance(what, Mapping):
        for part in what.values():
            yield from expressions(part)
    elif isinstance(what, tuple):
        for part in what:
            yield from expressions(part)
    elif dataclasses.is_dataclass(what):
        for entry in dataclasses.fields(what):
            yield from expressions(getattr(what, entry.name))


def names_a_suit(rules: Rules) -> bool:
    """Whether the rules mean one suit and not another."""
    constants = [expr for expr in expressions(rules) if expr.op == "const" and expr.type.kind in ("suit", "suits", "card", "cards")]
    return any(expr.data != (0 if expr.type.kind in ("suits", "cards") else -1) for expr in constants)


class Renaming:
    """Other suits for the cards of a deck."""

    def __init__(self, rules: Rules, suits: list[int]):
        self.rules, self.suits = rules, suits

    def card(self, card: int) -> int:
        """The card in the other suit."""
        many, copies = len(self.suits), self.rules.deck.copies
        rank, rest = divmod(card, many * copies)
        return (rank * many + self.suits[rest // copies]) * copies + rest % copies

    def cards(self, lies: Any) -> Any:
        """Cards, in lists or sets, in the other suits."""
        if isinstance(lies, int):
            return self.card(lies)
        return type(lies)(self.cards(part) for part in lies)

    def value(self, kind: str, value: Any) -> Any:
        """The value of a variable or a pick in the other suits."""
        if value is None or kind not in ("card", "cards", "suit", "suits"):
            return value
        if kind in ("card", "cards"):
            return self.cards(value)
        return self.suits[value] if kind == "suit" else frozenset(self.suits[one] for one in value)

    def position(self, table: dict[str, Any]) -> dict[str, Any]:
        """A position in the other suits."""
        found = {**table, "face down": self.cards(table["face down"])}
        found |= {name: self.cards(table[name]) for name in self.rules.zones}
        for variable in self.rules.variables.values():
            kind, value = variable.type.kind, table[variable.name]
            found[variable.name] = [self.value(kind, one) for one in value] if variable.each else self.value(kind, value)
        return found

    def picks(self, step: Step, row: list[list[int]], other_row: list[list[int]]) -> dict[int, Any]:
        """The picks of a move in the other suits: a pile is the one where the same cards lie."""
        found = {}
        for number, value in step.asked.items():
            kind = self.rules.moves[step.name].picks[number].type.kind
            found[number] = other_row.index(self.cards(row[value])) if kind == "pile" else self.value(kind, value)
        return found


def without_order(rules: Rules, table: dict[str, Any]) -> dict[str, Any]:
    """A position where rows of piles have no order: cards laid at once lie in the order of their suits. A pile is its cards."""
    rows = {name for name, zone in rules.zones.items() if zone.kind == "row"}
    named = {name: variable.type.zone for name, variable in rules.variables.items() if variable.type.kind == "pile"}
    piles = {name: table[zone][table[name]] for name, zone in named.items() if table[name] is not None and table[name] < len(table[zone])}
    return {name: sorted(value) if name in rows else value for name, value in {**table, **piles}.items()}


@law(examples=4)
def test_renaming_suits_commutes_with_playing(name: str, deal: Deal) -> None:
    """The same deal in other suits goes the same way in other suits."""
    program = deal.program(name)
    rules = program.rules
    rows = [zone.name for zone in rules.zones.values() if zone.kind == "row"]
    if names_a_suit(rules):
        return
    state, deck, chooser = deal.start(program)
    renaming = Renaming(rules, chooser.sample(range(len(rules.deck.suits)), len(rules.deck.suits)))
    other = program.new(deal.seats, deal.seed, [renaming.card(card) for card in deck])
    for _ in range(40):
        here, there = position(program, state), position(program, other)
        assert without_order(rules, renaming.position(here)) == without_order(rules, there)
        if state[NODE] < 0:
            return
        made, others = steps(program, state), steps(program, other)
        assert len(made) == len(others)
        step = chooser.choice(made)
        wanted = renaming.picks(step, here[rows[0]], there[rows[0]]) if rows else renaming.picks(step, [], [])
        if step.after[CHANCE] != state[CHANCE]:
            return  # of cards that lay in the order of their suits others come first
        state, other = step.after, next(one.after for one in others if (one.name, one.asked) == (step.name, wanted))


# ---- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_a_child_without_differences_plays_as_its_parent(name: str, tmp_path: Path) -> None:
    path = tmp_path / "child.yaml"
    path.write_text(f"durak: 1\nid: child\nchanges: {name}\nnames: {{en: Child, ru: Дитя}}\n", "utf-8")
    parent, child = program_of(name), program_of(str(path))
    for seats in parent.rules.counts:
        deal = Deal({}, seats, 7 * seats)
        assert play_steps(parent, deal) == play_steps(child, deal)


def test_small_overlays_can_be_laid_in_any_order() -> None:
    one, other = program_of("transfer+first-five+no-draw+neighbours"), program_of("transfer+neighbours+no-draw+first-five")
    for seats in one.rules.counts:
        assert play_steps(one, Deal({}, seats, seats)) == play_steps(other, Deal({}, seats, seats))
