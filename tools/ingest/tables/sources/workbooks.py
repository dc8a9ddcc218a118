"""The sheets of a workbook (.xlsx, .xlsm, .xls, .ods), one table each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.sources.delimited_text import column_names, renamed, table_name
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
            grids = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except (CalamineError, OSError) as error:
        raise BadInput(f"{shown} cannot be read as a workbook: {error}.", "Save it again, or as CSV.") from error
    tables = [(name, header) for name, grid in grids.items() if (header := _header_row(grid)) is not None]
    without = [name for name, grid in grids.items() if any(map(any, grid)) and name not in dict(tables)]
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
                rows=partial(_rows, path, sheet, number, len(fields), f"{shown} ({sheet})"),
                notes=renamed(f"{shown} ({sheet}):{number}", named, names),
            )
        )
    found[0].notes.extend(f"Left out: the sheet {name} of {shown} has no header row." for name in without)
    return found


def _name(path: Path, sheet: str, *, alone: bool) -> str:
    """That of the sheet; a sheet that nobody named is called after its workbook."""
    if sheet.lower().rstrip("0123456789 ") not in _PLAIN_SHEETS:
        return sheet.strip()
    return table_name(path) if alone else f"{table_name(path)} {sheet.strip()}"


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
