"""Finds the queries that would have answered a question, from its answers alone (GraphRAFT section 4.1).

Candidates are first the queries that answer questions, counted in the database. If none of them fits, every path of one
or two hops around the linked entities, and every path that connects them, is tried by the paper's aggregate queries
(Figure 1 and appendix B.2), which find relations with unknown words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.graph_store import Limits
from clew.tools.learning.teaching.options import OFFERED, options_of
from clew.tools.learning.teaching.training_examples import FLOOR, Rated, Status, TrainingExample, f1
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.mentions import Linking, find_mentions
from clew.tools.queries.ranking.ranker import QueryRanker
from clew.tools.queries.space import render
from clew.tools.queries.space.connecting import connections
from clew.tools.queries.space.query import ANSWER, Chain, Query
from clew.tools.queries.space.space import QuerySpace
from clew.tools.queries.space.words import words

TRIED = OFFERED
"""Number of the untaught ranker's queries that are rated."""
GOOD = 0.8
"""F1 from which on the paths around the entities are not searched."""
AROUND = 6
"""Number of paths around the entities that are rated."""
ENTITIES = 4
LIMITS = Limits(timeout_s=10.0)


@dataclass(frozen=True, slots=True)
class Pair:
    """A question with the names of all its answers."""

    question: str
    answers: tuple[str, ...]


class Synthesis:
    """Makes examples for one graph; thread-safe."""

    def __init__(self, space: QuerySpace, index: EntityIndex, ranker: QueryRanker) -> None:
        """`ranker` is the untaught one."""
        self._space = space
        self._index = index
        self._ranker = ranker

    def examples(self, pairs: Iterable[Pair], threads: int) -> Iterator[TrainingExample]:
        """Yield examples as they are finished, by `threads` threads; stopping early loses only those in progress."""
        waiting: set[Future[TrainingExample]] = set()
        pool = ThreadPoolExecutor(threads)
        try:
            for pair in pairs:
                waiting.add(pool.submit(self.example, pair))
                if len(waiting) >= 2 * threads:
                    finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in finished)
            while waiting:
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in finished)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def example(self, pair: Pair) -> TrainingExample:
        """The example of one pair. Raises what GraphStore.read raises if the database is unavailable."""
        linking = find_mentions(pair.question, self._index)
        ids = {entity.id for answer in pair.answers for entity in self._index.by_name(answer)}
        ranked = self._ranker.rank(pair.question, linking, TRIED)
        counts = {item.query.key(): self._count(item.query, pair.answers, ids) for item in ranked}
        ranked = [item for item in ranked if counts[item.query.key()] is not None]
        answer_count = len({folded(answer) for answer in pair.answers})
        best = max((f1(*count, answer_count) for count in counts.values() if count), default=0.0)
        proposed: list[Query] = []
        if best < GOOD and ids:
            for query in self._around(linking, ids, answer_count):
                if query.key() not in counts:
                    counts[query.key()] = self._count(query, pair.answers, ids)
                    proposed += [query] if counts[query.key()] else []
        queries = [*(item.query for item in ranked), *proposed]
        options = options_of(pair.question, linking, ranked, proposed)
        rated = []
        for query, option in zip(queries, options, strict=True):
            hits, total = counts[query.key()] or (0, 0)
            text = render.cypher(query, self._space.store.terms).cypher
            rated.append(Rated(option, hits, total, f1(hits, total, answer_count), words(query), text))
        return TrainingExample(pair.question, pair.answers, _status(linking, ids, rated), tuple(rated))

    def _count(self, query: Query, answers: Sequence[str], ids: set[str]) -> tuple[int, int] | None:
        """Numbers of correct and of all answers of a query; None after a timeout."""
        try:
            if query.returns == "nodes" and query.order is None and query.time_order is None:
                return self._counted_inside(query, ids)
            found = {folded(row.name) for row in self._space.execute(query, LIMITS).rows}
        except QueryFailed:
            return None
        return len(found & {folded(answer) for answer in answers}), len(found)

    def _counted_inside(self, query: Query, ids: set[str]) -> tuple[int, int]:
        """Count by an aggregate query, so that no answers are transferred; the entities of the question are not
        counted."""
        terms = self._space.store.terms
        matched = render.match_clauses(query, terms, also=render.needed(query))
        asked = [anchor.id for anchor in query.anchors]
        id = terms.id(ANSWER)
        cypher = (
            f"{matched.cypher}\nWITH DISTINCT {ANSWER}\n"
            f"RETURN sum(CASE WHEN {id} IN $asked THEN 0 ELSE 1 END) AS total, "
            f"sum(CASE WHEN {id} IN $right AND NOT {id} IN $asked THEN 1 ELSE 0 END) AS hits"
        )
        parameters = {**matched.parameters, "asked": asked, "right": sorted(ids)}
        row = self._space.store.read(cypher, parameters, LIMITS).records[0]
        return int(row["hits"] or 0), int(row["total"] or 0)

    def _around(self, linking: Linking, ids: set[str], answer_count: int) -> list[Query]:
        """The best paths of one or two hops around the linked entities, and of those that connect them."""
        found: dict[str, tuple[float, int, Query]] = {}
        for entity in _entities(linking):
            for hops in (1, 2):
                try:
                    rows = self._space.totals(entity, sorted(ids), hops)
                except QueryFailed:
                    continue
                for path, hits, total in rows:
                    if hits:
                        query = Query((Chain(entity, tuple(map(self._space.moves.named_as_needed, path))),))
                        _keep_better(found, query, f1(hits, total, answer_count))
        for each in connections(self._space, _entities(linking), sorted(ids)):
            if each.hits:
                _keep_better(found, each.query, f1(each.hits, each.total, answer_count))
        ordered = sorted(found.values(), key=lambda item: (-item[0], -item[1], item[2].key()))
        return [query for _, _, query in ordered[:AROUND]]


def _keep_better(found: dict[str, tuple[float, int, Query]], query: Query, quality: float) -> None:
    value = (quality, -query.length, query)
    if query.key() not in found or found[query.key()][:2] < value[:2]:
        found[query.key()] = value


def folded(name: str) -> str:
    """The form in which names of answers are compared."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _entities(linking: Linking) -> list[Entity]:
    every = [c for mention in linking.mentions for c in mention.candidates]
    return list(dict.fromkeys(c.entity for c in sorted(every, key=lambda c: -c.score)))[:ENTITIES]


def _status(linking: Linking, ids: set[str], rated: Sequence[Rated]) -> Status:
    best = max((r.f1 for r in rated), default=0.0)
    if best >= FLOOR:
        return "found"
    if not ids and best == 0:
        return "not in the graph"
    if not linking.mentions and not rated:
        return "not linked"
    return "poor" if rated else "no query"
