"""Numbers that name nothing: "orders in 2023" does not mean the order with that number, nor "top 3" the third one."""

from __future__ import annotations

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.spans import Reading
from clew.tools.linking.tokens import Words

_YEARS = frozenset({"year", "date", "season", "vintage", "edition", "time", "period", "decade"})
"""Words by which kinds of things are called that are years."""
_AROUND = 2
"""Years before and after those of the examples that the schema has."""
_LONG = 4
"""Digits from which on a number by itself may be that of a thing …"""
_COMPARING = frozenset(
    {"than", "over", "under", "above", "below", "least", "most", "exceeding", "to", "and", "between"}
)
"""… unless it stands behind these."""
_NUMBERED = frozenset({"no", "nr", "number", "id", "code", "#", "ref"})


def years_of(schema: Schema) -> range:
    """The years of the dates of a graph, and some around them; none where it has no dates."""
    owned = [each for each in (*schema.properties, *schema.relation_properties) if "DATE" in each.type]
    years = [int(year) for each in owned for date in each.examples if (year := str(date)[:4]).isdecimal()]
    return range(min(years) - _AROUND, max(years) + _AROUND + 1) if years else range(0)


def is_number(reading: Reading, words: Words, index: EntityIndex) -> bool:
    """Whether a reading takes a year of the graph's dates, or a number that counts or compares, for the name of a thing
    whose kind is numbered. It is one behind its kind: "order 2023"."""
    text = reading.mention.text
    if not text.isdecimal():
        return False
    labels = {word for each in reading.mention.candidates for word in identifier_words(each.entity.label)}
    before = words.tokens[reading.first - 1].folded if reading.first else ""
    if labels & _YEARS or before in labels | _NUMBERED:
        return False
    if int(text) in index.years:
        return True
    return (len(text) < _LONG or before in _COMPARING) and _is_serial(int(text), reading, index)


def _is_serial(number: int, reading: Reading, index: EntityIndex) -> bool:
    """Whether the numbers beside it name things of the same kind, too."""
    labels = {each.entity.label for each in reading.mention.candidates}
    beside = (2, 3) if number == 1 else (number - 1, number + 1)
    return all(labels & {each.label for each in index.by_name(str(other))} for other in beside)
