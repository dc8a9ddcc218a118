"""A table as segments of 5 to 10 rows, each row in words with its column names (SAGE, section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from clew.tools.documents.chunking.units import Count, joined, packed, words_of
from clew.tools.documents.reading.blocks import Paragraph, Table
from clew.tools.embedding.token_budget import estimate

MOST_ROWS, LEAST_ROWS = 10, 5
_LONGEST_SEGMENT = 2
"""A factor on the most tokens of a chunk, up to which five rows stay together."""

_COUNTED = 20_000
"""Characters from which on the tokens of a row are estimated, because counting is slow."""

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive rows of a table."""

    text: str
    """The table's title, then a line a row."""
    rows: tuple[Row, ...]
    first: int
    """The number of its first row, from 1."""
    last: int


def segments(table: Table, title: str, count: Count, most: int) -> Iterator[Segment]:
    """The table's rows in order, ten in a segment, or from five as many as fit into `most` tokens.

    Of rows so long that five take twice `most`, a segment has fewer; a single row of that length is cut between words.
    Each segment begins with `title`.
    """

    def tokens(text: str) -> int:
        return count(text) if len(text) <= _COUNTED else estimate(text)

    number = 1
    for rows in _grouped(table.rows, lambda row: tokens(in_words(row, table.header)), most):
        lines = [in_words(row, table.header) for row in rows]
        for text in _texts(lines, title, tokens, most):
            yield Segment(text, rows, number, number + len(rows) - 1)
        number += len(rows)
    named = "\n".join(filter(None, [title, "; ".join(table.header)]))
    if number == 1 and named:  # A table without rows still has the names of its columns.
        yield Segment(named, (), 0, 0)


def in_words(row: Row, header: Sequence[str]) -> str:
    """ "year: 1975; title: Jaws"; a row of a table without column names is "Born: 1946 | Cincinnati"."""
    if header:
        return "; ".join(f"{name}: {cell}" for name, cell in zip(header, row, strict=True) if cell)
    cells = [cell for cell in row if cell]
    if len(cells) < 2 or not row[0]:
        return " | ".join(cells)
    return f"{cells[0].rstrip(':')}: " + " | ".join(cells[1:])


def _grouped(rows: Iterable[Row], tokens: Callable[[Row], int], most: int) -> Iterator[tuple[Row, ...]]:
    """Rows in groups; no more than the next twenty are held."""
    waiting: list[tuple[Row, int]] = []
    for row in rows:
        waiting.append((row, tokens(row)))
        if len(waiting) == 2 * MOST_ROWS:
            size = _fitting([length for _, length in waiting], most)
            yield tuple(row for row, _ in waiting[:size])
            del waiting[:size]
    while waiting:
        size = _fitting([length for _, length in waiting], most)
        if size == MOST_ROWS < len(waiting) < MOST_ROWS + LEAST_ROWS:
            size = -(-len(waiting) // 2)
        yield tuple(row for row, _ in waiting[:size])
        del waiting[:size]


def _fitting(lengths: Sequence[int], most: int) -> int:
    """The number of first rows that form a segment."""
    total, size = 0, 0
    for length in lengths[:MOST_ROWS]:
        total += length + 1
        if total > most * (_LONGEST_SEGMENT if size < LEAST_ROWS else 1):
            break
        size += 1
    return max(1, size)


def _texts(lines: Sequence[str], title: str, count: Count, most: int) -> Iterator[str]:
    """The lines under the title; a single row that is too long gives several texts."""
    whole = "\n".join(filter(None, [title, *lines]))
    if not whole:
        return
    if len(lines) > 1 or count(whole) <= _LONGEST_SEGMENT * most:
        yield whole
        return
    for run in packed(words_of(Paragraph(lines[0]), count, most), most):
        yield "\n".join(filter(None, [title, joined(run)]))
