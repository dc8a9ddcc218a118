"""A generator that works in a thread, as an asynchronous stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from concurrent.futures import Executor
from contextlib import closing, suppress
from contextvars import copy_context
from threading import Event
from typing import Any, TypeVar

T = TypeVar("T")
Work = Callable[[Event], Generator[T, None, None]]
"""Begins work in the thread that calls it. It ends early when the event is set."""


async def in_thread(work: Work[T], executor: Executor | None = None) -> AsyncGenerator[T, None]:
    """Yield what `work` yields. A consumer that stops, or whose task is cancelled, sets the event of the work.

    Args:
        work: Called in a thread with an event of its own.
        executor: Where the thread comes from; None takes the event loop's default.

    Raises: What `work` raises.
    """
    loop, cancelled = asyncio.get_running_loop(), Event()
    queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

    def put(kind: str, value: Any = None) -> None:
        with suppress(RuntimeError):  # The loop is closed, so nobody listens.
            loop.call_soon_threadsafe(queue.put_nowait, (kind, value))

    def run() -> None:
        try:
            with closing(work(cancelled)) as items:
                for item in items:
                    put("item", item)
                    if cancelled.is_set():
                        return
            put("end")
        except BaseException as error:
            put("error", error)

    loop.run_in_executor(executor, copy_context().run, run)
    try:
        while (received := await queue.get())[0] != "end":
            kind, value = received
            if kind == "error":
                raise value
            yield value
    finally:
        cancelled.set()
