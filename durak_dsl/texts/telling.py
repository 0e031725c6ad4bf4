"""A deal told to people: how things stand, what a move is, what happened, how it ended; with the names and sentences of the rule file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from durak_dsl.compiler.layout import FACE_DOWN, SEATS
from durak_dsl.source.merge import bare
from durak_dsl.source.nodes import Map, Text
from durak_dsl.table import snapshot, values
from durak_dsl.table.cards import SIGNS, player
from durak_dsl.texts.speaking import Speaking, filled
from durak_dsl.texts.words import amount, named, say

if TYPE_CHECKING:
    from durak_dsl.compiler.program import Kept, Outcome
    from durak_dsl.language.ir import Variable, Zone
    from durak_dsl.table.game import Game
    from durak_dsl.table.history import Standing, Told
    from durak_dsl.table.knowledge import Heap, Spot, View
    from durak_dsl.table.moves import Move
    from durak_dsl.table.table import Table

ARROW = "→"


@dataclass(frozen=True)
class Telling:
    """Tells of the deals of a game in one language."""

    game: Game
    language: str

    def say(self, key: str, **parts: object) -> str:
        """The program's own words of that name."""
        return say(self.language, key, **parts)

    @cached_property
    def speaking(self) -> Speaking:
        """What is said with the persons who play."""
        return Speaking(self.game, self.language, self.zones)

    # ---- names ----------------------------------------------------------------------------------------------------

    @cached_property
    def title(self) -> str:
        """What the rules are called."""
        return " + ".join(file.names.get(self.language, file.id) for file in self.game.document.asked)

    def _texts(self, section: str, part: str = "") -> Mapping[str, str]:
        """What the zones, variables, scores … are called; only those that have a name in this language."""
        found = {}
        node = self.game.document.root.get(section)
        if part:
            node = node.get(part) if isinstance(node, Map) else None
        for entry in node if isinstance(node, Map) else ():
            text = entry.value.get(self.language) if isinstance(entry.value, Map) else None
            if isinstance(text, Text):
                found[bare(entry.key.value)] = text.value
        return found

    @cached_property
    def zones(self) -> Mapping[str, str]:
        """What each zone is called."""
        named = self._texts("zones")
        return {name: named.get(name, name.replace("_", " ")) for name in self.game.rules.zones}

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """What each variable is called that is to be shown."""
        return self._texts("variables")

    @cached_property
    def scores(self) -> Mapping[str, str]:
        """What each score is called."""
        named = self._texts("finish", "scores")
        return {name: named.get(name, name.replace("_", " ")) for name in self.game.rules.finish.scores}

    @cached_property
    def kept(self) -> Mapping[str, str]:
        """What is called what that is kept from deal to deal and is shown: in a deal, and on the score line."""
        named = self._texts("match", "keep")
        return {name: named[name] for name in self.game.rules.keeps if name in named}

    @cached_property
    def _each(self) -> list[str]:
        return [zone.name for zone in self.game.rules.zones.values() if zone.each]

    def place(self, zone: Zone, seat: int) -> str:
        """What a zone (of a seat) is called: the player alone where each has but one."""
        if not zone.each:
            return self.zones[zone.name]
        return player(seat) if len(self._each) == 1 else f"{player(seat)} {self.zones[zone.name]}"

    def card(self, kind: int) -> str:
        """A card, with its sign; the number is that which copies share."""
        return self.game.cards.text(kind * self.game.cards.copies, signs=True)

    def cards(self, kinds: Sequence[int]) -> str:
        """Several cards."""
        return " ".join(map(self.card, kinds))

    def teams(self, seats: int) -> Iterator[str]:
        """Who plays together, where there are teams."""
        count = self.game.rules.teams
        if count:
            yield self.say("teams", teams="; ".join(self._and([*map(player, range(team, seats, count))]) for team in range(count)))

    # ---- how things stand -----------------------------------------------------------------------------------------

    def standing(self, view: View) -> Iterator[str]:
        """How things stand, as one seat sees it: a line for what holds, one for each zone of the table, one for each player."""
        yield from self._standing(view.variables, view.heaps, view.seats, view.seat)

    def open_standing(self, table: Table) -> Iterator[str]:
        """How things stand when every player shows his cards."""
        views = [table.view(seat) for seat in range(table.seats)]
        heaps = [(heap if heap.seat is None else views[heap.seat].heap(heap.zone, heap.seat)) for heap in views[0].heaps]
        yield from self._standing(views[0].variables, heaps, table.seats, None)

    def _standing(
        self, variables: Sequence[tuple[str, tuple[int, ...]]], heaps: Sequence[Heap], seats: int, me: int | None
    ) -> Iterator[str]:
        rules = self.game.rules
        shown = [(rules.variables[name], found) for name, found in variables if name in self.variables or self._is_told(name, found)]
        facts = [fact for variable, found in shown if not variable.each and (fact := self._fact(variable, found[0]))]
        if facts:
            yield "; ".join(facts)
        first = next((zone.name for zone in rules.zones.values() if zone.seen == "all" and not zone.each), None)
        for heap in heaps:
            aside = rules.zones[heap.zone].seen == "all" and heap.kind == "set" and heap.zone != first
            if heap.seat is None and (heap.size or not aside):  # an open set besides the table is there while cards lie in it
                yield f"{self.zones[heap.zone]}: {self._heap(heap)}"
        mine = [heap for heap in heaps if heap.seat is not None]
        held = {heap.zone for heap in mine if heap.size} or {heap.zone for heap in mine}  # where nobody has a card is not told
        for seat in range(seats):
            parts = [f"{self.zones[heap.zone]}: {self._heap(heap)}" for heap in mine if heap.seat == seat and heap.zone in held]
            parts += [fact for variable, found in shown if variable.each and (fact := self._fact(variable, found[seat]))]
            name = f"{player(seat)} ({self.say('you')})" if seat == me else player(seat)
            yield f"{name}, " + "; ".join(parts) if parts else name

    def _is_told(self, name: str, found: Sequence[int]) -> bool:
        """Whether something kept that is shown is told in a deal: once somebody has any of it."""
        kind = self.game.rules.variables[name].type
        nothing = ("0",) if kind.kind == "number" else ("no", "")
        return name in self.kept and any(values.write(value, kind, self.game.cards) not in ("none", *nothing) for value in found)

    def _fact(self, variable: Variable, value: int, label: str = "") -> str:
        """A variable with its value, or nothing while that is none or no."""
        label = label or self.variables.get(variable.name) or self.kept[variable.name]
        text = values.write(value, variable.type, self.game.cards, signs=True)
        if variable.type.kind == "yes/no":
            return label if text == "yes" else ""
        if text in ("none", ""):
            return ""
        text = SIGNS.get(text, text) if variable.type.kind == "suit" else named(self.language, variable.type.kind, text)
        return label.replace("{value}", text) if "{value}" in label else f"{label}: {text}"

    def _heap(self, heap: Heap) -> str:
        zone = self.game.rules.zones[heap.zone]
        if heap.kind == "row":
            return "  ".join("/".join(map(self._spot, pile)) for pile in heap.piles) or self.say("empty")
        if not heap.size:
            return self.say("none")
        if heap.kind == "stack":
            spots = heap.piles[0]
            ends = [("top", spots[-1]), *([("bottom", spots[0])] if heap.size > 1 else [])]
            known = [self.say(end, card=self.card(spot.card)) for end, spot in ends if spot.card is not None]
            return "; ".join([self.amount(heap.size), *known]).replace(";", ",")
        if zone.seen == "nobody" or not heap.known:
            return self.amount(heap.size)
        if heap.size == len(heap.known):
            return self.cards(heap.known)
        key = "one known" if len(heap.known) == 1 else "known"
        return f"{self.amount(heap.size)} ({self.say(key, cards=self.cards(heap.known))})"

    def _spot(self, spot: Spot) -> str:
        text = "?" if spot.card is None else self.card(spot.card)
        return f"({text})" if spot.face_down else text

    def amount(self, cards: int) -> str:
        """So many cards."""
        return amount(self.language, cards, "card")

    # ---- moves ----------------------------------------------------------------------------------------------------

    def sentence(self, seat: int, move: Move) -> str:
        """A move as a sentence of the rule file."""
        template = self.game.rules.moves[move.name].say.get(self.language) or f"{{me}}: {move}"
        return filled(template, {**self.speaking.parts(move), "me": player(seat)})

    # ---- what happened --------------------------------------------------------------------------------------------

    def happened(self, told: Told, eye: int | None) -> Iterator[str]:
        """What a move led to besides itself (of the deal, only what was shown), as a seat sees it; None sees everything."""
        events = [event for event in self._as_they_lay(told) if event[0] != "move" or told.move is not None]
        named = set(self._picked(told.move))
        for kind, run in groupby(events, key=lambda event: event[0]):
            if kind == "move":
                yield from self._moved(_unnamed(run, named), eye)
            elif kind == "show":
                yield from self._shown([*run], eye)
            elif kind == "shuffle" and told.move is not None:
                yield from (self.say("shuffled", zone=[*self.zones.values()][int(event[1])]) for event in run)

    def _as_they_lay(self, told: Told) -> list[tuple[Any, ...]]:
        """The events: of a card that moves also whether it lay face down, of one that is shown where it lies; not what lies open anyway."""
        zones = [*self.game.rules.zones.values()]
        lies = {
            card: (zone, seat)
            for zone in zones
            for seat in (range(told.before[SEATS]) if zone.each else (0,))
            for card in snapshot.cards_of(self.game.program, told.before, zone.name, seat)
        }
        down, found = told.before[FACE_DOWN], list[tuple[Any, ...]]()
        for event in told.events:
            if event[0] == "move":
                _, card, _, _, target, taker, face_down = event
                found.append((*event, down >> card & 1))
                down = down & ~(1 << card) | face_down << card
                lies[card] = (zones[target], taker)
            elif event[0] == "show":
                _, card, to = event
                zone, seat = lies[card]
                if zone.seen != "all" or down >> card & 1:
                    found.append((*event, zone, seat))
                if to < 0:
                    down &= ~(1 << card)
            elif event[0] == "shuffle":
                found.append(event)
        return found

    def _picked(self, move: Move | None) -> frozenset[int]:
        """The cards that a move picked: its sentence has named them."""
        if move is None:
            return frozenset()
        kinds = [pick.type.kind for pick in self.game.rules.moves[move.name].picks]
        cards = [value for value, kind in zip(move.picks, kinds, strict=True) if kind in ("card", "cards") and value is not None]
        return frozenset(card for value in cards for card in (value if isinstance(value, tuple) else (value,)))

    def _moved(self, events: Sequence[Any], eye: int | None) -> Iterator[str]:
        zones = [*self.game.rules.zones.values()]
        ways: dict[tuple[Any, ...], list[tuple[int, bool]]] = {}
        for _, card, source, giver, target, taker, down, lay_down in events:
            looked_at = not down and ((_sees(zones[source], giver, eye) and not lay_down) or _sees(zones[target], taker, eye))
            ways.setdefault((source, giver, target, taker), []).append((self.game.cards.kind(card), eye is None or looked_at))
        for (source, giver, target, taker), cards in ways.items():
            known, hidden = sorted(card for card, seen in cards if seen), [card for card, seen in cards if not seen]
            what = " + ".join(part for part in (self.cards(known), self.amount(len(hidden)) if hidden else "") if part)
            yield f"{self.place(zones[source], giver)} {ARROW} {self.place(zones[target], taker)}: {what}"

    def _shown(self, events: Sequence[Any], eye: int | None) -> Iterator[str]:
        for to, run in groupby(events, key=lambda event: event[2]):
            cards = ", ".join(dict.fromkeys(self._where(card, zone, seat) for _, card, _, zone, seat in run))
            if to < 0:
                yield self.say("shown", cards=cards)
            elif eye in (None, to):
                yield self.say("shown to", player=player(to), cards=cards)

    def _where(self, card: int, zone: Zone, seat: int) -> str:
        """A card with the place where it lies."""
        key = "held" if zone.each and len(self._each) == 1 else "lies"
        return self.say(key, card=self.card(self.game.cards.kind(card)), place=self.place(zone, seat))

    # ---- the end --------------------------------------------------------------------------------------------------

    def ending(self, outcome: Outcome) -> Iterator[str]:
        """How the deal ended: who lost or else who won, everybody's place, the scores."""
        finish = self.game.rules.finish
        best = outcome.winners if finish.winner is not None or outcome.stalemate else _first(outcome.places)
        sentence = self._ended(finish.says, "lost", outcome.losers, best)
        if not sentence and outcome.winners:
            key = "won together" if outcome.winners[1:] else "won"
            sentence = self.say(key, winner=self._and([*map(player, outcome.winners)]))
        if sentence:
            yield self.say("over", sentence=sentence)
        else:
            yield self.say("stalemate" if outcome.stalemate else "draw")
        yield self._places(outcome.places)
        if outcome.scores:
            yield "; ".join(self._score(self.scores[name], tuple(map(str, found))) for name, found in outcome.scores.items())

    def score(self, kept: Kept) -> Iterator[str]:
        """The score line of a match: what is kept and has a name."""
        facts = []
        for name, label in self.kept.items():
            variable, value = self.game.rules.variables[name], kept[name]
            if isinstance(value, tuple):
                facts.append(self._score(label, tuple(values.write(one, variable.type, self.game.cards, signs=True) for one in value)))
            elif fact := self._fact(variable, value, label):
                facts.append(fact)
        if facts:
            yield "; ".join(facts)

    def match(self, deals: int, standing: Standing) -> Iterator[str]:
        """How a match stands, or how it ended, after so many deals."""
        match, played = self.game.rules.match, amount(self.language, deals, "deal")
        if match.over is not None and not standing.over:
            yield self.say("match goes on", deals=played)
        elif not standing.places:
            yield self.say("only played", deals=played)
        else:
            sentence = self._ended(match.says, "match lost", standing.losers, _first(standing.places)) or self.say("match drawn")
            yield self.say("match over" if standing.over else "deals played", deals=played, sentence=sentence)
        if standing.places:
            yield self._places(standing.places)

    def _ended(self, says: Mapping[str, str], key: str, losers: Sequence[int], winners: Sequence[int]) -> str:
        """Who has lost or won, in the sentence of the rule file, if it names somebody; else who has lost, in the program's own."""
        said, sides = says.get(self.language, ""), {"loser": losers, "winner": winners}
        named = [side for side in sides if f"{{{side}}}" in said] or ["loser"]
        if not said or not all(sides[side] for side in named):
            said = self.say(f"{key} together" if losers[1:] else key, loser="{loser}") if losers else ""
        return filled(said, {side: self._and([*map(player, seats)]) for side, seats in sides.items() if seats})

    def _score(self, label: str, texts: Sequence[str]) -> str:
        """A value of each player, with what it is called."""
        return self.say("score", name=label, values=", ".join(f"{player(seat)} {text}" for seat, text in enumerate(texts)))

    def _places(self, places: Sequence[int]) -> str:
        shared: dict[int, list[str]] = {}
        for seat in sorted(range(len(places)), key=lambda seat: (places[seat], seat)):
            shared.setdefault(places[seat], []).append(player(seat))
        return ", ".join(
            self.say("place" if number else "first place", place=place, players=self._and(names))
            for number, (place, names) in enumerate(shared.items())
        )

    def _and(self, names: Sequence[str]) -> str:
        return self.say("and", some=", ".join(names[:-1]), last=names[-1]) if names[1:] else names[0]


def _first(places: Sequence[int]) -> tuple[int, ...]:
    """The seats that have the first place; nobody where all share it."""
    found = tuple(seat for seat, place in enumerate(places) if place == 1)
    return found if len(found) < len(places) else ()


def _unnamed(events: Iterable[Any], named: set[int]) -> list[Any]:
    """The movements of cards without the first of each card that the sentence of the move has named: later ones it does not tell."""
    found = []
    for event in events:
        if event[1] in named:
            named.remove(event[1])
        else:
            found.append(event)
    return found


def _sees(zone: Zone, seat: int, eye: int | None) -> bool:
    return zone.seen == "all" or (zone.seen == "owner" and seat == eye)
