"""The words of a question with plainer ones for what the schema tells how to say."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.anchors.contestants import contestants
from clew.tools.queries.reading.anchors.denied import without_prefixes
from clew.tools.queries.reading.anchors.vacant import vacant
from clew.tools.queries.reading.schema.vocabulary import SchemaWords


def retold(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with "which team won" for "who won", "with no member" for "vacant", "not vaccinated" for
    "unvaccinated", each where the schema has what it needs."""
    return without_prefixes(contestants(vacant(tokens, words), words), words)
