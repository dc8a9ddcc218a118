"""The finished imports of a graph, and the progress of an interrupted one: one small SQLite file per graph.

Every change is one durable transaction, and the file is locked while an import runs.
"""

from __future__ import annotations

import json
import random
import sqlite3
import time
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from clew.tools.errors import BadInput, ClewError
from clew.tools.ingest import versions
from clew.tools.sqlite_files import opened

_TABLES = (
    "CREATE TABLE IF NOT EXISTS imports (digest TEXT, version TEXT, report TEXT)",
    "CREATE TABLE IF NOT EXISTS pending "
    "(digest TEXT, version_before TEXT, fresh INTEGER, files TEXT, report TEXT, committed INTEGER)",
)

_ATTEMPTS = 4
"""How often an import tries to get the journal for itself."""


class ImportRunning(BadInput):
    """Another process imports into the graph."""


class ImportInterrupted(ClewError):
    """The user stopped an import."""

    exit_code = 130


class Pending(NamedTuple):
    """An import that was begun and not finished."""

    digest: str
    version_before: str
    fresh: bool
    """The graph was empty when it began."""
    files: str
    report: dict[str, Any]
    committed: int
    """Batches that the database has acknowledged; the next one may have been written, too."""

    def fits(self, version: str) -> bool:
        """Whether a graph of this version is as the import has left it."""
        unfinished = versions.unfinished(self.digest)
        if self.fresh and self.committed:
            return version == unfinished
        return version in (self.version_before, unfinished)


class Journal:
    """Use as a context manager: it holds the graph's import lock."""

    def __init__(self, state_dir: Path, graph: str) -> None:
        self.folder = state_dir / quote(graph, safe="")
        self._graph = graph

    @property
    def staged(self) -> Path:
        """The path of the import's staging file."""
        return self.folder / "staged.sqlite"

    def __enter__(self) -> Journal:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._db = self._locked()
        except (OSError, sqlite3.OperationalError) as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                message = f"Another import into {self._graph} is running."
                raise ImportRunning(message, "Wait until it has finished.") from error
            message = f"{self.folder} cannot be written: {error}."
            raise ClewError(message, "Check permissions and free space.") from error
        return self

    def __exit__(self, *_exception: object) -> None:
        self._db.close()

    def _locked(self) -> sqlite3.Connection:
        """The journal, for this import alone. Of two that open it at once each may keep the other out, so both let go
        and one comes first at another attempt."""
        for attempt in range(_ATTEMPTS):
            try:
                return opened(self.folder / "journal.sqlite", _prepare, timeout=0.2, isolation_level=None, format=1)
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or attempt + 1 == _ATTEMPTS:
                    raise
                time.sleep(random.uniform(0.05, 0.4))
        raise AssertionError("unreachable")

    def finished(self, digest: str, version: str, *, last_only: bool = False) -> dict[str, Any] | None:
        """The report of the import of that content, where the graph has not been changed or dropped since; with
        `last_only`, where no other import followed."""
        last = self._db.execute("SELECT version, digest FROM imports ORDER BY rowid DESC LIMIT 1").fetchone()
        if last is None or last[0] != version or (last_only and last[1] != digest):
            return None
        row = self._db.execute("SELECT report FROM imports WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def follows(self, earlier: str, version: str) -> bool:
        """Whether the graph has the version of the last import, and had the earlier one after an import before it."""
        versions = [row[0] for row in self._db.execute("SELECT version FROM imports ORDER BY rowid")]
        return bool(versions) and versions[-1] == version and earlier in versions

    def pending(self) -> Pending | None:
        """The unfinished import whose staging file is still there."""
        row = self._db.execute("SELECT * FROM pending").fetchone()
        if row is None or not self.staged.exists():
            return None
        return Pending(row[0], row[1], bool(row[2]), row[3], json.loads(row[4]), row[5])

    def has_lost(self, digest: str) -> bool:
        """Whether the import of that content was begun and cannot go on: its staging file is gone."""
        found = self._db.execute("SELECT 1 FROM pending WHERE digest = ?", (digest,)).fetchone()
        return found is not None and not self.staged.exists()

    def begin(self, pending: Pending) -> None:
        """Record an import whose staging file is complete, in place of any earlier one."""
        self._db.execute("BEGIN")
        self._db.execute("DELETE FROM pending")
        row = (*pending[:4], json.dumps(pending.report), pending.committed)
        self._db.execute("INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?)", row)
        self._db.execute("COMMIT")

    def commit(self, batches: int) -> None:
        """The database has acknowledged the first `batches` batches."""
        self._db.execute("UPDATE pending SET committed = ?", (batches,))

    def forget_pending(self) -> None:
        """Drop the record of an unfinished import, and its staging file."""
        self._db.execute("DELETE FROM pending")
        self.staged.unlink(missing_ok=True)

    def finish(self, digest: str, version: str, report: dict[str, Any], *, fresh: bool) -> None:
        """Record a finished import; in a `fresh` graph it is the only one."""
        self._db.execute("BEGIN")
        if fresh:
            self._db.execute("DELETE FROM imports")
        self._db.execute("DELETE FROM pending")
        self._db.execute("INSERT INTO imports VALUES (?, ?, ?)", (digest, version, json.dumps(report)))
        self._db.execute("COMMIT")


def _prepare(journal: sqlite3.Connection) -> None:
    """Keep the journal for this process alone."""
    journal.execute("PRAGMA locking_mode = EXCLUSIVE")
    journal.execute("PRAGMA synchronous = FULL")
    journal.execute("BEGIN EXCLUSIVE")
    for statement in _TABLES:
        journal.execute(statement)
    journal.execute("COMMIT")
