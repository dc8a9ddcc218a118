"""Bounds that a process sets itself, so that a hostile file can take no more of the machine than it may."""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress

OUT_OF_MEMORY = 77
"""The exit status after a MemoryError."""


def end_with(parent: int) -> None:
    """End when the parent does, whatever this process is doing; Ctrl-C reaches both, and the parent decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(0)


def limit(memory: int) -> None:
    """Bound memory where the system does, and let the timer end the process, whatever was inherited."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    with suppress(ValueError, OSError):  # macOS refuses it.
        resource.setrlimit(resource.RLIMIT_AS, (memory if hard == resource.RLIM_INFINITY else min(memory, hard), hard))
