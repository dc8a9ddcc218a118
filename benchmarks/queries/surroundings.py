"""What surrounds named nodes, asked in general words, over the graphs of `networks.py`.

Descriptions, connections, numbers of steps, neighbours, what nodes share, and the best connected nodes: 476 questions
in five sets, by writers who saw no reader, and 60 about one graph as a whole. Without a model. A description is right
if it is of the named node and has four fifths of the facts that its writer wants; a connection if it has all shortest
paths and no other; any other answer if it is exactly the gold set.

    python -m benchmarks.queries.surroundings --json surroundings.json
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.kinds import run  # noqa: E402
from benchmarks.queries.reading import spelling  # noqa: E402

_FACTS = 0.8
_WHOLE = "crime"
"""The graph of the questions about a graph as a whole."""
_READINGS = {
    "labels": "What the graph contains",
    "relations": "Relationship types",
    "nodes": "Number of nodes",
    "relationships": "Number of relationships",
    "label": "What the graph has of",
}


def main() -> None:
    run(__doc__, "surroundings.jsonl", is_right, of_a_whole)


def of_a_whole(home: Path, found: dict[str, Counter[str]], *, wrong: bool) -> None:
    """Ask about one graph as a whole."""
    graph = clew.connect(_WHOLE, home=home)
    for line in (HERE / "overviews.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        reading = graph.ask(entry["question"]).reading
        right = reading.startswith(_READINGS[entry["kind"]])
        found.setdefault("the graph as a whole", Counter()).update({"n": 1, "right": right})
        if wrong and not right:
            print(f"{_WHOLE}, {entry['kind']}: {entry['question']} → {reading}")


def is_right(result: clew.Answer, entry: dict[str, Any]) -> bool:
    """Whether a result is what the writer of a question wants."""
    names = [answer.name for answer in result.answers]
    if paths := entry.get("paths"):
        between = {name for path in paths for name in path[1:-1]}
        ways = [name for name in names if any(_leads(path, name) for path in paths)]
        return bool(names) and (len(ways) == len(names) == len(paths) or set(names) == between)
    if {spelling(name) for name in names} != {spelling(str(each)) for each in entry["answers"]}:
        return False
    facts = entry.get("facts", ())
    told = " | ".join([answer.detail or "" for answer in result.answers]).lower()
    told += " | ".join(f"{each.head.name} {each.tail.name}" for each in result.evidence).lower()
    return sum(fact.lower() in told for fact in facts) >= _FACTS * len(facts)


def _leads(path: Sequence[str], text: str) -> bool:
    """Whether a text is a path over these names."""
    place = 0
    for name in path:
        place = text.find(name, place)
        if place < 0:
            return False
        place += len(name)
    return "→" in text or "←" in text


if __name__ == "__main__":
    main()
