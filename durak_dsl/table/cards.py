"""Cards, ranks, suits, players and decks as texts, both ways: `6C`, `10♥`; `P1`; the deck of the rules says which there are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from durak_dsl.compiler.runtime import looks
from durak_dsl.language.ir import Deck
from durak_dsl.problems import did_you_mean, listed

SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
_OUTLINES = str.maketrans("♧♢♡♤", "♣♦♥♠", "\ufe0e\ufe0f")

REST = ("...", "…")
_WORD = re.compile(r"[^\s,]+")


class WrongText(ValueError):
    """A text says no card, deck or value: why, at most one hint, and where in the text."""

    def __init__(self, message: str, hint: str = "", offset: int = 0, length: int = 0):
        self.message = message
        self.hint = hint
        self.offset = offset
        self.length = length
        super().__init__(message)

    def further(self, offset: int, length: int) -> WrongText:
        """The same, in a text that starts so much earlier."""
        return WrongText(self.message, self.hint, offset + self.offset, self.length or length)


def words(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text with their places; commas are as good as spaces."""
    for match in _WORD.finditer(text):
        yield match.group(), match.start()


class Cards:
    """The texts of one deck. A card is its number in the grid of ranks and suits; copies have numbers of their own and the same text."""

    def __init__(self, deck: Deck, dealt: Sequence[int]):
        self.deck = deck
        self.dealt = dealt  # the cards that are in the game
        self.ranks = deck.ranks
        self.suits = deck.suits
        self.copies = deck.copies
        self.count = deck.grid * deck.copies
        letters = [suit[0].upper() for suit in deck.suits]
        signs = [SIGNS.get(suit, letter) for suit, letter in zip(deck.suits, letters, strict=True)]
        names = [rank + suit for rank in deck.ranks for suit in letters]
        shown = [rank + suit for rank in deck.ranks for suit in signs]
        self._texts = tuple(name for name in names for _ in range(deck.copies))
        self._shown = tuple(name for name in shown for _ in range(deck.copies))
        self._kinds = {text.upper(): kind for texts in (names, shown) for kind, text in enumerate(texts)}
        self._suits = {word.upper(): number for words in (deck.suits, letters, signs) for number, word in enumerate(words)}
        self._ranks = {rank.upper(): number for number, rank in enumerate(deck.ranks)}

    # ---- numbers to texts -----------------------------------------------------------------------------------------

    def text(self, card: int, signs: bool = False) -> str:
        """`6C`, or with signs `6♣`."""
        return self._shown[card] if signs else self._texts[card]

    def list(self, cards: Iterable[int], signs: bool = False) -> str:
        """`6C 7D`."""
        return " ".join(self.text(card, signs) for card in cards)

    def set(self, mask: int, signs: bool = False) -> str:
        """The cards of a mask, ascending."""
        return self.list(bits(mask), signs)

    def kind(self, card: int) -> int:
        """The number that all copies of a card share."""
        return card // self.copies

    def copies_of(self, kind: int) -> range:
        """The cards that are copies of one."""
        return range(kind * self.copies, (kind + 1) * self.copies)

    def first_copy(self, card: int) -> int:
        """The first copy of a card, or none."""
        return card if card < 0 else card // self.copies * self.copies

    def first_copies(self, mask: int) -> int:
        """As many of each card as in the mask, but the first copies of it."""
        return mask if self.copies == 1 else looks(mask, self.copies)

    # ---- texts to numbers -----------------------------------------------------------------------------------------

    def is_card(self, word: str) -> bool:
        """Whether the word is a card of the grid."""
        return self._key(word) in self._kinds

    def read_kind(self, word: str) -> int:
        """The card of a word, without regard to copies; WrongText where it is none."""
        kind = self._kinds.get(self._key(word))
        if kind is None:
            there = [self._texts[card] for card in self.dealt] or self._texts
            raise WrongText(f"there is no card '{word}'", did_you_mean(self._key(word), there) or f"cards are written like {there[0]}")
        return kind

    def read_suit(self, word: str) -> int:
        """The suit of a word: its name, letter or sign."""
        suit = self._suits.get(self._key(word))
        if suit is None:
            raise WrongText(f"there is no suit '{word}'", did_you_mean(word, self.suits) or f"the suits are {listed(self.suits, 'and')}")
        return suit

    def read_rank(self, word: str) -> int:
        """The rank of a word."""
        rank = self._ranks.get(word.upper())
        if rank is None:
            raise WrongText(f"there is no rank '{word}'", f"the ranks are {' '.join(self.ranks)}")
        return rank

    def _key(self, word: str) -> str:
        return word.translate(_OUTLINES).upper()


class Hands:
    """Deals out the numbers of cards by their texts, each card of the game no more often than it has copies."""

    def __init__(self, cards: Cards, game: Collection[int]):
        self.cards = cards
        self.left = list(game)
        self.game = {cards.kind(card) for card in game}

    def take(self, word: str) -> int:
        """The next copy of a card; WrongText where there is none, or no more."""
        kind = self.cards.read_kind(word)
        for card in self.left:
            if self.cards.kind(card) == kind:
                self.left.remove(card)
                return card
        text = self.cards.text(self.cards.copies_of(kind)[0])
        if kind not in self.game:
            raise WrongText(f"{text} is not in this game")
        raise WrongText(f"{text} comes twice" if self.cards.copies == 1 else f"{text} comes more than {self.cards.copies} times")

    def take_all(self, text: str) -> list[int]:
        """The cards of a text, in its order."""
        found = []
        for word, offset in words(text):
            try:
                found.append(self.take(word))
            except WrongText as error:
                raise error.further(offset, len(word)) from None
        return found


def read_deck(text: str, cards: Cards, game: Collection[int], whole: bool = True) -> tuple[int, ...]:
    """The cards of a spelled-out deck, top first; `...` stands once for all others in order. `whole`: no card may be missing."""
    hands = Hands(cards, game)
    found: list[int] = []
    gap: int | None = None
    for word, offset in words(text):
        try:
            if word not in REST:
                found.append(hands.take(word))
                continue
        except WrongText as error:
            raise error.further(offset, len(word)) from None
        if gap is not None:
            raise WrongText("'...' stands for all other cards: it comes once", "", offset, len(word))
        gap = len(found)
    if gap is not None:
        return (*found[:gap], *hands.left, *found[gap:])
    if whole and hands.left:
        some = cards.list(hands.left[:4]) + (" …" if len(hands.left) > 4 else "")
        raise WrongText(f"the deck lacks {some}", "write ... for all other cards")
    return tuple(found)


def bits(mask: int) -> list[int]:
    """The elements of a mask, ascending."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


def player(seat: int) -> str:
    """`P1` for the first seat."""
    return f"P{seat + 1}"


def read_player(word: str, seats: int) -> int:
    """The seat of `P1`; WrongText where there is none."""
    if re.fullmatch(r"[Pp][1-9]", word) and int(word[1]) <= seats:
        return int(word[1]) - 1
    raise WrongText(f"there is no player '{word}'", f"players are written P1 to P{seats}")
