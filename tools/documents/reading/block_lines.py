"""A file's content as lines of JSON, for the way from the process that reads it to the one that cuts it.

The receiver decodes blocks and rows one by one, so that they take no more memory there than their lines. JSON, unlike
pickle, runs no code, whatever a file has done to the process that read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from clew.tools.documents.reading.blocks import Block, Content, Paragraph, Table


class TooMuchText(Exception):
    """The lines have more bytes than they may."""


def encoded(content: Content, most: int) -> bytes:
    """The lines: title and note, then the blocks; the rows of a table follow it.

    Raises:
        TooMuchText: they have more than `most` bytes.
        BadInput: the rest of the file cannot be read.
    """
    lines = BytesIO()
    for line in _lines(content):
        if lines.tell() + len(line) > most:
            raise TooMuchText
        lines.write(line)
    return lines.getvalue()


def _lines(content: Content) -> Iterator[bytes]:
    yield line_of([content.title, content.note])
    for block in content.blocks:
        if isinstance(block, Table):
            rows = list(block.rows)
            yield line_of([len(rows), block.header, block.title, block.headings, block.page])
            yield from map(line_of, rows)
        else:
            yield line_of([None, block.text, block.headings, block.page, block.level, block.names])


def line_of(value: Any) -> bytes:
    """A value as one line of JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
    return text.encode("utf-8", "surrogatepass")  # Texts of PDFs can have halves of characters.


def decoded(data: bytes) -> Content:
    """The content whose lines these are; its blocks can be read once."""
    lines = BytesIO(data)
    title, note = json.loads(lines.readline())
    return Content(title, _blocks(lines), note)


def _blocks(lines: BytesIO) -> Iterator[Block]:
    headings: tuple[str, ...] = ()
    for line in lines:
        count, *fields = json.loads(line)
        place = 1 if count is None else 2
        if headings != (found := tuple(fields[place])):
            headings = found  # Paragraphs of one section share them.
        if count is None:
            text, _, page, level, names = fields
            yield Paragraph(text, headings, page, level, tuple(names))
        else:
            header, title, _, page = fields
            rows = b"".join(lines.readline() for _ in range(count))
            yield Table(_Rows(rows), tuple(header), title, headings, page)


class _Rows:
    """The rows of a table, decoded whenever they are read."""

    def __init__(self, lines: bytes) -> None:
        self._lines = lines

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (tuple(json.loads(line)) for line in BytesIO(self._lines))
