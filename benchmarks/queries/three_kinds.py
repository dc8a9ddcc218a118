"""Three kinds of questions that are hard to read, over the graphs of `networks.py`: exact answers and precision.

All that can be reached by a relation taken any number of times, two things asked at once, and totals over
relationships: 73 questions of each kind in three sets, each by a writer who saw no reader. Without a model.

    python -m benchmarks.queries.three_kinds --json three_kinds.json
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import clew  # noqa: E402
from benchmarks.queries.offices import ask  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="CLEW_HOME to use; a temporary one without it")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--wrong", action="store_true", help="print the questions that are answered otherwise")
    args = parser.parse_args()
    lines = (HERE / "three_kinds.jsonl").read_text(encoding="utf-8").splitlines()
    entries: list[dict[str, Any]] = [json.loads(line) for line in lines]
    found: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name in sorted({entry["graph"] for entry in entries}):
            graph = clew.connect(name, home=args.home or temporary)
            graph.import_files(*sorted((HERE / "networks" / name / "graph").iterdir()))
            for entry in entries:
                if entry["graph"] == name:
                    asked = ask(graph, entry)
                    counts = {"n": 1, "right": asked.right, "answered": asked.answered,
                              "right of these": asked.right and asked.answered}  # fmt: skip
                    for group in (entry["kind"], f"{entry['kind']}, {entry['set']} set"):
                        found.setdefault(group, Counter()).update(counts)
                    if args.wrong and not asked.right:
                        print(f"{name}: {asked.question} → {asked.answers[:5]}, not {entry['answers'][:5]}")
            print(name, flush=True)
    figures = {group: dict(found[group]) for group in sorted(found)}
    print(json.dumps(figures, indent=1))
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
