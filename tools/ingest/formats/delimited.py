"""Rows of delimited text, with the line each starts on; a quote that never closes costs one line, not the file."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from clew.tools.ingest.records import BadLine, unreadable_line

LONGEST_FIELD_LINES = 1000
"""Lines that one quoted field may span."""

Line = tuple[int, str | None]
"""The number of a line and its text (see `source.lines`)."""
DELIMITER_NAMES = {"\t": "tab", ",": "comma", "|": "`|`", ";": "`;`"}

csv.field_size_limit(64 * 1024 * 1024)


def split(text: str, delimiter: str, *, quoted: bool) -> list[str] | None:
    """The fields of one row; None where the quoting is broken (an open quote, or text after a closing one)."""
    if not quoted or '"' not in text:
        return text.split(delimiter)
    return _only_row([text], delimiter)


def rows(
    lines: Iterable[Line], delimiter: str, *, quoted: bool, multiline: bool, file: str
) -> Iterator[tuple[int, list[str]] | BadLine]:
    """(line, fields) of every row that is not blank; quoted fields may span lines where `multiline` is set."""
    put_back: deque[Line] = deque()
    source = iter(lines)

    def following() -> Line | None:
        return put_back.popleft() if put_back else next(source, None)

    for number, text in iter(following, None):
        if text is None:
            yield unreadable_line(file, number)
            continue
        if not text.strip():
            continue
        fields = split(text, delimiter, quoted=quoted)
        if fields is None and multiline:
            fields = _continued(text, iter(following, None), put_back, delimiter)
        if fields is None:
            yield BadLine(file, number, "a quote is not closed, or text follows a closing quote")
        else:
            yield number, fields


def _continued(text: str, source: Iterator[Line], put_back: deque[Line], delimiter: str) -> list[str] | None:
    """The fields of a row that goes on over the next lines; None, with these lines put back, where it never ends."""
    if text.count('"') % 2 == 0:
        return None
    taken: list[Line] = []
    parts = [text + "\n"]
    for entry in islice(source, LONGEST_FIELD_LINES):
        taken.append(entry)
        if entry[1] is None:
            break
        parts.append(entry[1] + "\n")
        if entry[1].count('"') % 2 == 1:
            if (fields := _only_row(parts, delimiter)) is not None:
                return fields
            break
    put_back.extendleft(reversed(taken))
    return None


def _only_row(lines: Iterable[str], delimiter: str) -> list[str] | None:
    """The fields of the only row in these lines; None where there is another number of rows, or bad quoting."""
    try:
        found = list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return found[0] if len(found) == 1 else None
