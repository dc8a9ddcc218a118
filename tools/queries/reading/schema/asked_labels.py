"""The labels of what a question asks for, as its first words say."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.schema.vocabulary import SchemaWords


def asked_labels(said: Sequence[Token], words: SchemaWords) -> frozenset[str]:
    """The labels that "who" may mean, or the nouns behind "which" or "what", one of which is a label's name; none
    where the first words say nothing."""
    texts = [token.text for token in said]
    if texts[:1] in (["who"], ["whom"]):
        return words.persons
    found: set[str] = set()
    by_name = False
    for i, text in enumerate(texts[1:] if texts[:1] in (["which"], ["what"]) else (), 1):
        meant = [*words.labels.get(text, ()), *((role.step.target, role.cost) for role in words.roles.get(text, ()))]
        if texts[i + 1 : i + 2] == ["'s"]:  # "Which film's director …"
            return frozenset()
        if not meant:
            break
        found |= {label for label, _ in meant}
        by_name = by_name or any(not cost for _, cost in meant)
    return frozenset(found) if by_name else frozenset()
