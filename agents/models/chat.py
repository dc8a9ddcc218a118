"""One model on one server: requests are sent, repeated where that helps, counted, and turned into replies."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from clew.agents.models.cache import ReplyCache, cache_key
from clew.agents.models.calls import Hear, ModelFailed, Reply, Usage, total
from clew.agents.models.clients import Clients
from clew.agents.models.failures import Failure, failure_of, nothing_said, refused_parameter, took_too_long
from clew.agents.models.prices import Prices
from clew.agents.models.retries import Retries
from clew.agents.models.spec import Endpoint, ModelSpec
from clew.agents.models.spoken import Spoken
from clew.agents.prompting import Prompt
from clew.tools.embedding.token_budget import counter

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage
    from langchain_openai import ChatOpenAI

LONGEST_REPLY = 64_000
"""Characters of a reply that are kept; a model that repeats itself can write many more."""
_LIMITS = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class Common:
    """What all models share."""

    clients: Clients
    slots: asyncio.Semaphore
    """Requests under way at the same time, of all runs."""
    request_seconds: float
    """Time for one request, after which another one is tried."""
    retries: Retries
    prices: Prices
    cache: ReplyCache | None


@dataclass(slots=True)
class _Call:
    """One call while it lasts."""

    ends: float
    """On the clock of `time.monotonic`."""
    dropped: set[str]
    """Optional parameters that are not sent."""
    hear: Hear | None = None
    sent: int = 0
    usages: list[Usage] = field(default_factory=list)

    @property
    def left(self) -> float:
        return self.ends - time.monotonic()


class Chat:
    """A model on a server. Used on one asyncio loop only."""

    def __init__(self, endpoint: Endpoint, common: Common) -> None:
        self.endpoint = endpoint
        self._common = common
        self._refused: set[str] = set()
        """Parameters that the server is known to refuse."""
        self._whole_only = False
        """Whether the server is known to give replies in one piece only."""
        self._down = False
        """Whether the last call ended without the server's help: the next one does not repeat its requests."""

    async def ask(
        self, spec: ModelSpec, prompt: Prompt, *, json: bool, seconds: float, hear: Hear | None = None
    ) -> Reply:
        """The reply within `seconds`; `hear` is told of it while it is written. Raises ModelFailed."""
        started = time.monotonic()
        key = cache_key(self.endpoint.place, self._request(spec, prompt, json, set()))
        if self._common.cache and (kept := await asyncio.to_thread(self._common.cache.get, key)):
            if hear is not None:
                hear(_new_id(), kept[0])
            return Reply(kept[0], Usage(price=0.0), self.endpoint.name, kept[1], _ms_since(started), attempts=0)
        call = _Call(started + seconds, set(self._refused), hear)
        text, finish_reason = await self._repeatedly(call, spec, prompt, json)
        if self._common.cache:
            await asyncio.to_thread(self._common.cache.put, key, text, finish_reason)
        return Reply(
            text, total(call.usages), self.endpoint.name, finish_reason, _ms_since(started), attempts=call.sent
        )

    async def _repeatedly(self, call: _Call, spec: ModelSpec, prompt: Prompt, json: bool) -> tuple[str, str]:
        """(text, finish reason) of the first request that gives a text."""
        failures, empty = 0, 0
        while True:
            request = self._request(spec, prompt, json, call.dropped)
            try:
                text, finish_reason = await self._once(call, request)
            except _Refused as refused:
                call.dropped.add(refused.parameter)
                continue
            except _Failed as failed:
                failure = failed.failure
            else:
                if text:
                    self._refused, self._down = call.dropped, False
                    return text, finish_reason
                failure = nothing_said(self.endpoint, finish_reason)
            failures += 1
            empty += failure.reason == "empty"
            pause = self._common.retries.pause(failures, failure.wait)
            again = failure.again and failures < (1 if self._down else self._common.retries.attempts)
            if not (again or (failure.reason == "empty" and empty == 1)) or pause >= call.left:
                self._down = failure.reason == "unavailable"
                raise self._given_up(failure, call)
            await asyncio.sleep(pause)

    async def _once(self, call: _Call, request: dict[str, Any]) -> tuple[str, str]:
        """(text, finish reason) of one request; the text may be empty. Raises _Refused, _Failed."""
        parameters = {name: value for name, value in request.items() if name not in ("model", "messages")}
        try:
            async with asyncio.timeout(call.left), self._common.slots:
                client = await asyncio.to_thread(self._common.clients.of, self.endpoint)
                async with asyncio.timeout(self._common.request_seconds):
                    # As `extra_body`, parameters are sent as they are, whatever the client thinks of the model.
                    message = await self._reply(call, client, request["messages"], parameters)
        except TimeoutError:
            raise _Failed(took_too_long(self.endpoint)) from None
        except Exception as error:
            if parameter := refused_parameter(error, parameters):
                raise _Refused(parameter) from None
            raise _Failed(failure_of(error, self.endpoint)) from None
        call.usages.append(await asyncio.to_thread(self._usage, message, request["messages"]))
        return _without_thought(message.text)[:LONGEST_REPLY], str(message.response_metadata.get("finish_reason") or "")

    async def _reply(
        self, call: _Call, client: ChatOpenAI, messages: list[tuple[str, str]], parameters: dict[str, Any]
    ) -> BaseMessage:
        """The reply to one request, told piece by piece where somebody hears and the server can do that."""
        call.sent += 1
        if call.hear is None or self._whole_only:
            return await client.ainvoke(messages, extra_body=parameters)
        spoken, whole, request = Spoken(), list[Any](), _new_id()
        try:
            async for chunk in client.astream(messages, extra_body=parameters, stream_usage=True):
                whole = [whole[0] + chunk] if whole else [chunk]
                if piece := spoken.next(chunk.text):
                    call.hear(request, piece)
        except Exception as error:
            refused = failure_of(error, self.endpoint).reason == "rejected"
            if whole or not refused or refused_parameter(error, parameters):
                raise
        if whole:
            return cast("BaseMessage", whole[0])
        self._whole_only = True  # The server knows no streams, or not how we ask for the usage of one.
        call.sent += 1
        return await client.ainvoke(messages, extra_body=parameters)

    def _request(self, spec: ModelSpec, prompt: Prompt, json: bool, dropped: set[str]) -> dict[str, Any]:
        """The JSON body, without the parameters that are `dropped`."""
        messages = [("system", _sendable(prompt.system)), ("user", _sendable(prompt.user))]
        wanted: dict[str, Any] = {"temperature": spec.temperature}
        if json:
            wanted["response_format"] = {"type": "json_object"}
        # OpenAI calls the limit by its second name, and refuses the first; others may know the first only.
        limits = [name for name in (reversed(_LIMITS) if self.endpoint.is_openai else _LIMITS) if name not in dropped]
        if limits:
            wanted[limits[0]] = spec.max_tokens
        return {
            "model": self.endpoint.name,
            "messages": [message for message in messages if message[1]],
            **{name: value for name, value in wanted.items() if name not in dropped},
        }

    def _usage(self, message: BaseMessage, messages: list[tuple[str, str]]) -> Usage:
        """As the endpoint says; else counted here."""
        told = getattr(message, "usage_metadata", None) or {}
        taken, given = told.get("input_tokens") or 0, told.get("output_tokens") or 0
        estimated = not taken
        if estimated:
            count = counter()
            taken, given = sum(count(text) for _, text in messages), count(message.text[:LONGEST_REPLY])
        return Usage(taken, given, estimated, self._common.prices.price(self.endpoint.name, taken, given))

    def _given_up(self, failure: Failure, call: _Call) -> ModelFailed:
        tried = f" (tried {call.sent} times)" if call.sent > 1 else ""
        return ModelFailed(
            failure.message + tried,
            failure.remedy,
            reason=failure.reason,
            model=self.endpoint.name,
            attempts=call.sent,
            usage=total(call.usages),
        )


class _Failed(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class _Refused(Exception):
    """The server does not know an optional parameter."""

    def __init__(self, parameter: str) -> None:
        super().__init__(parameter)
        self.parameter = parameter


def _sendable(text: str) -> str:
    """`text` in which half a surrogate pair, which some files hold and no request can, is a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _without_thought(text: str) -> str:
    """`text` without the thinking that a server left in it, closed or broken off."""
    return text.rpartition("</think>")[2].partition("<think>")[0].strip()


def _new_id() -> str:
    return secrets.token_hex(4)


def _ms_since(started: float) -> float:
    return round((time.monotonic() - started) * 1000, 3)
