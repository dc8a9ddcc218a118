"""clarify: ask which entity is meant if the question is ambiguous, and wait for the choice.

The run is interrupted (LangGraph's `interrupt`). It continues from its checkpoint, in any process, when it is resumed
with a `Chosen`. LangGraph then runs the node from its beginning, so the code before the choice has no side effects.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from langgraph.types import interrupt

from clew.agents.linking.clarifying import Reading, readings
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState, StrategyInput, strategy_input
from clew.graphs.steps import StepResult
from clew.graphs.strategies.ranking import ranked_queries
from clew.tools.graph.entity import Mention
from clew.tools.text_search.details import NodeDetails

MOST_OFFERED = 10
_TOKENS_EACH = 40
"""Tokens for the description of each entity."""
_NEIGHBOURS = 2


class Offered(TypedDict):
    """An entity that the user can choose."""

    id: str
    name: str
    labels: list[str]
    about: str
    """A description from the graph that distinguishes it from the others."""
    asks: str
    """The question's meaning with this entity."""


class Choice(TypedDict):
    """The choice that the user is asked to make."""

    question: str
    mention: str
    offset: int
    """The offset of the mention in `question`."""
    candidates: list[Offered]


class Chosen(TypedDict):
    """The user's choice."""

    entity: str | None
    """The id of a candidate; None for any of them."""


def clarify(state: NodeState, context: Context, span: Span) -> StepResult:
    mentions, chosen = list(state["mentions"]), list[str]()
    for mention in state["ambiguous"]:
        open_readings = _open(mention, mentions, state, context)
        if len(open_readings) < 2:
            continue
        choice = _choice(mention, open_readings, state, context)
        known = mention.text in context.choices
        answer: Chosen = {"entity": context.choices[mention.text]} if known else interrupt(choice)
        span.event("choice", mention=mention.text, candidates=choice["candidates"], chosen=answer["entity"])
        selected = [reading.candidate for reading in open_readings if reading.candidate.entity.id == answer["entity"]]
        if selected:
            mentions[mentions.index(mention)] = replace(mention, candidates=tuple(selected))
            chosen.append(f"“{mention.text}”: {selected[0].entity.name} ({selected[0].entity.label})")
    update = {
        "mentions": mentions,
        "ambiguous": [mention for mention in state["ambiguous"] if mention in mentions],
        "next": "retrieve",
    }
    return StepResult(update, "The question tells which is meant" if not chosen else "Chosen: " + ", ".join(chosen))


def _open(mention: Mention, mentions: list[Mention], state: NodeState, context: Context) -> list[Reading]:
    """The possible readings of the mention, given the choices so far."""
    asked: StrategyInput = {**strategy_input(state), "mentions": mentions, "artifacts": None, "drafts": []}
    names = dict.fromkeys(candidate.matched for candidate in mention.candidates)
    namesakes = [entity for name in names for entity in context.tools.index.by_name(name)]
    return readings(mention, ranked_queries(asked, context), namesakes)[:MOST_OFFERED]


def _choice(mention: Mention, found: list[Reading], state: NodeState, context: Context) -> Choice:
    entities = [reading.candidate.entity for reading in found]
    reader = NodeDetails(context.tools.store, context.tools.schema, None, context.limits())
    details = reader.read(entities, state["resolved"], _TOKENS_EACH * len(entities), _NEIGHBOURS)
    offered: list[Offered] = [
        {"id": e.id, "name": e.name, "labels": [e.label], "about": detail, "asks": reading.asks}
        for e, detail, reading in zip(entities, details, found, strict=True)
    ]
    return {
        "question": state["resolved"], "mention": mention.text, "offset": mention.start, "candidates": offered
    }  # fmt: skip
