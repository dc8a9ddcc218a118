"""The scores of candidates, and the best candidate of each entity."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import OSA

from clew.tools.graph.entity import Candidate

FUZZY_WEIGHT = 0.95
"""A fuzzy candidate's score is at most this, which keeps it below every equal spelling."""
_TIE_SHARE = 0.03
"""Of a fuzzy score, what letter case and the number of typing errors decide: they order equal ratios."""


def fuzzy_score(text: str, name: str, ratio: float) -> float:
    """The score of a misspelt name: how similar the keys are, and in a small part how similar both are as written."""
    as_written = OSA.normalized_similarity(text, name)
    return FUZZY_WEIGHT * ((1 - _TIE_SHARE) * ratio + _TIE_SHARE * as_written)


def best_of(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each entity's best candidate, best first; equal scores keep names before aliases, then their order."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        known = best.get(candidate.entity.id)
        if known is None or candidate.score > known.score:
            best[candidate.entity.id] = candidate
    return sorted(best.values(), key=lambda c: (-c.score, c.matched != c.entity.name))
