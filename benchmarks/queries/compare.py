"""What a change won and lost, question by question: two files that `reading` or `offices` wrote with --json.

Only questions that both runs asked are compared.

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


class Asked(NamedTuple):
    """A question that both runs were asked."""

    name: str
    before: Mapping[str, Any]
    now: Mapping[str, Any]

    @property
    def won(self) -> bool:
        return self.now["right"] and not self.before["right"]

    @property
    def lost(self) -> bool:
        return self.before["right"] and not self.now["right"]

    def line(self) -> str:
        """The set, the question, both confidences, and the first answers of both."""
        runs = (self.before, self.now)
        told = " → ".join(f"{each['confidence']:.2f} {', '.join(each['answers'][:3]) or 'nothing'}" for each in runs)
        return f"{'won ' if self.won else 'lost'} {self.name}: {self.now['question']} | {told}"


def compared(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Asked]:
    """The questions that both runs were asked, set by set."""
    for name, figures in now.items():
        known = {each["question"]: each for each in before.get(name, {}).get("questions", ())}
        for each in figures.get("questions", ()):
            if (old := known.get(each["question"])) is not None:
                yield Asked(name, old, each)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="the figures of the run before the change")
    parser.add_argument("now", type=Path, help="those of the run after it")
    args = parser.parse_args()
    before, now = (json.loads(path.read_text(encoding="utf-8")) for path in (args.before, args.now))
    asked = list(compared(before, now))
    for each in asked:
        if each.won or each.lost:
            print(each.line())
    print(f"{len(asked)} questions: {sum(e.won for e in asked)} won, {sum(e.lost for e in asked)} lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
