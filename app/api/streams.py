"""A generator that works in a thread, as an asynchronous stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from contextvars import copy_context
from threading import Event
from typing import Any, TypeVar

from clew.graphs.interruptible import put_all, received

T = TypeVar("T")
Work = Callable[[Event], Iterator[T]]
"""Begins work in the thread that calls it. The work ends early when the event is set."""


async def in_thread(work: Work[T]) -> AsyncGenerator[T, None]:
    """Yield what `work` yields, and raise what it raises.

    A consumer that stops, or whose task is cancelled, sets the event of the work.
    """
    loop, cancelled = asyncio.get_running_loop(), Event()
    items: asyncio.Queue[tuple[Any, BaseException | None]] = asyncio.Queue()

    def put(item: Any, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # The loop is closed, so nobody listens.
            loop.call_soon_threadsafe(items.put_nowait, (item, error))

    loop.run_in_executor(None, copy_context().run, lambda: put_all(work(cancelled), put, cancelled))
    async with aclosing(received(items, cancelled)) as parts:
        async for part in parts:
            yield part
