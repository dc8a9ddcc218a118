"""Example questions that a graph can answer, made from its most frequent relations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import QueryFailed
from clew.tools.graph.identifiers import shown
from clew.tools.graph.schema import Relation, Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits
from clew.tools.queries.space.query import Hop
from clew.tools.queries.space.words import hop_words

MOST = 5
_TRIED = 15
"""At most so many relations."""
_SEARCHED = 5_000
"""Relationships of one type that are searched for a good name."""
_ANSWERS = (2, 10)
"""The fewest and the most answers of a good example."""
_LIMITS = Limits(timeout_s=2.0, max_rows=1)


def example_questions(store: GraphStore, schema: Schema, most: int = MOST) -> list[str]:
    """At most `most`, each about another relation; none where the graph has no relations between nodes with names."""
    found: list[str] = []
    for place, relation in enumerate(islice(_kinds(schema), _TRIED)):
        if len(found) == most:
            break
        if question := _question(store, relation, forward=place % 2 == 0):
            found.append(question)
    return found


def _kinds(schema: Schema) -> Iterator[Relation]:
    """The most frequent pair of ends of each relationship type, the most frequent type first."""
    seen: set[str] = set()
    for relation in sorted(schema.relations, key=lambda each: (-each.count, each.type)):
        if relation.type not in seen:
            seen.add(relation.type)
            yield relation


def _question(store: GraphStore, relation: Relation, *, forward: bool) -> str | None:
    start, target = (relation.source, relation.target) if forward else (relation.target, relation.source)
    hop = Hop(relation.type, forward, target)
    start_name, end_name = store.terms.name("start"), store.terms.name("end")
    few, many = _ANSWERS
    cypher = (
        f"MATCH (start:{quoted(start)}){hop.pattern('end')} WHERE {end_name} IS NOT NULL "
        f"WITH start, end LIMIT {_SEARCHED} WITH {start_name} AS name, count(DISTINCT end) AS answers "
        f"WHERE name IS NOT NULL AND answers >= {few} AND answers <= {many} "
        "RETURN name ORDER BY answers DESC, name LIMIT 1"
    )
    try:
        rows = store.read(cypher, limits=_LIMITS).records
    except QueryFailed:
        return None
    if not rows:
        return None
    words = hop_words(hop, shown(str(rows[0]["name"])), plural=True)
    return f"{'Who' if words.startswith('people ') else 'What'} are the {words}?"
