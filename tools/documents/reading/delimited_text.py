"""CSV, TSV and the like: one table per file, read row by row."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from clew.tools.documents.reading.blocks import WIDEST, Content, Table, column_names, plain
from clew.tools.documents.reading.files import checked_bytes, decoded, name_as_title
from clew.tools.errors import BadInput
from clew.tools.ingest.formats import delimited
from clew.tools.ingest.records import BadLine

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_LINES = 200
_VALUE = re.compile(r"[\s.,:/%$€£+-]*\d[\d\s.,:/%$€£+-]*")
"""A number, a price, a date: never the name of a column, but a year may be."""
_YEAR = re.compile(r"[12]\d{3}")

Row = tuple[int, list[str]]
"""The line it begins on, and its cells."""


def read_delimited_text(path: Path, encoding: str | None = None) -> Content:
    """The table of a file. Raises BadInput; so does the stream of rows, at a row that cannot be split into cells."""
    text, note = decoded(path, checked_bytes(path), encoding)
    lines = text.split("\n")
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else _delimiter(lines[:_SAMPLE_LINES])
    rows = _rows(path, lines, delimiter)
    sample = list(islice(rows, _SAMPLE_LINES))
    if not sample:
        raise BadInput(f"{path} has no row.", "Check that it was written completely.")
    header, named = _header([cells for _, cells in sample])
    if len(header) > WIDEST:
        raise BadInput(f"{path} has {len(header):,} columns, of at most {WIDEST}.", "Split it.")
    body = chain(sample[named:], rows)
    title = name_as_title(path)
    return Content(title, [Table(_padded(path, body, len(header)), header, title)], note)


def _delimiter(lines: list[str]) -> str:
    """The one that gives the most columns in the same number on most lines."""

    def columns(delimiter: str) -> tuple[float, int]:
        widths = Counter(len(row) for row in _split(lines, delimiter) if row)
        width, times = widths.most_common(1)[0] if widths else (1, 0)
        return (times / max(1, widths.total()) if width > 1 else 0.0), width

    return max(_DELIMITERS, key=columns)


def _split(lines: list[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader((line + "\n" for line in lines), delimiter=delimiter))
    except csv.Error:
        return []


def _rows(path: Path, lines: list[str], delimiter: str) -> Iterator[Row]:
    numbered = ((number, line) for number, line in enumerate(lines, start=1))
    for row in delimited.rows(numbered, delimiter, quoted=True, multiline=True, file=str(path)):
        if isinstance(row, BadLine):
            raise BadInput(f"{row}.", "Correct the line; nothing of the file has been added.")
        number, cells = row
        if any(map(str.strip, cells)):
            yield number, [plain(cell) for cell in cells]


def _header(sample: list[list[str]]) -> tuple[tuple[str, ...], int]:
    """The column names, and how many rows they take: none where the first row looks like the others."""
    first = sample[0]
    width = max(map(len, sample))
    named = [cell for cell in first if cell]
    values = sum(_is_value(cell) for cell in named) or all(map(_VALUE.fullmatch, named))
    is_header = len(set(named)) == len(named) and len(named) >= min(2, width) and not values
    names = first if is_header else []
    return column_names([*names, *[""] * (width - len(names))]), int(is_header)


def _is_value(cell: str) -> bool:
    return bool(_VALUE.fullmatch(cell)) and not _YEAR.fullmatch(cell)


def _padded(path: Path, rows: Iterator[Row], width: int) -> Iterator[tuple[str, ...]]:
    """The rows, padded to the width of the header."""
    for number, cells in rows:
        if len(cells) > width and any(cells[width:]):
            raise BadInput(
                f"{path}:{number}: {len(cells)} cells where there are {width} columns.",
                "Correct the line; nothing of the file has been added.",
            )
        yield tuple([*cells, *[""] * (width - len(cells))][:width])
