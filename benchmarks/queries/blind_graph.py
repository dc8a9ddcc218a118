"""Node and edge tables with typed neo4j-admin headers, for the graphs that a small generator writes."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TypeAlias

Value: TypeAlias = str | int | float | bool | date | None


class Tables:
    """One CSV file per node label and one per relation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _write(self, name: str, header: Sequence[str], rows: Sequence[Sequence[Value]]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(
                [["" if v is None else str(v).lower() if isinstance(v, bool) else v for v in row] for row in rows]
            )

    def nodes(
        self, name: str, space: str, labels: Sequence[str] | str, properties: str, rows: Sequence[Sequence[Value]]
    ) -> None:
        """`properties` are header fields between spaces; the ids are the row numbers, within `space`."""
        each = [labels] * len(rows) if isinstance(labels, str) else labels
        body = [[i, *row, label] for i, (row, label) in enumerate(zip(rows, each, strict=True))]
        self._write(name, [f":ID({space})", *properties.split(), ":LABEL"], body)

    def edges(self, kind: str, source: str, target: str, rows: Sequence[Sequence[Value]], properties: str = "") -> None:
        """Rows are start, end, type and then the values of `properties`."""
        header = [f":START_ID({source})", f":END_ID({target})", ":TYPE", *properties.split()]
        self._write(kind.lower(), header, [[row[0], row[1], kind, *row[2:]] for row in rows])


def day(rng: Random, first: str, last: str) -> date:
    """A date between two, both included."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    return start + timedelta(days=rng.randrange((end - start).days + 1))
