"""Questions and statements: whole, as streams of events, and without blocking an event loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping, Sequence
from contextlib import aclosing, closing
from threading import Event as ThreadEvent
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from clew.app.api.results import AskResult, Event, VerifyResult

if TYPE_CHECKING:
    from clew.app.api.connection import Connection
    from clew.app.questioning import AskRequest
    from clew.graphs.nodes.clarify import Chosen


class AskOptions(TypedDict, total=False):
    """How a question is answered; what is left out is as the settings say."""

    strategies: Sequence[str] | None
    """Retrieval strategies to run, such as `["cypher", "paths"]`; None lets the run decide (docs/cli.md)."""
    session: str | None
    """The conversation that the question belongs to: "who wrote it?" then refers to earlier answers."""
    seconds: float | None
    """Time for the question; at most that of the settings."""
    rows: int | None
    """Rows of one query; at most that of the settings."""
    tokens: int | None
    """Evidence kept for the answer, in tokens; at most that of the settings."""


class StreamOptions(AskOptions, total=False):
    """How a question is answered while its events are streamed."""

    clarify: bool
    """Whether the run may end with a `choice` between entities, in a session; `resume` goes on from it."""
    messages: bool
    """Whether the text of language models is streamed while they write it."""
    updates: bool
    """Whether what each node writes into the state is streamed."""


class Asking(ABC):
    """What `Graph` does with questions and statements."""

    client: Connection

    @property
    @abstractmethod
    def name(self) -> str:
        """The graph's name."""

    def ask(self, question: str, **options: Unpack[AskOptions]) -> AskResult:
        """Answer a question, with evidence. A question without an answer is no error.

        Args:
            question: In plain words, 1,000 characters at most.
            **options: See `AskOptions`.

        Example:
            >>> films.ask("which films star both Tom Hanks and Meg Ryan?", strategies=["cypher"])
        """
        return _last_result(self.stream(question, **options))

    def stream(self, question: str, **options: Unpack[StreamOptions]) -> Generator[Event, None, None]:
        """Answer a question, yielding an event for each step and the result, or the choice, at last.

        Closing the generator ends the run.
        """
        yield from self._events(self._request(question, options))

    async def aask(self, question: str, **options: Unpack[AskOptions]) -> AskResult:
        """`ask` in a thread; cancelling the task ends the run."""
        async with aclosing(self._astream(question, options)) as stream:
            async for event in stream:
                if event.result is not None:
                    return event.result
        raise AssertionError("a run ends with its result")

    async def astream(self, question: str, **options: Unpack[StreamOptions]) -> AsyncGenerator[Event, None]:
        """`stream` in a thread; cancelling the task or closing the iterator ends the run."""
        async with aclosing(self._astream(question, options)) as stream:
            async for event in stream:
                yield event

    def resume(self, session: str, entity: str | None, **options: Any) -> Generator[Event, None, None]:
        """Go on with the question of a session that waits for a choice.

        Args:
            session: The conversation.
            entity: The id of one of the candidates of the `choice` event; None for any of them.
            **options: As for `stream`, but for `session` and `clarify`.

        Raises:
            BadInput: The session waits for no choice, or not for this one.
        """
        from clew.app.questioning import checked_choice

        waiting = self.client.sessions.waiting(session)
        chosen = checked_choice(waiting, waiting["choice"]["mention"] if waiting else "", entity)
        assert waiting is not None
        request = self._request(waiting["question"], {"clarify": True, **options, "session": session}, chosen=chosen)
        return self._events(request)

    def run(self, request: AskRequest, cancelled: ThreadEvent | None = None) -> Generator[dict[str, Any], None, None]:
        """The events of a run as plain dictionaries, as the server sends them.

        Another thread that sets `cancelled` ends the run with `clew.graphs.interruptible.Stopped`.
        """
        from clew.app.questioning import events as run_events

        yield from run_events(self.client.container, self.client.context(request.graph), request, cancelled)

    def verify(self, statement: str) -> VerifyResult:
        """Say whether the graph supports or refutes a statement, with the reason and the facts.

        Args:
            statement: In plain words, 2,000 characters at most.
        """
        return VerifyResult.from_dict(self.run_verification(statement))

    async def averify(self, statement: str) -> VerifyResult:
        """`verify` in a thread; cancelling the task ends the calls of language models."""
        from clew.app.api.streams import in_thread

        def work(cancelled: ThreadEvent) -> Generator[dict[str, Any], None, None]:
            yield self.run_verification(statement, cancelled=cancelled)

        async with aclosing(in_thread(work)) as results:
            return VerifyResult.from_dict(await anext(results))

    def run_verification(
        self, statement: str, owner: str | None = None, cancelled: ThreadEvent | None = None
    ) -> dict[str, Any]:
        """The result of `verify` as a plain dictionary, as the server sends it; the trace is `owner`'s."""
        from clew.app.questioning import verify

        return verify(self.client.container, self.client.context(self.name), statement, owner, cancelled)

    def _events(self, request: AskRequest) -> Generator[Event, None, None]:
        with closing(self.run(request)) as raw:
            for event in raw:
                yield Event.from_dict(event)

    async def _astream(self, question: str, options: Mapping[str, Any]) -> AsyncGenerator[Event, None]:
        from clew.app.api.streams import in_thread

        def work(cancelled: ThreadEvent) -> Generator[dict[str, Any], None, None]:
            yield from self.run(self._request(question, options), cancelled)

        async with aclosing(in_thread(work)) as raw:
            async for event in raw:
                yield Event.from_dict(event)

    def _request(self, question: str, options: Mapping[str, Any], chosen: Chosen | None = None) -> AskRequest:
        """Raises BadInput for options that cannot be used."""
        from clew.app.questioning import AskRequest, checked_strategies

        if unknown := options.keys() - StreamOptions.__annotations__.keys():
            raise TypeError(f"There is no option {', '.join(sorted(unknown))}.")
        return AskRequest(
            self.name,
            question,
            strategies=checked_strategies(options.get("strategies")),
            thread=options.get("session"),
            seconds=options.get("seconds"),
            rows=options.get("rows"),
            tokens=options.get("tokens"),
            clarify=options.get("clarify", False),
            chosen=chosen,
            updates=options.get("updates", False),
            messages=options.get("messages", False),
        )


def _last_result(stream: Iterator[Event]) -> AskResult:
    for event in stream:
        if event.result is not None:
            return event.result
    raise AssertionError("a run ends with its result")
