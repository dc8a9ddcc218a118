"""The nodes that several queries find, united: each with the queries that found it and a score.

Source: GraphRAFT sections 4.3 and 5.2 (queries run, the likeliest first, until there are enough nodes).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import AnswerRow
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.queries.space.query import Query

if TYPE_CHECKING:
    from clew.tools.queries.space.space import QuerySpace

NODES = 20
"""Number of nodes at which no further query is run (GraphRAFT 5.2)."""
MOST_QUERIES = 20
"""Most queries that run for one union."""
_LATER = 0.5
"""Weight of a query without a probability, for every query before it: no later one outweighs it."""


@dataclass(slots=True)
class FoundNode:
    """A node, and the queries that found it."""

    id: str
    name: str
    label: str
    queries: list[int]
    """Numbers of the queries that found it, best first."""
    score: float = 0.0
    """The sum of these queries' weights."""
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Union:
    """Queries and their nodes. The rows of the first query are all kept, those of others fill up to `most` nodes."""

    most: int = NODES
    queries: list[Query] = field(default_factory=list)
    """The queries that ran without error, in their order."""
    weights: list[float] = field(default_factory=list)
    """How much each query counts for the score of a node."""
    failed: int = 0
    """Number of queries that the database refused."""
    _nodes: dict[str, FoundNode] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether no further query is needed."""
        return len(self._nodes) >= self.most

    @property
    def nodes(self) -> list[FoundNode]:
        """The nodes by their scores; of equal ones, the one that was found first comes first."""
        return sorted(self._nodes.values(), key=lambda node: -node.score)

    def add(self, query: Query, rows: Iterable[tuple[str | None, str, str]], weight: float) -> None:
        """Add a query that ran, and its nodes as (id, name, label); values, which have no id, are left out."""
        first, number = not self._nodes, len(self.queries)
        self.queries.append(query)
        self.weights.append(weight)
        for id, name, label in rows:
            if id is None or (id not in self._nodes and not first and self.full):
                continue
            node = self._nodes.setdefault(id, FoundNode(id, name, label, []))
            if number not in node.queries:
                node.queries.append(number)
                node.score += weight


def weights_of(probabilities: Sequence[float | None], count: int) -> list[float]:
    """The weights of the first `count` queries of an order: their probabilities, as far as a model gave them."""
    given = [*probabilities[:count], *[None] * (count - len(probabilities))]
    return [_LATER**rank if each is None else each for rank, each in enumerate(given)]


def found_by(
    space: QuerySpace,
    queries: Sequence[Query],
    limits: Limits | None = None,
    most: int = NODES,
    probabilities: Sequence[float | None] = (),
) -> Union:
    """Run queries, best first, until there are `most` nodes."""
    union, weights = Union(most), weights_of(probabilities, len(queries))
    for query, weight in zip(queries, weights, strict=True):
        if union.full:
            break
        try:
            rows: Sequence[AnswerRow] = space.execute(query, limits).rows
        except QueryFailed:
            union.failed += 1
            continue
        union.add(query, ((row.id, row.name, row.label) for row in rows), weight)
    return union


def with_details(union: Union, store: GraphStore, limits: Limits | None = None) -> Union:
    """The union with its nodes' properties, fetched label by label. Raises what GraphStore.read raises."""
    terms = store.terms
    labels: dict[str, dict[str, FoundNode]] = {}
    for node in union.nodes:
        labels.setdefault(node.label, {})[node.id] = node
    for label, by_id in labels.items():
        cypher = f"{terms.by_ids('n', label, 'ids')} RETURN {terms.id('n')} AS id, properties(n) AS properties"
        rows = store.read(cypher, {**terms.parameters, "ids": list(by_id)}, limits)
        for row in rows.records:
            if str(row["id"]) in by_id:
                by_id[str(row["id"])].details = dict(row["properties"] or {})
    return union
