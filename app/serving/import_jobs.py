"""Imports through the page: their files, their plans, and the one that is running.

A job is made first, then gets its files, is planned, perhaps planned again with another model, and run. Jobs belong to
their user, and survive a page that is loaded anew. One job works at a time. A stopped one leaves nothing half-written:
before the first change it changes nothing, a graph that it was making is removed, and from the first change of a graph
that was there before, it cannot be stopped any more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any

from clew.app.serving.authentication import Caller
from clew.app.serving.errors import Busy, UnknownImport
from clew.app.serving.import_job import WORKING, ImportJob, ImportStopped, PlanOptions, Purpose, State
from clew.app.serving.uploads import Uploads
from clew.tools.errors import BadInput, ClewError, TooManyBadLines

if TYPE_CHECKING:
    from clew.app.api.client import Client
    from clew.app.settings import Settings

_log = logging.getLogger("clew.serve")
_MOST_BAD = 0.01
"""Share of bad lines that an import skips by itself."""
_KEPT = 20
"""Jobs of one user; older ones that do not work are removed."""


@dataclass(eq=False)
class ImportJobs:
    """The imports of a server. Safe for several threads."""

    settings: Settings
    uploads: Uploads
    changed: Callable[[], None]
    """Called when graphs may have been added or removed."""
    _jobs: dict[str, ImportJob] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "import"))

    def add(self, owner: str | None, graph: str, purpose: Purpose, **given: Any) -> ImportJob:
        """A new job without files."""
        job = ImportJob(owner, graph, purpose, self.uploads.of(""), **given)
        job.uploads = self.uploads.of(job.id)
        with self._lock:
            self._jobs[job.id] = job
            idle = [each for each in self.of(owner) if each.state not in WORKING]
        for each in idle[_KEPT:]:
            self.remove(each)
        return job

    def of(self, owner: str | None) -> list[ImportJob]:
        """The jobs of a user, the latest first."""
        with self._lock:
            return [job for job in reversed(self._jobs.values()) if job.owner == owner]

    def get(self, caller: Caller, id: str) -> ImportJob:
        """Raises UnknownImport."""
        job = self._jobs.get(id)
        if job is None or job.owner != caller.owner or not caller.may_ask(job.graph):
            raise UnknownImport(f"There is no import {id!r}.", "It may have been removed; begin a new one.")
        return job

    def plan(self, job: ImportJob, options: PlanOptions) -> None:
        """Read the files, and show what they become. Nothing is written."""
        self._start(job, "planning", lambda: self._plan(job, options))

    def run(self, job: ImportJob, *, skip_bad: bool = False) -> None:
        """Import what was planned, or add the documents.

        Args:
            job: The import.
            skip_bad: Whether bad lines are left out, however many there are.
        """
        if job.purpose == "graph" and job.planned is None:
            raise BadInput("This import has no plan yet.", "Plan it first.")
        self._start(job, "importing", lambda: self._run(job, 1.0 if skip_bad else _MOST_BAD))

    def stop(self, job: ImportJob) -> None:
        """Stop the job at its next step. Raises Busy where it cannot be stopped any more."""
        if not job.is_stoppable and job.state in WORKING:
            raise Busy("The graph is being changed, which cannot be stopped now.", "It ends in a moment.")
        job.stopping.set()

    def remove(self, job: ImportJob) -> None:
        """Forget a job that does not work, and delete its files. Raises Busy."""
        with self._lock:
            if job.state in WORKING:
                raise Busy("This import is running.", "Stop it first.")
            self._jobs.pop(job.id, None)
        job.uploads.remove()
        self._pool.submit(job.release)

    def close(self) -> None:
        """Stop what can be stopped, and delete the files."""
        for job in list(self._jobs.values()):
            job.stopping.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for job in self._jobs.values():
            job.release()
            job.uploads.remove()

    def to_json(self, job: ImportJob) -> dict[str, Any]:
        """A job as plain JSON values. Files are called as the client called them."""
        error = job.error
        found = {
            "id": job.id, "graph": job.graph, "purpose": job.purpose, "state": job.state, "created": job.created,
            "url": job.address or None, "files": job.sizes or {path.name: 0 for path in job.files},
            "replace": job.replace, "is_stoppable": job.is_stoppable, "plan": job.plan, "report": job.report,
            "progress": asdict(job.progress) if job.progress is not None else None,
            "error": None if error is None else _told(error),
        }  # fmt: skip
        folders = [f"{folder}/" for folder in {path.parent for path in job.files}]
        shown: dict[str, Any] = self._shown(found, folders)
        return shown

    def _shown(self, value: Any, folders: list[str]) -> Any:
        if isinstance(value, str):
            for folder in folders:
                value = value.replace(folder, "")
            return self.uploads.shown(value)
        if isinstance(value, dict):
            return {self._shown(key, folders): self._shown(each, folders) for key, each in value.items()}
        return [self._shown(each, folders) for each in value] if isinstance(value, (list, tuple)) else value

    def _start(self, job: ImportJob, state: State, work: Callable[[], None]) -> None:
        with self._lock:
            if job.state in WORKING:
                raise Busy("This import is running.", "Wait for it, or stop it.")
            job.state, job.error, job.is_stoppable = "waiting", None, True
            job.stopping.clear()
        self._pool.submit(self._work, job, state, work)

    def _work(self, job: ImportJob, state: State, work: Callable[[], None]) -> None:
        try:
            job.check()
            job.state = state
            work()
            job.state = "planned" if state == "planning" else "done"
        except ImportStopped:
            job.state = "stopped"
        except ClewError as error:
            job.error, job.state = error, "failed"
        except Exception as error:
            _log.error("An import failed.", exc_info=error)
            job.error, job.state = ClewError("Something went wrong here; the server's log says what."), "failed"
        finally:
            job.progress = None
            if job.state != "planned":
                job.release()
            if job.state == "done":
                job.uploads.remove()

    def _plan(self, job: ImportJob, options: PlanOptions) -> None:
        job.release()
        job.replace = options.replace
        if job.plan is not None and options.model is not None:  # If it cannot be used, it can be edited on.
            job.plan = {**job.plan, "model": dict(options.model)}
        graph = self._client(job).graph(job.graph)
        job.planned = graph.plan_import(
            *job.given(),
            model=options.model,
            value_nodes=options.value_nodes,
            suggest_names=options.suggest_names,
            replace=options.replace,
        )
        job.plan = job.planned.to_json()

    def _run(self, job: ImportJob, max_bad_share: float) -> None:
        if job.purpose == "documents":
            self._add_documents(job)
            return
        client = self._client(job)
        assert job.planned is not None
        is_new = job.graph not in {graph.name for graph in client.graphs()}

        def before_writing() -> None:
            job.check()
            job.is_stoppable = is_new or job.replace  # The old graph stays until the new one is whole.

        try:
            graph = client.graph(job.graph)
            report = graph.import_files(
                job.planned,
                replace=job.replace,
                max_bad_share=max_bad_share,
                index=False,
                before_writing=before_writing,
            )
        except BaseException:
            if is_new:
                with suppress(ClewError):
                    client.drop(job.graph)
            raise
        finally:
            self.changed()
        job.is_stoppable = False
        job.report = {**report.to_json(), "summary": report.summary_lines()}
        graph.index()

    def _add_documents(self, job: ImportJob) -> None:
        """Files that were finished before the job is stopped stay."""
        documents = self._client(job).graph(job.graph).documents
        kept = documents.uploaded_folder
        paths = []
        for name in job.uploads.sizes():
            path = kept / name
            path.parent.mkdir(parents=True, exist_ok=True)
            (job.uploads.folder / name).replace(path)
            paths.append(path)
        try:
            documents.add(*paths)
        finally:
            for path in paths:  # What they hold is stored; their paths show that a file is the same one again.
                path.unlink(missing_ok=True)
            self.changed()
            if documents.report is not None:
                job.report = {**documents.report.to_json(), "summary": documents.report.summary_lines()}

    def _client(self, job: ImportJob) -> Client:
        from clew.app.api.client import Client

        if job.client is None:
            job.client = Client(self.settings, job)
        return job.client


def _told(error: ClewError) -> dict[str, Any]:
    """An error as plain JSON values; `bad` of `lines` can be skipped where these are too many."""
    if isinstance(error, TooManyBadLines):
        remedy = "Correct them, or import without them. Nothing has been imported."
        return {"detail": error.message, "remedy": remedy, "bad": error.bad, "lines": error.lines}
    return {"detail": error.message, "remedy": error.remedy}
