"""The warm processes of a home, for `clew database status` and `stop`."""

from __future__ import annotations

import os
import signal
import socket
import struct
import time
from contextlib import suppress
from pathlib import Path

from clew.app.cli.warm_client import connected

_STOP_LIMIT_S, _POLL_S = 5.0, 0.02


def running(home: Path) -> dict[str, int]:
    """The process that listens on each socket of the home."""
    found = {}
    for path in sorted((home / "warm").glob("*.sock")):
        if connection := connected(str(path.parent), path.name):
            with connection:
                peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            found[path.name] = struct.unpack("3i", peer)[0]
    return found


def stop(home: Path) -> bool:
    """End the warm processes, and wait until they are gone; commands that they run go on. False where there is none."""
    found = running(home)
    for process in found.values():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
    deadline = time.monotonic() + _STOP_LIMIT_S
    while running(home) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    for path in (home / "warm").glob("*.sock"):
        if path.name not in running(home):
            path.unlink(missing_ok=True)  # of a process that was killed
    return bool(found)
