"""What a change won and lost, question by question: two files that `reading` or `offices` wrote with --json.

python -m benchmarks.queries.offices --home HOME --json before.json
python -m benchmarks.queries.offices --home HOME --json now.json
python -m benchmarks.queries.compare before.json now.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Change(NamedTuple):
    """A question that one of two runs answers right."""

    won: bool
    name: str
    before: Mapping[str, Any]
    now: Mapping[str, Any]

    def line(self) -> str:
        """The set, the question, both confidences, and the first answers of both."""
        runs = (self.before, self.now)
        told = " → ".join(f"{each['confidence']:.2f} {', '.join(each['answers'][:3]) or 'nothing'}" for each in runs)
        return f"{'won ' if self.won else 'lost'} {self.name}: {self.now['question']} | {told}"


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    """The changes among the questions that both runs asked, set by set."""
    for name, figures in now.items():
        known = {each["question"]: each for each in before.get(name, {}).get("questions", ())}
        for each in figures.get("questions", ()):
            old = known.get(each["question"])
            if old is not None and bool(old["right"]) != bool(each["right"]):
                yield Change(bool(each["right"]), name, old, each)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="the figures of the run before the change")
    parser.add_argument("now", type=Path, help="those of the run after it")
    args = parser.parse_args()
    before, now = (json.loads(path.read_text(encoding="utf-8")) for path in (args.before, args.now))
    found = list(changes(before, now))
    for each in found:
        print(each.line())
    asked = sum(len(figures.get("questions", ())) for figures in now.values())
    won = sum(each.won for each in found)
    print(f"{asked} questions: {won} won, {len(found) - won} lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
