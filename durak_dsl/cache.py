"""Where things are kept that can be made again at any time, such as the tables of a grammar (the only user of platformdirs)."""

from __future__ import annotations

import os
from pathlib import Path

NAMED_BY = "DURAK_CACHE"


def folder() -> Path | None:
    """The user's own cache folder, made if it is not there; None where there is none that he alone can write to.

    The environment variable DURAK_CACHE names another one; empty, it says that nothing is to be kept.
    """
    path = _place()
    return None if path is None or _against(path) else path


def why_nothing() -> str:
    """Why what was to be kept is not, in words; empty where nothing was to be kept."""
    path = _place()
    return (
        ""
        if path is None
        else f"the cache folder {path} cannot be used: {_against(path) or 'it is full, or what is in it cannot be written to'}"
    )


def _place() -> Path | None:
    """Where the folder is, or would be; None where nothing is to be kept."""
    named = os.environ.get(NAMED_BY)
    if named == "":
        return None
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    try:
        return user_cache_path("durak-dsl", appauthor=False)
    except RuntimeError:  # nobody knows where the home folder is
        return None


def _against(path: Path) -> str:
    """Why nothing can be kept in the folder, which is made if it is not there; empty where it can."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(path, os.W_OK):
            return "it cannot be written to"
        return "" if _is_ours(path) else "it is not yours alone"
    except FileExistsError:
        return "it is not a folder"
    except OSError as error:
        return error.strerror or str(error)


def _is_ours(path: Path) -> bool:
    """Whether nobody else could have put something there: what is kept is trusted when it is read."""
    if not hasattr(os, "getuid"):
        return True
    state = path.stat()
    return state.st_uid == os.getuid() and not state.st_mode & 0o022
