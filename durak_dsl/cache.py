"""Where things are kept that can be made again at any time, such as the tables of a grammar (the only user of platformdirs)."""

from __future__ import annotations

import os
from pathlib import Path

NAMED_BY = "DURAK_CACHE"


def folder() -> Path | None:
    """The user's own cache folder, made if it is not there; None where there is none that he alone can write to.

    The environment variable DURAK_CACHE names another one; empty, it says that nothing is to be kept.
    """
    named = os.environ.get(NAMED_BY)
    if named == "":
        return None
    try:
        path = Path(named) if named else _usual()
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path if os.access(path, os.W_OK) and _is_ours(path) else None
    except (OSError, RuntimeError):  # RuntimeError: nobody knows where the home folder is
        return None


def _usual() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("durak-dsl", appauthor=False)


def _is_ours(path: Path) -> bool:
    """Whether nobody else could have put something there: what is kept is trusted when it is read."""
    if not hasattr(os, "getuid"):
        return True
    state = path.stat()
    return state.st_uid == os.getuid() and not state.st_mode & 0o022
