"""How long work reports how far it is; what is shown for it is the front end's matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Advance = Callable[[int], None]
"""Called with how much is done so far (not since the last call)."""


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
