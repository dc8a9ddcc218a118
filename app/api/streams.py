"""A generator that works in a thread, as an asynchronous stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Executor
from contextlib import aclosing, suppress
from contextvars import copy_context
from threading import Event
from typing import Any, TypeVar

from clew.graphs.interruptible import Ended as Ended
from clew.graphs.interruptible import Stopped as Stopped
from clew.graphs.interruptible import put_all as put_all

T = TypeVar("T")
Work = Callable[[Event], Iterator[T]]
"""A generator function. It runs in a thread, and stops when the event is set."""


async def in_thread(
    work: Work[T],
    *,
    executor: Executor | None = None,
    cancelled: Event | None = None,
    on_end: Callable[[], None] | None = None,
) -> AsyncGenerator[T, None]:
    """Yield what `work` yields, and raise what it raises.

    A consumer that stops, or whose task is cancelled, sets the event of the work.

    Args:
        work: Begun in the thread.
        executor: Has the thread; without one, the event loop's own executor has it, and the work runs in a copy of the
            caller's context variables.
        cancelled: The event of the work.
        on_end: Called on the event loop when the thread has ended.
    """
    loop, stop = asyncio.get_running_loop(), cancelled or Event()
    items: asyncio.Queue[tuple[Any, BaseException | None]] = asyncio.Queue()

    def put(item: Any, error: BaseException | None) -> None:
        loop.call_soon_threadsafe(items.put_nowait, (item, error))

    def run() -> None:
        with suppress(RuntimeError):  # The loop is closed: nobody listens and nothing is counted any more.
            try:
                put_all(work(stop), put, stop)
            finally:
                if on_end is not None:
                    loop.call_soon_threadsafe(on_end)

    if executor is None:
        loop.run_in_executor(None, copy_context().run, run)
    else:
        executor.submit(run)
    try:
        while True:
            item, error = await items.get()
            if isinstance(error, Ended):
                return
            if error is not None:
                raise error
            yield item
    finally:
        stop.set()


async def last_of(items: AsyncGenerator[T, None]) -> T:
    """The last item. Raises what `items` raises, and Stopped if there is none."""
    found: list[T] = []
    async with aclosing(items):
        async for item in items:
            found[:] = [item]
    if not found:
        raise Stopped
    return found[0]
