"""Plain text: paragraphs are separated by blank lines, or, where lines are not wrapped, each is one line."""

from __future__ import annotations

import re
from pathlib import Path

from clew.tools.documents.reading.blocks import Content, Paragraph, plain
from clew.tools.documents.reading.files import checked_bytes, decoded, name_as_title

_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+|\f")

_WIDEST_LINE = 160
"""Characters: wrapped text has narrower lines."""
_WIDE_SHARE = 0.1


def read_plain_text(path: Path, encoding: str | None = None) -> Content:
    """Raises BadInput."""
    text, note = decoded(path, checked_bytes(path), encoding)
    return Content(name_as_title(path), [Paragraph(piece) for piece in paragraphs_of(text)], note)


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text, none empty."""
    lines = [len(line) for line in text.split("\n") if line.strip()]
    wide = sum(length > _WIDEST_LINE for length in lines)
    pieces = text.split("\n") if wide > _WIDE_SHARE * len(lines) else _BLANK_LINES.split(text)
    return [paragraph for piece in pieces if (paragraph := plain(piece))]
