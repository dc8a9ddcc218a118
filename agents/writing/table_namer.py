"""Better names for the graph model of tables by a model: labels, relationship types and properties (docs/importing.md).

The names of tables and columns and a few values of each column are sent. Keys, references, directions and types are
inferred from the tables, and are never asked for. `model_names.renamed` checks each name that comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clew.agents.models.calls import Model, Role
from clew.agents.prompting import one_line, prompt
from clew.agents.replies import parse_json
from clew.tools.ingest import relation_words
from clew.tools.ingest.tables.model import GraphModel
from clew.tools.ingest.tables.model_names import ModelName, ends, names

ROLE: Role = "glosser"
BATCH = 80
"""Names in one call, or those of one table if it has more."""
_LONGEST_VALUE = 40


@dataclass(frozen=True, slots=True)
class ShownTables:
    """The tables whose names one call replaces."""

    names: tuple[ModelName, ...]
    """In the order of their numbers."""
    text: str
    tables: int


def shown(model: GraphModel, rows: Mapping[str, int], values: Callable[[str, str], Sequence[str]]) -> list[ShownTables]:
    """The tables of a model in batches of a call.

    Args:
        model: The graph model.
        rows: By table the number of its rows; other tables are not shown.
        values: A few values of a column of a table, by the names of both.
    """
    batches: list[list[str]] = []
    count = 0
    for table in rows:
        more = sum(1 for _ in names(model, table))
        if not batches or count + more > BATCH:
            batches.append([])
            count = 0
        batches[-1].append(table)
        count += more
    return [_batch(model, tables, rows, values) for tables in batches]


def propose(model: Model, asked: ShownTables) -> list[tuple[ModelName, str]]:
    """What the model would call the parts of these tables; what it leaves out, keeps its name.

    A name comes back with the one that it replaces, so that one under a wrong number is noticed, and dropped.

    Raises ModelFailed.
    """
    data = parse_json(model.ask(prompt("name_tables", tables=asked.text), json=True).text)
    if not isinstance(data, Mapping):
        return []
    found = []
    for number, each in enumerate(asked.names, start=1):
        match data.get(str(number)):
            case [str(old), str(new)] if old == each.name:
                found.append((each, _in_style(each, new)))
    return found


def _in_style(each: ModelName, new: str) -> str:
    """The name in the style of its kind: `LOCATED_IN` for a relationship type, a capital first for a label."""
    if each.kind == "type":
        return "_".join(relation_words.words(new)).upper()
    return new[:1].upper() + new[1:] if each.kind == "label" else new


def _batch(
    model: GraphModel, tables: Sequence[str], rows: Mapping[str, int], values: Callable[[str, str], Sequence[str]]
) -> ShownTables:
    asked: list[ModelName] = []
    lines = []
    for table in tables:
        lines.append(f"table {one_line(table)}, {rows[table]} rows")
        for each in names(model, table):
            asked.append(each)
            lines.append(f"{len(asked)}. {_line(model, each, values)}")
    return ShownTables(tuple(asked), "\n".join(lines), len(tables))


def _line(model: GraphModel, each: ModelName, values: Callable[[str, str], Sequence[str]]) -> str:
    if each.kind == "type":
        source, target = ends(model, each)
        by = f", by the column {each.column}" if each.column else ""
        return one_line(f"relationship ({source})-[{each.name}]->({target}){by}")
    if not each.column:
        return f"label {each.name}"
    examples = ", ".join(f'"{value[:_LONGEST_VALUE]}"' for value in values(each.table, each.column))
    what = "label of the values of" if each.kind == "label" else "property"
    column = "" if each.kind == "property" and each.name == each.column else f" (column {each.column})"
    return one_line(f"{what} {each.name}{column}: {examples}")
