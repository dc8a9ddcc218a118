"""Nodes with very many relationships: what a question may do around them.

A listing that is sorted by name makes the database load every node. With hundreds of thousands of them, that takes
longer than a query may, and all of the database's memory. So only the nodes that the database finds first are sorted,
some more than are shown, and the result says that there are more. Strategies whose queries follow every relationship of
a linked node, and test many ways from it, do not run for hubs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from clew.graphs.context import Context
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.reading.forms.form import Form, Nodes
from clew.tools.queries.reading.forms.rendered import Rendered
from clew.tools.queries.space.query import Chain, Hop, Query

HUB = 100_000
"""Relationships from which on a node is a hub."""
UNCOUNTED = 400_000
"""Relationships of a node from which on its neighbours are counted by them, which would count one twice that is related
twice in the same way. The embedded database distinguishes at most 524,288 in a query."""
SORTED = 10_000
"""Nodes of a listing that are sorted by name."""
_INNER = re.compile(r"\nWITH DISTINCT \w+(?=\nMATCH )")
"""The end of an inner set, which the query goes on from."""
_GATHERS = re.compile(r"\b(?:collect|count|sum|avg|min|max)\(|\bORDER BY\b", re.IGNORECASE)


def bounded(query: Rendered, form: Form, context: Context) -> Rendered:
    """The query of a form so that it ends even among the neighbours of a hub. Its rows are the same unless it lists
    more than SORTED nodes."""
    head, _, returned = query.cypher.rpartition("\nRETURN ")
    if not _GATHERS.search(head) and any(is_hub(each, context) for each in form.entities):
        head = _INNER.sub("", head)  # Else all neighbours are held in memory before the first of them is followed.
        query = replace(query, cypher=f"{head}\nRETURN {returned}")
    most = max(SORTED, context.budget.max_rows + 1)
    if context.tools.schema.labels.get(form.nodes.label, most + 1) <= most:
        return query
    if form.asks == "nodes" and form.nodes.order is None and form.limit is None:
        return replace(query, cypher=f"{head}\nWITH * LIMIT {most}\nRETURN {returned}")
    if form.asks == "number" and form.value is None:
        clauses, _, last = head.rpartition("\n")
        if last.startswith("WITH DISTINCT ") and clauses:  # The count is of distinct nodes anyway.
            if _is_around_one(form.nodes) and context.tools.index.degree(form.entities[0].id) >= UNCOUNTED:
                returned = returned.replace("count(DISTINCT ", "count(", 1)
            return replace(query, cypher=f"{clauses}\nRETURN {returned}")
    return query


def _is_around_one(nodes: Nodes) -> bool:
    """Whether nodes are the neighbours of one entity by one relation, and each is matched once for a relationship."""
    if nodes.entities or len(nodes.links) != 1:
        return False
    (link,) = nodes.links
    plain = not (link.negated or link.count or link.deep or link.other.links) and len(link.path) == 1
    return plain and len(link.other.entities) == 1


def is_hub(entity: Entity, context: Context) -> bool:
    """Whether an entity has `HUB` relationships or more."""
    index = context.tools.index
    return index is not None and index.degree(entity.id) >= HUB


def has_hub(mentions: Iterable[Mention], context: Context) -> bool:
    """Whether the most likely entity of a mention is a hub."""
    return any(is_hub(each.entity, context) for mention in mentions for each in mention.candidates[:1])


def evidence_of_hub(
    hub: Entity, hops: tuple[Hop, ...], ids: Sequence[str], limit: int, context: Context
) -> list[Triplet]:
    """The triplets on the paths from a hub to these nodes, which are followed from the nodes."""
    if not ids or not hops[-1].typed:
        return []
    found = context.tools.space.evidence(Query((Chain(hub.label, hops),)), ids, limit)
    kept: dict[Triplet, None] = {}
    ends = {hub.id}
    for hop in hops:
        along = [each for each in found if each.relation == hop.relation and _starts(each, hop) in ends]
        kept.update(dict.fromkeys(along))
        ends = set(_ends(along, hop))
    return list(kept)


def _starts(triplet: Triplet, hop: Hop) -> str:
    return triplet.head.id if hop.forward else triplet.tail.id


def _ends(triplets: Iterable[Triplet], hop: Hop) -> Iterable[str]:
    return (each.tail.id if hop.forward else each.head.id for each in triplets)
