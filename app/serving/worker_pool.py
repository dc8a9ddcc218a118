"""Worker processes that answer for the server: Python runs one question at a time per process, whatever the number of
cores.

The server's process keeps everything that must exist once: connections, tokens, rate limits, busy sessions, metrics.
Each worker opens the graphs for itself. Events travel through a pipe; the server stops a cancelled run; the runs of a
worker that dies fail, and a new worker replaces it. Workers end when the server's end of their pipe closes.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from clew.app.api.streams import Ended, Stopped, put_all
from clew.app.loading import ANSWERING, CONNECTING
from clew.app.serving.local_backend import Events, LocalBackend
from clew.app.serving.runs import ShuttingDown
from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.api.requests import AskRequest
    from clew.app.progress import Task
    from clew.app.settings import Settings

_POLL_SECONDS = 0.05
"""After which a run checks whether it is cancelled."""
_CLOSING_SECONDS = 10.0
_PAUSE_SECONDS = 2.0

_Item = tuple[Any, BaseException | None]
"""(event, None), or at last (None, error); the error is Ended where all went well."""


@dataclass(eq=False)
class _Worker:
    """One process, as the server sees it."""

    process: Any
    pipe: Connection
    runs: dict[int, SimpleQueue[_Item]] = field(default_factory=dict)
    open_now: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    opened: Event = field(default_factory=Event)
    """Set when the worker has opened its graphs, or is dead."""
    dead: bool = False
    sending: Lock = field(default_factory=Lock)

    def send(self, *message: Any) -> None:
        with suppress(OSError), self.sending:
            self.pipe.send(message)


class WorkerPool:
    """`count` processes. Safe for several threads."""

    def __init__(self, settings: Settings, count: int) -> None:
        self._settings = settings
        self._names: list[str] | None = None
        self._lock = Lock()
        self._closing = False
        self._workers = [self._start() for _ in range(count)]

    def ask(self, graph: str, request: AskRequest) -> Events:
        return self._remote("ask", graph, request)

    def verify(self, graph: str, statement: str, owner: str | None) -> Events:
        return self._remote("verify", graph, statement, owner)

    def reread(self, graph: str, questions: Sequence[str]) -> Events:
        return self._remote("reread", graph, list(questions))

    def replay(self, id: str, owner: str | None) -> Events:
        return self._remote("replay", id, owner)

    def fork(self, id: str, step: str, changes: Mapping[str, Any], owner: str | None) -> Events:
        return self._remote("fork", id, step, changes, owner)

    def open(self, names: list[str] | None) -> None:
        """Returns when all workers have opened them."""
        self._names = names
        for worker in self._all():
            worker.send("open", names)
        for worker in self._all():
            worker.opened.wait()

    @property
    def open_now(self) -> list[str]:
        """The graphs that every worker has open."""
        opened = [set(worker.open_now) for worker in self._all()]
        return sorted(set.intersection(*opened)) if opened else []

    @property
    def failed(self) -> dict[str, str]:
        return {name: why for worker in self._all() for name, why in worker.failed.items()}

    def opening(self, name: str) -> Task | None:
        """The processes do not report their progress."""
        return None

    def close(self) -> None:
        """End the processes."""
        self._closing = True
        for worker in self._all():
            worker.send("close")
        for worker in self._all():
            worker.process.join(_CLOSING_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()

    def _all(self) -> list[_Worker]:
        with self._lock:
            return list(self._workers)

    def _remote(self, method: str, *arguments: Any) -> Events:
        """The work of a method of LocalBackend, done by a worker."""
        return lambda cancelled: self._events(cancelled, method, *arguments)

    def _events(self, cancelled: Event, method: str, *arguments: Any) -> Iterator[dict[str, Any]]:
        items: SimpleQueue[_Item] = SimpleQueue()
        worker, run = self._assigned(items)
        worker.send("run", run, method, arguments)
        stopping, ended = False, False
        try:
            while True:
                if cancelled.is_set() and not stopping:
                    stopping = True
                    worker.send("stop", run)
                try:
                    event, error = items.get(timeout=_POLL_SECONDS)
                except Empty:
                    continue
                ended = error is not None
                if isinstance(error, Ended):
                    return
                if error is not None:
                    raise error
                yield event
        finally:
            if not ended:
                worker.send("stop", run)
            with self._lock:
                worker.runs.pop(run, None)

    def _assigned(self, items: SimpleQueue[_Item]) -> tuple[_Worker, int]:
        """The worker with the fewest runs, and the number of its new run."""
        with self._lock:
            living = [worker for worker in self._workers if not worker.dead]
            if not living:
                raise ShuttingDown("No worker process is alive.", "Ask again in a moment.")
            worker = min(living, key=lambda each: len(each.runs))
            run = next(_NUMBERS)
            worker.runs[run] = items
        return worker, run

    def _start(self) -> _Worker:
        _IMPORTED.set_forkserver_preload([__name__, *CONNECTING, *ANSWERING])
        ours, theirs = _IMPORTED.Pipe()
        process = _IMPORTED.Process(target=work, args=(theirs, self._settings), name="clew-worker", daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        Thread(target=self._listen, args=(worker,), name="worker", daemon=True).start()
        return worker

    def _listen(self, worker: _Worker) -> None:
        while True:
            try:
                kind, *message = worker.pipe.recv()
            except (EOFError, OSError):
                break
            if kind == "item":
                run, item = message
                with self._lock:
                    items = worker.runs.get(run)
                if items is not None:
                    items.put(item)
            else:
                worker.open_now, worker.failed = message
                if kind == "opened":
                    worker.opened.set()
        self._replace(worker)

    def _replace(self, worker: _Worker) -> None:
        """Fail the runs of a dead worker, and start a new one in its place."""
        with self._lock:
            worker.dead = True
            unfinished = list(worker.runs.values())
        started = worker.opened.is_set()
        worker.opened.set()
        for items in unfinished:
            items.put((None, ShuttingDown("The process that worked on this ended.", "Ask again.")))
        if not started:  # A worker that cannot start is not restarted without a pause.
            time.sleep(_PAUSE_SECONDS)
        if self._closing:
            return
        fresh = self._start()
        with self._lock:
            self._workers = [fresh if each is worker else each for each in self._workers]
        fresh.send("open", self._names)


def work(pipe: Connection, settings: Settings) -> None:
    """The main function of a worker process. Returns when the server closes it, or has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server says when to end.
    from clew.app.api.client import Client

    with Client(settings) as client:
        _WorkerLoop(pipe, LocalBackend(client)).listen()


@dataclass
class _WorkerLoop:
    """The worker's side of the pipe."""

    pipe: Connection
    backend: LocalBackend
    _cancelled: dict[int, Event] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _sent: tuple[list[str], dict[str, str]] = field(default_factory=lambda: ([], {}))
    """The open and the failed graphs, as last reported."""

    def listen(self) -> None:
        threads: list[Thread] = []
        while True:
            try:
                kind, *message = self.pipe.recv()
            except (EOFError, OSError):
                break
            if kind == "close":
                break
            if kind == "stop":
                if (cancelled := self._cancelled.get(message[0])) is not None:
                    cancelled.set()
                continue
            if kind == "run":
                self._cancelled[message[0]] = Event()
            thread = Thread(target=self._open if kind == "open" else self._run, args=message, daemon=True)
            thread.start()
            threads = [each for each in threads if each.is_alive()] + [thread]
        for cancelled in list(self._cancelled.values()):
            cancelled.set()
        for thread in threads:
            thread.join(_CLOSING_SECONDS)

    def _open(self, names: list[str] | None) -> None:
        with suppress(ClewError):  # The database is away: graphs are opened when they are asked.
            self.backend.open(names)
        self._send_state("opened")

    def _run(self, run: int, method: str, arguments: tuple[Any, ...]) -> None:
        cancelled = self._cancelled[run]

        def put(event: Any, error: BaseException | None) -> None:
            self._send("item", run, (event, None if error is None else _portable(error)))

        put_all(getattr(self.backend, method)(*arguments)(cancelled), put, cancelled)
        del self._cancelled[run]
        if self._sent != (self.backend.open_now, self.backend.failed):
            self._send_state("open")

    def _send_state(self, kind: str) -> None:
        self._sent = self.backend.open_now, dict(self.backend.failed)
        self._send(kind, *self._sent)

    def _send(self, *message: Any) -> None:
        with suppress(OSError), self._lock:
            self.pipe.send(message)


def _portable(error: BaseException) -> BaseException:
    """`error` if it can be pickled for certain: a library's error may need arguments that a copy lacks."""
    known = isinstance(error, (ClewError, Stopped, Ended))
    return error if known else RuntimeError(f"{type(error).__name__}: {error}")


_IMPORTED: Any = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
"""Forks workers from one process that has imported what they need, where there is such a thing."""
_NUMBERS = count()
