"""Trying again what failed only because others were at work."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
ATTEMPTS = 6


def persistently(attempt: Callable[[], T]) -> T:
    """Call `attempt`, and again a little later each time it meets a deadlock or another transient fault of the
    database; the last fault is raised. The attempt must not have done half its work when it fails."""
    from neo4j.exceptions import TransientError

    for number in range(ATTEMPTS - 1):
        try:
            return attempt()
        except TransientError:
            time.sleep(0.05 * 2**number * (0.5 + random.random()))
    return attempt()
