"""What the person says whose turn it is, both ways: his moves as he would call them, what he types as notation, and why he may not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from durak_dsl.players.person import folded
from durak_dsl.problems import IllegalMove, did_you_mean
from durak_dsl.table.cards import player
from durak_dsl.table.moves import Move, split_seat
from durak_dsl.table.reasons import REASONS as ENGLISH
from durak_dsl.texts.words import PICKS, REASONS, in_letters, in_the_rules_words, named

if TYPE_CHECKING:
    from durak_dsl.language.ir import Move as RuleOfMove
    from durak_dsl.table.game import Game

_PICK = re.compile(r"\{([^{}]*)\}")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """A sentence of the rule file with its parts; what is left empty leaves no gap."""
    text = _PICK.sub(lambda match: parts.get(match[1], match[0]), template)
    return re.sub(r" {2,}", " ", text).strip(" :")


@dataclass(frozen=True)
class Speaking:
    """Speaks with the persons who play a game, in one language."""

    game: Game
    language: str
    zones: Mapping[str, str]

    # ---- what may be said -----------------------------------------------------------------------------------------

    def parts(self, move: Move) -> dict[str, str]:
        """The text of each pick by its name, suits and ranks as people call them."""
        kinds = {pick.name: pick.type.kind for pick in self.game.rules.moves[move.name].picks}
        return {name: named(self.language, kinds[name], text) for name, text in move.parts(signs=True).items()}

    def offer(self, move: Move) -> str:
        """A move as it stands in the list of those that may be made: as the rules have it called, else its notation."""
        calls = self._calls(self.game.rules.moves[move.name])
        return filled(calls[0], self.parts(move)) if calls else self._unnamed(move)

    def _unnamed(self, move: Move) -> str:
        said = self.game.rules.moves[move.name].say.get(self.language)
        return str(move) if self.language == "en" or not said else filled(said, {**self.parts(move), "me": ""})

    def phrases(self, seat: int, move: Move) -> Iterator[str]:
        """All texts that mean a move: its calls and its sentence, with the player or without."""
        rule, parts = self.game.rules.moves[move.name], self.parts(move)
        yield from (filled(call, parts) for call in self._calls(rule))
        if said := rule.say.get(self.language):
            yield filled(said, {**parts, "me": ""})
            yield filled(said, {**parts, "me": player(seat)})

    def _calls(self, rule: RuleOfMove) -> list[str]:
        return [call.strip() for call in rule.call.get(self.language, "").split("|") if call.strip()]

    def _templates(self, rule: RuleOfMove) -> list[str]:
        return [*self._calls(rule), *([rule.say[self.language].replace("{me}", "")] if self.language in rule.say else [])]

    def called(self, name: str) -> str:
        """A move without what is picked: `беру`; the first word where something is: `перевожу`."""
        rule = self.game.rules.moves[name]
        template = next(iter(self._templates(rule) if self.language != "en" else ()), name)
        return template.split()[0] if "{" in template and template is not name else filled(template, {})

    # ---- what is said ---------------------------------------------------------------------------------------------

    def read(self, line: str) -> str:
        """A typed line with its cards in the letters of the rules."""
        if self.language == "en":
            return line
        line = re.sub(r"^(\s*)[Рр](?=[1-9]\b)", r"\1P", line)  # a Russian letter that looks like that of P1
        return re.sub(r"[^\s,;:/]+", lambda match: self._card(match[0]), line)

    def _card(self, word: str) -> str:
        return letters if self.game.cards.is_card(letters := in_letters(word)) else word

    def notation(self, line: str, phase: str | None) -> str:
        """A line that says a move in the words of its sentence or calls, in notation; any other line as it is."""
        if self.language != "en":
            line = re.sub(r"[^\W\d_]+", lambda match: in_the_rules_words(match[0]), line)
        said = folded(split_seat(line)[1], self.game.cards).split()
        found = []
        for rule, words in self._words:
            if said and said[0] == words[0]:
                found.append(((phase in rule.phases, sum(word in said for word in words)), rule))
        if not found:
            return line
        rule = max(found, key=lambda one: one[0])[1]
        start, _, picks = rule.write.partition("{")
        if "{" in picks and re.search(r"\}\s*[^{\s]", "{" + picks):
            return line  # words between the picks cannot be put in
        spoken = {word for other, words in self._words if other is rule for word in words}
        return " ".join([start.strip(), *(word for word in said if word not in spoken)])

    @cached_property
    def _words(self) -> list[tuple[RuleOfMove, list[str]]]:
        """The words of all sentences and calls."""
        rules = self.game.rules.moves.values()
        told = [(rule, folded(_PICK.sub(" ", template)).split()) for rule in rules for template in self._templates(rule)]
        return [(rule, words) for rule, words in told if words]

    # ---- why not --------------------------------------------------------------------------------------------------

    def reason(self, error: IllegalMove, legal: Sequence[Move] = ()) -> str:
        """Why a move cannot be made, as the end of a sentence; `legal`: what can be made."""
        said = self._english(error, legal) if self.language == "en" else self._reason(error, legal)
        return said if said.endswith("?") else said + "."

    def _english(self, error: IllegalMove, legal: Sequence[Move]) -> str:
        if error.kind != "unknown" or error.parts.get("meant") or not legal:
            return error.reason
        possible = self.game.notation.called({move.name for move in legal})
        return f"{ENGLISH['unknown'].format(**error.parts)}; possible now: {', '.join(possible)}"

    def _reason(self, error: IllegalMove, legal: Sequence[Move]) -> str:
        template = REASONS.get(error.kind)
        if template is None:
            return error.reason
        parts = {name: self._part(name, part) for name, part in error.parts.items()}
        if error.kind == "phase" and legal:
            parts["moves"] = self._part("moves", tuple(move.name for move in legal))
        if error.kind == "written":
            calls = self._templates(self.game.rules.moves[str(error.parts["move"])])
            parts["pattern"] = filled(_PICK.sub("…", calls[0]), {}) if calls else parts["pattern"]
        hint = ""
        if error.kind == "unknown":
            hint = did_you_mean(parts["said"].casefold(), [self.called(name) for name in self.game.rules.moves])
            hint = hint.partition("'")[2].rpartition("'")[0]
            if not hint and legal:
                return template.format(**parts) + f"; сейчас можно {self._part('moves', tuple(move.name for move in legal))}"
        return template.format(**parts) + (f"; может быть, «{hint}»?" if hint else "")

    def _part(self, name: str, part: object) -> str:
        if name == "moves" and isinstance(part, tuple):
            return ", ".join(dict.fromkeys(f"«{self.called(str(one))}»" for one in part))
        if isinstance(part, tuple):
            return ", ".join(f"«{self.offer(one) if isinstance(one, Move) else one}»" for one in part)
        if name == "pick":
            return PICKS.get(str(part), f"«{part}»")
        if name in ("value", "values"):
            return " ".join(named(self.language, "suit", word) for word in str(part).split())
        return self.zones.get(str(part), str(part)) if name == "zone" else str(part)
