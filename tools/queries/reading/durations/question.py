"""A question for a duration, and the reading of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.durations.said import Asked
from clew.tools.queries.reading.forms.items import Reading
from clew.tools.queries.reading.question_parts import Named, Piece, Read, assembled
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

    def part(self, *pieces: Piece) -> list[Reading]:
        """The readings of a part of the question, and of other words with it."""
        text, named = assembled(self.text, self.named, pieces)
        return list(self.read(text, *named)) if text else []
