"""How long work reports how far it is; what is shown for it is the front end's matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

Advance = Callable[[int], None]
"""Called with how much is done so far (not since the last call)."""


def counted(advance: Advance) -> Callable[[], None]:
    """A function that advances by one at every call."""
    numbers = count(1)
    return lambda: advance(next(numbers))


class Progress(Protocol):
    def task(self, label: str, unit: str, total: int | None = None) -> AbstractContextManager[Advance]:
        """Work that begins now and ends with the context; `total` None where it is not known."""

    def note(self, text: str) -> None:
        """Something that the user should know, in one line."""


class Silent:
    """Shows nothing."""

    @contextmanager
    def task(self, label: str, unit: str, total: int | None = None) -> Iterator[Advance]:
        yield lambda _: None

    def note(self, text: str) -> None:
        pass


@dataclass(slots=True)
class Task:
    """Work that is under way."""

    label: str
    unit: str
    total: int | None
    done: int = 0


@dataclass(slots=True)
class Watched:
    """Shows what another one shows, and says what is under way to whoever asks."""

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
        """What was begun last, of what is under way."""
        return self._tasks[-1] if self._tasks else None
