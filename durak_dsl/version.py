"""Which program this is: two that would play differently must not count together."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from durak_dsl.source.text import shipped


@cache
def code() -> str:
    """Sixteen hexadecimal digits that only this state of the program has."""
    package = Path(__file__).parent
    files = [*package.rglob("*.py"), *package.rglob("*.lark"), *shipped("schema").glob("*.json")]
    parts = sorted((file.name, file.read_bytes().replace(b"\r\n", b"\n")) for file in files)
    return hashlib.sha256(b"\0".join(part for name, data in parts for part in (name.encode(), data))).hexdigest()[:16]


def version() -> str:
    """The version as people are told it, with the digits of its code."""
    from importlib import metadata

    try:
        number = metadata.version("durak-dsl")
    except metadata.PackageNotFoundError:
        number = "not installed"
    return f"{number} (code {code()})"
