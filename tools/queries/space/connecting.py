"""Queries that connect linked entities: a path from each of two or three, all of which meet in one node.

Source: GraphRAFT appendix B.2, the third template (two relations between two entities); longer paths and three entities
are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.graph_store import Limits
from clew.tools.queries.space.query import ANSWER, Chain, Hop, Query, anchor_clause
from clew.tools.queries.space.space import QuerySpace

LIMITS = Limits(timeout_s=5.0, max_rows=500)
_LENGTHS = ((1, 1), (1, 2), (2, 1), (1, 1, 1))
"""The hops from each entity, in the order in which they are looked for."""
MOST_ENTITIES = 4


@dataclass(frozen=True, slots=True)
class Connection:
    """A query that connects entities, with the numbers of its correct and of all nodes."""

    query: Query
    hits: int
    total: int
    """Nodes other than the entities; an upper bound where a path of two relations has an open label on its way."""


def connections(space: QuerySpace, entities: Sequence[Entity], answers: Sequence[str] = ()) -> Iterator[Connection]:
    """All queries that connect two or three of the first entities, enumerated and counted inside the database.

    Where the database cannot do so in time, those of these entities are left out.

    Args:
        space: The queries of the graph.
        entities: Linked entities, best first; two of one name are not connected.
        answers: The ids of correct nodes.
    """
    for lengths in _LENGTHS:
        for group in combinations(entities[:MOST_ENTITIES], len(lengths)):
            if len({entity.name for entity in group}) == len(group):
                try:
                    yield from _connecting(space, group, lengths, answers)
                except QueryFailed:
                    continue


def _connecting(
    space: QuerySpace, entities: Sequence[Entity], lengths: Sequence[int], answers: Sequence[str]
) -> Iterator[Connection]:
    terms = space.store.terms
    starts, patterns, keys, nodes = [], [], [], []
    for i, (entity, length) in enumerate(zip(entities, lengths, strict=True)):
        starts.append(anchor_clause(f"a{i}", entity, f"p{i}", terms))
        pattern, before = f"(a{i})", f"a{i}"
        for k in range(length):
            after = ANSWER if k == length - 1 else f"n{i}_{k}"
            pattern += f"-[r{i}_{k}]-({after})"
            forward = f"{terms.id(f'startNode(r{i}_{k})')} = {terms.id(before)}"
            keys += [f"type(r{i}_{k}) AS t{i}_{k}", f"{forward} AS f{i}_{k}"]
            keys += [f"{terms.label(after)} AS l{i}_{k}"] if after != ANSWER else []
            nodes += [after] if after != ANSWER else []
            before = after
        patterns.append(f"MATCH {pattern}")  # one a chain, as the query itself will be run
    others = [f"{ANSWER} <> a{i}" for i in range(len(entities))]
    own = " AND ".join([*(terms.own(node) for node in [*nodes, ANSWER]), *others])
    names = [key.rpartition(" AS ")[2] for key in keys]
    cypher = (
        "\n".join([*starts, *patterns])
        + f"\nWHERE {own}\nWITH DISTINCT {', '.join(keys)}, {terms.label(ANSWER)} AS label, {ANSWER} AS node\n"
        f"RETURN {', '.join(names)}, label, count(node) AS total, "
        f"sum(CASE WHEN {terms.id('node')} IN $answers THEN 1 ELSE 0 END) AS hits\nORDER BY total, {', '.join(names)}"
    )
    parameters = {f"p{i}": entity.id for i, entity in enumerate(entities)}
    rows = space.store.read(cypher, {**parameters, **terms.parameters, "answers": list(answers)}, LIMITS)
    found: dict[str, Connection] = {}
    for row in rows.records:
        chains = []
        for i, (entity, length) in enumerate(zip(entities, lengths, strict=True)):
            ends = [row[f"l{i}_{k}"] for k in range(length - 1)] + [row["label"]]
            hops = [Hop(row[f"t{i}_{k}"], bool(row[f"f{i}_{k}"]), end, typed=True) for k, end in enumerate(ends)]
            chains.append(Chain(entity, tuple(map(space.moves.named_as_needed, hops))))
        query = Query(tuple(chains))
        # Rows of several labels are one query where the relations leave the label open.
        known = found.get(query.key(), Connection(query, 0, 0))
        found[query.key()] = Connection(query, known.hits + int(row["hits"] or 0), known.total + int(row["total"]))
    yield from found.values()
