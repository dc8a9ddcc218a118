"""The parts of dates by which numbers are given: "year" of "per year", "which month"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.forms.functions import PeriodUnit
from clew.tools.queries.reading.forms.items import AnyItem, Period
from clew.tools.queries.reading.forms.scoring import anchor

_UNITS = frozenset({"year", "quarter", "month", "decade", "day", "weekday"})
_BEFORE = frozenset({"per", "each", "every", "by", "which", "what", "many"})
_BEHIND = frozenset({"with", "when", "where", "had", "have"})


def _most(behind: Sequence[str]) -> bool:
    """Whether "the year with", "the year when" goes on as "the most", or as "more than"."""
    return behind[-1] in ("the", "most", "fewest", "more", "fewer", "at", "exactly", "only", "over", "under")


def periods(tokens: Sequence[Token]) -> Iterator[AnyItem]:
    """The periods that a question names, each where a word before it says that it is one of several."""
    for place, token in enumerate(tokens):
        unit, last = singular(token.text), place + 1
        if unit == "day" and [each.text for each in tokens[last : last + 3]] == ["of", "the", "week"]:
            unit, last = "weekday", place + 4
        behind = [each.text for each in tokens[last : last + 2]]
        several = place > 0 and tokens[place - 1].text in _BEFORE
        told = len(behind) > 1 and behind[0] in _BEHIND and _most(behind)
        if unit in _UNITS and (several or told):
            yield anchor(place, last, Period(cast(PeriodUnit, unit)))
