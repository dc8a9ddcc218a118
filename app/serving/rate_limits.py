"""How often a token may be used."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from clew.app.serving.authentication import Caller


@dataclass(slots=True)
class Bucket:
    """The requests that a token has left: it fills evenly, and holds a minute's requests."""

    tokens: float
    at: float
    """The second in which it had these."""

    def wait(self, now: float, per_minute: int) -> int:
        """Seconds until there is a request left; 0 takes one."""
        self.tokens = min(float(per_minute), self.tokens + (now - self.at) * per_minute / 60)
        self.at = now
        if self.tokens >= 1:
            self.tokens -= 1
            return 0
        return max(1, ceil((1 - self.tokens) * 60 / per_minute))


@dataclass(slots=True)
class RateLimits:
    """Requests a minute of every token with a limit, in this process. Used by one thread."""

    clock: Callable[[], float] = time.monotonic
    shared: bool = False
    """Whether `wait` asks a server, which takes time."""
    _buckets: dict[str, Bucket] = field(default_factory=dict)

    def wait(self, caller: Caller) -> int:
        """Seconds until the caller may send a request; 0 counts this request and admits it."""
        if caller.per_minute is None:
            return 0
        now = self.clock()
        bucket = self._buckets.setdefault(caller.token, Bucket(caller.per_minute, now))
        return bucket.wait(now, caller.per_minute)
