"""Replays: a traced question or statement is asked again as it was, of the code and the graph as they are now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING, Any, Literal

from clew.app.container import Container
from clew.app.traces.diff import names_of, trace_diff
from clew.app.traces.recording import Origin, TraceRecorder, TraceRun
from clew.graphs.interruptible import Stopped
from clew.tools.errors import BadInput, UnknownGraph

if TYPE_CHECKING:
    from clew.graphs.context import Context
    from clew.graphs.run import Budget

Outcome = Literal["same", "same answers", "changed"]
_ANSWERED = ("status", "error", "verdict", "choice", "question", "graph")
"""What answers are, besides their names; the rest of a difference is how they came about and what is said of them."""


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """A run that asked again what another one asked."""

    replay_of: str
    trace_id: str
    question: str
    graph: str
    outcome: Outcome
    """"same answers": in the same order, but by another query, or with another confidence or explanation."""
    notes: tuple[str, ...]
    """What is not as it was when the first one ran."""
    diff: Mapping[str, Any]
    """As `clew.app.traces.diff` has it."""
    answers: tuple[str, ...]
    """Those of the new run."""
    model: Mapping[str, Any] | None
    """What its model calls took."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class Noted:
    """A recorder that remembers the run which it began last."""

    recorder: TraceRecorder
    run: TraceRun | None = field(default=None)

    def begin(self, *, graph: str, question: str, thread_id: str | None) -> TraceRun:
        self.run = self.recorder.begin(graph=graph, question=question, thread_id=thread_id)
        return self.run


def replay(
    container: Container,
    id: str,
    *,
    owner: str | None = None,
    open_context: Callable[[str], Context] | None = None,
    capped: bool = False,
    cancelled: Event | None = None,
) -> ReplayResult:
    """Ask again what the run `id` (of `owner`, where one is given) asked.

    The question, the turns before it, the strategies, the budget and what was chosen are as they were; the session
    itself is not touched. `capped`: limits that are lower now count. Raises BadInput, and UnknownGraph where the
    graph is gone; what goes wrong later is part of the new run, as it would be of any.
    """
    run = container.traces.show(id, owner)
    given = run["given"] or {}
    if given.get("fork"):
        return _forked_again(container, run, owner, open_context, capped, cancelled)
    context = opened(run, open_context or container.context)
    noted = Noted(replace(container.recorder, owner=run["owner"], origin=Origin(run["id"], run["thread"])))
    live = replace(
        context,
        recorder=noted,
        strategies=tuple(given["strategies"]) if given.get("strategies") else None,
        budget=budget_of(given, context, capped),
        clarify=bool(given.get("clarify")),
        choices=_choices(run),
    )
    ask = _state if is_statement(run) else _ask
    return compared(container, run, noted, lambda: ask(live, run, given, cancelled), differences(run, context, noted))


def _forked_again(container: Container, run: Mapping[str, Any], owner: str | None, *how: Any) -> ReplayResult:
    """A fork is replayed by forking the same run in the same way."""
    from clew.app.traces.forking import Fork, fork

    told, (open_context, capped, cancelled) = run["given"]["fork"], how
    wanted = Fork.of(told["from"], told["set"])
    return fork(
        container, run["replay_of"], wanted, owner=owner, open_context=open_context, capped=capped, cancelled=cancelled,
        beside=run,
    )  # fmt: skip


def opened(run: Mapping[str, Any], open_context: Callable[[str], Context]) -> Context:
    """The run's graph as it is now. Raises UnknownGraph."""
    try:
        return open_context(run["graph"])
    except UnknownGraph as error:
        raise UnknownGraph(
            f"The run {run['id']} asked the graph {run['graph']}, which is not there any more.",
            f"Import it again: clew import FILE --graph {run['graph']}",
        ) from error


def compared(
    container: Container, run: Mapping[str, Any], noted: Noted, again: Callable[[], None], notes: list[str]
) -> ReplayResult:
    """What a new run differs in from `run`. Raises what `again` raises before its run has begun."""
    try:
        again()
    except Stopped:
        raise
    except Exception:
        if noted.run is None:
            raise
    assert noted.run is not None
    try:
        now = container.traces.show(noted.run.id)
    except BadInput as error:
        raise BadInput("The trace of the new run could not be kept.", "The log says why.") from error
    diff, told = trace_diff(run, now), now["outcome"] if isinstance(now["outcome"], dict) else {}
    return ReplayResult(
        replay_of=run["id"],
        trace_id=noted.run.id,
        question=run["question"],
        graph=run["graph"],
        outcome=outcome_of(diff),
        notes=tuple(notes),
        diff=diff,
        answers=tuple(names_of(told)),
        model=told.get("model"),
    )


def outcome_of(diff: Mapping[str, Any]) -> Outcome:
    if diff["same"]:
        return "same"
    answers = diff["answers"]
    others = answers["only_a"] or answers["only_b"] or answers["order_changed"]
    return "changed" if others or any(key in diff["changed"] for key in _ANSWERED) else "same answers"


def budget_of(given: Mapping[str, Any], context: Context, capped: bool) -> Budget:
    """The run's own, or where it is not kept that of today."""
    kept, now = given.get("budget") or {}, asdict(context.budget)
    known = {name: kept[name] for name in now if name in kept}
    return replace(context.budget, **{n: min(value, now[n]) if capped else value for n, value in known.items()})


def is_statement(run: Mapping[str, Any]) -> bool:
    kind = (run["given"] or {}).get("kind")
    return kind == "statement" or (kind is None and any(span["node"] == "judge" for span in run["spans"]))


def differences(run: Mapping[str, Any], context: Context, noted: Noted) -> list[str]:
    """In words, what is not as it was: what was not kept, the graph, the release, the models and other settings."""
    given = run["given"]
    if given is None:
        before = ", nor what was said before the question" if run["thread"] else ""
        return [f"An earlier release kept this trace: its strategies and limits are not known{before}."]
    notes = []
    if given.get("redacted"):
        notes.append("The question held a secret, which was not kept: it is asked with a mark in its place.")
    if given.get("graph_version") not in (None, context.tools.schema.version):
        notes.append(f"The graph {run['graph']} was imported or changed since.")
    was, now = _flat(given.get("setup") or {}), _flat(noted.recorder.setup)
    for name in dict.fromkeys([*was, *now]):
        if was.get(name) != now.get(name):
            notes.append(f"{name} was {was.get(name, 'none')}, and is {now.get(name, 'none')}.")
    return notes


def _flat(setup: Mapping[str, Any]) -> dict[str, str]:
    """By name, the models as "linker (model)"."""
    models = setup.get("models") or {}
    flat = {name: str(value) for name, value in setup.items() if name != "models"}
    return flat | {f"{role} (model)": str(name) for role, name in models.items()}


def _choices(run: Mapping[str, Any]) -> dict[str, str | None]:
    """What the user chose, by mention."""
    events = [event["data"] for span in run["spans"] for event in span["events"] if event["kind"] == "choice"]
    return {event["mention"]: event["chosen"] for event in events if isinstance(event, dict) and "chosen" in event}


def _ask(live: Context, run: Mapping[str, Any], given: Mapping[str, Any], cancelled: Event | None) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    from clew.graphs.ask import stream
    from clew.graphs.question import build_question_graph

    # Where a choice may be asked for, the run needs somewhere to wait.
    graph = build_question_graph(InMemorySaver() if live.clarify else None)
    thread = run["id"] if live.clarify else None
    told = stream(graph, live, run["question"], thread, given.get("history"), cancelled=cancelled)
    with closing(told):
        for _ in told:
            pass


def _state(live: Context, run: Mapping[str, Any], given: Mapping[str, Any], cancelled: Event | None) -> None:
    from clew.graphs.verification import verify

    verify(live, run["question"], cancelled)
