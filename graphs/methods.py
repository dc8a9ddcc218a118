"""The methods: each paper's way to answer a question, as a configuration of the one question graph.

A method names the strategies that read every question and the limits that they run with. The command line, the API,
the server and docs/methods.md derive from `METHODS`. To add one, add an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.tools.documents.search_options import Mode
    from clew.tools.text_search.expansion.expansion import Policy

Need = Literal["texts", "documents", "keywords"]
NEEDS: Mapping[Need, tuple[str, str]] = {
    "texts": ("nodes with texts", "Import properties that say more than a name."),
    "documents": ("documents beside the graph", "Add some: clew documents add."),
    "keywords": ("documents with an index of keywords", "Build it: clew documents keywords."),
}
"""What a method can need of a graph, in words, and how a graph gets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A way to answer questions: which strategies run, how often, and with which options."""

    name: str
    does: str
    """What it does, as a line for users."""
    source: str
    """The paper and section that it comes from."""
    strategies: tuple[str, ...] = ()
    """The strategies of every reading, sent out at once; none lets the run decide, strategy by strategy, by the
    `Turn` of each (clew.graphs.strategies)."""
    without_model: tuple[str, ...] | None = None
    """The strategies where no language model takes part; None for the same ones."""
    needs: tuple[Need, ...] = ()
    """What the graph must have, any one of these; none for nothing but nodes."""
    readings: int | None = None
    """How often the linker reads the question (T_R in ByoKG-RAG); None for the number of the settings."""
    every_reading: bool = False
    """Whether the linker's model reads the question that often even if attempts agree, unless it says FINISH or
    proposes nothing new."""
    unites: bool = False
    """Whether the nodes of several queries are the answers, ranked, and not those of the first query that has any."""
    expansion: Policy | None = None
    """Whether and how what is found is expanded; None for the policy of the settings."""
    documents: Mode | None = None
    """How documents are searched; None for the mode of the settings."""

    def strategies_with(self, *, model: bool) -> tuple[str, ...]:
        """The strategies that run with or without a language model."""
        return self.strategies if model or self.without_model is None else self.without_model


DEFAULT = Method(
    name="default",
    does="The strategies that fit the question: the most certain first, others if these are not sure",
    source="none",
)
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        DEFAULT,
        Method(
            name="graphraft",
            does="Runs the likeliest valid queries of the question until enough nodes are found, and ranks these",
            source="GraphRAFT 4.1 to 4.3, 5.2",
            strategies=("cypher",),
            readings=1,
            unites=True,
        ),
        Method(
            name="simgrag",
            does="Writes the question as a small graph, and answers from the subgraphs that look most like it",
            source="SimGRAG 4.1 to 4.4",
            strategies=("pattern",),
            readings=1,
        ),
        Method(
            name="byokg",
            does="Links, queries, follows paths, scores triplets and explores the graph, in every reading",
            source="ByoKG-RAG, Algorithm 2",
            strategies=("cypher", "paths", "triplets", "traversal"),
            without_model=("cypher", "paths", "triplets", "rerank"),
            every_reading=True,
        ),
        Method(
            name="spark",
            does="Plans the question as searches in texts and queries, and joins what they find",
            source="SAGE 3.2 (SPARK)",
            strategies=("plan",),
            needs=("texts",),
            readings=1,
            expansion="off",
        ),
        Method(
            name="sage",
            does="Finds nodes by a plan and passages by search, and adds the neighbours that fit",
            source="SAGE 2.2, 3.2, 3.3",
            strategies=("plan", "documents"),
            needs=("texts", "documents"),
            readings=1,
            documents="sage",
        ),
        Method(
            name="ket",
            does="Finds passages by the nearest keywords, and along the skeleton that was extracted from the documents",
            source="KET-RAG, Algorithm 4",
            strategies=("documents",),
            needs=("keywords",),
            readings=1,
            documents="ket",
        ),
    )
}
"""By name, the default first."""


def checked_method(name: str | None, strategies: object = None) -> Method:
    """The method of a name; the default for None.

    Raises:
        BadInput: There is no such method, or `strategies` are named beside it.
    """
    if name is None:
        return DEFAULT
    if strategies:
        raise BadInput(f"The method {name} has strategies of its own.", "Name a method or strategies, not both.")
    if name not in METHODS:
        raise BadInput(f"There is no method {name!r}.", f"There are {', '.join(METHODS)}.")
    return METHODS[name]
