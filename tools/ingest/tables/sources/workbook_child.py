"""The process that reads a workbook for `workbooks`, within limits that it sets itself.

Its exit status says which limit it passed.

Each sheet becomes a file with a row a line, as JSON: the values without the empty ones on the right, and without
empty columns on the left of all. Standard output gets {"sheets": names}, {"unreadable": why}, or {"errno": number}
where the files could not be written.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from clew.tools.process_bounds import OUT_OF_MEMORY, end_with, limit

_TIMES: dict[str, type[datetime] | type[date] | type[time]] = {"datetime": datetime, "date": date, "time": time}


def main(parent: int, memory: int, seconds: float, workbook: str, folder: str) -> None:
    """Read one workbook. `memory` is in bytes, `parent` the id of the process that waits."""
    end_with(parent)
    limit(memory)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        told = _written(workbook, Path(folder))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    print(json.dumps(told))


def sheet_file(folder: Path, number: int) -> Path:
    """The file of the sheet with this number, from 0."""
    return folder / f"{number}.jsonl"


def rows(file: Path) -> Iterator[list[Any]]:
    """The rows of a sheet."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line, object_hook=_time)


def _written(workbook: str, folder: Path) -> dict[str, Any]:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        with CalamineWorkbook.from_path(workbook) as book:
            for number, name in enumerate(book.sheet_names):
                sheet = book.get_sheet_by_name(name)
                try:
                    with sheet_file(folder, number).open("w", encoding="utf-8", errors="replace") as file:
                        for row in sheet.iter_rows():
                            file.write(json.dumps(_trimmed(row), default=_plain) + "\n")
                except OSError as error:
                    return {"errno": error.errno}
            return {"sheets": book.sheet_names}
    except (CalamineError, OSError) as error:
        return {"unreadable": str(error)}


def _trimmed(row: list[Any]) -> list[Any]:
    width = len(row)
    while width and row[width - 1] == "":
        width -= 1
    return row[:width]


def _plain(value: Any) -> dict[str, Any]:
    """A time as JSON has it."""
    if isinstance(value, timedelta):
        return {"timedelta": value.total_seconds()}
    return {type(value).__name__: value.isoformat()}


def _time(value: dict[str, Any]) -> datetime | date | time | timedelta:
    [(kind, given)] = value.items()
    if kind == "timedelta":
        return timedelta(seconds=given)
    return _TIMES[kind].fromisoformat(given)
