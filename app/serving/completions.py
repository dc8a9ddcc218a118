"""`/v1/chat/completions` and `/v1/models`: Clew as an OpenAI-compatible model, one per graph (`clew:demo`).

The last message of the user is the question, and the messages before it are the conversation. The turns behind a
conversation are cached by its text. If they are not cached (another process, an edited message), the earlier questions
are read again without a language model. Sampling parameters are ignored. The text of an answer is Markdown, which
clients render: names in it become neither links nor images.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import FastAPI, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from clew.app.answer_text import answer_text, pieces, token_count
from clew.app.api.asking import MOST_CHARACTERS
from clew.app.api.streams import last_of
from clew.app.serving.authentication import Caller, caller_of
from clew.app.serving.errors import client_error, error_response, status_of
from clew.app.serving.request_models import AskOptions
from clew.app.serving.responses import event_stream, json_line, json_response, sse_data
from clew.app.serving.service import QuestionService
from clew.tools.errors import BadInput, UnknownGraph

if TYPE_CHECKING:
    from clew.app.api.requests import Turn

PREFIX = "clew:"
_MOST_MESSAGES = 200
_REREAD = 3
"""Earlier questions that are read again if their conversation is not cached."""
_CACHED = 512


class Part(BaseModel):
    model_config = ConfigDict(extra="ignore")

    type: str
    text: Annotated[str, Field(max_length=100_000)] | None = None


class Message(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, Field(max_length=100_000)] | Annotated[list[Part], Field(max_length=100)] | None = None

    @property
    def text(self) -> str:
        """Raises BadInput for parts that are not text."""
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        if any(part.type not in ("text", "refusal") for part in self.content):
            raise BadInput("A message has a part that is not text.", "Send text only.")
        return "".join(part.text or "" for part in self.content)


class StreamOptions(BaseModel):
    include_usage: bool = False


class Completion(BaseModel):
    """The body that OpenAI's clients send; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())

    model: str = Field(max_length=300)
    messages: Annotated[list[Message], Field(min_length=1, max_length=_MOST_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None


Messages = tuple[tuple[str, str], ...]
"""(role, text) of user and assistant."""


@dataclass
class Conversations:
    """A cache of the turns behind conversations that clients keep, by text; drops the least recently used."""

    most: int = _CACHED
    _turns: OrderedDict[str, tuple[Turn, ...]] = field(default_factory=OrderedDict)

    def turns(self, caller: Caller, graph: str, messages: Messages) -> tuple[Turn, ...] | None:
        key = _key(caller, graph, messages)
        if key not in self._turns:
            return None
        self._turns.move_to_end(key)
        return self._turns[key]

    def remember(self, caller: Caller, graph: str, messages: Messages, turns: tuple[Turn, ...]) -> None:
        self._turns[_key(caller, graph, messages)] = turns
        while len(self._turns) > self.most:
            self._turns.popitem(last=False)


@dataclass(frozen=True, slots=True)
class ChatQuestion:
    """A question, and the messages before it."""

    caller: Caller
    model: str
    graph: str
    question: str
    before: Messages
    include_usage: bool


def add_completion_routes(app: FastAPI, service: QuestionService) -> None:
    """Add the routes of OpenAI's chat completions, in which a graph is a model."""
    cache = Conversations()

    @app.get("/v1/models")
    async def models(request: Request) -> dict[str, Any]:
        names = await service.visible(caller_of(request))
        return {"object": "list", "data": [_model(name) for name in names]}

    @app.get("/v1/models/{model:path}")
    async def model(request: Request, model: str) -> dict[str, Any]:
        return _model(await _graph(service, caller_of(request), model))

    @app.post("/v1/chat/completions")
    async def complete(request: Request, asked: Completion) -> Response:
        caller = caller_of(request)
        chat = await _chat_question(service, caller, asked)
        if asked.stream:
            return await event_stream(_chunks(service, cache, chat))
        result = (await last_of(_answered(service, cache, chat)))["result"]
        return json_response(_completion(chat, result))


async def _chat_question(service: QuestionService, caller: Caller, asked: Completion) -> ChatQuestion:
    graph = await _graph(service, caller, asked.model)
    messages = tuple((m.role, m.text) for m in asked.messages if m.role in ("user", "assistant"))
    last = max((place for place, (role, _) in enumerate(messages) if role == "user"), default=None)
    if last is None or not messages[last][1].strip():
        raise BadInput("There is no question: no message of the user says anything.", "Send one.")
    if len(messages[last][1]) > MOST_CHARACTERS:
        raise BadInput(f"A question has {MOST_CHARACTERS:,} characters at most.", "Ask less at once.")
    usage = asked.stream_options is not None and asked.stream_options.include_usage
    return ChatQuestion(caller, asked.model, graph, messages[last][1], messages[:last], usage)


async def _graph(service: QuestionService, caller: Caller, model: str) -> str:
    """The graph of a model. Raises UnknownGraph."""
    if not model.startswith(PREFIX):
        raise UnknownGraph(f"There is no model {model!r}.", f"Models are graphs: {PREFIX}NAME.")
    return await service.graph(caller, model.removeprefix(PREFIX))


async def _history(service: QuestionService, cache: Conversations, chat: ChatQuestion) -> tuple[Turn, ...]:
    if not chat.before:
        return ()
    turns = cache.turns(chat.caller, chat.graph, chat.before)
    if turns is not None:
        return turns
    earlier = [text for role, text in chat.before if role == "user" and text.strip()]
    readable = [text for text in earlier if len(text) <= MOST_CHARACTERS][-_REREAD:]
    if not readable:
        return ()
    found: tuple[Turn, ...] = (await service.uncounted(service.backend.reread(chat.graph, readable)))["turns"]
    return found


async def _answered(
    service: QuestionService, cache: Conversations, chat: ChatQuestion
) -> AsyncGenerator[dict[str, Any], None]:
    """The events `start` and `result`; the conversation is cached under the text that the next request will have."""
    history = await _history(service, cache, chat)
    asked = service.ask(chat.caller, chat.question, AskOptions(graph=chat.graph), history, steps=False)
    async with aclosing(asked) as events:
        async for event in events:
            if event["type"] == "result":
                answer = answer_text(event["result"]).markdown
                messages = (*chat.before, ("user", chat.question), ("assistant", answer))
                cache.remember(chat.caller, chat.graph, messages, (*history, event["turn"]))
            yield event


async def _chunks(service: QuestionService, cache: Conversations, chat: ChatQuestion) -> AsyncGenerator[str, None]:
    base = _base(chat, "chat.completion.chunk")
    async with aclosing(_answered(service, cache, chat)) as answered:
        await anext(answered)
        yield sse_data(json_line({**base, "choices": [_choice({"role": "assistant", "content": ""})]}))
        try:
            result = (await last_of(answered))["result"]
        except Exception as error:
            known = client_error(error)
            response = error_response("/v1/", status_of(known), known.message, remedy=known.remedy)
            yield sse_data(bytes(response.body).decode())
            return
    for piece in pieces(answer_text(result).markdown):
        yield sse_data(json_line({**base, "choices": [_choice({"content": piece})]}))
    yield sse_data(json_line({**base, "choices": [_choice({}, "stop")], "clew": _details(result)}))
    if chat.include_usage:
        yield sse_data(json_line({**base, "choices": [], "usage": _usage(chat, result)}))
    yield sse_data("[DONE]")


def _completion(chat: ChatQuestion, result: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer_text(result).markdown, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    usage = _usage(chat, result)
    return {**_base(chat, "chat.completion"), "choices": [choice], "usage": usage, "clew": _details(result)}


def _base(chat: ChatQuestion, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{secrets.token_hex(12)}",
        "object": kind,
        "created": int(time.time()),
        "model": chat.model,
        "system_fingerprint": None,
    }


def _choice(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}


def _details(result: dict[str, Any]) -> dict[str, Any]:
    """What OpenAI's format has no place for."""
    return {
        key: result[key]
        for key in ("trace_id", "confidence", "graph", "cypher", "reading", "sure", "readings", "follow_up")
    }


def _usage(chat: ChatQuestion, result: dict[str, Any]) -> dict[str, int]:
    """The tokens of language models; without one, those of the messages."""
    cost = result.get("model")
    if cost and cost["calls"]:
        prompt, completion = int(cost["input_tokens"]), int(cost["output_tokens"])
    else:
        prompt = sum(token_count(text) for _, text in chat.before) + token_count(chat.question)
        completion = token_count(answer_text(result).markdown)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _model(graph: str) -> dict[str, Any]:
    return {"id": f"{PREFIX}{graph}", "object": "model", "created": 0, "owned_by": "clew"}


def _key(caller: Caller, graph: str, messages: Sequence[tuple[str, str]]) -> str:
    return hashlib.sha256(json.dumps([caller.owner, graph, messages]).encode("utf-8", "replace")).hexdigest()
