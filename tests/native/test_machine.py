"""What is said where there is no machine code, and what is loaded."""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Iterator

import pytest

from durak_dsl.native import machine

RETURN = "define i64 @f(ptr %a, i64 %b) {\n  %c = load i64, ptr %a\n  %d = add i64 %b, %c\n  ret i64 %d\n}\n"


@pytest.fixture
def asked_anew() -> Iterator[None]:
    """What is known of the machine is found out again."""
    machine.missing.cache_clear()
    yield
    machine.missing.cache_clear()


@pytest.mark.usefixtures("asked_anew")
def test_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert machine.missing() == "llvmlite is not installed (pip install 'durak-dsl[fast]')"
    assert machine.deposits()  # so that a program in C may be compared with


@pytest.mark.usefixtures("asked_anew")
def test_an_llvmlite_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")

    def fails() -> None:
        raise RuntimeError("LLVM 7 has no such function\nand more")

    monkeypatch.setattr(machine, "_target", fails)
    assert machine.missing() == "llvmlite cannot be used here: RuntimeError: LLVM 7 has no such function"


def test_what_is_compiled_can_be_called() -> None:
    pytest.importorskip("llvmlite")
    code = machine.compiled(RETURN)
    function = machine.loaded(code, {"f": "an"})
    assert function.functions["f"]((ctypes.c_int64 * 1)(40), 2) == 42
    with pytest.raises(ValueError, match="there is no function 'g' in the code"):
        machine.loaded(code, {"g": "a"})


def test_code_depends_on_what_the_processor_may_do(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    before = machine.identity()
    monkeypatch.setenv(machine.NAMED_BY, "0")
    assert not machine.deposits()
    assert machine.identity() != before or "+bmi2" not in before
