"""The graphs of a Neo4j with several databases. Neo4j Community has one, so that the server is played here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from neo4j import Driver
from neo4j.exceptions import Neo4jError

from clew.tools.graph.node_terms import VECTORS
from clew.tools.graph.store.graph_store import GraphInfo
from clew.tools.graph.store.neo4j_catalogue import Neo4jCatalogue

COUNTS = {"neo4j": (7, 3), "movies": (28, 38), "secret": (1, 1)}


class Played:
    """A driver whose databases have these counts. `secret` may not be read, and `films` is a graph of Clew's."""

    def __init__(self, lists: bool = True) -> None:
        self.lists = lists
        self.asked: list[str] = []

    def session(self, database: str = "") -> Played:
        """Without a database, of the user's home database."""
        self.database = database
        return self

    def __enter__(self) -> Played:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def run(self, cypher: str, parameters: dict[str, Any] | None = None) -> Any:
        if self.database:
            self.asked.append(self.database)
        rows = self._rows(cypher, parameters or {}) if self.database else [{"name": "neo4j"}]
        return type("Result", (), {"data": lambda _: rows})()

    def _rows(self, cypher: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        if cypher.startswith("SHOW DATABASES"):
            if not self.lists:
                raise Neo4jError._hydrate_neo4j(code="Neo.ClientError.Statement.SyntaxError", message="no such command")
            return [{"name": name} for name in COUNTS]
        if self.database == "secret":
            raise Neo4jError._hydrate_neo4j(code="Neo.ClientError.Security.Forbidden", message="no")
        if VECTORS in cypher:
            return []  # No vectors are kept there.
        if "ClewGraph" in cypher:
            own = parameters.get("name") in (None, "films")
            return [{"name": "films", "version": "1", "one": 1}] if own and self.database == "neo4j" else []
        nodes, relationships = (4, 2) if "Clew_films" in cypher else COUNTS[self.database]
        return [{"n": nodes if "count(n)" in cypher else relationships}]


def catalogue(driver: Played) -> Neo4jCatalogue:
    return Neo4jCatalogue(cast(Driver, driver))


def test_every_database_that_the_user_may_read_is_a_graph() -> None:
    found = catalogue(Played())
    graphs = {each.name: each for each in found.graphs()}
    assert list(graphs) == ["films", "movies", "neo4j"]
    assert graphs["films"] == GraphInfo("films", 4, 2, "1")
    assert graphs["movies"] == GraphInfo("movies", 28, 38, "counts-28-38")
    # What is left of the home database: without the graph of Clew's, and the node that stands for it.
    assert (graphs["neo4j"].nodes, graphs["neo4j"].relationships) == (2, 1)
    assert found.version("movies") == "counts-28-38"


def test_a_graph_is_read_where_it_is() -> None:
    found = catalogue(Played())
    assert found.location("films") == ("neo4j", "Clew_films", True)
    assert found.location("movies") == ("movies", None, False)
    assert found.location("neo4j") == ("neo4j", None, False)


def test_a_server_without_a_list_of_databases_has_one() -> None:
    assert catalogue(Played(lists=False)).names() == ["films", "neo4j"]


def test_the_databases_are_listed_once_in_a_while() -> None:
    driver = Played()
    ask: Callable[[], object] = catalogue(driver).names
    ask()
    ask()
    assert driver.asked.count("system") == 1
