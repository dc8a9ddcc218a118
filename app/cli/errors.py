"""How commands report errors: one message, never a traceback, and the exit status."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from clew.app.cli.terminal import echo, echo_lines, show_click_error
from clew.app.printable import printable
from clew.tools.errors import ClewError
from clew.tools.full_disk import full_disk

INTERRUPTED = 130
CUT_SHORT = 120
"""The exit status of Python where the output cannot be written."""
BAD_LINES_SHOWN = 10


class Interrupted(Exception):
    """Ctrl-C; `kept` says which results are saved."""

    def __init__(self, kept: str = "") -> None:
        super().__init__(kept)
        self.kept = kept


def show_bad_lines(bad_lines: Sequence[str]) -> None:
    """Print the first lines that could not be used, and how many there are."""
    echo_lines((f"Skipped {line}" for line in bad_lines[:BAD_LINES_SHOWN]), err=True)
    if len(bad_lines) > BAD_LINES_SHOWN:
        echo(f"… {len(bad_lines)} lines skipped in all", err=True)


def exit_status(error: BaseException, arguments: Sequence[str], home: Path | None) -> int:
    """Print `error` on standard error; return the exit status of the process.

    The log of an unexpected error is written below `home` (--home).
    """
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, click.ClickException):
        show_click_error(error)
        return error.exit_code
    if isinstance(error, Interrupted | KeyboardInterrupt | click.Abort):
        kept = error.kept if isinstance(error, Interrupted) else ""
        echo("\n" + " ".join(filter(None, ["Stopped.", kept])), err=True)
        return INTERRUPTED
    known = known_failure(error, home)
    if known is None:
        log = _crash_log(error, arguments, home)
        known = ClewError(f"An unexpected error occurred: {_one_line(error)}.", f"Details: {log}")
    echo(f"Error: {known}", err=True)
    return known.exit_code


def known_failure(error: BaseException, home: Path | None = None) -> ClewError | None:
    """`error` with a remedy, for Clew's own errors, a full disk (of `home`) and missing permissions; None for other
    errors."""
    if isinstance(error, ClewError):
        return error
    if full := full_disk(error, _home(home)):
        return full
    if isinstance(error, OSError):
        where = str(error.filename or "a file")
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            return ClewError(f"{where} cannot be accessed.", "Check its permissions, or choose another --home.")
        if error.errno in (errno.ENOTDIR, errno.EEXIST):
            return ClewError(f"{where} is not a folder.", "Remove it, or choose another --home.")
    return None


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def _crash_log(error: BaseException, arguments: Sequence[str], home: Path | None) -> Path | str:
    """Write the traceback to a file in the home folder, or else in the temporary folder; return its path."""
    now = datetime.now(UTC)
    text = "".join(
        [f"{now.isoformat()}\nclew {' '.join(arguments)}\nPython {sys.version}\n\n", *traceback.format_exception(error)]
    )
    for folder in (_home(home) / "logs", Path(tempfile.gettempdir())):
        path = folder / f"crash-{now:%Y%m%d-%H%M%S}-{os.getpid()}.log"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.write_text(printable(text), encoding="utf-8")
            return path
        except OSError:
            continue
    return "no log could be written."


def _home(given: Path | None) -> Path:
    from platformdirs import user_data_path

    return given or Path(os.environ.get("CLEW_HOME") or user_data_path("clew", appauthor=False))
