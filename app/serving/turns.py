"""Whose run is next, and who is turned away, so that users get like shares of a server that cannot serve all.

Users take turns: each run has a number, one more than that of its user's run before, and the lowest number is next
(start-time fair queueing: Goyal, Vin and Cheng 1996, section 2). Who was turned away keeps their number for a while.
As long as they do, others leave the place to them, unless their numbers are lower, so that coming back pays.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

CLAIM_SECONDS = 5.0
"""Seconds for which a refused user keeps their turn; the reply asks them to retry after a second."""
_MOST_KNOWN = 10_000
"""Maximum number of users whose numbers are remembered without need."""


@dataclass(slots=True)
class _Claim:
    number: float
    until: float


@dataclass(slots=True)
class Turns:
    """The turns of `most` runs at once. Made and used on one event loop."""

    most: int
    clock: Callable[[], float] = time.monotonic
    _free: int = field(init=False)
    _now: float = 0.0
    """The highest number of a run that has begun: users who come after a pause begin here."""
    _next: dict[str, float] = field(default_factory=dict)
    """The number of each user's next run, if it is higher."""
    _claims: dict[str, _Claim] = field(default_factory=dict)
    _line: list[tuple[float, int, asyncio.Future[None]]] = field(default_factory=list)
    _arrivals: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._free = self.most

    def admitted(self, user: str, runs: int, room: int) -> float | None:
        """The number of the first of `runs` runs of `user`; None if they are turned away.

        Args:
            user: Who asks.
            runs: How many runs.
            room: How many more runs can be admitted.
        """
        now = self.clock()
        self._claims = {other: claim for other, claim in self._claims.items() if claim.until > now}
        claim = self._claims.get(user)
        number = claim.number if claim else max(self._now, self._next.get(user, 0.0))
        before = sum(each.number < number + (claim is None) for each in self._claims.values())
        if room < runs or room - runs < before:
            self._claims[user] = _Claim(number, now + CLAIM_SECONDS)
            return None
        self._claims.pop(user, None)
        self._next[user] = number + runs
        if len(self._next) > _MOST_KNOWN:
            self._next = {each: number for each, number in self._next.items() if number > self._now}
        return number

    async def take(self, number: float) -> None:
        """Wait until the run of this number may begin."""
        if not self._free or self._line:
            turn = asyncio.get_running_loop().create_future()
            heapq.heappush(self._line, (number, next(self._arrivals), turn))
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.give_back()
                raise
        else:
            self._free -= 1
        self.begun(number)

    def begun(self, number: float) -> None:
        """Note that the run of this number has begun."""
        self._now = max(self._now, number)

    def give_back(self) -> None:
        """A run has ended: the next one begins."""
        while self._line:
            *_, turn = heapq.heappop(self._line)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
