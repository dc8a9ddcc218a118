"""The runtime context of a question: what is live and therefore not in the state.

The application builds one `Context` per graph and keeps it; `Context.run` makes the context of one question,
with its own deadline, trace and ranking.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Event, Lock
from typing import TYPE_CHECKING, Protocol

from clew.agents.models.calls import Model, OnToken, Role
from clew.graphs.model_calls import Ledger
from clew.graphs.recorder import NoRecorder, NoRun, Recorder, Run
from clew.tools.embedding import Embedder
from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits

if TYPE_CHECKING:
    from clew.agents.answering.node_reasoner import NodeReasoner
    from clew.agents.generating.cypher_generator import Generator
    from clew.agents.planning.parts_planner import PartsPlanner
    from clew.tools.documents.index.index import DocumentIndex
    from clew.tools.documents.skeleton.skeleton import Skeleton
    from clew.tools.documents.store.store import DocumentStore
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.graph.triplets import Triplet
    from clew.tools.linking.index import EntityIndex
    from clew.tools.linking.mentions import Linking
    from clew.tools.patterns import Pattern, Sources
    from clew.tools.queries.aggregation.reader import AggregationReader
    from clew.tools.queries.paths.cross_encoder import Reranker
    from clew.tools.queries.ranking.claims import ClaimReader
    from clew.tools.queries.ranking.similarity import SchemaPhrases
    from clew.tools.queries.space.query import Query, RankedQuery
    from clew.tools.queries.space.space import Answers
    from clew.tools.text_search.expansion.expansion import Expansion, Policy
    from clew.tools.text_search.expansion.similar import SimilarNodes
    from clew.tools.text_search.index import TextIndex

STRATEGIES = (
    "cypher", "paths", "triplets", "rerank", "pattern", "traversal", "hybrid", "plan", "aggregate", "documents"
)  # fmt: skip
_BY_TEXT = frozenset({"hybrid", "plan"})
_FIRST, _HELD_BACK = ("cypher",), ("paths", "triplets")
_FIRST_WITH_MODEL, _SCORING, _HELD_BACK_WITH_MODEL = ("cypher", "paths"), ("triplets", "rerank"), ("traversal",)


@dataclass(frozen=True, slots=True)
class Budget:
    """What one question may cost. A run past its budget returns what it has found."""

    seconds: float = 20.0
    """Wall-clock time; looked at before every query, and the limit of every query's own time."""
    max_rows: int = 2000
    """Rows of one query."""
    max_tokens: int = 4000
    """Evidence handed to the reasoner and to users, in tokens."""
    max_iterations: int = 2
    """Times that the linker is asked (T_R in ByoKG-RAG section 3.6)."""
    max_model_calls: int = 12
    """Calls of a language model; a role that is refused one does without."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point in time up to which work may be begun."""

    at: float = float("inf")
    """On the clock of `time.monotonic`."""

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(time.monotonic() + seconds)

    @property
    def remaining(self) -> float:
        """Seconds left, 0 or more."""
        return max(0.0, self.at - time.monotonic())

    @property
    def passed(self) -> bool:
        return self.remaining <= 0


class QuerySpace(Protocol):
    """As clew.tools.queries.space.space.QuerySpace."""

    def execute(self, query: Query, limits: Limits | None = None) -> Answers: ...

    def evidence(self, query: Query, row_ids: list[str], limit: int) -> list[Triplet]: ...


class Ranker(Protocol):
    """As clew.tools.queries.ranking.ranker.Ranker."""

    def rank(self, question: str, linking: Linking, limit: int = 20) -> list[RankedQuery]: ...


class Models(Protocol):
    """As clew.agents.models.role_models.Models: the models of all roles, shared by all runs."""

    def of(self, role: Role, *, seconds: float, cancelled: Event, on_token: OnToken | None = None) -> Model | None:
        """The model of a role for calls within the next `seconds`; None if the role has no model. Setting `cancelled`
        ends them. `on_token` gets the pieces of replies as they arrive."""

    @property
    def trusted_alone(self) -> bool:
        """Whether answers that the model gives without evidence are shown (marked as its own) or dropped."""


class Patterns(Protocol):
    """As patterns.pattern_sources.PatternSources: what patterns are matched in, and what claims are read with."""

    @property
    def snapshot(self) -> Snapshot:
        """Built when first asked for."""

    @property
    def claims(self) -> ClaimReader: ...

    @property
    def phrases(self) -> SchemaPhrases: ...

    def sources(self, pattern: Pattern) -> Sources:
        """The candidates of a pattern's known parts, and the labels of its types."""


class Texts(Protocol):
    """As GraphTexts: what the graph's nodes say. Each part is built when first asked for,
    which takes minutes for a large graph and shows its progress."""

    @property
    def at_hand(self) -> bool:
        """Whether they can be searched without minutes of indexing first."""

    @property
    def index(self) -> TextIndex: ...

    @property
    def similar(self) -> SimilarNodes: ...

    @property
    def expansion(self) -> Expansion:
        """Over explicit relationships and similar nodes, for the seeds of any strategy."""


class Documents(Protocol):
    """As clew.tools.documents.collection.Collection: the documents beside the graph, as they are now."""

    @property
    def empty(self) -> bool: ...

    @property
    def at_hand(self) -> bool:
        """Whether there are some that can be searched without minutes of indexing first."""

    @property
    def index(self) -> DocumentIndex: ...

    @property
    def store(self) -> DocumentStore: ...

    @property
    def skeleton(self) -> Skeleton | None:
        """The entities and relations of their core chunks; None where there is none."""


class SharedRanking:
    """The ranked queries of the reading at hand: worked out once, by whichever strategy asks first."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker
        self._lock = Lock()
        self._key: tuple[str, Linking] | None = None
        self._ranked: list[RankedQuery] = []

    def rank(self, question: str, linking: Linking) -> list[RankedQuery]:
        with self._lock:
            if self._key != (question, linking):
                self._ranked = self._ranker.rank(question, linking)
                self._key = (question, linking)
            return self._ranked


@dataclass(frozen=True, slots=True)
class Context:
    """One graph, and the tools made for it."""

    store: GraphStore
    schema: Schema
    index: EntityIndex
    space: QuerySpace
    ranker: Ranker
    embedder: Embedder
    recorder: Recorder = field(default_factory=NoRecorder)
    budget: Budget = Budget()
    strategies: tuple[str, ...] | None = None
    """The retrieval strategies, all sent out at once; None lets the run decide: `cypher` and `aggregate` alone
    while one is sure of its answers, and the others as soon as it is not. With a model, what runs
    its query and paths goes first, then what scores the facts around, and `traversal`, which asks it more, waits."""
    models: Models | None = None
    """None answers without a language model."""
    messages: bool = False
    """Whether what models say is told while they say it."""
    reranker: Reranker | None = None
    """A cross-encoder that orders what `rerank` found; None leaves that to the embedder."""
    patterns: Patterns | None = None
    """None where neither patterns are matched nor statements checked."""
    texts: Texts | None = None
    """None where nodes are not searched by what they say."""
    expansion: Policy = "no-edge"
    """Whether and how what `hybrid` and `plan` find is expanded (tools/text_search/expansion/expansion.py)."""
    documents: Documents | None = None
    """None where there are no documents beside the graph, nor will be."""
    planner: PartsPlanner | None = None
    """Plans a question from its parts; None searches its words in the texts instead."""
    aggregations: AggregationReader | None = None
    """Reads questions for numbers, groups and order over all of something; None leaves these to the ranker."""
    clarify: bool = False
    """Whether the user is asked, by an interrupt, which entity is meant where the question does not tell."""
    choices: Mapping[str, str | None] = field(default_factory=dict)
    """What was chosen already, by mention: the id of an entity, or None for any; nobody is asked about these."""
    generator: Generator | None = None
    """Chooses among the valid queries of a question; None leaves that to the ranker."""
    node_reasoner: NodeReasoner | None = None
    """Orders the nodes that the queries find; None leaves them as the database has them."""
    run: Run = field(default_factory=NoRun)
    deadline: Deadline = Deadline()
    ledger: Ledger = field(default_factory=Ledger)
    """What the run's model calls took."""
    cancelled: Event = field(default_factory=Event)
    """Set when nobody waits for the answer any more."""
    ranking: SharedRanking = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranking", SharedRanking(self.ranker))

    def for_question(self, question: str, thread_id: str | None = None) -> Context:
        """The context of one run, whose time starts now."""
        self._read_texts()
        run = self.recorder.begin(graph=self.store.name, question=question, thread_id=thread_id)
        return replace(self, run=run, deadline=Deadline.after(self.budget.seconds), ledger=Ledger(), cancelled=Event())

    def _read_texts(self) -> None:
        """Have the texts indexed, if need be, before the time of a question that searches them begins."""
        if self.texts is not None and _BY_TEXT & {*(self.strategies or ()), *self._planned}:
            if self.expansion == "off" or not self.strategies:
                _ = self.texts.index
            else:
                self.texts.expansion.prepare()

    @property
    def first_strategies(self) -> tuple[str, ...]:
        """Those that every reading of the question is sent to."""
        if self.strategies or self.models is not None:
            return self.strategies or _FIRST_WITH_MODEL
        if not self.schema.labels and self._with_documents:
            return self._with_documents
        return _FIRST if self.aggregations is None else (*_FIRST, "aggregate")

    @property
    def scoring_strategies(self) -> tuple[str, ...]:
        """With a model: those that follow in the same reading where the first are not sure."""
        if self.strategies or self.models is None:
            return ()
        return (*_SCORING, *self._planned, *self._with_documents)

    @property
    def held_back_strategies(self) -> tuple[str, ...]:
        """Those that wait until the others are not sure."""
        if self.strategies or not self.schema.labels:
            return ()
        if self.models is None:
            return (*_HELD_BACK, *self._planned, *self._with_documents)
        walker = self.models.of("traversal", seconds=0.0, cancelled=self.cancelled)
        return () if walker is None else _HELD_BACK_WITH_MODEL

    @property
    def _with_documents(self) -> tuple[str, ...]:
        """`documents`, where nobody named strategies and there are some."""
        return ("documents",) if not self.strategies and self.documents_at_hand else ()

    @property
    def documents_at_hand(self) -> bool:
        """Whether there are documents beside the graph that can be searched now."""
        return self.documents is not None and self.documents.at_hand

    @property
    def _planned(self) -> tuple[str, ...]:
        """`plan`, where nobody named strategies and the graph's nodes say more than their names: what they say is
        indexed, or soon will be."""
        if self.strategies or self.texts is None or self.planner is None or not self.planner.rich:
            return ()
        return ("plan",) if self.texts.at_hand else ()

    def limits(self, max_rows: int | None = None) -> Limits:
        """The limits of the next query: never more time than the run has left."""
        usual = Limits()
        return Limits(min(usual.timeout_s, max(self.deadline.remaining, 0.05)), max_rows or self.budget.max_rows)
