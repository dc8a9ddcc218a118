"""The content of a file as readers give it: paragraphs and tables in order, with their places."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of running text, or a heading."""

    text: str
    """Without double spaces; line breaks only where the author set them."""
    headings: tuple[str, ...] = ()
    """The headings above it, the outermost first; of a heading, itself too."""
    page: int | None = None
    """From 1, where the format has pages."""
    level: int = 0
    """Of a heading, from 1; 0 for other text."""
    names: tuple[str, ...] = ()
    """The texts of its links and what is emphasised in it."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Its rows may be a stream that can be read once."""

    rows: Iterable[tuple[str, ...]]
    """Each with as many cells as `header`, where there is one."""
    header: tuple[str, ...] = ()
    """The column names; () where the first cell of each row names the others."""
    title: str = ""
    """Its caption."""
    headings: tuple[str, ...] = ()
    page: int | None = None


Block = Paragraph | Table

WIDEST = 500
"""Columns of a table: every chunk of it has their names."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file's content."""

    title: str
    blocks: Iterable[Block]
    """May be a stream that can be read once; raises BadInput where the rest of the file cannot be read."""
    note: str = ""
    """What the user should know about how it was read."""


class Outline:
    """The headings above the current place in a document."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def heading(self, text: str, level: int) -> Paragraph:
        """Enter the section of a heading; returns the heading's paragraph."""
        self._open = [(above, title) for above, title in self._open if above < level]
        self._open.append((level, text))
        return Paragraph(text, self.headings, level=level)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the open sections, the outermost first."""
        return tuple(text for _, text in self._open)


def column_names(cells: Iterable[str]) -> tuple[str, ...]:
    """The cells of a header; an empty one is named by its place."""
    return tuple(cell or f"column {place}" for place, cell in enumerate(cells, start=1))


def table_or_text(table: Table) -> list[Block]:
    """The table, or, where it has more than WIDEST columns, its rows as text."""
    if len(table.header) <= WIDEST:
        return [table]
    rows = [(table.title,), table.header, *table.rows]
    lines = (" | ".join(filter(None, cells)) for cells in rows)
    return [Paragraph(line, table.headings, table.page) for line in lines if line]


def plain(text: str) -> str:
    """Without line breaks, double spaces and characters that have no width."""
    return " ".join(text.replace("\u00ad", "").replace("\u200b", "").replace("\ufeff", "").split())


def plain_lines(text: str, separator: str = "\n") -> str:
    """The lines of a text, each as `plain` makes it, without empty ones."""
    return "\n".join(line for part in text.split(separator) if (line := plain(part)))


def first_title(blocks: Iterable[Block], *fallbacks: str) -> str:
    """The text of the first heading of the highest level, else the first fallback that is not empty."""
    headings = [block for block in blocks if isinstance(block, Paragraph) and block.level]
    top = min((block.level for block in headings), default=0)
    return next((block.text for block in headings if block.level == top), "") or next(filter(None, fallbacks), "")
