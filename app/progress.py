"""Progress of long work. The front end decides how to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

Advance = Callable[[int], None]
"""Takes the number of items done so far (not since the last call)."""


def counted(advance: Advance) -> Callable[[], None]:
    """A function that advances by one at every call."""
    numbers = count(1)
    return lambda: advance(next(numbers))


class Progress(Protocol):
    """Shows the user what takes time."""

    def task(self, label: str, unit: str, total: int | None = None) -> AbstractContextManager[Advance]:
        """Show a task, which ends with the context; `total` is None if it is unknown."""

    def note(self, text: str) -> None:
        """Show a line of text."""


class NoProgress:
    """Shows nothing."""

    @contextmanager
    def task(self, label: str, unit: str, total: int | None = None) -> Iterator[Advance]:
        yield lambda _: None

    def note(self, text: str) -> None:
        pass


@dataclass(slots=True)
class Task:
    """Work in progress."""

    label: str
    unit: str
    total: int | None
    done: int = 0


@dataclass(slots=True)
class TrackedProgress:
    """Passes progress on to `shown`, and remembers the current task."""

    shown: Progress
    _tasks: list[Task] = field(default_factory=list)

    @contextmanager
    def task(self, label: str, unit: str, total: int | None = None) -> Iterator[Advance]:
        task = Task(label, unit, total)

        def advance(done: int) -> None:
            task.done = done
            show(done)

        with self.shown.task(label, unit, total) as show:
            self._tasks.append(task)
            try:
                yield advance
            finally:
                self._tasks.remove(task)

    def note(self, text: str) -> None:
        self.shown.note(text)

    @property
    def current(self) -> Task | None:
        """The most recent task that has not ended."""
        return self._tasks[-1] if self._tasks else None
