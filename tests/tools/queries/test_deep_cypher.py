"""What a relation reaches, taken any number of times, in each database; compared with a search from node to node."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator

import pytest

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.store.bolt import BoltDatabase
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.queries.reading.forms.form import DEEPEST, Form, Link, Nodes, Step
from clew.tools.queries.reading.forms.form_cypher import render

PEOPLE = [f"p{i}" for i in range(70)]
_DRAWN = random.Random(4)
FOLLOWS = sorted({(a, b) for a in PEOPLE[:60] for b in _DRAWN.sample(PEOPLE[:60], 4) if a != b})
"""60 people who follow four others each: a pattern of a variable length would find millions of ways."""
CHAIN = [(f"p{i}", f"p{i + 1}") for i in range(60, 69)]


@pytest.fixture(scope="module")
def followers(any_database: BoltDatabase) -> Iterator[GraphStore]:
    graph = any_database.open(f"followers-{uuid.uuid4().hex[:12]}", create=True)
    scope = f":{quoted(graph.scope)}" if graph.scope else ""
    graph.ensure_index("User", "nodeId")
    graph.write(
        f"UNWIND $rows AS row CREATE (n:User{scope}) SET n = row",
        {"rows": [{"nodeId": each, "name": each} for each in PEOPLE]},
    )
    for one, other in FOLLOWS + CHAIN:
        graph.write(
            f"MATCH (a:User{scope} {{nodeId: $a}}), (b:User{scope} {{nodeId: $b}}) CREATE (a)-[:FOLLOWS]->(b)",
            {"a": one, "b": other},
        )
    yield graph
    any_database.drop(graph.name)


def reached(start: str, *, forward: bool, either: bool) -> set[str]:
    """By a search from node to node, at most `DEEPEST` steps."""
    ways = [pair if forward else pair[::-1] for pair in FOLLOWS + CHAIN]
    ways += [pair[::-1] for pair in ways] if either else []
    found: set[str] = set()
    edge = {start}
    for _ in range(DEEPEST):
        edge = {b for a, b in ways if a in edge} - found
        found |= edge
    return found


@pytest.mark.parametrize("start", ["p0", "p61", "p69"])
@pytest.mark.parametrize(("forward", "either"), [(True, False), (False, False), (True, True)])
@pytest.mark.parametrize("inside", [False, True])
def test_all_that_is_reached_is_found(
    followers: GraphStore, start: str, forward: bool, either: bool, inside: bool
) -> None:
    own = Nodes("User", (Entity(start, start, "User"),))
    deep = Nodes("User", links=(Link((Step("FOLLOWS", not forward, "User", either),), own, deep=True),))
    nodes = Nodes("User", either=(own, deep)) if inside else deep
    query = render(Form("nodes", nodes), followers.terms, {})

    began = time.monotonic()
    rows = followers.read(query.cypher, query.parameters).records

    assert {row["name"] for row in rows} == reached(start, forward=forward, either=either) | (
        {start} if inside else set()
    )
    assert time.monotonic() - began < 5
