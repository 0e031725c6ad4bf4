"""Compiled games: their machine code is made once, kept in the user's cache folder, and loaded from there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from durak_dsl import cache as kept
from durak_dsl import version
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.runtime import State, mix
from durak_dsl.compiler.sums import ONE_WORD
from durak_dsl.language.ir import Rules
from durak_dsl.language.walking import expressions
from durak_dsl.native import machine
from durak_dsl.native.driver import DEALS, PLAIN, SEATED, WELL
from durak_dsl.native.states import numbers, packed, signed, state_of, words_of
from durak_dsl.writing import write_whole

FOLDER = "native"
# From how many seconds of interpreted play on machine code is worth it: when it has to be made, and when it is in the cache folder.
WORTH_MAKING, WORTH_LOADING = 2.0, 0.2


class NoNative(Exception):
    """There is no machine code for these rules here; says why, in a sentence."""


def against(program: Program) -> str | None:
    """Why these rules cannot be machine code here, in a sentence; None where they can."""
    try:
        words_of(program)
    except ValueError as too_many:
        return str(too_many)
    if (total := _largest_total(program.rules)) > ONE_WORD:
        return f"machine code adds up to totals of at most {ONE_WORD}; those of these rules go up to {total:,}"
    return machine.missing()


def _largest_total(rules: Rules) -> int:
    """Up to what numbers are asked to add up, by a pick or by `makes`; 0 where none are."""
    totals = [pick.adding[1] for move in rules.moves.values() for pick in move.picks if pick.adding]
    totals += [inner.args[3] for _, expr in expressions(rules) for inner in expr.walk() if inner.op == "makes"]
    return max((total.type.high for total in totals), default=0)


@dataclass(frozen=True)
class Kept:
    """Machine code in memory; whether it has been made just now, and whether it lies in the cache folder."""

    library: machine.Library
    was_made: bool
    was_kept: bool


@dataclass(frozen=True)
class Native:
    """A game as machine code that plays random deals."""

    program: Program
    code: Kept

    def deals(self, seats: int, seed: int, first: int, last: int, most: int) -> tuple[bool, int, list[int]]:
        """The counts of random deals from one number up to another, in the order of `Statistics`; False with the number of a deal
        that goes wrong or has more turns: played step by step it says how.
        """
        program = self.program
        words = words_of(program)
        blank = packed(program.undealt(seats), words)
        state, before = (packed([0] * program.layout.size, words) for _ in range(2))
        counts = packed([0] * (PLAIN + (SEATED + len(program.rules.finish.scores)) * seats), words)
        source, at = packed([0, 0], words), packed([0], words)
        play = self.code.library.functions["deals"]
        well = play(state, before, blank, signed(seed), first, last, most, counts, source, at) == WELL
        return well, numbers(at, words)[0], numbers(counts, words)

    def play_on(self, state: State, seed: int, most: int) -> tuple[int, State]:
        """As `Program.playout` with the words that `choosing(seed)` gives: how many turns there were, and the state then; where something
        goes wrong fewer than 0 turns: played step by step it says what.
        """
        words = words_of(self.program)
        found, source = packed(state, words), packed([mix(mix(seed)), 0], words)
        return self.code.library.functions["play_on"](found, source, most), state_of(found, words)


_BUILT: dict[tuple[int, str], Any] = {}
N = TypeVar("N", bound=Native)


def built(program: Program) -> Native:
    """The program as machine code; NoNative where there is none."""
    return built_as(Native, program, "deals", _assembly, DEALS)


def built_as(kind: type[N], program: Program, form: str, assembly: Callable[[Program], str], functions: Mapping[str, str]) -> N:
    """The program as machine code in this form, with these functions; NoNative where there is none."""
    if (id(program), form) not in _BUILT:
        if reason := against(program):
            raise NoNative(reason)
        _BUILT[id(program), form] = kind(program, kept_or_made(program, form, assembly, functions))
    found: N = _BUILT[id(program), form]
    return found


def _assembly(program: Program) -> str:
    from durak_dsl.native.source import text  # not needed where the code is kept

    return text(program)


def is_kept(program: Program) -> bool:
    """Whether the program has been made into machine code before, and it is in the cache folder; there must be none `against` it."""
    path = _path(program, "deals")
    return (id(program), "deals") in _BUILT or (path is not None and path.exists())


def kept_or_made(program: Program, form: str, assembly: Callable[[Program], str], functions: Mapping[str, str]) -> Kept:
    """The code of this form of the program, from the cache folder if it is there and whole; else it is made, and kept if it can be."""
    path = _path(program, form)
    if path is not None and (code := _read(path)) is not None:
        return Kept(machine.loaded(code, functions), False, True)
    code = machine.compiled(assembly(program))
    return Kept(machine.loaded(code, functions), True, path is not None and _write(path, code))


def _path(program: Program, form: str) -> Path | None:
    """The file for this form of the program, named after all that its code depends on; None where there is no cache folder."""
    folder = kept.folder()
    if folder is None:
        return None
    rules = [program.rules.hash, sorted(program.options.items()), program.layout.places, program.deck]
    parts = [repr(rules), version.code(), machine.identity()]
    return folder / FOLDER / f"{form}_{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]}.o"


def _read(path: Path) -> bytes | None:
    """The code in a file; None where it is not there, or not all of it."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    code = data[hashlib.sha256().digest_size :]
    return code if data.startswith(hashlib.sha256(code).digest()) else None


def _write(path: Path, code: bytes) -> bool:
    """Keep the code in a file, behind its hash; whether it could be."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, hashlib.sha256(code).digest() + code)
    except OSError:
        return False
    return True
