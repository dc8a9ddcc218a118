"""The taught ranker: the untaught ranker's queries and further taught patterns, in the learned order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product

from clew.tools.embedding import Embedder
from clew.tools.errors import QueryFailed
from clew.tools.learning.teaching.options import options_of
from clew.tools.learning.teaching.pattern import Pattern
from clew.tools.learning.teaching.preference import PER_SCORE, Scorer
from clew.tools.linking.mentions import Linking
from clew.tools.queries.ranking.ranker import QueryRanker
from clew.tools.queries.space.query import Query, RankedQuery
from clew.tools.queries.space.space import QuerySpace

LOOKED_AT = 20
"""Minimum number of the untaught ranker's queries."""
CANDIDATES = 2
"""Maximum number of entities per mention from which taught patterns start."""
CHECKED = 6
"""Maximum number of taught patterns that are checked for matches in the database."""


class LearnedRanker:
    """Ranks queries by what was taught; thread-safe."""

    def __init__(
        self,
        untaught: QueryRanker,
        space: QuerySpace,
        embedder: Embedder,
        preference: Scorer,
        patterns: Sequence[Pattern],
    ) -> None:
        """`patterns`: those that were the best for some taught question."""
        self.untaught = untaught
        self._space = space
        self._embedder = embedder
        self._preference = preference
        self._patterns = [pattern for pattern in patterns if pattern.can_be_asked]

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]:
        """Best first; each query has at least one match in the graph. The first has the score of the untaught ranker's
        first, and the others are as far below it as was learned.

        Raises what GraphStore.read raises.
        """
        ranked = self.untaught.rank(question, linking, max(limit, LOOKED_AT))
        known = {item.query.key() for item in ranked}
        tried = [query for query in self._proposals(linking) if query.key() not in known]
        options = options_of(question, linking, ranked, tried)
        if not options:
            return ranked
        learned = self._preference.scores(options, self._embedder).tolist()
        level = ranked[0].score if ranked else 0.0
        offered = [
            (value, RankedQuery(item.query, item.score, {**item.reasons, "taught": value, "untaught": item.score}))
            for value, item in zip(learned, ranked, strict=False)
        ]
        least = max((value for value, _ in offered), default=-float("inf"))
        better = sorted(zip(learned[len(ranked) :], tried, strict=True), key=lambda pair: -pair[0])
        for value, query in better[:CHECKED]:
            if value > least and self._matches(query):
                offered.append((value, RankedQuery(query, 0.0, {"taught": value})))
        offered.sort(key=lambda pair: (-pair[0], pair[1].query.length, pair[1].query.key()))
        first = offered[0][0] if offered else 0.0
        return [replace(item, score=level + (value - first) / PER_SCORE) for value, item in offered][:limit]

    def _proposals(self, linking: Linking) -> Iterator[Query]:
        """Queries of taught patterns from the entities of the question."""
        entities = [[c.entity for c in mention.candidates[:CANDIDATES]] for mention in linking.mentions]
        for pattern in self._patterns:
            labels = tuple(strand.start for strand in pattern.strands)
            for group in permutations(entities, len(labels)):
                for chosen in product(*group):
                    if tuple(entity.label for entity in chosen) == labels:
                        yield pattern.query(chosen)

    def _matches(self, query: Query) -> bool:
        try:
            return self._space.matches(query)
        except QueryFailed:
            return False
