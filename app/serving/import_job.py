"""One import through the page: what it is of, how far it is, and how it ended."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any, Literal

from clew.app.progress import Task
from clew.app.serving.uploads import UploadFolder
from clew.tools.errors import BadInput, ClewError

if TYPE_CHECKING:
    from pathlib import Path

    from clew.app.api.client import Client
    from clew.app.api.importing import PlannedImport

Purpose = Literal["graph", "documents"]
State = Literal["new", "waiting", "planning", "planned", "importing", "done", "failed", "stopped"]
WORKING = ("waiting", "planning", "importing")


class ImportStopped(ClewError):
    """The user stopped the import."""


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How files and tables are read."""

    model: Mapping[str, Any] | None = None
    value_nodes: Sequence[tuple[str, str]] = ()
    suggest_names: bool = False
    replace: bool = False


@dataclass(eq=False)
class ImportJob:
    """One import. It is also the progress of its work."""

    owner: str | None
    graph: str
    purpose: Purpose
    uploads: UploadFolder
    url: str | None = None
    """The database whose tables are imported."""
    address: str = ""
    """The URL without its password."""
    files: tuple[Path, ...] = ()
    """Files of a sample, in place of uploaded ones."""
    sizes: dict[str, int] = field(default_factory=dict)
    """The name of each uploaded file, with its size in bytes."""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    created: float = field(default_factory=time.time)
    state: State = "new"
    replace: bool = False
    plan: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    error: ClewError | None = None
    is_stoppable: bool = True
    stopping: Event = field(default_factory=Event)
    progress: Task | None = None
    client: Client | None = None
    planned: PlannedImport | None = None

    @contextmanager
    def task(self, label: str, unit: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """Progress: remembers the task, and ends the work where the user stopped it."""
        self.check()
        task, before = Task(label, unit, total), self.progress

        def advance(done: int) -> None:
            task.done = done
            self.check()

        self.progress = task
        try:
            yield advance
        finally:
            self.progress = before

    def note(self, text: str) -> None:
        """Progress: notes come with the plan and the report."""

    def check(self) -> None:
        """Raises ImportStopped."""
        if self.is_stoppable and self.stopping.is_set():
            raise ImportStopped("The import was stopped.")

    def given(self) -> list[Any]:
        """What is imported. Raises BadInput."""
        found = [*self.files, *([self.url] if self.url else []), *self.uploads.paths()]
        if not found:
            raise BadInput("There is nothing to import yet.", "Add files, or name a database.")
        return found

    def release(self) -> None:
        """Close what planning left open."""
        if self.planned is not None:
            self.planned.close()
        if self.client is not None:
            self.client.close()
        self.planned = self.client = None
