"""The command line.

In: the words of a command line. Out: text or JSON for people and programs, and an exit status.
Each command is a module of this package. It is imported when it is called, and imports heavy packages when it runs.
Short commands run in a process that has imported them already (`warm_client`, `warm_server`). Importing this package
loads nothing else, so that asking that process takes no time.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from clew.app.cli.commands import COMMANDS, cli, run

__all__ = ["COMMANDS", "cli", "main", "run"]


COLLECTED_AFTER = (20_000, 20, 20)
"""Python's garbage collector looks for cycles after so many new objects, 700 by default: imports make many and leave
none behind, and the search took a tenth of their time."""


def main() -> NoReturn:
    """The console script."""
    try:
        status = _status(sys.argv[1:])
    except KeyboardInterrupt:  # before the command has begun
        print("\nStopped.", file=sys.stderr)
        status = 130
    os._exit(status)


def _status(arguments: list[str]) -> int:
    """The exit status of a command, which the warm process runs, or else this one."""
    from clew.app.cli.warm_client import answered

    if (status := answered(arguments)) is not None:
        return status
    gc.set_threshold(*COLLECTED_AFTER)
    from clew.app.cli.deferred_packages import defer_packages

    defer_packages()
    from clew.app.cli.commands import ended, run

    return ended(run(arguments))


def __getattr__(name: str) -> Any:
    """Load the commands when they are first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from clew.app.cli import commands

    return getattr(commands, name)
