"""One range of deals, played wherever it was sent: plain values in, plain values out. Knows nothing of how it travels.

The rules come as text and are compiled where they are played, once in a process. Who plays a range with another program than the one
that has sent it, or makes other rules of the text, refuses.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from durak_dsl.compiler.runtime import seed_of
from durak_dsl.problems import RuleError
from durak_dsl.source.parcel import packed, unpacked
from durak_dsl.study.playout import MOST_MOVES
from durak_dsl.study.simulate import Statistics, by_chance, by_players
from durak_dsl.study.version import code, version
from durak_dsl.table.game import Game, game_of

MOST_KEPT = 64


@dataclass(frozen=True)
class Errand:
    """What is the same for all ranges of one run.

    `rules` is their text as it travels, `engine` is `auto`, or `python` for no machine code.
    """

    rules: str
    settings: dict[str, str]
    seats: int
    seed: int
    players: str
    engine: str
    hash: str
    code: str
    version: str

    @classmethod
    def of(cls, game: Game, seats: int, seed: int, players: str = "random", engine: str = "auto") -> Errand:
        """The errand of deals of a game."""
        game.check_seats(seats)
        return cls(packed(game.document), dict(game.settings), seats, seed, players, engine, game.hash, code(), version())

    def plain(self) -> dict[str, Any]:
        """All but the rules, as plain values."""
        return {name: value for name, value in vars(self).items() if name != "rules"}


class _Refused(Exception):
    """Why these deals are not played here."""


def play(rules: str, told: dict[str, Any], first: int, last: int) -> dict[str, Any]:
    """What the deals from one number up to another came to, by what is told of an errand.

    `counts` are those of `Statistics`, with the `engine` that has found them; or `wrong` is the number of the first deal that goes wrong,
    or `refused` says in a sentence why nothing was played.
    """
    try:
        game = _game(rules, told)
    except _Refused as refused:
        return {"refused": str(refused)}
    seats, seed, players = told["seats"], told["seed"], told["players"]
    if players == "random" and told["engine"] != "python" and (native := _native(game)) is not None:
        well, number, counts = native.deals(seats, seed, first, last, MOST_MOVES)
        return {"counts": [int(count) for count in counts], "engine": "native"} if well else {"wrong": number}
    found = Statistics(seats)
    for number in range(first, last):
        try:
            one = seed_of(seed, number)
            found.add(by_chance(game, seats, one) if players == "random" else by_players(game, seats, one, players))
        except Exception:  # whatever it is: who has sent the errand plays the deal again and sees it
            return {"wrong": number}
    return {"counts": found.counts([*game.rules.finish.scores]), "engine": "python"}


_GAMES: dict[tuple[object, ...], Game] = {}
_NATIVE: dict[Game, Any] = {}
_ONE_AT_A_TIME = threading.Lock()  # a process plays several ranges at once, but compiles a game once


def _game(rules: str, told: dict[str, Any]) -> Game:
    if told["code"] != code():
        raise _Refused(f"the program there is version {version()}, not {told['version']}: install the same one everywhere")
    key = (told["hash"], told["seats"], *sorted(told["settings"].items()))
    with _ONE_AT_A_TIME:
        if key not in _GAMES:
            try:
                game = game_of(unpacked(rules), told["settings"])
                game.check_seats(told["seats"])
            except RuleError as error:
                raise _Refused(f"the rules are refused there: {error.problems[0].message}") from None
            if game.hash != told["hash"]:
                raise _Refused(f"the rules come to other rules there: their hash is {game.hash}, not {told['hash']}")
            if len(_GAMES) >= MOST_KEPT:
                _GAMES.clear()
                _NATIVE.clear()
            _GAMES[key] = game
            assert game.program
        return _GAMES[key]


def _native(game: Game) -> Any:
    """The game as machine code; None where there is none here, whatever the reason: interpreted it comes to the same."""
    from durak_dsl.native import build

    with _ONE_AT_A_TIME:
        if game not in _NATIVE:
            try:
                _NATIVE[game] = build.built(game.program)
                _NATIVE[game].deals(min(game.seats), 0, 0, 1, MOST_MOVES)  # compiles it, while the others wait
            except Exception:  # NoNative, and whatever a compiler may raise
                _NATIVE[game] = None
        return _NATIVE[game]
