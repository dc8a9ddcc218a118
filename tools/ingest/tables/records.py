"""The nodes and relationships that the rows of tables become by the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from clew.tools.errors import BadInput
from clew.tools.ingest.records import EdgeRecord, NodeRecord, Record
from clew.tools.ingest.report import Unmatched
from clew.tools.ingest.source import Advance
from clew.tools.ingest.tables.column_types import joined_text, quoted, unnested
from clew.tools.ingest.tables.model import End, GraphModel, Reference, TableModel
from clew.tools.ingest.tables.workspace import LINE, Workspace

_ROWS = 5000
_EXAMPLES = 3
KEY = "_clew_key"
"""The column with the text of a row's key."""


class TableRecords:
    """The records of the tables in a workspace, by a model that fits them."""

    def __init__(self, workspace: Workspace, model: GraphModel) -> None:
        self._workspace = workspace
        self._model = model

    def settle(self) -> None:
        """Move the rows without a key, and those whose key an earlier row has, to the bad ones."""
        for name, table in self._model.tables.items():
            if name not in self._workspace.tables or table.node is None or not table.key:
                continue
            there = self._workspace.tables[name]
            empty = " OR ".join(f"{quoted(column)} IS NULL" for column in table.key)
            self._drop(name, empty, f"the key {', '.join(table.key)} is empty")
            listed = ", ".join(map(quoted, table.key))
            whole = quoted(name)
            query = f"SELECT count(*) FROM (SELECT DISTINCT {listed} FROM {whole})"
            if self._workspace.number(query) < there.rows:
                first = f"SELECT min({LINE}) FROM {whole} GROUP BY {listed}"
                said = f"an earlier row has the same {', '.join(table.key)}"
                self._drop(name, f"{LINE} NOT IN ({first})", said)

    def _drop(self, name: str, condition: str, reason: str) -> None:
        table = self._workspace.tables[name]
        found = self._workspace.rows(f"SELECT {LINE} FROM {quoted(name)} WHERE {condition} ORDER BY {LINE}")
        if found:
            for (line,) in found:
                table.add_bad(self._workspace.bad_line(table, line, reason))
            table.rows -= len(found)
            self._workspace.db.execute(f"DELETE FROM {quoted(name)} WHERE {condition}")

    def read(self, name: str, advance: Advance | None = None) -> Iterator[Record]:
        """The records of one table: bad rows, nodes, relationships."""
        there, table = self._workspace.tables[name], self._model.tables[name]
        yield from there.bad
        yield from there.bad[-1:] * (there.bad_count - len(there.bad))
        if table.node is not None:
            yield from self._nodes(name, table, advance)
            for each in table.references:
                if not self._is_single(table, each):
                    yield from self._links(name, table, each)
        if table.relationship is not None:
            yield from self._joined(name, table, advance)
        if advance is not None:
            advance(there.rows)

    def _nodes(self, name: str, table: TableModel, advance: Advance | None) -> Iterator[Record]:
        properties = table.properties()
        links = [each for each in table.references if self._is_single(table, each)]
        targets = [self._target(each, f"t{number}") for number, each in enumerate(links)]
        kept = [self._otherwise(each) for each in table.references if each.otherwise]
        columns = [*(key for _join, key in targets), *(f"s.{quoted(column)}" for column in properties), *kept]
        joins = " ".join(f"LEFT {join}" for join, _key in targets)
        names, first = table.property_names(), 2 + len(links)
        label = str(table.node)
        ends = [(each, str(self._model.tables[each.table].node)) for each in links]
        listed = ", ".join([f"s.{LINE}", f"s.{KEY}", *columns])
        rows = self._stream(f"SELECT {listed} FROM ({self._keyed(name, table)}) s {joins}")
        for done, row in enumerate(rows, start=1):
            line, key = row[0], f"{label}:{row[1]}"
            given = {prop: value for prop, value in zip(names, row[first:], strict=True) if value is not None}
            yield NodeRecord(key, (label,), given, line)
            for (each, target), other in zip(ends, row[2:first], strict=True):
                if other is not None:
                    yield _edge(each, key, f"{target}:{other}", line)
            if advance is not None and done % _ROWS == 0:
                advance(done)
        for node in table.value_nodes:
            column = quoted(node.column)
            text = f"CAST({column} AS VARCHAR)"
            filled = f"WHERE {column} IS NOT NULL"
            values = f"SELECT min({LINE}), {text} FROM {quoted(name)} {filled} GROUP BY 2 ORDER BY 1"
            for line, value in self._stream(values):
                yield NodeRecord(f"{node.label}:{value}", (node.label,), {"name": value}, line, partial=True)
            for line, key, value in self._stream(
                f"SELECT {LINE}, {KEY}, {text} FROM ({self._keyed(name, table)}) {filled}"
            ):
                yield EdgeRecord(f"{label}:{key}", node.type, f"{node.label}:{value}", {}, line)

    def _otherwise(self, each: Reference) -> str:
        """SQL: the value of a reference that is found in no row of the other table."""
        found = f"SELECT 1 FROM {quoted(each.table)} t WHERE {self._match(each, 't')}"
        return f"CASE WHEN NOT EXISTS ({found}) THEN s.{quoted(each.columns[0])} END"

    def _is_single(self, table: TableModel, each: Reference) -> bool:
        """Whether a row refers to at most one: its edges are read with the rows, which costs less."""
        return (not each.key or each.key == self._model.tables[each.table].key) and not table.lists(each)

    def _links(self, name: str, table: TableModel, each: Reference) -> Iterator[Record]:
        """The relationships of a reference."""
        label = str(table.node)
        target = str(self._model.tables[each.table].node)
        rows = unnested(f"({self._keyed(name, table)})", table.lists(each)) + " s"
        join, key = self._target(each, "t")
        for line, source, other in self._stream(f"SELECT s.{LINE}, s.{KEY}, {key} FROM {rows} {join}"):
            yield _edge(each, f"{label}:{source}", f"{target}:{other}", line)

    def _joined(self, name: str, table: TableModel, advance: Advance | None) -> Iterator[Record]:
        join = table.relationship
        assert join is not None
        source, target = (str(self._model.tables[end.table].node) for end in (join.source, join.target))
        properties = table.properties()
        first, first_key = self._target(join.source, "a")
        second, second_key = self._target(join.target, "b")
        listed = ", ".join([f"s.{LINE}", first_key, second_key, *(f"s.{quoted(column)}" for column in properties)])
        names = list(properties.values())
        rows = self._items(name, join.source, join.target)
        for done, row in enumerate(self._stream(f"SELECT {listed} FROM {rows} s {first} {second}"), start=1):
            given = {prop: value for prop, value in zip(names, row[3:], strict=True) if value is not None}
            yield EdgeRecord(f"{source}:{row[1]}", join.type, f"{target}:{row[2]}", given, row[0])
            if advance is not None and done % _ROWS == 0:
                advance(done)

    def _target(self, end: End, alias: str) -> tuple[str, str]:
        """SQL that joins the rows to which `s` refers, and their key. Rows of a table that is not part of this import
        are taken to be in the graph."""
        table = self._model.tables[end.table]
        key = end.key or table.key
        if end.table not in self._workspace.tables:
            if key != table.key:
                remedy = "Import both tables together."
                raise BadInput(f"The rows of {end.table} are found by {', '.join(key)}, and are not given.", remedy)
            given = " AND ".join(f"s.{quoted(column)} IS NOT NULL" for column in end.columns)
            return f"JOIN (SELECT 1) {alias} ON {given}", _key_text([f"s.{quoted(column)}" for column in end.columns])
        return f"JOIN ({self._keyed(end.table, table)}) {alias} ON {self._match(end, alias)}", f"{alias}.{KEY}"

    def _match(self, end: End, alias: str) -> str:
        """SQL: whether a row of the other table is the one to which `s` refers."""
        keys = end.key or self._model.tables[end.table].key
        if len(keys) > len(end.columns) == 1:
            return f"{joined_text(end.columns, 's')} = {joined_text(keys, alias)}"
        parts = []
        for column, key in zip(end.columns, keys, strict=True):
            parts.append(f"CAST(s.{quoted(column)} AS VARCHAR) = CAST({alias}.{quoted(key)} AS VARCHAR)")
        return " AND ".join(parts)

    def _keyed(self, name: str, table: TableModel) -> str:
        """SQL: the rows of a table with KEY, the text of their key; without a key, a hash of the row's content."""
        if table.key:
            return f"SELECT *, {_key_text([quoted(column) for column in table.key])} AS {KEY} FROM {quoted(name)}"
        texts = [f"coalesce(CAST({quoted(c)} AS VARCHAR), chr(30))" for c in self._workspace.tables[name].types]
        content = f"left(md5(concat_ws(chr(31), {', '.join(texts)})), 16)"
        nth = f"row_number() OVER (PARTITION BY {content} ORDER BY {LINE})"
        key = f"concat({content}, CASE WHEN {nth} > 1 THEN concat('.', {nth}) END)"
        return f"SELECT *, {key} AS {KEY} FROM {quoted(name)}"

    def unmatched(self, name: str) -> list[Unmatched]:
        """The references of a table that match nothing."""
        found = []
        for end in self._model.tables[name].ends():
            if end.table in self._workspace.tables:
                given = " AND ".join(f"s.{quoted(column)} IS NOT NULL" for column in end.columns)
                other = f"{quoted(end.table)} t ON {self._match(end, 't')}"
                missing = f"FROM {self._items(name, end)} s ANTI JOIN {other} WHERE {given}"
                rows = self._workspace.number(f"SELECT count(*) {missing}")
                if rows:
                    shown = ", ".join(f"s.{quoted(column)}" for column in end.columns)
                    query = f"SELECT s.{LINE}, {shown} {missing} ORDER BY s.{LINE} LIMIT {_EXAMPLES}"
                    examples = tuple(
                        f"{' '.join(map(str, row[1:]))} (line {row[0]})" for row in self._workspace.rows(query)
                    )
                    found.append(Unmatched(tuple(end.columns), end.table, rows, examples))
        return found

    def links(self, name: str, end: End) -> int:
        """How many relationships a reference of a table gives."""
        if end.table not in self._workspace.tables:
            given = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in end.columns)
            return self._workspace.number(f"SELECT count(*) FROM {self._items(name, end)} WHERE {given}")
        other = quoted(end.table)
        return self._workspace.number(
            f"SELECT count(*) FROM {self._items(name, end)} s JOIN {other} t ON {self._match(end, 't')}"
        )

    def _items(self, name: str, *ends: End) -> str:
        """SQL: the rows of a table, once for each value of the lists that refer to rows of others."""
        table = self._model.tables[name]
        return unnested(quoted(name), [column for end in ends for column in table.lists(end)])

    def joins(self, name: str) -> int:
        """How many relationships the rows of a joining table give."""
        join = self._model.tables[name].relationship
        assert join is not None
        first, second = self._target(join.source, "a")[0], self._target(join.target, "b")[0]
        rows = self._items(name, join.source, join.target)
        return self._workspace.number(f"SELECT count(*) FROM {rows} s {first} {second}")

    def digest(self, name: str) -> str:
        """Of the content of a table and of what it becomes; the same for any order of the rows."""
        columns = ", ".join(map(quoted, sorted(self._workspace.tables[name].types)))
        total = self._workspace.rows(f"SELECT count(*), sum(hash({columns})::HUGEINT) FROM {quoted(name)}")[0]
        return json.dumps([name, str(total), self._model.tables[name].model_dump()], sort_keys=True)

    def _stream(self, query: str) -> Iterator[Sequence[Any]]:
        cursor = self._workspace.db.cursor()
        try:
            cursor.execute(query)
            while rows := cursor.fetchmany(_ROWS):
                yield from rows
        finally:
            cursor.close()


def _edge(each: Reference, key: str, other: str, line: int) -> EdgeRecord:
    source, target = (key, other) if each.direction == "out" else (other, key)
    return EdgeRecord(source, each.type, target, {}, line)


def _key_text(columns: Sequence[str]) -> str:
    """SQL: the text of a key; the parts of a combined one are joined by `|`."""
    if len(columns) == 1:
        return f"CAST({columns[0]} AS VARCHAR)"
    parts = [f"replace(replace(CAST({column} AS VARCHAR), '\\', '\\\\'), '|', '\\|')" for column in columns]
    return " || '|' || ".join(parts)
