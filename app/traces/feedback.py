"""What users say of answers: thumbs, a note, and the right answers; and lines of it for `clew eval` and `clew teach`.

It is kept in the file of the traces, beside the question and the answers that it is about, so that it outlives its
trace. It goes with its conversation.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, get_args

from clew.app.printable import printable_json
from clew.app.traces.rows import as_array
from clew.tools.errors import BadInput

SCHEMA = """
CREATE TABLE IF NOT EXISTS feedback (
    run TEXT PRIMARY KEY, graph TEXT NOT NULL, question TEXT NOT NULL, owner TEXT, thread TEXT, given TEXT NOT NULL,
    rating TEXT, note TEXT NOT NULL, answers TEXT, at REAL NOT NULL
) WITHOUT ROWID;
"""
Rating = Literal["up", "down"]
_AMONG = "(?3 IS NULL OR graph IN (SELECT value FROM json_each(?3)))"
"""A condition on the graph, whose third value is `as_array` of the graphs."""
_FIELDS = "run, graph, question, given, rating, note, answers, at"


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback on answers in the store whose connection `connection` gives."""

    connection: Callable[[], AbstractContextManager[sqlite3.Connection]]

    def set(
        self,
        run: str,
        owner: str | None,
        *,
        rating: Rating | None = None,
        note: str = "",
        answers: Sequence[str] | None = None,
        graphs: Collection[str] | None = None,
    ) -> None:
        """Keep what a user says of the answers of a run, in place of what was kept; nothing of it removes it.

        Args:
            run: The id of its trace.
            owner: The user; None for one of this machine.
            rating: Whether the answers are right.
            note: In words.
            answers: The names of the right answers, where they are known.
            graphs: Those that the user may ask; None for all.

        Raises:
            BadInput: The user has no such trace.
        """
        among = as_array(graphs)
        if rating not in (*get_args(Rating), None):
            raise BadInput(f"{rating!r} is no rating.", "Give up, down or null.")
        with self.connection() as connection, connection:
            connection.execute(f"DELETE FROM feedback WHERE run = ?1 AND owner IS ?2 AND {_AMONG}", [run, owner, among])
            if rating is None and not note and answers is None:
                return
            told = None if answers is None else json.dumps(list(answers), ensure_ascii=False)
            found = connection.execute(
                "INSERT OR REPLACE INTO feedback SELECT id, graph, question, owner, thread, outcome, ?4, ?5, ?6, ?7 "
                f"FROM runs WHERE id = ?1 AND (?2 IS NULL OR owner = ?2) AND {_AMONG}",
                [run, owner, among, rating, note, told, time.time()],
            )
            if found.rowcount == 0:
                raise BadInput(f"There is no trace {run!r}.", "Old traces are dropped; ask the question again.")
            row = connection.execute("SELECT given FROM feedback WHERE run = ?", [run]).fetchone()
            names = json.dumps(_names(json.loads(row["given"])), ensure_ascii=False)
            connection.execute("UPDATE feedback SET given = ? WHERE run = ?", [names, run])

    def list(
        self,
        owner: str | None = None,
        graphs: Collection[str] | None = None,
        *,
        graph: str | None = None,
        thread: str | None = None,
    ) -> list[dict[str, Any]]:
        """The feedback of a user on answers from these graphs, or of all with None, the oldest first.

        Each has the `run` (the id of its trace), `graph`, `question`, `given` (the names of the answers; None where
        the trace has not all), `rating`, `note`, `answers` and `at` (seconds since 1970).
        """
        with self.connection() as connection:
            rows = connection.execute(
                f"SELECT {_FIELDS} FROM feedback WHERE (?1 IS NULL OR owner = ?1) AND (?2 IS NULL OR graph = ?2) "
                f"AND {_AMONG} AND (?4 IS NULL OR thread = ?4) ORDER BY at, run",
                [owner, graph, as_array(graphs), thread],
            ).fetchall()
        parsed = ("given", "answers")
        return [
            {
                key: json.loads(value) if key in parsed and value is not None else value
                for key, value in dict(row).items()
            }
            for row in rows
        ]

    def lines(
        self, owner: str | None = None, graph: str | None = None, graphs: Collection[str] | None = None
    ) -> Iterator[str]:
        """JSON lines of the questions whose right answers are known, as `clew eval` and `clew teach` read them: those
        that were given where they are rated as right, and those that the user named."""
        for each in self.list(owner, graphs, graph=graph):
            answers = each["answers"] if each["answers"] is not None else each["given"]
            known = each["answers"] is not None or (each["rating"] == "up" and each["given"])
            if known and answers:
                line = {"question": each["question"], "answers": answers, "graph": each["graph"], "note": each["note"]}
                yield printable_json(line, indent=None)


def _names(outcome: Any) -> list[str] | None:
    """The names of a run's answers; None where the trace has not all of them."""
    answers = outcome.get("answers", []) if isinstance(outcome, dict) else []
    if not all(isinstance(each, dict) and "name" in each for each in answers):
        return None
    return [str(each["name"]) for each in answers]
