"""What the words of a move mean at a table: which cards and piles they name, and which legal moves that gives."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from durak_dsl.compiler.fold import mentions
from durak_dsl.compiler.layout import ACTOR
from durak_dsl.language.ir import Pick
from durak_dsl.problems import IllegalMove
from durak_dsl.table import snapshot
from durak_dsl.table.choosing import Picked, Picks
from durak_dsl.table.moves import Move, Reading
from durak_dsl.table.reasons import illegal

if TYPE_CHECKING:
    from durak_dsl.table.table import Table

# Piles and copies give a text more than one meaning; more of them are not tried.
MOST_MEANINGS = 1000


def fitting(table: Table, readings: Sequence[Reading]) -> list[Move]:
    """The legal moves that the readings of a text mean; a pile by its own notation rather than by another of its cards."""
    found: dict[str, tuple[int, Move]] = {}
    for reading in readings:
        rule = table.game.rules.moves[reading.name]
        if table.phase not in rule.phases:
            continue
        for picks in meanings(table, reading):
            way = table.game.choosing.way(table.state, reading.name, picks)
            if way is not None:
                move = table.named(way)
                closeness = _by_its_notation(table, move, reading)
                found.setdefault(move.text(), (closeness, move))
    best = max((closeness for closeness, _ in found.values()), default=0)
    return [move for closeness, move in found.values() if closeness == best]


def _by_its_notation(table: Table, move: Move, reading: Reading) -> int:
    """How many piles are called in the reading as they are in the notation."""
    kind = table.game.cards.kind
    return sum(reading.values[position] == tuple(map(kind, label)) for position, label in move.labels.items())


def meanings(table: Table, reading: Reading) -> Iterator[Picks]:
    """The picks that a reading may mean; none where a word means nothing here."""
    values = meant(table, reading)
    if not isinstance(values, IllegalMove):
        yield from itertools.islice(itertools.product(*values), MOST_MEANINGS)


def meant(table: Table, reading: Reading) -> list[list[Picked]] | IllegalMove:
    """The values that the words of each pick may mean, or why they mean nothing here."""
    found = []
    for pick, words in zip(table.game.rules.moves[reading.name].picks, reading.values, strict=True):
        values = _meant(table, reading.name, pick, words)
        if isinstance(values, IllegalMove):
            return values
        found.append(values)
    return found


def _meant(table: Table, name: str, pick: Pick, words: tuple[int, ...] | None) -> list[Picked] | IllegalMove:
    if pick.type.kind == "pile":
        return _piles(table, pick, words)
    if words is None:
        return [None]
    if pick.several:
        return _several(table, name, pick, words)
    return [*table.game.cards.copies_of(words[0])] if pick.type.kind == "card" else [words[0]]


def _piles(table: Table, pick: Pick, words: tuple[int, ...] | None) -> list[Picked] | IllegalMove:
    """The piles that show these cards; any, where none is named."""
    cards, zone = table.game.cards, pick.type.zone
    found: list[Picked] = []
    for index in range(len(snapshot.piles(table.program, table.state, zone))):
        shown = {cards.kind(card) for card in snapshot.open_pile(table.program, table.state, zone, index)}
        if words is None or set(words) <= shown:
            found.append(index)
    if found:
        return found
    text = "/".join(cards.text(cards.copies_of(kind)[0], signs=True) for kind in words or ())
    return illegal("not shown" if text else "no pile", pick.span, zone=zone, cards=text)


def _several(table: Table, name: str, pick: Pick, words: tuple[int, ...]) -> list[Picked] | IllegalMove:
    """The cards; of copies, those from which the pick is made."""
    cards, rule = table.game.cards, table.game.rules.moves[name]
    held = 0
    if not any(mentions(pick.domain, other.local) for other in rule.picks):
        held = table.game.choosing.answers.expression(pick.domain, [rule.me])(table.state, table.state[ACTOR])
    choices = []
    for kind in dict.fromkeys(words):
        copies, wanted = cards.copies_of(kind), words.count(kind)
        if wanted > len(copies):
            text = cards.text(copies[0], signs=True)
            return illegal("twice" if wanted == 2 else "too often", value=text)
        lying = [card for card in copies if held >> card & 1]
        others = [card for card in copies if card not in lying] if len(lying) < wanted else []
        choices.append(itertools.combinations([*lying, *others], wanted))  # another pick may have taken one of them
    return [tuple(sorted(itertools.chain(*chosen))) for chosen in itertools.islice(itertools.product(*choices), MOST_MEANINGS)]
