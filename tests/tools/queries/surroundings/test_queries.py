"""The queries for neighbours, for what nodes share, and for the nodes with most relationships, in each database.

They are compared with the facts themselves.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.reading.forms.rendered import Rendered
from clew.tools.queries.surroundings.queries import hub_query, neighbours_query, shared_query
from tests.tools.queries.railway import entities, facts, store_railway

ENTITIES = entities()
STEPS = [(a.name, relation, True, b.name) for a, relation, b in facts()]
STEPS += [(b, relation, False, a) for a, relation, _, b in STEPS]
"""Every relationship from both of its ends."""


@pytest.fixture(scope="module")
def railway(any_database: BoltDatabase) -> Iterator[GraphStore]:
    graph = any_database.open(f"surroundings-{uuid.uuid4().hex[:12]}", create=True)
    store_railway(graph)
    yield graph
    any_database.drop(graph.name)


def names(graph: GraphStore, query: Rendered) -> set[str]:
    return {row["name"] for row in graph.read(query.cypher, query.parameters).records}


def of_labels(found: set[str], labels: tuple[str, ...]) -> set[str]:
    return {name for name in found if not labels or ENTITIES[name].label in labels}


def around(name: str) -> set[tuple[str, bool, str]]:
    return {(relation, forward, other) for one, relation, forward, other in STEPS if one == name}


@pytest.mark.parametrize("labels", [(), ("Person",), ("Station", "Town")])
def test_neighbours_are_those_of_the_facts(railway: GraphStore, labels: tuple[str, ...]) -> None:
    for name, entity in ENTITIES.items():
        expected = of_labels({other for _, _, other in around(name)}, labels)
        assert names(railway, neighbours_query(railway.terms, entity, labels)) == expected, name


@pytest.mark.parametrize("labels", [(), ("Station",)])
@pytest.mark.parametrize("several", [2, 3])
def test_what_nodes_share_is_related_to_each_in_the_same_way(
    railway: GraphStore, labels: tuple[str, ...], several: int
) -> None:
    asked = [each for kind in ("Line", "Person") for each in combinations(_of(kind), several)]
    shared = 0
    for group in asked:
        same = set.intersection(*map(around, group))
        expected = of_labels({other for _, _, other in same}, labels)
        query = shared_query(railway.terms, [ENTITIES[name] for name in group], labels)
        assert names(railway, query) == expected, group
        shared += bool(expected)
    assert shared > 0 or several == 3


@pytest.mark.parametrize("labels", [(), ("Station",), ("Person", "Town")])
def test_hubs_come_first_with_the_number_of_their_relationships(railway: GraphStore, labels: tuple[str, ...]) -> None:
    counts = Counter(one for one, *_ in STEPS if not labels or ENTITIES[one].label in labels)
    query = hub_query(railway.terms, labels, 2)
    rows = railway.read(query.cypher, query.parameters).records
    assert [row["value"] for row in rows] == sorted(counts.values(), reverse=True)[: len(rows)]
    assert {row["name"]: row["value"] for row in rows}.items() <= counts.items()


def _of(label: str) -> list[str]:
    return [name for name, entity in ENTITIES.items() if entity.label == label]
