"""Runs the gold queries of the questions about nine graphs and the checks of the statements.

`python -m benchmarks.queries.blind_check`, after importing the graphs under these names (see their README.md).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import clew

GRAPHS = ("hospital", "tracker", "shipping", "university", "football", "kitchen", "museum", "airline", "farm")
WITH_STATEMENTS = ("hospital", "tracker")


def lines(graph: str, file: str) -> list[dict[str, Any]]:
    """The JSON values of one file of a graph's folder."""
    path = Path(__file__).resolve().parent / graph / file
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def text(value: object) -> str:
    """A value, or an answer as the files write it, in one form: 40 and "40.0" are "40"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    try:
        return f"{float(str(value)):.12g}"
    except ValueError:
        return str(value)


def faults(graph: str) -> list[str]:
    """What differs between the files and the graph."""
    store = clew.connect(graph)
    found: list[str] = []
    for item in lines(graph, "questions.jsonl"):
        if item.get("cypher") is None:
            right = item["kind"] == "unanswerable" and not item["answers"]
        else:
            answers = [text(next(iter(row.values()))) for row in store.query(item["cypher"]).rows]
            expected = [text(answer) for answer in item["answers"]]
            right = answers == expected if item.get("ordered", False) else set(answers) == set(expected)
        if not right:
            found.append(f"{item['id']}: {item['question']}")
    for item in lines(graph, "statements.jsonl") if graph in WITH_STATEMENTS else []:
        values = [
            value for query in item.get("checks", []) for row in store.query(query).rows for value in row.values()
        ]
        verdict = "unknown" if not values else "supported" if all(values) else "contradicted"
        if verdict != item["verdict"]:
            found.append(item["statement"])
    return found


def main() -> int:
    """Print the faults of every graph."""
    found = [f"{graph}: {fault}" for graph in GRAPHS for fault in faults(graph)]
    print("\n".join(found) or "The answers and verdicts hold.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
