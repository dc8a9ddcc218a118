"""Names by one of their words: a surname, the first word of a company."""

from __future__ import annotations

from clew.tools.graph.entity import Entity
from clew.tools.linking.index import PARTIAL_SCORE, EntityIndex
from clew.tools.linking.normalise import fold

_LONGEST = 5
"""Words of a name; a longer one is a title."""
_MOST_FOUND = 50


class NameParts:
    """The names of one graph by each of their words."""

    def __init__(self, index: EntityIndex) -> None:
        self._index = index

    def find(self, word: str) -> list[Entity]:
        """The entities that have a word in their name of several words; none where there are more than 50."""
        folded = fold(word)
        if not folded or " " in folded or self._index.words.count(folded) > _MOST_FOUND:
            return []
        found = [
            candidate.entity
            for candidate in self._index.partly([folded])
            if candidate.score >= PARTIAL_SCORE and 1 < len(fold(candidate.matched).split()) <= _LONGEST
        ]
        return found if len(found) <= _MOST_FOUND else []
