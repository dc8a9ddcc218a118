"""Plain text: paragraphs are separated by blank lines."""

from __future__ import annotations

import re
from pathlib import Path

from tools.documents.reading.blocks import Content, Paragraph, plain
from tools.documents.reading.files import checked_bytes, decoded, name_as_title

_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+|\f")


def read_plain_text(path: Path, encoding: str | None = None) -> Content:
    """Raises BadInput."""
    text, note = decoded(path, checked_bytes(path), encoding)
    return Content(name_as_title(path), [Paragraph(piece) for piece in paragraphs_of(text)], note)


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text, none empty."""
    return [paragraph for piece in _BLANK_LINES.split(text) if (paragraph := plain(piece))]
