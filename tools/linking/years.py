"""Numbers that are years: "orders in 2023" does not mean the order with that number."""

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
_NUMBERED = frozenset({"no", "nr", "number", "id", "code", "#", "ref"})


def years_of(schema: Schema) -> range:
    """The years of the dates of a graph, and some around them; none where it has no dates."""
    owned = [each for each in (*schema.properties, *schema.relation_properties) if "DATE" in each.type]
    years = [int(year) for each in owned for date in each.examples if (year := str(date)[:4]).isdecimal()]
    return range(min(years) - _AROUND, max(years) + _AROUND + 1) if years else range(0)


def is_year(reading: Reading, words: Words, index: EntityIndex) -> bool:
    """Whether a reading takes a year of the graph's dates for a name. It is one behind its kind: "order 2023"."""
    text = reading.mention.text
    if not (text.isdecimal() and int(text) in index.years):
        return False
    labels = {label for each in reading.mention.candidates for label in identifier_words(each.entity.label)}
    before = words.tokens[reading.first - 1].folded if reading.first else ""
    return not labels & _YEARS and before not in labels | _NUMBERED
