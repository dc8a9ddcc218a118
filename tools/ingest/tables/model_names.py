"""The names that a graph model gives: labels, relationship types and properties, and how they are replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from clew.tools.ingest.tables.model import GraphModel, Reference, TableModel

NameKind = Literal["label", "type", "property"]
_NAME = re.compile(r"[^\W\d_]\w{0,59}")
"""A letter, then letters, digits and underscores."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """A name in a graph model, and where it is."""

    kind: NameKind
    table: str
    part: str
    """`node`, `join`, `reference`, `value` for a column whose values are nodes, or `column`."""
    column: str
    """The column of a property or of values, or the columns of a reference, joined by `+`; empty for the rows."""
    name: str


@dataclass(frozen=True, slots=True)
class Rename:
    """A name of a model that was replaced."""

    old: ModelName
    new: str

    def line(self) -> str:
        """For people: `orders.customerID: HAS_CUSTOMER → PLACED_BY`."""
        where = f"{self.old.table}.{self.old.column}" if self.old.column else self.old.table
        return f"{where}: {self.old.name} → {self.new}"


def names(model: GraphModel, table: str) -> Iterator[ModelName]:
    """The names that a table gives; columns of keys and references that become no property give none."""
    given = model.tables[table]
    if given.node is not None:
        yield ModelName("label", table, "node", "", given.node)
    if given.relationship is not None:
        yield ModelName("type", table, "join", "", given.relationship.type)
    for each in given.references:
        yield ModelName("type", table, "reference", "+".join(each.columns), each.type)
    for value in given.value_nodes:
        yield ModelName("label", table, "value", value.column, value.label)
        yield ModelName("type", table, "value", value.column, value.type)
    for column, name in given.properties().items():
        yield ModelName("property", table, "column", column, name)


def renamed(model: GraphModel, wanted: Iterable[tuple[ModelName, str]]) -> tuple[GraphModel, list[Rename]]:
    """The model with other names.

    A name is left as it is where the new one is no plain word, where another label has it, where another relation
    between the same two tables has it, or where another property of the same rows has it: two things of the tables
    never become one. A label that several columns share is replaced everywhere. Keys, columns and directions stay.

    Args:
        model: The model, which is not changed.
        wanted: Names of the model, each with the new one.

    Returns: The new model, and what was replaced.
    """
    draft, done = model.model_copy(deep=True), []
    for old, new in wanted:
        if old not in names(draft, old.table) or new == old.name or not _NAME.fullmatch(new):
            continue
        places = [each for each in _all_names(draft) if each.kind == "label" and each.name == old.name]
        places = places if old.kind == "label" else [old]
        if new.casefold() not in _taken(draft, places):
            for place in places:
                _put(draft.tables[place.table], place, new)
            done.append(Rename(old, new))
    return draft, done


def _all_names(model: GraphModel) -> Iterator[ModelName]:
    return (each for table in model.tables for each in names(model, table))


def _taken(model: GraphModel, places: list[ModelName]) -> set[str]:
    """The names that would make one of two things if `places` had them."""
    place = places[0]
    others = (each for each in _all_names(model) if each.kind == place.kind and each not in places)
    if place.kind == "property":
        others = (each for each in others if each.table == place.table)
    elif place.kind == "type":
        joined = set(ends(model, place))
        others = (each for each in others if set(ends(model, each)) == joined)
    return {each.name.casefold() for each in others}


def ends(model: GraphModel, place: ModelName) -> tuple[str, str]:
    """The labels at which a relationship type of the model starts and ends."""
    table = model.tables[place.table]
    if (join := table.relationship) is not None:
        return str(model.tables[join.source.table].node), str(model.tables[join.target.table].node)
    if place.part == "value":
        return str(table.node), next(each.label for each in table.value_nodes if each.column == place.column)
    each = next(_references(table, place))
    other = str(model.tables[each.table].node)
    return (str(table.node), other) if each.direction == "out" else (other, str(table.node))


def _references(table: TableModel, place: ModelName) -> Iterator[Reference]:
    return (each for each in table.references if "+".join(each.columns) == place.column)


def _put(table: TableModel, place: ModelName, new: str) -> None:
    if place.part == "node":
        table.node = new
    elif place.part == "join" and table.relationship is not None:
        table.relationship.type = new
    elif place.part == "reference":
        for each in _references(table, place):
            each.type = new
    elif place.part == "value":
        for value in table.value_nodes:
            if value.column == place.column:
                setattr(value, place.kind, new)
    else:
        column = table.columns[place.column]
        column.property = "" if new == place.column else new
