"""Response bodies: values as JSON, and streams of server-sent events."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncGenerator, Mapping
from typing import Any, cast

from fastapi.responses import Response, StreamingResponse
from langgraph.types import Overwrite
from starlette.types import Receive, Scope, Send

PING_SECONDS = 15.0
_NO_STORE = {"Cache-Control": "no-store"}


def to_json_value(value: Any) -> Any:
    """A copy of `value` that holds only maps, lists, texts, finite numbers, booleans and None.

    What graph nodes write into the state may hold more than JSON knows.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if not value.isascii() else value
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Overwrite):
        return to_json_value(value.value)
    if isinstance(value, Mapping):
        return {str(to_json_value(str(key))): to_json_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json_value(item) for item in value]
    return to_json_value(str(value))


def json_line(value: Any) -> str:
    """JSON without line breaks, as a server-sent event needs it."""
    return json.dumps(to_json_value(value), ensure_ascii=False, separators=(",", ":"))


def json_response(value: Any) -> Response:
    """A response that no cache stores."""
    return Response(json_line(value), media_type="application/json", headers=_NO_STORE)


def sse_event(name: str, data: str) -> str:
    """A server-sent event with a name."""
    return f"event: {name}\ndata: {data}\n\n"


def sse_data(data: str) -> str:
    """A server-sent event without a name, as OpenAI's clients read it."""
    return f"data: {data}\n\n"


async def event_stream(events: AsyncGenerator[str, None]) -> StreamingResponse:
    """Stream `events`, with a comment every PING_SECONDS while nothing happens.

    The first event is awaited here, so that an error before it still gets its own HTTP status.
    Not sse-starlette: version 1, which LangServe requires, keeps one exit event for the whole process, and may leave
    the generator open, and so its run going, when the client disconnects.
    """
    try:
        first = await anext(events)
    except BaseException:
        await events.aclose()
        raise
    headers = {**_NO_STORE, "X-Accel-Buffering": "no"}
    return _EventResponse(_with_pings(first, events), media_type="text/event-stream", headers=headers)


class _EventResponse(StreamingResponse):
    """Closes its generator however the response ends; Starlette leaves that to the garbage collector."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await cast(AsyncGenerator[str, None], self.body_iterator).aclose()


async def _with_pings(first: str, events: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    pending: asyncio.Future[str] | None = None
    try:
        yield first
        while True:
            pending = pending or asyncio.ensure_future(_next(events))
            done, _ = await asyncio.wait({pending}, timeout=PING_SECONDS)
            if not done:
                yield ": ping\n\n"
                continue
            event, pending = pending.result(), None
            if not event:
                return
            yield event
    finally:
        if pending is not None:
            pending.cancel()
            await asyncio.wait({pending})
        await events.aclose()


async def _next(events: AsyncGenerator[str, None]) -> str:
    """The next event, or "" at the end: a future cannot hold a StopAsyncIteration."""
    return await anext(events, "")
