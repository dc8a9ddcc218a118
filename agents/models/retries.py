"""When a request is sent again, and after how long."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import isfinite


@dataclass(frozen=True, slots=True)
class Retries:
    """Exponential backoff with jitter; a server that names a time is taken at its word."""

    attempts: int = 4
    """Requests of one call in all, where the server can be expected to do better."""
    first: float = 0.5
    """Seconds before the second request; doubled with each further one."""
    most: float = 8.0
    """Seconds that no pause of our own exceeds."""
    chance: Callable[[], float] = random.random

    def pause(self, failures: int, asked: float | None = None) -> float:
        """Seconds to wait after the `failures`-th failure (from 1), of which the server `asked` for some.

        Half of our own pause is left to chance, so that callers that failed together do not come back together.
        """
        own = min(self.most, self.first * 2.0 ** (failures - 1)) * (0.5 + 0.5 * self.chance())
        return own if asked is None else max(0.0, asked)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for, given as a number or as an HTTP date (RFC 9110, 10.2.3); else None."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return max(0.0, seconds) if isfinite(seconds) else None
