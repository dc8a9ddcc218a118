"""Questions and statements: whole, as streams of events, and without blocking an event loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import aclosing, closing
from dataclasses import replace
from threading import Event as ThreadEvent
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from clew.app.answer_sentence import answer_sentence
from clew.app.api.requests import AskRequest, checked_choice, checked_method, checked_strategies
from clew.app.api.results import AskResult, Event, VerifyResult
from clew.graphs.run import MOST_CHARACTERS as MOST_CHARACTERS
from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from clew.app.api.requests import Chosen
    from clew.app.container import Container
    from clew.graphs.context import Context


_EARLIER_RUNS = 20
"""Runs of a question that are looked through for the readings that it listed."""


class AskOptions(TypedDict, total=False):
    """How a question is answered; what is left out is as the settings say."""

    method: str | None
    """How to answer, as one of `METHODS`: a paper's method such as "byokg"; None for the default (docs/methods.md)."""
    strategies: Sequence[str] | None
    """Retrieval strategies to run, such as `["cypher", "paths"]`, in place of a method; None lets the method decide
    (docs/strategies.md)."""
    session: str | None
    """The conversation that the question belongs to: "who wrote it?" then refers to earlier answers."""
    seconds: float | None
    """Time for the question; at most that of the settings."""
    rows: int | None
    """Rows of one query; at most that of the settings."""
    tokens: int | None
    """Evidence kept for the answer, in tokens; at most that of the settings."""
    reading: int | str | None
    """The reading to answer: its number among the `readings` of an earlier result of this question, or its words."""
    strict: bool
    """Whether only what is sure and explained in full is an answer."""
    model: str | None
    """The language model of all roles: that of the settings, or one of its `model_choices`."""
    without_model: bool
    """Whether no language model takes part, even if the settings name one."""


class StreamOptions(AskOptions, total=False):
    """How a question is answered while its events are streamed."""

    clarify: bool
    """Whether the run may end with a `choice` between entities, in a session; `resume` continues it."""
    messages: bool
    """Whether the text of language models is streamed while they write it."""
    updates: bool
    """Whether what each node writes into the state is streamed."""


class Asking(ABC):
    """What `Graph` does with questions and statements."""

    client: Container

    @property
    @abstractmethod
    def name(self) -> str:
        """The graph's name."""

    def ask(self, question: str, **options: Unpack[AskOptions]) -> AskResult:
        """Answer a question, with evidence. A question without an answer is not an error.

        Args:
            question: In plain words, 1,000 characters at most.
            **options: See `AskOptions`.

        Raises:
            BadInput: An option cannot be used, such as a method that needs what the graph does not have.

        Example:
            >>> films.ask("which films star both Tom Hanks and Meg Ryan?", method="simgrag")
        """
        *_, last = self.stream(question, **options)
        return _result(last)

    def stream(self, question: str, **options: Unpack[StreamOptions]) -> Generator[Event, None, None]:
        """Answer a question, and yield an event for each step and, last, the result or the choice.

        Closing the generator ends the run.
        """
        yield from self._events(self._request(question, options))

    async def aask(self, question: str, **options: Unpack[AskOptions]) -> AskResult:
        """`ask` in a thread; cancelling the task ends the run."""
        from clew.app.api.streams import last_of

        return _result(await last_of(self.astream(question, **options)))

    async def astream(self, question: str, **options: Unpack[StreamOptions]) -> AsyncGenerator[Event, None]:
        """`stream` in a thread; cancelling the task or closing the iterator ends the run."""
        from clew.app.api.streams import in_thread

        def work(cancelled: ThreadEvent) -> Generator[dict[str, Any], None, None]:
            yield from self.run(self._request(question, options), cancelled)

        async with aclosing(in_thread(work)) as events:
            async for event in events:
                yield Event.from_dict(event)

    def resume(self, session: str, entity: str | None, **options: Any) -> Generator[Event, None, None]:
        """Continue the question of a session that waits for a choice.

        Args:
            session: The conversation.
            entity: The id of one of the candidates of the `choice` event; None for any of them.
            **options: As for `stream`, but for `session` and `clarify`.

        Raises:
            BadInput: The session waits for no choice, or not for this one.
        """
        waiting = self.client.sessions.waiting(session)
        chosen = checked_choice(waiting, waiting["choice"]["mention"] if waiting else "", entity)
        assert waiting is not None
        request = self._request(waiting["question"], {"clarify": True, **options, "session": session}, chosen=chosen)
        return self._events(request)

    def run(self, request: AskRequest, cancelled: ThreadEvent | None = None) -> Generator[dict[str, Any], None, None]:
        """The events of a run as plain dictionaries, as the server sends them (see `clew.graphs.ask.stream`).

        Another thread that sets `cancelled` ends the run with `clew.app.api.streams.Stopped`.
        """
        from clew.graphs.ask import RunRequest, stream

        client = self.client
        request = self._with_offered_reading(request)
        live = request.configured(self._context(request.owner))
        begins = request.thread is not None and self._begin(request.thread, new=request.chosen is None)
        runnable = client.question_graph if request.thread else client.answering_graph
        run = RunRequest(
            request.question, request.thread, request.history, request.chosen, cancelled=cancelled,
            updates=request.updates,
        )  # fmt: skip
        with closing(stream(runnable, live, run)) as events:
            for event in events:
                if begins and request.thread is not None and request.origin and event["type"] in ("choice", "result"):
                    client.sessions.set_origin(request.thread, request.origin)
                if event["type"] == "choice" and request.thread is not None:
                    client.sessions.set_waiting(request.thread, self.name, request.question, event)
                if event["type"] != "result":
                    if request.steps or event["type"] != "step":
                        yield event
                    continue
                result = {**event["result"], "linked": event["turn"]["mentions"], "graph": self.name}
                result["notes"] = self._notes
                result["sentence"] = answer_sentence(result)
                if request.thread is not None:
                    again = request.reading is not None
                    client.sessions.add_turn(request.thread, self.name, request.question, result, again=again)
                yield {**event, "result": result}

    def _with_offered_reading(self, request: AskRequest) -> AskRequest:
        """The request with the number of its reading replaced by the words that the last answer to its question listed
        under it. A number stays where no trace of such an answer is kept."""
        from clew.app.traces.store import RunFilter

        if not isinstance(request.reading, int):
            return request
        traces = self.client.traces
        where = RunFilter(graph=self.name, question=request.question, owner=request.owner, originals=True)
        for run in traces.list(_EARLIER_RUNS, where=where):
            readings = (traces.show(run["id"])["outcome"] or {}).get("readings", [])
            if readings and not any(each["chosen"] for each in readings):
                told = readings[request.reading - 1 : request.reading]
                return replace(request, reading=told[0]["reading"]) if told else request
        return request

    def _begin(self, thread: str, *, new: bool) -> bool:
        """Begin a question of a conversation; returns whether it is the first one. Raises BadInput if the conversation
        is about another graph, whose entities mean nothing here."""
        sessions = self.client.sessions
        about = sessions.graph_of(thread)
        if about is not None and about != self.name:
            raise BadInput(
                f"This conversation is about the graph {about}.", f"Ask about {about}, or begin another one."
            )
        if new:
            sessions.clear_waiting(thread)
        return about is None

    def _context(self, owner: str | None) -> Context:
        """The graph's context, with a recorder of traces that belong to `owner`."""
        context = self.client.context(self.name)
        if owner is None:
            return context
        return replace(context, recorder=replace(self.client.recorder, owner=owner))

    def verify(self, statement: str) -> VerifyResult:
        """Say whether the graph supports or refutes a statement, with the reason and the facts.

        Args:
            statement: In plain words, 2,000 characters at most.
        """
        return VerifyResult.from_dict(self.run_verification(statement))

    async def averify(self, statement: str) -> VerifyResult:
        """`verify` in a thread; cancelling the task ends the calls of language models."""
        from clew.app.api.streams import in_thread, last_of

        def work(cancelled: ThreadEvent) -> Generator[dict[str, Any], None, None]:
            yield self.run_verification(statement, cancelled=cancelled)

        return VerifyResult.from_dict(await last_of(in_thread(work)))

    def run_verification(
        self, statement: str, owner: str | None = None, cancelled: ThreadEvent | None = None
    ) -> dict[str, Any]:
        """The result of `verify` as a plain dictionary, as the server sends it; the trace is `owner`'s."""
        from clew.graphs.verification import verify

        found = verify(self._context(owner), statement, cancelled)
        return {**found, "notes": [*found["notes"], *self._notes], "graph": self.name}

    @property
    def _notes(self) -> list[str]:
        """What is to be said with every answer."""
        return list(self.client.files(self.name).notes)

    def _events(self, request: AskRequest) -> Generator[Event, None, None]:
        with closing(self.run(request)) as raw:
            for event in raw:
                yield Event.from_dict(event)

    def _request(self, question: str, options: Mapping[str, Any], chosen: Chosen | None = None) -> AskRequest:
        """Raises BadInput for options that cannot be used."""
        if unknown := options.keys() - StreamOptions.__annotations__.keys():
            raise TypeError(f"There is no option {', '.join(sorted(unknown))}.")
        given: dict[str, Any] = {**options, "strategies": checked_strategies(options.get("strategies"))}
        checked_method(given.get("method"), given["strategies"])
        return AskRequest(question, thread=given.pop("session", None), chosen=chosen, **given)


def _result(event: Event) -> AskResult:
    """Of the last event of a run."""
    assert event.result is not None
    return event.result
