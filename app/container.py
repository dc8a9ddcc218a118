"""Puts the parts together: one place that opens the database, the schemas, the indexes and the traces.

Everything is opened when first asked for, so that a command loads only what it needs.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pydantic import SecretStr

from clew.app.files import write_json
from clew.app.progress import Progress
from clew.app.settings import Settings
from clew.app.traces.redaction import never_keep
from clew.tools.errors import BadInput, ClewError, UnknownGraph

if TYPE_CHECKING:
    from clew.agents.answering.node_reasoner import NodeReasoner
    from clew.agents.generating.choosers import Chooser
    from clew.agents.generating.cypher_generator import CypherGenerator
    from clew.agents.models.role_models import Models
    from clew.app.sessions.store import Sessions
    from clew.app.traces.otel_export import OtelExporter
    from clew.app.traces.recording import TraceRecorder
    from clew.app.traces.retention import Retention
    from clew.app.traces.store import TraceStore
    from clew.graphs.context import Context
    from clew.graphs.conversations import Conversations
    from clew.graphs.question import QuestionGraph
    from clew.graphs.run import Budget
    from clew.tools.documents.collection import Collection
    from clew.tools.documents.store.store import DocumentStore
    from clew.tools.embedding import MiniLM
    from clew.tools.graph.schema import Schema
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.graph.store.bolt import BoltDatabase
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.learning.teaching.learned_ranker import BaseRanker, LearnedRanker
    from clew.tools.linking.index import EntityIndex
    from clew.tools.queries.aggregation.reader import AggregationReader
    from clew.tools.queries.paths.cross_encoder import CrossEncoder
    from clew.tools.queries.ranking.glosses import Glosses
    from clew.tools.queries.ranking.ranker import Ranker
    from clew.tools.queries.space.space import QuerySpace
    from clew.tools.text_search.expansion.graph_texts import GraphTexts
    from clew.tools.text_search.expansion.similar import SimilarNodes
    from clew.tools.text_search.index import TextIndex


FEW_TEXTS = 300
"""Nodes with texts that are indexed while a question waits; indexing more is asked for by `clew index --texts`."""


class Container:
    """What the commands share. Close it when done."""

    def __init__(self, settings: Settings, progress: Progress) -> None:
        never_keep(*settings.secrets)
        self.settings = settings
        self.progress = progress
        self._contexts: dict[str, Context] = {}
        self._stores: dict[str, GraphStore] = {}

    @cached_property
    def database(self) -> BoltDatabase:
        """The embedded database, started when first used, or the server that the settings name."""
        from clew.tools.graph.store import open_database

        settings = self.settings
        reader = (settings.reader_user, _revealed(settings.reader_password) or "") if settings.reader_user else None
        return open_database(
            settings.home,
            settings.database_url,
            settings.database_user,
            _revealed(settings.database_password),
            reader=reader,
            http_url=settings.database_http_url,
        )

    @cached_property
    def traces(self) -> TraceStore:
        from clew.app.traces.store import TraceStore

        return TraceStore(self.settings.home / "traces.sqlite", self.retention)

    @property
    def retention(self) -> Retention:
        """How many traces are kept, and for how long."""
        from clew.app.traces.retention import Retention

        return Retention(self.settings.traces_kept, self.settings.traces_mb, self.settings.traces_days)

    @cached_property
    def recorder(self) -> TraceRecorder:
        """Keeps the trace of every question."""
        from importlib.metadata import version

        from clew.app.traces.recording import TraceRecorder

        settings, models = self.settings, self.models
        named = ("generator", "generator_adapter", "node_reasoner", "reranker", "path_semantics", "expansion")
        chosen = {name: value for name in named if (value := getattr(settings, name)) is not None}
        by_role = {str(role): name for role, name in models.names.items()} if models else {}
        setup = {"clew": version("clew"), "models": by_role, **chosen}
        return TraceRecorder(self.traces, setup=setup, exporter=self.exporter)

    @cached_property
    def exporter(self) -> OtelExporter | None:
        """Sends finished runs to OpenTelemetry's collectors, where the settings say so."""
        if not self.settings.otel:
            return None
        from clew.app.traces.otel_export import OtelExporter

        return OtelExporter()

    @cached_property
    def conversations(self) -> Conversations:
        from clew.graphs.conversations import open_conversations

        return open_conversations(self.settings.home / "conversations.sqlite")

    @cached_property
    def sessions(self) -> Sessions:
        """The conversations that are kept, by name."""
        from clew.app.sessions.store import Sessions

        return Sessions(self.conversations)

    @cached_property
    def question_graph(self) -> QuestionGraph:
        """The question graph, which remembers conversations."""
        from clew.graphs.question import build_question_graph

        return build_question_graph(self.conversations)

    @cached_property
    def answering_graph(self) -> QuestionGraph:
        """The question graph without a memory."""
        from clew.graphs.question import build_question_graph

        return build_question_graph()

    @cached_property
    def embedder(self) -> MiniLM:
        from clew.tools.embedding import MiniLM

        return MiniLM()

    @cached_property
    def models(self) -> Models | None:
        """The language models that the settings name; None where they name none."""
        settings = self.settings
        if settings.model is None and not settings.models:
            return None
        from clew.app.models import models_of

        return models_of(settings)

    @cached_property
    def reranker(self) -> CrossEncoder | None:
        """The cross-encoder that the settings name; it is loaded when a question first needs it."""
        if self.settings.reranker is None:
            return None
        from clew.tools.queries.paths.cross_encoder import CrossEncoder

        return CrossEncoder(self.settings.reranker, downloads=self.settings.allow_downloads)

    @cached_property
    def generator(self) -> Chooser | None:
        """The model that the settings name for choosing queries; it is loaded when first needed."""
        return self._chooser(self.settings.generator, self.settings.generator_adapter)

    @cached_property
    def node_reasoner(self) -> Chooser | None:
        """The model that the settings name for choosing nodes."""
        same = self.settings.node_reasoner == self.settings.generator and self.settings.generator_adapter is None
        return self.generator if same else self._chooser(self.settings.node_reasoner, None)

    def _chooser(self, where: str | None, adapter: str | None) -> Chooser | None:
        if where is None:
            return None
        from clew.agents.generating.choosers import chooser_of

        settings = self.settings
        return chooser_of(
            where,
            adapter,
            device=settings.generator_device,
            dtype=settings.generator_dtype,
            four_bit=settings.generator_4bit,
            downloads=settings.allow_downloads,
            token=_revealed(settings.generator_token),
        )

    def _cypher_generator(self, space: QuerySpace) -> CypherGenerator | None:
        """Ready to choose, where the settings name a model for it."""
        if self.generator is None:
            return None
        from functools import partial

        from clew.agents.generating.cypher_generator import CypherGenerator
        from clew.tools.queries.space.around import queries_around

        self._prepared(self.generator)
        return CypherGenerator(self.generator, partial(queries_around, space))

    @property
    def _node_reasoner(self) -> NodeReasoner | None:
        if self.node_reasoner is None:
            return None
        from clew.agents.answering.node_reasoner import NodeReasoner

        self._prepared(self.node_reasoner)
        return NodeReasoner(self.node_reasoner)

    def _prepared(self, chooser: Chooser) -> None:
        """Load a model before the first question; where that fails, questions are answered without it."""
        try:
            chooser.prepare()
        except ClewError as error:
            self.progress.note(f"Questions are answered without {chooser.name}: {error.message} {error.remedy}")

    def graph_name(self, given: str | None) -> str:
        """`given`, or the name of the only graph where there is no more than one. Raises BadInput."""
        if given is not None:
            return given
        names = [graph.name for graph in self.database.graphs()]
        if len(names) == 1:
            return names[0]
        if not names:
            raise UnknownGraph("There is no graph yet.", "Import one: clew import FILE --graph NAME")
        raise BadInput(f"There are {len(names)} graphs: {', '.join(sorted(names))}.", "Say which: --graph NAME")

    def store(self, name: str) -> GraphStore:
        """An existing graph. Raises UnknownGraph."""
        if name not in self._stores:
            self._stores[name] = self.database.open(name)
        return self._stores[name]

    def folder(self, name: str) -> Path:
        """Where what is derived from a graph is kept; graphs of one name in several databases have their own."""
        url = self.settings.database_url
        server = f"@{hashlib.sha256(url.encode()).hexdigest()[:12]}" if url else ""
        return self.settings.home / "graphs" / (quote(name, safe="") + server)

    def schema(self, name: str) -> Schema:
        """The schema of the graph as it is now, from its file where the version is the same."""
        from clew.tools.graph.schema import Schema, introspect

        store, path = self.store(name), self.folder(name) / "schema.json"
        try:
            cached = Schema.from_json(json.loads(path.read_text(encoding="utf-8")))
            if cached.version == store.version():
                return cached
        except (OSError, ValueError, KeyError, TypeError):
            pass  # There is none, or one of another release.
        schema = introspect(store)
        write_json(path, schema.to_json())
        return schema

    def index(self, name: str, *, rebuild: bool = False) -> EntityIndex:
        """The entity index of the graph as it is now; built, with progress, if it is missing or outdated."""
        from clew.tools.linking.index import EntityIndex
        from clew.tools.linking.tables import indexed_nodes

        store, schema = self.store(name), self.schema(name)
        return EntityIndex.build(
            indexed_nodes(store, schema),
            self.folder(name) / "entities",
            store.version(),
            self.progress.task,
            sum(schema.labels.values()),
            rebuild=rebuild,
        )

    def dense_index(self, name: str) -> None:
        """Embed every name, to find paraphrases; a build that was interrupted goes on."""
        from clew.tools.linking.dense import build_dense

        index = self.index(name)
        with self.progress.task("Embedding names", "names") as advance:
            build_dense(index, self.embedder, self.folder(name) / "dense", advance)

    def snapshot(self, name: str) -> Snapshot:
        """The graph as it is now as flat arrays for matching patterns; built, with progress, if it is missing or
        outdated."""
        from clew.tools.graph.snapshot.builder import stored_edges
        from clew.tools.graph.snapshot.snapshot import Snapshot
        from clew.tools.linking.tables import indexed_nodes

        store, schema = self.store(name), self.schema(name)
        nodes = ((node.id, node.name, node.label) for node in indexed_nodes(store, schema))
        rows = sum(schema.labels.values()) + sum(relation.count for relation in schema.relations)
        directory = self.folder(name) / "snapshot"
        return Snapshot.build(nodes, stored_edges(store), directory, store.version(), self.progress.task, rows)

    def text_index(self, name: str) -> TextIndex:
        """What the nodes of the graph as it is now say; built, with progress, if it is missing or outdated. Only texts
        that were not there before are embedded."""
        from clew.tools.text_search.index import TextIndex
        from clew.tools.text_search.source import text_nodes

        store = self.store(name)
        nodes = text_nodes(store, self.schema(name))
        return TextIndex.build(nodes, self.folder(name) / "texts", store.version(), self.embedder, self.progress.task)

    def documents(self, name: str) -> DocumentStore:
        """The documents beside a graph; there need not be any, nor need the database run."""
        from clew.tools.documents.store.store import DocumentStore

        return DocumentStore(self.folder(name) / "documents")

    def linked_documents(self, name: str) -> DocumentStore:
        """The documents, with what they mention looked up, with progress, among the names of the graph as it is now."""
        from clew.tools.documents.mentions.linking import link_documents, unlinked

        documents = self.documents(name)
        if not documents.totals().documents or not self.schema(name).labels:
            return documents
        index = self.index(name)
        if waiting := sum(document.chunks for document in unlinked(documents, index)):
            with self.progress.task("Linking documents", "chunks", waiting) as advance:
                link_documents(documents, index, advance)
        return documents

    def collection(self, name: str) -> Collection:
        """The documents beside a graph and their index, which is made when first asked for."""
        from clew.tools.documents.collection import Collection

        return Collection(
            self.documents(name),
            self.folder(name),
            self.embedder,
            self.progress.task,
            lambda: self._names(name),
        )

    def _names(self, name: str) -> EntityIndex | None:
        """The entity index of a graph; None for one without a node."""
        return self.index(name) if self.schema(name).labels else None

    def has_texts_at_hand(self, name: str) -> bool:
        """Whether the texts of the graph as it is now can be searched at once: they are indexed, or few."""
        from clew.tools.arrays.index_files import current
        from clew.tools.text_search.index import TextIndex
        from clew.tools.text_search.properties import text_properties

        store, schema = self.store(name), self.schema(name)
        rich = text_properties(store, schema).rich
        if sum(schema.labels[label] for label in rich) <= FEW_TEXTS:
            return True
        return current(lambda: TextIndex.open(self.folder(name) / "texts", self.embedder), store.version()) is not None

    def similar_nodes(self, name: str, index: TextIndex) -> SimilarNodes:
        """Which nodes of a graph say nearly the same; built, with progress, if that is missing or outdated."""
        from clew.tools.text_search.expansion.similar import SimilarNodes

        return SimilarNodes.build(index, self.folder(name) / "similar", self.progress.task)

    def texts(self, name: str) -> GraphTexts:
        """The text index, the similar nodes and the expansion over both; each is made when first asked for."""
        from clew.tools.text_search.expansion.graph_texts import GraphTexts

        return GraphTexts(
            lambda: self.text_index(name),
            lambda index: self.similar_nodes(name, index),
            lambda: self.snapshot(name),
            lambda: self.has_texts_at_hand(name),
        )

    def context(self, name: str) -> Context:
        """Everything that a question to this graph needs; made once."""
        if name not in self._contexts:
            self._contexts[name] = self._context(name)
        return self._contexts[name]

    def teaching_folder(self, name: str) -> Path:
        """Where what a graph was taught is kept (docs/teaching.md)."""
        return self.folder(name) / "teaching"

    def untaught_ranker(self, name: str) -> BaseRanker:
        """The ranker of a graph without what it was taught."""
        from clew.tools.learning.teaching.learned_ranker import LearnedRanker

        ranker: Any = self.context(name).tools.ranker
        return ranker.untaught if isinstance(ranker, LearnedRanker) else ranker

    def forget(self, name: str) -> None:
        """Make a graph's context anew when it is next asked for."""
        self._contexts.pop(name, None)

    def drop(self, name: str) -> None:
        """Remove a graph and all that is derived from it. Raises UnknownGraph."""
        self.database.drop(name)
        self._stores.pop(name, None)
        self._contexts.pop(name, None)
        shutil.rmtree(self.folder(name), ignore_errors=True)

    def rename_session(self, thread: str, name: str) -> None:
        """With its traces. Raises UnknownSession or BadInput."""
        self.sessions.rename(thread, name)
        self.traces.renamed(thread, name)

    def delete_session(self, thread: str) -> None:
        """With its traces. Raises UnknownSession."""
        self.sessions.delete(thread)
        self.traces.forget(thread)

    def close(self) -> None:
        self.__dict__.pop("sessions", None)
        self.__dict__.pop("recorder", None)
        for part in ("exporter", "models", "traces", "conversations", "database"):
            if (opened := self.__dict__.pop(part, None)) is not None:
                opened.close()
        self._stores.clear()
        self._contexts.clear()

    def _context(self, name: str) -> Context:
        from clew.agents.planning.parts_planner import PartsPlanner
        from clew.graphs.context import Context, GraphTools
        from clew.tools.patterns.pattern_sources import PatternSources
        from clew.tools.queries.space.space import QuerySpace

        store = self.store(name)
        self._refuse_unfinished(store)
        schema, index = self.schema(name), self._with_dense(name, self.index(name))
        settings = self.settings
        space = QuerySpace(store, schema, settings.path_semantics)
        self.embedder.embed(["a"])  # Loading the model takes seconds that are not the first question's.
        if self.models is not None:
            self.models.prepare()
        ranker: Any = self._ranker(name, space)
        untaught: Ranker = getattr(ranker, "untaught", ranker)
        tools = GraphTools(
            store=store,
            schema=schema,
            index=index,
            space=space,
            ranker=ranker,
            embedder=self.embedder,
            reranker=self.reranker,
            models=self.models,
            generator=self._cypher_generator(space),
            node_reasoner=self._node_reasoner,
            texts=self.texts(name),
            aggregations=self._aggregations(name, schema),
            documents=self.collection(name),
            planner=PartsPlanner(schema, space.moves, untaught.phrases),
            patterns=PatternSources(index, space.moves, untaught.phrases, untaught.claims, lambda: self.snapshot(name)),
        )
        return Context(tools, recorder=self.recorder, budget=self._budget, expansion=settings.expansion)

    def _aggregations(self, name: str, schema: Schema) -> AggregationReader:
        from clew.tools.queries.aggregation.reader import AggregationReader
        from clew.tools.queries.aggregation.values import PropertyValues

        store, kept_in = self.store(name), self.folder(name) / "values.json"
        values = cache(lambda: PropertyValues.read(store, schema, kept_in))
        return AggregationReader(schema, values, {} if store.terms.imported else store.terms.names)

    @property
    def _budget(self) -> Budget:
        from clew.graphs.run import Budget

        settings = self.settings
        if self.models is None:
            return Budget(settings.question_seconds, settings.question_rows, settings.question_tokens)
        return Budget(
            settings.model_seconds,
            settings.question_rows,
            settings.question_tokens,
            settings.model_iterations,
            settings.model_calls,
        )

    def _ranker(self, name: str, space: QuerySpace) -> Ranker | LearnedRanker:
        """As the graph was taught, where it was and that still fits."""
        from clew.tools.queries.ranking.ranker import Ranker

        untaught = Ranker(space, self.embedder, self._glosses(name), cache=self.folder(name) / "phrases")
        if not (self.teaching_folder(name) / "taught.json").exists():
            return untaught
        from clew.tools.learning.teaching.learned_ranker import LearnedRanker
        from clew.tools.learning.teaching.stored import load_taught

        try:
            taught = load_taught(self.teaching_folder(name), space.schema)
        except BadInput as error:
            self.progress.note(f"Questions are answered as if nothing had been taught: {error.message} {error.remedy}")
            return untaught
        if taught is None:
            return untaught
        return LearnedRanker(untaught, space, self.embedder, taught.preference, taught.patterns)

    def _glosses(self, name: str) -> Glosses | None:
        """The user's own words for the graph's relations, where they wrote some (docs/glosses.md)."""
        from clew.tools.queries.ranking.glosses import Glosses

        path = self.folder(name) / "glosses.toml"
        if not path.exists():
            return None
        glosses, schema = Glosses.load(path), self.schema(name)
        known = {r.type for r in schema.relations} | {p.name for p in schema.properties}
        if unknown := sorted([*(glosses.relations.keys() - known), *(glosses.labels.keys() - schema.labels.keys())]):
            self.progress.note(f"{path}: the graph has no {', '.join(unknown)}; see `clew schema --graph {name}`.")
        return glosses

    def _with_dense(self, name: str, index: EntityIndex) -> EntityIndex:
        """The index with its embeddings, where `clew index --dense` made them for this version of the graph."""
        directory = self.folder(name) / "dense"
        if not directory.exists():
            return index
        from clew.tools.linking.dense import open_dense

        try:
            return index.with_dense(open_dense(index, self.embedder, directory))
        except BadInput as error:
            self.progress.note(f"Names are matched by spelling only: {error.message} {error.remedy}")
            return index

    def _refuse_unfinished(self, store: GraphStore) -> None:
        from clew.tools.ingest import is_unfinished

        if is_unfinished(store.version()):
            raise BadInput(
                f"The import into {store.name} was interrupted, so the graph is not complete.",
                "Run the same `clew import` again: it continues where it stopped.",
            )


def _revealed(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
