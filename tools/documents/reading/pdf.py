"""PDF: the text of each page, its lines joined into paragraphs, without what repeats at the edges of pages."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clew.tools.documents.reading.blocks import Content, Paragraph, plain
from clew.tools.documents.reading.files import checked_bytes, damaged, name_as_title
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from pypdf import PdfReader

MOST_PAGES = 20_000
_HYPHEN = re.compile(r"(?<=[^\W\d_])-$")
_SENTENCE_END = re.compile(r"[.!?:;\u3002\uff01\uff1f\u2026][\"'\u201d\u2019)\]\u00bb]*$")
_DIGITS = re.compile(r"\d+")
_FULL_LINE = 0.75
"""Of the longest line: a paragraph's last line is often shorter."""
_LEAST_PAGES, _REPEATED = 4, 0.5
"""A line that stands first or last on half the pages of four or more is a running title; one with a number in it, the
same but for the number, on four pages."""
_MASK = "#"
_NO_TITLE = re.compile(r"untitled|microsoft word|\.(docx?|indd|tex|dvi|qxd|pptx?|xlsx?|pdf)$", re.IGNORECASE)


def read_pdf(path: Path, encoding: str | None = None) -> Content:
    """The text of a PDF. Raises BadInput, also for one with only images of text, or with a password."""
    data = checked_bytes(path)
    if b"%PDF-" not in data[:1024]:
        raise BadInput(f"{path} is not a PDF.", "Give it the ending of its format, or leave it out.")
    from pypdf.errors import LimitReachedError

    try:
        title, pages = _extracted(path, data)
    except BadInput:
        raise
    except LimitReachedError as error:
        why = f"{path} passes a limit of the PDF library: {error}"
        raise BadInput(why, "Leave it out, or save it as plain text.") from error
    except Exception as error:  # A broken file can raise anything that Python knows, within the library.
        raise damaged(path, "a PDF", error) from error
    blocks = [
        Paragraph(paragraph, page=number)
        for number, lines in enumerate(_without_edges(pages), start=1)
        for paragraph in _paragraphs(lines)
    ]
    if not blocks:
        raise BadInput(
            f"{path} has no text on its {len(pages)} pages.", "It may be scanned: run text recognition (OCR) over it."
        )
    return Content(title or name_as_title(path), blocks)


def _extracted(path: Path, data: bytes) -> tuple[str, list[list[str]]]:
    """The title that the file states, and the lines of each page."""
    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # It reports every oddity that it could read past.
    reader = PdfReader(io.BytesIO(data), strict=False)
    locked = BadInput(f"{path} is encrypted.", "Save it without a password.")
    try:
        if reader.is_encrypted and not reader.decrypt(""):
            raise locked
    except DependencyError:
        raise locked from None
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise BadInput(f"{path} has {count:,} pages, of at most {MOST_PAGES:,}.", "Split it.")
    return _title(reader), [reader.pages[number].extract_text().split("\n") for number in range(count)]


def _title(reader: PdfReader) -> str:
    stated = plain(str(reader.metadata.title or "")) if reader.metadata else ""
    return "" if _NO_TITLE.search(stated) else stated


def _without_edges(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The pages' lines, without those at their edges that repeat from page to page but for their numbers."""
    filled = [[plain(line) for line in lines] for lines in pages]
    edges: Counter[str] = Counter()
    for lines in filled:
        non_empty = list(filter(None, lines))
        edges.update({_masked(line) for line in (*non_empty[:2], *non_empty[-2:])})
    running = {
        edge
        for edge, times in edges.items()
        if times >= max(_LEAST_PAGES, _REPEATED * len(pages)) or (times >= _LEAST_PAGES and _MASK in edge)
    }
    found = []
    for lines in filled:
        kept = list(lines)
        for end in (0, -1):
            while kept and (not kept[end] or _masked(kept[end]) in running):
                kept.pop(end)
        found.append(kept)
    return found


def _masked(line: str) -> str:
    return _DIGITS.sub(_MASK, line)


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Lines joined; a paragraph ends at a blank line, and at a short line that ends a sentence."""
    longest = max(map(len, lines), default=0)
    found: list[str] = []
    is_open = False
    for line in lines:
        if not line:
            is_open = False
        elif is_open and _HYPHEN.search(found[-1]) and line[0].islower():
            found[-1] = found[-1][:-1] + line  # A word that was divided at the line's end.
        elif is_open:
            found[-1] += " " + line
        else:
            found.append(line)
        is_open = bool(line) and not (_SENTENCE_END.search(line) and len(line) < _FULL_LINE * longest)
    return found
