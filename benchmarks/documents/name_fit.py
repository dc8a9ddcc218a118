"""Learns to tell names of people from other names (`tools/answer_spans/name_kinds.py`), by their MiniLM vectors.

The names stand in the columns of the tables of other benchmarks: those called after people, and those called after
places, firms and things. A fifth of the names is left out to measure it.

    python -m benchmarks.documents.name_fit [--write]
"""

from __future__ import annotations

import argparse
import csv
import random
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from clew.tools.answer_spans.name_kinds import WEIGHTS
from clew.tools.embedding import MiniLM

_TABLES = Path(__file__).resolve().parents[1] / "queries"
_PEOPLE = re.compile(
    r"member|author|artist|teacher|coach|driver|captain|borrower|full_?name|employee|volunteer|trainer|instructor|"
    r"conductor|composer|director|actor|player|rider|student|pupil|tenant|keeper|observer|curator|manager|patient_?name|"
    r"donor_?name|speaker|surname|first_?name|last_?name|foreman|supervisor|customer_?name"
)
_OTHERS = re.compile(
    r"town|city|country|village|county|region|place|location|district|supplier|company|publisher|sponsor|university|"
    r"school|club|bakery|agency|manufacturer|team|studio|title|product|item|piece|model|species|course|exhibition|"
    r"project|song|album|film|book|event|instrument|work|route|breed|show|game|department|venue|room|hall|building"
)
_PERSON = re.compile(r"[A-ZÀ-Ý][\w'\u2019.-]+( [A-ZÀ-Ý][\w'\u2019.-]+){1,2}")
_NAME = re.compile(r"[A-ZÀ-Ý][^\d@]{2,40}")
_MOST = 4000


def names() -> tuple[list[str], list[str]]:
    """(people, also by their first and last names alone; others)."""
    people: set[str] = set()
    others: set[str] = set()
    for path in sorted(_TABLES.rglob("*.csv")):
        for column, values in _columns(path):
            if _PEOPLE.fullmatch(column):
                people.update(filter(_PERSON.fullmatch, values))
            elif _OTHERS.fullmatch(column):
                others.update(filter(_NAME.fullmatch, values))
    parts = {part for name in people for part in (name.split()[0], name.split()[-1])}
    return sorted(people | parts), sorted(others - people - parts)


def _columns(path: Path) -> Iterator[tuple[str, list[str]]]:
    with path.open(encoding="utf-8", errors="ignore", newline="") as file:
        rows = list(csv.reader(file))
    kind = path.stem.lower().rstrip("s")
    for place, header in enumerate(rows[0] if rows else ()):
        column = re.sub(r"[^a-z]+", "_", header.lower()).strip("_")
        yield (kind if column == "name" else column), [row[place].strip() for row in rows[1:] if place < len(row)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"write the weights to {WEIGHTS.name}")
    args = parser.parse_args()
    pick = random.Random(1)
    people, others = (pick.sample(each, min(len(each), _MOST)) for each in names())
    labelled = [(name, 1.0) for name in people] + [(name, 0.0) for name in others]
    pick.shuffle(labelled)
    vectors = MiniLM().embed([name for name, _ in labelled])
    table = np.hstack([vectors, np.ones((len(labelled), 1))])
    person = np.array([each for _, each in labelled])
    kept = int(0.8 * len(labelled))
    weight = np.zeros(table.shape[1])
    for _step in range(3000):  # gradient descent
        sure = 1 / (1 + np.exp(-table[:kept] @ weight))
        weight -= 4 * (table[:kept].T @ (sure - person[:kept]) / kept + 1e-5 * weight)
    right = ((table[kept:] @ weight > 0) == (person[kept:] > 0)).mean()
    print(f"{len(people):,} names of people, {len(others):,} others; of those left out, {right:.3f} are told apart.")
    if args.write:
        np.savez(WEIGHTS, weights=weight.astype(np.float32))


if __name__ == "__main__":
    main()
