"""Atomic writing of files, and the privacy of those in a Clew home."""

from __future__ import annotations

import json
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any


def write_text(path: Path, text: str, mode: int = 0o666) -> None:
    """Write a file under a temporary name and rename it, so that no reader sees an incomplete file.

    `mode` are its permissions, less those that the umask of the process takes away.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


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


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, as `write_text` does."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")
