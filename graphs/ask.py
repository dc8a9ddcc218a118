"""One question in, one result out: what the command line, the evaluation and the servers call."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from threading import Event
from typing import Any, TypedDict, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StreamMode

from clew.agents.evidence import Answer, EntityRef, Evidence
from clew.graphs.context import Context
from clew.graphs.conversations import Conversations
from clew.graphs.interruptible import Stopped, interruptible
from clew.graphs.nodes.clarify import Choice, Chosen
from clew.graphs.question import QuestionGraph, build_question_graph, recursion_limit
from clew.graphs.run import ModelCost
from clew.graphs.sequence import prepare
from clew.graphs.state import State, Turn
from clew.graphs.steps import steps_in
from clew.tools.errors import BadInput

MOST_CHARACTERS = 1000
"""Of a question: ranking takes time for every name in it, and cannot be stopped on the way."""


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
    """The query whose rows the answers are."""
    confidence: float
    explanation: str
    trace_id: str
    """Empty where no trace is kept."""
    ms: float
    """Wall-clock milliseconds for all of it."""
    model: ModelCost | None
    """What the model calls took; None without a model."""


def ask(
    graph: QuestionGraph,
    context: Context,
    question: str,
    thread_id: str | None = None,
    history: Sequence[Turn] | None = None,
) -> AskResult:
    """Answer one question. With `thread_id` it belongs to a conversation that the graph's checkpointer keeps;
    with `history` to one that the caller keeps (see `remembered`). Raises ClewError."""
    for event in stream(graph, context, question, thread_id, history):
        if event["type"] == "result":
            return cast(AskResult, event["result"])
    raise AssertionError("a run ends with its result")


def stream(
    graph: QuestionGraph,
    context: Context,
    question: str,
    thread_id: str | None = None,
    history: Sequence[Turn] | None = None,
    *,
    chosen: Chosen | None = None,
    laid: bool = False,
    cancelled: Event | None = None,
    updates: bool = False,
) -> Generator[dict[str, Any], None, None]:
    """As `ask`, telling every step when it is done: {"type": "step", **Step}, …, and at last
    {"type": "result", "result": AskResult, "turn": Turn}; with `updates` also what each node wrote into the state:
    {"type": "update", "node": name, "update": {…}}. With `context.messages`, what models say while they say it (see
    `clew.graphs.model_calls`).

    With `context.clarify` a run of a conversation may end with {"type": "choice", **Choice} instead: it goes on when
    this is called again for the conversation, with the same question and what was `chosen`. With `laid` it goes on from
    the thread's latest checkpoint as it is (see `clew.graphs.forks`).

    Whoever stops listening stops the run's model calls; so does another thread that sets `cancelled`, and then this
    raises Stopped."""
    _check(question)
    started = time.monotonic()
    prepare(context)
    live = context.for_question(question, thread_id)
    if cancelled is not None:
        live = replace(live, run=replace(live.run, cancelled=cancelled))
    with live.run.trace:
        standing = _Standing(live, resumed=chosen is not None)
        asked: State | Command[Any] | None = _asked(question, history) if chosen is None else Command(resume=chosen)
        parts = _parts(graph, live, None if laid else asked, thread_id)
        with closing(parts if live.tools.models is None else interruptible(parts, live.run.cancelled)) as told:
            for mode, part in told:
                if live.run.cancelled.is_set():
                    raise Stopped
                standing.take(mode, part)
                yield from _events(mode, part, updates)
        state, choice = standing.state, standing.choice
        if choice is None:
            result = _result(state, live, (time.monotonic() - started) * 1000)
        live.run.trace.outcome(result if choice is None else {"choice": choice})
    if choice is not None:
        yield {"type": "choice", **choice}
        return
    if thread_id is not None and isinstance(graph.checkpointer, Conversations):
        graph.checkpointer.prune([thread_id])
    yield {"type": "result", "result": result, "turn": state["history"][-1]}


@dataclass(slots=True)
class _Standing:
    """Where a run stands; its trace is told what it began with, and what each superstep wrote."""

    live: Context
    resumed: bool
    """Whether it goes on after a choice."""
    state: State = field(default_factory=State)
    choice: Choice | None = None
    _superstep: int = 0
    _written: list[tuple[str, Any]] = field(default_factory=list)

    def take(self, mode: str, part: Any) -> None:
        """What LangGraph streams: all that a superstep wrote comes before the state after it."""
        if "__interrupt__" in part:
            self.choice = part["__interrupt__"][0].value
        elif mode == "updates":
            self._written += part.items()
        elif mode == "values":
            self.state = part
            if self._superstep == 0:
                _begin(self.live, part, resumed=self.resumed)
            for node, each in self._written:
                self.live.run.trace.wrote(self._superstep, node, each)
            self._superstep, self._written = self._superstep + 1, []


def _events(mode: str, part: Any, updates: bool) -> Iterator[dict[str, Any]]:
    """What listeners are told of a part of LangGraph's stream."""
    if "__interrupt__" in part:
        return
    if mode == "custom":
        yield part
    elif mode == "updates":
        for node, written in part.items():
            yield from ({"type": "step", **step} for step in steps_in(written))
            if updates:
                yield {"type": "update", "node": node, "update": written}


def _check(question: str) -> None:
    if not question.strip():
        raise BadInput("The question is empty.", "Ask something, such as “Who directed Alien?”.")
    if len(question) > MOST_CHARACTERS:
        raise BadInput(
            f"The question has {len(question):,} characters; {MOST_CHARACTERS:,} are read.", "Ask in several questions."
        )
    try:
        question.encode()
    except UnicodeEncodeError:
        raise BadInput("The question holds bytes that are no text.", "Write it in UTF-8.") from None


def _parts(
    graph: QuestionGraph,
    context: Context,
    asked: State | Command[Any] | None,
    thread_id: str | None,
) -> Generator[tuple[str, Any], None, None]:
    if thread_id is not None and not graph.checkpointer:
        raise BadInput("This graph keeps no conversations.", "Build it with a checkpointer, or pass the history.")
    config: RunnableConfig = {"recursion_limit": recursion_limit(context.budget)}
    if thread_id is not None:
        config["configurable"] = {"thread_id": thread_id}
    # A question's own checkpoint is enough: it takes a fraction of a second, and is asked again after a crash.
    keeps: Any = {"durability": "exit"} if thread_id is not None else {}
    runnable = graph if thread_id is not None else _without_memory()
    # To listen to what nodes say while they run makes LangGraph run each in a thread, beside one that waits.
    modes: list[StreamMode] = ["values", "updates", "custom"] if context.messages else ["values", "updates"]
    yield from runnable.stream(asked, config, context=context, stream_mode=modes, **keeps)


def _begin(context: Context, state: State, *, resumed: bool) -> None:
    """Tell the trace what it takes to ask the same again. A run that goes on after a choice begins with the state as
    `ground` left it."""
    context.run.trace.begun(
        kind="question",
        history=state.get("history", []),
        strategies=context.strategies,
        budget=asdict(context.budget),
        clarify=context.clarify,
        graph_version=context.tools.schema.version,
    )
    if resumed:
        context.run.trace.wrote(0, "ground", {key: value for key, value in state.items() if key != "history"})


def _asked(question: str, history: Sequence[Turn] | None) -> State:
    asked: State = {"question": question}
    if history is not None:
        asked["history"] = list(history)
    return asked


@cache
def _without_memory() -> QuestionGraph:
    return build_question_graph()


def _result(state: State, context: Context, ms: float) -> AskResult:
    supports = state["supports"]
    ordered = sorted(state["selected"], key=lambda key: key not in supports)
    return {
        "question": state["question"],
        "answers": state["answers"],
        "evidence": [_support(state["evidence"][key], supports.get(key, [])) for key in ordered],
        "cypher": state["cypher"],
        "confidence": state["confidence"],
        "explanation": state["explanation"],
        "trace_id": context.run.trace.id,
        "ms": round(ms, 3),
        "model": context.run.ledger.summary() if context.tools.models is not None else None,
    }


def _support(item: Evidence, supports: list[str]) -> Support:
    found_by: list[FoundBy] = [
        {
            "strategy": source["strategy"],
            "iteration": source["iteration"],
            "score": source["score"],
            "cypher": source["cypher"],
            "parameters": source["parameters"],
        }
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
