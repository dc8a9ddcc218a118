"""Which labels are places."""

from __future__ import annotations

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.reading.english.words import listed
from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.reading.schema.joins import Joins
from clew.tools.queries.relation_names import relation_words


def places(schema: Schema, joins: Joins) -> frozenset[str]:
    """Labels of places, by their names, and of what other things are in, as things are at a place."""
    placing = {r.type for r in schema.relations if joins.is_placing(Step(r.type, True, r.target))}
    placing = {each for each in placing if not listed("taking part", "words") & set(relation_words(each))}
    called = (label for label in schema.labels if identifier_words(label)[-1] in listed("places", "labels"))
    return frozenset((*called, *(r.target for r in schema.relations if r.type in placing)))
