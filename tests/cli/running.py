"""Running commands in tests: inside this process, or in one of their own; and a small game that no library has."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from durak_dsl.cli.app import durak

ROOT = Path(__file__).parents[2]
PLAIN = {"NO_COLOR": "", "FORCE_COLOR": "", "LC_ALL": "C.UTF-8"}

# Everybody plays a card to the table in turn, one of those on the table's suit if possible; whoever plays the highest last has lost.
HIGH = """\
durak: 1
id: high
names: {en: High Card, ru: Старшая карта}
summary: {en: "Who plays the highest card loses.", ru: "Проигрывает старшая карта."}
players: {count: 2 to 3}
deck:
  ranks: 6 7 8 9
  suits: clubs hearts
  start in: stock
options:
  held: {range: 1 to 2, default: 2, en: "How many cards are dealt", ru: "По сколько карт сдают"}
  rest: {choose: shown hidden, default: hidden, en: "Is the next card shown", ru: "Открывают ли следующую карту"}
zones:
  stock: {stack: one, seen by: nobody, en: stock, ru: колода}
  table: {set: one, seen by: all, en: table, ru: стол}
  hand:  {set: each, seen by: owner, en: hand, ru: на руках}
variables:
  turn: {is: player, en: turn, ru: ход}
  worst: player or none
  best: card or none
setup:
  shuffle: shuffle stock
  deal: deal held from stock to hand of players from P1
  show:
    - if rest is shown: show top(stock) to all
  begin: go play
define:
  next: turn if size(turn.hand) > 0
phases:
  play: {actor: next, nobody: end deal}
moves:
  play:
    in: play
    pick:
      card: me.hand
    when:
      follows suit: follows(card, me)
    do:
      worst:
        - if best is none or card.rank > best.rank:
            - worst = me
            - best = card
      lay: move card to table
      turn: turn = left(me)
      go on: stay
    say: {en: "{me} plays {card}", ru: "{me} кладёт {card}"}
finish:
  place(player p): count(players) if p == worst else 1
  loser: worst
examples:
  one card each:
    given: {hand: 6C | 9H, phase: play}
    play: P1 play 6C; P2 play 9H
    then: loser == P2
"""
HIGH = HIGH.replace(
    "  next: turn",
    "  follows(card, player p): size(table) == 0 or card.suit in suits(known(table)) or void(p)\n"
    "  void(player p): no c in p.hand has c.suit in suits(known(table))\n  next: turn",
)


def run(*args: str, typed: str | None = None, env: Mapping[str, str] | None = None) -> Result:
    """What a command prints (`output`, `stdout`, `stderr`) and its exit status; what it raises is a bug."""
    result = CliRunner().invoke(durak, args, input=typed, env={**PLAIN, **(env or {})})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def process(
    *args: str, typed: bytes = b"", env: Mapping[str, str] | None = None, python: Sequence[str] = (), folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """A command as a process of its own, from the launcher of the checkout."""
    command = [sys.executable, *python, str(ROOT / "cli.py"), *args]
    return subprocess.run(
        command, input=typed, capture_output=True, env={**os.environ, **PLAIN, **(env or {})}, cwd=folder, timeout=120, check=False
    )
