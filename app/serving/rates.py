"""How often one may ask with a token: a bucket that fills evenly, and holds a minute's worth."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from clew.app.serving.callers import Caller


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


@dataclass(slots=True)
class Rates:
    """Of all tokens with a limit. Used by one thread."""

    clock: Callable[[], float] = time.monotonic
    _buckets: dict[str, _Bucket] = field(default_factory=dict)

    def wait(self, caller: Caller) -> int:
        """Whole seconds until the caller may ask again; 0 counts this request and lets it in."""
        if caller.per_minute is None:
            return 0
        now, most = self.clock(), float(caller.per_minute)
        bucket = self._buckets.setdefault(caller.token, _Bucket(most, now))
        bucket.tokens = min(most, bucket.tokens + (now - bucket.at) * most / 60)
        bucket.at = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            return 0
        return max(1, ceil((1 - bucket.tokens) * 60 / most))
