"""Lookup of the relation types of a schema by the spellings of people and models."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.graph.schema import Schema

if TYPE_CHECKING:
    from clew.tools.embedding import Embedder

_NEAR_SPELLING = 85.0
"""Least ratio of rapidfuzz, 0 to 100."""
_CLEARLY_SPELLED = 5.0
"""Least lead over the next one."""
_NEAR_MEANING = 0.6
_CLEARLY_MEANT = 0.1
_MOST_MEANT = 150
"""Most types, the most frequent ones, that are compared by meaning: embedding each takes some milliseconds."""


class RelationNames:
    """The relation types of a schema by spelling, and the labels that they connect."""

    def __init__(self, schema: Schema, embedder: Embedder | None = None) -> None:
        self._ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for relation in schema.relations:
            self._ends[relation.type].append((relation.source, relation.target))
        self._embedder = embedder
        self._spelled = [_grouped(self._ends, spell) for spell in (_whole, _last_part, _bare)]
        self._compact = {kind: _whole(kind) for kind in self._ends}
        self.labels = frozenset(schema.labels)
        self._labels = frozenset(
            spelling for label in schema.labels for spelling in (_whole(label), _whole(label) + "s")
        )
        properties = (*schema.properties, *schema.relation_properties)
        self._properties = frozenset(_whole(each.name) for each in properties)

    def ends(self, kind: str) -> Sequence[tuple[str, str]]:
        """(source label, target label) of every pattern of a type."""
        return self._ends[kind]

    def has(self, kind: str) -> bool:
        return kind in self._ends

    def exactly(self, word: str) -> tuple[str, ...]:
        """The type of that name; else those (usually one) of the same words, whatever their case and separators."""
        if word in self._ends:
            return (word,)
        for groups, spell in zip(self._spelled, (_whole, _last_part, _bare), strict=True):
            if found := groups.get(spell(word)):
                return found
        return ()

    def nearly(self, word: str) -> str | None:
        """The one type that is clearly nearest in spelling, else in meaning."""
        scored = self.by_spelling(word, 2)
        spelled_alike = bool(scored) and scored[0][1] >= _NEAR_SPELLING
        if spelled_alike and (len(scored) < 2 or scored[0][1] - scored[1][1] >= _CLEARLY_SPELLED):
            return scored[0][0]
        if self._embedder is None or not self._ends:
            return None
        kinds = list(self._ends)[:_MOST_MEANT]
        vectors = self._embedder.embed([_said(word), *map(_said, kinds)])
        near = sorted(zip((vectors[1:] @ vectors[0]).tolist(), kinds, strict=True), reverse=True)
        clear = len(near) < 2 or near[0][0] - near[1][0] >= _CLEARLY_MEANT
        return near[0][1] if near[0][0] >= _NEAR_MEANING and clear else None

    def by_spelling(self, word: str, limit: int) -> list[tuple[str, float]]:
        """The types nearest in spelling with their scores, 0 to 100."""
        from rapidfuzz import fuzz, process

        found = process.extract(_whole(word), self._compact, scorer=fuzz.ratio, limit=limit)
        return [(kind, score) for _, score, kind in found]

    def is_label(self, word: str) -> bool:
        return _whole(word) in self._labels

    def is_property(self, word: str) -> bool:
        return _whole(word) in self._properties


def _grouped(kinds: Iterable[str], spell: Callable[[str], str]) -> Mapping[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for kind in kinds:
        key = spell(kind)
        groups[key] = (*groups.get(key, ()), kind)
    groups.pop("", None)
    return groups


def _whole(name: str) -> str:
    return "".join(identifier_words(name))


def _last_part(name: str) -> str:
    """Of a dotted name: `people.person.born_in`."""
    return "".join(identifier_words(re.split(r"[./#]", name.rstrip("./#"))[-1]))


def _bare(name: str) -> str:
    return "".join(bare_words(name))


def _said(name: str) -> str:
    return " ".join(bare_words(name)) or name
