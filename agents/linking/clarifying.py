"""Clarification: which entities the user has to choose from.

Only if two entities fit a name equally well and lead to equally likely queries: "who wrote Dune" may be about the film
or the book, "who directed Dune" only about the film.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.words import words

MARGIN = 0.1
"""How far the best query of an entity may score below the best of all. In 15 questions over the bundled graph, entities
that both made sense were at most 0.09 apart, others at least 0.24."""
TIE = 1e-6


@dataclass(frozen=True, slots=True)
class Reading:
    """An entity that a mention may stand for, and the question's meaning then."""

    candidate: Candidate
    asks: str
    """The likeliest query that starts from it, in words; "" if there is none."""


def readings(mention: Mention, ranked: Sequence[RankedQuery], namesakes: Sequence[Entity] = ()) -> list[Reading]:
    """The readings between which only the user can choose, likeliest first; fewer than two if there is no need to ask.

    Args:
        ranked: The queries of the question, best first.
        namesakes: Further entities of the mention's name, unknown to the ranker; listed beside those of their label.
    """
    best = {c.entity.id: _best(c.entity, ranked) for c in mention.candidates if _ties(c, mention)}
    found = {id: query for id, query in best.items() if query is not None}
    if not found:
        return []
    least = max(query.score for query in found.values()) - MARGIN
    kept = [
        Reading(c, words(found[c.entity.id].query))
        for c in mention.candidates
        if c.entity.id in found and found[c.entity.id].score >= least
    ]
    labels, known = {reading.candidate.entity.label for reading in kept}, {c.entity.id for c in mention.candidates}
    others = [e for e in namesakes if e.label in labels and e.id not in known]
    kept.sort(key=lambda reading: -found[reading.candidate.entity.id].score)
    return [*kept, *(Reading(Candidate(e, 1.0, "exact", e.name), "") for e in others)]


def _ties(candidate: Candidate, mention: Mention) -> bool:
    return candidate.score >= mention.candidates[0].score - TIE


def _best(entity: Entity, ranked: Sequence[RankedQuery]) -> RankedQuery | None:
    """The likeliest query that starts from the entity."""
    return next((query for query in ranked if any(chain.anchor == entity for chain in query.query.chains)), None)
