"""clarify: ask which entity is meant, where the question does not tell, and wait for the choice.

The run is interrupted (LangGraph's `interrupt`) and goes on from its checkpoint, in any process, when it is resumed
with a `Chosen`. The node is run anew from its beginning then, as LangGraph does it: what comes before the choice only
reads.
"""

from __future__ import annotations

from typing import TypedDict

from langgraph.types import interrupt

from clew.agents.evidence import CandidateRef, MentionRef, entity_ref, mention_of
from clew.agents.linking.clarifying import Reading, readings
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import State, StrategyInput
from clew.graphs.steps import StepResult
from clew.graphs.strategies.ranking import ranked_queries
from clew.tools.text_search.details import NodeDetails

MOST_OFFERED = 10
_TOKENS_EACH = 40
"""Of what is said about an entity."""
_NEIGHBOURS = 2


class Offered(TypedDict):
    """An entity to choose."""

    id: str
    name: str
    labels: list[str]
    about: str
    """What the graph says of it, to tell it from the others."""
    asks: str
    """What the question asks where it is meant."""


class Choice(TypedDict):
    """What the user is asked."""

    question: str
    mention: str
    offset: int
    """Where the mention stands in `question`."""
    candidates: list[Offered]


class Chosen(TypedDict):
    """What the user says."""

    entity: str | None
    """The id of one of the candidates; None for any of them."""


def clarify(state: State, context: Context, span: Span) -> StepResult:
    mentions, chosen = list(state["mentions"]), list[str]()
    for mention in state["ambiguous"]:
        open_readings = _open(mention, mentions, state, context)
        if len(open_readings) < 2:
            continue
        choice = _choice(mention, open_readings, state, context)
        known = mention["text"] in context.choices
        said: Chosen = {"entity": context.choices[mention["text"]]} if known else interrupt(choice)
        span.event("choice", mention=mention["text"], candidates=choice["candidates"], chosen=said["entity"])
        taken = [_candidate(reading) for reading in open_readings if reading.candidate.entity.id == said["entity"]]
        if taken:
            mentions[mentions.index(mention)] = {**mention, "candidates": taken}
            chosen.append(f"“{mention['text']}”: {taken[0]['name']} ({taken[0]['label']})")
    update = {
        "mentions": mentions,
        "ambiguous": [mention for mention in state["ambiguous"] if mention in mentions],
        "next": "retrieve",
    }
    return StepResult(update, "The question tells which is meant" if not chosen else "Chosen: " + ", ".join(chosen))


def _open(mention: MentionRef, mentions: list[MentionRef], state: State, context: Context) -> list[Reading]:
    """What the mention may stand for, with what was chosen so far."""
    asked: StrategyInput = {
        "question": state["resolved"],
        "mentions": mentions,
        "alternatives": state["alternatives"],
        "artifacts": None,
        "drafts": [],
        "fresh": state["fresh"],
        "iteration": state["iteration"],
    }
    names = dict.fromkeys(candidate["matched"] for candidate in mention["candidates"])
    namesakes = [entity for name in names for entity in context.tools.index.by_name(name)]
    return readings(mention_of(mention), ranked_queries(asked, context), namesakes)[:MOST_OFFERED]


def _choice(mention: MentionRef, found: list[Reading], state: State, context: Context) -> Choice:
    entities = [reading.candidate.entity for reading in found]
    reader = NodeDetails(context.tools.store, context.tools.schema, None, context.limits())
    details = reader.read(entities, state["resolved"], _TOKENS_EACH * len(entities), _NEIGHBOURS)
    offered: list[Offered] = [
        {"id": e.id, "name": e.name, "labels": [e.label], "about": detail, "asks": reading.asks}
        for e, detail, reading in zip(entities, details, found, strict=True)
    ]
    return {
        "question": state["resolved"], "mention": mention["text"], "offset": mention["start"], "candidates": offered
    }  # fmt: skip


def _candidate(reading: Reading) -> CandidateRef:
    found = reading.candidate
    return {**entity_ref(found.entity), "score": found.score, "matcher": found.matcher, "matched": found.matched}
