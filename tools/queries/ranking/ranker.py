"""From a question and its linked entities to a ranked list of queries, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from clew.tools.embedding import Embedder
from clew.tools.graph.entity import Mention
from clew.tools.linking.mentions import Linking
from clew.tools.queries.lexical import Span, overlaps
from clew.tools.queries.ranking.chains import Chains
from clew.tools.queries.ranking.constrained_queries import ConstrainedQueries
from clew.tools.queries.ranking.constraints import Constraints, find_constraints
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.ranking.intersections import Intersections
from clew.tools.queries.ranking.path_scores import PathScorer
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.ranking.temporal_queries import TemporalQueries
from clew.tools.queries.ranking.time_expressions import TimeExpressions
from clew.tools.queries.ranking.weights import WEIGHTS, Weights
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.space import QuerySpace

MENTIONS = 4
"""Mentions used at most; the best linked ones."""


class QueryRanker(Protocol):
    """Orders the valid queries of a question."""

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]: ...


class Ranker:
    """Ranks the queries of one graph; thread-safe. `cache` is a folder for the schema's phrase vectors."""

    def __init__(
        self,
        space: QuerySpace,
        embedder: Embedder,
        glosses: Glosses | None = None,
        *,
        cache: Path | None = None,
        weights: Weights = WEIGHTS,
    ) -> None:
        self._weights = weights
        self._phrases = SchemaPhrases(space.moves, glosses or Glosses(), embedder, cache)
        scorer = PathScorer(space.moves, self._phrases, weights)
        self._chains = Chains(space, scorer, weights)
        self._intersections = Intersections(space, self._chains, self._phrases, weights)
        self._constrained = ConstrainedQueries(space, self._phrases, weights)
        self._temporal = TemporalQueries(space, scorer, weights)

    @property
    def phrases(self) -> SchemaPhrases:
        """What people say for everything in the schema, embedded."""
        return self._phrases

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        """The queries that explain the question best, best first; each has at least one match in the graph.

        Raises what GraphStore.read raises.
        """
        used = sorted(linking.mentions, key=lambda m: -m.candidates[0].score if m.candidates else 0.0)[:MENTIONS]
        used = [mention for mention in used if mention.candidates]
        sure = [(m.start, m.end) for m in used if m.candidates[0].score >= self._weights.sure_link]
        constraints = find_constraints(question, sure)
        times = self._temporal.read(question, used, sure)
        named = _outside(used, constraints.spans)
        ranked = self._matched(question, linking, named, constraints.spans, limit)
        found = self._constrain(question, ranked, constraints, named, over_labels=not sure)
        if times is not None:
            found += self._in_time(question, linking, used, constraints, times, ranked, limit)
        return _best_of_each(found)[:limit]

    def _matched(
        self, question: str, linking: Linking, mentions: Sequence[Mention], masked: Sequence[Span], limit: int
    ) -> list[RankedQuery]:
        """Queries of one chain, and of chains that meet."""
        optional = self._intersections.optional(linking, mentions, masked)
        ranked = self._chains.queries(question, mentions, masked, limit)
        best = max((r.score for r in ranked), default=-10.0)
        return ranked + self._intersections.queries(question, mentions, optional, masked, best)

    def _constrain(
        self,
        question: str,
        ranked: Sequence[RankedQuery],
        constraints: Constraints,
        mentions: Sequence[Mention],
        *,
        over_labels: bool,
    ) -> list[RankedQuery]:
        """The queries with what is counted, ranked or compared."""
        if not (constraints.superlative or constraints.numbers or constraints.count):
            return list(ranked)
        every = self._constrained.over_labels(question, constraints.spans, len(mentions)) if over_labels else []
        return self._constrained.queries([*ranked, *every], constraints)

    def _in_time(
        self,
        question: str,
        linking: Linking,
        used: Sequence[Mention],
        constraints: Constraints,
        times: TimeExpressions,
        ranked: Sequence[RankedQuery],
        limit: int,
    ) -> list[RankedQuery]:
        """Queries with times on them, or for times."""
        masked = [*constraints.spans, *times.spans]
        mentions = _outside(used, masked)
        if set(masked) != set(constraints.spans):
            ranked = self._matched(question, linking, mentions, masked, limit)
        if not mentions:
            ranked = [*ranked, *self._constrained.over_labels(question, masked, 0)]
        timed = self._temporal.queries(question, ranked, times, used)
        left = constraints.without(times.spans)
        timed = self._constrain(question, timed, left, mentions, over_labels=False)
        return timed + self._temporal.period_queries(question, mentions, times, masked)


def _outside(mentions: Sequence[Mention], spans: Sequence[Span]) -> list[Mention]:
    return [m for m in mentions if not overlaps(m.start, m.end, spans)]


def _best_of_each(ranked: Sequence[RankedQuery]) -> list[RankedQuery]:
    """Best first, every query once."""
    ordered = sorted(ranked, key=lambda r: (-r.score, r.query.length, r.query.key()))
    return list({r.query.key(): r for r in reversed(ordered)}.values())[::-1]
