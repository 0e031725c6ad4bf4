"""Assembly -> code of this machine -> functions that can be called (the only user of llvmlite)."""

# mypy: disable-error-code=import-untyped

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

NAMED_BY = "DURAK_PDEP"


@cache
def missing() -> str | None:
    """Why there is no machine code here, in a sentence; None where there is."""
    if importlib.util.find_spec("llvmlite") is None:
        return "llvmlite is not installed (pip install 'durak-dsl[fast]')"
    try:
        _target()
    except Exception as problem:  # whatever an unsupported version or processor may raise
        return f"llvmlite cannot be used here: {type(problem).__name__}: {problem}".splitlines()[0]
    return None


def _target() -> Any:
    """What makes code for this processor; an engine takes it over."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(binding.get_host_cpu_name(), _features(), opt=3, reloc="pic", codemodel="default")


@cache
def _features() -> str:
    """What the processor can do: `+bmi2` and the like."""
    from llvmlite import binding

    return str(binding.get_host_cpu_features().flatten())


def deposits() -> bool:
    """Whether the processor has the instruction that finds an element of a set by its number; DURAK_PDEP=0 in the environment says no."""
    return os.environ.get(NAMED_BY) != "0" and (missing() is not None or "+bmi2" in _features().split(","))


def identity() -> str:
    """All but the assembly that code made here depends on: the compiler, the processor, and which of its instructions may be used."""
    import llvmlite
    from llvmlite import binding

    return "\n".join([llvmlite.__version__, binding.get_process_triple(), binding.get_host_cpu_name(), _features(), str(deposits())])


def compiled(assembly: str) -> bytes:
    """The code, as an object file."""
    from llvmlite import binding

    target = _target()
    module = binding.parse_assembly(assembly)
    options = binding.create_pipeline_tuning_options(speed_level=3)
    # Loops over a few seats or piles gain nothing from being done several rounds at once.
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    passes = binding.create_pass_builder(target, options)
    passes.getModulePassManager().run(module, passes)
    return bytes(target.emit_object(module))


@dataclass(frozen=True)
class Library:
    """Code in memory, there as long as this is, and its functions by name; while one runs, so do other threads."""

    functions: Mapping[str, Callable[..., int]]
    engine: Any


def loaded(code: bytes, signatures: Mapping[str, str]) -> Library:
    """The code of an object file with these functions: of each its arguments, `a` an array, `n` a number. ValueError where one lacks."""
    from llvmlite import binding

    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _target())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    functions = {}
    for name, signature in signatures.items():
        address = engine.get_function_address(name)
        if not address:
            raise ValueError(f"there is no function '{name}' in the code")
        types = [ctypes.c_void_p if kind == "a" else ctypes.c_int64 for kind in signature]
        functions[name] = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(address)
    return Library(functions, engine)
