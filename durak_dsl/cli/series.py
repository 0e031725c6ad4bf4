"""A single deal or a match, played and written down as it goes."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from durak_dsl.cli.printing import say
from durak_dsl.cli.recording import located, text_of
from durak_dsl.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from durak_dsl import Match, Table
    from durak_dsl.cli.recording import RecordFile
    from durak_dsl.players import Player
    from durak_dsl.texts.telling import Telling


@dataclass
class Playing:
    """How is played: who tells, which seats are persons' and who plays the others, where it is written down."""

    telling: Telling
    people: Sequence[int]
    opponents: str
    file: RecordFile | None = None

    def machines(self, seats: int, seed: int) -> Mapping[int, Player]:
        """Machine players for the other seats."""
        from durak_dsl.players import machines

        return machines(self.opponents, set(range(seats)).difference(self.people), seed)

    def title(self, key: str, seats: int, seed: int | None) -> str:
        """What is played, by how many."""
        from durak_dsl.texts.words import amount

        return self.telling.say(key, rules=self.telling.title, players=amount(self.telling.language, seats, "player"), seed=seed)

    def deal(self, table: Table) -> None:
        """Play a single deal."""
        heading = self.title("deal from deck" if table.seed is None else "deal from seed", table.seats, table.seed)

        def note() -> None:
            if self.file is not None:
                self.file.deal(table, ended=False)

        try:
            Session(table, self.telling, self.people, self.machines(table.seats, table.seed or 0), heading, note).run()
        finally:
            if self.file is not None:
                self.file.deal(table, ended=True)

    def match(self, match: Match, most: int | None, before: Sequence[Table] = (), table: Table | None = None) -> None:
        """Play deals of a match until it is over or there have been so many; after these tables, beginning with a deal under way."""
        tables = [*before, *([table] if table is not None else [])]

        def note() -> None:
            if self.file is not None:
                self.file.match(match, tables, ended=False)

        say(self.title("match from seed", match.seats, match.seed))
        try:
            while not match.is_over and (most is None or match.deals < most):
                if table is None:
                    table = match.deal()
                    tables.append(table)
                    seed = table.seed or 0
                else:
                    seed = int.from_bytes(os.urandom(4), "big")  # it goes on in the middle
                say()
                heading = self.telling.say("deal number", number=match.deals + 1)
                if not Session(table, self.telling, self.people, self.machines(match.seats, seed), heading, note).run():
                    break
                match.finish(table)
                note()
                for line in self.telling.score(match.kept):
                    say(line)
                table = None
        finally:
            if self.file is not None:
                self.file.match(match, tables, ended=True)
        if match.deals:
            say()
            for line in self.telling.match(match.deals, match.standing):
                say(line)


@dataclass
class Resumed:
    """What goes on that a record has begun: the match (None: a single deal), the tables of its deals that are over, the one under way.

    `most`: how many deals the match is to have in all (None: until it is over).
    """

    rules: str  # as the record has them
    match: Match | None
    before: list[Table]
    table: Table | None
    most: int | None = None


def resumed(source: Path, deals: int | None = None) -> Resumed:
    """What a record has begun, which may have been cut short; RecordError where it is over, or cannot be played so far.

    `deals`: how many a match is to have in all, whatever the record says.
    """
    from durak_dsl.cli.printing import amount
    from durak_dsl.problems import Problem
    from durak_dsl.table import match_record, record
    from durak_dsl.table.replay import replay

    text, path = text_of(source), str(source)
    if match_record.is_match(text):
        written = match_record.read(text, path, unfinished=True)
        here = replace(written, head=replace(written.head, rules=located(written.head.rules, source.parent)))
        replaying = match_record.MatchReplay(here)
        match, tables = replaying.all(), replaying.tables
        under_way = tables.pop() if tables and not tables[-1].is_over else None
        most = written.most if deals is None else deals
        played_out = deals is None and most is not None and match.deals >= most
        found = Resumed(written.head.rules, match, tables, under_way, most)
        ended = (match.is_over or played_out) and written.result
    else:
        one = record.read(text, path, unfinished=True)
        table = replay(replace(one, rules=located(one.rules, source.parent)))
        found, ended = Resumed(one.rules, None, [], table), table.is_over and one.result
    if ended:
        what, hint = "deal" if found.match is None else "match", ""
        if found.match is not None and not found.match.is_over:
            what, hint = f"match of {amount(found.match.deals, 'deal')}", "with --deals N it goes on, until there are N in all"
        raise record.RecordError(Problem("record", f"{path}: this {what} is over; there is nothing to go on with", None, hint))
    if found.table is not None:
        found.table.reseed(int.from_bytes(os.urandom(8), "big"))
    return found
