"""Runs: questions and statements that are processed in threads, a limited number at once.

A run produces an asynchronous stream. If its consumer ends, or is cancelled because the client left, this stops
the run: model calls end at once, everything else at the next step. Its place is free when its thread has ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from clew.app.api.streams import Work, in_thread, last_of
from clew.tools.errors import ClewError

T = TypeVar("T")


class QueueFull(Exception):
    """As many runs as allowed are running and waiting."""


class ShuttingDown(ClewError):
    """The server stops before the run has ended."""


@dataclass(eq=False)
class Runs:
    """Made and used on one event loop."""

    most: int
    """Runs at once."""
    most_waiting: int
    running: int = 0
    waiting: int = 0
    refused: int = 0
    _places: asyncio.Semaphore = field(init=False)
    _pool: ThreadPoolExecutor = field(init=False)
    _active: set[Event] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.most)
        self._pool = ThreadPoolExecutor(self.most, "run")

    def has_room(self, runs: int = 1) -> bool:
        return self.running + self.waiting + runs <= self.most + self.most_waiting

    def refuse_unless_room(self, runs: int = 1) -> None:
        """Raises QueueFull."""
        if not self.has_room(runs):
            self.refused += 1
            raise QueueFull

    async def stream(self, work: Work[T]) -> AsyncGenerator[T, None]:
        """Run `work` and yield its items. Raises QueueFull, Stopped, and what `work` raises."""
        self.refuse_unless_room()
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        cancelled = Event()
        self.running += 1
        self._active.add(cancelled)

        def on_end() -> None:
            self.running -= 1
            self._active.discard(cancelled)
            self._places.release()

        async with aclosing(in_thread(work, executor=self._pool, cancelled=cancelled, on_end=on_end)) as parts:
            async for part in parts:
                yield part

    async def last(self, work: Work[T]) -> T:
        """The last item of `work`. Raises as `stream`, and Stopped if there is no item."""
        return await last_of(self.stream(work))

    def stop_all(self) -> None:
        """Stop every run as soon as possible; its consumer gets Stopped."""
        for cancelled in self._active:
            cancelled.set()

    def close(self) -> None:
        """Stop all runs and wait for them."""
        self.stop_all()
        self._pool.shutdown(wait=True, cancel_futures=True)
