"""Replays and forks: a traced question or statement is asked again, with the code and the graph as they are now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING, Any, Literal

from clew.app.traces.diff import names_of, trace_diff
from clew.app.traces.forking import Fork, steps_kept, with_change
from clew.app.traces.recording import Origin, TraceRecorder, TraceRun
from clew.graphs.interruptible import Stopped
from clew.graphs.methods import checked_method
from clew.graphs.recorder import Recorder
from clew.tools.errors import BadInput, UnknownGraph

if TYPE_CHECKING:
    from clew.graphs.context import Context
    from clew.graphs.run import Budget

Outcome = Literal["same", "same answers", "changed"]
_ANSWERED = ("status", "error", "verdict", "choice", "question", "graph")
"""Keys of a difference that make another answer; other keys concern the query or the explanation."""
Run = Mapping[str, Any]
"""As `TraceStore.show` returns it."""


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
    """What has changed since the first run: the graph, the release, models, settings."""
    diff: Mapping[str, Any]
    """As `clew.app.traces.diff.trace_diff` returns it."""
    answers: tuple[str, ...]
    """Names of the new run's answers."""
    model: Mapping[str, Any] | None
    """What its model calls took."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class _LastRunRecorder(Recorder):
    """A recorder that remembers its last run."""

    recorder: TraceRecorder
    run: TraceRun | None = field(default=None)

    def begin(self, *, graph: str, question: str, thread_id: str | None) -> TraceRun:
        self.run = self.recorder.begin(graph=graph, question=question, thread_id=thread_id)
        return self.run


@dataclass(frozen=True, slots=True)
class Replayer:
    """Replays and forks the runs of a recorder's store."""

    recorder: TraceRecorder
    open_context: Callable[[str], Context]
    """The context of a graph by its name."""
    owner: str | None = None
    """Only runs of this user."""
    capped: bool = False
    """Whether lower limits of today apply."""
    cancelled: Event | None = None
    """Stops the run when another thread sets it."""

    def replay(self, id: str) -> ReplayResult:
        """Ask again what the run `id` asked.

        The question, the turns before it, method, strategies, budget and choices are those of the run; its session is
        not touched. Errors of the new run are part of its trace. Raises BadInput, and UnknownGraph if the graph is
        missing.
        """
        run = self.recorder.store.show(id, self.owner)
        given = run["given"] or {}
        if given.get("fork"):
            return self.fork(run["replay_of"], Fork.of(given["fork"]["from"], given["fork"]["set"]), compared_with=run)
        context = self._opened(run)
        recorder = self._recorder(run, Origin(run["id"], run["thread"]))
        live = replace(
            _by_method(context, given),
            recorder=recorder,
            strategies=tuple(given["strategies"]) if given.get("strategies") else None,
            budget=self._budget(given, context),
            clarify=bool(given.get("clarify")),
            choices=_choices(run),
            reading=given.get("reading"),
            strict=bool(given.get("strict")),
        )
        ask = _verify if _is_statement(run) else _ask
        return self._result(run, recorder, context, lambda: ask(live, run, given, self.cancelled))

    def fork(self, id: str, fork: Fork, *, compared_with: Run | None = None) -> ReplayResult:
        """Continue the run `id` from one of its steps with changes.

        The fork's trace holds the steps that it took over, which took it no time, and those that it ran. It is compared
        with the run, or with `compared_with`. Raises as `replay`.
        """
        from clew.graphs.ask import RunRequest, stream
        from clew.graphs.forks import Changes, fork_graph

        run = self.recorder.store.show(id, self.owner)
        if _is_statement(run):
            raise BadInput("A check of a statement cannot be forked.", "Replay it: clew trace replay.")
        kept, spans = steps_kept(self.recorder.store.writes(run["id"]), run, fork.step)
        context, given = self._opened(run), run["given"]
        strategies = fork.strategies or (tuple(given["strategies"]) if given.get("strategies") else None)
        budget = fork.within(self._budget(given, context), context.budget if self.capped else None)
        live = replace(_by_method(context, given), strategies=strategies, budget=budget)
        changes = Changes(fork.strategies, fork.entities)
        forked = fork_graph(kept, run["question"], given.get("history") or [], changes, live)
        origin = Origin(run["id"], run["thread"], fork.to_json(), spans, with_change(kept, forked.change))
        recorder = self._recorder(run, origin)

        def go_on() -> None:
            going = replace(live, recorder=recorder)
            events = stream(
                forked.graph,
                going,
                RunRequest(run["question"], forked.thread, resume_from_checkpoint=True, cancelled=self.cancelled),
            )
            with closing(events):
                for _ in events:
                    pass

        return self._result(compared_with or run, recorder, context, go_on)

    def _opened(self, run: Run) -> Context:
        """The run's graph as it is now. Raises UnknownGraph."""
        try:
            return self.open_context(run["graph"])
        except UnknownGraph as error:
            raise UnknownGraph(
                f"The run {run['id']} asked the graph {run['graph']}, which is not there any more.",
                f"Import it again: clew import FILE --graph {run['graph']}",
            ) from error

    def _recorder(self, run: Run, origin: Origin) -> _LastRunRecorder:
        return _LastRunRecorder(replace(self.recorder, owner=run["owner"], origin=origin))

    def _budget(self, given: Mapping[str, Any], context: Context) -> Budget:
        """The run's budget; today's where it is not kept."""
        kept, now = given.get("budget") or {}, asdict(context.budget)
        known = {name: kept[name] for name in now if name in kept}
        return replace(
            context.budget, **{n: min(value, now[n]) if self.capped else value for n, value in known.items()}
        )

    def _result(
        self, run: Run, recorder: _LastRunRecorder, context: Context, go_on: Callable[[], None]
    ) -> ReplayResult:
        """Run `go_on`, and compare the new run with `run`. Raises what `go_on` raises before its run begins."""
        notes = _differences(run, context, recorder.recorder)
        try:
            go_on()
        except Stopped:
            raise
        except Exception:
            if recorder.run is None:
                raise
        assert recorder.run is not None
        try:
            now = self.recorder.store.show(recorder.run.id)
        except BadInput as error:
            raise BadInput("The trace of the new run could not be kept.", "The log says why.") from error
        diff, outcome = trace_diff(run, now), now["outcome"] if isinstance(now["outcome"], dict) else {}
        return ReplayResult(
            replay_of=run["id"],
            trace_id=recorder.run.id,
            question=run["question"],
            graph=run["graph"],
            outcome=outcome_of(diff),
            notes=tuple(notes),
            diff=diff,
            answers=tuple(names_of(outcome)),
            model=outcome.get("model"),
        )


def _by_method(context: Context, given: Mapping[str, Any]) -> Context:
    """The context as the run's model and method configure it. Raises BadInput if these cannot be used any more."""
    modelled = context.by_model(given.get("model"), without=bool(given.get("without_model")))
    return modelled.by(checked_method(given.get("method")))


def outcome_of(diff: Mapping[str, Any]) -> Outcome:
    """What a difference means for the answers."""
    if diff["same"]:
        return "same"
    answers = diff["answers"]
    lost = answers["only_a"] or answers["only_b"] or any(answers["unclear"])
    others = lost or answers["order_changed"] or answers["total"][0] != answers["total"][1]
    return "changed" if others or any(key in diff["changed"] for key in _ANSWERED) else "same answers"


def _is_statement(run: Run) -> bool:
    kind = (run["given"] or {}).get("kind")
    return kind == "statement" or (kind is None and any(span["node"] == "judge" for span in run["spans"]))


def _differences(run: Run, context: Context, recorder: TraceRecorder) -> list[str]:
    """In words, what has changed since `run`: what was not kept, the graph, the release, models and settings."""
    given = run["given"]
    if given is None:
        before = ", nor its conversation" if run["thread"] else ""
        return [f"An earlier release stored this trace: its strategies and limits are not known{before}."]
    notes = []
    if given.get("redacted"):
        notes.append("The question contained a secret, which is not stored: a mark replaces it.")
    if given.get("graph_version") not in (None, context.tools.schema.version):
        notes.append(f"The graph {run['graph']} was imported or changed since.")
    was, now = _flat(given.get("setup") or {}), _flat(recorder.setup)
    for name in dict.fromkeys([*was, *now]):
        if was.get(name) != now.get(name):
            notes.append(f"{name} was {was.get(name, 'none')}, and is {now.get(name, 'none')}.")
    return notes


def _flat(setup: Mapping[str, Any]) -> dict[str, str]:
    """By name, with models as "linker (model)"."""
    models = setup.get("models") or {}
    flat = {name: str(value) for name, value in setup.items() if name != "models"}
    return flat | {f"{role} (model)": str(name) for role, name in models.items()}


def _choices(run: Run) -> dict[str, str | None]:
    """What the user chose, by mention."""
    events = [event["data"] for span in run["spans"] for event in span["events"] if event["kind"] == "choice"]
    return {event["mention"]: event["chosen"] for event in events if isinstance(event, dict) and "chosen" in event}


def _ask(live: Context, run: Run, given: Mapping[str, Any], cancelled: Event | None) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    from clew.graphs.ask import RunRequest, stream
    from clew.graphs.question import build_question_graph

    # If the run may ask for a choice, it needs a checkpointer to wait in.
    graph = build_question_graph(InMemorySaver() if live.clarify else None)
    thread = run["id"] if live.clarify else None
    events = stream(graph, live, RunRequest(run["question"], thread, given.get("history"), cancelled=cancelled))
    with closing(events):
        for _ in events:
            pass


def _verify(live: Context, run: Run, given: Mapping[str, Any], cancelled: Event | None) -> None:
    from clew.graphs.verification import verify

    verify(live, run["question"], cancelled)
