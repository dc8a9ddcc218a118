"""Conversations in PostgreSQL, which several processes share: any of them goes on where another one left off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg import Cursor
from psycopg.rows import DictRow

from clew.graphs.conversations import Conversations, PlainSerializer, Redact, with_texts
from clew.tools.state.postgres import Pool, Postgres, storable
from clew.tools.state.tables import Tables


class SharedConversations(PostgresSaver, Conversations):
    """Conversations in the tables of LangGraph's own saver, which are made here."""

    tables_of_threads = (
        ("checkpoints", "thread_id"), ("checkpoint_blobs", "thread_id"), ("checkpoint_writes", "thread_id"),
    )  # fmt: skip

    def __init__(self, database: Postgres, redact: Redact | None = None) -> None:
        self._database = database
        self._redact = redact
        super().__init__(database.pool, serde=PlainSerializer(redact))
        with database.alone("checkpoints"):
            self.setup()

    @property
    def conn(self) -> Pool:
        """The pool, which is another one after the database was closed."""
        return self._database.pool

    @conn.setter
    def conn(self, pool: Pool) -> None:
        """The saver's constructor sets it."""

    def tables(self, script: str) -> Tables:
        return self._database.tables(script)

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[Cursor[DictRow]]:
        with self._database.answering(), super()._cursor(pipeline=pipeline) as cursor:
            yield cursor

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Texts that are values of their own do not pass the serializer here: the saver keeps them as JSON."""
        values = checkpoint["channel_values"]
        texts = {name: self._cleaned(value) for name, value in values.items() if isinstance(value, str)}
        kept: Checkpoint = {**checkpoint, "channel_values": {**values, **texts}}
        about: Any = with_texts(dict(metadata), self._cleaned)
        return super().put(config, kept, about, new_versions)

    def close(self) -> None:
        """The owner of the database closes it."""

    def _cleaned(self, text: str) -> str:
        return storable(text if self._redact is None else self._redact(text))
