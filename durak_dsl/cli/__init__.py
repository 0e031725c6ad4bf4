"""The command line: `app` is the group of commands, every other module one group of them; what is heavy is imported when a command runs."""

from __future__ import annotations

import gc
import sys

# Most of what a command makes lives to its end: to look for what does not after every 700 objects would cost it a quarter of its time.
OBJECTS_BETWEEN_COLLECTIONS = 500_000


def main() -> None:
    """Run the command that the process was started with."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        from durak_dsl.cli.app import run

        run()
    except KeyboardInterrupt:  # before any command had begun
        sys.exit(130)
