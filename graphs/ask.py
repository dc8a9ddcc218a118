"""One question in, one result out: what the command line, the evaluation and the servers call."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from threading import Event
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StreamMode

from clew.graphs.context import Context
from clew.graphs.conversations import Conversations
from clew.graphs.interruptible import Stopped, interruptible
from clew.graphs.nodes.clarify import Choice, Chosen
from clew.graphs.question import QuestionGraph, recursion_limit
from clew.graphs.result import AskResult, result_of
from clew.graphs.run import MOST_CHARACTERS
from clew.graphs.sequence import prepare
from clew.graphs.state import State, Turn
from clew.graphs.steps import steps_in
from clew.tools.arrays.one_thread import ONE_THREAD
from clew.tools.errors import BadInput


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One question, and how it is run."""

    question: str
    thread_id: str | None = None
    """The conversation that it belongs to, where the graph's checkpointer keeps it."""
    history: Sequence[Turn] | None = None
    """The conversation that it belongs to, where the caller keeps it."""
    chosen: Chosen | None = None
    """The user's choice, where the run waits for one in the conversation; the question is the same then."""
    resume_from_checkpoint: bool = False
    """Whether the run goes on from the latest checkpoint of the conversation as it is (`clew.graphs.forks`)."""
    cancelled: Event | None = None
    """Another thread sets it to end the run, which then raises Stopped."""
    updates: bool = False
    """Whether what each node writes into the state is yielded, too."""

    @property
    def input(self) -> State | Command[Any] | None:
        """What the graph is given."""
        if self.resume_from_checkpoint:
            return None
        if self.chosen is not None:
            return Command(resume=self.chosen)
        asked: State = {"question": self.question}
        if self.history is not None:
            asked["history"] = list(self.history)
        return asked


def ask(
    graph: QuestionGraph,
    context: Context,
    question: str,
    thread_id: str | None = None,
    history: Sequence[Turn] | None = None,
) -> AskResult:
    """Answer one question; see `RunRequest` for the arguments. Raises ClewError."""
    for event in stream(graph, context, RunRequest(question, thread_id, history)):
        if event["type"] == "result":
            return cast(AskResult, event["result"])
    raise AssertionError("a run ends with its result")


def stream(graph: QuestionGraph, context: Context, request: RunRequest) -> Generator[dict[str, Any], None, None]:
    """Answer one question, and yield what happens.

    Closing the generator ends the run and its model calls.

    Yields:
        Each step when it is done: {"type": "step", **Step}. With `request.updates` also what each node wrote:
        {"type": "update", "node": name, "update": {…}}. With `context.messages` also the text of models while they
        write it (`clew.graphs.model_calls`). At last {"type": "result", "result": AskResult, "turn": Turn}, or, with
        `context.clarify`, {"type": "choice", **Choice}: the run of a conversation waits for a choice then, and goes on
        with a request that has it.

    Raises:
        BadInput: The question cannot be answered by this graph in this way.
        Stopped: Another thread set `request.cancelled`.
        ClewError: A fault that no step could do without.
    """
    check_text(request.question, MOST_CHARACTERS, "question", "Ask something, such as “Who directed Alien?”.",
               "Ask in several questions.")  # fmt: skip
    started = time.monotonic()
    prepare(context)
    live = context.for_question(request.question, request.thread_id, request.cancelled)
    with ONE_THREAD, live.run.trace:
        progress = _Progress(live, resumed=request.chosen is not None)
        parts = _parts(graph, live, request)
        with closing(parts if live.tools.models is None else interruptible(parts, live.run.cancelled)) as items:
            for mode, part in items:
                if live.run.cancelled.is_set():
                    raise Stopped
                progress.take(mode, part)
                yield from _events(mode, part, request.updates)
        state, choice = progress.state, progress.choice
        if choice is None:
            result = result_of(state, live, (time.monotonic() - started) * 1000)
        live.run.trace.outcome(result if choice is None else {"choice": choice})
    if choice is not None:
        yield {"type": "choice", **choice}
        return
    if request.thread_id is not None and isinstance(graph.checkpointer, Conversations):
        graph.checkpointer.prune([request.thread_id])
    yield {"type": "result", "result": result, "turn": state["history"][-1]}


@dataclass(slots=True)
class _Progress:
    """The state of a run so far. Its trace receives what it began with, and what each superstep wrote."""

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
    """The event for listeners of a part of LangGraph's stream."""
    if "__interrupt__" in part:
        return
    if mode == "custom":
        yield part
    elif mode == "updates":
        for node, written in part.items():
            yield from ({"type": "step", **step} for step in steps_in(written))
            if updates:
                yield {"type": "update", "node": node, "update": written}


def check_text(text: str, most: int, noun: str, example: str, split: str) -> None:
    """Raises BadInput where a question or a statement is empty, too long, or no text."""
    if not text.strip():
        raise BadInput(f"The {noun} is empty.", example)
    if len(text) > most:
        raise BadInput(f"The {noun} has {len(text):,} characters; {most:,} are read.", split)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadInput(f"The {noun} holds bytes that are no text.", "Write it in UTF-8.") from None


def _parts(graph: QuestionGraph, context: Context, request: RunRequest) -> Generator[tuple[str, Any], None, None]:
    if request.thread_id is not None and not graph.checkpointer:
        raise BadInput("This graph keeps no conversations.", "Build it with a checkpointer, or pass the history.")
    if request.thread_id is None and graph.checkpointer:
        graph = graph.copy(update={"checkpointer": None})  # the same nodes; nothing is compiled again
    config: RunnableConfig = {"recursion_limit": recursion_limit(context.budget)}
    keeps: Any = {}
    if request.thread_id is not None:
        config["configurable"] = {"thread_id": request.thread_id}
        # One checkpoint a question is enough: it takes a fraction of a second, and is asked again after a crash.
        keeps["durability"] = "exit"
    # The mode "custom" makes LangGraph run each node in a thread beside one that waits.
    modes: list[StreamMode] = ["values", "updates", "custom"] if context.messages else ["values", "updates"]
    yield from graph.stream(request.input, config, context=context, stream_mode=modes, **keeps)


def _begin(context: Context, state: State, *, resumed: bool) -> None:
    """Record what a replay needs. A run that goes on after a choice begins with what `link_entities` left."""
    context.run.trace.begun(
        kind="question", history=state.get("history", []), method=context.method.name, strategies=context.strategies,
        model=context.model, without_model=context.without_model,
        budget=asdict(context.budget), clarify=context.clarify, reading=context.reading, strict=context.strict,
        graph_version=context.tools.schema.version,
    )  # fmt: skip
    if resumed:
        context.run.trace.wrote(0, "link_entities", {key: value for key, value in state.items() if key != "history"})
