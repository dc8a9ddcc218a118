"""What users say of answers: thumbs, a note, and the right answers; and lines of it for `clew eval` and `clew teach`.

It is kept with the traces, beside the question and the answers that it is about, so that it outlives its
trace. It goes with its conversation.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from clew.app.printable import printable_json
from clew.tools.errors import BadInput
from clew.tools.state.tables import Tables, among

SCHEMA = """
CREATE TABLE IF NOT EXISTS feedback (
    run TEXT PRIMARY KEY, graph TEXT NOT NULL, question TEXT NOT NULL, owner TEXT, thread TEXT, given TEXT NOT NULL,
    rating TEXT, note TEXT NOT NULL, answers TEXT, at REAL NOT NULL
) WITHOUT ROWID;
"""
Rating = Literal["up", "down"]
_FIELDS = "run, graph, question, given, rating, note, answers, at"


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback on answers, beside the traces."""

    tables: Tables

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
        if rating not in (*get_args(Rating), None):
            raise BadInput(f"{rating!r} is not a rating.", "Give up, down or null.")
        visible, values = _visible(graphs)
        values |= {"run": run, "owner": owner}
        with self.tables.changes() as change:
            own = "owner IS NULL" if owner is None else "owner = :owner"
            change.execute(f"DELETE FROM feedback WHERE run = :run AND {own} AND {visible}", values)
            if rating is None and not note and answers is None:
                return
            fields = "id AS run, graph, question, owner, thread, outcome"
            any_or_own = "1 = 1" if owner is None else "owner = :owner"
            rows = change.rows(f"SELECT {fields} FROM runs WHERE id = :run AND {any_or_own} AND {visible}", values)
            if not rows:
                raise BadInput(f"There is no trace {run!r}.", "Old traces are dropped; ask the question again.")
            told = None if answers is None else json.dumps(list(answers), ensure_ascii=False)
            kept = {key: value for key, value in rows[0].items() if key != "outcome"}
            kept["given"] = json.dumps(_names(json.loads(rows[0]["outcome"])), ensure_ascii=False)
            change.execute("DELETE FROM feedback WHERE run = :run", values)
            change.insert("feedback", [{**kept, "rating": rating, "note": note, "answers": told, "at": time.time()}])

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
        condition, values = _visible(graphs)
        for column, wanted in (("owner", owner), ("graph", graph), ("thread", thread)):
            if wanted is not None:
                condition += f" AND {column} = :{column}"
                values[column] = wanted
        rows = self.tables.rows(f"SELECT {_FIELDS} FROM feedback WHERE {condition} ORDER BY at, run", values)
        parsed = ("given", "answers")
        return [
            {key: json.loads(value) if key in parsed and value is not None else value for key, value in row.items()}
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


def _visible(graphs: Collection[str] | None) -> tuple[str, dict[str, Any]]:
    """A condition on the graph, and its values."""
    return ("1 = 1", {}) if graphs is None else among("graph", graphs)


def _names(outcome: Any) -> list[str] | None:
    """The names of a run's answers; None where the trace has not all of them."""
    answers = outcome.get("answers", []) if isinstance(outcome, dict) else []
    if not all(isinstance(each, dict) and "name" in each for each in answers):
        return None
    return [str(each["name"]) for each in answers]
