"""Rules with their options settled: what is dealt and played."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from durak_dsl.compiler.assembly import cards_in_game
from durak_dsl.compiler.program import Program
from durak_dsl.language.check import Setting, check, settle
from durak_dsl.language.ir import Rules
from durak_dsl.language.walking import inside, phases_after
from durak_dsl.problems import Problem, RuleError, listed, must_be_whole
from durak_dsl.source import library, overlay
from durak_dsl.source.overlay import Document
from durak_dsl.table.cards import Cards
from durak_dsl.table.choosing import Choosing
from durak_dsl.table.moves import Notation
from durak_dsl.table.snapshot import Reader, cards_of

MOST_KEPT = 64


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its rules and the value of every option. What has to be compiled is compiled when it is needed."""

    document: Document
    rules: Rules
    values: Mapping[str, int] = field(repr=False)
    _others: dict[tuple[int, ...], Game] = field(default_factory=dict, repr=False)  # the same rules with other options

    @property
    def id(self) -> str:
        """The names of the rules, joined by `+`."""
        return self.rules.id

    @property
    def called(self) -> str:
        """What finds the rules again: their names joined by `+`, and for files from outside the library the paths that were given."""
        files = {file.id: file for file in self.document.files}
        return "+".join(library.asked_as(files[id]) for id in self.id.split("+"))

    @property
    def hash(self) -> str:
        """Sixteen hexadecimal digits that only these resolved rules have."""
        return self.rules.hash

    @cached_property
    def options(self) -> Mapping[str, str]:
        """The value of every option, as it is written."""
        return {name: option.text(self.values[name]) for name, option in self.rules.options.items()}

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """The options that do not have their default values."""
        return {name: text for name, text in self.options.items() if self.values[name] != self.rules.options[name].default}

    def with_options(self, settings: Mapping[str, Setting]) -> Game:
        """The same rules with other values of some options; RuleError for unknown ones."""
        if not isinstance(settings, Mapping):
            raise TypeError(f"the settings are options with their values, such as {{'name': 'value'}}, not {settings!r}")
        return self._with(settle(self.rules, {**self.settings, **settings}))

    def _with(self, values: Mapping[str, int]) -> Game:
        key = tuple(values.values())
        if key not in self._others:
            if len(self._others) >= MOST_KEPT:
                self._others.clear()
            self._others[key] = Game(self.document, self.rules, values, self._others)
        return self._others[key]

    # ---- what is worked out from them -----------------------------------------------------------------------------

    @cached_property
    def notation(self) -> Notation:
        """The notation of the moves."""
        return Notation(self.rules, cards_in_game(self.rules, self.values))

    @cached_property
    def cards(self) -> Cards:
        """The texts of the cards."""
        return self.notation.cards

    @cached_property
    def program(self) -> Program:
        """The compiled rules."""
        return Program(self.rules, self.values)

    @cached_property
    def phases_from(self) -> Mapping[str, set[str]]:
        """The phases that play can come to from each phase."""
        return {name: phases_after(self.rules, inside(self.rules, name)) for name in self.rules.phases}

    @cached_property
    def choosing(self) -> Choosing:
        """What finds whole moves."""
        return Choosing(self.program)

    @cached_property
    def reader(self) -> Reader:
        """What reads positions as canonical tuples."""
        return Reader(self.program)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """How many may play: the numbers that the rules allow and for which the cards suffice."""
        return tuple(count for count in self.rules.counts if self._suffices(count))

    def _suffices(self, seats: int) -> bool:
        """Whether there are cards enough for so many.

        There are where no `deal` of the setup runs short, unless it does so with the fewest players too (then all cards are meant to be
        dealt out) and nobody is left without any card.
        """
        fewest = min(self.rules.counts)
        if seats == fewest:
            return True
        short, nothing = self._shortage(seats)
        return not nothing and short <= self._shortage(fewest)[0]

    def _shortage(self, seats: int) -> tuple[frozenset[int], bool]:
        """The zones (by number) for which a `deal` ran short with so many players, and whether somebody got nothing there."""
        short = self.program.plain.short
        short.clear()
        state = self.program.new(seats)
        zones = list(self.rules.zones)
        nothing = any(not cards_of(self.program, state, zones[number], seat) for number, seat in short)
        return frozenset(number for number, _ in short), nothing

    def check_seats(self, seats: int) -> None:
        """RuleError where so many cannot play."""
        must_be_whole(seats=seats)
        if seats in self.rules.counts and self._suffices(seats):
            return
        counts = listed([str(count) for count in self.seats])
        if seats in self.rules.counts:
            options = ", ".join(f"{name}={text}" for name, text in self.settings.items())
            message = f"{self.id}{f' with {options}' if options else ''} does not have enough cards for {seats} players; {counts} can play"
        else:
            message = f"{self.id} is played by {counts}, not by {seats}"
        raise RuleError(Problem("seats", message))


# Games as they are by default, by the files that they are made of: what was loaded before is not checked and compiled again.
_LOADED: dict[tuple[object, ...], Game] = {}


def load(rules: str | os.PathLike[str], settings: Mapping[str, Setting] | None = None, later_wins: bool = False) -> Game:
    """The game of rules by name, path or combination (`game+edit`), with some options set; RuleError with all that is wrong."""
    if not isinstance(rules, str):
        if not isinstance(rules, os.PathLike):
            raise TypeError(f"the rules are a name, a path or several joined by +, not {rules!r}")
        rules = os.path.join(".", rules)  # a path, also where it looks like a name
    return game_of(overlay.resolve(rules, later_wins=later_wins), settings)


def game_of(document: Document, settings: Mapping[str, Setting] | None = None) -> Game:
    """The game of resolved rules, with some options set; RuleError with all that is wrong."""
    # The same rules may be called by other names; a file that changes is another value.
    key = (document.id, document.hash, *(id(file) for file in document.files))
    if key not in _LOADED:
        checked = check(document)
        game = Game(document, checked, settle(checked, {}))
        assert game.notation  # its problems are problems of the rules
        if len(_LOADED) >= MOST_KEPT:
            _LOADED.clear()
        _LOADED[key] = game._others[tuple(game.values.values())] = game
    return _LOADED[key].with_options({} if settings is None else settings)
