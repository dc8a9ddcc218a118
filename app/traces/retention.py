"""How many traces are kept, how large their file may be, and for how long."""

from __future__ import annotations

from dataclasses import dataclass

from clew.tools.state.tables import ALL, Change

_SHARE = 10
"""Part of the runs that is dropped at a time while the file is too large: one in this number."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Limits of the store. The oldest runs beyond any of them are dropped."""

    runs: int = 1000
    megabytes: float = 200.0
    """Of the file, without its free pages and its log."""
    days: float = 90.0


def tidy(change: Change, retention: Retention, now: float) -> int:
    """Drop runs beyond the retention; returns their number. If there are none, this reads only an index and the size.

    One process at a time does so: several would wait for each other's rows."""
    change.lock("tidy")
    count = change.execute("DELETE FROM runs WHERE started < :until", {"until": now - retention.days * 86_400})
    beyond = "SELECT id FROM runs ORDER BY started DESC LIMIT :all OFFSET :kept"
    count += change.execute(f"DELETE FROM runs WHERE id IN ({beyond})", {"all": ALL, "kept": retention.runs})
    while change.exceed(retention.megabytes * 1e6):
        oldest = "SELECT id FROM runs ORDER BY started, id DESC LIMIT (SELECT count(*) / :share + 1 FROM runs)"
        dropped = change.execute(f"DELETE FROM runs WHERE id IN ({oldest})", {"share": _SHARE})
        if dropped == 0:
            break
        count += dropped
    return count
