"""Compiled games: their modules are written into the user's cache folder once, and machine code is kept beside them."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from durak_dsl import cache as kept
from durak_dsl.compiler.program import Program
from durak_dsl.compiler.sums import ONE_WORD
from durak_dsl.language.ir import Rules
from durak_dsl.language.walking import expressions
from durak_dsl.writing import write_whole

if TYPE_CHECKING:
    import numpy as np

FOLDER = "native"
MOST_BITS = 62  # cards whose sets are one machine word, with room for *done* and the sign


class NoNative(Exception):
    """There is no machine code for these rules here; says why, in a sentence."""


def against(program: Program) -> str | None:
    """Why these rules cannot be machine code here, in a sentence; None where they can."""
    cards = program.rules.deck.grid * program.rules.deck.copies
    if cards > MOST_BITS:
        return f"machine code is for decks of at most {MOST_BITS} cards; these rules number {cards}"
    if (total := _largest_total(program.rules)) > ONE_WORD:
        return f"machine code adds up to totals of at most {ONE_WORD}; those of these rules go up to {total:,}"
    return _without_numba()


def _largest_total(rules: Rules) -> int:
    """Up to what numbers are asked to add up, by a pick or by `makes`; 0 where none are."""
    totals = [pick.adding[1] for move in rules.moves.values() for pick in move.picks if pick.adding]
    totals += [inner.args[3] for _, expr in expressions(rules) for inner in expr.walk() if inner.op == "makes"]
    return max((total.type.high for total in totals), default=0)


@cache
def _without_numba() -> str | None:
    if importlib.util.find_spec("numba") is None:
        return "numba is not installed (pip install 'durak-dsl[fast]')"
    try:
        import durak_dsl.native.runtime  # noqa: F401
    except Exception as problem:  # whatever an unsupported version of numba or Python may raise
        return f"numba cannot be used here: {type(problem).__name__}: {problem}".splitlines()[0]
    return None


def uses_deposit() -> bool:
    """Whether machine code may use the processor's instruction that finds an element of a set (where there is numba: whether it does)."""
    if _without_numba():
        return os.environ.get("DURAK_PDEP") != "0"
    from durak_dsl.native.runtime import has_deposit

    return has_deposit()


@dataclass(frozen=True)
class Native:
    """A game as machine code."""

    program: Program
    module: ModuleType
    was_kept: bool

    def is_sound(self) -> bool:
        """Whether it can be called; its machine code is then loaded, or made."""
        with _loops_as_they_are():
            return self.deals(self.program.rules.counts[0], 0, 0, 0, 1)[0]

    def deals(self, seats: int, seed: int, first: int, last: int, most: int) -> tuple[bool, int, np.ndarray[Any, Any]]:
        """The counts of random deals from one number up to another, in the order of `Statistics`; False with the number of a deal
        that goes wrong or has more turns: played step by step it says how.
        """
        import numpy as np

        from durak_dsl.compiler.layout import CHANCE

        program = self.program
        first_state = list(program.undealt(seats))
        first_state[CHANCE] = 0
        blank = np.array(first_state, np.int64)
        deck = np.array(program.deck[::-1], np.int64)
        counts = np.zeros(6 + (3 + len(program.rules.finish.scores)) * seats, np.int64)
        state, before, source, at = blank.copy(), blank.copy(), np.zeros(1, np.uint64), np.zeros(1, np.int64)
        try:
            well = self.module.deals(state, before, blank, deck, np.uint64(seed % 2**64), first, last, most, counts, source, at)
        except ValueError:
            well = False
        return well, int(at[0]), counts


@contextmanager
def _loops_as_they_are() -> Iterator[None]:
    """While something is compiled: loops over a few seats or piles gain nothing from being done several rounds at once."""
    config: Any = importlib.import_module("numba.core.config")

    before = config.LOOP_VECTORIZE
    config.LOOP_VECTORIZE = 0
    try:
        yield
    finally:
        config.LOOP_VECTORIZE = before


_BUILT: dict[int, Native] = {}


def built(program: Program) -> Native:
    """The program as machine code; NoNative where there is none."""
    if id(program) not in _BUILT:
        if reason := against(program):
            raise NoNative(reason)
        _BUILT[id(program)] = _built(program)
    return _BUILT[id(program)]


def is_kept(program: Program) -> bool:
    """Whether the program has been made into machine code before, and it is in the cache folder; there must be none `against` it."""
    from durak_dsl.native.source import text

    folder = kept.folder()
    return id(program) in _BUILT or (folder is not None and (folder / FOLDER / f"deals_{_digest(text(program))}.py").exists())


def _built(program: Program) -> Native:
    from durak_dsl.native.source import text

    source = text(program)
    native = Native(program, *module_of("deals", source))
    try:
        sound = native.is_sound()
    except Exception:  # whatever reading a damaged file may raise
        if not native.was_kept:
            raise
        sound = False
    if not sound and native.was_kept:
        _forget("deals", source)
        native = Native(program, *module_of("deals", source))
        native.is_sound()
    return native


def _forget(kind: str, source: str) -> None:
    """Remove what is kept of a module: it has been damaged, and is made anew."""
    folder = kept.folder()
    if folder is not None:
        for path in (folder / FOLDER).glob(f"**/{kind}_{_digest(source)}.*"):
            path.unlink(missing_ok=True)


def module_of(kind: str, source: str) -> tuple[ModuleType, bool]:
    """The module with this text, and whether it is kept in the cache folder."""
    name = f"{kind}_{_digest(source)}"
    folder = kept.folder()
    path = None if folder is None else _written(folder / FOLDER, name, source)
    module = ModuleType(name)
    if path is None:
        exec(compile(source.replace("cache=CACHED", "cache=False"), name, "exec"), vars(module))
        return module, False
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module, True


def _digest(source: str) -> str:
    """A name for the text together with all that its machine code depends on."""
    import numba

    from durak_dsl.native import runtime

    parts = [source, Path(runtime.__file__).read_text("utf-8"), numba.__version__, sys.version, str(uses_deposit())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _written(folder: Path, name: str, source: str) -> Path | None:
    """The file with the text, written whole or not at all; None where it cannot be."""
    path = folder / f"{name}.py"
    wanted = source.replace("cache=CACHED", "cache=True").encode()
    try:
        if path.is_file() and path.read_bytes() == wanted:
            return path
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, wanted)
    except OSError:
        return None
    return path
