"""Rows of delimited text, with the line each starts on; a quote that never closes costs one line, not the file."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator

from clew.tools.ingest.records import BadLine

LONGEST_FIELD_LINES = 1000
"""Lines that one quoted field may span."""

DELIMITER_NAMES = {"\t": "tab", ",": "comma", "|": "`|`", ";": "`;`"}

csv.field_size_limit(64 * 1024 * 1024)


def split(text: str, delimiter: str, *, quoted: bool) -> list[str] | None:
    """The fields of one row; None where the quoting is broken (an open quote, or text after a closing one)."""
    if not quoted or '"' not in text:
        return text.split(delimiter)
    try:
        rows = list(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return rows[0] if len(rows) == 1 else None


def rows(
    lines: Iterable[tuple[int, str | None]], delimiter: str, *, quoted: bool, multiline: bool, file: str
) -> Iterator[tuple[int, list[str]] | BadLine]:
    """(line, fields) of every row that is not blank; quoted fields may span lines where `multiline` is set."""
    waiting: deque[tuple[int, str | None]] = deque()
    source = iter(lines)
    while True:
        entry = waiting.popleft() if waiting else next(source, None)
        if entry is None:
            return
        number, text = entry
        if text is None:
            yield BadLine(file, number, "not UTF-8 text, or longer than 16 MiB")
            continue
        if not text.strip():
            continue
        fields = split(text, delimiter, quoted=quoted)
        if fields is None and multiline:
            fields = _continued(text, source, waiting, delimiter)
        if fields is None:
            yield BadLine(file, number, "a quote is not closed, or text follows a closing quote")
        else:
            yield number, fields


def _continued(
    text: str, source: Iterator[tuple[int, str | None]], waiting: deque[tuple[int, str | None]], delimiter: str
) -> list[str] | None:
    """Join following lines until the quotes close; puts them back into `waiting` where they never do."""
    if text.count('"') % 2 == 0:
        return None
    taken: list[tuple[int, str | None]] = []
    parts = [text]
    while len(taken) < LONGEST_FIELD_LINES:
        entry = waiting.popleft() if waiting else next(source, None)
        if entry is None:
            break
        taken.append(entry)
        if entry[1] is None:
            break
        parts.append(entry[1])
        if entry[1].count('"') % 2 == 1:
            fields = _whole(parts, delimiter)
            if fields is not None:
                return fields
            break
    waiting.extendleft(reversed(taken))
    return None


def _whole(parts: list[str], delimiter: str) -> list[str] | None:
    try:
        found = list(csv.reader([part + "\n" for part in parts], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return found[0] if len(found) == 1 else None
