"""The question graph's state: small plain values, and the reducers by which parallel branches write them.

Every reducer is idempotent, and does not depend on the order of its updates: which of two branches ends first,
or whether one is run again after a fault, changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar

from clew.agents.evidence import (
    Answer,
    ArtifactsRef,
    Attempt,
    EntityRef,
    Evidence,
    Failure,
    MentionRef,
    OfferedReading,
    Provenance,
    Strategy,
    Unmatched,
)
from clew.agents.references import mention_of, mention_ref
from clew.tools.graph.entity import Mention

TURNS_KEPT = 20
"""Turns of a conversation that follow-up questions can reach back to."""

T = TypeVar("T")
Next = Literal["clarify", "retrieve", "link", "conclude", "reason", ""]
"""A node, or `retrieve` for the strategies that are sent out; "" before the first decision."""


class Turn(TypedDict):
    """One question of a conversation, and what it was about."""

    number: int
    question: str
    resolved: str
    """The question as it was answered, follow-ups written out."""
    mentions: list[MentionRef]
    """The entities of the question, with their places in `resolved`."""
    answers: list[EntityRef]
    """The first nodes that it answered."""
    form: NotRequired[dict[str, Any] | None]
    """The logical form that answered it (`clew.tools.queries.follow_ups.stored_forms`)."""
    base: NotRequired[dict[str, Any] | None]
    """The earlier set that the form is a change of."""
    values: NotRequired[list[str]]
    """The first answers that are no nodes."""
    count: NotRequired[int]
    """How many answers there were."""
    sure: NotRequired[bool]


class FollowUpForm(TypedDict):
    """One reading of a follow-up question."""

    form: dict[str, Any]
    """The logical form (`clew.tools.queries.follow_ups.stored_forms`)."""
    base: dict[str, Any] | None
    """The earlier set that it changes."""
    change: str
    """restrict, count, order, project, replace, step or correct."""
    turn: int
    """The number of the turn that it changes."""
    question: str
    """The question with what it takes from that turn written out."""
    cost: float
    unexplained: list[str]
    whole: NotRequired[bool]
    """Whether the question stands by itself, with all that it takes from the conversation."""


class FollowUpRef(TypedDict):
    """How a question was read as a change of an earlier one."""

    change: str
    """restrict, count, order, project, replace, step or correct."""
    turn: int
    """The number of the earlier turn, from 1."""
    of: str
    """Its question."""
    says: str
    """The change in words."""


class Step(TypedDict):
    """What a node did, for people: every front end shows it."""

    node: str
    iteration: int
    title: str
    details: list[str]
    ms: float


def latest_turns(left: list[Turn], right: list[Turn]) -> list[Turn]:
    """The latest TURNS_KEPT turns of both; of two with one number, the same one whatever the order."""
    merged = merge_by_key({turn["number"]: turn for turn in left}, {turn["number"]: turn for turn in right})
    return [merged[number] for number in sorted(merged)][-TURNS_KEPT:]


def merge_evidence(left: dict[str, Evidence], right: dict[str, Evidence]) -> dict[str, Evidence]:
    """One item per triplet: sources are joined, the best score stands."""
    merged = dict(left)
    for key, item in right.items():
        known = merged.get(key)
        merged[key] = item if known is None else _joined(known, item)
    return merged


def union(left: list[str], right: list[str]) -> list[str]:
    """A reducer: the distinct texts of both, sorted."""
    return sorted({*left, *right})


class _Values(TypedDict, total=False):
    """What the state has as plain values, for nodes as well."""

    question: str
    history: Annotated[list[Turn], latest_turns]
    """Earlier turns of the conversation; the only part that outlives a question."""
    resolved: str
    """The question with what it takes from the conversation written out."""
    follow_ups: list[FollowUpForm]
    """The readings of the question as a change of an earlier turn, best first; none if it is one of its own."""
    follow_up: FollowUpRef | None
    """The one of them that was answered."""
    artifacts: ArtifactsRef | None
    """What the linker's model offered in this iteration; None without a model."""
    tried: Annotated[list[str], union]
    """Ids of the entities that any iteration linked."""
    fresh: list[str]
    """Those that this iteration linked for the first time."""
    offered: Annotated[list[str], union]
    """The queries and paths that the linker's model offered in any iteration."""
    dead_ends: Annotated[list[str], union]
    """One sentence for each of them that came to nothing: the linker's model reads it before it tries again."""
    strategies: list[Strategy]
    """Those sent out last."""
    iteration: int
    evidence: Annotated[dict[str, Evidence], merge_evidence]
    selected: list[str]
    """Keys of the evidence that fits the token budget, best first."""
    attempts: Annotated[dict[str, Attempt], merge_by_key]
    errors: Annotated[dict[str, Failure], merge_by_key]
    steps: Annotated[dict[str, Step], merge_by_key]
    next: Next
    """Where the step that decided last sends the run."""
    stop_reason: str
    missing: list[str]
    """What would have been needed, where nothing was found."""
    answers: list[Answer]
    supports: dict[str, list[str]]
    """Evidence key to the ids of the answers that the triplet supports."""
    cypher: str | None
    confidence: float
    explanation: str
    reading: str
    """How the question was read, in words."""
    unexplained: list[str]
    """Words of the question that the reading does not explain."""
    unmatched: list[Unmatched]
    """Words of the question that stand for nothing in the graph."""
    sure: bool
    """Whether the confidence is enough."""
    doubt: str
    """What the answer says of itself where it is not sure."""
    readings: list[OfferedReading]
    """The reading that the answers are of, and the next different ones."""


class NodeState(_Values, total=False):
    """The state as nodes read it."""

    given: list[Mention]
    """Spans of `resolved` whose entities the conversation determines."""
    mentions: list[Mention]
    """The reading that this iteration works with."""
    alternatives: list[Mention]
    """Readings that lost."""
    drafts: list[Mention]
    """The model's draft answers, linked."""
    ambiguous: list[Mention]


class State(_Values, total=False):
    """The state as LangGraph stores it."""

    given: list[MentionRef]
    mentions: list[MentionRef]
    alternatives: list[MentionRef]
    drafts: list[MentionRef]
    ambiguous: list[MentionRef]


class StrategyInput(TypedDict):
    """What a strategy reads; it is sent as plain values."""

    question: str
    mentions: list[Mention]
    alternatives: list[Mention]
    artifacts: ArtifactsRef | None
    drafts: list[Mention]
    fresh: list[str]
    iteration: int
    follow_ups: list[FollowUpForm]


@dataclass(frozen=True, slots=True)
class Conversion:
    """How a value of the state is given to nodes, and stored."""

    typed: Callable[[Any], Any]
    plain: Callable[[Any], Any]


_OF_MENTIONS = Conversion(lambda refs: list(map(mention_of, refs)), lambda mentions: list(map(mention_ref, mentions)))
CONVERSIONS: Mapping[str, Conversion] = dict.fromkeys(
    ("given", "mentions", "alternatives", "drafts", "ambiguous"), _OF_MENTIONS
)
"""By key of the state; `clew.graphs.steps.as_node` makes them."""


def strategy_input(state: NodeState) -> StrategyInput:
    """What the strategies of the current reading are sent."""
    return {
        "question": state["resolved"],
        "mentions": state["mentions"],
        "alternatives": state["alternatives"],
        "artifacts": state["artifacts"],
        "drafts": state["drafts"],
        "fresh": state["fresh"],
        "iteration": state["iteration"],
        "follow_ups": state["follow_ups"],
    }


def merge_by_key(left: dict[Any, T], right: dict[Any, T]) -> dict[Any, T]:
    """The items of both; of two with one key, the same one whatever the order."""
    merged = dict(left)
    for key, item in right.items():
        merged[key] = _greater(merged[key], item) if key in merged else item
    return merged


def _joined(one: Evidence, other: Evidence) -> Evidence:
    provenance: dict[str, Provenance] = merge_by_key(one["provenance"], other["provenance"])
    base = _greater({**one, "provenance": {}, "score": 0.0}, {**other, "provenance": {}, "score": 0.0})
    return {**base, "provenance": provenance, "score": max(one["score"], other["score"])}  # type: ignore[typeddict-item]


def _greater(one: T, other: T) -> T:
    """Of two different values the one whose JSON text comes last: an arbitrary choice, but always the same."""
    if one == other:
        return one
    return max(one, other, key=lambda value: json.dumps(value, sort_keys=True, default=str))
