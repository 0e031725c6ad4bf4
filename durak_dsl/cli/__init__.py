"""The command line: `app` is the group of commands, every other module one group of them; what is heavy is imported when a command runs."""

from __future__ import annotations

import _thread
import gc
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

# Most of what a command makes lives to its end: to look for what does not after every 700 objects would cost it a quarter of its time.
OBJECTS_BETWEEN_COLLECTIONS = 500_000
A_LITTLE = 0.01  # seconds


def main() -> None:
    """Run the command that the process was started with."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    sys.unraisablehook = not_lost
    try:
        from durak_dsl.cli.app import run

        run()
    except KeyboardInterrupt:  # before any command had begun
        sys.exit(130)
    finally:
        gc.freeze()  # nobody is to look through all that is there when it ends


def not_lost(lost: UnraisableHookArgs) -> None:
    """An interruption that came where none can be raised, as when a compiler calls back, comes again a little later."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    again = threading.Timer(A_LITTLE, _thread.interrupt_main)
    again.daemon = True
    again.start()
