"""Reading, checking and completing the files of an import in the staging database. Nothing here changes the graph."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from clew.tools.arrays.index_files import Stage
from clew.tools.errors import BadInput, TooManyBadLines
from clew.tools.graph.naming import choose_namings
from clew.tools.graph.schema import relation_counts
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.ingest import inverses, labels, literals, presence, source, writing
from clew.tools.ingest.changes import Owned
from clew.tools.ingest.labels import End
from clew.tools.ingest.records import BadLine, Format
from clew.tools.ingest.renaming import rename
from clew.tools.ingest.report import KEPT_BAD_LINES, ImportReport, TableCount
from clew.tools.ingest.staging import Staging

_READING = 3
"""To be raised where the same files become another graph, so that indexes of the earlier one do not count for it."""
_LEAST_BAD = 10
"""Fewer bad lines never abort an import that has good ones."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The settings of an import."""

    state_dir: Path
    """Folder for journals and staging files of unfinished imports."""
    labels: Mapping[End, str] = field(default_factory=dict)
    """(relation, "subject" or "object") to the label of the nodes there; others are inferred."""
    name_properties: Mapping[str, str] = field(default_factory=dict)
    """Label to the property that names its nodes, or several joined by `+`; others are chosen."""
    replace: bool = False
    """Drop the graph's content, once the new files have been checked."""
    max_bad_share: float = 0.01
    """More bad lines than this share of all, and at least 10, abort the import."""
    batch_size: int = 5000
    tables: tuple[TableCount, ...] = ()
    """What becomes of the rows of each table, where the files are tables."""
    owned: Owned | None = None
    """What the tables decide alone; None where the files are none."""
    notes: tuple[str, ...] = ()
    """For the report."""
    before_writing: Callable[[], None] | None = None
    """Called once, before the first change of the graph; what it raises ends the import with nothing changed."""

    @property
    def changed(self) -> Path:
        """The folder of the notes which nodes each import has changed."""
        return self.state_dir / "changed"


def digest_of(files: Sequence[Format], options: ImportOptions) -> str:
    """A digest of the files' contents and of the options that decide what is written."""
    inputs = [
        _READING,
        source.content_digest(each.path for each in files if not each.digest),
        *sorted(each.digest for each in files if each.digest),
        sorted((relation, side, label) for (relation, side), label in options.labels.items()),
        sorted(options.name_properties.items()),
        sorted(each.path.name.split(".")[0] for each in files if each.kind == "csv"),
    ]
    return hashlib.sha256(json.dumps(inputs).encode()).hexdigest()


def stage_files(
    store: GraphStore,
    files: Sequence[Format],
    options: ImportOptions,
    staging: Staging,
    stage: Stage,
    *,
    fresh: bool,
    noted: Path | None,
) -> ImportReport:
    """Read and check the files, infer labels, choose names, and put everything in the order of writing.

    Args:
        store: the graph to import into; it is only read.
        staging: an empty staging database, which is filled.
        fresh: whether the graph is empty, or will be before the first write.
        noted: the file of what earlier imports of tables have put into the graph; None if it is not of this version.

    Raises:
        BadInput: a file cannot be read, there are too many bad lines, or no good one.
    """
    bad = _BadLines()
    for file in files:
        with stage(f"Reading {file.path.name}", *file.extent()) as advance:
            bad.add(staging.add(file.read(advance), str(file.path)))
    given_edges, stored_edges = staging.given_edges, staging.count("edges")
    bad.add(staging.merge_parts())
    taken = _take_literals(store, files, options, staging, fresh=fresh)
    folded = inverses.fold(staging)
    if not fresh:
        presence.mark(staging, store, noted)
    bad.add(staging.drop_dangling())
    lines = sum(each.rows for each in options.tables) or staging.lines
    bad.judge(files, staging.count("nodes"), lines, options.max_bad_share)
    taken += labels.infer(staging, options.labels)
    renamed = rename(store, staging, options.owned, options.name_properties, fresh=fresh)
    staging.put_object("renamed", renamed.to_json())
    writing.put_in_order(staging)
    namings = choose_namings(writing.samples(staging), renamed.name_properties(options.name_properties))
    staging.put_object("namings", {label: each.to_json() for label, each in namings.items()})
    return ImportReport(
        graph=store.name,
        formats=described(files),
        lines=lines,
        nodes=staging.count("node_order"),
        edges=staging.count("edge_order"),
        labels=dict(staging.db.execute("SELECT label, count(*) FROM node_order GROUP BY label")),
        relations=dict(staging.db.execute("SELECT relation, count(*) FROM edge_order GROUP BY relation")),
        present=staging.count("node_order WHERE present"),
        repeated=given_edges - stored_edges,
        folded=tuple(folded),
        names={label: "+".join(each.name) for label, each in namings.items() if each.name},
        texts={label: each.texts for label, each in namings.items() if each.texts},
        bad=bad.count,
        bad_lines=tuple(bad.first),
        notes=(*options.notes, *(note for file in files for note in dict.fromkeys(file.notes)), *renamed.notes, *taken),
        tables=options.tables,
    )


def _take_literals(
    store: GraphStore, files: Sequence[Format], options: ImportOptions, staging: Staging, *, fresh: bool
) -> list[str]:
    """What triples say of types and values. A relation leads to nodes in any case if the user labels its objects, or
    the graph has it."""
    if any(each.kind != "triples" for each in files):
        return []
    labelled = {relation for relation, side in options.labels if side == "object"}
    known = cache(lambda: set() if fresh else set(relation_counts(store)))
    return literals.take(staging, lambda relation: relation in labelled or relation in known())


def described(files: Iterable[Format]) -> tuple[str, ...]:
    """Each format once, with its files."""
    paths: dict[str, dict[str, None]] = {}  # In their order; several tables may be of one file.
    for each in files:
        paths.setdefault(each.why, {})[str(each.path)] = None
    return tuple(f"{why} ({', '.join(listed)})" for why, listed in paths.items())


@dataclass(slots=True)
class _BadLines:
    """The lines that cannot be used."""

    count: int = 0
    first: list[BadLine] = field(default_factory=list)
    """The first KEPT_BAD_LINES of them."""

    def add(self, found: Iterable[BadLine]) -> None:
        for line in found:
            self.count += 1
            if len(self.first) < KEPT_BAD_LINES:
                self.first.append(line)

    def judge(self, files: Sequence[Format], usable: int, lines: int, max_share: float) -> None:
        """Raises BadInput for files with too many bad lines, or without a good one."""
        share = self.count / max(1, lines)
        if usable and (self.count < _LEAST_BAD or share <= max_share):
            return
        shown = "\n".join(f"  {line}" for line in self.first[:5])
        if usable:
            message = f"{self.count:,} of {lines:,} lines are bad ({share:.1%}), the first being:\n{shown}"
            remedy = "Correct them, or allow more with --max-bad-share. Nothing has been imported."
            raise TooManyBadLines(message, remedy, bad=self.count, lines=lines)
        message = f"{', '.join(str(each.path) for each in files)}: no line could be used."
        raise BadInput(message + (f" The first bad ones are:\n{shown}" if shown else ""), "Check the file's format.")
