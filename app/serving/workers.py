"""Worker processes that answer for the server: Python works on one question at a time per process, whatever the number
of cores.

The server's process keeps all that must be one: connections, tokens, rates, sessions that are busy, metrics. A worker
opens the graphs for itself. What a question tells travels through a pipe; a run that is to stop is told so; a worker
that dies fails what it worked on, and another takes its place. Workers end with the server's end of their pipe.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from clew.app.serving.answering import Here
from clew.app.serving.callers import GoingAway
from clew.app.serving.open_graphs import OpenGraphs
from clew.app.serving.runs import Work
from clew.graphs.interruptible import Stopped
from clew.tools.errors import ClewError

if TYPE_CHECKING:
    from clew.app.questioning import Asked
    from clew.app.settings import Settings
    from clew.app.traces.forking import Fork

_LOOKS_EVERY = 0.05
"""Seconds after which a run looks whether it is to stop."""
_CLOSING_SECONDS = 10.0
_PAUSE_SECONDS = 2.0

_Said = tuple[str, Any]
"""("part", event), ("end", None) or ("error", exception)."""


@dataclass(eq=False)
class _Worker:
    """One process, as the server sees it."""

    process: Any
    pipe: Connection
    runs: dict[int, SimpleQueue[_Said]] = field(default_factory=dict)
    open_now: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    opened: Event = field(default_factory=Event)
    """Set when it has opened the graphs that it was to open, or is dead."""
    dead: bool = False
    sending: Lock = field(default_factory=Lock)

    def send(self, *told: Any) -> None:
        with suppress(OSError), self.sending:
            self.pipe.send(told)


class Workers:
    """`count` processes. Safe for several threads."""

    def __init__(self, settings: Settings, count: int) -> None:
        self._settings = settings
        self._names: list[str] | None = None
        self._lock = Lock()
        self._closing = False
        self._workers = [self._begun() for _ in range(count)]

    def ask(self, asked: Asked) -> Work[dict[str, Any]]:
        return self._away("ask", asked)

    def verify(self, graph: str, statement: str, owner: str | None) -> Work[dict[str, Any]]:
        return self._away("verify", graph, statement, owner)

    def reread(self, graph: str, questions: Sequence[str]) -> Work[dict[str, Any]]:
        return self._away("reread", graph, list(questions))

    def again(self, id: str, owner: str | None, fork: Fork | None) -> Work[dict[str, Any]]:
        return self._away("again", id, owner, fork)

    def open(self, names: list[str] | None) -> None:
        """Returns when all workers have."""
        self._names = names
        for worker in self._all():
            worker.send("open", names)
        for worker in self._all():
            worker.opened.wait()

    @property
    def open_now(self) -> list[str]:
        """Those that every worker has open."""
        opened = [set(worker.open_now) for worker in self._all()]
        return sorted(set.intersection(*opened)) if opened else []

    @property
    def failed(self) -> dict[str, str]:
        return {name: why for worker in self._all() for name, why in worker.failed.items()}

    def close(self) -> None:
        """Ends the processes."""
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

    def _away(self, what: str, *given: Any) -> Work[dict[str, Any]]:
        return lambda left: self._followed(left, what, *given)

    def _followed(self, left: Event, what: str, *given: Any) -> Iterator[dict[str, Any]]:
        """What a worker tells of a run, until it ends."""
        told: SimpleQueue[_Said] = SimpleQueue()
        worker, run = self._taken(told)
        worker.send("run", run, what, given)
        stopping, ended = False, False
        try:
            while True:
                if left.is_set() and not stopping:
                    stopping = True
                    worker.send("stop", run)
                try:
                    kind, said = told.get(timeout=_LOOKS_EVERY)
                except Empty:
                    continue
                ended = kind != "part"
                if kind == "error":
                    raise said
                if kind == "end":
                    return
                yield said
        finally:
            if not ended:
                worker.send("stop", run)
            with self._lock:
                worker.runs.pop(run, None)

    def _taken(self, told: SimpleQueue[_Said]) -> tuple[_Worker, int]:
        """The worker with the fewest runs, which has one more now."""
        with self._lock:
            living = [worker for worker in self._workers if not worker.dead]
            if not living:
                raise GoingAway("No worker process is alive.", "Ask again in a moment.")
            worker = min(living, key=lambda each: len(each.runs))
            run = next(_NUMBERS)
            worker.runs[run] = told
        return worker, run

    def _begun(self) -> _Worker:
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=work, args=(theirs, self._settings), name="clew-worker", daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        Thread(target=self._listen, args=(worker,), name="worker", daemon=True).start()
        return worker

    def _listen(self, worker: _Worker) -> None:
        while True:
            try:
                kind, *told = worker.pipe.recv()
            except (EOFError, OSError):
                break
            if kind in ("open", "opened"):
                worker.open_now, worker.failed = told
                if kind == "opened":
                    worker.opened.set()
                continue
            run, said = told
            with self._lock:
                queue = worker.runs.get(run)
            if queue is not None:
                queue.put((kind, said))
        self._lost(worker)

    def _lost(self, worker: _Worker) -> None:
        """A process is gone: what it worked on fails, and another one takes its place."""
        with self._lock:
            worker.dead = True
            unfinished = list(worker.runs.values())
        began = worker.opened.is_set()
        worker.opened.set()
        for queue in unfinished:
            queue.put(("error", GoingAway("The process that worked on this ended.", "Ask again.")))
        if not began:  # One that cannot begin is not begun again and again without a pause.
            time.sleep(_PAUSE_SECONDS)
        if self._closing:
            return
        fresh = self._begun()
        with self._lock:
            self._workers = [fresh if each is worker else each for each in self._workers]
        fresh.send("open", self._names)


# ---- in the worker's process ----------------------------------------------------------------------------------------


def work(pipe: Connection, settings: Settings) -> None:
    """What a worker process does until it is told to close, or its server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server says when to end.
    from clew.app.container import Container
    from clew.app.progress import Silent

    container = Container(settings, Silent())
    try:
        _Desk(pipe, Here(container, OpenGraphs(container))).listen()
    finally:
        container.close()


@dataclass
class _Desk:
    """A worker's side of the pipe."""

    pipe: Connection
    here: Here
    _left: dict[int, Event] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _told: tuple[list[str], dict[str, str]] = field(default_factory=lambda: ([], {}))
    """Which graphs it has said to be open, and which not."""

    def listen(self) -> None:
        threads: list[Thread] = []
        while True:
            try:
                kind, *told = self.pipe.recv()
            except (EOFError, OSError):
                break
            if kind == "close":
                break
            if kind == "stop":
                if (left := self._left.get(told[0])) is not None:
                    left.set()
                continue
            if kind == "run":
                self._left[told[0]] = Event()
            thread = Thread(target=self._open if kind == "open" else self._run, args=told, daemon=True)
            thread.start()
            threads = [each for each in threads if each.is_alive()] + [thread]
        for left in list(self._left.values()):
            left.set()
        for thread in threads:
            thread.join(_CLOSING_SECONDS)

    def _open(self, names: list[str] | None) -> None:
        with suppress(ClewError):  # The database is away: graphs are opened when they are asked.
            self.here.open(names)
        self._tell_state("opened")

    def _run(self, run: int, what: str, given: tuple[Any, ...]) -> None:
        left = self._left[run]
        try:
            parts: Any = getattr(self.here, what)(*given)(left)
            with closing(parts):
                for part in parts:
                    if left.is_set():
                        raise Stopped
                    self._tell("part", run, part)
        except BaseException as error:
            self._tell("error", run, _portable(error))
        else:
            self._tell("end", run, None)
        finally:
            del self._left[run]
            if self._told != (self.here.open_now, self.here.failed):
                self._tell_state("open")

    def _tell_state(self, kind: str) -> None:
        self._told = self.here.open_now, dict(self.here.failed)
        self._tell(kind, *self._told)

    def _tell(self, *told: Any) -> None:
        with suppress(OSError), self._lock:
            self.pipe.send(told)


def _portable(error: BaseException) -> BaseException:
    """Only what is known to travel whole does: an error of a library may need arguments that a copy has not."""
    return error if isinstance(error, (ClewError, Stopped)) else RuntimeError(f"{type(error).__name__}: {error}")


_SPAWN = get_context("spawn")
_NUMBERS = count()
