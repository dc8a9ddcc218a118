"""Matrix products in one thread. numpy splits even small ones between all processors, whose threads then wait for each
other, and go on waiting for the next product: on a busy machine that takes many times as long."""

from __future__ import annotations

from threading import Lock
from typing import Any

from threadpoolctl import ThreadpoolController


class OneThread:
    """Limits numpy's matrix products to one thread while any thread is within the context."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._within = 0
        self._libraries: Any = None
        self._limits: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._within:
                self._libraries = self._libraries or ThreadpoolController().select(user_api="blas")
                self._limits = self._libraries.limit(limits=1)
            self._within += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._within -= 1
            if not self._within:
                self._limits.restore_original_limits()


ONE_THREAD = OneThread()
"""For the whole process, whose number of threads it is."""
