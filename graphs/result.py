"""What a question results in, made of the state in which its run ended."""

from __future__ import annotations

from typing import Any, TypedDict

from clew.agents.evidence import Answer, EntityRef, Evidence, OfferedReading, UnitedQuery, Unmatched
from clew.graphs.context import Context
from clew.graphs.run import ModelCost
from clew.graphs.state import FollowUpRef, State


class FoundBy(TypedDict):
    strategy: str
    iteration: int
    score: float
    cypher: str
    parameters: dict[str, Any]


class Support(TypedDict):
    """A triplet of the graph that the answers rest on."""

    head: EntityRef
    relation: str
    tail: EntityRef
    properties: dict[str, Any]
    score: float
    supports: list[str]
    """Ids of the answers that it supports (names, for answers without an id)."""
    found_by: list[FoundBy]


class AskResult(TypedDict):
    question: str
    answers: list[Answer]
    """Best first; empty where none was found."""
    evidence: list[Support]
    """Those that support an answer come first."""
    cypher: str | None
    """The query whose rows the answers are; the first of `queries` where several are united."""
    queries: list[UnitedQuery]
    """The queries whose nodes are united in the answers, each of which names those that found it; usually none."""
    confidence: float
    explanation: str
    reading: str
    """How the question was read, in words; empty where nothing fits it."""
    sure: bool
    """Whether there are answers and the confidence is enough."""
    doubt: str
    """What the answer says of itself where it is not sure: "I am not sure. Did you mean:"."""
    readings: list[OfferedReading]
    """The reading that was answered, and the next ones with other answers; of a sure answer the others are not run."""
    unexplained: list[str]
    """Words of the question that the reading does not explain."""
    unmatched: list[Unmatched]
    """Words of the question that stand for nothing in the graph. Then there are no answers."""
    follow_up: FollowUpRef | None
    """Which change of an earlier question of the conversation it was read as; None for a question of its own."""
    trace_id: str
    """Empty where no trace is kept."""
    ms: float
    """Wall-clock milliseconds for all of it."""
    model: ModelCost | None
    """What the model calls took; None without a model."""


def result_of(state: State, context: Context, ms: float) -> AskResult:
    """The result of a run that has ended in this state, after `ms` milliseconds."""
    supports = state["supports"]
    ordered = sorted(_of_answer(state, context), key=lambda key: key not in supports)
    return {
        "question": state["question"],
        "answers": state["answers"],
        "evidence": [_support(state["evidence"][key], supports.get(key, [])) for key in ordered],
        "cypher": state["cypher"],
        "queries": _united(state),
        "confidence": state["confidence"],
        "explanation": state["explanation"],
        "reading": state["reading"],
        "sure": state["sure"],
        "doubt": state["doubt"],
        "readings": state["readings"],
        "unexplained": state["unexplained"],
        "unmatched": state["unmatched"],
        "follow_up": state["follow_up"],
        "trace_id": context.run.trace.id,
        "ms": round(ms, 3),
        "model": context.run.ledger.summary() if context.tools.models is not None else None,
    }


def _united(state: State) -> list[UnitedQuery]:
    """The queries whose nodes are united in the answers."""
    if not any("queries" in answer for answer in state["answers"]):
        return []
    answered = (a for a in state["attempts"].values() if a["cypher"] == state["cypher"] and "united" in a)
    return next((attempt["united"] for attempt in answered), [])


def _of_answer(state: State, context: Context) -> list[str]:
    """The evidence of the query that answers and of its answers; all of it where a language model has read all."""
    selected, supports, cypher = state["selected"], state["supports"], state["cypher"]
    if context.tools.models is not None or cypher is None:
        return selected
    sources = {key: state["evidence"][key]["provenance"].values() for key in selected}
    own = [key for key in selected if key in supports or any(s["cypher"] == cypher for s in sources[key])]
    return own or selected


def _support(item: Evidence, supports: list[str]) -> Support:
    found_by: list[FoundBy] = [
        {key: source[key] for key in FoundBy.__annotations__}  # type: ignore[misc, literal-required]
        for source in item["provenance"].values()
    ]
    return {
        "head": item["head"],
        "relation": item["relation"],
        "tail": item["tail"],
        "properties": item["properties"],
        "score": item["score"],
        "supports": supports,
        "found_by": found_by,
    }
