"""A question for a duration, and the reading of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.tools.queries.lexical import Span, Token
from clew.tools.queries.reading.durations.said import Asked
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.number_lists import Named, Read, moved
from clew.tools.queries.reading.schema.vocabulary import SchemaWords


@dataclass(frozen=True, slots=True)
class Question:
    """A question for a duration."""

    text: str
    tokens: Sequence[Token]
    asked: Asked
    """What it asks of a duration."""
    names: frozenset[int]
    """The places of the words of names."""
    named: Named
    """What it names."""
    read: Read
    """Reads a part of it."""
    words: SchemaWords
    """The words of the schema."""

    def part(self, text: str, spans: Sequence[Span], shift: int) -> list[Reading]:
        """The readings of a part of the question.

        Args:
            text: The text, which ends with that of the spans.
            spans: What it has of the question.
            shift: Where this begins.
        """
        mentions, others, sets = moved(self.named, spans)
        mentions, others = (
            [replace(each, start=each.start + shift, end=each.end + shift) for each in every]
            for every in (mentions, others)
        )
        sets = {(start + shift, end + shift): nodes for (start, end), nodes in sets.items()}
        return list(self.read(text, mentions, others, sets)) if text else []
