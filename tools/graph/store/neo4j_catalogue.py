"""Neo4j's side of the graph store: one database that several graphs share, and the other databases of the server.

The nodes of a graph have its scope as one more label. A node labelled `ClewGraph`, without a scope, holds a graph's
name and version. Nodes without any scope are a graph that existed before: it has the name of the database, and Clew
only reads it. So does every other database of the server, if it has several.
"""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING, Any

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import BadInput
from clew.tools.graph.node_terms import SCOPES, VECTORS
from clew.tools.graph.store.faults import retry_transient
from clew.tools.graph.store.graph_store import GraphInfo

if TYPE_CHECKING:
    from neo4j import Driver

    from clew.tools.graph.store.lent import LentDriver

_BATCH = 10_000
_LISTED_S = 30.0
"""So long a list of the server's databases is used."""


def _foreign(name: str, nodes: int, relationships: int, more: str = "") -> GraphInfo:
    """A graph that Clew did not import: its counts, and what else identifies it, are its version."""
    version = f"counts-{nodes}-{relationships}" + (f"-{more}" if more else "")
    return GraphInfo(name, nodes, relationships, version)


def scope_of(name: str) -> str:
    """The label that all nodes of the graph carry."""
    return f"{SCOPES}{name}"


class Neo4jCatalogue:
    """The graphs of one Neo4j database, used as a user who may write."""

    def __init__(self, driver: Driver | LentDriver) -> None:
        self._driver = driver
        self._others: list[str] = []
        self._listed = float("-inf")
        """When the databases were listed last."""
        with driver.session() as session:
            self.database: str = session.run("CALL db.info() YIELD name RETURN name").data()[0]["name"]

    def names(self) -> list[str]:
        """The names of the graphs."""
        return sorted(info.name for info in self.graphs())

    def graphs(self) -> list[GraphInfo]:
        """The graphs that Clew created, and the nodes of no graph of Clew's as one more."""
        rows = self._run("MATCH (g:ClewGraph) RETURN g.name AS name, g.version AS version")
        # One that another process drops meanwhile may come without its properties.
        own = [self._info(row["name"], row["version"]) for row in rows if row["name"] is not None]
        nodes = self._count("MATCH (n) RETURN count(n) AS n") - len(own) - sum(each.nodes for each in own)
        nodes -= self._vectors()
        found = list(own)
        if nodes > 0:
            relationships = self._count("MATCH ()-[r]->() RETURN count(r) AS n") - sum(x.relationships for x in own)
            # Its queries leave the nodes of the other graphs out.
            beside = hashlib.sha256("\0".join(sorted(x.name for x in own)).encode()).hexdigest()[:8] if own else ""
            found.append(_foreign(self.database, nodes, relationships, beside))
        known = {each.name for each in found} | {self.database}
        found += [each for name in self._databases() if name not in known for each in self._elsewhere(name)]
        return sorted(found, key=lambda info: info.name)

    def location(self, name: str) -> tuple[str, str | None, bool]:
        """Where a graph is: its database, the label of all its nodes, and whether Clew may write to it."""
        own = bool(self._run("MATCH (g:ClewGraph {name: $name}) RETURN 1 AS one", name=name))
        elsewhere = not own and name in self._databases()
        return name if elsewhere else self.database, scope_of(name) if own else None, own

    def _vectors(self) -> int:
        """The number of nodes that hold vectors, or describe them."""
        labels = [VECTORS, *(row["label"] for row in self._run(f"MATCH (c:{VECTORS}) RETURN c.label AS label"))]
        if len(labels) == 1:
            return 0
        counts = " UNION ALL ".join(f"MATCH (n:{quoted(label)}) RETURN count(n) AS n" for label in labels)
        return self._count(f"CALL {{ {counts} }} RETURN sum(n) AS n")

    def _databases(self) -> list[str]:
        """The databases that the user may open; only the user's own where the server has no such list."""
        if time.monotonic() - self._listed > _LISTED_S:
            cypher = (
                "SHOW DATABASES YIELD name, type, currentStatus WHERE type = 'standard' AND currentStatus = 'online'"
            )
            rows = self._if_allowed(cypher + " RETURN name", "system")
            self._others, self._listed = [row["name"] for row in rows], time.monotonic()
        return self._others

    def _elsewhere(self, name: str) -> list[GraphInfo]:
        """The graph that is all of another database, if the user may read it."""
        nodes = self._if_allowed("MATCH (n) RETURN count(n) AS n", name)
        relationships = self._if_allowed("MATCH ()-[r]->() RETURN count(r) AS n", name)
        return [_foreign(name, nodes[0]["n"], relationships[0]["n"])] if nodes and relationships else []

    def _if_allowed(self, cypher: str, database: str) -> list[dict[str, Any]]:
        """The rows of a query to another database; none where the user may not ask it, or the server has no such."""
        from neo4j.exceptions import Neo4jError

        try:
            return self._run(cypher, database)
        except Neo4jError as error:
            if (error.code or "").startswith("Neo.TransientError"):
                raise
            return []

    def create(self, name: str) -> None:
        """Create an empty graph. Raises BadInput for the name of the database itself."""
        if name == self.database:
            raise BadInput(f"“{name}” is the name of the database itself.", "Choose another name for the graph.")
        self._run("CREATE CONSTRAINT clew_graph_name IF NOT EXISTS FOR (g:ClewGraph) REQUIRE g.name IS UNIQUE")
        self._delete_nodes(name)  # Those that an interrupted drop has left.
        self._run("MERGE (g:ClewGraph {name: $name}) ON CREATE SET g.version = ''", name=name)

    def drop(self, name: str) -> None:
        """Remove a graph with everything in it. Raises BadInput for a graph that Clew did not create."""
        if not self.location(name)[2]:
            raise BadInput(f"The graph “{name}” was not made by Clew, which therefore does not remove it.")
        # The catalogue first: after an interruption no process sees half a graph.
        self._run("MATCH (g:ClewGraph {name: $name}) DELETE g", name=name)
        self._delete_nodes(name)
        self._drop_unused_indexes()

    def info(self, name: str) -> GraphInfo:
        """The size and the version of a graph that Clew made."""
        return self._info(name, self.version(name))

    def version(self, name: str) -> str:
        """The version of a graph (see `GraphStore.version`)."""
        rows = self._run("MATCH (g:ClewGraph {name: $name}) RETURN g.version AS version", name=name)
        if rows:
            return str(rows[0]["version"])
        return next((each.version for each in self.graphs() if each.name == name), "")

    def set_version(self, name: str, version: str) -> None:
        """Store the version of a graph."""
        self._run("MATCH (g:ClewGraph {name: $name}) SET g.version = $version", name=name, version=version)
        # After an import the planner's statistics are those of an empty graph, and it would scan labels.
        self._run("CALL db.prepareForReplanning()")

    def counting_labels(self, name: str) -> tuple[str, ...]:
        """None: nodes that Clew imports into Neo4j have one label besides the scope."""
        return ()

    def damage(self, name: str) -> list[str]:
        """Nothing: only `neo4j-admin database check` finds damage, on a database that does not run."""
        return []

    def rebuild_indexes(self, name: str) -> None:
        """Nothing: Neo4j does so itself when it starts."""

    def index_statement(self, label: str, property_name: str) -> str:
        """Cypher that creates an index. Graphs with the same label share it; its name marks it as Clew's."""
        key = hashlib.sha256(f"{label}\0{property_name}".encode()).hexdigest()[:16]
        target = f"FOR (n:{quoted(label)}) ON (n.{quoted(property_name)})"
        return f"CREATE INDEX clew_{key} IF NOT EXISTS {target}"

    def _info(self, name: str, version: str) -> GraphInfo:
        scope = quoted(scope_of(name))
        nodes = self._count(f"MATCH (n:{scope}) RETURN count(n) AS n")
        return GraphInfo(name, nodes, self._count(f"MATCH (:{scope})-[r]->() RETURN count(r) AS n"), version)

    def _delete_nodes(self, name: str) -> None:
        statement = f"MATCH (n:{quoted(scope_of(name))}) WITH n LIMIT {_BATCH} DETACH DELETE n RETURN count(*) AS n"
        while self._count(statement):
            pass

    def _drop_unused_indexes(self) -> None:
        indexes = "SHOW INDEXES YIELD name, labelsOrTypes WHERE name STARTS WITH 'clew_' AND size(labelsOrTypes) = 1 "
        for row in self._run(indexes + "AND name <> 'clew_graph_name' RETURN name, labelsOrTypes[0] AS label"):
            if not self._count(f"MATCH (n:{quoted(row['label'])}) RETURN count(n) AS n"):
                self._run(f"DROP INDEX {quoted(row['name'])} IF EXISTS")

    def _count(self, cypher: str) -> int:
        return int(self._run(cypher)[0]["n"])

    def _run(self, cypher: str, database: str | None = None, **parameters: Any) -> list[dict[str, Any]]:
        def attempt() -> list[dict[str, Any]]:
            with self._driver.session(database=database or self.database) as session:
                return session.run(cypher, parameters).data()

        return retry_transient(attempt)
