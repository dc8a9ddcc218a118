"""Totals: "her commits in total" is not a number for each package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.english.words import unit_measure
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.question_parts import Parts, trimmed

NUMBERS = ("number", "written number")
"""Kinds of properties that hold numbers."""
_IN_ALL = re.compile(
    r"\b(?:altogether|in (?:total|all)|all (?:told|together|in all)|(?:added|summed|totalled|counted) (?:up|together)"
    r"|(?P<adds>(?:add|sum|tot|tally) up)|put together|taken together|combined|grand total"
    r"|between them|on one scale|(?:come|comes|amount|amounts|adds? up) to(?=\W*\Z)"
    r"|across (?:all|every)|over all (?:the|its|their)|counting (?:all|every))\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    r"\b(?:each|apiece|which|by(?!\s+(?-i:[A-Z]))|broken|breakdown|respectively"
    r"|per(?! (?:year|annum|month|week|day|hour|night|head|unit)\b)"
    r"|(?<!across )(?<!counting )every(?! \w+ (?:counted|included)))\b",
    re.IGNORECASE,
)
_EVERY = re.compile(r"\bevery\b", re.IGNORECASE)
_THE = re.compile(r"(?:(?:what (?:do|does|did)|the|all|my|our)\s+)+", re.IGNORECASE)
_UNIT_OF = re.compile(r"\A\W*(?:how many\s+)?(\w+) of\s", re.IGNORECASE)
_TAKEN = re.compile(
    r"\bwhat (?:did|have|has) (?:we|they|you|i|he|she) (?:make|made|earn|earned|take|taken|bring in|spend|spent|pay"
    r"|paid|charge|charged|bill|billed|collect|collected)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:how|which|who|where|when)", re.IGNORECASE)
_OF_REST = ("guess", 0.5)
_KEPT = 3
"""Readings of the rest that are tried."""


def wants_total(question: str) -> bool:
    """Whether words say that numbers are added up, but not for each of several things."""
    unit = _UNIT_OF.match(question)
    if _TAKEN.search(question) is not None or (unit is not None and unit_measure(singular(unit.group(1).lower()))):
        return _OF_EACH.search(question) is None
    found = _IN_ALL.search(question)
    said = question if found is None or found.group("adds") is None else _EVERY.sub("", question)
    return found is not None and _OF_EACH.search(said) is None


def total_of(form: Form) -> Form | None:
    """The total of the numbers that a form gives; None where it gives no several numbers that add up."""
    value = form.value
    if value is None or form.since is not None or form.columns or value.kind not in NUMBERS:
        return None
    of_each = form.asks == "groups" and form.group is None and value.function in ("sum", "count")
    of_several = form.asks == "value" and not form.nodes.entities and value.function in (None, "sum", "count")
    several = of_each or (of_several and form.nodes.order is None)
    return replace(form, asks="number", function="sum", limit=None) if several else None


def totals_of_rest(parts: Parts) -> Iterator[Reading]:
    """The totals of what a question lists without the words that ask for a total."""
    spans, at = [], 0
    for each in _IN_ALL.finditer(parts.question):
        spans.append((at, each.start()))
        at = each.end()
    spans.append((at, len(parts.question)))
    rest = [span for span in (trimmed(parts.question, each) for each in spans) if span[0] < span[1]]
    if not rest:
        return
    the = _THE.match(parts.question, *rest[0])
    named = [(the.end(), rest[0][1]), *rest[1:]] if the is not None else rest
    asks = _ASKS.match(parts.question, *rest[0]) is not None
    for reading in parts.readings(*rest)[:_KEPT] if asks else parts.readings("total", *named)[:_KEPT]:
        total = total_of(reading.form)
        if total is not None or reading.form.function == "sum":
            yield with_features(replace(reading, form=total or reading.form), _OF_REST)
