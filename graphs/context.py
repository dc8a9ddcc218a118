"""The runtime context of a question: its configuration, the graph's tools, and the run that it belongs to.

The application builds one `Context` per graph and keeps it; `Context.for_question` makes the context of one question,
with its own deadline, trace and ranking. Nothing in it is part of the graph's state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING, Protocol

from clew.agents.answering.confidence import ENOUGH
from clew.agents.models.calls import Model, OnToken, Role
from clew.graphs.methods import DEFAULT, NEEDS, Method, Need
from clew.graphs.recorder import Recorder
from clew.graphs.run import Budget, Deadline, Run
from clew.tools.documents.search_options import SearchOptions
from clew.tools.embedding import Embedder
from clew.tools.errors import BadInput
from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore, Limits

if TYPE_CHECKING:
    from clew.agents.answering.node_reasoner import NodeReasoner
    from clew.agents.generating.cypher_generator import Generator
    from clew.agents.planning.parts_planner import PartsPlanner
    from clew.tools.documents.collection import Collection
    from clew.tools.linking.index import EntityIndex
    from clew.tools.patterns.pattern_sources import PatternSources
    from clew.tools.queries.paths.cross_encoder import Reranker
    from clew.tools.queries.ranking.ranker import QueryRanker
    from clew.tools.queries.reading.reader import Reader
    from clew.tools.queries.space.space import QuerySpace
    from clew.tools.text_search.expansion.expansion import Policy
    from clew.tools.text_search.expansion.graph_texts import GraphTexts


class Models(Protocol):
    """The language models of all roles, shared by all runs (`clew.agents.models.role_models.Models`)."""

    def of(self, role: Role, *, seconds: float, cancelled: Event, on_token: OnToken | None = None) -> Model | None:
        """The model of a role, or None where the role has none.

        Args:
            role: The role that the model plays.
            seconds: The time that its calls may take together.
            cancelled: An event that ends the calls when it is set.
            on_token: Receives replies while they are written.
        """

    def chosen(self, name: str) -> Models:
        """The models of a question that names one. Raises BadInput where `name` is not one of the choices."""

    @property
    def trusted_alone(self) -> bool:
        """Whether answers that the model gives without evidence are shown (marked as its own) or dropped."""


@dataclass(frozen=True, slots=True)
class GraphTools:
    """One graph, and what questions about it are answered with. Shared by all runs."""

    store: GraphStore
    schema: Schema
    index: EntityIndex
    space: QuerySpace
    ranker: QueryRanker
    embedder: Embedder
    """What searches by meaning: texts, names, triplets."""
    fitted: Embedder | None = None
    """The one whose cosines thresholds were fitted to; None if that is `embedder`."""
    models: Models | None = None
    """None answers without a language model."""
    reranker: Reranker | None = None
    """A cross-encoder that orders what `rerank` found; None leaves that to the embedder."""
    patterns: PatternSources | None = None
    """What patterns are matched in and claims are read with; None disables both."""
    pattern_examples: str = ""
    """Questions with their patterns for the pattern's writer; "" for those that the schema suggests."""
    texts: GraphTexts | None = None
    """What the graph's nodes say; None disables searching it."""
    documents: Collection | None = None
    """The documents beside the graph; None where there are none."""
    planner: PartsPlanner | None = None
    """Plans a question from its parts; None searches the texts for the question's words instead."""
    reader: Reader | None = None
    """Reads questions as logical forms; None leaves them to the ranker."""
    generator: Generator | None = None
    """Chooses among the valid queries of a question; None leaves that to the ranker."""
    node_reasoner: NodeReasoner | None = None
    """Orders the nodes that the queries find; None leaves them as the database has them."""

    @property
    def fitted_embedder(self) -> Embedder:
        """What compares meanings with thresholds."""
        return self.fitted or self.embedder

    @property
    def has_documents(self) -> bool:
        """Whether there are documents that can be searched now."""
        return self.documents is not None and self.documents.is_ready

    def without_models(self) -> GraphTools:
        """The same tools with no language model of any kind."""
        return replace(self, models=None, generator=None, node_reasoner=None)

    def with_model(self, name: str) -> GraphTools:
        """The same tools with one language model in all roles. Raises BadInput where no question can name it."""
        if self.models is None:
            raise BadInput(f"The model {name} cannot be used: no language model is set up.", "Set CLEW_MODEL.")
        return replace(self, models=self.models.chosen(name))


@dataclass(frozen=True, slots=True)
class Context:
    """How questions about one graph are answered, and the run of one of them."""

    tools: GraphTools
    recorder: Recorder = field(default_factory=Recorder)
    budget: Budget = field(default_factory=Budget)
    method: Method = DEFAULT
    """The method that `by` configured this context for."""
    strategies: tuple[str, ...] | None = None
    """The retrieval strategies, all sent out at once; None lets the run decide (clew.graphs.sequence)."""
    messages: bool = False
    """Whether the text of models is streamed while they write it."""
    expansion: Policy = "no-edge"
    """Whether and how what `hybrid` and `plan` find is expanded (tools/text_search/expansion/expansion.py)."""
    document_search: SearchOptions = field(default_factory=SearchOptions)
    """How the documents beside the graph are searched."""
    clarify: bool = False
    """Whether the user is asked, by an interrupt, which entity is meant where the question does not say."""
    choices: Mapping[str, str | None] = field(default_factory=dict)
    """Choices made beforehand, by mention: the id of an entity, or None for any. Nobody is asked about these."""
    reading: int | str | None = None
    """The reading of the question that the user chose, by its number among those offered, or in words."""
    strict: bool = False
    """Whether only what is sure and explained in full is an answer."""
    model: str | None = None
    """The language model that the question named (see `by_model`)."""
    without_model: bool = False
    sure_from: float = ENOUGH
    """The confidence from which on an answer is sure. Below it, the next readings are offered beside it."""
    run: Run = field(default_factory=Run)

    def by(self, method: Method) -> Context:
        """The context as a method configures it.

        Raises:
            BadInput: The graph has none of what the method needs.
        """
        if method.needs and not any(map(self._has, method.needs)):
            lacking, remedies = zip(*(NEEDS[need] for need in method.needs), strict=True)
            raise BadInput(
                f"The method {method.name} needs {' or '.join(lacking)}, which {self.tools.store.name} does not have.",
                f"{' '.join(remedies)} Or choose another method.",
            )
        return replace(
            self,
            method=method,
            strategies=method.strategies_with(model=self.tools.models is not None) or None,
            budget=replace(self.budget, max_iterations=method.readings or self.budget.max_iterations),
            expansion=method.expansion or self.expansion,
            document_search=replace(self.document_search, mode=method.documents or self.document_search.mode),
        )

    def by_model(self, model: str | None, *, without: bool) -> Context:
        """The context with the language model that a question names, or with none. Raises BadInput."""
        if model is not None and without:
            raise BadInput(f"A question is answered with the model {model} or without_model.", "Leave one out.")
        tools = self.tools.without_models() if without else self.tools.with_model(model) if model else self.tools
        return replace(self, tools=tools, model=model, without_model=without)

    def _has(self, need: Need) -> bool:
        """Whether the graph has what a method needs."""
        tools = self.tools
        if need == "texts":
            return tools.texts is not None and tools.planner is not None and tools.planner.rich
        if need == "keywords" and tools.documents is not None:
            return tools.has_documents and tools.documents.has_keywords(self.document_search.splits)
        return tools.has_documents

    def for_question(self, question: str, thread_id: str | None = None, cancelled: Event | None = None) -> Context:
        """The context of one run, whose time starts now. Another thread sets `cancelled` to end the run."""
        trace = self.recorder.begin(graph=self.tools.store.name, question=question, thread_id=thread_id)
        return replace(self, run=Run(trace, Deadline.after(self.budget.seconds), cancelled=cancelled or Event()))

    def limits(self, max_rows: int | None = None) -> Limits:
        """The limits of the next query: never more time than the run has left."""
        usual = Limits()
        return Limits(min(usual.timeout_s, max(self.run.deadline.remaining, 0.05)), max_rows or self.budget.max_rows)
