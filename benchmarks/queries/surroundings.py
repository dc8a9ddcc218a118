"""What surrounds named nodes, asked in general words, over the graphs of `networks.py`.

Descriptions, connections, numbers of steps, neighbours, what nodes share, and the best connected nodes: 476 questions
in five sets, by writers who saw no reader, and 60 about one graph as a whole. Without a model. A description is right
if it is of the named node and has four fifths of the facts that its writer wants; a connection if it has all shortest
paths and no other; any other answer if it is exactly the gold set.

    python -m benchmarks.queries.surroundings --json surroundings.json
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.reading import spelling  # noqa: E402

_FACTS = 0.8
_SURE = 0.6
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="CLEW_HOME to use; a temporary one without it")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--wrong", action="store_true", help="print the questions that are answered otherwise")
    args = parser.parse_args()
    lines = (HERE / "surroundings.jsonl").read_text(encoding="utf-8").splitlines()
    entries: list[dict[str, Any]] = [json.loads(line) for line in lines]
    found: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name in sorted({entry["graph"] for entry in entries}):
            graph = clew.connect(name, home=args.home or temporary)
            graph.import_files(*sorted((HERE / "networks" / name / "graph").iterdir()))
            for entry in entries:
                if entry["graph"] == name:
                    result = graph.ask(entry["question"])
                    right, sure = is_right(result, entry), bool(result.answers) and result.confidence >= _SURE
                    counts = {"n": 1, "right": right, "answered": sure, "right of these": right and sure}
                    for group in ("all", entry["kind"], f"{entry['set']} set"):
                        found.setdefault(group, Counter()).update(counts)
                    if args.wrong and not right:
                        told = [answer.name for answer in result.answers][:5]
                        print(f"{name}, {entry['kind']}: {entry['question']} → {told}")
            print(name, flush=True)
        graph = clew.connect(_WHOLE, home=args.home or temporary)
        for line in (HERE / "overviews.jsonl").read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            reading = graph.ask(entry["question"]).reading
            right = reading.startswith(_READINGS[entry["kind"]])
            found.setdefault("the graph as a whole", Counter()).update({"n": 1, "right": right})
            if args.wrong and not right:
                print(f"{_WHOLE}, {entry['kind']}: {entry['question']} → {reading}")
    figures = {group: dict(found[group]) for group in sorted(found)}
    print(json.dumps(figures, indent=1))
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


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
