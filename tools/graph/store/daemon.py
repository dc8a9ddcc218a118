"""The client's side of the embedded server: find it, start it where there is none, stop it.

A server is alive exactly while it holds the lock on `server.lock`, which the operating system releases however the
server ends. So an endpoint file without the lock is stale, and no process id needs to be trusted. A server that answers
must also accept the home's own secret. Damaged files of a running server are written again by the server (`endpoint`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import filelock

import clew
from clew.tools.errors import ClewError, DatabaseUnavailable
from clew.tools.graph.store import endpoint as files
from clew.tools.graph.store.arcadedb import ArcadeDB
from clew.tools.graph.store.endpoint import Endpoint
from clew.tools.graph.store.watchdog import ENDED
from clew.tools.notices import notify

IDLE_MINUTES = 30.0
HEAP = "1g"
"""Most memory of the engine."""
START_LIMIT_S = 90.0
_POLL_S = 0.05
_STOP_LIMIT_S = 30.0
_REPAIR_LIMIT_S = 10.0
"""Time for a server to replace damaged files; it looks for requests several times a second."""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a home's server."""

    folder: Path
    endpoint: Endpoint | None
    """None where no server runs."""
    idle_s: float
    """Seconds since a client last used it."""


def folder(home: Path) -> Path:
    """The server's own folder in a Clew home."""
    return home.expanduser().absolute() / "database"


def ensure_running(home: Path, idle_minutes: float = IDLE_MINUTES, heap: str = HEAP) -> Endpoint:
    """The home's server, started if there is none; of several processes that call this at once, one starts it.

    `heap` is the most memory of the engine that a server is started with, such as "1g".

    Raises DatabaseUnavailable, with the end of the server's log, where it does not start.
    """
    place = _made(folder(home))
    if endpoint := _find(place):
        touch(home)
        return endpoint
    with _start_lock(place):
        endpoint = _wait_for_other(place) or _start(place, idle_minutes, heap)[1]
    touch(home)
    return endpoint


def touch(home: Path) -> None:
    """Note that the server is in use, so that it does not stop as idle."""
    with suppress(OSError):
        (folder(home) / "activity").touch()


def may_blame(home: Path, pid: int, cypher: str) -> bool:
    """Whether a server that has ended may have ended because of a query.

    A server that ends by itself says which queries it ends for; one that crashes says nothing.
    """
    try:
        ended = json.loads((folder(home) / ENDED).read_text(encoding="utf-8"))
        return bool(ended["pid"] != pid or cypher in ended["queries"])
    except (OSError, ValueError, TypeError, KeyError):
        return True


def status(home: Path) -> Status:
    """Whether the home's server runs, and since when it is idle."""
    place = folder(home)
    endpoint = _find(place)
    if endpoint is None and _lost(place):
        endpoint = _wait_for_other(place)
    idle_s = 0.0
    with suppress(OSError):
        idle_s = max(0.0, time.time() - (place / "activity").stat().st_mtime)
    return Status(place, endpoint, idle_s if endpoint else 0.0)


def stop(home: Path) -> bool:
    """Stop the home's server and wait until it is gone; False where none runs."""
    place = folder(home)
    if not place.is_dir() or _is_free(place):
        return False
    with _start_lock(place):
        endpoint = _wait_for_other(place)
        if endpoint is None:
            return False
        os.kill(endpoint.pid, signal.SIGTERM)
        if not _wait_until(lambda: _is_free(place), _STOP_LIMIT_S):
            raise DatabaseUnavailable(
                f"The database server (process {endpoint.pid}) did not stop within {_STOP_LIMIT_S:.0f} s.",
                f"Its log is {place / 'server-0.log'}; end the process if it hangs.",
            )
    return True


def run_foreground(home: Path, announce: Callable[[Endpoint], None], heap: str = HEAP) -> int:
    """Run the server as a child process until it ends or the user interrupts; returns its exit status.

    `announce` is called once the server is ready. The server does not stop when idle.
    """
    place = _made(folder(home))
    with _start_lock(place):
        if endpoint := _wait_for_other(place):
            raise DatabaseUnavailable(
                f"A database server is already running (process {endpoint.pid}).", "Stop it with `clew database stop`."
            )
        child, endpoint = _start(place, 0.0, heap)
    # A service manager ends the foreground process with SIGTERM, a user with SIGINT; either ends the server.
    previous = signal.signal(signal.SIGTERM, lambda *_: child.send_signal(signal.SIGTERM))
    try:
        announce(endpoint)
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                child.send_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, previous)


def _made(place: Path) -> Path:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnavailable(
            f"The folder {place} cannot be made: {error.strerror}.", "Set CLEW_HOME to a folder that you can write to."
        ) from error
    return place


def _start_lock(place: Path) -> filelock.BaseFileLock:
    return filelock.FileLock(place / "start.lock", timeout=START_LIMIT_S + _STOP_LIMIT_S)


def _is_free(place: Path) -> bool:
    """Whether no server owns the folder."""
    try:
        with filelock.FileLock(place / "server.lock", timeout=0):
            return True
    except filelock.Timeout:
        return False


def _find(place: Path) -> Endpoint | None:
    """The server that owns the folder and answers to its secret."""
    endpoint = files.found_in(place).read()
    if endpoint is None or _is_free(place):
        return None
    try:
        ArcadeDB(endpoint.http_url, "root", endpoint.secret, timeout_s=5).names()
    except ClewError:
        return None
    return endpoint


def _lost(place: Path) -> bool:
    """Whether there is an endpoint file that cannot be used."""
    found = files.found_in(place)
    return found.endpoint is not None and found.read() is None


def _wait_for_other(place: Path) -> Endpoint | None:
    """The server that owns the folder, once it is ready; None where the folder is free."""
    started, before = time.monotonic(), files.found_in(place)
    while not _is_free(place):
        if endpoint := _find(place):
            _tell_of_damage(place, before, "the running database server has written it again")
            return endpoint
        waited = time.monotonic() - started
        if _lost(place) and waited > _REPAIR_LIMIT_S:
            raise DatabaseUnavailable(
                f"{place / files.ENDPOINT} or `{files.SECRET}` beside it is damaged, and the database server that owns "
                "them does not write them again.",
                "Look for a process named `clew.tools.graph.store.embedded` and end it; no graph is lost.",
            )
        if waited > START_LIMIT_S:
            raise DatabaseUnavailable(
                f"Another process owns {place} and does not answer.\n{_log_tail(place)}",
                "Look for a process named `clew.tools.graph.store.embedded` and end it if it hangs.",
            )
        files.ask(place)
        time.sleep(_POLL_S)
    return None


def damaged_databases(place: Path) -> list[Path]:
    """The folders of graphs that a server could not open and has set aside."""
    return sorted((place / "damaged").glob("*"))


def _tell_of_damage(place: Path, before: files.Files, what_was_done: str) -> None:
    for name in before.damaged(files.found_in(place)):
        notify(f"{place / name} was damaged; {what_was_done}.")


def _start(place: Path, idle_minutes: float, heap: str) -> tuple[subprocess.Popen[bytes], Endpoint]:
    before, aside = files.found_in(place), set(damaged_databases(place))
    child = _spawn(place, idle_minutes, heap)
    try:
        endpoint = _wait_for_start(place, child)
    except BaseException:
        _end(child)
        raise
    _tell_of_damage(place, before, "a new database server has written another one")
    for each in sorted({*damaged_databases(place)} - aside):
        notify(f"A graph cannot be opened, since its files are damaged: they are now in {each}. Import it again.")
    return child, endpoint


def _spawn(place: Path, idle_minutes: float, heap: str) -> subprocess.Popen[bytes]:
    """Start the server process; what it prints goes to `startup.log`, never to the terminal."""
    (place / files.ENDPOINT).unlink(missing_ok=True)
    code_root = str(Path(str(clew.__file__)).resolve().parent.parent)
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (code_root, environment.get("PYTHONPATH"))))
    # Java encodes file names by the locale, and the name of a home need not be ASCII.
    environment["LC_ALL"] = "C.UTF-8"
    command = [sys.executable, "-m", "clew.tools.graph.store.embedded"]
    command += ["--home", str(place), "--idle-minutes", str(idle_minutes), "--heap", heap]
    with (place / "startup.log").open("wb") as log:
        return subprocess.Popen(
            command,
            cwd=place,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _wait_for_start(place: Path, child: subprocess.Popen[bytes]) -> Endpoint:
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        if (endpoint := _find(place)) and endpoint.pid == child.pid:
            return endpoint
        if child.poll() is not None:
            raise DatabaseUnavailable(
                f"The embedded database did not start (exit status {child.returncode}).\n{_log_tail(place)}",
                f"Its log is {place / 'startup.log'}.",
            )
        time.sleep(_POLL_S)
    raise DatabaseUnavailable(
        f"The embedded database was not ready within {START_LIMIT_S:.0f} s.\n{_log_tail(place)}",
        f"Its log is {place / 'server-0.log'}.",
    )


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _wait_until(condition: Callable[[], bool], limit_s: float) -> bool:
    deadline = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_S)
    return True


def _log_tail(place: Path) -> str:
    """The end of the server's log, for an error message: of a traceback its last line."""
    for name, lines in (("startup.log", 1), ("server-0.log", 15)):
        with suppress(OSError):
            text = (place / name).read_text(encoding="utf-8", errors="replace").strip()
            if "Traceback" in text or (text and name == "server-0.log"):
                return "\n".join(line[:300] for line in text.splitlines()[-lines:])
    return ""
