"""Whether people are still there: "who still works for us", "no longer with us", "have left the company"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
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
_GONE = frozenset({"left", "quit", "resigned"})
_BEFORE_GONE = frozenset({"has", "have", "had", "'ve", "who"})
_BEHIND_GONE = frozenset(
    {"us", "the", "agency", "company", "firm", "business", "organisation", "organization", "already"}
)
_NEAR = 6
"""Words before "left" among which one says that those who have left are counted as well, or left out."""
_COUNTED_TOO = frozenset({"including", "counting", "includes", "include"})
_LEAVING_OUT = frozenset({"without", "excluding", "except", "ignoring", "not"})
_TELLING = frozenset({"work", "works", "working", "employed", "here", "us"})
_SAID = 0.5
"""Less than this costs a property that "left" names itself."""
_SURE = ("value", 0.1)


def still_there(tokens: Sequence[Token], words: SchemaWords) -> Iterator[AnyItem]:
    """The conditions that somebody has not left, or has."""
    texts = [token.text for token in tokens]
    for i, text in enumerate(texts):
        if text in ("still", "not"):  # "No longer" is read as "not".
            last = _behind(i, texts, _THERE)
            if _TELLING & set(texts[i + 1 : last]):
                yield from _ended(i, last, text == "not", words)
        elif text in _GONE and i and texts[i - 1] in _BEFORE_GONE:
            before = set(texts[max(0, i - _NEAR) : i])
            if not (before & _COUNTED_TOO or any(c.cost < _SAID for c in words.property(text))):
                yield from _ended(i, _behind(i, texts, _BEHIND_GONE), not before & _LEAVING_OUT, words)


def _behind(place: int, texts: Sequence[str], words: Set[str]) -> int:
    """The first place behind another one at which none of some words stands."""
    return next((i for i in range(place + 1, len(texts)) if texts[i] not in words), len(texts))


def _ended(first: int, last: int, ended: bool, words: SchemaWords) -> Iterator[AnyItem]:
    choices = [replace(c, cost=0.0) for label in sorted(words.persons) for c in endings(label, words)]
    if choices:
        meant = ConditionNoun(tuple(choices), test="IS NOT NULL" if ended else "IS NULL")
        yield anchor(first, last, meant, _SURE)
