"""How many traces are kept, how large their file may be, and for how long."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

_SHARE = 10
"""One in so many runs is dropped at a time while the file is too large."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Limits of the store. The oldest runs beyond any of them are dropped."""

    runs: int = 1000
    megabytes: float = 200.0
    """Of the file, without its free pages and its log."""
    days: float = 90.0


def tidy(connection: sqlite3.Connection, retention: Retention, now: float) -> int:
    """Drop runs beyond the retention; returns their number. If there are none, this reads only an index and the file's
    header."""
    count = connection.execute("DELETE FROM runs WHERE started < ?", [now - retention.days * 86_400]).rowcount
    beyond = "SELECT id FROM runs ORDER BY started DESC, rowid DESC LIMIT -1 OFFSET ?"
    count += connection.execute(f"DELETE FROM runs WHERE id IN ({beyond})", [retention.runs]).rowcount
    while _used_bytes(connection) > retention.megabytes * 1e6:
        oldest = "SELECT id FROM runs ORDER BY started, rowid LIMIT (SELECT count(*) / ? + 1 FROM runs)"
        dropped = connection.execute(f"DELETE FROM runs WHERE id IN ({oldest})", [_SHARE]).rowcount
        if dropped == 0:
            break
        count += dropped
    return count


def _used_bytes(connection: sqlite3.Connection) -> int:
    """Of the pages in use; free pages are filled before the file grows."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
