"""The plan of an import of tables: the model, what it gives in numbers, and the files for the importer."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from clew.tools.arrays.index_files import Stage, silent
from clew.tools.errors import BadInput
from clew.tools.ingest.changes import Owned
from clew.tools.ingest.records import Format
from clew.tools.ingest.report import TableCount
from clew.tools.ingest.tables import inference
from clew.tools.ingest.tables.column_types import ColumnType, quoted
from clew.tools.ingest.tables.model import GraphModel, TableModel
from clew.tools.ingest.tables.records import TableRecords
from clew.tools.ingest.tables.sources import Source
from clew.tools.ingest.tables.workspace import Table, Workspace


@dataclass(slots=True)
class ImportPlan:
    """Tables that were read and checked, with their model. Nothing is written to the graph. Close it after use."""

    model: GraphModel
    workspace: Workspace
    scratch: Path
    notes: list[str] = field(default_factory=list)
    counts: dict[str, TableCount] = field(default_factory=dict)
    """By the name of the table."""

    @property
    def records(self) -> TableRecords:
        return TableRecords(self.workspace, self.model)

    def formats(self) -> list[Format]:
        """The tables as files for the importer."""
        records = self.records
        return [
            Format(
                path=table.source.path,
                kind="table",
                why=table.source.what,
                read=partial(records.read, name),
                rows=table.rows,
                digest=records.digest(name),
            )
            for name, table in self.workspace.tables.items()
            if name in self.model.tables
        ]

    def labels(self) -> dict[str, int]:
        """Label to the number of nodes."""
        return {str(table.node): self.counts[name].nodes for name, table in self._nodes()}

    def _nodes(self) -> list[tuple[str, TableModel]]:
        return [(n, t) for n, t in self.model.tables.items() if t.node is not None and n in self.counts]

    def owned(self) -> Owned:
        """The labels and types that the tables of this plan give alone, and not also tables of the model that are not
        part of it."""
        tables = self.model.tables
        inside, outside = _kinds(self.model, self.counts), _kinds(self.model, tables.keys() - self.counts.keys())
        properties = {str(table.node): table.property_names() for _name, table in self._nodes()}
        return Owned(frozenset(inside[0] - outside[0]), frozenset(inside[1] - outside[1]), properties)

    def suggestions(self) -> list[tuple[str, str, int]]:
        """(table, column, number of values) of the columns that could be nodes of their own."""
        return inference.suggested_value_nodes(self.workspace, self.model)

    def close(self) -> None:
        """Delete the temporary files."""
        self.workspace.close()
        remove_scratch(self.scratch)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def make(
    sources: Sequence[Source],
    scratch: Path,
    stage: Stage = silent,
    model: GraphModel | None = None,
    value_nodes: Sequence[tuple[str, str]] = (),
    complete: bool = True,
) -> ImportPlan:
    """Read the tables and plan their import.

    Args:
        sources: the tables.
        scratch: a folder that belongs to the plan, which deletes it.
        stage: shows the progress.
        model: what the tables become; None infers it.
        value_nodes: (table, column) of columns whose values become nodes.
        complete: infer the model of tables that `model` does not have; otherwise they are left out.

    Raises:
        BadInput: a table cannot be read, does not fit the model, or takes too much memory.
    """
    workspace = Workspace(scratch)
    try:
        with workspace.in_memory():
            notes = []
            for source in sources:
                given = model.tables.get(source.table) if model is not None else None
                if model is not None and given is None and not complete:
                    notes.append(f"The table {source.table} is not in the model, and is left out.")
                    continue
                types = _fitting(source, given) if given is not None else {}
                table = workspace.add(source, stage, types)
                if given is not None:
                    notes += _unknown_columns(source, given)
            if not workspace.tables:
                raise BadInput("None of the tables is in the model.", "Check the names of the tables in the model.")
            found = model if model is not None and set(workspace.tables) <= set(model.tables) else None
            if found is None:
                found = inference.infer(workspace, model)
            if value_nodes:
                found = inference.with_value_nodes(found, [_known(found, *each) for each in value_nodes])
            plan = ImportPlan(found, workspace, scratch, notes)
            for table in workspace.tables.values():
                plan.notes += table.notes
            plan.records.settle()
            _count(plan)
            return plan
    except BaseException:
        workspace.close()
        raise


def _kinds(model: GraphModel, names: Iterable[str]) -> tuple[set[str], set[tuple[str, str, str]]]:
    """The labels, and the types with the labels of their ends, that tables give."""
    labels, types = set(), set()
    for name in names:
        table = model.tables[name]
        if table.node is not None:
            labels.add(table.node)
        for each in table.references:
            ends = table.node or "", str(model.tables[each.table].node)
            types.add((each.type, *(ends if each.direction == "out" else ends[::-1])))
        for value in table.value_nodes:
            labels.add(value.label)
            types.add((value.type, table.node or "", value.label))
        if (join := table.relationship) is not None:
            source, target = (str(model.tables[end.table].node) for end in (join.source, join.target))
            types.add((join.type, source, target))
    return labels, types


def new_scratch(folder: Path) -> Path:
    """A new empty folder for the temporary files of a plan. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="tables-", dir=folder))
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror}.", "Check permissions and free space.") from error


def remove_scratch(scratch: Path) -> None:
    """Delete the temporary files of a plan, and the folders of imports and of the graph if nothing else is in them."""
    shutil.rmtree(scratch, ignore_errors=True)
    with suppress(OSError):  # One that is not empty stays.
        scratch.parent.rmdir()
        scratch.parent.parent.rmdir()


def _fitting(source: Source, given: TableModel) -> Mapping[str, ColumnType]:
    """The types of the columns by the model. Raises BadInput if the source lacks one."""
    missing = [column for column in given.columns if column not in source.columns]
    if missing:
        raise BadInput(
            f"{source.path} has no column {', '.join(f'`{name}`' for name in missing)}, which the model names for "
            f"{source.table}. It has {', '.join(source.columns)}.",
            "Correct the file or the model; --replace reads all tables anew and infers a new model.",
        )
    return {name: column.column_type() for name, column in given.columns.items()}


def _unknown_columns(source: Source, given: TableModel) -> list[str]:
    new = [name for name in source.columns if name not in given.columns and name not in given.left_out]
    return [f"{source.table}.{name} is not in the model, and is left out." for name in new]


def _known(model: GraphModel, table: str, column: str) -> tuple[str, str]:
    found = model.tables.get(table)
    if found is None or found.node is None or column not in found.columns:
        raise BadInput(f"There is no column {table}.{column} in a table of nodes.", "Name it as TABLE.COLUMN.")
    return table, column


def _count(plan: ImportPlan) -> None:
    records = plan.records
    for name, table in plan.workspace.tables.items():
        if name not in plan.model.tables:
            continue
        model = plan.model.tables[name]
        links = sum(records.links(name, each) for each in model.references)
        links += sum(_values(plan, table, each.column) for each in model.value_nodes)
        joined = records.joins(name) if model.relationship is not None else 0
        nodes = table.rows if model.node is not None else 0
        unused = table.rows - joined if model.relationship is not None else 0
        plan.counts[name] = TableCount(
            table=name,
            file=str(table.source.path),
            rows=table.rows + table.bad_count,
            used=table.rows - unused,
            skipped=table.bad_count + unused,
            nodes=nodes,
            relationships=links + joined,
            unmatched=tuple(records.unmatched(name)),
        )


def _values(plan: ImportPlan, table: Table, column: str) -> int:
    return plan.workspace.number(f"SELECT count({quoted(column)}) FROM {quoted(table.name)}")
