"""The command line.

Each command is a module of this package. It is imported when it is called, and imports heavy packages when it runs.
Short commands run in a process that has imported them already (`warm_client`, `warm_server`). Importing this package
loads nothing else, so that asking that process takes no time.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.app.cli.commands import COMMANDS, cli, run

__all__ = ["COMMANDS", "cli", "main", "run"]


def main() -> None:
    """The console script."""
    from clew.app.cli.warm_client import answered

    arguments = sys.argv[1:]
    status = answered(arguments)
    if status is None:
        from clew.app.cli.commands import run

        status = run(arguments)
    if status == 130:
        os._exit(status)  # Threads still waiting for the database would hold the process until their time limit.
    sys.exit(status)


def __getattr__(name: str) -> Any:
    """Load the commands when they are first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from clew.app.cli import commands

    return getattr(commands, name)
