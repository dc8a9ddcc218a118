"""Days of one month, from one to another: "from 9 to 20 May 2025", "between the 3rd and the 7th of June 2024"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.values import MONTH, MONTHS

_MONTH = rf"(?P<month>{MONTH})\.?"
_DAY = r"(?:the\s+)?(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_DAYS = rf"{_DAY.format('low')}\s*(?P<joined>to|and|until|till|through|-|\u2013)\s*{_DAY.format('high')}"
_RANGES = tuple(
    re.compile(rf"(?P<lead>from\s+|between\s+)?{days},?\s+(?P<year>[12]\d{{3}})\b", re.I)
    for days in (rf"{_DAYS}\s+(?:of\s+)?{_MONTH}", rf"{_MONTH}\s+{_DAYS}")
)


def day_range(question: str, tokens: Sequence[Token], first: int) -> Iterator[AnyItem]:
    """The condition that a date lies within the days that begin at a token, if any do."""
    for ranges in _RANGES:
        match = ranges.match(question, tokens[first].start)
        if match is None or (match["joined"].lower() == "and" and not match["lead"]):
            continue  # "On 3 and 7 June" are two days.
        year, month = int(match["year"]), MONTHS[match["month"].lower()]
        try:
            low, high = (date(year, month, int(match[day])) for day in ("low", "high"))
        except ValueError:
            continue
        last = next(i for i, token in enumerate(tokens[first:], first + 1) if token.end >= match.end())
        if low < high:
            yield anchor(first, last, ConditionNoun((), ">=", (low.isoformat(),), upper=high.isoformat()))
