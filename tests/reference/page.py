"""The page with its generated parts as they are to be. Each stands between two marks, `<!-- NAME: … -->` and `<!-- end of NAME -->`."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.games import ROOT
from tests.reference import keys, pieces, words

PAGE = ROOT / "docs" / "language.md"
PARTS: dict[str, Callable[[], list[str]]] = {"words": words.lines, "keys": keys.lines, "pieces": pieces.lines}
_PART = r"<!-- ({names}): [^\n]* -->\n.*?<!-- end of \1 -->\n"


def written(page: str) -> str:
    """The page with all its parts as they are to be."""
    return re.sub(_pattern(), lambda found: _part(found[1]), page, flags=re.S)


def by_hand(page: str) -> str:
    """What of the page is written by hand."""
    return re.sub(_pattern(), "", page, flags=re.S)


def parts(page: str) -> list[str]:
    """The names of the generated parts that the page has."""
    return [found[1] for found in re.finditer(_pattern(), page, flags=re.S)]


def _pattern() -> str:
    return _PART.format(names="|".join(PARTS))


def _part(name: str) -> str:
    begin = f"<!-- {name}: written by `python -m tests.reference`, not by hand -->"
    return "\n".join((begin, "", *PARTS[name](), "", f"<!-- end of {name} -->\n"))
