"""One range of deals, played wherever it was sent: plain values in, plain values out. Knows nothing of how it travels.

The rules come as text and are compiled where they are played, once in a process. Who plays a range with another program than the one
that has sent it, or makes other rules of the text, refuses.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from durak_dsl.problems import RuleError
from durak_dsl.source.parcel import packed, unpacked
from durak_dsl.study.engines import Choice, Interpreted, NoEngine, asked
from durak_dsl.table.game import Game, game_of
from durak_dsl.version import code, version

MOST_KEPT = 64
Made = TypeVar("Made")


@dataclass(frozen=True)
class Errand:
    """What is the same for all ranges of one run.

    `rules` is their text as it travels. The `engine` `auto` is machine code where there is any, interpreted code elsewhere.
    """

    rules: str
    settings: dict[str, str]
    seats: int
    seed: int
    players: str
    engine: str
    scores: tuple[str, ...]  # the names, in the order of their counts
    hash: str
    code: str
    version: str

    @classmethod
    def of(cls, game: Game, seats: int, seed: int, players: str = "random", engine: str = "auto") -> Errand:
        """The errand of deals of a game."""
        game.check_seats(seats)
        how = (dict(game.settings), seats, seed, players, engine, tuple(game.rules.finish.scores))
        return cls(packed(game.document), *how, game.hash, code(), version())

    def plain(self) -> dict[str, Any]:
        """What who plays must know besides the rules, as plain values."""
        return {name: value for name, value in vars(self).items() if name not in ("rules", "scores")}


class _Refused(Exception):
    """Why these deals are not played here."""


def play(rules: str, told: dict[str, Any], first: int, last: int) -> dict[str, Any]:
    """What the deals from one number up to another came to, by what is told of an errand.

    `counts` are those of `Statistics`, with the `engine` that has found them; or `wrong` is the number of the first deal that goes wrong,
    or `refused` says in a sentence why nothing was played.
    """
    try:
        choice = _choice(rules, told)
    except _Refused as refused:
        return {"refused": str(refused)}
    found = choice.play(range(first, last))
    if found.wrong is not None:
        return {"wrong": found.wrong}
    return {"counts": found.statistics.counts([*choice.play.game.rules.finish.scores]), "engine": choice.name}


# What this process has made: games by their hash and options, and what plays them.
_GAMES: dict[tuple[object, ...], Game] = {}
_CHOICES: dict[tuple[object, ...], Choice] = {}
_ONE_AT_A_TIME = threading.Lock()  # a process plays several ranges at once, but compiles a game once


def _choice(rules: str, told: dict[str, Any]) -> Choice:
    """What plays here."""
    if told["code"] != code():
        raise _Refused(f"the program there is version {version()}, not {told['version']}: install the same one everywhere")
    with _ONE_AT_A_TIME:
        return _kept(_CHOICES, tuple(str(told[name]) for name in sorted(told)), lambda: _chosen(rules, told))


def _chosen(rules: str, told: dict[str, Any]) -> Choice:
    try:
        game = _kept(_GAMES, (told["hash"], *sorted(told["settings"].items())), lambda: _game(rules, told))
        game.check_seats(told["seats"])
    except RuleError as error:
        raise _Refused(f"the rules are not good there: {error.problems[0].message}") from None
    slow = Interpreted(game, told["seats"], told["seed"], told["players"])
    if told["engine"] == "native" or (told["engine"] == "auto" and told["players"] == "random"):
        try:
            return asked("native", slow)
        except NoEngine as reason:
            if told["engine"] == "native":
                raise _Refused(str(reason)) from None
    _ = game.program.playout  # several threads would make it at once
    return Choice("python", slow)


def _game(rules: str, told: dict[str, Any]) -> Game:
    game = game_of(unpacked(rules), told["settings"])
    if game.hash != told["hash"]:
        raise _Refused(f"the rules come to others there: their hash is {game.hash}, not {told['hash']}")
    return game


def _kept(store: dict[tuple[object, ...], Made], key: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """What is in the store under the key, made if it is not there."""
    if key not in store:
        made = make()
        if len(store) >= MOST_KEPT:
            store.clear()
        store[key] = made
    return store[key]
