"""DOCX: paragraphs, headings, tables and footnotes of a Word document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
from clew.tools.documents.reading.word_parts import WordParts
from clew.tools.errors import BadInput

_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
"""Of .doc files; also what Word wraps an encrypted document in."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEFT_OUT = frozenset(
    (f"{_W}del", f"{_W}moveFrom", "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback")
)
"""Text that tracked changes removed, and second versions of drawings."""
_HEADING = re.compile(r"heading (\d)")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


def read_word(path: Path, encoding: str | None = None) -> Content:
    """Raises BadInput."""
    data = checked_bytes(path)
    if data.startswith(_OLD_OFFICE):
        raise BadInput(f"{path} is encrypted, or a .doc file.", "Save it as .docx without a password.")
    try:
        blocks, title = _read(path, data)
    except BadInput:
        raise
    except Exception as error:  # A broken file can raise anything that Python knows, within the library.
        raise damaged(path, "a Word document", error) from error
    if not blocks:
        raise BadInput(f"{path} has no text.", "Check that it was written completely.")
    return Content(first_title(blocks, title, name_as_title(path)), blocks)


def _read(path: Path, data: bytes) -> tuple[list[Block], str]:
    """The blocks, and the title that the document's properties state."""
    parts = WordParts(path, data)
    document = parts.related("officeDocument")
    if not document:
        raise ValueError("it names no main document")
    properties = parts.related("core-properties")
    titles = parts.events(properties, _TITLE) if properties in parts else ()
    stated = [element.text for event, element in titles if event == "end"]
    blocks = list(_blocks(parts, document))
    for notes in _NOTES:
        if notes in parts:
            texts = map(_text, parts.outermost(notes, (f"{_W}p",), _LEFT_OUT))
            blocks += [Paragraph(text) for text in texts if text]
    return blocks, plain(stated[0] or "") if stated else ""


def _blocks(parts: WordParts, document: str) -> Iterator[Block]:
    outline = Outline()
    levels = _levels(parts, document)
    for element in parts.outermost(document, (f"{_W}p", f"{_W}tbl"), _LEFT_OUT, below=f"{_W}body"):
        if element.tag == f"{_W}tbl":
            yield from _table(element, outline.headings)
        elif text := _text(element):
            level = levels.get(_style(element), 0)
            if level:
                yield outline.heading(plain(text), level)
            else:
                names = tuple(dict.fromkeys(filter(None, map(_flat, element.iter(f"{_W}hyperlink")))))
                yield Paragraph(text, outline.headings, names=names)


def _levels(parts: WordParts, document: str) -> dict[str, int]:
    """By the id of a style its heading level."""
    styles = parts.related("styles", document)
    if styles not in parts:
        return {}
    return {
        style.get(f"{_W}styleId", ""): _level(style) for style in parts.outermost(styles, (f"{_W}style",), frozenset())
    }


def _level(style: Any) -> int:
    """The heading level of a style, 0 for none; a title is above all numbered headings."""
    stated = style.find(f"{_W}name")
    name = "" if stated is None else str(stated.get(f"{_W}val", "")).lower()
    if name == "title":
        return 1
    if (numbered := _HEADING.fullmatch(name)) is not None:
        return int(numbered.group(1)) + 1
    level = style.find(f"{_W}pPr/{_W}outlineLvl")
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
