"""Tables of a page."""

from __future__ import annotations

from collections.abc import Iterable


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """A table of a page; what stands in its cells may hold a bar."""
    columns = [*head]
    inner = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return [f"| {' | '.join(row)} |".replace("  ", " ") for row in (columns, ["---"] * len(columns), *inner)]
