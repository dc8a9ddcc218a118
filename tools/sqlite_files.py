"""The SQLite files that Clew keeps: how they are opened, and what becomes of one that is damaged.

A damaged file is set aside under another name and never deleted, the user is told, and the work goes on with a new one.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal

from clew.tools.errors import DamagedFile
from clew.tools.full_disk import writing_in
from clew.tools.notices import tell

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PARTS = ("", "-wal", "-shm", "-journal")
"""What the names of the files of one database end in."""


def opened(
    path: Path,
    prepare: Callable[[sqlite3.Connection], object],
    *,
    timeout: float = 10.0,
    isolation_level: Literal["DEFERRED"] | None = "DEFERRED",
) -> sqlite3.Connection:
    """A connection to the file, prepared. The file is made, for its owner alone, where there is none, and made anew
    where it is damaged.

    Args:
        path: The file.
        prepare: Sets the options of the connection and makes the tables.
        timeout: Seconds to wait for another process.
        isolation_level: As `sqlite3.connect` takes it.
    """

    def attempt() -> sqlite3.Connection:
        path.touch(mode=0o600)
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=isolation_level, check_same_thread=False)
        try:
            prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    with writing_in(path.parent):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return attempt()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            set_aside(path)
            return attempt()


def written_ahead(connection: sqlite3.Connection) -> None:
    """Have readers and writers not wait for one another (write-ahead log)."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


@contextmanager
def in_use(path: Path, let_go: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Use an open file within this block: if it turns out to be damaged, it is set aside, and `let_go` is called to
    close it. Raises DamagedFile then; the next use has a new file. Raises DiskFull for a full disk.
    """
    try:
        with writing_in(path.parent):
            yield
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        set_aside(path)
        let_go()
        raise DamagedFile(f"{path} was damaged.", "A new one is used from now on: try again.") from error


def is_damage(error: BaseException) -> bool:
    """Whether an error says that a file is no database, or a broken one."""
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


def set_aside(path: Path) -> None:
    """Rename the file if it is damaged, and tell the user. Of several processes that find out at once, one does it."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not path.exists() or _is_sound(path):
            return
        aside = f"{path.name}.damaged-{datetime.now():%Y%m%d-%H%M%S-%f}"
        for part in _PARTS:
            if (file := path.with_name(path.name + part)).exists():
                file.rename(path.with_name(aside + part))
    finally:
        os.close(folder)
    tell(f"{path} was damaged: it is now {aside}, and Clew goes on with a new one.")


def _is_sound(path: Path) -> bool:
    """Whether another process has replaced the file meanwhile."""
    try:
        with closing(sqlite3.connect(path, timeout=10.0)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return False
        raise
