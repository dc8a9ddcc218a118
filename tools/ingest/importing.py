"""Importing files into a graph: check everything first, then write in batches, and make it visible at the end."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from clew.tools.arrays.index_files import Stage, silent
from clew.tools.errors import BadInput, ClewError
from clew.tools.graph.schema import label_counts, relation_counts
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import changes, formats, scripts, target, touched, versions
from clew.tools.ingest.changes import Owned
from clew.tools.ingest.checking import ImportOptions, described, digest_of, stage_files
from clew.tools.ingest.formats import cypher_script
from clew.tools.ingest.journal import ImportInterrupted as ImportInterrupted
from clew.tools.ingest.journal import Journal, Pending
from clew.tools.ingest.progress import Progress
from clew.tools.ingest.records import Format
from clew.tools.ingest.renaming import Renaming
from clew.tools.ingest.report import ImportReport, Status
from clew.tools.ingest.staging import Staging
from clew.tools.ingest.target import Replacement
from clew.tools.sqlite_files import in_use


def load(
    store: GraphStore,
    paths: Sequence[Path | Format],
    options: ImportOptions,
    stage: Stage = silent,
    replacement: Replacement | None = None,
) -> ImportReport:
    """Import `paths` together into the graph.

    Nothing is written before every line has been checked. Importing the same content again changes nothing. An
    interrupted import continues when it is run again. Other content is added: nodes are merged by key, edges by ends,
    type and properties.

    Args:
        store: the graph, which may hold other content.
        paths: files of any of the known formats, recognised or not; Cypher scripts cannot be mixed with others.
        options: the settings of the import.
        stage: shows the progress.
        replacement: for `options.replace`: builds the new content beside the old, which stays the graph until the new
            one is whole. Without, the old content is deleted before the new is written.

    Raises:
        BadInput: a file cannot be used; nothing has been changed.
        ImportInterrupted: on Ctrl-C; the same call continues.
        ClewError: from the store or the disk; the same call continues.
    """
    if not paths:
        raise BadInput("There is no file to import.", "Name one or more files.")
    files = [each if isinstance(each, Format) else formats.detect(each) for each in paths]
    run = _Import(store, files, options, stage, replacement)
    with Journal(options.state_dir, store.name) as journal:
        try:
            with in_use(journal.staged):
                return run.run(journal)
        except KeyboardInterrupt:
            raise ImportInterrupted("The import was interrupted.", run.after_interruption()) from None
        except sqlite3.Error as error:
            message = f"The import cannot go on: {error} ({journal.folder})."
            raise ClewError(message, "Check the space on the disk, then run the same command again.") from error


class _Import:
    """One call of `load`."""

    def __init__(
        self,
        store: GraphStore,
        files: list[Format],
        options: ImportOptions,
        stage: Stage,
        replacement: Replacement | None,
    ) -> None:
        self._store = self._given_store = store
        self._files = files
        self._options = options
        self._stage = stage
        self._replacement = replacement
        self._started = time.perf_counter()
        self._writing = False

    def after_interruption(self) -> str:
        """What the user can do after an interruption."""
        if self._writing:
            kept = "" if self._store is self._given_store else "The graph is as it was. "
            return f"{kept}What has been written is noted: run the same command again to continue."
        return "Nothing has been written to the graph; run the same command again."

    def run(self, journal: Journal) -> ImportReport:
        digest = digest_of(self._files, self._options)
        if self._replacement is not None and not self._options.replace and self._replacement.discard():
            journal.forget_pending()
        version = self._store.version()
        before = journal.finished(digest, version, last_only=self._options.owned is not None)
        if not self._options.replace and before is not None:
            return self._finished(ImportReport.from_json(before), "unchanged")
        if all(each.kind == "cypher" for each in self._files):
            return self._run_scripts(journal, digest, version)
        if any(each.kind == "cypher" for each in self._files):
            raise BadInput("A Cypher script cannot be imported together with other files.", "Import it on its own.")
        pending = self._continuable(journal, digest, version)
        if pending is not None:
            return self._write(journal, pending, Staging(journal.staged))
        return self._begin(journal, digest)

    def _continuable(self, journal: Journal, digest: str, version: str) -> Pending | None:
        """The unfinished import that these files continue; None where there is none.

        Raises BadInput where another import has to be finished first.
        """
        pending = journal.pending()
        begun = self._replacement.begun() if self._options.replace and self._replacement is not None else None
        if pending is not None and pending.digest == digest:
            if begun is not None and begun.version() == versions.unfinished(digest):
                self._store = begun
                return pending
            if pending.fits(version):
                return pending
        if self._options.replace:
            return None
        if journal.has_lost(digest) and version == versions.unfinished(digest):
            self._begin_writing()
            target.clear(self._store)
            return None
        if (pending is not None and pending.fits(version) and pending.committed) or versions.is_unfinished(version):
            files = pending.files if pending is not None else "other files"
            raise BadInput(
                f"An import of {files} into {self._store.name} was interrupted.",
                "Run it again to finish it, or use --replace to start over.",
            )
        return None

    def _begin(self, journal: Journal, digest: str) -> ImportReport:
        journal.forget_pending()
        staging = Staging.create(journal.staged)
        try:
            fresh = self._options.replace or target.is_empty(self._store)
            noted = None if fresh else changes.noted(journal, self._store.version())
            report = stage_files(
                self._store, self._files, self._options, staging, self._stage, fresh=fresh, noted=noted
            )
            if (owned := self._owned(staging)) is not None and not fresh:
                report = changes.compare(staging, journal, owned, report, self._store.version())
                if report.updates and not any(report.updates.values()):
                    staging.delete()
                    return self._finished(report, "unchanged")
            touched.collect(staging, self._store, fresh=fresh)
            self._begin_writing()
            if self._options.replace:
                self._replace_content(digest)
            staging.make_durable()  # From here on it must outlive this process.
            files = ", ".join(str(each.path) for each in self._files)
            pending = Pending(digest, self._store.version(), fresh, files, report.to_json(), 0)
            journal.begin(pending)
        except BaseException:
            staging.delete()
            raise
        if fresh:
            self._store.set_version(versions.unfinished(digest))
        return self._write(journal, pending, staging)

    def _begin_writing(self) -> None:
        """To be called before the first change of the graph."""
        if not self._writing and self._options.before_writing is not None:
            self._options.before_writing()
        self._writing = True

    def _replace_content(self, digest: str) -> None:
        """Write to a new, empty graph from here on."""
        if self._replacement is None:
            self._store.set_version(versions.unfinished(digest))
            target.clear(self._store)
        elif not target.is_empty(self._store):
            self._store = self._replacement.begin()

    def _write(self, journal: Journal, pending: Pending, staging: Staging) -> ImportReport:
        """Write the batches that the journal does not have, then make the graph visible."""
        self._begin_writing()
        report = ImportReport.from_json(pending.report)
        progress = Progress(self._store, journal, staging, pending, self._options.batch_size)
        progress.start_over_unless_whole()
        if pending.fresh and not versions.is_unfinished(self._store.version()):
            self._store.set_version(versions.unfinished(pending.digest))
        try:
            for label in report.labels:
                self._store.ensure_index(label, "nodeId")
            progress.write(report, self._owned(staging), self._stage)
            if pending.fresh:
                target.verify(self._store, report.nodes, report.edges)
            for label in report.labels:
                self._store.ensure_index(label, "name")
            if (owned := self._owned(staging)) is not None:
                before, content = pending.version_before, report.content
                version = versions.finished(pending.digest, before, fresh=pending.fresh, content=content)
                changes.remember(staging, journal, owned, version, fresh=pending.fresh)
            touched.note(staging, self._options.changed, pending)
            report = self._publish(journal, report, pending.digest, pending.version_before, fresh=pending.fresh)
        finally:
            staging.close()
        journal.staged.unlink(missing_ok=True)
        if pending.committed:
            return self._finished(report, "continued")
        return self._finished(report, "imported" if pending.fresh else "updated" if report.updates else "added")

    def _owned(self, staging: Staging) -> Owned | None:
        """What the tables decide alone, by its stored names; None where the files are no tables."""
        owned = self._options.owned
        return owned and Renaming(**staging.get_object("renamed")).owned(owned)

    def _run_scripts(self, journal: Journal, digest: str, version: str) -> ImportReport:
        """Run Cypher scripts instead of writing records."""
        statements = [statement for each in self._files for statement in cypher_script.read(each.path)]
        if self._store.scope is not None:
            raise BadInput(
                f"{self._files[0].path}: a script cannot be kept to one graph of a database that holds several.",
                "Import it into the embedded database, or run it with the database's own tools.",
            )
        again = version == versions.unfinished(digest)
        if versions.is_unfinished(version) and not (again or self._options.replace):
            self._continuable(journal, digest, version)
        journal.forget_pending()
        fresh = again or self._options.replace or target.is_empty(self._store)
        self._begin_writing()
        if self._options.replace:
            self._replace_content(digest)
        elif again:
            target.clear(self._store)
        if fresh:
            self._store.set_version(versions.unfinished(digest))
        try:
            scripts.run(self._store, statements, self._stage)
        except (ClewError, KeyboardInterrupt):
            if fresh:
                target.clear(self._store)
            raise
        names = scripts.complete_nodes(self._store, digest, self._options.name_properties)
        labels, types = label_counts(self._store), relation_counts(self._store)
        report = ImportReport(
            graph=self._store.name,
            formats=described(self._files),
            lines=len(statements),
            nodes=sum(labels.values()),
            edges=sum(types.values()),
            labels=labels,
            relations=types,
            names=names,
        )
        for label in labels:
            self._store.ensure_index(label, "nodeId")
            self._store.ensure_index(label, "name")
        report = self._publish(journal, report, digest, version, fresh=fresh)
        return self._finished(report, "imported" if fresh else "added")

    def _publish(
        self, journal: Journal, report: ImportReport, digest: str, version_before: str, *, fresh: bool
    ) -> ImportReport:
        """Give the graph its new version, which makes it visible."""
        version = versions.finished(digest, version_before, fresh=fresh, content=report.content)
        report = replace(report, version=version)
        self._store.set_version(version)
        changes.published(journal, fresh=fresh)
        journal.finish(digest, version, report.to_json(), fresh=fresh)
        if self._replacement is not None:
            with suppress(ClewError):  # The import is finished; what is left goes with the next one.
                self._replacement.discard()
        return report

    def _finished(self, report: ImportReport, status: Status) -> ImportReport:
        return report.finished(status, time.perf_counter() - self._started)
