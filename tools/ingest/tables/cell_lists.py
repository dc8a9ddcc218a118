"""Cells that hold several values: the allergens "fish, gluten, egg" of a dish, or the guests of an evening.

Commas also stand in sentences, in addresses and between last and first name. In lists the same parts occur again and
again, and their number differs from cell to cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

SEPARATORS = (";", "|", ",")
_LEAST_CELLS, _LEAST_LISTS, _LEAST_SHARE = 5, 3, 0.2
"""Cells with a value, and how many of them hold several, as a number and as a share."""
_AGAIN = 0.5
"""The share of the parts that another cell has, too."""
_LONGEST, _MOST_WORDS = 40, 4
_LETTER = re.compile(r"[^\W\d_]")


def separator(texts: Sequence[str]) -> str:
    """What separates the values in the cells of a column; "" if they are no lists."""
    return next((each for each in SEPARATORS if _are_lists([parts(text, each) for text in texts], each)), "")


def parts(text: str, separator: str) -> list[str]:
    """The values of a cell."""
    return [part.strip() for part in text.split(separator)]


def split(column: str, separator: str) -> str:
    """SQL that gives the list of the values in a column of text, and NULL for a cell without any."""
    items = f"[trim(x) FOR x IN string_split({column}, '{separator}') IF trim(x) <> '']"
    return f"CASE WHEN len({items}) > 0 THEN {items} END"


def _are_lists(cells: Sequence[list[str]], separator: str) -> bool:
    lists = [cell for cell in cells if len(cell) > 1]
    if len(cells) < _LEAST_CELLS or len(lists) < max(_LEAST_LISTS, _LEAST_SHARE * len(cells)):
        return False
    if separator == "," and len({len(cell) for cell in cells}) == 1:
        return False  # Such as the last and the first name of each.
    if not all(_is_short(part, separator) for cell in cells for part in cell):
        return False
    counts = Counter(part for cell in cells for part in {each.lower() for each in cell})
    return sum(n for n in counts.values() if n > 1) >= _AGAIN * counts.total()


def _is_short(part: str, separator: str) -> bool:
    """Whether a part is a word or a name, which behind other signs than commas may be a title."""
    longest, most = (_LONGEST, _MOST_WORDS) if separator == "," else (2 * _LONGEST, 2 * _MOST_WORDS)
    return len(part) <= longest and len(part.split()) <= most and _LETTER.search(part) is not None
