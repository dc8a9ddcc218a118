"""Readings of questions with the names that a test gives."""

from __future__ import annotations

from collections.abc import Mapping

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.reading.reader import Reader, Reading


def best_reading(reader: Reader, question: str, names: Mapping[str, Entity]) -> Reading:
    """The best reading of a question in which the names stand as given."""
    found = [
        Mention(start, start + len(name), name, (Candidate(entity, 1.0, "exact", name),))
        for name, entity in names.items()
        if (start := question.find(name)) >= 0
    ]
    readings = reader.read(question, found, seconds=60)
    assert readings, question
    return readings[0]
