"""DOCX: paragraphs, headings, tables and footnotes of a Word document."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clew.tools.documents.reading.blocks import (
    Block,
    Content,
    Outline,
    Paragraph,
    Table,
    column_names,
    first_title,
    plain,
    plain_lines,
    table_or_text,
)
from clew.tools.documents.reading.files import checked_bytes, damaged, name_as_title
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from docx.document import Document

LARGEST_UNPACKED = 512 * 1024 * 1024
"""Bytes of all parts together."""
_MOST_PARTS = 20_000
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
"""Of .doc files; also what Word wraps an encrypted document in."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEFT_OUT = frozenset(
    (f"{_W}del", f"{_W}moveFrom", "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback")
)
"""Text that tracked changes removed, and second versions of drawings."""
_HEADING = re.compile(r"heading (\d)")
_NOTES = ("/word/footnotes.xml", "/word/endnotes.xml")


def read_word(path: Path, encoding: str | None = None) -> Content:
    """Raises BadInput."""
    data = checked_bytes(path)
    if data.startswith(_OLD_OFFICE):
        raise BadInput(f"{path} is encrypted, or a .doc file.", "Save it as .docx without a password.")
    try:
        _refuse_bombs(path, data)
        blocks, title = _read(data)
    except BadInput:
        raise
    except Exception as error:  # A broken file can raise anything that Python knows, within the library.
        raise damaged(path, "a Word document", error) from error
    if not blocks:
        raise BadInput(f"{path} has no text.", "Check that it was written completely.")
    return Content(first_title(blocks, title, name_as_title(path)), blocks)


def _refuse_bombs(path: Path, data: bytes) -> None:
    """Refuse an archive that unpacks to more than any document does. Reading never unpacks more than is stated here."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
    size = sum(part.file_size for part in parts)
    if size > LARGEST_UNPACKED or len(parts) > _MOST_PARTS:
        raise BadInput(f"{path} would unpack to {size >> 20:,} MiB in {len(parts):,} parts.", "Leave it out.")


def _read(data: bytes) -> tuple[list[Block], str]:
    """The blocks, and the title that the document's properties state."""
    import docx

    document = docx.Document(io.BytesIO(data))
    reader = _Reader(document)
    blocks = list(reader.blocks(document.element.body))
    blocks += reader.notes()
    return blocks, plain(document.core_properties.title or "")


class _Reader:
    """Walks the document's own elements, because python-docx skips content controls and inserted text."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._outline = Outline()
        self._levels = {style.style_id: _level(style) for style in document.styles}

    def blocks(self, body: Any) -> Iterator[Block]:
        for element in _outermost(body, (f"{_W}p", f"{_W}tbl")):
            if element.tag == f"{_W}tbl":
                yield from _table(element, self._outline.headings)
            elif text := _text(element):
                level = self._levels.get(_style(element), 0)
                if level:
                    yield self._outline.heading(plain(text), level)
                else:
                    names = tuple(dict.fromkeys(filter(None, map(_flat, element.iter(f"{_W}hyperlink")))))
                    yield Paragraph(text, self._outline.headings, names=names)

    def notes(self) -> Iterator[Block]:
        """The footnotes and endnotes."""
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        for part in self._document.part.package.iter_parts():
            if str(part.partname) in _NOTES:
                for element in _outermost(etree.fromstring(part.blob, parser), (f"{_W}p",)):
                    if text := _text(element):
                        yield Paragraph(text)


def _level(style: Any) -> int:
    """The heading level of a style, 0 for none; a title is above all numbered headings."""
    name = str(style.name or "").lower()
    if name == "title":
        return 1
    if (numbered := _HEADING.fullmatch(name)) is not None:
        return int(numbered.group(1)) + 1
    level = style.element.find(f"{_W}pPr/{_W}outlineLvl")
    value = level.get(f"{_W}val", "") if level is not None else ""
    return int(value) + 2 if value.isdecimal() and int(value) < 9 else 0


def _style(paragraph: Any) -> str:
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    return "" if style is None else str(style.get(f"{_W}val", ""))


def _outermost(root: Any, tags: tuple[str, ...]) -> Iterator[Any]:
    """The outermost elements with these tags below `root`, in order."""
    from lxml import etree

    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if element is root:
            continue
        if element.tag in _LEFT_OUT:
            walk.skip_subtree()
        elif element.tag in tags:
            yield element
            walk.skip_subtree()


def _text(element: Any) -> str:
    """The lines of a paragraph, each without double spaces."""
    from lxml import etree

    parts = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, child in walk:
        if event == "end":
            parts.append("\n" if child.tag == f"{_W}p" and child is not element else "")
        elif child.tag in _LEFT_OUT:
            walk.skip_subtree()
        elif child.tag == f"{_W}t":
            parts.append(child.text or "")
        elif child.tag == f"{_W}tab":
            parts.append(" ")
        elif child.tag in (f"{_W}br", f"{_W}cr"):
            parts.append("\n")
        elif child.tag == f"{_W}noBreakHyphen":
            parts.append("-")
    return plain_lines("".join(parts))


def _flat(element: Any) -> str:
    return plain(_text(element))


def _table(element: Any, headings: tuple[str, ...]) -> list[Block]:
    """The table; its cells' paragraphs where it has one column or one row, and so only lays out."""
    grid: list[list[str]] = []
    for row in _outermost(element, (f"{_W}tr",)):
        cells: list[str] = []
        for cell in _outermost(row, (f"{_W}tc",)):
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            times = str(span.get(f"{_W}val", "1")) if span is not None else "1"
            text = " ".join(filter(None, map(_flat, _outermost(cell, (f"{_W}p", f"{_W}tbl")))))
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            if merged is not None and merged.get(f"{_W}val") != "restart" and grid and len(cells) < len(grid[-1]):
                text = grid[-1][len(cells)]  # The cell above reaches down to here.
            cells += [text] * (min(int(times), 100) if times.isdecimal() else 1)
        if any(cells):
            grid.append(cells)
    width = max(map(len, grid), default=0)
    if len(grid) < 2 or width < 2:
        return [Paragraph(cell, headings) for cells in grid for cell in cells if cell]
    rows = [(*cells, *[""] * (width - len(cells))) for cells in grid]
    return table_or_text(Table(rows[1:], column_names(rows[0]), headings=headings))
