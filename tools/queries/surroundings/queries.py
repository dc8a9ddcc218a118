"""The Cypher of what surrounds nodes: their neighbours, what several share, and the nodes with most relationships.

Relationships of every type count, in both directions. A column `relations` gives the types that lead to a node.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.queries.reading.forms.rendered import Rendered

MOST_FOLLOWED = 10_000
"""Relationships of a node that are followed to its neighbours: a hub has too many to sort."""
_TIES = 20
"""Further nodes that are read, since they may have as many relationships as the last one asked for."""


def neighbours_query(terms: NodeTerms, entity: Entity, labels: Sequence[str]) -> Rendered:
    """The nodes of some labels, or of any, that a node has relationships with."""
    cypher = (
        f"{terms.by_id('a', entity.label, 'a')}\n"
        f"MATCH (a)-[r]-(n) WHERE {_is_of('n', labels, terms)}\n"
        f"WITH r, n LIMIT {MOST_FOLLOWED}\n"
        f"RETURN {_node(terms)}, collect(DISTINCT type(r)) AS relations ORDER BY name"
    )
    return _rendered(cypher, {"a": entity.id}, labels, terms)


def shared_query(terms: NodeTerms, entities: Sequence[Entity], labels: Sequence[str]) -> Rendered:
    """The nodes of some labels, or of any, that all of some nodes lead to by one type of relationship, or that lead to
    all of them by one type."""
    bound = "\n".join(terms.by_id(f"a{i}", each.label, f"a{i}") for i, each in enumerate(entities))
    parts = []
    for before, after in (("-", "->"), ("<-", "-")):
        steps = "\n".join(f"MATCH (a{i}){before}[r{i}]{after}(n)" for i in range(len(entities)))
        alike = "".join(f" AND type(r{i}) = type(r0)" for i in range(1, len(entities)))
        parts.append(
            f"{bound}\n{steps}\nWHERE {_is_of('n', labels, terms)}{alike}\n"
            f"RETURN DISTINCT {_node(terms)}, [type(r0)] AS relations"
        )
    return _rendered("\nUNION\n".join(parts), {f"a{i}": each.id for i, each in enumerate(entities)}, labels, terms)


def hub_query(terms: NodeTerms, labels: Sequence[str], number: int) -> Rendered:
    """The nodes of some labels, or of any, with most relationships, and some more, since several may have as many."""
    start = terms.node("n", labels[0]) if len(labels) == 1 else terms.node("n")
    cypher = (
        f"MATCH {start}-[r]-(other) WHERE {_is_of('n', labels, terms)} AND {terms.own('other')}\n"
        f"WITH n, count(r) AS value\n"
        f"RETURN {_node(terms)}, value ORDER BY value DESC, name LIMIT {int(number) + _TIES}"
    )
    return _rendered(cypher, {}, labels, terms)


def _node(terms: NodeTerms) -> str:
    return f"{terms.id('n')} AS id, {terms.name('n')} AS name, {terms.label('n')} AS label"


def _is_of(variable: str, labels: Sequence[str], terms: NodeTerms) -> str:
    return f"{terms.own(variable)} AND {terms.label(variable)} IN $labels" if labels else terms.own(variable)


def _rendered(cypher: str, parameters: dict[str, object], labels: Sequence[str], terms: NodeTerms) -> Rendered:
    return Rendered(cypher, {**parameters, **({"labels": list(labels)} if labels else {}), **terms.parameters}, ())
