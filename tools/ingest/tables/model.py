"""The graph model of an import of tables: what each table and column becomes. People edit it as YAML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, StringConstraints, model_validator

from clew.tools.ingest.tables import cell_lists, number_formats
from clew.tools.ingest.tables.column_types import ColumnType, Kind

Name = Annotated[str, StringConstraints(min_length=1)]
Names = Annotated[list[Name], Field(min_length=1)]
Label = Annotated[str, StringConstraints(pattern=r"^[^\W\d]\w*$")]
"""A label or a relationship type: a letter, then letters, digits and underscores."""


class Part(BaseModel):
    """A part of the model; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Column(Part):
    """A column that becomes a property."""

    type: Kind = "text"
    format: str = ""
    """Of dates, in the notation of strptime ("%d.%m.%Y"), empty for ISO 8601; of numbers, `1.234,5`, `1 234,5` or
    `1,234.5`, empty for a decimal point, and `cents` for hundredths; of lists, what separates the values: `,`, `;` or
    `|`."""
    property: str = ""
    """The property's name, if it is not the column's."""

    @model_validator(mode="after")
    def _fits_the_type(self) -> Column:
        known = [*number_formats.PATTERNS, number_formats.CENTS]
        if self.format and self.type in ("integer", "number") and self.format not in known:
            raise ValueError(f"`format` of numbers is one of {', '.join(known)}")
        if self.type == "list" and self.format not in cell_lists.SEPARATORS:
            raise ValueError(f"`format` of lists is one of {' '.join(cell_lists.SEPARATORS)}")
        return self

    def column_type(self) -> ColumnType:
        return ColumnType(self.type, self.format)


def _from_short(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


def _to_short(column: Column) -> Any:
    fields = {name: value for name, value in column.model_dump().items() if value}
    return fields["type"] if fields.keys() == {"type"} else fields


ShortColumn = Annotated[Column, BeforeValidator(_from_short), PlainSerializer(_to_short)]
"""`quantity: integer` is short for `quantity: {type: integer}`."""


class End(Part):
    """The rows of another table that columns refer to."""

    columns: Names
    table: Name
    key: list[Name] = []
    """The columns of the other table that hold the same values; empty for its key. One column may hold what several
    of the other table hold, joined by a blank: the names of people."""
    why: str = ""


class Reference(End):
    """Columns that become a relationship to the row of another table."""

    type: Label
    direction: Literal["out", "in"] = "out"
    """"in" lets the relationship start at the other table's row."""
    otherwise: str = ""
    """The property that keeps a value that is found in no row of the other table; empty to drop it."""


class Join(Part):
    """What the rows of a table are if they join two others."""

    type: Label
    source: End
    target: End


class ValueNode(Part):
    """A column whose values become nodes of their own, one for each value."""

    column: Name
    label: Label
    type: Label


class TableModel(Part):
    """What the rows of a table become: nodes, or relationships."""

    node: Label | None = None
    """The label of the rows as nodes."""
    relationship: Join | None = None
    """The rows as relationships."""
    key: list[Name] = []
    """The columns that identify the rows; empty if only all columns together do."""
    why: str = ""
    """Why these columns are the key."""
    name: list[Name] = []
    """The columns that name a row, joined by blanks; empty for the key."""
    columns: dict[Name, ShortColumn] = {}
    """The columns that become properties, and the columns of keys and references."""
    references: list[Reference] = []
    value_nodes: list[ValueNode] = []
    left_out: dict[Name, str] = {}
    """The columns that are not imported, with the reason."""

    @model_validator(mode="after")
    def _one_of_two(self) -> TableModel:
        if (self.node is None) == (self.relationship is None):
            raise ValueError("give either `node` or `relationship`")
        if self.relationship is not None and (self.references or self.value_nodes or self.name or self.key):
            raise ValueError("the rows of a table that are relationships have no key, name, references or value_nodes")
        wanted = [("key", self.key), ("name", self.name)]
        wanted += [(f"references.{place}.columns", each.columns) for place, each in enumerate(self.references)]
        wanted += [("value_nodes", [each.column]) for each in self.value_nodes]
        if self.relationship is not None:
            join = self.relationship
            wanted += [("relationship.source", join.source.columns), ("relationship.target", join.target.columns)]
        for where, names in wanted:
            for name in names:
                if name not in self.columns:
                    raise ValueError(f"`{where}` names the column `{name}`, which is not among `columns`")
        return self

    def ends(self) -> Iterator[End]:
        """All that the table says about rows of others."""
        yield from self.references
        if self.relationship is not None:
            yield self.relationship.source
            yield self.relationship.target

    def lists(self, end: End) -> list[str]:
        """The columns of an end whose cells hold several values."""
        return [name for name in end.columns if self.columns[name].type == "list"]

    def properties(self) -> dict[str, str]:
        """Column to property: what is not a reference, unless it is also part of the key."""
        linked = {name for each in self.ends() for name in each.columns}
        linked |= {each.column for each in self.value_nodes}
        return {
            name: column.property or name
            for name, column in self.columns.items()
            if name not in linked or name in self.key or name in self.name
        }

    def property_names(self) -> tuple[str, ...]:
        """The names of all properties, also of those that keep values which refer to nothing."""
        return *self.properties().values(), *(each.otherwise for each in self.references if each.otherwise)


class GraphModel(Part):
    """What the tables of an import become."""

    version: Literal[1] = 1
    tables: dict[Name, TableModel]

    @model_validator(mode="after")
    def _tables_are_there(self) -> GraphModel:
        for name, table in self.tables.items():
            for each in table.ends():
                other = self.tables.get(each.table)
                if other is None:
                    raise ValueError(f"the table `{name}` refers to `{each.table}`, which is not among `tables`")
                if other.node is None:
                    message = f"the table `{name}` refers to `{each.table}`, whose rows are relationships and not nodes"
                    raise ValueError(message)
                key = each.key or other.key
                if len(key) != len(each.columns) and not (each.key and len(each.columns) == 1):
                    message = f"the table `{name}` refers by {len(each.columns)} column(s) to `{each.table}`, "
                    raise ValueError(message + f"whose key has {len(key)}")
                for column in key:
                    if column not in other.columns:
                        raise ValueError(f"the table `{name}` refers to `{each.table}.{column}`, which is not a column")
        return self

    def name_properties(self) -> dict[str, str]:
        """Label to the properties that name its nodes, joined by `+`; the key names what has no name."""
        found: dict[str, str] = {}
        for table in self.tables.values():
            if table.node is not None and (table.name or table.key):
                properties = table.properties()
                found[table.node] = "+".join(properties[name] for name in table.name or table.key)
            for each in table.value_nodes:
                found.setdefault(each.label, "name")
        return found
