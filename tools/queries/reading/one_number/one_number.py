"""The readings of a question, those first that tell one number where one is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.forms.scoring import with_features
from clew.tools.queries.reading.one_number.distinct_values import distinct_values
from clew.tools.queries.reading.one_number.extremes import extreme_of, extremes
from clew.tools.queries.reading.one_number.quantities import (
    asks_how_many_at_all,
    counted_labels,
    lists_all,
    pieces,
    without_counts,
)
from clew.tools.queries.reading.one_number.totals import total_of, totals_of_rest, wants_total
from clew.tools.queries.reading.question_parts import Parts
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_MEAN = re.compile(r"\b(?:average|mean|typical|typically|normally)\b", re.IGNORECASE)
_SURELY = 1.5
"""Cost below which the reading of the whole stands."""
_GUESS, _NOT_ONE = ("guess", 0.2), ("unexplained", 0.6)


def with_one_number(readings: Sequence[Reading], parts: Parts, words: SchemaWords) -> list[Reading]:
    """The readings of a question, those that give several numbers behind their total where one is wanted, and those
    that give what has the greatest number behind that number where it is what the question asks for.

    Args:
        readings: The readings.
        parts: The question, and how its parts are read.
        words: The words of the schema.
    """
    question = parts.question
    readings = distinct_values(without_counts(readings, question, words), parts, words)
    in_all = wants_total(question)
    if not (readings and readings[0].cost < _SURELY and not readings[0].unexplained):
        readings = [*readings, *(totals_of_rest(parts) if in_all else ()), *pieces(parts, words)]
    ordered = any(each.form.nodes.order is not None for each in readings)
    greatest = extremes(question, words) if ordered else []
    tallied = asks_how_many_at_all(question)
    counts = counted_labels(question, words)

    def numbers(reading: Reading) -> Iterator[Reading]:
        total = total_of(reading.form) if in_all else None
        extreme = extreme_of(reading.form, greatest, words.nameless)
        if in_all and reading.form.function == "avg" and _MEAN.search(question) is None:
            yield with_features(reading, _NOT_ONE)
        elif total is not None:
            yield with_features(replace(reading, form=total), _GUESS)
            yield with_features(reading, _NOT_ONE)
        elif (counts or tallied) and lists_all(reading.form, None if tallied else counts):
            yield replace(reading, form=replace(reading.form, asks="number", function="count"))
        else:
            yield reading if extreme is None else replace(reading, form=extreme)

    if not (in_all or greatest or counts or tallied):
        return list(readings)
    return sorted((each for reading in readings for each in numbers(reading)), key=lambda each: each.cost)
