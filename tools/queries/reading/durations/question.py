"""A question for a duration, and the reading of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.durations.said import Asked
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.question_parts import Named, Parts, Piece
from clew.tools.queries.reading.schema.vocabulary import SchemaWords


@dataclass(frozen=True, slots=True)
class Question:
    """A question for a duration."""

    parts: Parts
    tokens: Sequence[Token]
    asked: Asked
    """What it asks of a duration."""
    names: frozenset[int]
    """The places of the words of names."""
    words: SchemaWords
    """The words of the schema."""

    @property
    def text(self) -> str:
        return self.parts.question

    @property
    def named(self) -> Named:
        """What it names."""
        return self.parts.named

    def part(self, *pieces: Piece) -> Sequence[Reading]:
        """The readings of a part of the question, and of other words with it."""
        return self.parts.readings(*pieces)
