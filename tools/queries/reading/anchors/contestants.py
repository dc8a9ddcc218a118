"""Who won: "who" before what happened to the side of an event means one of those that can be such a side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import spoken
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.schema.contests import outcome_of
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.sided import COUNTED

_AUXILIARIES = frozenset({"has", "have", "had", "did", "'s", "is"})
_ADVERBS = frozenset({"ever", "also"})


def contestants(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with "which team won the most games" for "who won the most games", where teams play."""
    targets = {each.target for each in words.contests}
    if len(targets) != 1 or not tokens or tokens[0].text != "who":
        return list(tokens)
    behind = next((i for i, each in enumerate(tokens) if i and each.text not in _AUXILIARIES | _ADVERBS), len(tokens))
    counted = behind > 1 and any(token.text in COUNTED for token in tokens)
    if behind == len(tokens) or (outcome_of([tokens[behind].text]) is None and not counted):
        return list(tokens)
    (target,) = targets
    asked = [replace(tokens[0], text=text) for text in ("which", *spoken(target).split())]
    return [*asked, *tokens[1 if counted else behind :]]
