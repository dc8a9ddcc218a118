"""Whether people are still there: "who still works for us", "no longer with us"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.items import AnyItem, ConditionNoun
from clew.tools.queries.reading.forms.scoring import anchor
from clew.tools.queries.reading.schema.endings import endings
from clew.tools.queries.reading.schema.vocabulary import SchemaWords

_THERE = frozenset({
    "work", "works", "working", "employed", "here", "there", "with", "for", "us", "around", "the", "company", "on",
    "team", "staff",
})  # fmt: skip
_TELLING = frozenset({"work", "works", "working", "employed", "here", "us"})
_SURE = ("value", 0.1)


def still_there(tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    """The conditions that somebody has not left, or has."""
    texts = [token.text for token in tokens]
    for i, text in enumerate(texts):
        if text not in ("still", "not"):  # "No longer" is read as "not".
            continue
        last = i + 1
        while last < len(texts) and texts[last] in _THERE:
            last += 1
        if not _TELLING & set(texts[i + 1 : last]):
            continue
        choices = [replace(c, cost=0.0) for label in sorted(words.persons) for c in endings(label, words)]
        if choices:
            meant = ConditionNoun(tuple(choices), test="IS NULL" if text == "still" else "IS NOT NULL")
            yield anchor(i, last, meant, _SURE)
