"""The files of one graph: schema, indexes, documents, teaching and glosses, in the graph's folder."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from clew.app.graph_changes import GraphChanges
from clew.app.parts import Parts
from clew.tools.arrays.checksums import sealed, unsealed
from clew.tools.atomic_files import write_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clew.tools.documents.collection import Collection
    from clew.tools.documents.store.store import DocumentStore
    from clew.tools.embedding.vector_store import VectorPlace
    from clew.tools.graph.schema import Schema
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.linking.index import EntityIndex
    from clew.tools.queries.ranking.glosses import Glosses
    from clew.tools.text_search.expansion.graph_texts import GraphTexts
    from clew.tools.text_search.expansion.similar import SimilarNodes
    from clew.tools.text_search.index import TextIndex
    from clew.tools.text_search.source import TextNode

FEW_TEXTS, FEW_NODES = 300, 100_000
"""Nodes with texts, and nodes, that are indexed while a question waits; `clew index --texts` indexes more."""


class GraphFiles:
    """The files of one graph. An index is opened where it is of the graph's version, and else built, with progress."""

    def __init__(self, parts: Parts, name: str) -> None:
        self.parts = parts
        self.name = name
        self._schema: Schema | None = None
        self._examples: tuple[str, list[str]] | None = None
        """The version of the graph, and questions that it can answer."""
        self.notes: tuple[str, ...] = ()
        """What is to be said with every answer: what the graph, when it was opened, had lost."""

    @property
    def store(self) -> GraphStore:
        """Raises UnknownGraph."""
        return self.parts.store(self.name)

    @property
    def folder(self) -> Path:
        return self.parts.folder(self.name)

    @property
    def schema_file(self) -> Path:
        """The schema of the graph's last version that was asked."""
        return self.folder / "schema.json"

    @property
    def values_file(self) -> Path:
        """The texts that are values of properties, as they were read from the graph."""
        return self.folder / "values.json"

    @property
    def phrases(self) -> Path:
        """The folder of the vectors of what the graph's schema is called."""
        return self.folder / "phrases"

    @property
    def teaching(self) -> Path:
        """The folder of the trained ranker and its examples (docs/teaching.md)."""
        return self.folder / "teaching"

    @property
    def gloss_file(self) -> Path:
        """The user's own words for the graph's relations (docs/glosses.md); it need not exist."""
        return self.folder / "glosses.toml"

    @property
    def changes(self) -> tuple[int | None, ...]:
        """When the files that people and commands write for questions changed last, in ns; None for those that are
        missing. Of documents, which are read anew by every question, whether there are any."""
        dense = self.folder / "dense"
        written = (self.gloss_file, self.teaching / "taught.json", dense / "chroma.sqlite3", dense / "stored")
        times = (path.stat().st_mtime_ns if path.exists() else None for path in written)
        return *times, 0 if self.documents().path.exists() else None

    def schema(self) -> Schema:
        """The schema of the graph as it is now, read from its file or the database when the graph has changed."""
        version = self.store.version()
        schema = self._schema
        if schema is None or schema.version != version:
            schema = self._schema = self._stored_schema(version) or self.introspected()
        return schema

    def _stored_schema(self, version: str) -> Schema | None:
        """The schema in the file, if it is of this version."""
        from clew.tools.graph.schema import Schema

        try:
            stored = Schema.from_json(self._schema_fields())
        except (ValueError, KeyError, TypeError):
            return None  # There is none, a damaged one, or one of another release.
        return stored if stored.version == version else None

    def read_schema(self) -> Schema:
        """The schema of the graph as it is now, read from the database, and not stored."""
        from clew.tools.graph.schema import introspect

        self._schema = introspect(self.store)
        return self._schema

    def introspected(self) -> Schema:
        """The schema of the graph as it is now, read from the database and stored."""
        from clew.app.graph_records import noted_records

        schema = self.read_schema()
        fields = schema.to_json()
        if records := noted_records(self.parts, self.name):
            fields["records"] = records
        write_json(self.schema_file, sealed(fields))
        return schema

    def missing_records(self) -> str:
        """What the embedded database has lost of the graph since its schema was read, in words; "" for nothing."""
        from clew.app.graph_records import missing_records

        stored = self._schema_fields()
        is_current = stored.get("version") == self.store.version()
        return missing_records(self.parts, self.name, stored.get("records") if is_current else None)

    def _schema_fields(self) -> dict[str, Any]:
        """The fields of the schema's file; none if it is missing or damaged."""
        try:
            return unsealed(json.loads(self.schema_file.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def example_questions(self) -> list[str]:
        """A few questions that the graph as it is now can answer."""
        from clew.app.examples import example_questions

        schema = self.schema()
        if self._examples is None or self._examples[0] != schema.version:
            self._examples = schema.version, example_questions(self.store, schema)
        return self._examples[1]

    def index(self, *, rebuild: bool = False) -> EntityIndex:
        """The entity index of the graph as it is now; built, with progress, if it is missing or outdated."""
        from clew.tools.linking.index import EntityIndex
        from clew.tools.linking.tables import indexed_nodes

        store, schema = self.store, self.schema()
        return EntityIndex.build(
            indexed_nodes(store, schema, degrees=True),
            self.folder / "entities",
            store.version(),
            self.parts.progress.task,
            sum(schema.labels.values()),
            rebuild=rebuild,
            since=GraphChanges(self.folder, store, schema).names,
        )

    @property
    def vectors(self) -> VectorPlace:
        """Where the vectors of the graph are searched. Raises BadInput."""
        return self.parts.vectors(self.name)

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
        return Snapshot.build(
            nodes,
            stored_edges(store),
            directory,
            store.version(),
            self.parts.progress.task,
            rows,
            since=GraphChanges(self.folder, store, schema).triples,
        )

    def text_index(self) -> TextIndex:
        """The index of the texts of nodes; built, with progress, if it is missing or outdated. Only new texts are
        embedded."""
        from clew.tools.text_search.index import TextIndex
        from clew.tools.text_search.source import text_nodes, text_properties

        store, schema = self.store, self.schema()
        properties = cache(lambda: text_properties(store, schema))

        def nodes() -> Iterator[TextNode]:  # Which properties hold text is read only for a build.
            yield from text_nodes(store, schema, properties())

        return TextIndex.build(
            nodes(),
            self.folder / "texts",
            store.version(),
            self.parts.embedder,
            self.parts.progress.task,
            since=lambda index: GraphChanges(self.folder, store, schema).texts(index, properties()),
            place=self.vectors,
        )

    def documents(self) -> DocumentStore:
        """The documents beside the graph, perhaps none. The database need not run."""
        from clew.tools.documents.store.store import DocumentStore

        return DocumentStore(self.folder / "documents")

    def linked_documents(self) -> DocumentStore:
        """The documents, with their mentions linked, with progress, to the names of the graph as it is now."""
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
        """The documents beside the graph, and their index, which is built when it is first used."""
        from clew.tools.documents.collection import Collection

        def names() -> EntityIndex | None:
            return self.index() if self.schema().labels else None

        task = self.parts.progress.task
        return Collection(self.documents(), self.folder, self.parts.embedder, task, names, self.vectors)

    def texts_are_ready(self) -> bool:
        """Whether the texts of the graph can be searched at once: they are indexed, or they and all nodes are few."""
        from clew.tools.arrays.index_files import current
        from clew.tools.text_search.source import text_properties

        store, schema = self.store, self.schema()
        rich = text_properties(store, schema).rich
        if sum(schema.labels[label] for label in rich) <= FEW_TEXTS and sum(schema.labels.values()) <= FEW_NODES:
            return True
        return current(self.open_texts, store.version()) is not None

    def open_texts(self) -> TextIndex:
        """The index of the texts of nodes as it is. Raises BadInput if there is none, or a damaged or other one."""
        from clew.tools.text_search.index import TextIndex

        return TextIndex.open(self.folder / "texts", self.parts.embedder, self.vectors)

    def similar_nodes(self, index: TextIndex) -> SimilarNodes:
        """Pairs of nodes with similar texts; built, with progress, if they are missing or outdated."""
        from clew.tools.text_search.expansion.similar import SimilarNodes

        return SimilarNodes.build(index, self.folder / "similar", self.parts.progress.task)

    def texts(self) -> GraphTexts:
        """The text index, the similar nodes and the expansion over both; each is opened when it is first used."""
        from clew.tools.text_search.expansion.graph_texts import GraphTexts

        return GraphTexts(
            lambda: self.text_index(),
            lambda index: self.similar_nodes(index),
            lambda: self.snapshot(),
            lambda: self.texts_are_ready(),
        )

    def pattern_examples(self) -> str:
        """Examples for the writer of patterns: of the graph's own file, else of the settings; "" for none. Raises
        BadInput."""
        own, given = self.folder / "patterns.jsonl", self.parts.settings.pattern_examples
        if not own.exists() and given is None:
            return ""
        from clew.agents.patterns.pattern_examples import examples_of

        return examples_of(own if own.exists() else given or "")

    def glosses(self) -> Glosses | None:
        """The user's own words for the graph's relations, where they wrote some (docs/glosses.md)."""
        from clew.tools.queries.ranking.glosses import Glosses

        path = self.gloss_file
        if not path.exists():
            return None
        glosses, schema = Glosses.load(path), self.schema()
        known = {r.type for r in schema.relations} | {p.name for p in schema.properties}
        if unknown := sorted([*(glosses.relations.keys() - known), *(glosses.labels.keys() - schema.labels.keys())]):
            self.parts.progress.note(
                f"{path}: the graph has no {', '.join(unknown)}; see `clew schema --graph {self.name}`."
            )
        return glosses
