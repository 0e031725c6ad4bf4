"""What chance gives in the watched form: noted in a log, or prescribed by a script (when a deal that was written down is played again)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from durak_dsl.compiler import runtime
from durak_dsl.compiler.layout import GIVEN
from durak_dsl.compiler.runtime import State


@dataclass(frozen=True)
class Drawn:
    """One of so many by chance, counted from 0."""

    value: int
    of: int


@dataclass(frozen=True)
class Shuffled:
    """A stack after it was shuffled, top first."""

    cards: tuple[int, ...]


Result = Drawn | Shuffled


class ChanceDiffers(Exception):
    """The script does not say what the rules ask of chance."""


class Chance:
    """Gives what the script says, where there is one, else what the state's own source gives; `log` holds what was given."""

    def __init__(self, copies: int = 1) -> None:
        self.copies = copies
        self.log: list[Result] = []
        self.script: list[Result] | None = None

    @contextmanager
    def of(self, script: Sequence[Result] | None) -> Iterator[list[Result]]:
        """In this context chance gives these results (None: its own); afterwards the list holds what was given."""
        self.log, self.script = [], None if script is None else list(script)
        try:
            yield self.log
            if self.script:
                raise ChanceDiffers("chance is said to have given more than the rules ask for")
        finally:
            self.script = None

    def below(self, s: State, n: int) -> int:
        """A number from 0 to n - 1; of one there is nothing to tell."""
        if self.script is None:
            value = runtime.below(s, n)
        elif n < 2:
            value = 0
        else:
            result = self.script.pop(0) if self.script else None
            if not isinstance(result, Drawn) or result.of != n or not 0 <= result.value < n:
                raise ChanceDiffers(f"the rules ask for one of {n} by chance here, which the record does not give")
            value = result.value
        if n > 1:
            self.log.append(Drawn(value, n))
        return value

    def shuffle(self, s: State, base: int) -> None:
        """Shuffle a stack; a deck given card by card stays as it is, once; of one card there is nothing to tell."""
        given, cards = s[GIVEN], _top_first(s, base)
        if given or self.script is None:
            runtime.shuffle(s, base)
        elif len(cards) > 1:
            result = self.script.pop(0) if self.script else None
            order = self._matched(result.cards, cards) if isinstance(result, Shuffled) else None
            if order is None:
                raise ChanceDiffers(f"{len(cards)} cards are shuffled here, and the record does not give their order")
            s[base + 1 : base + 1 + s[base]] = order[::-1]
        if not given and len(cards) > 1:
            self.log.append(Shuffled(_top_first(s, base)))

    def _matched(self, wanted: Sequence[int], cards: Sequence[int]) -> list[int] | None:
        """These cards in the order that is wanted, without regard to which copy of a card is which; None where they are others."""
        left = list(cards)
        order = []
        for one in wanted:
            found = next((card for card in left if card // self.copies == one // self.copies), None)
            if found is None:
                return None
            left.remove(found)
            order.append(found)
        return None if left else order


def _top_first(s: State, base: int) -> tuple[int, ...]:
    return tuple(s[base + s[base] : base : -1])
