"""The sheets of a workbook (.xlsx, .xlsm, .xls, .ods), one table each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.sources.delimited_text import column_names, table_name
from clew.tools.ingest.tables.sources.source_table import Row, Source

SUFFIXES = frozenset({".xlsx", ".xlsm", ".xls", ".ods"})
_PLAIN_SHEETS = ("sheet", "tabelle", "feuil", "hoja", "foglio")
"""What programs call a sheet that nobody named."""


def sheets(path: Path, shown: Path | None = None) -> list[Source]:
    """A table for each sheet that has one: a header row with two names at least, and a row below it.

    Args:
        path: the workbook.
        shown: what messages call it, if not `path`.

    Raises:
        BadInput: the workbook cannot be read, or no sheet has a table.
    """
    from python_calamine import CalamineError, CalamineWorkbook

    shown = shown or path
    try:
        with CalamineWorkbook.from_path(path) as book:
            found = [(name, _header_row(book.get_sheet_by_name(name).to_python())) for name in book.sheet_names]
    except (CalamineError, OSError) as error:
        raise BadInput(f"{shown} cannot be read as a workbook: {error}.", "Save it again, or as CSV.") from error
    tables = [(name, header) for name, header in found if header is not None]
    if not tables:
        raise BadInput(f"{shown} has no sheet with a table.", "Give a sheet a header row with the columns' names.")
    return [
        Source(
            table=_name(shown, sheet, alone=len(tables) == 1),
            path=shown,
            what=f"the sheet {sheet} of a workbook",
            columns=column_names([str(field).strip() for field in fields]),
            rows=partial(_rows, path, sheet, number, len(fields), f"{shown} ({sheet})"),
        )
        for sheet, (number, fields) in tables
    ]


def _name(path: Path, sheet: str, *, alone: bool) -> str:
    unnamed = sheet.lower().rstrip("0123456789 ") in _PLAIN_SHEETS
    return table_name(path) if alone and unnamed else sheet.strip()


def _header_row(grid: Sequence[Sequence[Any]]) -> tuple[int, list[Any]] | None:
    """(number from 1, fields) of the first row that is as wide as the sheet, titles above it aside."""
    filled = [sum(value != "" for value in row) for row in grid]
    widest = max(filled, default=0)
    for number, row in enumerate(grid):
        if filled[number] >= max(2, widest - 1) and all(isinstance(value, str) for value in row):
            width = max(place for place, value in enumerate(row) if value != "") + 1
            below = any(filled[number + 1 :])
            return (number + 1, list(row[:width])) if below else None
    return None


def _rows(
    path: Path, sheet: str, header: int, width: int, file: str, _advance: Advance | None = None
) -> Iterator[Row | BadLine]:
    from python_calamine import CalamineWorkbook

    with CalamineWorkbook.from_path(path) as book:
        for number, row in enumerate(book.get_sheet_by_name(sheet).iter_rows(), start=1):
            values = list(row)
            if number <= header or not any(value != "" for value in values):
                continue
            if any(value != "" for value in values[width:]):
                yield BadLine(file, number, f"values to the right of the {width} named columns")
                continue
            values = values[:width] + [""] * (width - len(values))
            yield number, [None if value == "" else value for value in values]
