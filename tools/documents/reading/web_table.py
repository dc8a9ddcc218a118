"""A <table> of data as rows and column names; tables that only lay out a page are left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.tools.documents.reading.blocks import Table, column_names, plain

_WIDEST = 200
"""Columns, and columns that one cell may span."""
_TALLEST_SPAN = 1000
_LONGEST_CELL = 4000
"""Characters of a cell of data; a longer one is a part of a page."""
_LAYOUT = frozenset(("table", "form", "h1", "h2", "h3", "h4"))
_UNSEEN = frozenset(("script", "style", "noscript", "template"))


def table_of(element: Any, headings: tuple[str, ...]) -> Table | None:
    """The table under `headings`; None for one that lays out the page.

    Such a table is nested, has one column or row, or contains headings or long texts.
    """
    if element.get("role") in ("presentation", "none") or any(
        child.tag in _LAYOUT for child in element.iterdescendants() if isinstance(child.tag, str)
    ):
        return None
    grid = _grid(element)
    if len(grid) < 2 or len(grid[0]) < 2 or any(len(cell.text) > _LONGEST_CELL for row in grid for cell in row):
        return None
    captions = [plain(_text(child)) for child in element if child.tag == "caption"]
    heads = _heads(grid)
    texts = [tuple(cell.text for cell in row) for row in grid]
    header = _header(texts[:heads])
    if not heads and not all(row[0].is_head for row in grid):
        header = column_names([""] * len(grid[0]))
    return Table([row for row in texts[heads:] if any(row)], header, " ".join(captions), headings)


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    is_head: bool


def _heads(grid: list[list[_Cell]]) -> int:
    """How many rows at the top name the columns: those with only header cells, but never all rows."""
    count = 0
    while count < len(grid) - 1 and all(cell.is_head or not cell.text for cell in grid[count]):
        count += 1
    return count


def _header(rows: list[tuple[str, ...]]) -> tuple[str, ...]:
    """One name a column; several heads above each other are joined."""
    return column_names(" ".join(dict.fromkeys(filter(None, column))) for column in zip(*rows, strict=True))


def _grid(table: Any) -> list[list[_Cell]]:
    """Cells by row and column, a spanning cell in each that it spans; all rows of one width."""
    grid: list[list[_Cell]] = []
    hanging: dict[int, tuple[int, _Cell]] = {}
    for row in table.iter("tr"):
        cells: list[_Cell] = []

        def fill(cells: list[_Cell] = cells) -> None:
            while (spanning := hanging.get(len(cells))) is not None:
                left, cell = spanning
                if left > 1:
                    hanging[len(cells)] = left - 1, cell
                else:
                    del hanging[len(cells)]
                cells.append(cell)

        for element in row:
            if element.tag not in ("td", "th") or len(cells) >= _WIDEST:
                continue
            fill()
            cell = _Cell(plain(_text(element)), element.tag == "th")
            down = min(_span(element, "rowspan"), _TALLEST_SPAN)
            for _ in range(min(_span(element, "colspan"), _WIDEST - len(cells))):
                if down > 1:
                    hanging[len(cells)] = down - 1, cell
                cells.append(cell)
        fill()
        if cells:
            grid.append(cells)
    width = max(map(len, grid), default=0)
    return [[*row, *[_Cell("", row[0].is_head)] * (width - len(row))] for row in grid]


def _span(element: Any, name: str) -> int:
    value = element.get(name, "1").strip()
    return int(value) if value.isdecimal() and value.isascii() and 0 < len(value) < 6 and int(value) else 1


def _text(element: Any) -> str:
    """Its text without scripts, line breaks as spaces."""
    from lxml import etree

    parts: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, child in walk:
        if event == "start":
            if child.tag in _UNSEEN or not isinstance(child.tag, str):
                walk.skip_subtree()
            else:
                parts.append(" " if child.tag in ("br", "p", "div", "li") else "")
                parts.append(child.text or "")
        elif child is not element:
            parts.append(" " if child.tag in ("p", "div", "li") else "")
            parts.append(child.tail or "")
    return "".join(parts)
