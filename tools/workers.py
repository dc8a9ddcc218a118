"""One piece of work for many inputs: in this process, in several processes, or on the machines of a Ray cluster.

Each worker prepares itself once, such as by opening a graph or loading a model, and then takes one shard after another.
Results come in the order of the shards, so what is made of them is the same for any number of workers anywhere. Only a
few shards are under way at a time. Who keeps the results in a journal as they come does no shard twice.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context, parent_process
from socket import create_connection
from threading import Thread
from typing import Any, TypeVar

from clew.tools.errors import BadInput, ClewError

S = TypeVar("S")
R = TypeVar("R")
T = TypeVar("T")

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Of libraries, one in a process: with more, the processes wait for one another."""
_AHEAD = 4
"""Shards under way for each worker."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Where work is done."""

    count: int = 1
    """Workers; a single one without `ray` is this process."""
    ray: str | None = None
    """The address of a Ray cluster: host:port, "auto" for the one that runs on this machine, "local" to start one."""
    preload: Sequence[str] = ()
    """Modules that processes on this machine import once for all."""

    @property
    def elsewhere(self) -> bool:
        """Whether other processes do the work."""
        return self.count > 1 or self.ray is not None

    @contextmanager
    def open(self, prepare: Callable[[], Callable[[S], R]]) -> Iterator[Callable[[Iterable[S]], Iterator[R]]]:
        """Within the block, a function of shards that gives their results in the order of the shards.

        Args:
            prepare: Makes the work in each worker. It is pickled, and so are shards and results.

        Raises:
            BadInput: There is no Ray, or no cluster at its address.
        """
        if self.ray is not None:
            with _on_ray(prepare, self.count, self.ray) as mapped:
                yield mapped
        elif self.count > 1:
            with _in_processes(prepare, self.count, self.preload) as mapped:
                yield mapped
        else:
            work = prepare()
            yield lambda shards: map(work, shards)


def _in_order(submit: Callable[[S], T], result: Callable[[T], R], shards: Iterable[S], most: int) -> Iterator[R]:
    """The results of the shards in their order, with up to `most` of them under way."""
    waiting: deque[T] = deque()
    for shard in shards:
        waiting.append(submit(shard))
        if len(waiting) >= most:
            yield result(waiting.popleft())
    while waiting:
        yield result(waiting.popleft())


@contextmanager
def _in_processes(
    prepare: Callable[[], Callable[[S], R]], count: int, preload: Sequence[str]
) -> Iterator[Callable[[Iterable[S]], Iterator[R]]]:
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    context = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    context.set_forkserver_preload([__name__, *preload])
    with ProcessPoolExecutor(count, context, _begin, (prepare,)) as pool:

        def submit(shard: S) -> Future[Any]:
            return pool.submit(_done, shard)

        try:
            yield lambda shards: _in_order(submit, Future.result, shards, _AHEAD * count)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_work: Callable[[Any], Any]
"""Of a worker process."""


def _begin(prepare: Callable[[], Callable[[Any], Any]]) -> None:
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the first process says when to end.
    Thread(target=end_with_the_first_process, daemon=True).start()
    _work = prepare()


def _done(shard: Any) -> Any:
    return _work(shard)


def end_with_the_first_process() -> None:
    """A process that is killed says nothing, and the pool's own processes would wait for it for ever."""
    first = parent_process()
    if first is not None:
        first.join()
        os._exit(1)


class _Actor:
    """A worker on a Ray cluster."""

    def __init__(self, prepare: Callable[[], Callable[[Any], Any]]) -> None:
        self._work = prepare()

    def done(self, shard: Any) -> Any:
        return self._work(shard)


@contextmanager
def _on_ray(
    prepare: Callable[[], Callable[[S], R]], count: int, address: str
) -> Iterator[Callable[[Iterable[S]], Iterator[R]]]:
    ray = _connected(address)
    from ray.util import ActorPool

    actors = [ray.remote(_Actor).remote(prepare) for _ in range(count)]
    pool = ActorPool(actors)

    def submit(shard: S) -> None:
        pool.submit(lambda actor, value: actor.done.remote(value), shard)

    def result(_: None) -> Any:
        try:
            return pool.get_next()
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.RayActorError as error:
            remedy = "Each machine of the cluster needs this version of Clew, its settings, and the same home."
            raise ClewError(f"A worker on the Ray cluster ended: {error}.", remedy) from None

    try:
        yield lambda shards: _in_order(submit, result, shards, _AHEAD * count)
    finally:
        for actor in actors:
            ray.kill(actor)


def _connected(address: str) -> Any:
    """The module of Ray, connected to a cluster. What is connected already stays. Raises BadInput."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise BadInput(
            "Ray is not installed.", "Install it with `pip install 'clew[ray]'`, or unset CLEW_RAY."
        ) from None
    if not ray.is_initialized():
        local = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        here: dict[str, Any] = local if address == "local" else {}
        try:
            _reach(address)
            ray.init(address, log_to_driver=False, configure_logging=False, **here)
        except (OSError, RuntimeError, ValueError) as error:
            remedy = "Start one with `ray start --head`, and set CLEW_RAY to its address."
            raise BadInput(f"There is no Ray cluster at {address}: {error}.", remedy) from None
    return ray


def _reach(address: str) -> None:
    """Raises OSError or ValueError where nothing answers at host:port; Ray itself waits for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon:
        create_connection((host, int(port)), timeout=10).close()
