"""Conversations: LangGraph checkpoints, one thread per conversation, its latest state only; here in a SQLite file, in
`shared_conversations` in PostgreSQL."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Interrupt

from clew.tools.errors import BadInput
from clew.tools.sqlite_files import in_use, opened, written_ahead
from clew.tools.state.sqlite import SqliteTables
from clew.tools.state.tables import Tables

FORMAT = 1


class Redact(Protocol):
    """Takes secrets out of texts."""

    def __call__(self, text: str, beside: str = "") -> str:
        """`text` without the secrets in it, and without the words of those in `beside`."""


class PlainSerializer(JsonPlusSerializer):
    """Writes values without the secrets that a user typed or that were quoted to them."""

    def __init__(self, redact: Redact | None) -> None:
        super().__init__(allowed_msgpack_modules=None)
        self._redact = redact

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        kind, data = super().dumps_typed(obj)
        if self._redact is None or self._redact(text := data.decode(errors="replace")) == text:
            return kind, data
        redact = self._redact
        return super().dumps_typed(with_texts(obj, lambda each: redact(each, text)))


def with_texts(value: Any, redact: Callable[[str], str]) -> Any:
    """A copy of a plain value with every text in it changed."""
    if isinstance(value, str):
        return redact(value)
    if type(value) in (list, tuple):
        return type(value)(with_texts(item, redact) for item in value)
    if isinstance(value, dict):
        return {key: with_texts(item, redact) for key, item in value.items()}
    if isinstance(value, Interrupt):
        return Interrupt(with_texts(value.value, redact), id=value.id)
    return value


class Conversations(BaseCheckpointSaver[str]):
    """Checkpoints whose values are plain: nothing but msgpack's own types is ever read back."""

    tables_of_threads: tuple[tuple[str, str], ...] = ()
    """The tables that have the checkpoints, each with its column of threads."""

    @abstractmethod
    def tables(self, script: str) -> Tables:
        """Further tables beside the checkpoints, which a script creates."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""


class SqliteConversations(SqliteSaver, Conversations):
    """Conversations in a SQLite file."""

    tables_of_threads = (("checkpoints", "thread_id"), ("writes", "thread_id"))

    def __init__(self, path: Path, redact: Redact | None = None) -> None:
        super().__init__(opened(path, written_ahead, format=FORMAT), serde=PlainSerializer(redact))
        self.path = path
        self._script = ""

    def tables(self, script: str) -> Tables:
        """In the same file, and in one that takes its place."""
        self._script = script
        with self.cursor() as cursor:
            cursor.executescript(script)
        return SqliteTables(self.path, self._connection)

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        with self._in_use(), super().cursor(transaction) as cursor:
            yield cursor

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._in_use(), self.lock:
            yield self.conn

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        used = self.conn
        with in_use(self.path, lambda: self._replace(used)):
            yield

    def _replace(self, damaged: sqlite3.Connection) -> None:
        """Open the file that takes the place of a damaged one, unless another thread has done so."""
        with self.lock:
            if self.conn is damaged:
                self.conn, self.is_setup = opened(self.path, written_ahead, format=FORMAT), False
                self.conn.executescript(self._script)
                damaged.close()

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Forget superseded checkpoints: a follow-up question needs the conversation's latest state alone."""
        for thread_id in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread_id)
                continue
            with self.cursor() as cursor:
                for table in ("checkpoints", "writes"):
                    cursor.execute(
                        f"DELETE FROM {table} WHERE thread_id = :thread AND checkpoint_id < (SELECT max(checkpoint_id) "
                        f"FROM checkpoints c WHERE c.thread_id = :thread AND c.checkpoint_ns = {table}.checkpoint_ns)",
                        {"thread": thread_id},
                    )

    def close(self) -> None:
        self.conn.close()


def open_conversations(path: Path, redact: Redact | None = None) -> SqliteConversations:
    """The conversations kept in the SQLite file `path`, which is made where there is none. Close it after use.

    `redact` takes the secrets out of what is stored.
    """
    try:
        return SqliteConversations(path, redact)
    except (OSError, sqlite3.Error) as error:
        raise BadInput(f"{path} cannot be used to keep conversations: {error}.", "Move the file away.") from error
