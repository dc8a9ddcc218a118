"""One model on one server: its requests are sent, repeated where that helps, counted, and turned into replies."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from clew.agents.models.cache import ReplyCache, cache_key
from clew.agents.models.calls import ModelFailed, OnToken, Reply, Usage, total
from clew.agents.models.endpoint import Clients, Endpoint, ModelSpec
from clew.agents.models.failures import (
    Failure,
    Retries,
    empty_reply,
    failure_of,
    refused_parameter,
    took_too_long,
    unusable_client,
)
from clew.agents.models.prices import Prices
from clew.agents.prompting import Prompt
from clew.tools.embedding.token_budget import counter

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage

LONGEST_REPLY = 64_000
"""Characters of a reply that are kept; a model that repeats itself can write many more."""
_LIMITS = ("max_tokens", "max_completion_tokens")
_FINISH_REASONS = ("finish_reason", "stop_reason", "done_reason")
"""Where the providers' messages say why a reply ended."""
_OPEN, _CLOSE = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class SharedResources:
    """What all models share."""

    clients: Clients
    slots: asyncio.Semaphore
    """Limits the requests in progress at the same time, over all runs."""
    request_seconds: float
    """Time for one request; after it another one is tried."""
    retries: Retries
    prices: Prices
    cache: ReplyCache | None


@dataclass(slots=True)
class _Call:
    """One call in progress."""

    ends: float
    """On the clock of `time.monotonic`."""
    dropped: set[str]
    """Optional parameters that are not sent."""
    on_token: OnToken | None = None
    sent: int = 0
    usages: list[Usage] = field(default_factory=list)

    @property
    def left(self) -> float:
        return self.ends - time.monotonic()


class Chat:
    """A model on a server. Used on one asyncio loop only."""

    def __init__(self, endpoint: Endpoint, shared: SharedResources) -> None:
        self.endpoint = endpoint
        self._shared = shared
        self._refused: set[str] = set()
        """Parameters that the server is known to refuse."""
        self._cannot_stream = False
        """Whether the server is known to give replies in one piece only."""
        self._down = False
        """Whether the server was unavailable for the last call; the next call then does not repeat its requests."""

    async def ask(
        self, spec: ModelSpec, prompt: Prompt, *, json: bool, seconds: float, on_token: OnToken | None = None
    ) -> Reply:
        """The reply within `seconds`; `on_token` gets its pieces as they arrive. Raises ModelFailed."""
        until, cache = time.monotonic() + seconds, self._shared.cache
        name = self.endpoint.full_name
        key = cache_key(self.endpoint.place, self._request(spec, prompt, json, set()))
        if cache and (known := await asyncio.to_thread(cache.get, key)):
            if on_token is not None:
                on_token(_new_id(), known[0])
            return Reply(known[0], Usage(price=0.0), name, known[1], attempts=0)
        call = _Call(until, set(self._refused), on_token)
        text, finish_reason = await self._with_retries(call, spec, prompt, json)
        if cache:
            await asyncio.to_thread(cache.put, key, text, finish_reason)
        return Reply(text, total(call.usages), name, finish_reason, attempts=call.sent)

    async def _with_retries(self, call: _Call, spec: ModelSpec, prompt: Prompt, json: bool) -> tuple[str, str]:
        """(text, finish reason) of the first request that gives a text."""
        failures, empty = 0, 0
        while True:
            request = self._request(spec, prompt, json, call.dropped)
            try:
                text, finish_reason = await self._send(call, request)
            except _Refused as refused:
                call.dropped.add(refused.parameter)
                continue
            except _Failed as failed:
                failure = failed.failure
            else:
                if text:
                    self._refused, self._down = call.dropped, False
                    return text, finish_reason
                failure = empty_reply(self.endpoint, finish_reason)
            failures += 1
            empty += failure.reason == "empty"
            pause = self._shared.retries.pause(failures, failure.wait)
            again = failure.again and failures < (1 if self._down else self._shared.retries.attempts)
            if not (again or (failure.reason == "empty" and empty == 1)) or pause >= call.left:
                self._down = failure.reason == "unavailable"
                raise self._give_up(failure, call)
            await asyncio.sleep(pause)

    async def _send(self, call: _Call, request: dict[str, Any]) -> tuple[str, str]:
        """(text, finish reason) of one request; the text may be empty. Raises _Refused, _Failed."""
        parameters = {name: value for name, value in request.items() if name not in ("model", "messages")}
        try:
            async with asyncio.timeout(call.left), self._shared.slots:
                client, options = await self._client(parameters)
                async with asyncio.timeout(self._shared.request_seconds):
                    message = await self._reply(call, client, request["messages"], options)
        except TimeoutError:
            raise _Failed(took_too_long(self.endpoint)) from None
        except _Failed:
            raise
        except Exception as error:
            if parameter := refused_parameter(error, parameters):
                raise _Refused(parameter) from None
            raise _Failed(failure_of(error, self.endpoint)) from None
        call.usages.append(await asyncio.to_thread(self._usage, message, request["messages"]))
        return _without_thinking(message.text)[:LONGEST_REPLY], _finish_reason(message)

    async def _client(self, parameters: dict[str, Any]) -> tuple[BaseChatModel, dict[str, Any]]:
        try:
            return await asyncio.to_thread(self._shared.clients.client, self.endpoint, parameters)
        except Exception as error:
            raise _Failed(unusable_client(error, self.endpoint)) from None

    async def _reply(
        self, call: _Call, client: BaseChatModel, messages: list[tuple[str, str]], options: dict[str, Any]
    ) -> BaseMessage:
        """The reply to one request, streamed if there is an `on_token` and the server can stream."""
        call.sent += 1
        if call.on_token is None or self._cannot_stream:
            return await client.ainvoke(messages, **options)
        visible, whole, request = ThinkingFilter(), list[Any](), _new_id()
        streaming: dict[str, Any] = {"stream_usage": True} if self.endpoint.provider == "openai" else {}
        try:
            async for chunk in client.astream(messages, **options, **streaming):
                whole = [whole[0] + chunk] if whole else [chunk]
                if piece := visible.next(chunk.text):
                    call.on_token(request, piece)
        except Exception as error:
            refused = failure_of(error, self.endpoint).reason == "rejected"
            if whole or not refused or refused_parameter(error, options.get("extra_body", options)):
                raise
        if whole:
            return cast("BaseMessage", whole[0])
        self._cannot_stream = True  # The server cannot stream, or does not know `stream_usage`.
        call.sent += 1
        return await client.ainvoke(messages, **options)

    def _request(self, spec: ModelSpec, prompt: Prompt, json: bool, dropped: set[str]) -> dict[str, Any]:
        """The JSON body, without the parameters that are `dropped`."""
        messages = [("system", _encodable(prompt.system)), ("user", _encodable(prompt.user))]
        parameters: dict[str, Any] = {"temperature": spec.temperature}
        limits: tuple[str, ...] = _LIMITS[:1]
        if self.endpoint.provider == "openai":
            if json:
                parameters["response_format"] = {"type": "json_object"}
            # OpenAI calls the limit by its second name, and refuses the first; others may know the first only.
            limits = _LIMITS[::-1] if self.endpoint.is_openai else _LIMITS
        if name := next((name for name in limits if name not in dropped), None):
            parameters[name] = spec.max_tokens
        return {
            "model": self.endpoint.name,
            "messages": [message for message in messages if message[1]],
            **{name: value for name, value in parameters.items() if name not in dropped},
        }

    def _usage(self, message: BaseMessage, messages: list[tuple[str, str]]) -> Usage:
        """The tokens that the server counted; if it gave none, those counted here."""
        metadata = getattr(message, "usage_metadata", None) or {}
        sent, received = metadata.get("input_tokens") or 0, metadata.get("output_tokens") or 0
        estimated = not sent
        if estimated:
            count = counter()
            sent, received = sum(count(text) for _, text in messages), count(message.text[:LONGEST_REPLY])
        return Usage(sent, received, estimated, self._shared.prices.price(self.endpoint.full_name, sent, received))

    def _give_up(self, failure: Failure, call: _Call) -> ModelFailed:
        tried = f" (tried {call.sent} times)" if call.sent > 1 else ""
        return ModelFailed(
            failure.message + tried,
            failure.remedy,
            reason=failure.reason,
            model=self.endpoint.full_name,
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


class ThinkingFilter:
    """Removes thinking from a reply that arrives in pieces. A piece may end within one of its tags.

    Thinking whose opening tag a server leaves out is not recognised.
    """

    def __init__(self) -> None:
        self._waiting = ""
        self._thinks = False

    def next(self, piece: str) -> str:
        """The text that can be shown once `piece` has arrived."""
        text, shown = self._waiting + piece, ""
        while True:
            before, tag, after = text.partition(_CLOSE if self._thinks else _OPEN)
            if not tag:
                break
            shown += "" if self._thinks else before
            self._thinks, text = not self._thinks, after
        tag = _CLOSE if self._thinks else _OPEN
        begun = next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)
        self._waiting = text[len(text) - begun :]
        return shown if self._thinks else shown + text[: len(text) - begun]


def _encodable(text: str) -> str:
    """`text` with a question mark for each half of a surrogate pair, which some files hold and no request can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _without_thinking(text: str) -> str:
    """`text` without the thinking that a server left in it, closed or broken off."""
    return text.rpartition(_CLOSE)[2].partition(_OPEN)[0].strip()


def _finish_reason(message: BaseMessage) -> str:
    """Why a reply ended; "length" for its limit of tokens, whatever the provider calls that."""
    metadata = message.response_metadata
    reason = next((str(metadata[key]) for key in _FINISH_REASONS if metadata.get(key)), "")
    return "length" if reason.casefold() == "max_tokens" else reason


def _new_id() -> str:
    return secrets.token_hex(4)
