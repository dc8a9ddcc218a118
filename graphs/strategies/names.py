"""Resolution of names in a model's query, and the part of the schema that the model sees."""

from __future__ import annotations

from collections.abc import Iterable

from clew.graphs.context import GraphTools
from clew.graphs.defined import with_definitions
from clew.graphs.state import StrategyInput
from clew.tools.cypher_repair.rows import Lookup
from clew.tools.embedding.token_budget import counter
from clew.tools.graph.entity import Candidate, Entity
from clew.tools.graph.schema_text import schema_text
from clew.tools.linking.normalise import fold

CANDIDATES = 3
"""Maximum number of entities for one name (m in ByoKG-RAG section 3.2)."""


def linked_as(literal: str, label: str | None, state: StrategyInput) -> list[Candidate]:
    """The linked entities of mentions with the same text."""
    folded = fold(literal)
    return [
        candidate
        for mention in (*state["mentions"], *state["drafts"])
        if fold(mention.text) == folded
        for candidate in mention.candidates
        if label in (None, candidate.entity.label)
    ]


def lookup_in(tools: GraphTools) -> Lookup:
    """Converts rows to entities: by id, or by name and label."""

    def by_name(name: str, label: str | None) -> Entity | None:
        return next((e for e in tools.index.by_name(name) if label in (None, e.label)), None)

    return Lookup(tools.index.get, by_name)


def schema_shown(tools: GraphTools, state: StrategyInput, budget: int, concerned: Iterable[str] = ()) -> str:
    """The schema as text of at most `budget` tokens; keeps the labels of linked entities and those in `concerned`."""
    mentioned = {c.entity.label for mention in state["mentions"] for c in mention.candidates}
    shown = schema_text(
        tools.schema, state["question"], {*concerned, *mentioned},
        count=counter(), budget=budget, terms=tools.store.terms,
    )  # fmt: skip
    return with_definitions(shown.text, state["question"], tools)
