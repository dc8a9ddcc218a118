"""The findings of a run as plain values, for its state, its trace and the reasoners.

Only ids, names, scores and texts, so that reading a checkpoint needs no code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

from clew.agents.references import CandidateRef as CandidateRef
from clew.agents.references import EntityRef as EntityRef
from clew.agents.references import MentionRef as MentionRef
from clew.agents.references import UnitedQuery as UnitedQuery
from clew.agents.references import candidate_ref as candidate_ref
from clew.agents.references import entity_of as entity_of
from clew.agents.references import entity_ref as entity_ref
from clew.agents.references import exact_candidate as exact_candidate
from clew.agents.references import mention_of as mention_of
from clew.agents.references import mention_ref as mention_ref
from clew.agents.traits import Traits
from clew.tools.graph.entity import AnswerRow, Entity, Mention

if TYPE_CHECKING:
    from clew.tools.graph.triplets import Triplet

Strategy = str
"""The name of a retrieval strategy (`clew.graphs.strategies.registry`)."""
PASSAGE = "passage"
"""The label of a passage of a document, or of rows of a table, as the end of a triplet; its name is its text."""


class RelationStep(TypedDict):
    """One relation of a path; `forward` is None if the linker did not give its direction."""

    relation: str
    forward: bool | None


class ArtifactsRef(TypedDict):
    """The checked artifacts of the linker's model in one iteration. Source: ByoKG-RAG section 3.1, Equations 1-4."""

    entities: list[str]
    paths: list[list[RelationStep]]
    cypher: list[str]
    answers: list[str]
    """Draft answers."""
    finished: bool
    """The model said that the context is enough."""
    notes: list[str]
    """Corrections, repairs and omissions, with their reasons."""


class PassageRef(TypedDict):
    """Where an answer stands in a passage: `text[start:end]`."""

    id: str
    """The passage's, as the end of its evidence."""
    start: int
    end: int
    kind: str
    """What the span is: name, number, time, quote or code."""


class _Found(TypedDict):
    """What was found; `id` is None for a number or a property value."""

    id: str | None
    name: str
    label: str
    detail: NotRequired[str]
    """What the query adds to its name: "number of Product 12"."""
    values: NotRequired[dict[str, Any]]
    """The same as values, by what each of them is: numbers, truths, texts, or lists of them."""
    passage: NotRequired[PassageRef]
    """Where a passage has it."""
    queries: NotRequired[list[int]]
    """The numbers of the united queries that found it (`UnitedQuery`)."""
    near: NotRequired[bool]
    """True if it is only near to what was asked for: it is no answer of the plan, or does not meet its conditions."""


class AnswerRef(_Found):
    """One row of a query."""

    support: int


class Attempt(TypedDict):
    """One query that a strategy ran, and its answers."""

    strategy: Strategy
    iteration: int
    rank: int
    """Position in its strategy's order, from 0; the best attempt of a strategy is the first one with answers."""
    words: str
    cypher: str
    parameters: dict[str, Any]
    confidence: float
    """0 to 1: how sure the strategy is that this query asks what the question asks."""
    anchors: list[EntityRef]
    """The entities that the query starts from."""
    answers: list[AnswerRef]
    truncated: bool
    ms: float
    by_model: NotRequired[bool]
    """True if the linker's model wrote the query or path."""
    unexplained: NotRequired[list[str]]
    """Words of the question that the query does not explain."""
    chosen: NotRequired[bool]
    """True if the user chose this reading of the question."""
    none: NotRequired[bool]
    """True if having no rows is the answer to the question."""
    note: NotRequired[str]
    """What the explanation says of its answers instead of its strategy's sentence, or of their absence."""
    fits: NotRequired[dict[str, float]]
    """By id, 0 to 1: how well an answer fits the question, if a strategy ranks nodes. The answers are in that order."""
    searched: NotRequired[str]
    """What the texts of nodes were searched for, where that chooses or orders the answers."""
    preferred: NotRequired[bool]
    """True if it answers because it searched the texts for words of the question that nothing in the graph explains."""
    united: NotRequired[list[UnitedQuery]]
    """The queries whose nodes are united in its answers; the attempt is otherwise that of the first of them."""
    form: NotRequired[dict[str, Any] | None]
    """The logical form that the query is of."""
    columns: NotRequired[list[str]]
    rows: NotRequired[list[list[str]]]
    """The first rows as texts, if they have more than the answers (several columns, values)."""


class OfferedReading(TypedDict):
    """A reading of the question, and what it answers."""

    reading: str
    """In words."""
    confidence: float
    answers: list[str] | None
    """The first few; None if the reading was not run."""
    count: int | None
    """How many answers there are, or how many were read if `more`."""
    more: bool
    """Whether there are more answers than were read."""
    says: str
    """The answers in words: "Heat, Alien and 3 more"."""
    chosen: bool
    """Whether the user chose it."""


class Unmatched(TypedDict):
    """Words of the question that stand for nothing in the graph."""

    kind: Literal["name", "schema"]
    """A name that no node has, or words that nothing in the schema matches."""
    text: str
    near: list[str]
    """Names of nodes that are spelled nearly so."""


class Provenance(TypedDict):
    """How a triplet became evidence; its nodes are the two ends of the triplet."""

    strategy: Strategy
    iteration: int
    score: float
    cypher: str
    parameters: dict[str, Any]
    node_ids: list[str]


class Evidence(TypedDict):
    """A triplet of the graph, in its direction in the graph."""

    head: EntityRef
    relation: str
    tail: EntityRef
    properties: dict[str, Any]
    score: float
    """The best score in `provenance`."""
    provenance: dict[str, Provenance]
    """By "strategy/iteration"."""


class Failure(TypedDict):
    """A step that failed, and why."""

    step: str
    iteration: int
    kind: str
    """The error's class."""
    message: str


class Answer(_Found):
    """One answer as users see it."""

    score: float
    own: NotRequired[bool]
    """True if a model gave it without evidence; it then has no id and no label."""


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings of a run at its end, as reasoners and explanations read them."""

    question: str
    mentions: Sequence[Mention] = ()
    ambiguous: Sequence[Mention] = ()
    attempts: Mapping[str, Attempt] = field(default_factory=dict)
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    errors: Mapping[str, Failure] = field(default_factory=dict)
    stop_reason: str = ""
    missing: Sequence[str] = ()
    strategies: Traits = field(default_factory=dict)
    """How the answers of each strategy are treated."""


def answer_ref(row: AnswerRow, support: int | None = None) -> AnswerRef:
    """A row of a query as a plain value, with another support where one is given."""
    support = row.support if support is None else support
    return {"id": row.id, "name": str(row.name), "label": row.label, "support": support}


def row_of(entity: EntityRef) -> AnswerRef:
    """A plain entity as a row of a query."""
    return {"id": entity["id"], "name": entity["name"], "label": entity["label"], "support": 1}


def entity_row(entity: Entity) -> AnswerRef:
    """An entity as a row of a query."""
    return row_of(entity_ref(entity))


def evidence_key(head_id: str, relation: str, tail_id: str) -> str:
    """The key of a fact among the evidence of a run."""
    return f"{head_id}\t{relation}\t{tail_id}"


def evidence_of(
    triplet: Triplet, score: float, strategy: Strategy, iteration: int, cypher: str = "", parameters: Any = None
) -> dict[str, Evidence]:
    """A triplet as one keyed item of evidence."""
    head, tail = entity_ref(triplet.head), entity_ref(triplet.tail)
    source: Provenance = {
        "strategy": strategy,
        "iteration": iteration,
        "score": score,
        "cypher": cypher,
        "parameters": plain(parameters or {}),
        "node_ids": [head["id"], tail["id"]],
    }
    item: Evidence = {
        "head": head,
        "relation": triplet.relation,
        "tail": tail,
        "properties": plain(triplet.properties),
        "score": score,
        "provenance": {f"{strategy}/{iteration}": source},
    }
    return {evidence_key(head["id"], triplet.relation, tail["id"]): item}


def plain(value: Any) -> Any:
    """`value` with everything but maps, lists, strings, numbers, booleans and None (dates, points) as text."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    return str(value)
