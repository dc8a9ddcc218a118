"""Conversations on disk: LangGraph checkpoints in SQLite, one thread per conversation, its latest state only."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from clew.tools.errors import BadInput


class Conversations(SqliteSaver):
    """Checkpoints whose values are plain: nothing but msgpack's own types is ever read back."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Forget superseded checkpoints: a follow-up question needs the conversation's latest state alone."""
        for thread_id in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread_id)
                continue
            latest = "(SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = '')"
            with self.cursor() as cursor:
                for table in ("checkpoints", "writes"):
                    cursor.execute(
                        f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id < {latest}", (thread_id, thread_id)
                    )

    def close(self) -> None:
        self.conn.close()


def open_conversations(path: Path) -> Conversations:
    """The conversations kept in the SQLite file `path`, which is made where there is none. Close it after use."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, check_same_thread=False, timeout=10)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
    except (OSError, sqlite3.Error) as error:
        raise BadInput(f"{path} cannot be used to keep conversations: {error}.", "Move the file away.") from error
    return Conversations(connection)
