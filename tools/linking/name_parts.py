"""Names by one of their words: a surname, the first word of a company."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from clew.tools.graph.entity import Entity
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.normalise import fold

_MOST_NAMES = 300_000
"""A larger graph has so many names with a word that the word tells nothing."""
_LONGEST = 5
"""Words of a name; a longer one is a title."""
_MOST_FOUND = 50


class NameParts:
    """The names of one graph by each of their words, read when first asked."""

    def __init__(self, index: EntityIndex) -> None:
        self._index = index

    def find(self, word: str) -> list[Entity]:
        """The entities that have a word in their name of several words; none where there are more than 50."""
        names = self._names.get(fold(word), ())
        found = [entity for name in names for entity in self._index.by_name(name)] if len(names) <= _MOST_FOUND else []
        return found if len(found) <= _MOST_FOUND else []

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        if len(self._index) <= _MOST_NAMES:
            for _, name in self._index.distinct_names():
                words = fold(name).split()
                if 1 < len(words) <= _LONGEST:
                    for word in set(words):
                        found[word].append(name)
        return found
