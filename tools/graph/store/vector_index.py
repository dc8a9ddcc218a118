"""Vectors in a Neo4j database, through langchain-neo4j's `Neo4jVector`.

    (:ClewVectors {name, graph, kind, label, index, …})      a collection, with its facts
    (:ClewVectors_GRAPH_KIND_… {id, text, embedding})         one of its vectors

`label` is that of its vectors, and the name of its vector index. The nodes belong to no graph: they are beside the
graph that was in the database before, which Clew does not change, and beside those that Clew made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from langchain_core.embeddings import Embeddings

from clew.tools.cypher.quoting import quoted
from clew.tools.embedding import Vectors
from clew.tools.embedding.chroma import readable
from clew.tools.embedding.vector_store import Facts, Near
from clew.tools.errors import BadInput, ClewError, StoreUnavailable
from clew.tools.graph.node_terms import VECTORS
from clew.tools.graph.store.faults import retry_transient
from clew.tools.graph.store.neo4j_catalogue import Neo4jCatalogue

if TYPE_CHECKING:
    from langchain_neo4j import Neo4jVector

    from clew.tools.graph.store.bolt import BoltDatabase
    from clew.tools.graph.store.connection import Connection

T = TypeVar("T")
ADDRESS = "neo4j"
KINDS = {"dense": "names", "texts": "texts", "document-index": "chunks"}
"""By the folder of an index, what its vectors are of."""
_FACT = "fact_"
_REMOVED = 10_000
_REACH = 100
"""The neighbours that the index looks at, at least, and twice those that are wanted: HNSW finds more of the nearest
ones then."""
_FOUND = "RETURN node.text AS text, score, {id: node.id} AS metadata"


@dataclass(frozen=True, slots=True)
class Neo4jPlace:
    """A `VectorPlace` in the Neo4j database in which Clew keeps its graphs: the collections of one graph."""

    database: BoltDatabase
    graph: str
    address: str = ADDRESS

    def store(self, folder: Path) -> Neo4jStore:
        return Neo4jStore(self.database, self.graph, KINDS.get(folder.name, folder.name))

    def drop(self) -> None:
        """Delete all collections of the graph. Raises StoreUnavailable."""
        for kind in KINDS.values():
            store = Neo4jStore(self.database, self.graph, kind)
            for name in store.names():
                store.delete(name)


class Neo4jStore:
    """A `VectorStore`: the collections of one kind of a graph."""

    def __init__(self, database: BoltDatabase, graph: str, kind: str) -> None:
        self._database = database
        self._graph = graph
        self._kind = kind

    def names(self) -> list[str]:
        found = f"MATCH (c:{VECTORS} {{graph: $graph, kind: $kind}}) RETURN c.name AS name"
        return [row["name"] for row in self._run(found, graph=self._graph, kind=self._kind)]

    def find(self, name: str) -> Neo4jCollection | None:
        found = f"MATCH (c:{VECTORS} {{label: $label}}) RETURN c.dimension AS dimension, properties(c) AS facts"
        rows = self._run(found, label=self._label(name))
        return self._collection(name, rows[0]["dimension"], _facts(rows[0]["facts"])) if rows else None

    def create(self, name: str, facts: Facts, dimension: int) -> Neo4jCollection:
        label = self._label(name)
        made = self._collection(name, dimension, facts)
        self._run(f"CREATE CONSTRAINT {VECTORS}_label IF NOT EXISTS FOR (c:{VECTORS}) REQUIRE c.label IS UNIQUE")
        self._run(
            f"MERGE (c:{VECTORS} {{label: $label}}) SET c = $properties",
            label=label,
            properties={
                "name": name, "graph": self._graph, "kind": self._kind, "label": label, "index": label,
                "dimension": dimension, **_stored(facts),
            },
        )  # fmt: skip
        made.prepare()
        return made

    def delete(self, name: str) -> None:
        label = self._label(name)
        self._run(f"DROP INDEX {quoted(label)} IF EXISTS")
        self._run(f"DROP CONSTRAINT {quoted(label + '_id')} IF EXISTS")
        removal = f"MATCH (n:{quoted(label)}) WITH n LIMIT {_REMOVED} DELETE n RETURN count(*) AS n"
        while self._run(removal)[0]["n"]:
            pass
        self._run(f"MATCH (c:{VECTORS} {{label: $label}}) DELETE c", label=label)

    def _label(self, name: str) -> str:
        return "_".join((VECTORS, readable(self._graph), self._kind, *([] if name == self._kind else [readable(name)])))

    def _collection(self, name: str, dimension: int, facts: Facts) -> Neo4jCollection:
        return Neo4jCollection(self._database, self._label(name), dimension, facts)

    def _run(self, cypher: str, **parameters: Any) -> list[dict[str, Any]]:
        return _run(self._database, cypher, **parameters)


class Neo4jCollection:
    """A `VectorCollection`: the nodes of one label, with a vector index."""

    def __init__(self, database: BoltDatabase, label: str, dimension: int, facts: Facts) -> None:
        self._database = database
        self._label = label
        self._dimension = dimension
        self.facts = facts

    def note(self, facts: Facts) -> None:
        set_facts = f"MATCH (c:{VECTORS} {{label: $label}}) SET c += $properties"
        self._run(set_facts, label=self._label, properties=_stored(facts))
        self.facts = facts

    def count(self) -> int:
        return int(self._run(f"MATCH (n:{quoted(self._label)}) RETURN count(n) AS n")[0]["n"])

    def ids(self, among: Sequence[str] | None = None) -> set[str]:
        node = f"(n:{quoted(self._label)})"
        if among is None:
            return {row["id"] for row in self._run(f"MATCH {node} RETURN n.id AS id")}
        found = f"UNWIND $ids AS id MATCH (n:{quoted(self._label)} {{id: id}}) RETURN id"
        return {row["id"] for row in self._run(found, ids=list(among))}

    def add(self, ids: Sequence[str], vectors: Vectors, texts: Sequence[str] | None = None) -> None:
        rows = vectors.tolist()
        self._ask(lambda store: store.add_embeddings(list(texts or ids), rows, ids=list(ids)))

    def remove(self, ids: Sequence[str]) -> None:
        removed = f"UNWIND $ids AS id MATCH (n:{quoted(self._label)} {{id: id}}) DELETE n"
        self._run(removed, ids=list(ids))

    def nearest(self, vector: Vectors, k: int) -> list[Near]:
        asked, ratio = vector.tolist(), max(2, math.ceil(_REACH / k))
        found = self._ask(
            lambda store: store.similarity_search_with_score_by_vector(asked, k, effective_search_ratio=ratio)
        )
        return [Near(document.metadata["id"], document.page_content, 2 * score - 1) for document, score in found]

    def prepare(self) -> None:
        """Create the vector index, and the constraint that ids are looked up by.

        Without quantisation, which `Neo4jVector.create_new_index` would leave on: cosines are exact then, not off by up
        to 0.13 (500 random vectors of 32 components).
        """
        self._run(
            f"CREATE VECTOR INDEX {quoted(self._label)} IF NOT EXISTS FOR (n:{quoted(self._label)}) ON n.embedding "
            "OPTIONS {indexConfig: $settings}",
            settings={
                "vector.dimensions": self._dimension, "vector.similarity_function": "cosine",
                "vector.quantization.enabled": False,
            },
        )  # fmt: skip
        constraint = f"CREATE CONSTRAINT {quoted(self._label + '_id')} IF NOT EXISTS"
        self._run(f"{constraint} FOR (n:{quoted(self._label)}) REQUIRE n.id IS UNIQUE")
        self._run("CALL db.awaitIndex($name, 600)", name=self._label)

    def _ask(self, request: Callable[[Neo4jVector], T]) -> T:
        from langchain_neo4j import Neo4jVector

        def over(connection: Connection) -> T:
            graph: Any = SimpleNamespace(_driver=connection.admin, _database=_database_of(connection))
            label = self._label
            store = Neo4jVector(
                _Given(), graph=graph, index_name=label, node_label=label, embedding_dimension=self._dimension,
                retrieval_query=_FOUND,
            )  # fmt: skip
            return request(store)

        return _asked(self._database, over)

    def _run(self, cypher: str, **parameters: Any) -> list[dict[str, Any]]:
        return _run(self._database, cypher, **parameters)


class _Given(Embeddings):
    """Vectors come from Clew's embedder: the store embeds nothing itself."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise TypeError("The vectors of texts are given.")

    def embed_query(self, text: str) -> list[float]:
        raise TypeError("The vectors of questions are given.")


def _facts(properties: Mapping[str, Any]) -> Facts:
    return {name.removeprefix(_FACT): value for name, value in properties.items() if name.startswith(_FACT)}


def _stored(facts: Facts) -> dict[str, Any]:
    return {_FACT + name: value for name, value in facts.items()}


def _run(database: BoltDatabase, cypher: str, **parameters: Any) -> list[dict[str, Any]]:
    def request(connection: Connection) -> list[dict[str, Any]]:
        def attempt() -> list[dict[str, Any]]:
            with connection.admin.session(database=_database_of(connection)) as session:
                return session.run(cypher, parameters).data()

        return retry_transient(attempt)

    return _asked(database, request)


def _asked(database: BoltDatabase, request: Callable[[Connection], T]) -> T:
    """Ask a database. Raises StoreUnavailable, and BadInput where it is no Neo4j."""
    try:
        return database.ask(request)
    except BadInput:
        raise
    except (ClewError, ValueError) as error:
        reason = error.message if isinstance(error, ClewError) else str(error)
        raise StoreUnavailable(
            f"The vectors in Neo4j cannot be used: {reason}", "CLEW_VECTORS=neo4j needs Neo4j 5.18 or later."
        ) from None


def _database_of(connection: Connection) -> str:
    """The database in which Clew keeps its graphs."""
    if isinstance(connection.catalogue, Neo4jCatalogue):
        return connection.catalogue.database
    raise BadInput("CLEW_VECTORS=neo4j needs a Neo4j database.", "Name its address: CLEW_DATABASE_URL=bolt://host:7687")
