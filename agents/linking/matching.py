"""Matching of names that a model writes with the entities and values of the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from clew.agents.evidence import AnswerRef
from clew.tools.linking.normalise import fold

LEAST_SIMILARITY = 0.9
"""Similarity of two folded names by edit distance from which on they are equal; numbers in them must be equal."""
_NUMBER = re.compile(r"\d+")
_NOTE = re.compile(r"\s*\([^()]*\)\s*$")


class KnownNames:
    """Entities and values by name. Of several with one name the first is found, entities before values."""

    def __init__(self) -> None:
        self._exact: dict[str, AnswerRef] = {}
        self._folded: dict[str, AnswerRef] = {}

    def add(self, rows: Iterable[AnswerRef]) -> None:
        for row in rows:
            name, label = row["name"], row["label"]
            for spelling in (name, f"{name} ({label})", f"{name} ({label}, {row['id']})"):
                _keep(self._exact, spelling, row)
                _keep(self._folded, fold(spelling), row)

    def add_values(self, values: Iterable[str]) -> None:
        self.add({"id": None, "name": value, "label": "value", "support": 1} for value in values)

    def find(self, name: str) -> AnswerRef | None:
        """The row with exactly that name, else the same folded name, else without a trailing note in brackets, else
        with few typing errors."""
        if not name.strip():
            return None
        if name in self._exact:
            return self._exact[name]
        folded = fold(name)
        return self._folded.get(folded) or self._folded.get(fold(_NOTE.sub("", name))) or self._nearest(folded)

    def _nearest(self, folded: str) -> AnswerRef | None:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        numbers = _NUMBER.findall(folded)
        near = process.extract(
            folded, self._folded.keys(), scorer=OSA.normalized_similarity, score_cutoff=LEAST_SIMILARITY, limit=5
        )
        return next((self._folded[key] for key, _, _ in near if _NUMBER.findall(key) == numbers), None)


def _keep(rows: dict[str, AnswerRef], spelling: str, row: AnswerRef) -> None:
    known = rows.get(spelling)
    if known is None or (known["id"] is None and row["id"] is not None):
        rows[spelling] = row
