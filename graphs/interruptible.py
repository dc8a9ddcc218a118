"""Generators that run in a thread of their own, so that the consumer can stop at once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar, cast

T = TypeVar("T")
Put = Callable[[Any, BaseException | None], None]
"""Receives (item, None) for each item and finally (None, error); the error is Ended on success."""


class Stopped(Exception):
    """The work was cancelled."""


class Ended(Exception):
    """There are no more items."""


def interruptible(parts: Generator[T, None, None], cancelled: Event) -> Generator[T, None, None]:
    """Run `parts` in a thread and yield its items. Raises Stopped if another thread sets `cancelled`.

    If the consumer stops (an interrupt, a closed generator), this sets `cancelled`, which ends whatever waits for it,
    and then waits for the thread. LangGraph, when interrupted, waits for the running nodes, and nothing could make them
    stop meanwhile.
    """
    items: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
    arguments = (put_all, parts, lambda *item: items.put(item), cancelled)
    thread = Thread(target=copy_context().run, args=arguments, name="question", daemon=True)
    thread.start()
    ended = False
    try:
        while True:
            item, error = items.get()
            if error is None:
                yield item
                continue
            ended = isinstance(error, Ended)
            if ended:
                return
            raise error
    finally:
        if not ended:
            cancelled.set()
        thread.join()


def put_all(parts: Iterator[Any], put: Put, cancelled: Event) -> None:
    """Work through the generator `parts`: pass every item to `put`, and at last the error that ended it. Stop once
    `cancelled` is set."""
    try:
        with closing(cast(Generator[Any, None, None], parts)):
            for part in parts:
                if cancelled.is_set():
                    raise Stopped
                put(part, None)
    except BaseException as error:
        put(None, error)
    else:
        put(None, Ended())
