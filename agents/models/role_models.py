"""The models of all roles: made from the settings, shared by all runs, callable from any thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import wait
from copy import copy
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any, TypeVar

from clew.agents.models.cache import ReplyCache
from clew.agents.models.calls import Model, ModelFailed, OnToken, Reply, Role
from clew.agents.models.chat import Chat, SharedResources
from clew.agents.models.endpoint import Clients, Endpoint, ModelSpec, import_client
from clew.agents.models.failures import Retries
from clew.agents.models.prices import Prices
from clew.agents.prompting import Prompt
from clew.tools.errors import BadInput

Result = TypeVar("Result")
_POLL_SECONDS = 0.05
"""Time between checks of whether the caller has cancelled."""
_CLOSE_SECONDS = 5.0
"""Time in which connections should be closed."""


class Models:
    """The models of all roles. Nothing is loaded or connected before the first call. Call `close` when done."""

    def __init__(
        self,
        specs: Mapping[Role, ModelSpec],
        *,
        concurrency: int = 4,
        request_seconds: float = 60.0,
        retries: Retries | None = None,
        prices: Prices | None = None,
        cache: ReplyCache | None = None,
        trusted_alone: bool = True,
    ) -> None:
        """A role that is not in `specs` has no model.

        Args:
            concurrency: Requests in progress at the same time, over all runs.
            request_seconds: Time for one request; after it another one is tried.
            trusted_alone: Whether answers that a model gives without evidence are shown, marked as its own, or dropped.
        """
        self.trusted_alone = trusted_alone
        self._clients, slots = Clients(), asyncio.Semaphore(concurrency)
        self._shared = SharedResources(
            self._clients, slots, request_seconds, retries or Retries(), prices or Prices(), cache
        )
        self._specs = dict(specs)
        self.choices: dict[str, Mapping[Role, ModelSpec]] = {}
        """The models that a question can name, and what each role then has (see `chosen`)."""
        self._loop = _BackgroundLoop()
        self._lock = Lock()
        self._chats: dict[Endpoint, Chat] = {}

    @property
    def names(self) -> dict[Role, str]:
        """The model of each role, by its name."""
        return {role: spec.endpoint.full_name for role, spec in self._specs.items()}

    def chosen(self, name: str) -> Models:
        """The models with which a question is answered that names one. They share connections and limits with these.

        Raises BadInput where `name` is not one of the choices.
        """
        if name not in self.choices:
            raise BadInput(
                f"The model {name} is not one that a question can name: {', '.join(self.choices) or 'there is none'}.",
                "Name one of these, or none. The setting CLEW_MODEL_CHOICES adds more.",
            )
        other = copy(self)
        other._specs = dict(self.choices[name])
        return other

    def of(self, role: Role, *, seconds: float, cancelled: Event, on_token: OnToken | None = None) -> Model | None:
        """The model of a role, for calls within the next `seconds`; None if the role has no model.

        Setting `cancelled` ends the calls. `on_token` gets the pieces of each reply as they arrive, in another thread.
        """
        spec = self._specs.get(role)
        return None if spec is None else _RoleModel(self, spec, time.monotonic() + seconds, cancelled, on_token)

    def call(self, model: _RoleModel, prompt: Prompt, json: bool) -> Reply:
        """One call. Raises ModelFailed."""
        spec = model.spec
        stopped = ModelFailed("The call of the model was stopped.", reason="cancelled", model=spec.endpoint.full_name)
        if model.cancelled.is_set():
            raise stopped
        with self._lock:
            chat = self._chats.setdefault(spec.endpoint, Chat(spec.endpoint, self._shared))
        seconds = model.ends - time.monotonic()
        try:
            asked = chat.ask(spec, prompt, json=json, seconds=seconds, on_token=model.on_token)
            return self._loop.run(asked, model.cancelled)
        except _Cancelled:
            raise stopped from None

    def prepare(self) -> None:
        """Import the clients, which takes a second or more, so that the first question need not wait for it."""
        for provider in {spec.endpoint.provider for spec in self._specs.values()} or {"openai"}:
            import_client(provider)

    def close(self) -> None:
        """Stop the calls in progress, and close all connections."""
        self._loop.close(self._clients.close)


@dataclass(frozen=True, slots=True)
class _RoleModel:
    """A model in one role of one run."""

    models: Models
    spec: ModelSpec
    ends: float
    """On the clock of `time.monotonic`."""
    cancelled: Event
    on_token: OnToken | None

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        return self.models.call(self, prompt, json)


class _Cancelled(Exception):
    """The caller no longer waits."""


class _BackgroundLoop:
    """An asyncio loop in a thread of its own, started on first use. Safe for any number of threads.

    A request that blocks a thread cannot be interrupted from outside. One that runs on a loop can: cancelling its task
    closes the connection, wherever in the reply it is.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, work: Coroutine[Any, Any, Result], cancelled: Event) -> Result:
        """The result of `work`, or what it raises; raises _Cancelled as soon as `cancelled` is set.

        However this ends (Ctrl-C included), the work has ended or is being cancelled.
        """
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            while not wait([future], timeout=_POLL_SECONDS).done:
                if cancelled.is_set():
                    raise _Cancelled
            return future.result()
        finally:
            future.cancel()

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Cancel what still runs, run `last`, and end the thread. Does nothing if the loop never ran."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            wait([asyncio.run_coroutine_threadsafe(_cancel_all(last), loop)], timeout=_CLOSE_SECONDS)
            loop.call_soon_threadsafe(loop.stop)

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                Thread(target=_serve, args=(self._loop,), name="clew-models", daemon=True).start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _cancel_all(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()
