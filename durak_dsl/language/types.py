"""The types of the rule language. Values are integers at run time; a set is a mask of bits."""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_SEATS = 8
MOST_CARDS = 128
MOST_PICKS = 4
MOST_PICKED = 1000  # the greatest number that can be picked
LARGEST_TOTAL = 1_000  # that values add up to

# What a set of each kind of element is called, and back.
SET_OF = {"card": "cards", "rank": "ranks", "suit": "suits", "player": "players", "pile": "piles", "team": "teams"}
ELEMENT_OF = {many: one for one, many in SET_OF.items()}
ZONE_KINDS = ("set", "stack", "row")
SCALARS = ("number", "yes/no", "card", "rank", "suit", "player", "team", "pile", "choice")


@dataclass(frozen=True)
class Type:
    """One type: its kind, whether it may be none, bounds (numbers), the zone it indexes (piles, zones), words (choices)."""

    kind: str
    maybe: bool = False
    low: int = 0
    high: int = 0
    zone: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        names = {"row": "row of piles", "set": "set zone", "choice": f"choice ({', '.join(self.words)})", "yes/no": "yes or no"}
        text = f"set of {self.kind}" if self.kind in ELEMENT_OF else names.get(self.kind, self.kind)
        if self.maybe and self.kind == "yes/no":
            return "yes, no or none"
        return f"{text} or none" if self.maybe and self.kind != "none" else text

    @property
    def a(self) -> str:
        """The type in a sentence, with its article: `a card or none`, `yes or no`, `none`."""
        return str(self) if self.kind in ("none", "yes/no") else f"a {self}"

    @property
    def sure(self) -> Type:
        """The same type without none."""
        return replace(self, maybe=False)

    @property
    def or_none(self) -> Type:
        """The same type, or none."""
        return replace(self, maybe=True)


YES_NO = Type("yes/no")
CARD = Type("card")
RANK = Type("rank")
SUIT = Type("suit")
PLAYER = Type("player")
TEAM = Type("team")
CARDS = Type("cards")
RANKS = Type("ranks")
SUITS = Type("suits")
PLAYERS = Type("players")
TEAMS = Type("teams")
NOTHING = Type("none", maybe=True)

NAMED = {
    "card": CARD,
    "rank": RANK,
    "suit": SUIT,
    "player": PLAYER,
    "team": TEAM,
    "yes/no": YES_NO,
}


def number(low: int, high: int) -> Type:
    """The numbers from low to high."""
    return Type("number", low=low, high=high)


def joined(first: Type, second: Type) -> Type | None:
    """The narrowest type that holds the values of both, or None where there is none."""
    if first.kind == "none":
        return second.or_none
    if second.kind == "none":
        return first.or_none
    if first.kind != second.kind or first.words != second.words:
        return None
    if first.kind == "pile" and first.zone != second.zone:
        return None
    low, high = min(first.low, second.low), max(first.high, second.high)
    return replace(first, maybe=first.maybe or second.maybe, low=low, high=high)
