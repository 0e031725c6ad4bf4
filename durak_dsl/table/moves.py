"""Whole moves and their notation, both ways: `beat 6C 9C` is what the move's `write` template makes of its picks.

A pile is written by the top card that lies face up (by all its cards, `6C/9C`, where that is not enough), and read by any of its cards.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from durak_dsl.language.ir import Move as RuleOfMove
from durak_dsl.language.ir import Rules
from durak_dsl.problems import Problem, RuleError, did_you_mean, listed
from durak_dsl.table.cards import Cards, WrongText, bits, player, read_player, words
from durak_dsl.table.choosing import Picked, Picks
from durak_dsl.table.reasons import Unreadable, unreadable

Label = tuple[int, ...]


@dataclass(frozen=True)
class Move:
    """What a player does: the name of the move and the value of each pick (a number, cards, or None). `str` is its notation, with signs."""

    name: str
    picks: Picks = ()
    labels: Mapping[int, Label] = field(default_factory=dict, compare=False, repr=False)
    notation: Notation | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text(signs=True)

    def text(self, signs: bool = False) -> str:
        """The notation of the move, with letters or signs for suits."""
        return self.notation.write(self, signs) if self.notation else self.name

    def parts(self, signs: bool = False) -> dict[str, str]:
        """The text of each pick by its name, for a sentence about the move."""
        return self.notation.parts(self, signs) if self.notation else {}


@dataclass(frozen=True)
class Reading:
    """What a text may mean: a move, and for each pick the kinds of cards (or the number) that it names; None where it says nothing."""

    name: str
    values: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True)
class _Template:
    """The notation of one move: words, and the numbers of picks."""

    rule: RuleOfMove
    items: tuple[str | int, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(item for item in self.items if isinstance(item, str))


class Notation:
    """The notation of the moves of one game, in which these cards are dealt."""

    def __init__(self, rules: Rules, dealt: Sequence[int]):
        self.cards = Cards(rules.deck, dealt)
        self.seats = max(rules.counts)
        self.templates = {name: _template(rule) for name, rule in rules.moves.items()}
        problems = [problem for template in self.templates.values() for problem in _gaps(template)]
        if problems := problems or list(_alike(self.templates)):
            raise RuleError(problems)

    # ---- writing --------------------------------------------------------------------------------------------------

    def write(self, move: Move, signs: bool = False) -> str:
        """The text of a move."""
        template = self.templates[move.name]
        parts = (item if isinstance(item, str) else self._value(move, item, signs) for item in template.items)
        return " ".join(part for part in parts if part)

    def parts(self, move: Move, signs: bool = False) -> dict[str, str]:
        """The text of each pick by its name."""
        picks = self.templates[move.name].rule.picks
        return {pick.name: self._value(move, position, signs) for position, pick in enumerate(picks)}

    def _value(self, move: Move, position: int, signs: bool) -> str:
        value = move.picks[position]
        kind = self.templates[move.name].rule.picks[position].type.kind
        if value is None:
            return ""
        if isinstance(value, tuple):
            return self.cards.list(value, signs)
        if kind == "pile":
            label = move.labels.get(position, ())
            return "/".join(self.cards.text(card, signs) for card in label) or f"pile {value + 1}"
        if kind == "card":
            return self.cards.text(value, signs)
        if kind == "number":
            return str(value)
        return {"suit": self.cards.suits, "rank": self.cards.ranks}[kind][value] if kind in ("suit", "rank") else player(value)

    def any_copies(self, move: Move) -> Move:
        """The move with the first copies of the cards picked: moves that look alike become the same."""
        if self.cards.copies == 1:
            return move
        rules = self.templates[move.name].rule.picks
        picks: list[Picked] = []
        for value, rule in zip(move.picks, rules, strict=True):
            if isinstance(value, tuple):
                value = tuple(bits(self.cards.first_copies(sum(1 << card for card in value))))
            elif value is not None and rule.type.kind == "card":
                value = self.cards.first_copy(value)
            picks.append(value)
        return Move(move.name, tuple(picks), move.labels, self)

    # ---- reading --------------------------------------------------------------------------------------------------

    def read(self, text: str) -> list[Reading]:
        """What the text may mean, likeliest first; Unreadable where it is no move of these rules."""
        tokens = [word for word, _ in words(text)]
        found: list[Reading] = []
        for template in self.templates.values():
            for values in self._match(template, template.items, tokens):
                reading = Reading(template.rule.name, tuple(values.get(position) for position in range(len(template.rule.picks))))
                if reading not in found:
                    found.append(reading)
        if not found:
            raise self._unreadable(text, tokens)
        return found

    def read_bare(self, text: str) -> list[Reading]:
        """What the text may mean if it names only cards and other picks, without the words of a move; piles may be left out."""
        tokens = [word for word, _ in words(text)]
        found = []
        for template in self.templates.values():
            slots = tuple(item for item in template.items if isinstance(item, int))
            without = tuple(slot for slot in slots if template.rule.picks[slot].type.kind != "pile")
            for items in dict.fromkeys((slots, without)):
                for values in self._match(template, items, tokens) if items and tokens else ():
                    found.append(Reading(template.rule.name, tuple(values.get(position) for position in range(len(template.rule.picks)))))
        return found

    def _match(self, template: _Template, items: tuple[str | int, ...], tokens: list[str]) -> Iterator[dict[int, tuple[int, ...]]]:
        """The values of picks with which these words and picks make up the tokens."""
        if not items:
            if not tokens:
                yield {}
            return
        first, rest = items[0], items[1:]
        if isinstance(first, str):
            if tokens and tokens[0].casefold() == first.casefold():
                yield from self._match(template, rest, tokens[1:])
            return
        pick = template.rule.picks[first]
        most = len(tokens) if pick.several else min(1, len(tokens))
        least = 0 if pick.several or pick.when is not None else 1
        for count in range(most, least - 1, -1):
            value = self._token_values(pick.type.kind, tokens[:count])
            if value is None:
                continue
            for values in self._match(template, rest, tokens[count:]):
                yield {**values, first: value} if count or pick.several else values

    def _token_values(self, kind: str, tokens: list[str]) -> tuple[int, ...] | None:
        try:
            if kind == "pile":
                return tuple(self.cards.read_kind(word) for token in tokens for word in token.split("/"))
            if kind in ("card", "cards"):
                return tuple(self.cards.read_kind(token) for token in tokens)
            read = {"suit": self.cards.read_suit, "rank": self.cards.read_rank, "number": read_number}.get(kind)
            return tuple(read(token) if read else read_player(token, self.seats) for token in tokens)
        except WrongText:
            return None

    # ---- what is wrong with a text --------------------------------------------------------------------------------

    def _unreadable(self, text: str, tokens: list[str]) -> Unreadable:
        if not tokens:
            return unreadable("nothing")
        said = [token.casefold() for token in tokens]
        begun = [
            template
            for template in self.templates.values()
            if template.words and said[: len(self._start(template))] == self._start(template)
        ]
        if begun:
            template = max(begun, key=lambda template: len(self._start(template)))
            return self._wrong_picks(template, tokens[len(self._start(template)) :])
        strange = [token for token in tokens if not self.cards.is_card(token)]
        if not strange:
            return unreadable("no fit", said=text.strip())
        name = " ".join(strange)
        if (called := self.templates.get(name)) is not None:  # by its name in the rules, not as it is written
            return self._wrong_picks(called, [token for token in tokens if token not in strange])
        written = [" ".join(template.words) for template in self.templates.values()]
        hint = did_you_mean(name.casefold(), written)
        if not hint and any(char.isdigit() for char in strange[0]):
            return unreadable("no card", said=strange[0])
        return unreadable("unknown", hint=hint or f"the moves are {listed(self.called(), 'and')}", said=name, meant=hint)

    def called(self, among: Collection[str] | None = None) -> list[str]:
        """The words with which the notation of moves begins, else their names: of the moves of these names, or of all."""
        chosen = [template for name, template in self.templates.items() if among is None or name in among]
        return [*dict.fromkeys(" ".join(self._start(template)) or template.rule.name for template in chosen)]

    def _start(self, template: _Template) -> list[str]:
        """The words with which the notation begins."""
        count = next((index for index, item in enumerate(template.items) if not isinstance(item, str)), len(template.items))
        return [item.casefold() for item in template.items[:count] if isinstance(item, str)]

    def _wrong_picks(self, template: _Template, rest: list[str]) -> Unreadable:
        pattern = " ".join(item if isinstance(item, str) else template.rule.picks[item].name.upper() for item in template.items)
        kinds = {pick.type.kind for pick in template.rule.picks}
        for token in rest:
            for word in token.split("/") if kinds <= {"card", "cards", "pile"} else ():
                try:
                    self.cards.read_kind(word)
                except WrongText as error:
                    return unreadable("no card", hint=error.hint, said=word or token)
        return unreadable("written", move=template.rule.name, pattern=pattern + self._sample(template))

    def _sample(self, template: _Template) -> str:
        """The notation filled in, as in `beat 6C 9C`, where it has nothing but cards."""
        kinds = {pick.type.kind for pick in template.rule.picks}
        if not kinds or not kinds <= {"card", "cards", "pile"}:
            return ""
        cards = self.cards
        if not cards.dealt:
            return ""
        suits = len(cards.suits)
        dealt = list(dict.fromkeys(map(cards.kind, cards.dealt)))
        suit = [kind * cards.copies for kind in dealt if kind % suits == dealt[0] % suits]
        texts = [cards.text(suit[3 * position % len(suit)]) for position in range(len(template.rule.picks))]
        return ", as in " + " ".join(item if isinstance(item, str) else texts.pop(0) for item in template.items)


def read_number(word: str) -> int:
    """The number that is picked by a word; WrongText where it is none."""
    if not re.fullmatch(r"0|[1-9][0-9]{0,3}", word, re.ASCII):
        raise WrongText(f"'{word}' is no number")
    return int(word)


def _template(rule: RuleOfMove) -> _Template:
    names = {pick.name: position for position, pick in enumerate(rule.picks)}
    items: list[str | int] = []
    for part in re.findall(r"\{[^{}]*\}|[^{}]+", rule.write):
        if part.startswith("{") and part[1:-1] in names:
            items.append(names[part[1:-1]])
        else:
            items += [word for word, _ in words(part)]
    return _Template(rule, tuple(items))


def _gaps(template: _Template) -> Iterator[Problem]:
    """What is wrong with one notation: a pick that is not named, or is named twice, or a name that is no pick."""
    rule = template.rule
    for position, pick in enumerate(rule.picks):
        if template.items.count(position) != 1:
            often = "does not name" if position not in template.items else "names more than once"
            yield Problem("notation", f"the notation '{rule.write}' of move '{rule.name}' {often} its pick '{pick.name}'", rule.span)
    for word in template.words:
        if "{" in word:
            hint = did_you_mean(word.strip("{}"), [pick.name for pick in rule.picks])
            yield Problem(
                "notation", f"the notation '{rule.write}' of move '{rule.name}' names {word}, which is not picked", rule.span, hint
            )


def _alike(templates: Mapping[str, _Template]) -> Iterator[Problem]:
    """Moves of one phase that would be written alike."""
    seen: dict[tuple[str, ...], str] = {}
    for name, template in templates.items():
        kinds = [item.casefold() if isinstance(item, str) else f"{{{template.rule.picks[item].type.kind}}}" for item in template.items]
        for phase in template.rule.phases:
            key = (phase, *kinds)
            other = seen.setdefault(key, name)
            if other != name:
                yield Problem("notation", f"moves '{other}' and '{name}' of phase '{phase}' are written alike", template.rule.span)


def split_seat(text: str, seat: int | None = None) -> tuple[int | None, str]:
    """The seat with which the text of a move begins (`P2 take`), and the rest."""
    match = re.match(r"\s*[Pp]([1-9])(?:\s*:)?(?=\s)\s*", text)
    return (int(match[1]) - 1, text[match.end() :]) if match else (seat, text)
