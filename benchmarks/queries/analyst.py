"""What people ask of a graph to get an overview of its data, over the graphs of `networks.py` and `offices.py`.

Lists in an order, any or a few of a kind, what is missing or occurs twice, differences and ratios, numbers over time,
shares, and numbers of relationships: 400 questions in seven sets, by writers who saw no reader. Without a model. A
list is right if its order is the one that is asked for, among equals any; a few are right if they are as many as asked
for, and of the right kind; any other answer if it is exactly the gold set, numbers to a thousandth.

    python -m benchmarks.queries.analyst --json analyst.json
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import clew
from benchmarks.queries.kinds import run
from benchmarks.queries.reading import spelling

_FEW = range(2, 11)


def main() -> None:
    run(__doc__, "analyst.jsonl", is_right)


def is_right(result: clew.Answer, entry: dict[str, Any]) -> bool:
    """Whether a result is what the writer of a question wants."""
    names, gold = list(dict.fromkeys(answer.name for answer in result.answers)), entry["answers"]
    if entry["kind"] == "sample":
        number = len(names)
        enough = number == entry["n"] if entry["n"] else number in _FEW or number == len(gold)
        return bool(names) and enough and {*map(spelling, names)} <= {*map(spelling, gold)}
    if gold and isinstance(gold[0], list):
        told = [(answer.name, answer.detail or "") for answer in result.answers]
        return len(told) == len(gold) and all(any(_tells(each, row) for each in told) for row in gold)
    if entry["kind"] == "order" and "keys" in entry:
        keys = {spelling(name): str(key) for name, key in zip(gold, entry["keys"], strict=True)}
        return [keys.get(spelling(name)) for name in names] == [*map(str, entry["keys"])]
    return len(names) == len(gold) and all(any(_same(name, str(each)) for name in names) for each in gold)


def _tells(answer: tuple[str, str], row: list[Any]) -> bool:
    """Whether an answer is a thing with its number: "web: 12.5"."""
    name, detail = answer
    return spelling(name) == spelling(str(row[0])) and any(_same(part, str(row[1])) for part in detail.split(", "))


def _same(one: str, other: str) -> bool:
    """Whether two texts are the same, or the same number."""
    if spelling(one) == spelling(other):
        return True
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-3, abs_tol=0.006)
    except ValueError:
        return False


if __name__ == "__main__":
    main()
