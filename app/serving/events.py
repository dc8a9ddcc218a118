"""Server-sent events of our own: a response whose status is known when the first event is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, cast

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

PING_SECONDS = 15.0
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


async def event_stream(lines: AsyncGenerator[str, None]) -> StreamingResponse:
    """`lines`, each a whole event, with a comment now and then while nothing happens. What goes wrong before the first
    one is raised here, so that it still has a status of its own."""
    try:
        first = await anext(lines)
    except BaseException:
        await lines.aclose()
        raise
    return _Events(_all(first, lines), media_type="text/event-stream", headers=_HEADERS)


class _Events(StreamingResponse):
    """Closes what it streams when it ends, however it ends: Starlette leaves that to the garbage collector where the
    client was the reason."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await cast(AsyncGenerator[str, None], self.body_iterator).aclose()


async def _all(first: str, lines: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    try:
        yield first
        pending: asyncio.Future[str] | None = None
        try:
            while True:
                pending = pending or asyncio.ensure_future(_next(lines))
                done, _ = await asyncio.wait({pending}, timeout=PING_SECONDS)
                if not done:
                    yield ": still at it\n\n"
                    continue
                line, pending = pending.result(), None
                if not line:
                    return
                yield line
        finally:
            if pending is not None:
                pending.cancel()
                await asyncio.wait({pending})
    finally:
        await lines.aclose()


async def _next(lines: AsyncGenerator[str, None]) -> str:
    """ "" at the end: no future can hold a StopAsyncIteration."""
    return await anext(lines, "")


def event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


def shown(data: Any) -> str:
    return f"data: {data}\n\n"
