"""How many traces are kept, how large they may be in all, and for how long."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

_SHARE = 10
"""One in so many runs is dropped at a time while their file is too large."""


@dataclass(frozen=True, slots=True)
class Retention:
    """The oldest runs beyond any of these are dropped."""

    runs: int = 1000
    megabytes: float = 200.0
    """Of the file, without its free pages and its log."""
    days: float = 90.0


USUAL = Retention()


def tidy(connection: sqlite3.Connection, retention: Retention, now: float) -> int:
    """Drop what is beyond the retention; gives the number of runs dropped. Where there is nothing to drop this looks at
    an index and the file's header only."""
    count = connection.execute("DELETE FROM runs WHERE started < ?", [now - retention.days * 86_400]).rowcount
    beyond = "SELECT id FROM runs ORDER BY started DESC, rowid DESC LIMIT -1 OFFSET ?"
    count += connection.execute(f"DELETE FROM runs WHERE id IN ({beyond})", [retention.runs]).rowcount
    while used_bytes(connection) > retention.megabytes * 1e6:
        oldest = "SELECT id FROM runs ORDER BY started, rowid LIMIT (SELECT count(*) / ? + 1 FROM runs)"
        dropped = connection.execute(f"DELETE FROM runs WHERE id IN ({oldest})", [_SHARE]).rowcount
        if dropped == 0:
            break
        count += dropped
    return count


def used_bytes(connection: sqlite3.Connection) -> int:
    """Of the pages that hold something; free ones are filled before the file grows."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
