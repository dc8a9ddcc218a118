"""What "when", "which day" and "what time" ask for: properties that hold dates, years, days of the week or times."""

from __future__ import annotations

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Property
from clew.tools.queries.reading.items import PropertyChoice
from clew.tools.queries.reading.vocabulary import SchemaWords
from clew.tools.queries.values import DATES, WEEKDAYS, holds_clock_times, holds_years

_ASKING = {
    "when": ("date", "year", "day"),
    "since when": ("date", "year"),
    **dict.fromkeys(("what year", "which year"), ("date", "year")),
    **dict.fromkeys(("what date", "which date"), ("date",)),
    **dict.fromkeys(("what day", "which day"), ("date", "day")),
    **dict.fromkeys(("what time", "which time", "at what time", "what hour"), ("time",)),
}
_DATED = frozenset({"since", "year", "date", "on", "day", "start", "from"})
_UNNAMED = 0.7
"""What it costs that a property is not named at all."""


def asked_times(text: str, words: SchemaWords) -> list[PropertyChoice]:
    """The properties that a phrase asks for; those of relationships are likelier."""
    return [
        PropertyChoice(owned.label, owned.name, 0.0 if edge else _UNNAMED, of_relation=edge, kind="date")
        for owned, edge in (words.properties if text in _ASKING else ())
        if _kind(owned, edge) in _ASKING[text]
    ]


def _kind(owned: Property, edge: bool) -> str:
    """What a property holds: "date", "year", "day" of the week, "time" of day, or "" for anything else."""
    words = set(identifier_words(owned.name))
    texts = {str(each).lower() for each in owned.examples if each is not None}
    if holds_clock_times(owned):
        return "time"
    if texts and texts <= WEEKDAYS:
        return "day"
    if owned.type in DATES:
        return "date"
    if holds_years(owned):
        return "year"
    return "date" if edge and words & _DATED else ""
