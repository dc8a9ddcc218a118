"""Conversations that people come back to: which there are, what was said, under which names.

They stand beside LangGraph's checkpoints, in the same SQLite file, so that the terminal and the server see the same
ones. A session's name as it is stored is its thread id: `NAME` at the terminal and on a server without tokens,
`USER/NAME` for a user of a server with tokens.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypedDict

from clew.tools.errors import BadInput, ClewError

if TYPE_CHECKING:
    from clew.graphs.conversations import Conversations

LONGEST_NAME = 100
TURNS_KEPT = 200
"""Of one session; older ones are dropped."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    thread TEXT PRIMARY KEY, graph TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_turns (
    thread TEXT NOT NULL, number INTEGER NOT NULL, asked REAL NOT NULL, question TEXT NOT NULL, result TEXT NOT NULL,
    PRIMARY KEY (thread, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_waiting (
    thread TEXT PRIMARY KEY, asked REAL NOT NULL, question TEXT NOT NULL, choice TEXT NOT NULL
) WITHOUT ROWID;
"""
_TABLES = (
    ("sessions", "thread"), ("session_turns", "thread"), ("session_waiting", "thread"),
    ("checkpoints", "thread_id"), ("writes", "thread_id"),
)  # fmt: skip


class UnknownSession(ClewError):
    """No session of that name."""


class Session(TypedDict):
    """One line of a list of sessions."""

    name: str
    graph: str
    title: str
    """The first question that is kept, or the one that waits."""
    turns: int
    created: float
    """Seconds since 1970."""
    updated: float


class SessionTurn(TypedDict):
    number: int
    asked: float
    question: str
    result: dict[str, Any]
    """As `clew ask --json` has it."""


class Waiting(TypedDict):
    """A question that goes on when its user has chosen."""

    asked: float
    question: str
    choice: dict[str, Any]
    """As `clew.graphs.nodes.clarify.Choice`."""


def checked_name(name: str) -> str:
    """A name that a user gave to a session. Raises BadInput."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or "/" in name or not name.isprintable():
        raise BadInput(
            "This cannot be the name of a session.",
            f"Use 1 to {LONGEST_NAME} characters that can be printed, without “/”.",
        )
    return name


def owned(owner: str | None, name: str) -> str:
    """The thread of `owner`'s session; `name` itself for who is at the terminal."""
    return name if owner is None else f"{owner}/{name}"


class Sessions:
    """The sessions in the file of `conversations`. Safe for several threads and processes."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        with conversations.cursor() as cursor:
            cursor.executescript(_SCHEMA)

    def remember(self, thread: str, graph: str, question: str, result: Mapping[str, Any]) -> None:
        """One more turn."""
        now, told = time.time(), json.dumps(result, ensure_ascii=False, separators=(",", ":"), default=str)
        with self._changes() as change:
            _touch(change, thread, graph, now)
            change.execute("DELETE FROM session_waiting WHERE thread = ?", [thread])
            change.execute(
                "INSERT INTO session_turns SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM session_turns "
                "WHERE thread = ?1",
                [thread, now, question, told],
            )
            change.execute(
                "DELETE FROM session_turns WHERE thread = ?1 AND number <= "
                "(SELECT max(number) FROM session_turns WHERE thread = ?1) - ?2",
                [thread, TURNS_KEPT],
            )

    def wait(self, thread: str, graph: str, question: str, choice: Mapping[str, Any]) -> None:
        """Keep a question that waits for a choice; the session need not be there yet."""
        now, told = time.time(), json.dumps(choice, ensure_ascii=False, separators=(",", ":"), default=str)
        with self._changes() as change:
            _touch(change, thread, graph, now)
            change.execute("INSERT OR REPLACE INTO session_waiting VALUES (?, ?, ?, ?)", [thread, now, question, told])

    def waiting(self, thread: str) -> Waiting | None:
        """The question of a session that waits for a choice."""
        rows = self._rows("SELECT asked, question, choice FROM session_waiting WHERE thread = ?", thread)
        for asked, question, choice in rows:
            return {"asked": asked, "question": question, "choice": json.loads(choice)}
        return None

    def wait_no_more(self, thread: str) -> None:
        """Drop the question that waits, as another one is asked."""
        if self.waiting(thread) is not None:
            with self._changes() as change:
                change.execute("DELETE FROM session_waiting WHERE thread = ?", [thread])

    def graph_of(self, thread: str) -> str | None:
        """The graph that a session is about; None where there is no such session."""
        rows = self._rows("SELECT graph FROM sessions WHERE thread = ?", thread)
        return str(rows[0][0]) if rows else None

    def kept(self, owner: str | None = None) -> list[Session]:
        """Those of `owner`, or those of the terminal, the latest first."""
        prefix = owned(owner, "")
        rows = self._rows(
            "SELECT s.thread, s.graph, s.created, s.updated, count(t.number), "
            "coalesce((SELECT question FROM session_turns f WHERE f.thread = s.thread ORDER BY f.number LIMIT 1), "
            "(SELECT question FROM session_waiting w WHERE w.thread = s.thread)) "
            "FROM sessions s LEFT JOIN session_turns t ON t.thread = s.thread "
            "WHERE substr(s.thread, 1, ?1) = ?2 AND instr(substr(s.thread, ?1 + 1), '/') = 0 "
            "GROUP BY s.thread ORDER BY s.updated DESC",
            len(prefix),
            prefix,
        )
        return [
            {
                "name": thread[len(prefix) :],
                "graph": graph,
                "title": title or "",
                "turns": turns,
                "created": created,
                "updated": updated,
            }
            for thread, graph, created, updated, turns, title in rows
        ]

    def turns(self, thread: str) -> list[SessionTurn]:
        """What was said, the first question first. Raises UnknownSession."""
        self._known(thread)
        rows = self._rows(
            "SELECT number, asked, question, result FROM session_turns WHERE thread = ? ORDER BY number", thread
        )
        return [
            {"number": number, "asked": asked, "question": question, "result": json.loads(result)}
            for number, asked, question, result in rows
        ]

    def rename(self, thread: str, name: str) -> None:
        """Raises UnknownSession, and BadInput where that name is taken."""
        self._known(thread)
        if thread == name:
            return
        with self._changes() as change:
            taken = "SELECT 1 FROM sessions WHERE thread = ?1 UNION SELECT 1 FROM checkpoints WHERE thread_id = ?1"
            if change.execute(taken, [name]).fetchone():
                raise BadInput("There is a session of that name.", "Choose another one, or delete it first.")
            for table, column in _TABLES:
                change.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", [name, thread])

    def delete(self, thread: str) -> None:
        """Raises UnknownSession."""
        self._known(thread)
        with self._changes() as change:
            for table, column in _TABLES:
                change.execute(f"DELETE FROM {table} WHERE {column} = ?", [thread])

    def _known(self, thread: str) -> None:
        if self.graph_of(thread) is None:
            raise UnknownSession("There is no such session.", "`clew sessions list` shows those there are.")

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        with self._conversations.cursor(transaction=False) as cursor:
            return cursor.execute(sql, values).fetchall()

    @contextmanager
    def _changes(self) -> Iterator[sqlite3.Connection]:
        """Changes that are made together, or not at all."""
        with self._conversations.lock, self._conversations.conn as connection:
            yield connection


def _touch(change: sqlite3.Connection, thread: str, graph: str, now: float) -> None:
    """A session is used, or begins."""
    change.execute(
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?3) ON CONFLICT (thread) DO UPDATE SET updated = ?3",
        [thread, graph, now],
    )
