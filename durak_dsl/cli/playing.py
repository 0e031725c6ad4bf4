"""`play`: a deal at the terminal or in a pipe, line by line; nothing is ever drawn over."""

from __future__ import annotations

import contextlib
import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from durak_dsl.cli.asked import loaded, seats_of, seats_option, with_rules
from durak_dsl.cli.printing import can_show, say, spelled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_dsl import Table
    from durak_dsl.players import Player
    from durak_dsl.table.moves import Move
    from durak_dsl.texts.telling import Telling

MOST_MOVES = 5_000
MOST_OFFERED = 60  # moves in the list that a person is offered; the others are made by their text or cards
SPECTATOR = -1  # who sees what lies open, and no more

lang_option = click.option("--lang", type=click.Choice(["en", "ru"]), default=None, help="The language (default: that of the terminal).")


def chosen_language(lang: str | None) -> str:
    """The language asked for, else Russian where the environment says so and the terminal has the letters."""
    if lang == "ru" and not can_show("ж"):
        say(f"the terminal's encoding ({getattr(sys.stdout, 'encoding', None)}) has no Russian letters: this is told in English", err=True)
        return "en"
    if lang is not None:
        return lang
    said = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "ru" if said.startswith("ru") and can_show("ж") else "en"


@click.command("play")
@with_rules
@seats_option("How many players (default: the fewest).")
@click.option("--seed", type=int, default=None, metavar="S", help="The seed of the deal (default: by chance; it is printed).")
@click.option(
    "--deck", default=None, metavar="CARDS", help="The deck instead of a seed, top first; ... stands for all other cards in order."
)
@click.option("--as", "mine", multiple=True, default=(), metavar="P1", help="The seat of a person (may be repeated; default: P1).")
@click.option(
    "--opponents", type=click.Choice(["random", "search"]), default="search", show_default=True, help="Who plays the other seats."
)
@click.option("--auto", is_flag=True, default=False, help="Let machine players play all seats and print the deal.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Write the record of the deal to a new file.",
)
@lang_option
def play_command(
    rules: str,
    settings: tuple[tuple[str, str], ...],
    later_wins: bool,
    seats: int | None,
    seed: int | None,
    deck: str | None,
    mine: tuple[str, ...],
    opponents: str,
    auto: bool,
    record: Path | None,
    lang: str | None,
) -> None:
    """Play a deal of RULES against machine players. What they know is what their seats see.

    A move is answered by its number, its text (beat 6C 9C) or its cards alone (6C 9C); undo, quit and ? do what they say.
    Lines may come from a pipe.
    """
    import durak_dsl
    from durak_dsl.compiler.runtime import mix
    from durak_dsl.players import machine
    from durak_dsl.texts.telling import Telling

    if auto and mine:
        raise click.UsageError("--as names a person's seat; with --auto there is none")
    if seed is not None and deck is not None:
        raise click.UsageError("a deal is either of a --seed or of a --deck")
    if record is not None and os.path.lexists(record):
        raise click.UsageError(f"{record} is already there; a record is written to a new file")
    game = loaded(rules, settings, later_wins)
    count = seats_of(game, seats)
    people = [] if auto else [_seat(text, count) for text in mine or ("P1",)]
    if seed is None and deck is None:
        seed = int.from_bytes(os.urandom(4), "big")
    table = durak_dsl.deal(game, count, seed=seed, deck=deck)
    machines = {seat: machine(opponents, mix((seed or 0) ^ mix(seat))) for seat in range(count) if seat not in people}
    session = Session(table, Telling(game, chosen_language(lang)), people, machines)
    with _opened(record) as file:
        try:
            session.run()
        finally:
            if file is not None:
                session.write(file)


def listed(moves: Sequence[Move]) -> list[Move]:
    """The moves in the order in which a person is offered them: what picks nothing last; of too many, those of the fewest cards first."""
    plain = [move for move in moves if not move.picks]
    picked = [move for move in moves if move.picks]
    if len(moves) <= MOST_OFFERED:
        return picked + plain
    picked.sort(key=lambda move: sum(len(value) if isinstance(value, tuple) else 1 for value in move.picks))
    shown = max(MOST_OFFERED - len(plain), 0)
    return picked[:shown] + plain + picked[shown:]


def _opened(path: Path | None) -> AbstractContextManager[TextIO | None]:
    """The new file for the record, opened before the deal: it would be too late afterwards to say that it cannot be."""
    if path is None:
        return contextlib.nullcontext()
    try:
        return path.open("x", encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it has no proper name"
        raise click.UsageError(f"{path} cannot be written: {reason}") from None


def _seat(text: str, seats: int) -> int:
    word = text.strip().upper().removeprefix("P")
    if not (word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= seats):
        raise click.UsageError(f"'{text}' is no seat; the seats are P1 to P{seats}")
    return int(word) - 1


class Session:
    """One deal played to its end, or until somebody breaks it off."""

    def __init__(self, table: Table, telling: Telling, people: list[int], machines: Mapping[int, Player]):
        self.table = table
        self.telling = telling
        self.people = people
        self.machines = machines
        self.stood = 0  # how many moves had been made when it was last told how things stand
        # What happens is told as one person sees it; where several sit at one terminal, as everybody does; where nobody does, all is open.
        self.eye = None if not people else people[0] if len(people) == 1 else SPECTATOR

    def run(self) -> None:
        """Play."""
        self._introduce()
        while (actor := self.table.actor) is not None:
            if actor in self.people:
                move = self._ask()
                if move is None:
                    return
            else:
                if not self.people and self._begins_anew():
                    self.stood = len(self.table.made)
                    say()
                    self._stand(None)
                move = self.machines[actor].choose(self.table)
            self._make(move)
        say()
        self._stand(None)
        for line in self.telling.ending(self.table.outcome()):
            say(line)

    def write(self, file: TextIO) -> None:
        """Write the record of what was played to the file; to the standard error where the file takes no more."""
        from durak_dsl.table import record

        text = record.write(self.table)
        try:
            file.write(text)
            file.flush()
        except OSError as error:
            say(f"{file.name} cannot be written: {error.strerror}; the record is:\n{text}", err=True)
            click.get_current_context().exit(1)

    def _introduce(self) -> None:
        from durak_dsl.texts.words import amount

        telling, table = self.telling, self.table
        players = amount(telling.language, table.seats, "player")
        key = "deal from deck" if table.seed is None else "deal from seed"
        say(telling.say(key, rules=telling.title, players=players, seed=table.seed))
        for line in (*telling.teams(table.seats), *telling.happened(table.told()[0], self.eye)):
            say(line)

    def _begins_anew(self) -> bool:
        """Whether the deal is back in the phase in which it began, and everybody may have moved since things were last told."""
        from durak_dsl.compiler.layout import NODE

        made = self.table.made
        if not made:
            return True
        return len(made) - self.stood >= self.table.seats and self.table.phase == self.table.program.nodes[made[0].before[NODE]].phase

    def _stand(self, seat: int | None) -> None:
        lines = self.telling.open_standing(self.table) if seat is None else self.telling.standing(self.table.view(seat))
        for line in lines:
            say(line)

    def _make(self, move: Move) -> None:
        from durak_dsl.cli.app import Limit

        actor = self.table.actor
        assert actor is not None
        say(self.telling.sentence(actor, move))
        self.table.play(move)
        for line in self.telling.happened(self.table.told()[-1], self.eye):
            say(f"   {line}")
        if len(self.table.made) >= MOST_MOVES:
            raise Limit(f"the deal is not over after {MOST_MOVES:,} moves; it is broken off")

    # ---- a person's turn ------------------------------------------------------------------------------------------

    def _ask(self) -> Move | None:
        """The move that the person makes whose turn it is; None when the deal is broken off."""
        from durak_dsl.players.person import NoSuchNumber, Wish, understand
        from durak_dsl.problems import IllegalMove

        telling, speaking = self.telling, self.telling.speaking
        fresh = True
        while True:
            seat = self.table.actor
            assert seat is not None
            moves = listed(self.table.legal_moves())
            if fresh:
                self._offer(seat, moves)
            fresh = False
            line = self._line(seat)
            if line is None:
                say(telling.say("input ended"))
                return None
            try:
                line = speaking.read(line)
                phrases = [[*speaking.phrases(seat, move), speaking.offer(move)] for move in moves]
                answer = understand(line, self.table, moves, phrases, speaking.notation(line, self.table.phase), MOST_OFFERED)
            except NoSuchNumber:
                say(telling.say("numbers", most=min(len(moves), MOST_OFFERED)))
            except IllegalMove as error:
                say(telling.say("illegal", reason=speaking.reason(error, moves)).replace("?.", "?"))
                if error.span is not None:
                    say(telling.say("rule", place=error.span))
            else:
                if not isinstance(answer, Wish):
                    return answer
                if answer is Wish.QUIT:
                    say(telling.say("quit"))
                    return None
                if answer is Wish.HELP:
                    say(telling.say("help"))
                elif answer is Wish.UNDO:
                    fresh = self._undo()
                else:
                    fresh = True

    def _offer(self, seat: int, moves: list[Move]) -> None:
        telling = self.telling
        say()
        self._stand(seat)
        say(telling.say("your move", player=f"P{seat + 1}"))
        offered = moves[:MOST_OFFERED]
        width = len(str(len(offered)))
        for number, move in enumerate(offered, 1):
            say(f"  {number:{width}}: {telling.speaking.offer(move)}")
        if len(moves) > len(offered):
            say(telling.say("more moves", count=len(moves) - len(offered), last=telling.speaking.offer(moves[-1])))
        if len(moves) == 1:
            say(telling.say("only move"))

    def _line(self, seat: int) -> str | None:
        """A line typed by the person; None when there are no more. What comes from a pipe is printed, as if it had been typed."""
        click.echo(spelled(f"P{seat + 1}> ", sys.stdout), nl=False)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            say()
            return None
        if not sys.stdin.isatty():
            say("".join(sign for sign in line if sign.isprintable()))
        return line

    def _undo(self) -> bool:
        """Take back everything since the last move of a person, and that; whether there was one."""
        table = self.table
        if not any(made.seat in self.people for made in table.made):
            say(self.telling.say("nothing to undo"))
            return False
        while True:
            undone = table.made[-1].seat
            move = table.undo()
            if undone in self.people and move is not None:
                say(self.telling.say("taken back", sentence=self.telling.sentence(undone, move)))
                return True
