"""A plan as data: steps that each give ranked nodes, which of them is the answer, and what the steps gave.

Source: SAGE section 2.2, the planning agent for graphs with a schema: searches by meaning and structural queries in
turn, where a later step starts from the nodes of an earlier one. Typed conditions and an order on any step are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.queries.space.query import Comparison, Hop, Order, Query
from clew.tools.queries.values import Scalar

if TYPE_CHECKING:
    from clew.tools.text_search.index import TextHit

MOST_STEPS = 6
MOST_K = 200
"""Nodes that one search may ask for."""
MOST_ROWS = 1000
"""Rows of one query, and nodes that one step hands to the next."""
LONGEST_TEXT = 400
"""Characters of what is searched for."""
USUAL_K = 20

Kind = Literal["number", "written number", "date", "text", "texts", "boolean", "missing"]
"""How a value is compared: as a number; as a number that the graph writes as text; as ISO text; as text without regard
to case; with any text of a list; as true or false; whether there is none."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition on a property of a step's nodes; the value travels as a parameter."""

    property: str
    comparison: Comparison
    value: Scalar
    kind: Kind | None = None
    """None until the schema has said."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Which of a step's nodes are kept, and in which order."""

    where: tuple[Predicate, ...] = ()
    order: Order | None = None
    top: int | None = None
    """How many of the ordered nodes; None keeps all."""

    @property
    def empty(self) -> bool:
        return not self.where and self.order is None and self.top is None


@dataclass(frozen=True, slots=True)
class Search:
    """The nodes whose name and texts are nearest to a text."""

    name: str
    text: str
    label: str | None = None
    k: int = USUAL_K
    properties: tuple[str, ...] = ()
    """Those searched; none means all."""
    within: str | None = None
    """The step whose nodes alone are searched."""
    narrowing: Narrowing = Narrowing()


@dataclass(frozen=True, slots=True)
class Match:
    """The nodes that a Cypher query gives."""

    name: str
    cypher: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    bound: Mapping[str, str] = field(default_factory=dict)
    """Parameter to the step whose nodes' ids it stands for."""
    narrowing: Narrowing = Narrowing()


@dataclass(frozen=True, slots=True)
class Related:
    """The nodes that a query of the query space gives; it is valid for the schema as it is made."""

    name: str
    query: Query
    narrowing: Narrowing = Narrowing()


@dataclass(frozen=True, slots=True)
class Nodes:
    """All nodes of a label, or of an earlier step."""

    name: str
    label: str | None = None
    within: str | None = None
    narrowing: Narrowing = Narrowing()


@dataclass(frozen=True, slots=True)
class Traverse:
    """The nodes that a hop leads to from the nodes of an earlier step; each has the score of the best of these."""

    name: str
    start: str
    hop: Hop
    within: str | None = None
    """The step whose nodes alone count."""
    narrowing: Narrowing = Narrowing()


Step = Search | Match | Related | Nodes | Traverse


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps by their names, and the name of the step whose nodes answer."""

    steps: tuple[Step, ...]
    answer: str

    @property
    def by_name(self) -> dict[str, Step]:
        return {step.name: step for step in self.steps}

    @property
    def follows_edges(self) -> bool:
        """Whether a step asks for relationships, so that what lies around its nodes was left out on purpose (SAGE
        section 3.3, the policy that skips expansion)."""
        return any(
            isinstance(step, Related | Traverse)
            or (isinstance(step, Match) and ("-[" in step.cypher or "--" in step.cypher))
            for step in self.steps
        )


def starts_from(step: Step) -> tuple[str, ...]:
    """The names of the steps that must have run before it."""
    if isinstance(step, Match):
        return tuple(dict.fromkeys(step.bound.values()))
    if isinstance(step, Traverse):
        return (step.start,) if step.within is None else (step.start, step.within)
    if isinstance(step, Related) or step.within is None:
        return ()
    return (step.within,)


@dataclass(frozen=True, slots=True)
class RankedNode:
    """A node that a step gives."""

    entity: Entity
    score: float
    """0 to 1, comparable within one step."""
    hit: TextHit | None = None
    """How a search found it; its BM25 score and cosine compare over searches for one text."""


@dataclass(frozen=True, slots=True)
class PlanStepResult:
    """What one step gave."""

    name: str
    nodes: tuple[RankedNode, ...] = ()
    """Best first, each once, at most MOST_ROWS."""
    values: tuple[str, ...] = ()
    """What a query gave that are no nodes: numbers, values of properties."""
    truncated: bool = False
    note: str = ""
    """What was done otherwise than planned."""
    cypher: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """What a plan gave."""

    steps: tuple[PlanStepResult, ...]
    answer: PlanStepResult
    error: QueryFailed | None = None
    """What ended the plan early; the answer is then empty."""

    @property
    def empty(self) -> bool:
        return not self.answer.nodes and not self.answer.values


def ranked_node(hit: TextHit) -> RankedNode:
    """A hit of the search in texts as a ranked node."""
    return RankedNode(Entity(hit.id, hit.name, hit.label), hit.score, hit)
