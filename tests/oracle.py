"""Plain throw-in Durak written by hand from the rules catalogue (A1, A2; thirty-six cards, every option at its default), for comparison.

It shares nothing with the rule files nor with the engine: objects, lists, and the words of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "CDHS"
HAND = 6
BOUT_LIMIT = 6
STALEMATE = 60


class Card(NamedTuple):
    """A card: the lower the rank's number, the lower the card."""

    rank: int
    suit: int

    def __str__(self) -> str:
        return RANKS[self.rank] + SUITS[self.suit]


def card(text: str) -> Card:
    """The card of a text like `10H`."""
    return Card(RANKS.index(text[:-1]), SUITS.index(text[-1]))


class Pair:
    """An attacking card and, once it is beaten, the card on it."""

    def __init__(self, attack: Card):
        self.attack = attack
        self.answer: Card | None = None

    @property
    def cards(self) -> list[Card]:
        """The cards that lie here."""
        return [self.attack] if self.answer is None else [self.attack, self.answer]


class Move(NamedTuple):
    """What a player does: `lead` with cards, `beat` a pair with a card, `throw in` or `pile on` a card, `take`, `done`."""

    name: str
    cards: tuple[Card, ...] = ()
    pair: int | None = None


class ThrowIn:
    """A deal of throw-in Durak."""

    def __init__(self, seats: int, deck: Sequence[Card], dealer: int):
        self.seats = seats
        self.talon = list(deck)
        self.trump = deck[-1].suit  # the turned-up card lies under the talon (A1.3)
        self.hands: list[set[Card]] = [set() for _ in range(seats)]
        for _ in range(HAND):
            for player in self.clockwise(dealer + 1):
                self.hands[player].add(self.talon.pop(0))
        self.discard: set[Card] = set()
        self.place: list[int | None] = [None] * seats
        self.quiet = 0
        self.over = False
        self.start_bout(self.first_leader(dealer))

    # ---- the round of players -------------------------------------------------------------------------------------

    def clockwise(self, first: int) -> list[int]:
        """All seats, this one first."""
        return [(first + k) % self.seats for k in range(self.seats)]

    def playing(self) -> list[int]:
        """Who is still in the game."""
        return [player for player in range(self.seats) if self.place[player] is None]

    def next_playing(self, first: int) -> int:
        """The first from this seat who is still in the game."""
        return next(player for player in self.clockwise(first) if self.place[player] is None)

    def first_leader(self, dealer: int) -> int:
        """The holder of the lowest trump; where nobody has one, of the highest card, the nearest to the dealer's left (A1.4)."""
        trumps = [(card.rank, player) for player, hand in enumerate(self.hands) for card in hand if card.suit == self.trump]
        if trumps:
            return min(trumps)[1]
        highest = max(card.rank for hand in self.hands for card in hand)
        return next(player for player in self.clockwise(dealer + 1) if any(card.rank == highest for card in self.hands[player]))

    # ---- a bout ---------------------------------------------------------------------------------------------------

    def start_bout(self, leader: int) -> None:
        """The leader leads at the next player in the game."""
        self.leader, self.defender = leader, self.next_playing(leader + 1)
        self.limit = min(BOUT_LIMIT, len(self.hands[self.defender]))  # and it does not shrink (A2.2)
        self.pairs: list[Pair] = []
        self.done: set[int] = set()
        self.taking = False

    def open_pairs(self) -> list[Pair]:
        """The pairs that are not beaten."""
        return [pair for pair in self.pairs if pair.answer is None]

    def room(self) -> bool:
        """Whether one more card may be laid (A2.2, A2.3)."""
        return len(self.pairs) < self.limit and len(self.open_pairs()) < len(self.hands[self.defender])

    def attacker(self) -> int | None:
        """Who may add a card now: from the leader clockwise, whoever holds cards and is not done."""
        if not self.room():
            return None
        return next((p for p in self.clockwise(self.leader) if p != self.defender and self.hands[p] and p not in self.done), None)

    @property
    def actor(self) -> int | None:
        """Whose turn it is."""
        if self.over:
            return None
        if not self.pairs:
            return self.leader
        return self.defender if self.open_pairs() and not self.taking else self.attacker()

    def beats(self, card: Card, target: Card) -> bool:
        """Whether a card beats another (A1.6)."""
        if card.suit == target.suit:
            return card.rank > target.rank
        return card.suit == self.trump

    def moves(self) -> list[Move]:
        """Every legal move."""
        if self.actor is None:
            return []
        hand = sorted(self.hands[self.actor])
        if not self.pairs:
            leads = [cards for size in range(1, self.limit + 1) for cards in combinations(hand, size)]
            return [Move("lead", cards) for cards in leads if len({card.rank for card in cards}) == 1]
        if self.actor == self.defender:
            found = [Move("take")]
            for number, pair in enumerate(self.pairs):
                if pair.answer is None:
                    found += [Move("beat", (card,), number) for card in hand if self.beats(card, pair.attack)]
            return found
        ranks = {card.rank for pair in self.pairs for card in pair.cards}
        name = "pile on" if self.taking else "throw in"
        return [Move("done"), *(Move(name, (card,)) for card in hand if card.rank in ranks)]

    def make(self, move: Move) -> None:
        """Make a move, and end the bout when nobody has anything to say."""
        player = self.actor
        assert player is not None
        self.hands[player] -= set(move.cards)
        if move.name == "beat":
            assert move.pair is not None
            self.pairs[move.pair].answer = move.cards[0]
        else:
            self.pairs += [Pair(card) for card in move.cards]
        if move.name == "done":
            self.done.add(player)
        elif move.name == "take":
            self.taking = True
            self.done = set()
        elif not self.taking:
            self.done = set()  # a new card has come to the table (A2.1)
        if self.actor is None:
            self.end_bout()

    def end_bout(self) -> None:
        """The cards leave the table, hands are refilled, who is out is out, and the next leads."""
        self.quiet += 1
        table = {card for pair in self.pairs for card in pair.cards}
        if self.taking:
            self.hands[self.defender] |= table
        else:
            self.discard |= table
            self.quiet = 0
        attackers = [player for player in self.clockwise(self.leader) if player != self.defender]
        for player in [*attackers, self.defender]:
            while self.talon and len(self.hands[player]) < HAND:
                self.hands[player].add(self.talon.pop(0))
                self.quiet = 0
        if not self.talon:
            out = [player for player in self.playing() if not self.hands[player]]
            place = 1 + self.seats - len(self.playing())
            for player in out:
                self.place[player] = place
        if len(self.playing()) <= 1 or self.quiet >= STALEMATE:
            self.over = True
            return
        self.start_bout(self.next_playing(self.defender + 1 if self.taking else self.defender))

    @property
    def fool(self) -> int | None:
        """Who is left with cards, when only one is (A1.9)."""
        return self.playing()[0] if len(self.playing()) == 1 else None
