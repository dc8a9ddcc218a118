"""Queries that people write, in threads of their own: few at once, and fewer of one user, so that slow ones keep
neither the threads of questions nor all of the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from threading import Event
from typing import TypeVar

from clew.app.api.streams import last_of
from clew.app.serving.runs import QueueFull, Runs

AT_ONCE, OF_ONE_USER = 4, 2
_WAITING = 16

T = TypeVar("T")


class QueryRuns:
    """Made and used on one event loop."""

    def __init__(self) -> None:
        self._runs = Runs(AT_ONCE, _WAITING)
        self._held: Counter[str] = Counter()

    async def run(self, user: str, query: Callable[[], T]) -> T:
        """What `query` returns. Raises QueueFull if as many of the user run already, or too many of all users wait."""
        if self._held[user] >= OF_ONE_USER:
            raise QueueFull(f"{OF_ONE_USER} of your queries are running.", "Wait until one of them has ended.")

        def work(_: Event) -> Iterator[T]:
            yield query()

        with self._runs.admitted(1, user) as places:
            self._held[user] += 1
            try:
                return await last_of(self._runs.stream(work, places))
            finally:
                self._held -= Counter((user,))

    def close(self) -> None:
        """Wait for the queries that run; begin no other."""
        self._runs.close()
