"""Graphs in a Neo4j that Clew did not import, asked as a user does who has nothing but the server's address."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from neo4j import Driver, GraphDatabase

import clew
from clew.app.api.exploring import Direction, find_nodes, neighbours, node_details, subgraph
from clew.app.api.graph import Graph
from clew.app.cli import run
from tests.conftest import NO_NEO4J

MARK = "ClewTestMovies"
"""A property of all nodes of this test, by which they are removed."""
MOVIES = """
CREATE (matrix:Movie {title: 'The Matrix', released: 1999, tagline: 'Free your mind', movieId: 1}),
  (speed:Movie {title: 'Speed', released: 1994, movieId: 2}),
  (heat:Movie {title: 'Heat', released: 1995, tagline: 'A Los Angeles crime saga', movieId: 3}),
  (atlas:Movie {title: 'Cloud Atlas', released: 2012, movieId: 4}),
  (keanu:Person:Actor {name: 'Keanu Reeves', born: 1964}), (sandra:Person:Actor {name: 'Sandra Bullock', born: 1964}),
  (al:Person:Actor {name: 'Al Pacino', born: 1940}), (mann:Person:Director {name: 'Michael Mann', born: 1943}),
  (lana:Person:Director {name: 'Lana Wachowski', born: 1965}), (jess:Person {name: 'Jessica Thompson'}),
  (hanks:Person:Actor:Director {name: 'Tom Hanks', born: 1956}),
  (keanu)-[:ACTED_IN {roles: ['Neo']}]->(matrix), (lana)-[:DIRECTED]->(matrix), (lana)-[:DIRECTED]->(atlas),
  (keanu)-[:ACTED_IN {roles: ['Jack Traven']}]->(speed), (sandra)-[:ACTED_IN {roles: ['Annie Porter']}]->(speed),
  (al)-[:ACTED_IN {roles: ['Vincent Hanna']}]->(heat), (mann)-[:DIRECTED]->(heat),
  (hanks)-[:ACTED_IN {roles: ['Zachry', 'Isaac Sachs']}]->(atlas),
  (jess)-[:REVIEWED {summary: 'Too long', rating: 65}]->(heat),
  (rex:Cinema {cinemaName: 'Grand Rex', location: point({latitude: 48.8706, longitude: 2.3475}), screens: 7,
               opened: date('1932-12-08'), accessible: false, facilities: ['bar']}),
  (odeon:Cinema {cinemaName: 'Odeon', location: point({latitude: 51.5106, longitude: -0.1291}), screens: 5,
                 opened: date('1937-11-02'), accessible: true, facilities: ['bar', 'IMAX']}),
  (late:Screening {startsAt: datetime('2024-05-02T21:00:00+02:00'), length: duration('PT2H50M'), soldOut: true}),
  (late)-[:AT]->(rex), (late)-[:SHOWS]->(heat),
  (chai:Product {productID: 1, productName: 'Chai', unitPrice: 18.0, categoryID: 7, discontinued: false}),
  (drinks:Category {categoryID: 7, categoryName: 'Beverages'}), (chai)-[:PART_OF]->(drinks),
  (order:Order {orderID: 10248, orderDate: localdatetime('1996-07-04T00:00:00')}),
  (order)-[:CONTAINS {quantity: 12}]->(chai),
  (anna:Clerk {firstName: 'Anna', lastName: 'Berg'}), (anna)-[:SOLD]->(order),
  (buyer:Customer:Company {customerID: 'ALFKI', companyName: 'Alfreds', contactName: 'Maria Anders'}),
  (maker:Supplier:Company {supplierID: 1, companyName: 'Exotic Liquids', contactName: 'Charlotte Cooper'}),
  (buyer)-[:PURCHASED]->(order), (maker)-[:SUPPLIES]->(chai)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Driver]:
    url = os.environ.get("NEO4J_URI")
    if not url:
        pytest.skip(NO_NEO4J)
    auth = (os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", ""))
    with GraphDatabase.driver(url, auth=auth) as driver:
        yield driver


@pytest.fixture(scope="module")
def movies(server: Driver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """The graph as one that was there before, beside one that Clew imports into the same database."""
    home = tmp_path_factory.mktemp("home")
    films = home / "films.tsv"
    films.write_text("Heat\tdirected_by\tNobody Else\nAlien\tdirected_by\tRidley Scott\n", encoding="utf-8")
    access = {"url": os.environ["NEO4J_URI"], "user": os.environ.get("NEO4J_USERNAME", "neo4j")}
    access["password"] = os.environ.get("NEO4J_PASSWORD", "")
    remove = f"MATCH (n) WHERE n.`{MARK}` DETACH DELETE n"
    constraint = "CREATE CONSTRAINT clew_test_customers {} FOR (c:Customer) REQUIRE c.customerID IS UNIQUE"
    server.execute_query(constraint.format("IF NOT EXISTS"))
    server.execute_query(remove)
    server.execute_query(MOVIES)
    server.execute_query(
        f"MATCH (n) WHERE none(label IN labels(n) WHERE label STARTS WITH 'Clew') SET n.`{MARK}` = true"
    )
    try:
        with clew.Client(home=home, **access) as client:
            client.keep_open(600)  # Other tests change the server meanwhile.
            client.graph("test-beside").import_files(films)
            yield client.graph("neo4j")
            client.drop("test-beside")
    finally:
        server.execute_query(remove)
        server.execute_query("DROP CONSTRAINT clew_test_customers IF EXISTS")


def answers(graph: Graph, question: str) -> list[str]:
    return sorted(answer.name for answer in graph.ask(question).answers)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who directed The Matrix?", ["Lana Wachowski"]),
        ("who directed Heat?", ["Michael Mann"]),  # and nobody of the graph beside it
        ("who acted in Speed?", ["Keanu Reeves", "Sandra Bullock"]),
        ("which actors were born in 1964?", ["Keanu Reeves", "Sandra Bullock"]),
        ("which directors also acted in a movie?", ["Tom Hanks"]),
        ("which movies were released before 1995?", ["Speed"]),
        ("what rating did Jessica Thompson give Heat?", ["65"]),
        ("when did the Grand Rex open?", ["1932-12-08"]),
        ("where is the Grand Rex?", ["latitude 48.8706, longitude 2.3475"]),
        ("which cinemas are accessible?", ["Odeon"]),
        ("which cinemas have IMAX?", ["Odeon"]),
        ("when is Heat shown?", ["2024-05-02T21:00:00+02:00"]),
        ("what category is Chai in?", ["Beverages"]),
        ("which products does order 10248 contain?", ["Chai"]),
        ("which orders did Anna Berg sell?", ["10248"]),
        ("which orders did ALFKI purchase?", ["10248"]),
        ("which company supplies Chai?", ["Exotic Liquids"]),
    ],
)
def test_questions_to_a_graph_that_was_there_before(movies: Graph, question: str, expected: list[str]) -> None:
    assert answers(movies, question) == expected


def test_each_node_is_found_once_under_the_label_that_counts(movies: Graph) -> None:
    found = {each.name: each.label for mention in movies.link("Tom Hanks at Alfreds") for each in mention.candidates}
    assert (found["Tom Hanks"], found["Alfreds"]) == ("Person", "Customer")
    assert "Alien" not in {node.name for mention in movies.link("Alien") for node in mention.candidates}


def test_its_schema_has_no_label_of_clews_own(movies: Graph) -> None:
    schema = movies.schema()
    assert {"Movie", "Person", "Actor", "Customer", "Company"} <= schema.labels.keys()
    assert not [label for label in schema.labels if label.startswith("Clew")]
    assert {p.name for p in schema.properties if p.label == "Product"} >= {"productID", "unitPrice"}
    assert "categoryID" not in {p.name for p in schema.properties if p.label == "Product"}


def test_statements_are_verified(movies: Graph) -> None:
    assert movies.verify("Michael Mann directed Heat.").verdict == "supported"
    assert movies.verify("Lana Wachowski directed Heat.").verdict == "refuted"


def test_its_nodes_are_explored_under_the_label_that_counts(movies: Graph) -> None:
    [keanu] = find_nodes(movies, "keanu")
    assert (keanu["name"], keanu["label"]) == ("Keanu Reeves", "Person")
    details = node_details(movies, keanu["id"], "Person")
    assert sorted(details["labels"]) == ["Actor", "Person"]
    assert details["relations"] == [{"relation": "ACTED_IN", "label": "Movie", "count": 2, "outgoing": True}]
    around = neighbours(movies, keanu["id"], "Person", Direction())
    assert sorted(node["name"] for node in around["nodes"]) == ["Speed", "The Matrix"]
    shown = subgraph(movies, [keanu["id"], *(node["id"] for node in around["nodes"])])
    assert len(shown["edges"]) == 2


def test_a_mapping_file_changes_what_names_nodes(
    movies: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CLEW_HOME", str(tmp_path))
    for name, variable in (("URL", "URI"), ("USER", "USERNAME"), ("PASSWORD", "PASSWORD")):
        monkeypatch.setenv(f"CLEW_DATABASE_{name}", os.environ.get(f"NEO4J_{variable}", "neo4j"))

    def said(*arguments: str, status: int = 0) -> str:
        assert run(list(arguments)) == status
        out, err = capsys.readouterr()
        return err if status else out

    shown = json.loads(said("schema", "--graph", "neo4j", "--json"))
    assert shown["named_by"]["Customer"] == {"name": ["companyName"], "aliases": ["customerID"]}
    assert shown["named_by"]["Clerk"]["name"] == ["firstName", "lastName"]
    mapping = Path(shown["mapping_file"])
    mapping.write_text('[Customer]\nname = "contactName"\naliases = ["companyName"]\n', encoding="utf-8")
    assert "Maria Anders" in said("ask", "who purchased order 10248?", "--graph", "neo4j")
    mapping.write_text('[Customer]\nname = "surname"\n', encoding="utf-8")
    assert "Customer.surname" in said("ask", "who purchased order 10248?", "--graph", "neo4j", status=1)
    mapping.write_text("[Customer]\nnames = 3\n", encoding="utf-8")
    message = said("schema", "--graph", "neo4j", status=1)
    assert "mapping.toml" in message
    assert "names" in message
