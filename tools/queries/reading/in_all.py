"""Readings of questions that want one number: "her commits in total" is not a number for each package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import with_features

_IN_ALL = re.compile(
    r"\b(?:altogether|in (?:total|all)|all (?:told|together|in all)|(?:added|summed|totalled|counted) (?:up|together)"
    r"|add up|sum up|put together|taken together|combined|grand total"
    r"|across (?:all|every)|over all (?:the|its|their)|counting (?:all|every))\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    r"\b(?:each|apiece|which|by|broken|breakdown|respectively"
    r"|per(?! (?:year|annum|month|week|day|hour|night|head|unit)\b)"
    r"|(?<!across )(?<!counting )every(?! \w+ (?:counted|included)))\b",
    re.IGNORECASE,
)
_GUESS, _NOT_ONE = ("guess", 0.2), ("unexplained", 0.6)


def with_totals(readings: Sequence[Reading], question: str) -> list[Reading]:
    """The readings of a question, those that give several numbers behind their total where one is wanted.

    Args:
        readings: The readings.
        question: The question.
    """
    if _IN_ALL.search(question) is None or _OF_EACH.search(question) is not None:
        return list(readings)
    return sorted((each for reading in readings for each in _in_all(reading)), key=lambda each: each.cost)


def _in_all(reading: Reading) -> Iterator[Reading]:
    total = _total(reading.form)
    if total is None:
        yield reading
    else:
        yield with_features(replace(reading, form=total), _GUESS)
        yield with_features(reading, _NOT_ONE)


def _total(form: Form) -> Form | None:
    """The total of the numbers that a form gives; None where it gives no several numbers that add up."""
    value = form.value
    if value is None or form.since is not None or form.columns or value.kind not in ("number", "written number"):
        return None
    of_each = form.asks == "groups" and form.group is None and value.function in ("sum", "count")
    of_several = form.asks == "value" and not form.nodes.entities and value.function in (None, "sum", "count")
    several = of_each or (of_several and form.nodes.order is None)
    return replace(form, asks="number", function="sum", limit=None) if several else None
