"""A full disk, recognised by the errors that it causes and reported with its folder."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clew.tools.errors import DiskFull

_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_SIGNS = ("No space left on device", "Disk quota exceeded", "database or disk is full")
_VAGUE = ("Transaction error on commit", "Error executing Cypher command", "did not start", "disk I/O error")
"""What the embedded database and SQLite say of a full disk, and of other things too."""
_HOME = "Clew's home folder"
_LEAST_FREE = 1 << 20
"""Bytes. The database writes several files at once, of which the first that fails may leave some space."""


@contextmanager
def writing_in(folder: Path) -> Iterator[None]:
    """Raises DiskFull in place of what a full disk causes within the block, which writes to the folder."""
    try:
        yield
    except Exception as error:
        if full := full_disk(error, folder):
            raise full from error
        raise


def full_disk(error: BaseException, folder: Path | None = None) -> DiskFull | None:
    """The error as one that says what is full: the file that it names, or else `folder`, which is written to. None if
    it has another cause."""
    if isinstance(error, DiskFull):
        return error
    named = getattr(error, "errno", None)
    if named in _ERRORS:
        return DiskFull(getattr(error, "filename", None) or folder or _HOME)
    text = str(error)
    vague = any(sign in text for sign in _VAGUE) or (isinstance(error, OSError) and named is None)
    full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL or any(sign in text for sign in _SIGNS)
    return DiskFull(folder or _HOME) if full or (vague and folder is not None and _has_no_space(folder)) else None


def _has_no_space(folder: Path) -> bool:
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    with suppress(OSError):
        return shutil.disk_usage(there).free < _LEAST_FREE
    return False
