"""What is derived from one graph and kept in its folder: schema, indexes, documents, teaching and glosses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from clew.app.files import write_json
from clew.app.parts import Parts

if TYPE_CHECKING:
    from pathlib import Path

    from clew.tools.documents.collection import Collection
    from clew.tools.documents.store.store import DocumentStore
    from clew.tools.graph.schema import Schema
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.linking.index import EntityIndex
    from clew.tools.queries.ranking.glosses import Glosses
    from clew.tools.text_search.expansion.graph_texts import GraphTexts
    from clew.tools.text_search.expansion.similar import SimilarNodes
    from clew.tools.text_search.index import TextIndex

FEW_TEXTS = 300
"""Nodes with texts that are indexed while a question waits; `clew index --texts` indexes more."""


class GraphFiles:
    """The files of one graph. An index is opened where it is of the graph's version, and else built, with progress."""

    def __init__(self, parts: Parts, name: str) -> None:
        self.parts = parts
        self.name = name

    @property
    def store(self) -> GraphStore:
        """Raises UnknownGraph."""
        return self.parts.store(self.name)

    @property
    def folder(self) -> Path:
        return self.parts.folder(self.name)

    @property
    def teaching(self) -> Path:
        """The folder of what the graph was taught (docs/teaching.md)."""
        return self.folder / "teaching"

    def schema(self) -> Schema:
        """The schema of the graph as it is now, from its file where the version is the same."""
        from clew.tools.graph.schema import Schema, introspect

        store, path = self.store, self.folder / "schema.json"
        try:
            cached = Schema.from_json(json.loads(path.read_text(encoding="utf-8")))
            if cached.version == store.version():
                return cached
        except (OSError, ValueError, KeyError, TypeError):
            pass  # There is none, or one of another release.
        schema = introspect(store)
        write_json(path, schema.to_json())
        return schema

    def index(self, *, rebuild: bool = False) -> EntityIndex:
        """The entity index of the graph as it is now; built, with progress, if it is missing or outdated."""
        from clew.tools.linking.index import EntityIndex
        from clew.tools.linking.tables import indexed_nodes

        store, schema = self.store, self.schema()
        return EntityIndex.build(
            indexed_nodes(store, schema),
            self.folder / "entities",
            store.version(),
            self.parts.progress.task,
            sum(schema.labels.values()),
            rebuild=rebuild,
        )

    def dense_index(self) -> None:
        """Embed every name, to find paraphrases; a build that was interrupted goes on."""
        from clew.tools.linking.dense import build_dense

        index = self.index()
        with self.parts.progress.task("Embedding names", "names") as advance:
            build_dense(index, self.parts.embedder, self.folder / "dense", advance)

    def snapshot(self) -> Snapshot:
        """The graph as it is now as flat arrays for matching patterns; built, with progress, if it is missing or
        outdated."""
        from clew.tools.graph.snapshot.builder import stored_edges
        from clew.tools.graph.snapshot.snapshot import Snapshot
        from clew.tools.linking.tables import indexed_nodes

        store, schema = self.store, self.schema()
        nodes = ((node.id, node.name, node.label) for node in indexed_nodes(store, schema))
        rows = sum(schema.labels.values()) + sum(relation.count for relation in schema.relations)
        directory = self.folder / "snapshot"
        return Snapshot.build(nodes, stored_edges(store), directory, store.version(), self.parts.progress.task, rows)

    def text_index(self) -> TextIndex:
        """What the nodes of the graph as it is now say; built, with progress, if it is missing or outdated. Only texts
        that were not there before are embedded."""
        from clew.tools.text_search.index import TextIndex
        from clew.tools.text_search.source import text_nodes

        store = self.store
        nodes = text_nodes(store, self.schema())
        return TextIndex.build(
            nodes, self.folder / "texts", store.version(), self.parts.embedder, self.parts.progress.task
        )

    def documents(self) -> DocumentStore:
        """The documents beside a graph; there need not be any, nor need the database run."""
        from clew.tools.documents.store.store import DocumentStore

        return DocumentStore(self.folder / "documents")

    def linked_documents(self) -> DocumentStore:
        """The documents, with what they mention looked up, with progress, among the names of the graph as it is now."""
        from clew.tools.documents.mentions.linking import link_documents, unlinked

        documents = self.documents()
        if not documents.totals().documents or not self.schema().labels:
            return documents
        index = self.index()
        if waiting := sum(document.chunks for document in unlinked(documents, index)):
            with self.parts.progress.task("Linking documents", "chunks", waiting) as advance:
                link_documents(documents, index, advance)
        return documents

    def collection(self) -> Collection:
        """The documents beside a graph and their index, which is made when first asked for."""
        from clew.tools.documents.collection import Collection

        def names() -> EntityIndex | None:
            return self.index() if self.schema().labels else None

        return Collection(self.documents(), self.folder, self.parts.embedder, self.parts.progress.task, names)

    def texts_are_ready(self) -> bool:
        """Whether the texts of the graph as it is now can be searched at once: they are indexed, or few."""
        from clew.tools.arrays.index_files import current
        from clew.tools.text_search.index import TextIndex
        from clew.tools.text_search.properties import text_properties

        store, schema = self.store, self.schema()
        rich = text_properties(store, schema).rich
        if sum(schema.labels[label] for label in rich) <= FEW_TEXTS:
            return True
        return current(lambda: TextIndex.open(self.folder / "texts", self.parts.embedder), store.version()) is not None

    def similar_nodes(self, index: TextIndex) -> SimilarNodes:
        """Which nodes of a graph say nearly the same; built, with progress, if that is missing or outdated."""
        from clew.tools.text_search.expansion.similar import SimilarNodes

        return SimilarNodes.build(index, self.folder / "similar", self.parts.progress.task)

    def texts(self) -> GraphTexts:
        """The text index, the similar nodes and the expansion over both; each is made when first asked for."""
        from clew.tools.text_search.expansion.graph_texts import GraphTexts

        return GraphTexts(
            lambda: self.text_index(),
            lambda index: self.similar_nodes(index),
            lambda: self.snapshot(),
            lambda: self.texts_are_ready(),
        )

    def glosses(self) -> Glosses | None:
        """The user's own words for the graph's relations, where they wrote some (docs/glosses.md)."""
        from clew.tools.queries.ranking.glosses import Glosses

        path = self.folder / "glosses.toml"
        if not path.exists():
            return None
        glosses, schema = Glosses.load(path), self.schema()
        known = {r.type for r in schema.relations} | {p.name for p in schema.properties}
        if unknown := sorted([*(glosses.relations.keys() - known), *(glosses.labels.keys() - schema.labels.keys())]):
            self.parts.progress.note(
                f"{path}: the graph has no {', '.join(unknown)}; see `clew schema --graph {self.name}`."
            )
        return glosses
