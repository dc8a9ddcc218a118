"""Importing files into a graph: check everything first, then write in batches, and make it visible at the end."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from clew.tools.cypher.quoting import quoted
from clew.tools.errors import BadInput, ClewError
from clew.tools.graph import naming
from clew.tools.graph.naming import Naming
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import classes, formats, scripts, source, writing
from clew.tools.ingest.classes import End
from clew.tools.ingest.formats import Format
from clew.tools.ingest.journal import Journal, Pending
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.report import KEPT_BAD_LINES, ImportReport, Progress, Silent, Status
from clew.tools.ingest.staging import Staging

UNFINISHED = "importing-"
"""The version of a graph that was empty begins so until its import has finished."""
_LEAST_BAD = 10
"""Fewer bad lines never abort an import that has good ones."""
_CLEAR_ROWS = 10_000

Recreate = Callable[[], GraphStore]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to import."""

    state_dir: Path
    """Folder for journals and staging files of unfinished imports."""
    labels: Mapping[End, str] = field(default_factory=dict)
    """(relation, "subject" or "object") to the label of the nodes there; others are inferred."""
    name_properties: Mapping[str, str] = field(default_factory=dict)
    """Label to the property that names its nodes, or several joined by `+`; others are chosen."""
    replace: bool = False
    """Drop what the graph holds, once the new files have been checked."""
    max_bad_share: float = 0.01
    """More bad lines than this share of all, and at least 10, abort the import."""
    batch_size: int = 5000


class ImportInterrupted(ClewError):
    """The user stopped an import."""

    exit_code = 130


def is_unfinished(version: str) -> bool:
    """Whether a graph of that version is the unfinished beginning of an import."""
    return version.startswith(UNFINISHED)


def load(
    store: GraphStore,
    paths: Sequence[Path],
    options: ImportOptions,
    progress: Progress | None = None,
    recreate: Recreate | None = None,
) -> ImportReport:
    """Import `paths` together into the graph.

    Nothing is written before every line has been checked. The same content imported again changes nothing; an
    interrupted import continues when it is run again; other content is added, its nodes merged by key and its edges
    by ends, type and properties. `recreate` gives an empty graph for `replace` faster than deleting does: it
    drops the graph and opens it anew.

    Raises BadInput for unusable files (nothing has been changed then), ImportInterrupted on Ctrl-C, and the store's
    errors, after which the same call continues.
    """
    if not paths:
        raise BadInput("There is no file to import.", "Name one or more files.")
    found = [formats.detect(path) for path in paths]
    run = _Import(store, found, options, progress or Silent(), recreate)
    with Journal(options.state_dir, store.name) as journal:
        try:
            return run.run(journal)
        except KeyboardInterrupt:
            raise ImportInterrupted("The import was interrupted.", run.state()) from None
        except sqlite3.Error as error:
            raise ClewError(f"The import cannot go on: {error} ({journal.folder}).", _DISK) from error


_DISK = "Check the space on the disk, then run the same command again."


class _Import:
    """One call of `load`."""

    def __init__(
        self,
        store: GraphStore,
        found: list[Format],
        options: ImportOptions,
        progress: Progress,
        recreate: Recreate | None,
    ) -> None:
        self._store = store
        self._formats = found
        self._options = options
        self._progress = progress
        self._recreate = recreate
        self._started = time.perf_counter()
        self._writing = False
        self._bad: list[BadLine] = []
        self._bad_count = 0

    def state(self) -> str:
        """What the user can do after an interruption."""
        if self._writing:
            return "What has been written is noted: run the same command again to continue."
        return "Nothing has been written to the graph; run the same command again."

    def run(self, journal: Journal) -> ImportReport:
        digest = self._digest()
        version = self._store.version()
        if not self._options.replace and (before := journal.finished(digest, version)) is not None:
            return ImportReport.from_json(before).finished("unchanged", self._seconds())
        if all(each.kind == "cypher" for each in self._formats):
            return self._run_scripts(journal, digest, version)
        if any(each.kind == "cypher" for each in self._formats):
            raise BadInput("A Cypher script cannot be imported together with other files.", "Import it on its own.")
        pending = self._continuable(journal, digest, version)
        if pending is not None:
            return self._write(journal, pending, Staging(journal.staged))
        return self._begin(journal, digest, version)

    def _digest(self) -> str:
        """Of the files' contents and of the options that decide what is written."""
        decided = [
            source.content_digest(each.path for each in self._formats),
            sorted((relation, side, label) for (relation, side), label in self._options.labels.items()),
            sorted(self._options.name_properties.items()),
            sorted(each.path.name.split(".")[0] for each in self._formats if each.kind == "csv"),
        ]
        return hashlib.sha256(json.dumps(decided).encode()).hexdigest()

    def _continuable(self, journal: Journal, digest: str, version: str) -> Pending | None:
        """The unfinished import that these files continue; None where there is none. Raises BadInput where another
        one has to be finished first."""
        pending = journal.pending()
        unfinished = _unfinished_version(pending.digest) if pending else ""
        valid = pending is not None and (
            version == unfinished if pending.fresh and pending.committed else
            version in (pending.version_before, unfinished)
        )  # fmt: skip
        if pending is not None and valid and pending.digest == digest:
            return pending
        if self._options.replace:
            return None
        if (pending is not None and valid and pending.committed) or is_unfinished(version):
            files = pending.files if pending is not None else "other files"
            raise BadInput(
                f"An import of {files} into {self._store.name} was interrupted.",
                "Run it again to finish it, or use --replace to start over.",
            )
        return None

    # Checking: nothing here changes the graph

    def _begin(self, journal: Journal, digest: str, version: str) -> ImportReport:
        journal.forget_pending()
        staging = Staging.create(journal.staged)
        try:
            fresh = self._options.replace or _is_empty(self._store)
            report = self._stage(staging, fresh)
            if self._options.replace:
                self._clear(digest)
            staging.make_durable()  # from here on it must outlive this process
            files = ", ".join(str(each.path) for each in self._formats)
            pending = Pending(digest, self._store.version(), fresh, files, report.to_json(), 0)
            journal.begin(pending)
        except BaseException:
            staging.delete()
            raise
        if fresh:
            self._store.set_version(_unfinished_version(digest))
        return self._write(journal, pending, staging)

    def _stage(self, staging: Staging, fresh: bool) -> ImportReport:
        """Read and check the files, infer labels, and put everything in order."""
        for each in self._formats:
            self._progress.start(each.path.stat().st_size, f"bytes of {each.path.name}")
            self._note_bad(staging.add(each.read(self._progress.advance), str(each.path)))
            self._progress.done()
        given_edges = staging.given_edges
        stored_edges = staging.count("edges")
        self._note_bad(staging.merge_parts())
        folded = staging.fold_inverses()
        if not fresh:
            _mark_present(self._store, staging)
        self._note_bad(staging.drop_dangling())
        self._judge(staging)
        classes.infer(staging, self._options.labels)
        notes = self._keep_apart(staging, fresh)
        writing.put_in_order(staging)
        namings = naming.choose(writing.samples(staging), self._options.name_properties)
        staging.keep("namings", {label: each.to_json() for label, each in namings.items()})
        db = staging.db
        return ImportReport(
            graph=self._store.name,
            formats=_stated(self._formats),
            lines=staging.lines,
            nodes=staging.count("node_order"),
            edges=staging.count("edge_order"),
            labels=dict(db.execute("SELECT label, count(*) FROM node_order GROUP BY label")),
            relations=dict(db.execute("SELECT relation, count(*) FROM edge_order GROUP BY relation")),
            present=int(db.execute("SELECT count(*) FROM node_order WHERE present").fetchone()[0]),
            repeated=given_edges - stored_edges,
            folded=tuple(folded),
            names={label: "+".join(each.name) for label, each in namings.items() if each.name},
            texts={label: each.texts for label, each in namings.items() if each.texts},
            bad=self._bad_count,
            bad_lines=tuple(self._bad),
            notes=tuple(notes),
        )

    def _note_bad(self, found: Iterable[BadLine]) -> None:
        for line in found:
            self._bad_count += 1
            if len(self._bad) < KEPT_BAD_LINES:
                self._bad.append(line)

    def _judge(self, staging: Staging) -> None:
        """Refuse files with too many bad lines, or without a good one."""
        usable = staging.count("nodes")
        share = self._bad_count / max(1, staging.lines)
        too_many = self._bad_count >= _LEAST_BAD and share > self._options.max_bad_share
        if usable and not too_many:
            return
        shown = "\n".join(f"  {line}" for line in self._bad[:5])
        if usable:
            message = f"{self._bad_count:,} of {staging.lines:,} lines are bad ({share:.1%}), the first being:\n{shown}"
            raise BadInput(message, "Correct them, or allow more with --max-bad-share. Nothing has been imported.")
        message = f"{', '.join(str(each.path) for each in self._formats)}: no line could be used."
        raise BadInput(message + (f" The first bad ones are:\n{shown}" if shown else ""), "Check the file's format.")

    def _keep_apart(self, staging: Staging, fresh: bool) -> list[str]:
        """In ArcadeDB no label may be called like a relationship type: rename the new one of the two."""
        if self._store.engine != "arcadedb":
            return []
        relations = set(staging.relation_names().values())
        labels = {str(label) for (label,) in staging.db.execute("SELECT DISTINCT label FROM nodes")}
        known_labels, known_types = (set[str](), set[str]()) if fresh else _known_names(self._store)
        notes = []
        for label in sorted((labels - known_labels) & (relations | known_types)):
            staging.db.execute("UPDATE nodes SET label = ? WHERE label = ?", (label + "_", label))
            notes.append(f"The label {label} became {label}_, since a relationship type is called {label}.")
        for relation in sorted(relations & known_labels):
            staging.db.execute("UPDATE relations SET name = ? WHERE name = ?", (relation + "_", relation))
            notes.append(f"The relationship type {relation} became {relation}_, since a label is called {relation}.")
        return notes

    def _clear(self, digest: str) -> None:
        self._store.set_version(_unfinished_version(digest))
        if self._recreate is not None:
            self._store = self._recreate()
        else:
            clear(self._store)

    # Writing

    def _write(self, journal: Journal, pending: Pending, staging: Staging) -> ImportReport:
        """Write the batches that the journal does not have, then make the graph visible."""
        self._writing = True
        report = ImportReport.from_json(pending.report)
        if pending.fresh and not is_unfinished(self._store.version()):
            self._store.set_version(_unfinished_version(pending.digest))
        try:
            for label in report.labels:
                self._store.ensure_index(label, "nodeId")
            self._write_batches(journal, pending, staging, report)
            if pending.fresh:
                _verify(self._store, report)
            for label in report.labels:
                self._store.ensure_index(label, "name")
            before = "" if pending.fresh else pending.version_before
            version = hashlib.sha256(f"{before}{pending.digest}".encode()).hexdigest()[:16]
            report = replace(report, version=version)
            self._store.set_version(version)
            journal.finish(pending.digest, version, report.to_json(), fresh=pending.fresh)
        finally:
            staging.close()
        journal.staged.unlink(missing_ok=True)
        status: Status = "continued" if pending.committed else "imported" if pending.fresh else "added"
        return report.finished(status, self._seconds())

    def _write_batches(self, journal: Journal, pending: Pending, staging: Staging, report: ImportReport) -> None:
        namings = {label: Naming.from_json(each) for label, each in staging.kept("namings").items()}
        writer = writing.Writer(self._store, staging.db, namings)
        what = ""
        for batch in writing.batches(staging.db, self._options.batch_size):
            kind = "relationships" if batch.kind == "edges" else "nodes"
            if kind != what:
                if what:
                    self._progress.done()
                self._progress.start(report.edges if kind == "relationships" else report.nodes, kind)
                what = kind
            if batch.number >= pending.committed:
                # of a batch that was in flight when the import stopped, nobody knows whether it was written
                in_flight = batch.number == pending.committed
                writer.write(batch, careful=in_flight or not pending.fresh)
                journal.commit(batch.number + 1)
            self._progress.advance(batch.size)
        if what:
            self._progress.done()

    # Cypher scripts

    def _run_scripts(self, journal: Journal, digest: str, version: str) -> ImportReport:
        statements = scripts.read([each.path for each in self._formats])
        if self._store.scope is not None:
            raise BadInput(
                f"{self._formats[0].path}: a script cannot be kept to one graph of a database that holds several.",
                "Import it into the embedded database, or run it with the database's own tools.",
            )
        replaced = self._options.replace or version == _unfinished_version(digest)
        if is_unfinished(version) and not replaced:
            self._continuable(journal, digest, version)
        journal.forget_pending()
        fresh = replaced or _is_empty(self._store)
        if replaced:
            self._clear(digest)
        if fresh:
            self._store.set_version(_unfinished_version(digest))
        self._writing = True
        try:
            scripts.run(self._store, statements, self._progress)
        except (ClewError, KeyboardInterrupt):
            if fresh:
                clear(self._store)
            raise
        names = scripts.complete_nodes(self._store, digest, self._options.name_properties)
        labels, types = _counts(self._store)
        version = hashlib.sha256(f"{'' if fresh else version}{digest}".encode()).hexdigest()[:16]
        report = ImportReport(
            graph=self._store.name,
            formats=_stated(self._formats),
            lines=len(statements),
            nodes=sum(labels.values()),
            edges=sum(types.values()),
            labels=labels,
            relations=types,
            names=names,
            version=version,
        )
        for label in labels:
            self._store.ensure_index(label, "nodeId")
            self._store.ensure_index(label, "name")
        self._store.set_version(version)
        journal.finish(digest, version, report.to_json(), fresh=fresh)
        return report.finished("imported" if fresh else "added", self._seconds())

    def _seconds(self) -> float:
        return time.perf_counter() - self._started


def clear(store: GraphStore) -> None:
    """Delete every node of the graph, in transactions of a bounded size."""
    node = _node(store)
    while any(row["n"] for row in store.scan(f"MATCH ({node}) RETURN count(n) AS n")):
        store.write(f"MATCH ({node}) WITH n LIMIT {_CLEAR_ROWS} DETACH DELETE n")


def _stated(found: Iterable[Format]) -> tuple[str, ...]:
    """Each format once, with its files."""
    files: dict[str, list[str]] = {}
    for each in found:
        files.setdefault(each.why, []).append(str(each.path))
    return tuple(f"{why} ({', '.join(paths)})" for why, paths in files.items())


def _unfinished_version(digest: str) -> str:
    return UNFINISHED + digest[:16]


def _node(store: GraphStore) -> str:
    return f"n:{quoted(store.scope)}" if store.scope else "n"


def _is_empty(store: GraphStore) -> bool:
    return not any(True for _row in store.scan(f"MATCH ({_node(store)}) RETURN 1 AS one LIMIT 1"))


def _counts(store: GraphStore) -> tuple[dict[str, int], dict[str, int]]:
    """Nodes by label and edges by type."""
    node = _node(store)
    labels = {
        row["label"]: row["n"]
        for row in store.scan(f"MATCH ({node}) UNWIND labels(n) AS label RETURN label, count(*) AS n")
        if row["label"] != store.scope
    }
    types = {
        row["type"]: row["n"] for row in store.scan(f"MATCH ({node})-[r]->() RETURN type(r) AS type, count(*) AS n")
    }
    return labels, types


def _known_names(store: GraphStore) -> tuple[set[str], set[str]]:
    labels, types = _counts(store)
    return set(labels), set(types)


def _mark_present(store: GraphStore, staging: Staging) -> None:
    """Note which staged nodes the graph has already, and under which label."""
    for label in _known_names(store)[0]:
        node = f"n:{quoted(label)}" + (f":{quoted(store.scope)}" if store.scope else "")
        found = store.scan(f"MATCH ({node}) RETURN n.nodeId AS key")
        staging.mark_present(label, (row["key"] for row in found if row["key"] is not None))


def _verify(store: GraphStore, report: ImportReport) -> None:
    """A graph that was empty must now hold exactly what the files do."""
    node = _node(store)
    nodes = next(iter(store.scan(f"MATCH ({node}) RETURN count(n) AS n")))["n"]
    edges = next(iter(store.scan(f"MATCH ({node})-[r]->() RETURN count(r) AS n")))["n"]
    if (nodes, edges) != (report.nodes, report.edges):
        raise ClewError(
            f"The graph holds {nodes:,} nodes and {edges:,} relationships instead of "
            f"{report.nodes:,} and {report.edges:,}.",
            "Something else wrote to it during the import: import again with --replace.",
        )
