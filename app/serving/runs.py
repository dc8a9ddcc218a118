"""Runs: questions and statements that are worked on, each in a thread of its own, and no more at once than set.

What a run tells comes as an asynchronous stream. Whoever stops listening, or is cancelled because the client left,
stops the run: its event is set, which ends the calls of a model at once, and all else at the next step. Its place is
free again when its thread has ended, not before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing, suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Any, TypeVar

from clew.graphs.interruptible import Stopped

T = TypeVar("T")
Work = Callable[[Event], Iterator[T]]
"""Works in a thread of its own, and looks at the event now and then."""


class Full(Exception):
    """As many runs as may be are under way and waiting."""


@dataclass(eq=False)
class Runs:
    """Made and used on one event loop."""

    most: int
    """Runs under way at once."""
    most_waiting: int
    running: int = 0
    waiting: int = 0
    refused: int = 0
    _places: asyncio.Semaphore = field(init=False)
    _pool: ThreadPoolExecutor = field(init=False)
    _under_way: set[Event] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.most)
        self._pool = ThreadPoolExecutor(self.most, "run")

    def has_room(self, runs: int = 1) -> bool:
        return self.running + self.waiting + runs <= self.most + self.most_waiting

    def refuse_unless_room(self, runs: int = 1) -> None:
        """Raises Full."""
        if not self.has_room(runs):
            self.refused += 1
            raise Full

    async def stream(self, work: Work[T]) -> AsyncGenerator[T, None]:
        """What `work` yields. Raises Full, and what it raises."""
        self.refuse_unless_room()
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        told: asyncio.Queue[Callable[[], T]] = asyncio.Queue()
        left = Event()
        self._begin(work, told, left)
        try:
            while True:
                try:
                    part = (await told.get())()
                except _Ended:
                    return
                yield part
        finally:
            left.set()

    async def last(self, work: Work[T]) -> T:
        """The last thing that `work` yields. Raises Stopped where it was ended before."""
        found: list[T] = []
        async with aclosing(self.stream(work)) as parts:
            async for part in parts:
                found[:] = [part]
        if not found:
            raise Stopped
        return found[0]

    def stop_all(self) -> None:
        """Have every run end as soon as it can; who listens gets Stopped."""
        for left in self._under_way:
            left.set()

    def close(self) -> None:
        """Ends the runs, and waits for them."""
        self.stop_all()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _begin(self, work: Work[T], told: asyncio.Queue[Callable[[], T]], left: Event) -> None:
        loop = asyncio.get_running_loop()
        self.running += 1
        self._under_way.add(left)

        def tell(part: Callable[[], Any]) -> None:
            loop.call_soon_threadsafe(told.put_nowait, part)

        def done() -> None:
            self.running -= 1
            self._under_way.discard(left)
            self._places.release()

        def run() -> None:
            with suppress(RuntimeError):  # The loop is closed: nobody listens, and nothing is counted any more.
                try:
                    _work(work, tell, left)
                finally:
                    loop.call_soon_threadsafe(done)

        self._pool.submit(run)


def _work(work: Work[T], tell: Callable[[Callable[[], Any]], None], left: Event) -> None:
    try:
        parts: Any = work(left)
        with closing(parts):
            for part in parts:
                if left.is_set():
                    raise Stopped
                tell(_giving(part))
    except BaseException as error:
        tell(_raising(error))
    else:
        tell(_raising(_Ended()))


class _Ended(Exception):
    """There are no more parts."""


def _giving(part: T) -> Callable[[], T]:
    return lambda: part


def _raising(error: BaseException) -> Callable[[], Any]:
    def throw() -> Any:
        raise error

    return throw
