"""Readings of questions of which a part is read as a question of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from clew.tools.graph.entity import Mention
from clew.tools.queries.lexical import Span
from clew.tools.queries.reading.comparisons.compared import with_comparisons
from clew.tools.queries.reading.durations.measured import with_durations
from clew.tools.queries.reading.everyday import with_everyday
from clew.tools.queries.reading.forms.form import Nodes
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.number_lists import with_number_lists
from clew.tools.queries.reading.one_number.one_number import with_one_number
from clew.tools.queries.reading.question_parts import Named, Parts, Read
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.reading.set_differences import with_differences
from clew.tools.queries.reading.set_intersections import with_intersections


def with_parts(
    readings: Sequence[Reading], question: str, named: Named, read: Read, words: SchemaWords
) -> list[Reading]:
    """The readings of a question, with those that rest on readings of its parts.

    Args:
        readings: Those of the question as a whole.
        question: The question.
        named: What it names.
        read: Reads a part of it.
        words: The words of the schema.
    """

    def read_part(
        part: str,
        mentions: Sequence[Mention],
        others: Sequence[Mention],
        sets: Mapping[Span, Nodes],
        *,
        denials: bool = False,
    ) -> list[Reading]:
        inside, found = Parts(part, (mentions, others, sets), read), read(part, mentions, others, sets)
        return with_durations(with_differences(found, inside) if denials else found, inside, words)

    parts = Parts(question, named, read)
    every = with_number_lists(readings, parts)
    every = with_differences(every, parts)
    every = with_intersections(every, Parts(question, named, partial(read_part, denials=True)), words)
    every = with_durations(every, parts, words)
    every = with_comparisons(every, Parts(question, named, read_part), words)
    return with_one_number(with_everyday(every, parts, words), parts, words)
