"""The SQLite files that Clew keeps: how they are opened, and what becomes of one that is damaged.

A damaged file is renamed and never deleted. The user gets a notice, and Clew goes on with a new file.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Literal

from clew.tools.errors import BadInput, DamagedFile
from clew.tools.full_disk import writing_in
from clew.tools.notices import notify

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PARTS = ("", "-wal", "-shm", "-journal")
"""What the names of the files of one database end in."""


def opened(
    path: Path,
    prepare: Callable[[sqlite3.Connection], object],
    *,
    timeout: float = 10.0,
    isolation_level: Literal["DEFERRED"] | None = "DEFERRED",
    format: int | None = None,
) -> sqlite3.Connection:
    """A connection to the file, prepared. The file is made, for its owner alone, where there is none, and made anew
    where it is damaged. Bytes that are no UTF-8 are read as U+FFFD. Raises BadInput for a file of a later format.

    Args:
        path: The file.
        prepare: Sets the options of the connection and makes the tables.
        timeout: Seconds to wait for another process.
        isolation_level: As `sqlite3.connect` takes it.
        format: The newest format that this version of Clew reads, to which `prepare` brings earlier ones; None for a
            file whose format `prepare` looks after.
    """

    def attempt() -> sqlite3.Connection:
        path.touch(mode=0o600)
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=isolation_level, check_same_thread=False)
        connection.text_factory = _decoded
        try:
            found = 0 if format is None else _known_format(connection, path, format)
            prepare(connection)
            if format is not None and found < format:
                connection.execute(f"PRAGMA user_version = {format}")
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


def _known_format(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    """The format of a file, 0 for a new one. Raises BadInput for a later one than `newest`."""
    found = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if found > newest:
        raise BadInput(
            f"{path} has format {found}; this version of Clew reads formats up to {newest}.",
            "A later version of Clew wrote it: use that one, or choose another folder (--home, CLEW_HOME).",
        )
    return found


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


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
    """Whether an error says that a file is not a database, or a broken one."""
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
    notify(f"{path} was damaged: it is now {aside}, and Clew goes on with a new one.")


def _is_sound(path: Path) -> bool:
    """Whether another process has replaced the file meanwhile."""
    try:
        with closing(sqlite3.connect(path, timeout=10.0)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return False
        raise


def damage_of(path: Path) -> str:
    """What is wrong with a file, as SQLite's own check says; "" for a sound one, and for one that is in use."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10.0)) as connection:
            found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)")]
        return "" if found == ["ok"] else "; ".join(found)
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return str(error)
        raise


def rescue(damaged: Path, into: sqlite3.Connection, tables: Sequence[str] = ()) -> int:
    """Add the rows of a damaged file that can be read to the tables of the same names in an open one.

    Each table is read from both ends as far as that goes. Rows that are there already stay as they are.

    Args:
        damaged: The file; it is not changed.
        into: The connection; its tables need primary keys.
        tables: Only these; by default all that both files have.

    Returns:
        How many rows were added.
    """
    before = into.total_changes
    uri = f"{damaged.absolute().as_uri()}?mode=ro"
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(uri, uri=True)) as source:
        for table in tables or _tables(into):
            columns = [name for name in _columns(source, table) if name in _columns(into, table)]
            if columns:
                _copy(source, into, table, columns)
    into.commit()
    return into.total_changes - before


def _tables(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    return [str(row[0]) for row in connection.execute(query)]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f'PRAGMA table_info("{table}")')]


def _copy(source: sqlite3.Connection, into: sqlite3.Connection, table: str, columns: Sequence[str]) -> None:
    keys = [str(row[1]) for row in source.execute(f'PRAGMA table_info("{table}")') if row[5]]
    names, places = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    backwards = f"ORDER BY {', '.join(f'{chr(34)}{key}{chr(34)} DESC' for key in keys)}" if keys else ""
    for order in ("", backwards):
        with suppress(sqlite3.DatabaseError):
            for row in source.execute(f'SELECT {names} FROM "{table}" {order}'):
                with suppress(sqlite3.IntegrityError):
                    into.execute(f'INSERT OR IGNORE INTO "{table}" ({names}) VALUES ({places})', row)
