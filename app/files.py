"""The privacy of the files in a Clew home."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path


def private_home(home: Path) -> None:
    """Make a home that other users cannot read, or keep them out of the one that is there."""
    with suppress(OSError):  # Who uses the folder says why it cannot be made.
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private(home)
        (home / "graphs").mkdir(mode=0o700, exist_ok=True)


def make_private(home: Path) -> None:
    """Keep other users out of an existing Clew home: its folder if it is empty, and in any case what Clew keeps in it.

    The folder itself of a home with other content stays as it is: it may be one that serves other purposes too.
    """
    with suppress(OSError):
        kept = set(os.listdir(home))
        if kept <= {"warm"}:
            _take_from_others(home)
        for name in kept:
            if name in _OWN_FOLDERS or name in _OWN_FILES or ".sqlite" in name:
                _take_from_others(home / name)


_OWN_FOLDERS = {"database", "graphs", "logs", "uploads", "warm"}
_OWN_FILES = {"chat-history", "tokens.json"}
_OF_OTHERS = 0o077


def _take_from_others(path: Path) -> None:
    """Take away the permissions of all users but the owner. Nothing happens if the file is another user's."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if mode & _OF_OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~_OF_OTHERS)
