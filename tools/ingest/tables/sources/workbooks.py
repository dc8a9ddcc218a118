"""The sheets of a workbook (.xlsx, .xlsm, .xls, .ods), one table each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput, BoundPassed
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.sources.delimited_text import column_names, renamed, table_name
from clew.tools.ingest.tables.sources.source_table import Row, Source
from clew.tools.ingest.tables.sources.workbook_child import rows, sheet_file
from clew.tools.process_bounds import OUT_OF_MEMORY

SUFFIXES = frozenset({".xlsx", ".xlsm", ".xls", ".ods"})
MEMORY_MB = 2000
"""Megabytes that reading a workbook may take, where the system enforces it."""
SECONDS = 300.0
_CHILD = (
    "import json, sys; given = json.loads(sys.argv[1]); sys.path[:] = given.pop(); "
    "from clew.tools.ingest.tables.sources.workbook_child import main; main(*given)"
)
_ENDED_BY_MEMORY = (OUT_OF_MEMORY, -signal.SIGABRT, -signal.SIGKILL)
"""Exit statuses; the library aborts where it gets no memory, and the system kills a process when it has none left."""
_REMEDY = "Leave it out, split it, or save its sheets as CSV."
_PLAIN_SHEETS = ("sheet", "tabelle", "feuil", "hoja", "foglio")
"""What programs call a sheet that nobody named."""


def sheets(path: Path, scratch: Path, shown: Path | None = None) -> list[Source]:
    """A table for each sheet that has one: a header row with two names at least, and a row below it.

    A small file can be made so that a parser needs gigabytes for it, so a process of its own reads the workbook.

    Args:
        path: the workbook.
        scratch: a folder for the rows of its sheets.
        shown: what messages call it, if not `path`.

    Raises:
        BadInput: the workbook cannot be read, or no sheet has a table.
    """
    shown = shown or path
    files = _read(path, Path(tempfile.mkdtemp(prefix="workbook-", dir=scratch)), shown)
    tables = [(name, header) for name, file in files.items() if (header := _header_row(file)) is not None]
    without = [name for name, file in files.items() if any(rows(file)) and name not in dict(tables)]
    if not tables:
        raise BadInput(f"{shown} has no sheet with a table.", "Give a sheet a header row with the columns' names.")
    found = []
    for sheet, (number, fields) in tables:
        named = [str(field).strip() for field in fields]
        names = column_names(named)
        found.append(
            Source(
                table=_name(shown, sheet, alone=len(tables) == 1),
                path=shown,
                what=f"the sheet {sheet} of a workbook",
                columns=names,
                rows=partial(_rows, files[sheet], number, len(fields), f"{shown} ({sheet})"),
                notes=renamed(f"{shown} ({sheet}):{number}", named, names),
            )
        )
    found[0].notes.extend(f"Left out: the sheet {name} of {shown} has no header row." for name in without)
    return found


def _read(path: Path, folder: Path, shown: Path) -> dict[str, Path]:
    """By sheet the file of its rows (see `workbook_child`)."""
    given = [os.getpid(), MEMORY_MB * 1_000_000, SECONDS, str(path), str(folder), sys.path]
    ended = subprocess.run([sys.executable, "-P", "-c", _CHILD, json.dumps(given)], capture_output=True, check=False)
    if ended.returncode == -signal.SIGALRM:
        raise BoundPassed(f"{shown} takes more than {SECONDS:g} s to read.", _REMEDY, bound="time")
    if ended.returncode in _ENDED_BY_MEMORY:
        raise BoundPassed(f"{shown} takes more than {MEMORY_MB:,} MB of memory to read.", _REMEDY, bound="memory")
    if ended.returncode:
        raise BadInput(f"{shown} ended the process that read it (exit status {ended.returncode}).", _REMEDY)
    told = json.loads(ended.stdout)
    if "errno" in told:
        raise OSError(told["errno"], os.strerror(told["errno"]), str(folder))
    if "unreadable" in told:
        raise BadInput(f"{shown} cannot be read as a workbook: {told['unreadable']}.", "Save it again, or as CSV.")
    return {name: sheet_file(folder, number) for number, name in enumerate(told["sheets"])}


def _name(path: Path, sheet: str, *, alone: bool) -> str:
    """That of the sheet; a sheet that nobody named is called after its workbook."""
    if sheet.lower().rstrip("0123456789 ") not in _PLAIN_SHEETS:
        return sheet.strip()
    return table_name(path) if alone else f"{table_name(path)} {sheet.strip()}"


def _header_row(file: Path) -> tuple[int, list[Any]] | None:
    """(number from 1, fields) of the first row that is as wide as the sheet, titles above it aside."""
    filled = [sum(value != "" for value in row) for row in rows(file)]
    widest = max(filled, default=0)
    for number, row in enumerate(rows(file), start=1):
        if filled[number - 1] >= max(2, widest - 1) and all(isinstance(value, str) for value in row):
            return (number, row) if any(filled[number:]) else None
    return None


def _rows(file: Path, header: int, width: int, shown: str, _advance: Advance | None = None) -> Iterator[Row | BadLine]:
    for number, values in enumerate(rows(file), start=1):
        if number <= header or not values:
            continue
        if len(values) > width:
            yield BadLine(shown, number, f"values to the right of the {width} named columns")
            continue
        values += [""] * (width - len(values))
        yield number, [None if value == "" else value for value in values]
