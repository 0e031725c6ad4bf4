"""One deal under way: whose turn it is, which moves there are, what they lead to, and what came before."""

from __future__ import annotations

import itertools
import random as chance
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from durak_dsl.compiler.chance import Result
from durak_dsl.compiler.layout import ACTOR, CHANCE, NODE, SEATS
from durak_dsl.compiler.program import Kept, Outcome
from durak_dsl.compiler.runtime import MASK64, State, mix
from durak_dsl.problems import Problem, RuleError, must_be_whole
from durak_dsl.table import snapshot
from durak_dsl.table.cards import WrongText, player, read_deck
from durak_dsl.table.choosing import Way
from durak_dsl.table.game import Game
from durak_dsl.table.history import Made, Origin, Standing, Told, Turn
from durak_dsl.table.moves import Label, Move, split_seat
from durak_dsl.table.reasons import Unreadable, illegal

if TYPE_CHECKING:
    from durak_dsl.table.knowledge import View
    from durak_dsl.table.memory import Moment


MOST_MOVES = 100_000


class TooManyMoves(Exception):
    """There are too many legal moves to list them: cards picked at will make them double with each card."""


class Table:
    """One deal: `legal_moves`, then `play` (in place) or `after` (another table). Tables of one game are equal in the same position."""

    def __init__(self, game: Game, state: State, origin: Origin, made: Sequence[Made] = (), seed: int | None = None):
        self.game = game
        self.program = game.program
        self.state = state
        self.origin = origin
        self.made = list(made)
        self.seed = seed
        self._steps: list[int] = []
        self._before: tuple[int, ...] = ()
        self._told: list[Told] = []
        self.memory: Moment | None = None  # what has been seen, for `knowledge`

    # ---- the position ---------------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return self.state[SEATS]

    @property
    def actor(self) -> int | None:
        """The seat that acts; None when the deal is over."""
        return None if self.is_over else self.state[ACTOR]

    @property
    def phase(self) -> str | None:
        """The phase of the deal; None when it is over."""
        return None if self.is_over else self.program.nodes[self.state[NODE]].phase

    @property
    def is_over(self) -> bool:
        """Whether the deal has ended."""
        return self.state[NODE] < 0

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards as they were dealt, top first; none where the table was laid by hand."""
        return () if self.origin.laid else snapshot.deck(self.program, self.origin.state)

    @property
    def kept(self) -> Kept:
        """The values that this deal was given from the one before."""
        return snapshot.kept(self.program, self.origin.state)

    def outcome(self) -> Outcome:
        """How the deal ended; ValueError while it goes on."""
        return self.program.result(self.state)

    def kept_next(self) -> Kept:
        """The values that the next deal is given: `deal(game, kept=table.kept_next())`."""
        self.program.check_over(self.state[NODE])
        end = self.state.copy()
        end[CHANCE] = self._lot()
        return self.program.kept_next(end)

    def _lot(self) -> int:
        """A source of chance that follows from how the cards were dealt and how they lie: the same whenever the deal is played again."""
        found = 0
        for value in (*map(self.game.cards.kind, self.deck), *self.key()):
            found = mix(found ^ value & MASK64)
        return found

    def standing(self) -> Standing:
        """How the match stands after this deal; ValueError while the deal goes on."""
        kept = self.kept_next()
        ends, state = self.program.ends, self.program.kept_in(self.state, kept)
        over = bool(ends.match_over(state))
        if ends.match_place is None or ends.match_loser is None:
            return Standing(over)
        places = tuple(ends.match_place(state, seat) for seat in range(self.seats))
        lost = over or self.game.rules.match.over is None
        return Standing(over, places, self.program.match_losers(state) if lost else ())

    # ---- whole moves ----------------------------------------------------------------------------------------------

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that the actor may make, in the order of the rules; none when the deal is over. Copies of a card make one move."""
        if self.is_over:
            return ()
        if self._steps:
            begun = tuple(self._steps)
            whole = self._undone()
            return tuple(move for way in self._ways(whole.state) if way.steps[: len(begun)] == begun for move in (whole.named(way),))
        return tuple(self.named(way) for way in self._ways(self.state))

    def _ways(self, state: State) -> list[Way]:
        ways = list(itertools.islice(self.game.choosing.ways(state), MOST_MOVES + 1))
        if len(ways) > MOST_MOVES:
            who, phase = player(state[ACTOR]), self.program.nodes[state[NODE]].phase
            raise TooManyMoves(
                f"{who} has more than {MOST_MOVES:,} moves in phase '{phase}', too many to list: a pick takes too many cards"
            )
        return ways

    def way(self, move: Move) -> Way | None:
        """The way to make this move; of copies that look alike, whichever may be chosen."""
        found = self.game.choosing.way(self.state, move.name, move.picks)
        if found is None and self.game.cards.copies > 1 and any(rule.move == move.name for rule in self.game.choosing.segments(self.state)):
            kinds = snapshot.Kinds(self.program, self.state)
            meant = kinds.of(move.name, move.picks)
            found = next((way for way in self._ways(self.state) if kinds.of(way.name, way.picks) == meant), None)
        return found

    def named(self, way: Way) -> Move:
        """The move that is made in a way, with its notation."""
        labels: dict[int, Label] = {}
        for position, pick in enumerate(self.program.moves[way.name].picks):
            value = way.picks[position]
            if pick.type.kind == "pile" and isinstance(value, int):
                labels[position] = snapshot.label(self.program, self.state, pick.type.zone, value)
        return Move(way.name, way.picks, labels, self.game.notation)

    def move(self, text: str, seat: int | None = None) -> Move:
        """The legal move that a text means: `beat 6C 9C`, `P2 take`, or cards where one move fits; IllegalMove says why there is none."""
        from durak_dsl.table import legality, meaning

        seat, text = split_seat(text, seat)
        try:
            readings = self.game.notation.read(text)
        except Unreadable:
            readings = self.game.notation.read_bare(text)
            if not readings:
                raise
        if seat is not None and seat != self.actor:
            raise legality.not_your_turn(self, seat)
        whole = self._undone() if self._steps else self
        fits = meaning.fitting(whole, readings)
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise illegal("many meanings", said=text.strip(), meant=tuple(fits))
        raise legality.why(whole, readings)

    def after(self, move: Move | str) -> Table:
        """The table after a move; this one stays as it is."""
        table = self.clone()
        table.play(move)
        return table

    def play(self, move: Move | str) -> None:
        """Make a move, in place; IllegalMove where it is none."""
        self._play(move, None)

    def play_drawn(self, move: Move | str, drawn: Sequence[Result]) -> None:
        """Make a move in which chance gives what is prescribed."""
        self._play(move, tuple(drawn))

    def _play(self, move: Move | str, drawn: tuple[Result, ...] | None) -> None:
        self._cancel()
        if isinstance(move, str):
            move = self.move(move)
        if not isinstance(move, Move):
            raise TypeError(f"a move is one of legal_moves() or its text, not {move!r}")
        way = None if self.is_over else self.way(move)
        if way is None:
            from durak_dsl.table import legality

            raise legality.why_not(self, move)
        before = tuple(self.state)
        told: list[Any] | None = None if drawn is None else []
        with self._whole_or_nothing(), self.program.chance.of(drawn):
            for step in way.steps:
                self.program.apply(self.state, step, told)
        self.made.append(Made(before, way.steps, drawn))

    @contextmanager
    def _whole_or_nothing(self) -> Iterator[None]:
        """Where the rules fail in this context, the state is left as it was."""
        before = self.state.copy()
        try:
            yield
        except Exception:
            self.state[:] = before
            raise

    def reseed(self, seed: int) -> None:
        """Let what chance gives from here on follow from this seed: for a deal that was played again from its record."""
        self.state[CHANCE] = mix(seed)

    def undo(self) -> Move | None:
        """Take back the last move (or the choices of one under way) and return it; None where nothing was played."""
        if self._steps:
            self._cancel()
            return None
        if not self.made:
            return None
        last = self.made.pop()
        del self._told[len(self.made) + 1 :]
        self.state[:] = last.before
        return self.named(self.game.choosing.made(self.state, last.steps))

    def clone(self) -> Table:
        """A table of its own in the same position, with the same history."""
        table = Table(self.game, self.state.copy(), self.origin, self.made, self.seed)
        table._steps, table._before, table._told = self._steps.copy(), self._before, self._told.copy()
        table.memory = self.memory
        return table

    # ---- single choices, for machine players ----------------------------------------------------------------------

    @property
    def mask(self) -> int:
        """The choices that may be made next, as bits: one value of one pick. 0 when the deal is over."""
        return self.program.legal(self.state)

    @property
    def is_choosing(self) -> bool:
        """Whether a move is under way that needs more choices."""
        return bool(self._steps)

    @property
    def choices(self) -> tuple[int, ...]:
        """The choices made of a move under way."""
        return tuple(self._steps)

    @property
    def whole(self) -> State:
        """The state without the choices of a move under way."""
        return list(self._before) if self._steps else self.state

    def step(self, choice: int) -> None:
        """Make one choice, a bit of the mask. A move is made with its last choice."""
        if not self.mask >> choice & 1:
            raise ValueError(f"{choice} is none of the choices")
        if not self._steps:
            self._before = tuple(self.state)
        with self._whole_or_nothing():
            self.program.apply(self.state, choice)
        self._steps.append(choice)
        if self.state[NODE] < len(self.game.rules.phases):
            self.made.append(Made(self._before, tuple(self._steps)))
            self._steps = []

    def _cancel(self) -> None:
        if self._steps:
            self.state[:] = self._before
            self._steps = []

    def _undone(self) -> Table:
        table = self.clone()
        table._cancel()
        return table

    # ---- what came before -----------------------------------------------------------------------------------------

    @property
    def history(self) -> tuple[Turn, ...]:
        """The moves made so far, with who made them."""
        return tuple(Turn(made.seat, self._made_move(made)) for made in self.made)

    def _made_move(self, made: Made) -> Move:
        state = list(made.before)
        return Table(self.game, state, self.origin).named(self.game.choosing.made(state, made.steps))

    def told(self) -> tuple[Told, ...]:
        """What happened so far, card by card: first the deal (nothing where the table was laid by hand), then each move."""
        if not self._told:
            self._told.append(self._tell_deal())
        for made in self.made[len(self._told) - 1 :]:
            state, events = list(made.before), []  # type: list[int], list[Any]
            with self.program.chance.of(made.drawn) as drawn:
                for step in made.steps:
                    self.program.apply(state, step, events)
            self._told.append(Told(made.seat, self._made_move(made), tuple(events), tuple(drawn), made.before, tuple(state)))
        return tuple(self._told)

    def _tell_deal(self) -> Told:
        state, events = list(self.origin.state), []  # type: list[int], list[Any]
        drawn: list[Result] = []
        if not self.origin.laid:
            with self.program.chance.of(self.origin.drawn) as drawn:
                self.program.setup(state, events)
        return Told(None, None, tuple(events), tuple(drawn), self.origin.state, tuple(state))

    # ---- what a player knows --------------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """What the player in a seat knows, and nothing else."""
        from durak_dsl.table import knowledge

        return knowledge.view(self, seat)

    def sample(self, seat: int, rng: chance.Random) -> Table:
        """A table that agrees with all that the player in a seat knows, one such by chance."""
        from durak_dsl.table import knowledge

        return knowledge.sample(self, seat, rng)

    # ---- comparing ------------------------------------------------------------------------------------------------

    def key(self) -> tuple[int, ...]:
        """The position as a canonical tuple: places of the state that hold nothing now do not count, nor does the source of chance."""
        return (*self.game.reader.key(self._before or self.state), *self._steps) if self._steps else self.game.reader.key(self.state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        same_game = self.game is other.game or (self.game.hash, self.game.options) == (other.game.hash, other.game.options)
        return same_game and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        now = "over" if self.is_over else f"{self.phase}, {player(self.state[ACTOR])} acts"
        return f"<Table of {self.game.id}: {self.seats} seats, {len(self.made)} moves made, {now}>"


def deal(
    game: Game,
    seats: int | None = None,
    *,
    seed: int | None = None,
    deck: str | Sequence[int] | None = None,
    kept: Kept | None = None,
) -> Table:
    """A table with the cards dealt: from a seed, a deck spelled out top first (`6C 7D ... AS`) or by chance; `kept` from the last deal."""
    seats = min(game.seats) if seats is None else seats
    game.check_seats(seats)
    program = game.program
    if seed is None:
        seed = chance.SystemRandom().getrandbits(48) if deck is None else 0
    must_be_whole(seed=seed)
    cards = None if deck is None else _deck(game, deck)
    start = program.start(seats, seed, cards, kept)
    origin = Origin(tuple(start))
    program.setup(start)
    return Table(game, start, origin, seed=seed if deck is None else None)


def _deck(game: Game, deck: str | Sequence[int]) -> tuple[int, ...]:
    if not isinstance(deck, str):
        if len(set(deck)) != len(deck) or not set(deck) <= set(game.program.deck):
            raise ValueError("a deck holds cards of the game, each once")
        return tuple(deck)
    try:
        return read_deck(deck, game.cards, game.program.deck)
    except WrongText as error:
        raise RuleError(Problem("deck", error.message, None, error.hint)) from None
