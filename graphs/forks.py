"""Forks: a run continues from one of its steps with other strategies or entities.

The updates of the earlier steps are replayed as LangGraph checkpoints, superstep by superstep. The changes are one more
update in the name of the step's node, after which the run continues as usual. The checkpoints stay in memory and end
with the fork.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import StateUpdate

from clew.agents.evidence import MentionRef, candidate_ref, exact_candidate
from clew.graphs.context import Context
from clew.graphs.question import QuestionGraph, build_question_graph
from clew.graphs.state import State
from clew.tools.errors import BadInput

READING = ("contextualize", "link", "link_entities", "clarify")
"""Steps after which an entity can be replaced."""
DECIDING = ("contextualize", "link", "link_entities", "clarify", "assess")
"""Steps after which strategies are chosen."""
_THREAD: RunnableConfig = {"configurable": {"thread_id": "fork"}}


@dataclass(frozen=True, slots=True)
class Changes:
    """What a fork changes."""

    strategies: tuple[str, ...] | None = None
    entities: Mapping[str, str] = field(default_factory=dict)
    """By the words of the question that name them, ids of entities."""


@dataclass(frozen=True, slots=True)
class ForkedGraph:
    """A graph with a thread that continues after a step."""

    graph: QuestionGraph
    thread: str
    change: dict[str, Any]
    """The changes of the state."""


def fork_graph(
    supersteps: Sequence[Sequence[tuple[str, Mapping[str, Any]]]],
    question: str,
    history: Sequence[Any],
    changes: Changes,
    context: Context,
) -> ForkedGraph:
    """A graph that continues after the given steps.

    Args:
        supersteps: Those to keep, each with its nodes and their updates.
        question: The question of the run.
        history: The earlier turns of its conversation.
        changes: What the fork changes after the last step.
        context: The context of the graph.

    Raises:
        BadInput: The steps are those of another release's graph, or the changes do not fit.
    """
    graph = build_question_graph(InMemorySaver())
    _check(graph, supersteps)
    asked = {"question": question, "history": list(history)}
    (first, update), *beside = supersteps[0]
    begun = [(first, {**update, **asked}), *beside]
    graph.bulk_update_state(
        _THREAD, [[StateUpdate(dict(update), node) for node, update in each] for each in (begun, *supersteps[1:])]
    )
    state, node = cast(State, graph.get_state(_THREAD).values), supersteps[-1][-1][0]
    change = _change(state, node, changes, context)
    if change:
        graph.update_state(_THREAD, change, as_node=node)
    return ForkedGraph(graph, "fork", change)


def _check(graph: QuestionGraph, supersteps: Sequence[Sequence[tuple[str, Mapping[str, Any]]]]) -> None:
    for node, update in (each for superstep in supersteps for each in superstep):
        unknown = [name for name in (node, *update) if name not in (*graph.nodes, *State.__annotations__)]
        if unknown:
            raise BadInput(
                f"The steps of this run are those of another release: it knew {', '.join(unknown)}.",
                "Replay the run, and fork the replay.",
            )


def _change(state: State, node: str, changes: Changes, context: Context) -> dict[str, Any]:
    """The update that replaces that of the step `node`."""
    if changes.entities and node not in READING:
        raise BadInput(f"After {node} it is settled which entities are meant.", "Fork from link_entities or earlier.")
    if changes.strategies and node not in DECIDING:
        raise BadInput(f"After {node} no strategy is sent out.", f"Fork from one of {', '.join(DECIDING)}.")
    pinned = [_pinned(text, id, state, context) for text, id in changes.entities.items()]
    change: dict[str, Any] = {}
    if node == "contextualize" and pinned:
        change["given"] = _with(state["given"], pinned)
    elif pinned:
        mentions = _with(state["mentions"], pinned)
        ids = sorted({candidate["id"] for mention in mentions for candidate in mention["candidates"]})
        change = {
            "mentions": mentions,
            "alternatives": [m for m in state["alternatives"] if not any(_overlap(m, other) for other in pinned)],
            "ambiguous": [m for m in state["ambiguous"] if not any(_overlap(m, other) for other in pinned)],
            **({} if node == "link" else {"tried": ids, "fresh": ids}),
        }
    if changes.strategies and node in ("link_entities", "clarify", "assess"):
        return {**change, "strategies": list(changes.strategies), "next": "retrieve", "stop_reason": ""}
    # No user waits for a fork, so nobody can choose.
    return {**change, "next": "retrieve"} if state["next"] == "clarify" or (pinned and state["next"]) else change


def _pinned(text: str, id: str, state: State, context: Context) -> MentionRef:
    """The words `text` of the question as a mention of the entity `id` alone."""
    entity = context.tools.index.get(id)
    if entity is None:
        raise BadInput(f"The graph has no entity {id!r}.", "`clew trace show ID --json` has the ids of candidates.")
    candidate = candidate_ref(exact_candidate(entity))
    known = [m for m in [*state["mentions"], *state["given"]] if m["text"].casefold() == text.casefold()]
    if known and known[0]["start"] < known[0]["end"]:
        start, end = known[0]["start"], known[0]["end"]
    else:
        start = state["resolved"].casefold().find(text.casefold()) if text.strip() else -1
        end = start + len(text)
    if start < 0:
        named = ", ".join(f"“{mention['text']}”" for mention in state["mentions"]) or "nothing yet"
        raise BadInput(f"The question {state['resolved']!r} does not say “{text}”.", f"It names {named}.")
    return {"start": start, "end": end, "text": state["resolved"][start:end], "candidates": [candidate]}


def _with(mentions: Sequence[MentionRef], pinned: Sequence[MentionRef]) -> list[MentionRef]:
    """The mentions, with the pinned ones in place of those that they overlap, in the order of the question."""
    others = [mention for mention in mentions if not any(_overlap(mention, other) for other in pinned)]
    return sorted([*others, *pinned], key=lambda mention: mention["start"])


def _overlap(one: MentionRef, other: MentionRef) -> bool:
    """Whether they share words, or are the same name outside the question."""
    shared = one["start"] < other["end"] and other["start"] < one["end"]
    return shared or one["text"].casefold() == other["text"].casefold()
