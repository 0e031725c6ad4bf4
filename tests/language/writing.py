"""Random texts: expressions of the small game that mostly make sense, and texts with a few slips in them."""

from __future__ import annotations

import random
import re

# What an expression of each kind may look like. A hole is of another kind; `$c` is a name, in `{yes+card$c}` known as a card.
FORMS = {
    "yes": [
        "yes",
        "no",
        "throwers is all",
        "throwers is not leader",
        "{player}.done",
        "not {yes}",
        "({yes} and {yes})",
        "({yes} or {yes})",
        "({yes} if {yes} else {yes})",
        "{number} {order} {number}",
        "{rank} {order} {rank}",
        "{card} == {card}",
        "{maybe card} != {card}",
        "{suit} == {maybe suit}",
        "{maybe player} == {player}",
        "{pile} == {pile}",
        "{maybe card} in {cards}",
        "{rank} not in {ranks}",
        "{maybe suit} in {suits}",
        "{player} in {players}",
        "{cards} == {cards}",
        "{ranks} != {ranks}",
        "{maybe card} is none",
        "{maybe player} is not none",
        "{maybe number} is none",
        "odd({number})",
        "even({number})",
        "beats({card}, {card})",
        "uncovered({pile})",
        "({quantifier} $c in {cards} has {yes+card$c})",
        "({quantifier} $c in {cards} where {yes+card$c} has {yes+card$c})",
        "({quantifier} $q in {seats} has {yes+player$q})",
        "({quantifier} $r in table where {yes+pile$r} has {yes+pile$r})",
        "({quantifier} $s in {suits} has {yes+suit$s})",
        "({quantifier} $k in {ranks} has {yes+rank$k})",
    ],
    "number": [
        "0",
        "2",
        "7",
        "quiet",
        "cap",
        "room",
        "({number} + {number})",
        "({number} - {number})",
        "{number} * {number}",
        "-{number}",
        "min({number}, {number})",
        "max({number}, {number})",
        "({number} if {yes} else {number})",
        "either({maybe number}, {number})",
        "size({player}.hand)",
        "size(heap)",
        "size(table)",
        "size({pile})",
        "count(table)",
        "count({cards})",
        "count({suits})",
        "count({players})",
        "count($r in table where {yes+pile$r})",
        "count($q in players where {yes+player$q})",
        "number({rank})",
        "sum({number+card$c} for $c in {cards})",
        "sum(1 for $q in players where {yes+player$q})",
        "limit({number})",
    ],
    "maybe number": ["{player}.place", "({number} if {yes})", "either({player}.place, {maybe number})"],
    "card": ["7H", "QS", "top({pile})", "bottom({pile})", "({card} if {yes} else {card})", "either({maybe card}, {card})"],
    "maybe card": [
        "turned",
        "top(heap)",
        "bottom(talon)",
        "under({pile})",
        "lowest({cards})",
        "highest({cards})",
        "({card} if {yes})",
        "(first $c in {cards} where {yes+card$c})",
        "(last $c in {cards} where {yes+card$c})",
        "(least $c in {cards} by {number+card$c})",
        "(most $c in {cards} where {yes+card$c} by {rank+card$c})",
        "(least $c in {cards} by {maybe number+card$c})",
    ],
    "rank": ["J", "9", "{card}.rank", "either(lowest({ranks}), 8)", "({rank} if {yes} else {rank})"],
    "suit": ["hearts", "spades", "{card}.suit", "either({maybe suit}, clubs)"],
    "maybe suit": [
        "trump",
        "({suit} if {yes})",
        "(first $s in {suits} where {yes+suit$s})",
        "(most $s in {suits+suit$s} by {number+suit$s})",
    ],
    "player": ["leader", "P1", "p", "dealer", "left({player})", "right({player})", "either({maybe player}, {player})"],
    "maybe player": [
        "taker",
        "defender",
        "holder({card})",
        "({player} if {yes})",
        "(first $q in {seats} where {yes+player$q})",
        "(last $q in {seats} where {yes+player$q})",
        "(most $q in {seats} by {number+player$q})",
        "(least $q in {seats} where {yes+player$q} by highest({player+player$q}.hand))",
        "(least $q in {seats} by {maybe number+player$q})",
    ],
    "pile": [],
    "no pile": ["either(first r9 in table where yes, first r8 in table where yes)"],
    "cards": [
        "{}",
        "{6C 9D QS AH}",
        "laid",
        "{player}.hand",
        "{player}.won",
        "discard",
        "heap",
        "cards(table)",
        "known(table)",
        "cards({pile})",
        "all hand",
        "all cards",
        "({cards} + {cards})",
        "({cards} - {cards})",
        "({cards} + {maybe card})",
        "({cards} if {yes} else {cards})",
        "cards($c in {cards} where {yes+card$c})",
        "cards($r in table where {yes+pile$r})",
        "cards(top($r) for $r in table)",
    ],
    "ranks": [
        "ranks",
        "{7 J A}",
        "ranks({cards})",
        "ranks($c in {cards} where {yes+card$c})",
        "({ranks+card$c} - {ranks+card$c})",
        "({ranks+card$c} + {ranks+card$c})",
    ],
    "suits": ["suits", "{clubs hearts}", "suits({cards})", "({suits} - {suits})"],
    "players": ["players", "{P1 P2}", "({players} - {players})"],
    "seats": ["players", "players from {player}", "players after {player}", "{P1 P2}"],
    "order": ["<", "<=", ">", ">=", "==", "!="],
    "quantifier": ["any", "every", "no"],
}
SURE = {"turned": "card", "top(heap)": "card", "taker": "player", "trump": "suit", "P1.place": "number", "p.place": "number"}
KINDS = [kind for kind in FORMS if kind not in ("order", "quantifier", "seats", "pile", "no pile")]
HOLE = re.compile(r"\{((?:maybe )?[a-z]+)(?:\+([a-z]+)(\$[a-z]))?\}")


class Writer:
    """Writes expressions; a slip puts something of another kind into a hole."""

    def __init__(self, chooser: random.Random, slips: float = 0.0):
        self.chooser, self.slips = chooser, slips
        self.known: dict[str, list[str]] = {}
        self.count = 0

    def write(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        if kind in KINDS and self.chooser.random() < self.slips:
            kind = self.chooser.choice(KINDS)
        if kind == "yes" and depth > 1 and self.chooser.random() < 0.15:
            return self.tested(depth)
        known = self.known.get(kind, [])
        if known and self.chooser.random() < 0.5:
            return self.chooser.choice(known)
        if kind == "pile" and not known:
            kind = "no pile"
        forms = known if kind == "pile" else [form for form in FORMS[kind] if depth > 0 or not HOLE.search(form)] or FORMS[kind][:1]
        return self.filled(self.chooser.choice(forms), depth - 1)

    def filled(self, form: str, depth: int) -> str:
        """A form with its holes filled and its name replaced by a new one."""
        self.count += 1
        form = re.sub(r"\$([a-z])(?!\})", rf"\g<1>{self.count}", form)
        number = self.count

        def fill(hole: re.Match[str]) -> str:
            kind, of, letter = hole.groups()
            if of is None:
                return self.write(kind, depth)
            self.known.setdefault(of, []).append(f"{letter[1:]}{number}")
            found = self.write(kind, depth)
            self.known[of].remove(f"{letter[1:]}{number}")
            return found

        return HOLE.sub(fill, form)

    def tested(self, depth: int) -> str:
        """A condition on something that may be none, after a test."""
        text = self.chooser.choice([text for text in SURE if text not in self.known.get(SURE[text], [])] or ["dark"])
        kind = SURE.get(text, "pile")
        self.known.setdefault(kind, []).append(text)
        inner = self.write("yes", depth - 1)
        self.known[kind].remove(text)
        forms = [f"({text} is not none and {inner})", f"({text} is none or {inner})", f"({inner} if {text} is not none else no)"]
        return self.chooser.choice(forms)


SIGNS = "abcdp789QH .,;:()(){}=<>!+-*_\"'&|[]#@%$~^\\/\u0430\u00e9\u200b\n\t♥🂡"


def slipped(text: str, chooser: random.Random, others: list[str]) -> str:
    """The text with a few slips: signs and words put in, left out, swapped, or taken from other texts."""
    for _ in range(chooser.randint(1, 3)):
        words = re.findall(r"\s+|\w+|[^\w\s]", text) or [""]
        spot = chooser.randrange(len(words))
        kind = chooser.randrange(7)
        if kind == 0:
            at = chooser.randrange(len(text) + 1)
            text = text[:at] + chooser.choice(SIGNS) + text[at:]
        elif kind == 1 and text:
            at = chooser.randrange(len(text))
            text = text[:at] + text[at + 1 :]
        elif kind == 2 and text:
            at = chooser.randrange(len(text))
            text = text[:at] + chooser.choice(SIGNS) + text[at + 1 :]
        elif kind == 3:
            text = "".join(words[:spot] + words[spot + 1 :])
        elif kind == 4:
            text = "".join([*words[:spot], words[spot], words[spot], *words[spot + 1 :]])
        else:
            strange = chooser.choice(re.findall(r"\w+|[^\w\s]+", chooser.choice(others)) or ["x"])
            text = "".join([*words[:spot], strange if kind == 5 else f" {strange} ", *words[spot + (kind == 5) :]])
    return text
