"""Simulators written by hand for one game, to compare with: one in C, compiled when it is wanted, one in Python. They lie in `bench/`."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

from durak_dsl import cache as kept
from durak_dsl.source.text import shipped
from durak_dsl.study.bench import Runner

SEATS = range(2, 7)
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
MOST_SECONDS = 60  # until it is compiled
NO_PDEP = "-DNO_PDEP"
COUNTS, DECISIONS = 10, 1  # how many numbers a run adds up, and which of them are the decisions


class Absent(Exception):
    """It is not there, or cannot be made here; says why, in a sentence."""


def in_c(deposit: bool = True) -> Runner:
    """The program in C; with or without the instruction that finds an element of a set by its number."""
    run = ctypes.CDLL(str(library(deposit))).limit_run
    run.argtypes = [ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p]
    run.restype = None

    def play(seats: int, deals: int, seed: int) -> int:
        counts = (ctypes.c_uint64 * COUNTS)()
        run(seats, deals, seed, counts)
        return int(counts[DECISIONS])

    return Runner("C by hand", play)


def in_python() -> Runner:
    """The program in Python."""
    path = _file("durak_bits.py")
    spec = importlib.util.spec_from_file_location("by_hand_in_python", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Runner("Python by hand", lambda seats, deals, seed: int(module.run(seats, deals, seed)[DECISIONS]))


def _file(name: str) -> Path:
    try:
        path = shipped("bench") / name
    except FileNotFoundError:
        raise Absent("this installation lacks the folder 'bench'") from None
    if not path.is_file():
        raise Absent(f"this installation lacks the file 'bench/{name}'")
    return path


def library(deposit: bool) -> Path:
    """The program in C, compiled, and kept in the cache folder if there is one; it depends on the machine as much as on the text."""
    source = _file("limit.c")
    compiler = next((found for name in (os.environ.get("CC"), "cc", "gcc", "clang") if name and (found := shutil.which(name))), None)
    if compiler is None:
        raise Absent("no C compiler was found (cc, gcc, clang, or what CC names)")
    flags = [*FLAGS, *([] if deposit else [NO_PDEP])]
    parts = [source.read_text("utf-8"), compiler, _said([compiler, "--version"]), *flags, *platform.uname(), _processor()]
    name = f"limit_{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:24]}.so"
    folder = kept.folder()
    folder = Path(tempfile.mkdtemp(prefix="durak-")) if folder is None else folder / "native"
    path = folder / name
    if not path.is_file():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = folder / f"{name}.{os.getpid()}.new"
        _said([compiler, *flags, "-o", str(new), str(source)])
        if not new.is_file():
            raise Absent(f"{compiler} does not compile it here: it writes no file")
        os.replace(new, path)
    return path


def _processor() -> str:
    """What the processor can do, where the system says it: a cache folder may be shared among machines."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line for line in lines if line.startswith(("flags", "Features"))), "")


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise Absent(f"{command[0]} does not compile it here in {MOST_SECONDS} seconds") from None
    except OSError as problem:
        raise Absent(f"{command[0]} cannot be run here: {problem.strerror}") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"it ends with status {done.returncode}"]
        raise Absent(f"{command[0]} does not compile it here: {said[0].rstrip('.')}")
    return done.stdout
