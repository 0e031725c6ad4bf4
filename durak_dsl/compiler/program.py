"""A whole game as code, and how to step through a deal with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from durak_dsl.compiler import runtime
from durak_dsl.compiler.assembly import Assembly, Emitted, cards_in_game
from durak_dsl.compiler.chance import Chance
from durak_dsl.compiler.choices import Node
from durak_dsl.compiler.effects import AGAIN
from durak_dsl.compiler.fuse import DEAD_END
from durak_dsl.compiler.layout import ACTOR, CHANCE, GIVEN, NODE, OVER, SEATS, Layout, Value
from durak_dsl.compiler.observing import Nodes, Zones, hide, nodes_of, zones_of
from durak_dsl.compiler.runtime import RuleFault, State
from durak_dsl.language.ir import NO_NUMBER, Define, Expr, Rules
from durak_dsl.language.walking import statements

MOST_REDEALS = 1000
NO_MOVE = "an actor must always have a move"

Legal = Callable[[State], int]
Apply = Callable[[State, int], int]
# Of a state, words of 32 bits, and the most turns (one more is where it stops): how many turns and how many decisions there were.
Playout = Callable[[State, Callable[[], int], int], tuple[int, int]]
Kept = Mapping[str, Value]  # what is kept from deal to deal, by name


@dataclass(frozen=True)
class Ends:
    """Functions of a state: the place of a seat, who has lost and won (number of a player or team), whether by stalemate, scores, match."""

    place: Callable[[State, int], int]
    loser: Callable[[State], int]
    winner: Callable[[State], int] | None
    stalemate: Callable[[State], int]
    scores: Mapping[str, Callable[[State, int], int]]
    match_over: Callable[[State], int]
    match_place: Callable[[State, int], int] | None
    match_loser: Callable[[State], int] | None


@dataclass(frozen=True)
class Outcome:
    """How a deal ended: the place of each seat (1 is best), who lost (nobody, one, all of a team), whether by stalemate, the scores.

    `winners`: who won, likewise, in rules that say when somebody has.
    """

    places: tuple[int, ...]
    losers: tuple[int, ...]
    stalemate: bool
    scores: Mapping[str, tuple[int, ...]]
    winners: tuple[int, ...] = ()

    @property
    def loser(self) -> int | None:
        """Who lost alone; None also where a team did."""
        return self.losers[0] if len(self.losers) == 1 else None


@dataclass
class Program:
    """The code of one game with its option values.

    `new` gives a dealt state, `legal` the mask of what may be chosen next, `apply` makes a choice. The state is changed in place. `observe`
    gives what a seat sees of it, `result` how it ended.
    """

    rules: Rules
    options: Mapping[str, int]
    layout: Layout = field(init=False)
    nodes: list[Node] = field(init=False)
    deck: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.layout = Layout(self.rules)
        self.assembly = Assembly(self.rules, self.options, self.layout)
        self.nodes = self.assembly.nodes
        self.moves = self.assembly.moves
        self.deck = cards_in_game(self.rules, self.options)
        self.chance = Chance(self.rules.deck.copies)
        self._blanks: dict[int, State] = {}
        self._firsts: dict[int, State] = {}
        self.plain = self.assembly.emit(watched=False)
        space = self.plain.namespace
        count = len(self.nodes)
        self.legal_of: list[Legal] = [space[f"legal_{node}"] for node in range(count)]
        self.apply_of: list[Apply] = [space[f"apply_{node}"] for node in range(count)]

    @cached_property
    def ends(self) -> Ends:
        """What is asked before a first deal and when a deal is over."""
        space, rules = self._ends, self.rules
        return Ends(
            space["place"],
            space["loser"],
            space.get("winner"),
            space["stalemate"],
            {name: space[f"score_{number}"] for number, name in enumerate(rules.finish.scores)},
            space["match_over"],
            space.get("match_place"),
            space.get("match_loser"),
        )

    def losers(self, state: State) -> tuple[int, ...]:
        """The seats that have lost a deal that is over: all of a team where a team has."""
        return self._of_side(self.ends.loser(state), self.rules.finish.loser, state[SEATS])

    def winners(self, state: State) -> tuple[int, ...]:
        """The seats that have won a deal that is over, in rules that say so: all of a team where a team has."""
        return () if self.ends.winner is None else self._of_side(self.ends.winner(state), self.rules.finish.winner, state[SEATS])

    def match_losers(self, state: State) -> tuple[int, ...]:
        """The seats that have lost a match, from the end of a deal with what is kept as it has become."""
        return () if self.ends.match_loser is None else self._of_side(self.ends.match_loser(state), self.rules.match.loser, state[SEATS])

    def _of_side(self, side: int, said: Expr | None, seats: int) -> tuple[int, ...]:
        if side < 0 or said is None:
            return ()
        return tuple(range(side, seats, self.rules.teams)) if said.type.kind == "team" else (side,)

    def result(self, state: State) -> Outcome:
        """How a deal ended; ValueError while it goes on."""
        self.check_over(state[NODE])
        ends, seats = self.ends, range(state[SEATS])
        sides = ends.loser(state), -1 if ends.winner is None else ends.winner(state), ends.stalemate(state)
        return self.outcome([*sides, *(say(state, seat) for say in (ends.place, *ends.scores.values()) for seat in seats)], len(seats))

    def outcome(self, found: Sequence[int], seats: int) -> Outcome:
        """What numbers say: which side has lost, which has won, whether by stalemate; of all seats the places, then the scores."""
        lost, won, stalemate = found[:3]
        places, *scores = (tuple(found[first : first + seats]) for first in range(3, len(found), seats))
        finish = self.rules.finish
        losers, winners = self._of_side(lost, finish.loser, seats), self._of_side(won, finish.winner, seats)
        return Outcome(places, losers, bool(stalemate), dict(zip(finish.scores, scores, strict=True)), winners)

    def observe(self, state: State, seat: int) -> State:
        """What that seat sees of a state, as `compiler.observing` tells; ValueError where nobody sits there."""
        self.check_seat(seat, state[SEATS])
        found = state.copy()
        hide(found, seat, *self.sight)
        return found

    @cached_property
    def sight(self) -> tuple[Zones, Nodes]:
        """What observing has to know of the game."""
        return zones_of(self.layout), nodes_of(self.nodes, self.moves, [*self.rules.phases])

    @staticmethod
    def check_over(node: int) -> None:
        """ValueError where there is a choice to be made."""
        if node >= 0:
            raise ValueError("the deal is not over")

    @staticmethod
    def check_seat(seat: int, seats: int) -> None:
        """ValueError where nobody sits in that seat."""
        if not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat}: {seats} sit at the table")

    @cached_property
    def _ends(self) -> dict[str, Any]:
        return self.assembly.ends().namespace

    @cached_property
    def watched(self) -> Emitted:
        """The same functions, telling each movement of a card to a list given as their last argument, and what chance gave to `chance`."""
        emitted = self.assembly.emit(watched=True)
        emitted.names |= {"below": self.chance.below, "shuffle": self.chance.shuffle}
        return emitted

    @cached_property
    def playout(self) -> Playout:
        """A deal played by chance from a state to its end (which the state then is, as far as results ask for it), as one function."""
        playout: Playout = self.assembly.fused().namespace["playout"]
        return playout

    # ---- playing --------------------------------------------------------------------------------------------------

    def blank(self, seats: int, seed: int = 0) -> State:
        """A state before anything is dealt: variables at their starts, zones empty."""
        if seats not in self._blanks:
            self._blanks[seats] = self._blank(seats)
        state = self._blanks[seats].copy()
        state[CHANCE] = runtime.mix(seed)
        return state

    def undealt(self, seats: int) -> State:
        """A blank state with what is kept as it always is in a first deal, where that is known beforehand."""
        if seats not in self._firsts:
            state = self.blank(seats)
            for number, (name, keep) in enumerate(self.rules.keeps.items()):
                if keep.first.body.op == "const":
                    self.layout.set_value(state, name, self._kept(f"first_{number}", keep.first, state))
            self.layout.refresh(state)
            self._firsts[seats] = state
        return self._firsts[seats]

    def _blank(self, seats: int) -> State:
        state = [0] * self.layout.size
        state[NODE], state[ACTOR], state[SEATS] = OVER, -1, seats
        for variable in self.rules.variables.values():
            place = self.layout.variables[variable.name]
            if self.layout.spread(variable):
                state[place : place + self.layout.seats] = [variable.start] * self.layout.seats
            else:
                state[place] = ((1 << seats) - 1 if variable.start else 0) if variable.each else variable.start
        self.layout.refresh(state)
        return state

    def new(
        self,
        seats: int,
        seed: int = 0,
        deck: Sequence[int] | None = None,
        kept: Kept | None = None,
        told: list[Any] | None = None,
    ) -> State:
        """A state after setup, with the first actor found; `deck` (top first) instead of a shuffled one; `kept` from the deal before."""
        state = self.start(seats, seed, deck, kept)
        self.setup(state, told)
        return state

    def start(self, seats: int, seed: int = 0, deck: Sequence[int] | None = None, kept: Kept | None = None) -> State:
        """A state before setup: what is kept from deal to deal is set, and the deck lies there, shuffled unless it is given."""
        state = self.undealt(seats).copy()
        state[CHANCE] = runtime.mix(seed)
        if kept is None and self._drawn is not None:
            for place, work_out in self._drawn:
                state[place] = work_out(state)
        else:
            self._set_kept(state, kept or {})
        cards = runtime.shuffled(state, list(self.deck[::-1])) if deck is None else deck[::-1]
        base = self.layout.zones[self.rules.deck.start]
        state[base : base + 1 + len(cards)] = [len(cards), *cards]
        state[GIVEN] = 1  # the first shuffle of the setup has been made
        return state

    @cached_property
    def _drawn(self) -> list[tuple[int, Callable[[State], int]]] | None:
        """The places of what is drawn anew for each first deal, and how; None where that needs more than to be put there."""
        keeps = [(name, f"first_{number}", keep.first) for number, (name, keep) in enumerate(self.rules.keeps.items())]
        drawn = [(self.rules.variables[name], function) for name, function, first in keeps if first.body.op != "const"]
        if any(variable.each or variable.type.kind in ("number", "yes/no") for variable, _ in drawn):
            return None
        return [(self.layout.variables[variable.name], self._ends[function]) for variable, function in drawn]

    def _set_kept(self, state: State, kept: Kept) -> None:
        """Set what is kept to these values; what is not among them, and not always the same, as in a first deal."""
        stale = False
        for number, (name, keep) in enumerate(self.rules.keeps.items()):
            given = kept.get(name)
            if given is not None or keep.first.body.op != "const":
                self.layout.set_value(state, name, self._kept(f"first_{number}", keep.first, state) if given is None else given)
                stale |= self.rules.variables[name].each
        if stale:
            self.layout.refresh(state)

    def kept_next(self, state: State) -> dict[str, Value]:
        """What is kept for the next deal, worked out from the end of one, all from the old values; the state stays as it is."""
        end = state.copy()
        return {name: self._kept(f"then_{number}", keep.then, end) for number, (name, keep) in enumerate(self.rules.keeps.items())}

    def kept_in(self, state: State, kept: Kept) -> State:
        """The state with other values of what is kept."""
        found = state.copy()
        for name, value in kept.items():
            self.layout.set_value(found, name, value)
        self.layout.refresh(found)
        return found

    def _kept(self, function: str, define: Define, state: State) -> Value:
        """One value that is kept, or one for each seat; RuleFault where it leaves its bounds."""
        if isinstance(define.body.data, int) and define.body.op == "const":  # for which no code need be made
            values = [define.body.data] * (state[SEATS] if define.parameters else 1)
        else:
            work_out = self._ends[function]
            values = [work_out(state, seat) for seat in range(state[SEATS])] if define.parameters else [work_out(state)]
        kind = self.rules.variables[define.name].type
        for value in values if kind.kind == "number" else ():
            if not kind.low <= value <= kind.high and not (kind.maybe and value == NO_NUMBER):
                raise RuleFault(
                    f"'{define.name}' goes from {kind.low} to {kind.high}; here it would be {value}", define.body.at or define.span
                )
        return tuple(values) if define.parameters else int(values[0])

    def setup(self, state: State, told: list[Any] | None = None) -> None:
        """Deal from a state before setup, and find the first actor."""
        space = self.plain.namespace if told is None else self.watched.namespace
        before = state.copy()
        for attempt in range(MOST_REDEALS):
            if attempt:
                state[:] = [*before[:CHANCE], state[CHANCE], *before[CHANCE + 1 :]]
                state[GIVEN] = 0
            if told is not None:
                del told[:]
            try:
                space["setup"](state, *(() if told is None else (told,)))
            except RecursionError:
                raise self.nobody_acts(state) from None
            if state[NODE] != AGAIN:
                break
        else:
            asked = next((statement.at for statement in statements(self.rules.setup) if statement.op == "again"), None)
            raise RuleFault(f"the cards were dealt {MOST_REDEALS:,} times without a deal that the rules accept", asked)
        state[GIVEN] = 0

    def legal(self, state: State) -> int:
        """The mask of what may be chosen next; 0 when the deal is over."""
        return self.legal_of[state[NODE]](state) if state[NODE] >= 0 else 0

    def apply(self, state: State, choice: int, told: list[Any] | None = None) -> None:
        """Make a choice (a bit of the legal mask), and find who acts next."""
        try:
            if told is None:
                self.apply_of[state[NODE]](state, choice)
            else:
                self.watched.namespace[f"apply_{state[NODE]}"](state, choice, told)
        except RecursionError:
            raise self.nobody_acts(state) from None

    def resume(self, state: State, phase: int | None = None) -> None:
        """Go on from a position laid by hand: in this phase, or as the rules say for positions."""
        space = self.plain.namespace
        try:
            if phase is None:
                space["position"](state)
            else:
                state[NODE] = phase
                space[f"enter_{phase}"](state)
        except RecursionError:
            raise self.nobody_acts(state) from None

    def dead_end(self, state: State) -> RuleFault:
        """The fault of rules by which somebody is to act and has no legal move."""
        phase = self.rules.phases[self.nodes[state[NODE]].phase]
        return RuleFault(f"in phase '{phase.name}' P{state[ACTOR] + 1} is to act and has no legal move", phase.span, NO_MOVE)

    def stuck(self, state: State, turns: int) -> RuleFault:
        """Why the fused form went no further, which it says by fewer than 0 turns."""
        return self.dead_end(state) if turns == DEAD_END else self.nobody_acts(state)

    def nobody_acts(self, state: State) -> RuleFault:
        """The fault of rules by which one phase hands on to another without end: entering them is one function calling another."""
        phase = self.rules.phases[self.nodes[state[NODE]].phase]
        return RuleFault(
            f"one phase after another is passed over without end, since nobody is to act; the last was '{phase.name}'", phase.span
        )
