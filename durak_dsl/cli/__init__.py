"""The command line: `app` is the group of commands, every other module one group of them; what is heavy is imported when a command runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the process was started with."""
    try:
        from durak_dsl.cli.app import run

        run()
    except KeyboardInterrupt:  # before any command had begun
        sys.exit(130)
