"""An asyncio loop in a thread of its own, on which threads have work done that they can leave at any time.

A request that waits in a thread cannot be ended from outside. One that waits on a loop can: its task is cancelled,
which closes the connection, wherever in the reply it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import wait
from threading import Event, Lock, Thread
from typing import Any, TypeVar

Result = TypeVar("Result")
_LOOK = 0.05
"""Seconds between looks at whether the caller has left."""
_END = 5.0
"""Seconds in which connections should be closed."""


class Left(Exception):
    """The caller does not wait any more."""


class BackgroundLoop:
    """Started when first used. Safe for any number of threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, work: Coroutine[Any, Any, Result], cancelled: Event) -> Result:
        """The result of `work`. Raises what it raises; Left as soon as `cancelled` is set.

        However this ends (Ctrl-C included), the work has ended or is being cancelled.
        """
        future = asyncio.run_coroutine_threadsafe(work, self._running())
        try:
            while not wait([future], timeout=_LOOK).done:
                if cancelled.is_set():
                    raise Left
            return future.result()
        finally:
            future.cancel()

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """End what still runs, do what is `last`, and end the thread; nothing where it never ran."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            wait([asyncio.run_coroutine_threadsafe(_end(last), loop)], timeout=_END)
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


async def _end(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()
