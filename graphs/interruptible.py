"""Listening to work that is done in another thread, so that whoever listens may leave at once."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")


def interruptible(parts: Generator[T, None, None], cancelled: Event) -> Generator[T, None, None]:
    """`parts`, worked out in a thread of its own. Where the listener leaves (an interrupt, a closed generator),
    `cancelled` is set first, which ends what waits for it, and then the work is waited for. Whoever sets `cancelled`
    ends the parts with Stopped.

    LangGraph waits for the nodes that run when it is interrupted, and nobody could tell them to stop while it does.
    """
    told: SimpleQueue[Callable[[], T]] = SimpleQueue()
    thread = Thread(target=copy_context().run, args=(_work, parts, told, cancelled), name="question", daemon=True)
    thread.start()
    ended = False
    try:
        while True:
            try:
                part = told.get()()
            except _Ended:
                ended = True
                return
            yield part
    finally:
        if not ended:
            cancelled.set()
        thread.join()


class Stopped(Exception):
    """Nobody waits for the parts any more."""


class _Ended(Exception):
    """There are no more parts."""


def _work(parts: Generator[T, None, None], told: SimpleQueue[Callable[[], T]], cancelled: Event) -> None:
    try:
        with closing(parts):
            for part in parts:
                told.put(_giving(part))
                if cancelled.is_set():
                    raise Stopped
    except BaseException as error:
        told.put(_raising(error))
    else:
        told.put(_raising(_Ended()))


def _giving(part: T) -> Callable[[], T]:
    return lambda: part


def _raising(error: BaseException) -> Callable[[], Any]:
    def throw() -> Any:
        raise error

    return throw
