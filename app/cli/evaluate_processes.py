"""Questions and statements in several processes at once: Python works on one at a time in a process.

Each process opens the graph for itself. Results come in the order of the texts, so that what is counted from them is
the same for any number of processes; only latencies differ, where processes compete.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from math import inf
from multiprocessing import get_all_start_methods, get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Literal

from clew.app.api.loading import ANSWERING, CONNECTING
from clew.app.evaluation.evaluation import Answer, Timed, timed

if TYPE_CHECKING:
    from clew.app.api.asking import AskOptions
    from clew.app.settings import Settings

Task = Literal["ask", "verify"]
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Of libraries, one in a process: with more, the processes wait for one another."""


@contextmanager
def in_processes(
    settings: Settings, graph: str, task: Task, options: AskOptions, count: int
) -> Iterator[Callable[[Sequence[str]], Iterator[Timed]]]:
    """Within the block, `count` processes answer texts; raises as `timed`.

    Args:
        settings: Of the home that has the graph.
        graph: Its name.
        task: Whether the texts are questions or statements.
        options: How questions are answered.
        count: Processes.

    Yields:
        A function of texts that gives their results, in their order.
    """
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    context = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    context.set_forkserver_preload([__name__, *CONNECTING, *ANSWERING])
    with ProcessPoolExecutor(count, context, _open, (settings, graph, task, options)) as pool:
        try:
            yield lambda texts: pool.map(_answer, texts)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_call: Callable[[str], Answer]
"""Of a worker process: answers one text."""


def _open(settings: Settings, graph: str, task: Task, options: AskOptions) -> None:
    """Open the graph in a worker process."""
    global _call
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the first process says when to end.
    Thread(target=_end_with_the_first_process, daemon=True).start()
    from clew.app.api.client import Client

    client = Client(settings)
    client.keep_open(inf)
    client.context(graph)
    opened = client.graph(graph)

    def answered(text: str) -> Answer:
        return (opened.verify(text) if task == "verify" else opened.ask(text, **options)).to_dict()

    _call = answered


def _end_with_the_first_process() -> None:
    """A process that is killed says nothing, and the pool's own processes would wait for it for ever."""
    first = parent_process()
    if first is not None:
        first.join()
        os._exit(1)


def _answer(text: str) -> Timed:
    return timed(_call, text)
