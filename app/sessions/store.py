"""The store of conversations, with their questions and answers, by name.

They are beside LangGraph's checkpoints, in the same SQLite file or PostgreSQL, so that the terminal and the server see
the same sessions.
The stored name of a session is its thread id: `NAME` at the terminal and on a server without tokens, `USER/NAME` for a
user of a server with tokens.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from clew.app.former_names import with_present_names
from clew.app.traces.redaction import json_without_secrets, redacted, without_words_of_secrets
from clew.tools.errors import BadInput, ClewError, DamagedFile
from clew.tools.state.tables import Change, Row, among, having

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
_TABLES = tuple((table, "thread") for table in ("sessions", "session_turns", "session_waiting", "session_origins"))


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
    """The sessions beside the checkpoints of `conversations`. Safe for several threads and processes."""

    def __init__(self, conversations: Conversations) -> None:
        self._tables = conversations.tables(_SCHEMA)
        self._of_threads = (*_TABLES, *conversations.tables_of_threads)

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
        now, question, result = time.time(), redacted(question), without_words_of_secrets(result, question)
        last = "(SELECT max(number) FROM session_turns WHERE thread = :thread)"
        values = {"thread": thread, "question": question}
        with self._tables.changes() as change:
            _touch(change, thread, graph, now)
            if again:
                change.execute(
                    f"DELETE FROM session_turns WHERE thread = :thread AND question = :question AND number = {last}",
                    values,
                )
            change.execute("DELETE FROM session_waiting WHERE thread = :thread", values)
            change.execute(
                f"INSERT INTO session_turns VALUES (:thread, coalesce({last}, 0) + 1, :now, :question, :result)",
                {**values, "now": now, "result": json_without_secrets(result)},
            )
            change.execute(
                f"DELETE FROM session_turns WHERE thread = :thread AND number <= {last} - :kept",
                {"thread": thread, "kept": TURNS_KEPT},
            )

    def set_waiting(self, thread: str, graph: str, question: str, choice: Mapping[str, Any]) -> None:
        """Store a question that waits for a choice; the session is created if need be."""
        now, question, choice = time.time(), redacted(question), without_words_of_secrets(choice, question)
        with self._tables.changes() as change:
            _touch(change, thread, graph, now)
            change.execute(
                "INSERT INTO session_waiting VALUES (:thread, :now, :question, :choice) ON CONFLICT (thread) DO UPDATE "
                "SET asked = :now, question = :question, choice = :choice",
                {"thread": thread, "now": now, "question": question, "choice": json_without_secrets(choice)},
            )

    def waiting(self, thread: str) -> Waiting | None:
        """The question of a session that waits for a choice, if any."""
        rows = self._rows("SELECT asked, question, choice FROM session_waiting WHERE thread = :thread", thread)
        for row in rows:
            return {"asked": row["asked"], "question": row["question"], "choice": self._value(row["choice"])}
        return None

    def clear_waiting(self, thread: str) -> None:
        """Remove the waiting question, because another one is asked."""
        if self.waiting(thread) is not None:
            with self._tables.changes() as change:
                change.execute("DELETE FROM session_waiting WHERE thread = :thread", {"thread": thread})

    def graph_of(self, thread: str) -> str | None:
        """The graph that a session is about; None if there is no such session."""
        rows = self._rows("SELECT graph FROM sessions WHERE thread = :thread", thread)
        return str(rows[0]["graph"]) if rows else None

    def set_origin(self, thread: str, origin: str) -> None:
        """Note where a session began, unless that is known; those of the terminal need no note."""
        with self._tables.changes() as change:
            change.execute(
                "INSERT INTO session_origins VALUES (:thread, :origin) ON CONFLICT DO NOTHING",
                {"thread": thread, "origin": origin},
            )

    def refuse_if_about_others(self, thread: str, graphs: Collection[str]) -> None:
        """Raises UnknownSession if a question of the session was to a graph that is not among `graphs`."""
        if not {row["graph"] for row in self._rows(self._graphs_of(":thread"), thread)} <= set(graphs):
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
        values: dict[str, Any] = {"prefix": prefix, "length": len(prefix), "search": having(search)}
        name, conditions = "substr(s.thread, :length + 1)", ["substr(s.thread, 1, :length) = :prefix"]
        conditions.append(f"{name} NOT LIKE '%/%'")
        if search:
            said = self._tables.text_in("f.result", "sentence")
            conditions.append(
                f"({_found(name)} OR EXISTS (SELECT 1 FROM session_turns f WHERE f.thread = s.thread AND "
                f"({_found('f.question')} OR {_found(said)})))"
            )
        if graphs is not None:
            known, named = among("g.graph", graphs)
            values |= named
            conditions.append(f"NOT EXISTS (SELECT 1 FROM ({self._graphs_of('s.thread')}) g WHERE NOT {known})")
        rows = self._tables.rows(
            f"SELECT {name} AS name, s.graph, s.created, s.updated, count(t.number) AS turns, "
            "coalesce((SELECT question FROM session_turns f WHERE f.thread = s.thread ORDER BY f.number LIMIT 1), "
            "(SELECT question FROM session_waiting w WHERE w.thread = s.thread), '') AS title, "
            "coalesce((SELECT origin FROM session_origins o WHERE o.thread = s.thread), 'terminal') AS origin "
            "FROM sessions s LEFT JOIN session_turns t ON t.thread = s.thread "
            f"WHERE {' AND '.join(conditions)} GROUP BY s.thread ORDER BY s.updated DESC",
            values,
        )
        found: Any = [dict(row) for row in rows]
        return list[Session](found)

    def turns(self, thread: str) -> list[SessionTurn]:
        """The stored questions and results, the oldest first. Raises UnknownSession."""
        self._known(thread)
        rows = self._rows(
            "SELECT number, asked, question, result FROM session_turns WHERE thread = :thread ORDER BY number", thread
        )
        found: Any = [{**row, "result": self._value(row["result"])} for row in rows]
        return list[SessionTurn](found)

    def rename(self, thread: str, name: str) -> None:
        """Raises UnknownSession, and BadInput if the name is taken."""
        self._known(thread)
        if thread == name:
            return
        values = {"thread": thread, "name": name}
        with self._tables.changes() as change:
            taken = "SELECT 1 FROM sessions WHERE thread = :name UNION SELECT 1 FROM checkpoints "
            taken += "WHERE thread_id = :name"
            if change.rows(taken, values):
                raise BadInput("There is a session of that name.", "Choose another one, or delete it first.")
            for table, column in self._of_threads:
                change.execute(f"UPDATE {table} SET {column} = :name WHERE {column} = :thread", values)

    def delete(self, thread: str) -> None:
        """Raises UnknownSession."""
        self._known(thread)
        with self._tables.changes() as change:
            for table, column in self._of_threads:
                change.execute(f"DELETE FROM {table} WHERE {column} = :thread", {"thread": thread})

    def _graphs_of(self, thread: str) -> str:
        """A query for the graphs of a session. It has one, but for a file that an earlier release wrote."""
        graph = self._tables.text_in("result", "graph")
        return (
            f"SELECT graph FROM sessions WHERE thread = {thread} UNION SELECT {graph} FROM session_turns "
            f"WHERE thread = {thread} AND {graph} IS NOT NULL"
        )

    def _value(self, text: str) -> Any:
        try:
            return json.loads(text, object_hook=with_present_names)
        except ValueError:
            raise DamagedFile(
                f"This conversation is damaged in {self._tables.place}.",
                "Start another one, or remove it with `clew sessions delete`; the others are not affected.",
            ) from None

    def _known(self, thread: str) -> None:
        if self.graph_of(thread) is None:
            raise _unknown()

    def _rows(self, query: str, thread: str) -> Sequence[Row]:
        return self._tables.rows(query, {"thread": thread})


def _unknown() -> UnknownSession:
    return UnknownSession("There is no such session.", "`clew sessions list` shows all sessions.")


def _touch(change: Change, thread: str, graph: str, now: float) -> None:
    """Note that a session is used, and create it if need be. Until the end of the transaction, no other one does."""
    change.execute(
        "INSERT INTO sessions VALUES (:thread, :graph, :now, :now) ON CONFLICT (thread) DO UPDATE SET updated = :now",
        {"thread": thread, "graph": graph, "now": now},
    )


def _found(expression: str) -> str:
    return f"lower({expression}) LIKE :search ESCAPE '!'"
