"""Conversion of rows to answers: which column has them, and which node of the graph each value is.

If a query returns `n` or `n.name`, hidden columns with the id, name and label of n are added, unless this changes its
rows other than those of nodes with equal names. Otherwise (UNION, aggregation by name), names are looked up afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

from clew.tools.cypher.lexer import Edit, apply_edits
from clew.tools.cypher_repair.comparisons import comparisons
from clew.tools.cypher_repair.directions import possible_labels
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.cypher_repair.syntax import Item, ParsedQuery, Projection, Variable
from clew.tools.cypher_repair.vocabulary import naming_property
from clew.tools.graph.entity import AnswerRow, Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Schema

ROWS_KEPT = 200
"""Maximum number of rows that are kept as texts; the answers come from all rows."""
_LONGEST_TEXT = 200
_HIDDEN = "clew_"

Kind = Literal["node", "name", "value"]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Looks up nodes when a row has only their id or name."""

    by_id: Callable[[str], Entity | None]
    by_name: Callable[[str, str | None], Entity | None]
    """By exact name, and by label unless it is None."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the model's query."""

    name: str
    kind: Kind
    variable: Variable | None = None
    """The variable of the node that the column returns, or returns a property of."""
    property: str | None = None
    hidden: str | None = None
    """Prefix of the hidden columns with the id, name and label of the node."""
    label: str | None = None
    """The label of its nodes, if it is unique."""
    topic: bool = False
    """Whether the query starts from this node, which then is not an answer."""


@dataclass(frozen=True, slots=True)
class ShapedQuery:
    """A query, and the columns that contain its answers."""

    cypher: str
    parameters: dict[str, Any]
    columns: tuple[Column, ...]
    """Empty if only the rows can show it."""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The result of a query."""

    answers: list[AnswerRow]
    """The distinct values of the answer column, in the order of the rows."""
    columns: list[str]
    rows: list[list[str]]
    """The distinct rows, at most ROWS_KEPT."""
    values: list[tuple[Entity, str, str]]
    """The nodes with the property and its value, if the answers are values of a property."""
    answer: Variable | None
    """The node variable of the answers."""


def shape_query(cypher: str, parameters: Mapping[str, Any], schema: Schema, terms: NodeTerms) -> ShapedQuery:
    """Add hidden columns to `cypher` (from `repair`) if they change none of its rows."""
    query = parse(cypher)
    given = {**parameters, **terms.parameters}
    returned = query.projections[-1]
    if returned.star:
        return ShapedQuery(cypher, given, ())
    topics = _topics(query, terms)
    possible = possible_labels(query, schema)
    columns, added = [], ""
    for number, item in enumerate(returned.items):
        column = _column(item, query, topics, possible.get(item.variable or Variable(""), frozenset()), terms)
        if _identity_fits(column, item, returned, query):
            prefix = f"{_HIDDEN}{number}"
            added += _identity(query.tokens[item.first].text, prefix, terms)
            column = replace(column, hidden=prefix)
        columns.append(column)
    end = query.tokens[returned.items_end - 1].end
    return ShapedQuery(apply_edits(cypher, [Edit(end, end, added)]), given, tuple(columns))


def _topics(query: ParsedQuery, terms: NodeTerms) -> set[Variable]:
    """The nodes that the query starts from."""
    found = set()
    for each in comparisons(query):
        if each.variable is None or each.property is None or each.operator not in ("=", "IN"):
            continue
        key = query.tokens[each.property].name
        if key in {"nodeId", naming_property(each.variable.labels, terms)}:
            found.add(each.variable)
    return found


def _column(item: Item, query: ParsedQuery, topics: set[Variable], labels: frozenset[str], terms: NodeTerms) -> Column:
    first, last = query.tokens[item.first], query.tokens[item.last - 1]
    written = query.cypher[first.start : last.end].replace("`", "")
    name = item.alias.name if item.alias else " ".join(written.split())
    variable = item.variable if item.variable and item.variable.kind == "node" else None
    if variable is None:
        only = _only_named(item, query, terms)
        return Column(name, "name" if only else "value", only, label=_single(only.labels) if only else None,
                      topic=only in topics)  # fmt: skip
    key = None if item.property is None else last.name
    kind: Kind = "node" if key is None else "name" if key == naming_property(labels, terms) else "value"
    return Column(name, kind, variable, key, label=_single(labels), topic=variable in topics)


def _only_named(item: Item, query: ParsedQuery, terms: NodeTerms) -> Variable | None:
    """The node variable if its name is the only property in the expression: `collect(n.name)`."""
    uses = [use for use in query.property_uses if item.first <= use.place < item.last]
    if len(uses) != 1 or uses[0].variable.kind != "node":
        return None
    variable = uses[0].variable
    named = query.tokens[uses[0].place].name == naming_property(variable.labels, terms)
    return variable if named else None


def _single(labels: Collection[str]) -> str | None:
    return next(iter(labels)) if len(labels) == 1 else None


def _identity_fits(column: Column, item: Item, returned: Projection, query: ParsedQuery) -> bool:
    """Whether the node's id can be returned as well: not if that would split groups or multiply values."""
    if column.variable is None or item.variable is None or query.unions:
        return False
    if column.kind == "node":
        return True
    if returned.aggregates or (returned.distinct and returned.limited):
        return False
    return column.kind == "name" or not returned.distinct


def _identity(variable: str, prefix: str, terms: NodeTerms) -> str:
    return (
        f", {terms.id(variable)} AS {prefix}_id, {terms.name(variable)} AS {prefix}_name, "
        f"{terms.label(variable)} AS {prefix}_label"
    )


def read_result(
    records: Sequence[Mapping[str, Any]], query: ShapedQuery, lookup: Lookup, topics: Collection[str] = ()
) -> ResultTable:
    """The answers in `records`, and the records as texts; `topics` are the ids of the nodes in the query."""
    if scope := query.parameters.get("scope"):
        records = [{key: _without(value, scope) for key, value in record.items()} for record in records]
    keys = [key for key in (records[0] if records else {}) if not key.startswith(_HIDDEN)]
    columns = query.columns if len(query.columns) == len(keys) else tuple(Column(key, "value") for key in keys)
    reader = _Cells(columns, keys, lookup, frozenset(topics))
    place = reader.answer_column(records)
    answers: dict[tuple[str | None, str], int] = {}
    labels: dict[tuple[str | None, str], str] = {}
    values: dict[tuple[Entity, str, str], None] = {}
    texts: dict[tuple[str, ...], None] = {}
    for record in records:
        if len(texts) < ROWS_KEPT:
            texts.setdefault(tuple(reader.text(record, number) for number in range(len(keys))))
        for id, name, label in reader.cell(record, place) if place is not None else ():
            answers[id, name] = answers.get((id, name), 0) + 1
            labels[id, name] = label
        if place is not None and (owned := reader.owned(record, place)):
            values[owned] = None
    chosen = columns[place] if place is not None else None
    return ResultTable(
        [AnswerRow(id, name, labels[id, name], support) for (id, name), support in answers.items()],
        [column.name for column in columns],
        [list(row) for row in texts],
        list(values),
        chosen.variable if chosen and chosen.kind != "value" else None,
    )


_Cell = tuple[str | None, str, str]
"""Id (None for a value), name, label."""


@dataclass(frozen=True, slots=True)
class _Cells:
    """Reads the cells of a result."""

    columns: tuple[Column, ...]
    keys: list[str]
    lookup: Lookup
    topics: frozenset[str]

    def answer_column(self, records: Sequence[Mapping[str, Any]]) -> int | None:
        """The first column of nodes that are not a topic, else the first column of values, else the first column."""
        sample = records[:20]
        places = range(len(self.columns))
        ids = {p: {id for record in sample for id, _, _ in self.cell(record, p) if id} for p in places}
        nodes = [p for p in places if ids[p]]
        values = [p for p in places if p not in nodes]
        ordered = [*(p for p in nodes if not self.columns[p].topic and ids[p] - self.topics), *values, *nodes]
        return ordered[0] if ordered else None

    def cell(self, record: Mapping[str, Any], place: int) -> list[_Cell]:
        """The answers in one cell; a list has several."""
        column = self.columns[place]
        if column.hidden and column.kind != "value":
            id = record[f"{column.hidden}_id"]
            if id is None:
                return []
            return [(str(id), str(record[f"{column.hidden}_name"]), str(record[f"{column.hidden}_label"]))]
        return self._values(record[self.keys[place]], column)

    def text(self, record: Mapping[str, Any], place: int) -> str:
        """A cell as text; a node by its name, if it is known."""
        column = self.columns[place]
        return _text(record[f"{column.hidden}_name" if column.hidden and column.kind == "node" else self.keys[place]])

    def owned(self, record: Mapping[str, Any], place: int) -> tuple[Entity, str, str] | None:
        """The node, property and value of a cell with a property value."""
        column, value = self.columns[place], record[self.keys[place]]
        if column.kind != "value" or not column.hidden or column.property is None or value is None:
            return None
        id, name, label = (str(record[f"{column.hidden}_{part}"]) for part in ("id", "name", "label"))
        return Entity(id, name, label), column.property, _text(value)

    def _values(self, value: Any, column: Column) -> list[_Cell]:
        if value is None:
            return []
        if isinstance(value, list):
            nodes = any(isinstance(each, Mapping) for each in value)
            return list(chain.from_iterable(
                self._values(each, column) for each in value if not nodes or not isinstance(each, str)
            ))  # fmt: skip
        entity = None
        if isinstance(value, Mapping):
            id, name = value.get("nodeId"), value.get(column.property or "name")
            entity = self.lookup.by_id(str(id)) if id is not None else self.lookup.by_name(str(name), column.label)
        elif column.kind == "name":
            entity = self.lookup.by_name(str(value), column.label)
        if entity is not None:
            return [(entity.id, entity.name, entity.label)]
        return [(None, _text(value), "value")]


def _without(value: Any, scope: str) -> Any:
    """A list without the scope label (`labels(n)` contains it)."""
    return [each for each in value if each != scope] if isinstance(value, list) else value


def _text(value: Any) -> str:
    """A value as text; a node by its name."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        arrows = any(isinstance(each, Mapping) for each in value) and any(isinstance(each, str) for each in value)
        return (" → " if arrows else ", ").join(_text(each) for each in value)
    if isinstance(value, Mapping):
        name = value.get("name")
        plain = {key: each for key, each in value.items() if key != "nodeId"}
        return str(name) if name is not None else ", ".join(f"{key}: {_text(each)}" for key, each in plain.items())
    text = str(value)
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
