"""Runs: questions and statements that are processed in threads, a limited number at once.

A run is admitted before it begins, so that a server without room refuses it before it has answered anything. It
produces an asynchronous stream. If its consumer ends, or is cancelled because the client left, this stops the run:
model calls end at once, everything else at the next step. Its place is free when its thread has ended.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from clew.app.api.streams import Stopped, Work, in_thread, last_of
from clew.app.serving.turns import Turns
from clew.tools.errors import ClewError

T = TypeVar("T")


class QueueFull(ClewError):
    """As many runs as allowed are running and waiting."""


class ShuttingDown(ClewError):
    """The server stops before the run has ended."""


@dataclass(eq=False, slots=True)
class Places:
    """Places of runs that are admitted and have not begun."""

    left: int
    turn: float
    """The number of the next run (see `Turns`)."""


@dataclass(eq=False)
class Runs:
    """Made and used on one event loop."""

    most: int
    """Runs at once."""
    most_waiting: int
    running: int = 0
    waiting: int = 0
    """Runs that are admitted and have not begun."""
    refused: int = 0
    _turns: Turns = field(init=False)
    _pool: ThreadPoolExecutor = field(init=False)
    _active: set[Event] = field(default_factory=set)
    _stopped: bool = False

    def __post_init__(self) -> None:
        self._turns = Turns(self.most)
        self._pool = ThreadPoolExecutor(self.most, "run")

    @contextmanager
    def admitted(self, runs: int = 1, user: str = "") -> Iterator[Places]:
        """Places for `runs` runs of a user; those that have not begun at the end of the block are given back.

        Raises QueueFull, unless there is room for all of them that others were not promised.
        """
        turn = self._turns.admitted(user, runs, self.most + self.most_waiting - self.running - self.waiting)
        if turn is None:
            self.refused += 1
            raise QueueFull("Too many questions are waiting.", "Ask again in a moment.")
        places = Places(runs, turn)
        self.waiting += runs
        try:
            yield places
        finally:
            self.waiting -= places.left
            places.left = 0

    async def stream(self, work: Work[T], places: Places) -> AsyncGenerator[T, None]:
        """Run `work` in one of `places` and yield its items. Raises Stopped, and what `work` raises."""
        turn, places.turn = places.turn, places.turn + 1
        await self._turns.take(turn)
        if self._stopped or not places.left:  # Places that were given back: nobody waits for this run any more.
            self._turns.give_back()
            raise Stopped
        cancelled = Event()
        places.left -= 1
        self.waiting -= 1
        self.running += 1
        self._active.add(cancelled)

        def on_end() -> None:
            self.running -= 1
            self._active.discard(cancelled)
            self._turns.give_back()

        async with aclosing(in_thread(work, executor=self._pool, cancelled=cancelled, on_end=on_end)) as parts:
            async for part in parts:
                yield part

    async def last(self, work: Work[T]) -> T:
        """The last item of `work`. Raises QueueFull, Stopped, also if there is no item, and what `work` raises."""
        with self.admitted() as places:
            return await last_of(self.stream(work, places))

    def stop_all(self) -> None:
        """Stop every run as soon as possible, and begin none; their consumers get Stopped."""
        self._stopped = True
        for cancelled in self._active:
            cancelled.set()

    def close(self) -> None:
        """Stop all runs and wait for them."""
        self.stop_all()
        self._pool.shutdown(wait=True, cancel_futures=True)
