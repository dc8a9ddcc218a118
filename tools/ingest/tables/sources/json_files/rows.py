"""The rows of tables from JSON documents, written into files of their own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest.records import BadLine
from clew.tools.ingest.tables.sources.delimited_text import table_name
from clew.tools.ingest.tables.sources.json_files import layout, shape
from clew.tools.ingest.tables.sources.json_files.layout import ROW_NUMBER, Kind
from clew.tools.ingest.tables.sources.json_files.reading import JsonFile, Object
from clew.tools.ingest.tables.sources.json_files.values import Scalar, bare, is_scalar, plain, text
from clew.tools.ingest.tables.sources.json_files.written_table import Cells, WrittenTable
from clew.tools.ingest.tables.sources.source_table import Source


@dataclass(slots=True)
class _Records:
    """The records of one table, as a file holds them."""

    file: JsonFile
    given: Sequence[Object] | None
    maps: frozenset[shape.Path] = frozenset()
    shape: shape.Shape = field(default_factory=shape.Shape)

    def __iter__(self) -> Iterator[Object]:
        return (each[1] for each in self.file.records(self.given) if not isinstance(each, BadLine))

    def describe(self, name: str) -> None:
        """Find the shape, the maps and the keys."""
        self.shape = shape.described(self, self.maps)
        while found := shape.map_paths(self.shape) - self.maps:
            self.maps |= found
            self.shape = shape.described(self, self.maps)
        shape.choose_keys(self.shape, name)
        for record in self:
            shape.compare_keys(self.shape, record, None, self.maps)


def tables(files: Sequence[JsonFile], scratch: Path) -> list[Source]:
    """The tables of all objects in some files of JSON.

    Args:
        files: the files; objects with the same keys in several of them are the same.
        scratch: a folder for the rows.

    Raises:
        BadInput: a file is not JSON, holds no object, or has too many tables or fields.
    """
    records: dict[str, _Records] = {}
    for file in files:
        for name, given in file.tables().items():
            possible = (name, *(f"{table_name(file.shown)}_{name}{n}" for n in ("", *range(2, len(files) + 2))))
            own = next(each for each in possible if each not in records)
            records[own] = _Records(file, given)
            records[own].describe(own)
    roots = layout.laid_out(
        {name: each.shape for name, each in records.items()}, {name: each.maps for name, each in records.items()}
    )
    with ExitStack() as opened:
        writer = _Writer(Path(tempfile.mkdtemp(prefix="json-", dir=scratch)), opened)
        for name, each in records.items():
            writer.declare(roots[name], each)
        for name, each in records.items():
            writer.write(roots[name], each)
        writer.end()
    if not any(table.columns for table in writer.tables.values()):
        names = ", ".join(str(file.shown) for file in files)
        raise BadInput(f"The JSON objects of {names} hold no values.", "Check that the file was written completely.")
    notes = {id(table.file): table.file.notes for table in writer.tables.values()}
    return [table.source(name, notes.pop(id(table.file), [])) for name, table in writer.tables.items() if table.columns]


class _Writer:
    """Writes the rows of all tables."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self.tables: dict[str, WrittenTable] = {}
        self._folder = folder
        self._opened = opened
        self._maps: frozenset[shape.Path] = frozenset()

    def declare(self, root: Kind, records: _Records) -> None:
        """Make the tables of the records and of all objects in them, with their columns."""
        for kind in layout.walk(root):
            if kind.role != "flat":
                self._add_columns(kind, records.file)
                if kind.around is not None:
                    self._add_references(kind, kind.around, records.file)

    def write(self, root: Kind, records: _Records) -> None:
        """Write the rows of the records and of all objects in them."""
        self._maps = records.maps
        for each in records.file.records(records.given):
            if isinstance(each, BadLine):
                self.tables[root.table].bad.append(each)
            else:
                self._write(root, each[1], each[0], {})

    def end(self) -> None:
        """Write the rows that were put together from several places."""
        for table in self.tables.values():
            for line, cells in table.entities.values():
                table.write(line, cells)

    def _table(self, name: str, file: JsonFile) -> WrittenTable:
        if name not in self.tables:
            spool = self._folder / f"{len(self.tables)}.jsonl"
            self.tables[name] = WrittenTable(file, spool, self._opened.enter_context(spool.open("w", encoding="utf-8")))
        return self.tables[name]

    def _add_columns(self, kind: Kind, file: JsonFile) -> None:
        table = self._table(kind.table, file)
        table.key = table.key or ((kind.key_column,) if kind.key_column else ())
        if kind.is_numbered:
            table.columns.setdefault(ROW_NUMBER, "")
        for path, column in kind.columns.items():
            known = kind.shape.at(path)
            table.columns[column] = table.columns.get(column) or (known.separator if known.longest > 1 else "")
        for name, known in kind.shape.fields.items():
            if known.others and not (known.scalars or known.lists or known.objects or known.arrays):
                table.left_out[bare(name)] = "neither values nor objects"

    def _add_references(self, kind: Kind, around: Kind, file: JsonFile) -> None:
        varying = dict.fromkeys(kind.link_columns.values(), "")
        if kind.link:
            link = self._table(kind.link, file)
            link.refer(kind.column, around)
            link.refer(layout.linked_column(kind), kind)
            link.key = kind.column, layout.linked_column(kind)
            link.columns |= varying
        elif kind.many:
            self.tables[kind.table].refer(kind.column, around)
        else:
            table = self.tables[around.table]
            table.refer(kind.column, kind)
            table.columns |= {name: "" for name in varying if name not in table.columns}

    def _write(self, kind: Kind, given: Object, line: int, cells: Cells) -> Scalar | None:
        """Write the row of an object, and those of the objects in it.

        Args:
            cells: what the row has beside the object's own fields.

        Returns:
            The key by which other rows refer to this one.
        """
        table = self.tables[kind.table]
        own = plain(given.get(kind.shape.key))
        key: Scalar | None = own if is_scalar(own) else None
        if kind.is_numbered:
            table.count += 1
            key = cells[ROW_NUMBER] = table.count
        row = _Row(kind, line, cells)
        self._fill(row, kind, given, ())
        if kind.role == "entity" and key is not None:
            if not table.merge(text(key), line, cells):
                return key
        else:
            table.write(line, cells)
        for child, each in row.inner:
            if not child.link:
                self._write(child, each, line, {child.column: key})
            elif (other := self._write(child, each, line, {})) is not None:
                ends = {child.column: key, layout.linked_column(child): other}
                self.tables[child.link].write(line, ends | _varying(child, each))
        return key

    def _fill(self, row: _Row, kind: Kind, given: Object, path: shape.Path) -> None:
        """Add the fields of an object, at a path below that of the row, and note the objects of lists in it."""
        for name, raw in given.items():
            column = row.kind.columns.get((*path, name))
            child = kind.children.get(name)
            value = plain(raw)
            objects = shape.inner_objects(value, (*kind.path, name) in self._maps) if child is not None else []
            if column is not None and not objects and (cell := _cell(value)) is not None:
                row.cells[column] = cell
            if child is None:
                continue
            if child.many:
                row.inner += [(child, each) for each in objects]
                continue
            for each in objects:
                if child.role == "flat":
                    self._fill(row, child, each, (*path, name))
                else:
                    row.cells.setdefault(child.column, self._write(child, each, row.line, {}))
                    row.cells |= _varying(child, each)


@dataclass(slots=True)
class _Row:
    """A row that is put together."""

    kind: Kind
    line: int
    cells: Cells
    inner: list[tuple[Kind, Object]] = field(default_factory=list)
    """The objects of lists in it, which have rows of their own."""


def _varying(kind: Kind, given: Object) -> Cells:
    """What the fields of an object say of the place at which it stands."""
    return {column: cell for name, column in kind.link_columns.items()
            if (cell := _cell(plain(given.get(name)))) is not None}  # fmt: skip


def _cell(value: Any) -> Any:
    """A scalar, or a list of texts; None for what becomes no cell."""
    if isinstance(value, list):
        found = [text(each) for each in map(plain, value) if is_scalar(each)]
        return [each for each in found if each] or None
    return value if is_scalar(value) else None
