"""Whether it has to be asked which entity is meant: only where two that fit a name equally well make the question ask
equally likely things ("who wrote Dune", the film or the book; "who directed Dune" leaves no choice)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.words import words

MARGIN = 0.1
"""Of the ranker's score: what the best query of an entity may be behind the best one of all. On 15
questions over the bundled graph entities that both made sense were 0 to 0.09 apart, others 0.24 and more."""
TIE = 1e-6


@dataclass(frozen=True, slots=True)
class Reading:
    """An entity that a mention may stand for, and what is asked then."""

    candidate: Candidate
    asks: str
    """The likeliest query that starts from it, in words; "" where none does."""


def readings(mention: Mention, ranked: Sequence[RankedQuery], namesakes: Sequence[Entity] = ()) -> list[Reading]:
    """Those between which only the user can choose, the likeliest first; fewer than two where nothing is to be asked.

    `ranked` are the queries of the question, best first; `namesakes` further entities of the mention's name, which the
    ranker did not see: they stand beside those of their label.
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
