"""Readings of questions with the names that a test gives."""

from __future__ import annotations

from collections.abc import Mapping

from clew.tools.embedding import MiniLM
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.graph.schema import Schema
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.reading.anchors.name_anchors import GraphNames, Values
from clew.tools.queries.reading.reader import Reader, Reading


def reader_of(schema: Schema, names: Mapping[str, Entity], values: Values = lambda text: {}) -> Reader:
    """A reader of a graph that has a schema, some named nodes, and values of properties."""
    named = GraphNames(lambda name: [names[name]] if name in names else [], values)
    return Reader(schema, named, MiniLM(), Glosses())


def mentions_in(text: str, names: Mapping[str, Entity]) -> list[Mention]:
    """The names in a text."""
    return [
        Mention(start, start + len(name), name, (Candidate(entity, 1.0, "exact", name),))
        for name, entity in names.items()
        if (start := text.find(name)) >= 0
    ]


def best_reading(reader: Reader, question: str, names: Mapping[str, Entity]) -> Reading:
    """The best reading of a question in which the names stand as given."""
    readings = reader.read(question, mentions_in(question, names), seconds=60)
    assert readings, question
    return readings[0]
