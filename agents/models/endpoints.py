"""The models of all roles: made from the settings, shared by all runs, asked by any thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event, Lock

from clew.agents.models.background import BackgroundLoop, Left
from clew.agents.models.cache import ReplyCache
from clew.agents.models.calls import Hear, Model, ModelFailed, Reply, Role
from clew.agents.models.chat import Chat, Common
from clew.agents.models.clients import Clients
from clew.agents.models.prices import Prices
from clew.agents.models.retries import Retries
from clew.agents.models.spec import Endpoint, ModelSpec
from clew.agents.prompting import Prompt


class Models:
    """Models behind OpenAI-compatible endpoints. Nothing is loaded or connected until one is asked. Close it when
    done."""

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
        """A role that `specs` leaves out has no model. `concurrency`: requests under way at the same time, of all
        runs. `request_seconds`: time for one request, after which another one is tried."""
        self._clients, slots = Clients(), asyncio.Semaphore(concurrency)
        self._common = Common(self._clients, slots, request_seconds, retries or Retries(), prices or Prices(), cache)
        self._specs = dict(specs)
        self._loop = BackgroundLoop()
        self._lock = Lock()
        self._chats: dict[Endpoint, Chat] = {}
        self._trusted_alone = trusted_alone

    @property
    def trusted_alone(self) -> bool:
        """Whether answers that the model gives without evidence are shown, marked as its own, or dropped."""
        return self._trusted_alone

    @property
    def names(self) -> dict[Role, str]:
        """Which model plays which role."""
        return {role: spec.endpoint.name for role, spec in self._specs.items()}

    def of(self, role: Role, *, seconds: float, cancelled: Event, hear: Hear | None = None) -> Model | None:
        """The model of a role for calls within the next `seconds`; a set `cancelled` ends them. `hear` is told of
        replies while they are written, in another thread. None where the role has no model."""
        spec = self._specs.get(role)
        return None if spec is None else _Asked(self, spec, time.monotonic() + seconds, cancelled, hear)

    def ask(
        self,
        spec: ModelSpec,
        prompt: Prompt,
        *,
        json: bool,
        seconds: float,
        cancelled: Event,
        hear: Hear | None = None,
    ) -> Reply:
        """One call. Raises ModelFailed."""
        if cancelled.is_set():
            raise _cancelled(spec)
        with self._lock:
            chat = self._chats.setdefault(spec.endpoint, Chat(spec.endpoint, self._common))
        try:
            return self._loop.run(chat.ask(spec, prompt, json=json, seconds=seconds, hear=hear), cancelled)
        except Left:
            raise _cancelled(spec) from None

    def prepare(self) -> None:
        """Load the client, which takes a second or more that should not be the first question's."""
        import langchain_openai  # noqa: F401

    def close(self) -> None:
        """End the calls under way, and close all connections."""
        self._loop.close(self._clients.close)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A model in one role of one run."""

    models: Models
    spec: ModelSpec
    ends: float
    cancelled: Event
    hear: Hear | None

    def ask(self, prompt: Prompt, *, json: bool = False) -> Reply:
        left = self.ends - time.monotonic()
        return self.models.ask(self.spec, prompt, json=json, seconds=left, cancelled=self.cancelled, hear=self.hear)


def _cancelled(spec: ModelSpec) -> ModelFailed:
    return ModelFailed("The call of the model was stopped.", reason="cancelled", model=spec.endpoint.name)
