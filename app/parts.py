"""The parts that all graphs share: database, traces, conversations, embedder, models; opened when first used."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import quote

from pydantic import SecretStr

from clew.app.files import make_private, private_home
from clew.app.loading import ANSWERING, CONNECTING
from clew.app.progress import Progress
from clew.app.settings import Settings
from clew.app.traces.redaction import never_keep, redacted
from clew.tools.embedding.token_budget import use
from clew.tools.errors import BadInput, UnknownGraph
from clew.tools.workers import Workers

if TYPE_CHECKING:
    from clew.agents.generating.chooser import Chooser, LocalChooser
    from clew.agents.models.role_models import Models
    from clew.app.sessions.store import Sessions
    from clew.app.traces.otel_export import OtelExporter
    from clew.app.traces.recording import TraceRecorder
    from clew.app.traces.retention import Retention
    from clew.app.traces.store import TraceStore
    from clew.graphs.conversations import Conversations
    from clew.graphs.question import QuestionGraph
    from clew.tools.embedding import Embedder, MiniLM
    from clew.tools.embedding.vector_store import VectorPlace
    from clew.tools.graph.store.bolt import BoltDatabase
    from clew.tools.graph.store.graph_store import GraphStore
    from clew.tools.learning.generation.chosen import Decoding
    from clew.tools.queries.paths.cross_encoder import CrossEncoder
    from clew.tools.state.claims import Claims
    from clew.tools.state.postgres import Postgres

T = TypeVar("T")


class shared(Generic[T]):
    """A cached property of an object with a `lock`: if several threads need it, one of them computes it."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type[Any]) -> T:
        with instance.lock:
            if self._name not in instance.__dict__:
                instance.__dict__[self._name] = self._compute(instance)
            value: T = instance.__dict__[self._name]
            return value


class Parts:
    """The parts of a Clew home that all graphs share. Safe for several threads."""

    def __init__(self, settings: Settings, progress: Progress) -> None:
        never_keep(*settings.secrets)
        use(settings.token_encoding)
        make_private(settings.home)
        self.settings = settings
        self.progress = progress
        self.lock = RLock()
        """Held while a part is opened."""
        self._stores: dict[str, GraphStore] = {}

    @shared
    def database(self) -> BoltDatabase:
        """The embedded database, started when first used, or the server that the settings name."""
        from clew.tools.graph.store import open_database

        settings = self.settings
        private_home(settings.home)
        reader = (settings.reader_user, _revealed(settings.reader_password) or "") if settings.reader_user else None
        return open_database(
            settings.home,
            settings.database_url,
            settings.database_user,
            _revealed(settings.database_password),
            reader=reader,
            http_url=settings.database_http_url,
            heap=settings.database_heap,
        )

    @shared
    def state(self) -> Postgres | None:
        """The PostgreSQL for conversations, traces and tokens, if the settings name one. Raises BadInput."""
        if (url := _revealed(self.settings.state_url)) is None:
            return None
        try:
            from clew.tools.state.postgres import Postgres
        except ImportError as error:
            raise BadInput(
                f"CLEW_STATE_URL needs {error.name}.", "Install what it takes: pip install 'clew[postgres]'"
            ) from None
        return Postgres(url)

    @property
    def claims(self) -> Claims | None:
        """Names that one process at a time may hold; None where this process shares nothing."""
        if self.state is None:
            return None
        from clew.tools.state.claims import Claims

        return Claims(self.state)

    @shared
    def traces(self) -> TraceStore:
        from clew.app.traces.store import SCHEMA, TraceStore

        where = self.settings.home / "traces.sqlite" if self.state is None else self.state.tables(SCHEMA)
        return TraceStore(where, self.retention)

    @property
    def retention(self) -> Retention:
        """The limits of stored traces: number, size and age."""
        from clew.app.traces.retention import Retention

        return Retention(self.settings.traces_kept, self.settings.traces_mb, self.settings.traces_days)

    @shared
    def recorder(self) -> TraceRecorder:
        """Records the trace of every question."""
        from importlib.metadata import version

        from clew.app.traces.recording import TraceRecorder

        settings, models = self.settings, self.models
        named = ("generator", "generator_adapter", "node_reasoner", "embedder", "reranker", "path_semantics")
        chosen = {name: value for name in (*named, "expansion") if (value := getattr(settings, name)) is not None}
        by_role = {str(role): name for role, name in models.names.items()} if models else {}
        setup = {"clew": version("clew"), "models": by_role, **chosen}
        return TraceRecorder(self.traces, setup=setup, exporter=self.exporter)

    @shared
    def exporter(self) -> OtelExporter | None:
        """Sends finished runs to OpenTelemetry, if the settings enable that."""
        if not self.settings.otel:
            return None
        from clew.app.traces.otel_export import OtelExporter

        return OtelExporter()

    @shared
    def conversations(self) -> Conversations:
        if self.state is not None:
            from clew.graphs.shared_conversations import SharedConversations

            return SharedConversations(self.state, redacted)
        from clew.graphs.conversations import open_conversations

        return open_conversations(self.settings.home / "conversations.sqlite", redacted)

    @shared
    def sessions(self) -> Sessions:
        """The stored conversations, by name."""
        from clew.app.sessions.store import Sessions

        return Sessions(self.conversations)

    @shared
    def question_graph(self) -> QuestionGraph:
        """The question graph with a checkpointer, for conversations."""
        from clew.graphs.question import build_question_graph

        return build_question_graph(self.conversations)

    @shared
    def answering_graph(self) -> QuestionGraph:
        """The question graph without a checkpointer."""
        from clew.graphs.question import build_question_graph

        return build_question_graph()

    @shared
    def minilm(self) -> MiniLM:
        """The packaged embedder, whose cosines the reader, the ranker and the spans of answers were fitted to."""
        from clew.tools.embedding import shared_minilm

        return shared_minilm()

    @property
    def workers(self) -> Workers:
        """Where work that outgrows this process is done."""
        return Workers(self.settings.workers, self.settings.ray, (*CONNECTING, *ANSWERING))

    @shared
    def embedder(self) -> Embedder:
        """What searches by meaning, with many texts spread over the workers. Raises BadInput."""
        from clew.app.embedders import embedder_of
        from clew.tools.embedding.spread import SpreadEmbedder

        here = embedder_of(self.settings)
        if not self.workers.elsewhere:
            return here
        return SpreadEmbedder(here, partial(embedder_of, self.settings), self.workers)

    def vectors(self, name: str) -> VectorPlace:
        """Where the vectors of a graph are searched. Raises BadInput."""
        from clew.app.embedders import vectors_of

        return vectors_of(self.settings, name, lambda: self.database)

    @shared
    def models(self) -> Models | None:
        """The language models that the settings name; None where they name none."""
        settings = self.settings
        if settings.model is None and not settings.models:
            return None
        from clew.app.models import models_of

        return models_of(settings)

    @shared
    def reranker(self) -> CrossEncoder | None:
        """The cross-encoder that the settings name; it is loaded when a question first needs it."""
        settings = self.settings
        if settings.reranker is None:
            return None
        from clew.tools.queries.paths.cross_encoder import CrossEncoder

        return CrossEncoder(
            settings.reranker, downloads=settings.allow_downloads, trust_remote_code=settings.trust_remote_code
        )

    @shared
    def generator(self) -> Chooser | None:
        """The model that the settings name for choosing queries; it is loaded when first needed."""
        settings = self.settings
        return self._chooser(settings.generator, settings.generator_adapter, settings.generator_decoding)

    @property
    def local_generator(self) -> LocalChooser | None:
        """The generator, if it is loaded in this process and not a service."""
        from clew.agents.generating.chooser import LocalChooser

        return self.generator if isinstance(self.generator, LocalChooser) else None

    @shared
    def node_reasoner(self) -> Chooser | None:
        """The model that the settings name for choosing nodes."""
        settings = self.settings
        same = settings.node_reasoner == settings.generator and settings.generator_adapter is None
        same = same and settings.generator_decoding == "exact"
        return self.generator if same else self._chooser(self.settings.node_reasoner, None)

    def _chooser(self, where: str | None, adapter: str | None, decoding: Decoding = "exact") -> Chooser | None:
        if where is None:
            return None
        from clew.agents.generating.choosers import chooser_of
        from clew.app.models import generator_loading

        token = _revealed(self.settings.generator_token)
        return chooser_of(where, adapter, token=token, decoding=decoding, **generator_loading(self.settings))

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
        if (opened := self._stores.get(name)) is None:
            with self.lock:
                opened = self._stores.setdefault(name, self.database.open(name, mapping=self.mapping_file(name)))
        return opened

    def mapping_file(self, name: str) -> Path:
        """What names the nodes of a graph that Clew did not import (docs/neo4j.md); it need not exist."""
        return self.folder(name) / "mapping.toml"

    def folder(self, name: str) -> Path:
        """The folder for the files of a graph; graphs of one name in several databases have folders of their own."""
        url = self.settings.database_url
        server = f"@{hashlib.sha256(url.encode()).hexdigest()[:12]}" if url else ""
        return self.settings.home / "graphs" / (quote(name, safe="") + server)


def _revealed(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
