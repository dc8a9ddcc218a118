"""Numbers with a decimal comma or with marks between thousands: 12,50, 1.234,5, 1 234,5 and 1,234.5; and sums of money
in hundredths."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WHOLE = "[+-]?(0|[1-9][0-9]*)"
_BLANK = "[ \u00a0\u202f]"
PATTERNS = {
    "1.234,5": f"({_WHOLE}|[+-]?[1-9][0-9]{{0,2}}([.][0-9]{{3}})+)(,[0-9]+)?",
    "1 234,5": f"({_WHOLE}|[+-]?[1-9][0-9]{{0,2}}({_BLANK}[0-9]{{3}})+)(,[0-9]+)?",
    "1,234.5": f"({_WHOLE}|[+-]?[1-9][0-9]{{0,2}}(,[0-9]{{3}})+)([.][0-9]+)?",
}
"""How a column writes numbers, by an example, and what such numbers look like."""


CENTS = "cents"
"""The format of whole numbers of hundredths, which become numbers of the whole: 3600 cents are 36."""
HUNDREDTHS = frozenset({"cents", "pence"})
"""How the names of their columns end."""


def plain(column: str, format: str) -> str:
    """SQL: the text of a column of numbers with a decimal point and without other marks."""
    marks = _BLANK if format[1] == " " else f"[{format[1]}]"
    return f"replace(regexp_replace({column}, '{marks}', '', 'g'), '{format[-2]}', '.')"


def found(texts: Sequence[str]) -> list[tuple[str, bool]]:
    """The formats with such marks that all texts fit, each with whether all numbers are whole.

    Three digits after a comma may be decimals or thousands. They are thousands where other values below 1,000 have no
    comma; otherwise both formats are returned.
    """
    if all(re.fullmatch(f"{_WHOLE}([.][0-9]+)?", text) for text in texts):
        return []
    fitting = [each for each, pattern in PATTERNS.items() if all(re.fullmatch(pattern, text) for text in texts)]
    if "1.234,5" in fitting and "1 234,5" in fitting:
        fitting.remove("1 234,5")
    if "1.234,5" in fitting and "1,234.5" in fitting and not all("," in text for text in texts):
        fitting.remove("1.234,5")
    return [(each, not any(each[-2] in text for text in texts)) for each in fitting]
