"""One deal at the terminal or in a pipe, line by line; nothing is ever drawn over."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from durak_dsl.cli.printing import say, spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_dsl import Table
    from durak_dsl.players import Player
    from durak_dsl.table.moves import Move
    from durak_dsl.texts.telling import Telling

MOST_MOVES = 5_000
MOST_OFFERED = 60  # moves in the list that a person is offered; the others are made by their text or cards
SPECTATOR = -1  # who sees what lies open, and no more


def listed(moves: Sequence[Move]) -> list[Move]:
    """The moves in the order in which a person is offered them: what picks nothing last; of too many, those of the fewest cards first."""
    plain = [move for move in moves if not move.picks]
    picked = [move for move in moves if move.picks]
    if len(moves) <= MOST_OFFERED:
        return picked + plain
    picked.sort(key=lambda move: sum(len(value) if isinstance(value, tuple) else 1 for value in move.picks))
    shown = max(MOST_OFFERED - len(plain), 0)
    return picked[:shown] + plain + picked[shown:]


class Session:
    """One deal played to its end, or until somebody breaks it off."""

    def __init__(
        self,
        table: Table,
        telling: Telling,
        people: Sequence[int],
        machines: Mapping[int, Player],
        heading: str,
        noted: Callable[[], None] = lambda: None,
    ):
        self.heading = heading
        self.noted = noted  # called whenever a stretch of play is over, or a move has been taken back
        self.table = table
        self.telling = telling
        self.people = people
        self.machines = machines
        self.stood = 0  # how many moves had been made when it was last told how things stand
        # What happens is told as one person sees it; where several sit at one terminal, as everybody does; where nobody does, all is open.
        self.eye = None if not people else people[0] if len(people) == 1 else SPECTATOR

    def run(self) -> bool:
        """Play; whether the deal came to its end."""
        self._introduce()
        self.noted()
        while (actor := self.table.actor) is not None:
            if actor in self.people:
                move = self._ask()
                if move is None:
                    return False
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
        return True

    def _introduce(self) -> None:
        say(self.heading)
        for line in (*self.telling.teams(self.table.seats), *self.telling.happened(self.table.told()[0], self.eye)):
            say(line)

    def _begins_anew(self) -> bool:
        """Whether a round begins, and everybody may have moved since things were last told."""
        made = self.table.made
        if not made:
            return True
        return len(made) - self.stood >= self.table.seats and self._is_back()

    def _is_back(self) -> bool:
        """Whether a round begins."""
        from durak_dsl.table.rounds import is_back

        return is_back(self.table)

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
        if self.table.is_over or self._is_back():
            self.noted()
        if len(self.table.made) >= MOST_MOVES:
            raise Limit(f"the deal is not over after {MOST_MOVES:,} moves; it is broken off")

    # ---- a person's turn ------------------------------------------------------------------------------------------

    def _ask(self) -> Move | None:
        """The move that the person makes whose turn it is; None when the deal is broken off."""
        from durak_dsl.players.person import NoSuchNumber, Wish, numbers, understand
        from durak_dsl.problems import IllegalMove

        telling, speaking = self.telling, self.telling.speaking
        fresh = True
        while True:
            seat = self.table.actor
            assert seat is not None
            moves = listed(self.table.legal_moves())
            if not moves:
                raise self.table.program.dead_end(self.table.state)
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
                known = numbers(self.table, moves)[:MOST_OFFERED]
                say(telling.say("numbers", least=min(known), most=max(known)))
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
        from durak_dsl.players.person import numbers

        telling = self.telling
        say()
        self._stand(seat)
        say(telling.say("your move", player=f"P{seat + 1}"))
        offered = moves[:MOST_OFFERED]
        known = numbers(self.table, moves)[: len(offered)]
        width = len(str(max(known)))
        for number, move in zip(known, offered, strict=True):
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
                self.noted()
                return True
