"""The store of conversations, with their questions and answers, by name.

They are in the same SQLite file as LangGraph's checkpoints, so that the terminal and the server see the same sessions.
The stored name of a session is its thread id: `NAME` at the terminal and on a server without tokens, `USER/NAME` for a
user of a server with tokens.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from clew.app.traces.redaction import json_without_secrets, redacted
from clew.app.traces.rows import as_array
from clew.tools.errors import BadInput, ClewError, DamagedFile

if TYPE_CHECKING:
    from clew.graphs.conversations import Conversations

LONGEST_NAME = 100
TURNS_KEPT = 200
"""Of one session; older ones are removed."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    thread TEXT PRIMARY KEY, graph TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_turns (
    thread TEXT NOT NULL, number INTEGER NOT NULL, asked REAL NOT NULL, question TEXT NOT NULL, result TEXT NOT NULL,
    PRIMARY KEY (thread, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_origins (thread TEXT PRIMARY KEY, origin TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_waiting (
    thread TEXT PRIMARY KEY, asked REAL NOT NULL, question TEXT NOT NULL, choice TEXT NOT NULL
) WITHOUT ROWID;
"""
_TABLES = (
    ("sessions", "thread"), ("session_turns", "thread"), ("session_waiting", "thread"),
    ("session_origins", "thread"),
    ("checkpoints", "thread_id"), ("writes", "thread_id"),
)  # fmt: skip


_GRAPHS = """
SELECT graph FROM sessions WHERE thread = {0} UNION SELECT json_extract(result, '$.graph') FROM session_turns
WHERE thread = {0} AND json_extract(result, '$.graph') IS NOT NULL
"""
"""The graphs of a session. It has one, but for a file that an earlier release wrote."""


class UnknownSession(ClewError):
    """No session of that name."""


class Session(TypedDict):
    """A session in a list."""

    name: str
    graph: str
    title: str
    """The first stored question, or the waiting one."""
    turns: int
    created: float
    """Seconds since 1970."""
    updated: float
    origin: str
    """Where it began: "page", "api" or "terminal"."""


class SessionTurn(TypedDict):
    number: int
    asked: float
    question: str
    result: dict[str, Any]
    """As `clew ask --json` prints it."""


class Waiting(TypedDict):
    """A question that waits for the choice of its user."""

    asked: float
    question: str
    choice: dict[str, Any]
    """A `clew.graphs.nodes.clarify.Choice`."""


def checked_name(name: str) -> str:
    """The name of a session without surrounding space. Raises BadInput if it cannot be used."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or "/" in name or not name.isprintable():
        raise BadInput(
            "This cannot be the name of a session.",
            f"Use 1 to {LONGEST_NAME} characters that can be printed, without “/”.",
        )
    return name


def thread_of(owner: str | None, name: str) -> str:
    """The thread id of a session; without an owner, of one at the terminal."""
    return name if owner is None else f"{owner}/{name}"


class Sessions:
    """The sessions in the file of `conversations`. Safe for several threads and processes."""

    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        conversations.add_tables(_SCHEMA)

    def add_turn(
        self, thread: str, graph: str, question: str, result: Mapping[str, Any], *, again: bool = False
    ) -> None:
        """Store a question and its result.

        Args:
            thread: The session.
            graph: The graph that it is about.
            question: The question.
            result: Its result.
            again: Whether the result replaces the last one, if that is of the same question.
        """
        now, question = time.time(), redacted(question)
        with self._conversations.changes() as change:
            _touch(change, thread, graph, now)
            if again:
                change.execute(
                    "DELETE FROM session_turns WHERE thread = ?1 AND question = ?2 AND number = "
                    "(SELECT max(number) FROM session_turns WHERE thread = ?1)",
                    [thread, question],
                )
            change.execute("DELETE FROM session_waiting WHERE thread = ?", [thread])
            change.execute(
                "INSERT INTO session_turns SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM session_turns "
                "WHERE thread = ?1",
                [thread, now, question, _encoded(result)],
            )
            change.execute(
                "DELETE FROM session_turns WHERE thread = ?1 AND number <= "
                "(SELECT max(number) FROM session_turns WHERE thread = ?1) - ?2",
                [thread, TURNS_KEPT],
            )

    def set_waiting(self, thread: str, graph: str, question: str, choice: Mapping[str, Any]) -> None:
        """Store a question that waits for a choice; the session is created if need be."""
        now, question = time.time(), redacted(question)
        with self._conversations.changes() as change:
            _touch(change, thread, graph, now)
            row = [thread, now, question, _encoded(choice)]
            change.execute("INSERT OR REPLACE INTO session_waiting VALUES (?, ?, ?, ?)", row)

    def waiting(self, thread: str) -> Waiting | None:
        """The question of a session that waits for a choice, if any."""
        rows = self._rows("SELECT asked, question, choice FROM session_waiting WHERE thread = ?", thread)
        for asked, question, choice in rows:
            return {"asked": asked, "question": question, "choice": self._value(choice)}
        return None

    def clear_waiting(self, thread: str) -> None:
        """Remove the waiting question, because another one is asked."""
        if self.waiting(thread) is not None:
            with self._conversations.changes() as change:
                change.execute("DELETE FROM session_waiting WHERE thread = ?", [thread])

    def graph_of(self, thread: str) -> str | None:
        """The graph that a session is about; None if there is no such session."""
        rows = self._rows("SELECT graph FROM sessions WHERE thread = ?", thread)
        return str(rows[0][0]) if rows else None

    def set_origin(self, thread: str, origin: str) -> None:
        """Note where a session began, unless that is known; those of the terminal need no note."""
        with self._conversations.changes() as change:
            change.execute("INSERT OR IGNORE INTO session_origins VALUES (?, ?)", [thread, origin])

    def refuse_if_about_others(self, thread: str, graphs: Collection[str]) -> None:
        """Raises UnknownSession if a question of the session was to a graph that is not among `graphs`."""
        if not {graph for (graph,) in self._rows(_GRAPHS.format("?1"), thread)} <= set(graphs):
            raise _unknown()

    def overview(
        self, owner: str | None = None, search: str = "", graphs: Collection[str] | None = None
    ) -> list[Session]:
        """The sessions of `owner`, or of the terminal, the latest first.

        Args:
            owner: The user.
            search: Only those in which a question or an answer has this text, whatever its case.
            graphs: Only those whose questions were all to one of these.
        """
        prefix = thread_of(owner, "")
        rows = self._rows(
            "SELECT s.thread, s.graph, s.created, s.updated, count(t.number), "
            "coalesce((SELECT question FROM session_turns f WHERE f.thread = s.thread ORDER BY f.number LIMIT 1), "
            "(SELECT question FROM session_waiting w WHERE w.thread = s.thread)), "
            "coalesce((SELECT origin FROM session_origins o WHERE o.thread = s.thread), 'terminal') "
            "FROM sessions s LEFT JOIN session_turns t ON t.thread = s.thread "
            "WHERE substr(s.thread, 1, ?1) = ?2 AND instr(substr(s.thread, ?1 + 1), '/') = 0 "
            "AND (?3 = '' OR instr(lower(s.thread), ?3) > 0 OR EXISTS (SELECT 1 FROM session_turns f WHERE "
            "f.thread = s.thread AND (instr(lower(f.question), ?3) > 0 OR "
            "instr(lower(json_extract(f.result, '$.sentence')), ?3) > 0))) "
            f"AND (?4 IS NULL OR NOT EXISTS ({_GRAPHS.format('s.thread')} EXCEPT "
            "SELECT value FROM json_each(?4))) "
            "GROUP BY s.thread ORDER BY s.updated DESC",
            len(prefix),
            prefix,
            search.lower(),
            as_array(graphs),
        )
        return [
            Session(
                name=thread[len(prefix) :],
                graph=graph,
                title=title or "",
                turns=turns,
                created=created,
                updated=at,
                origin=origin,
            )
            for thread, graph, created, at, turns, title, origin in rows
        ]

    def turns(self, thread: str) -> list[SessionTurn]:
        """The stored questions and results, the oldest first. Raises UnknownSession."""
        self._known(thread)
        rows = self._rows(
            "SELECT number, asked, question, result FROM session_turns WHERE thread = ? ORDER BY number", thread
        )
        return [
            {"number": number, "asked": asked, "question": question, "result": self._value(result)}
            for number, asked, question, result in rows
        ]

    def rename(self, thread: str, name: str) -> None:
        """Raises UnknownSession, and BadInput if the name is taken."""
        self._known(thread)
        if thread == name:
            return
        with self._conversations.changes() as change:
            taken = "SELECT 1 FROM sessions WHERE thread = ?1 UNION SELECT 1 FROM checkpoints WHERE thread_id = ?1"
            if change.execute(taken, [name]).fetchone():
                raise BadInput("There is a session of that name.", "Choose another one, or delete it first.")
            for table, column in _TABLES:
                change.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", [name, thread])

    def delete(self, thread: str) -> None:
        """Raises UnknownSession."""
        self._known(thread)
        with self._conversations.changes() as change:
            for table, column in _TABLES:
                change.execute(f"DELETE FROM {table} WHERE {column} = ?", [thread])

    def _value(self, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            raise DamagedFile(
                f"This conversation is damaged in {self._conversations.path}.",
                "Start another one, or remove it with `clew sessions delete`; the others are not affected.",
            ) from None

    def _known(self, thread: str) -> None:
        if self.graph_of(thread) is None:
            raise _unknown()

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        with self._conversations.cursor(transaction=False) as cursor:
            return cursor.execute(sql, values).fetchall()


def _unknown() -> UnknownSession:
    return UnknownSession("There is no such session.", "`clew sessions list` shows all sessions.")


def _touch(change: sqlite3.Connection, thread: str, graph: str, now: float) -> None:
    """Note that a session is used, and create it if need be."""
    change.execute(
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?3) ON CONFLICT (thread) DO UPDATE SET updated = ?3",
        [thread, graph, now],
    )


def _encoded(value: Mapping[str, Any]) -> str:
    return json_without_secrets(value)
