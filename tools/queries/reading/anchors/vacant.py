"""Things that nobody has: "vacant plots" are plots with no member, where most plots belong to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import spoken
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_VACANT = frozenset({"vacant", "unoccupied", "untenanted", "unlet", "tenantless"})
_BEFORE = frozenset({"is", "are", "was", "were", "standing", "currently", "still", "now"})
"""What stands before such a word behind its noun."""
_GROUPING = frozenset({"per", "by", "for", "each"})
_LONGEST = 3
"""Words from such a word to its noun, at most."""


def vacant(tokens: Sequence[Token], words: SchemaWords) -> list[Token]:
    """The words with "plots with no member" for "vacant plots" and "plots are vacant", unless a property says so."""
    place = next((i for i, token in enumerate(tokens) if token.text in _VACANT and not token.quoted), None)
    if place is None or words.property(tokens[place].text):
        return list(tokens)
    ahead = range(place + 1, min(place + 1 + _LONGEST, len(tokens)))
    noun = next((i for i in ahead if _holder(tokens[i].text, words)), None)
    before = next((i for i in reversed(range(place)) if _holder(tokens[i].text, words)), None)
    holder = _holder(tokens[at].text, words) if (at := before if noun is None else noun) is not None else None
    if holder is None:
        return list(tokens)
    said = [replace(tokens[place], text=text) for text in ("with", "no", *holder.split())]
    if noun is not None:
        end = noun + 1 if tokens[noun + 1 : noun + 2] and tokens[noun + 1].text in _GROUPING else len(tokens)
        return [*tokens[:place], *tokens[place + 1 : end], *said, *tokens[end:]]
    first = place
    while first and tokens[first - 1].text in _BEFORE:
        first -= 1
    return [*tokens[:first], *said, *tokens[place + 1 :]]


def _holder(noun: str, words: SchemaWords) -> str | None:
    """Whoever has most, but not all, of the things that a noun means; None if it is no such noun."""
    for label, _own in words.labels.get(noun, ()):
        found = [
            each.target for each in words.schema.relations
            if each.source == label and each.target in words.persons and each.count < words.schema.labels[label]
        ]  # fmt: skip
        if len(found) == 1:
            return spoken(found[0])
    return None
