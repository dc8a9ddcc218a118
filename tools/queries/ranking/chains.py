"""Chains of hops from one mention, put in order, and those that lead somewhere in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.lexical import Span
from clew.tools.queries.ranking.path_scores import PathScorer, ScoredPath
from clew.tools.queries.ranking.reading import read
from clew.tools.queries.ranking.weights import Weights
from clew.tools.queries.space.query import Chain, Hop, Query, RankedQuery
from clew.tools.queries.space.space import QuerySpace

CANDIDATES = 3
"""Entities tried for one mention."""
CHECKED = 12
"""Paths whose support is asked of the database in one query."""
ENOUGH = 6
"""Queries of one chain after which no further paths are checked."""


@dataclass(frozen=True, slots=True)
class ScoredChain:
    """A chain from a candidate of one mention, before it is known to have answers."""

    candidate: Candidate
    path: ScoredPath
    walk: bool = False
    """True where only a walk leads anywhere: the path takes one relationship twice (see Query.walk)."""

    @property
    def entity(self) -> Entity:
        return self.candidate.entity


class Chains:
    """Finds and scores the chains of one graph."""

    def __init__(self, space: QuerySpace, scorer: PathScorer, weights: Weights) -> None:
        self._space = space
        self._scorer = scorer
        self._weights = weights

    def queries(
        self, question: str, mentions: Sequence[Mention], masked: Sequence[Span], limit: int
    ) -> list[RankedQuery]:
        """Queries of one chain, from each mention in turn, each with at least one match."""
        scored: list[ScoredChain] = []
        for mention in mentions:
            others = [(m.start, m.end) for m in mentions if m is not mention]
            scored += self.paths(question, mention, [*others, *masked], top=200)
        unused = len(mentions) - 1
        scored.sort(key=lambda s: -self.total(s, unused))
        found: list[RankedQuery] = []
        for start in range(0, len(scored), CHECKED):
            checked = [self._query(s, unused) for s in self.supported(scored[start : start + CHECKED])]
            found += [r for r in checked if self._known(r.query) or self._space.matches(r.query)]
            if len(found) >= min(limit, ENOUGH):
                break
        return found

    def paths(
        self, question: str, mention: Mention, masked: Sequence[Span], *, top: int, longest: int = 3
    ) -> list[ScoredChain]:
        """The best paths from the entities that a mention may stand for; `masked` spans are not theirs to explain."""
        reading = read(question, mention.start, mention.end, masked)
        best = mention.candidates[0].score
        found: list[ScoredChain] = []
        for candidate in mention.candidates[:CANDIDATES]:
            if candidate.score < best - self._weights.candidate_margin:
                continue
            first = self._space.first_steps(candidate.entity)
            paths = self._scorer.score(reading, candidate.entity.label, first, longest)
            found += [ScoredChain(candidate, path) for path in paths[:top]]
        return found

    def total(self, scored: ScoredChain, unused: int) -> float:
        """A chain's score in a query that leaves `unused` mentions out."""
        w = self._weights
        return scored.path.score + w.link_weight * (scored.candidate.score - 1) - w.unused_cost * unused

    def supported(self, scored: Sequence[ScoredChain]) -> list[ScoredChain]:
        """Those whose path leads somewhere in the graph; as a trail if it can, else as a walk."""
        by_entity: dict[Entity, list[ScoredChain]] = {}
        for s in scored:
            by_entity.setdefault(s.entity, []).append(s)
        walks: dict[int, bool] = {}
        for entity, group in by_entity.items():
            ways = self._space.supported(entity, [self.hops(s.path) for s in group])
            walks |= {id(s): way == "walk" for s, way in zip(group, ways, strict=True) if way is not None}
        return [replace(s, walk=True) if walks[id(s)] else s for s in scored if id(s) in walks]

    def hops(self, path: ScoredPath) -> tuple[Hop, ...]:
        """The hops among a path's steps; its last step may be a property."""
        hops = self._space.moves.hops
        return tuple(hops[step] for step in path.steps if step < len(hops))

    def _known(self, query: Query) -> bool:
        """Whether a supported chain surely has a match: the entity's own property is one of its first steps."""
        return query.returns != "property" or not query.length

    def _query(self, scored: ScoredChain, unused: int) -> RankedQuery:
        moves, path = self._space.moves, scored.path
        query = Query((Chain(scored.entity, self.hops(path)),), walk=scored.walk)
        if path.steps[-1] >= len(moves.hops):
            name = moves.properties[path.steps[-1] - len(moves.hops)].name
            query = replace(query, returns="property", property_name=name)
        return RankedQuery(query, self.total(scored, unused), _reasons(scored.path, scored.candidate, unused))


def _reasons(path: ScoredPath, candidate: Candidate, unused: int) -> dict[str, float | str]:
    return {
        "alignment": path.alignment,
        "answer kind": path.kind,
        "asked noun": path.asked,
        "link": candidate.score,
        "matched": candidate.matched,
        "unused mentions": float(unused),
    }
