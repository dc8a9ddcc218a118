"""The graph model of tables, without a language model: nodes, relationships, names, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from clew.tools.ingest import relation_words
from clew.tools.ingest.tables import keys, references, table_words
from clew.tools.ingest.tables.choices import chosen
from clew.tools.ingest.tables.column_types import quoted
from clew.tools.ingest.tables.keys import Key
from clew.tools.ingest.tables.model import Column, End, GraphModel, Join, TableModel, ValueNode
from clew.tools.ingest.tables.model import Reference as ReferenceModel
from clew.tools.ingest.tables.named_rows import named
from clew.tools.ingest.tables.number_formats import CENTS
from clew.tools.ingest.tables.people import acts
from clew.tools.ingest.tables.references import Reference
from clew.tools.ingest.tables.statistics import Statistics
from clew.tools.ingest.tables.workspace import Workspace

_MOST_JOINED = 6
"""Further columns of a table that joins two others and has no key of its own."""
_MOST_JOINED_WITH_KEY = 3
_RESERVED = ("nodeId", "name", "aliases", "labels")


@dataclass(slots=True)
class Findings:
    """What is known of the tables before the model is made."""

    keys: dict[str, Key]
    references: dict[str, list[Reference]] = field(default_factory=dict)
    joins: set[str] = field(default_factory=set)


def infer(workspace: Workspace, given: GraphModel | None = None) -> GraphModel:
    """The model of all tables in a workspace.

    Args:
        workspace: the tables.
        given: the model of some of them, which stays as it is.
    """
    statistics = Statistics(workspace)
    findings = _find(statistics)
    known = dict(given.tables) if given is not None else {}
    for name in workspace.tables:
        if name not in known:
            known[name] = _table(statistics, findings, name)
            _shorten(known[name], findings)
    ordered = {name: known[name] for name in [*workspace.tables, *(n for n in known if n not in workspace.tables)]}
    _make_distinct(ordered)
    return GraphModel(tables=ordered)


def _shorten(table: TableModel, found: Findings) -> None:
    """Ends that refer to a table's own key need not name it."""
    for each in table.ends():
        key = found.keys.get(each.table)
        if key is not None and each.key == list(key.columns):
            each.key = []


_LEAST_FILLED = 0.8
"""Share of the rows of a joining table that must have both references; the others are lost."""


def _find(statistics: Statistics) -> Findings:
    found = Findings(keys.single_keys(statistics))
    for name in statistics.tables:
        by_key = chosen(statistics, name, references.find(statistics, name, found.keys))
        found.references[name] = named(statistics, name, by_key, found.keys)
    for name in statistics.tables:
        if name not in found.keys:
            single = [each.columns[0] for each in found.references[name] if len(each.columns) == 1]
            columns = [column for column in single if not statistics.is_list(name, column)]
            if (key := keys.combined_key(statistics, name, columns)) is not None:
                found.keys[name] = key
    joining = {name for name in found.keys if _has_joining_key(found, name)}
    for name in statistics.tables:
        more = [each for each in references.combined(statistics, name, found.keys) if each.table not in joining]
        covered = {column for each in more for column in each.columns}
        alone = [each for each in found.references[name] if not (len(each.columns) == 1 and each.columns[0] in covered)]
        if more and not any(len(each.columns) > 1 for each in found.references[name]):
            found.references[name] = [*alone, *more]
    referred = {each.table for listed in found.references.values() for each in listed}
    found.joins = {name for name in statistics.tables if name not in referred and _is_join(statistics, found, name)}
    return found


def _has_joining_key(found: Findings, name: str) -> bool:
    """Whether the key of a table says no more than which rows of others it joins."""
    single = {each.columns[0] for each in found.references[name] if len(each.columns) == 1}
    return set(found.keys[name].columns) <= single and len(found.keys[name].columns) > 1


def _is_join(statistics: Statistics, found: Findings, name: str) -> bool:
    """Whether the rows of a table are relationships: two references, and little else."""
    table, refs = statistics.tables[name], found.references[name]
    linked = {column for each in refs for column in each.columns}
    if len(refs) != 2 or any(len(each.columns) > 1 for each in refs) or len(linked) != 2:
        return False
    if any(statistics.is_list(name, column) for column in linked) or not all(each.complete for each in refs):
        return False
    if any(statistics.values(name, column) < _LEAST_FILLED * table.rows for column in linked):
        return False  # Tracks that name a guest: most have none.
    key = found.keys.get(name)
    others = [column for column in table.types if column not in linked and column not in table.left_out]
    if key is None or set(key.columns) & linked:
        return len(others) <= (0 if key is not None and len(key.columns) == 1 else _MOST_JOINED)
    if len(key.columns) > 1 or not statistics.is_unique(name, [each.columns[0] for each in refs]):
        return False
    others.remove(key.columns[0])
    said = {word for column in others for word in statistics.words(column)}
    if said & {"name", "title"} or _running_text(statistics, name, others):
        return False
    linking = table_words.is_linking(statistics.short(name), [statistics.short(each.table) for each in refs])
    return len(others) <= (_MOST_JOINED_WITH_KEY if linking else 1)


def _running_text(statistics: Statistics, name: str, columns: Sequence[str]) -> bool:
    return bool(columns) and bool(statistics.naming(name, "", columns).texts)


def _table(statistics: Statistics, found: Findings, name: str) -> TableModel:
    table = statistics.tables[name]
    left_out = dict(table.left_out)
    columns: dict[str, Column] = {}
    used = {column for each in found.references[name] for column in each.columns}
    for column, kind in table.types.items():
        if column in left_out and column not in used:
            continue
        left_out.pop(column, None)
        property = statistics.property(column)
        taken = {*table.types, *(each.property for each in columns.values())}
        if kind.format == CENTS:
            whole = table_words.without_hundredths(property)
            property = f"{whole}_amount" if whole in taken else whole
        if property != column and property in taken:
            property = table_words.property_name(column)  # `descr` beside a `description`
        columns[column] = Column(type=kind.kind, format=kind.format, property="" if property == column else property)
    if name in found.joins:
        return _join(statistics, found, name, columns, left_out)
    label = table_words.label(statistics.short(name))
    key = found.keys.get(name)
    linked = used - set(key.columns if key else ())
    naming = statistics.naming(name, label, [column for column in columns if column not in linked])
    for column, each in columns.items():
        if (each.property or column) in _RESERVED and naming.name != (column,) and column not in naming.aliases:
            each.property = f"{column}_"
    return TableModel(
        node=label,
        key=list(key.columns) if key else [],
        why=key.why if key else "no column is unique and named like a key: all columns together identify rows",
        name=list(naming.name),
        columns=columns,
        references=[_reference(statistics, each) for each in found.references[name]],
        left_out=left_out,
    )


def _reference(statistics: Statistics, each: Reference) -> ReferenceModel:
    column = "_".join(statistics.noun(each.table))
    if len(each.columns) == 1 and statistics.words(each.columns[0]) != statistics.words(each.key[0]):
        # A column called like the key itself says no more than the table, nor does the word that both end with.
        mine, theirs = statistics.words(each.columns[0]), statistics.words(each.key[0])
        ends_alike = len(mine) == len(theirs) > 1 and mine[-1] == theirs[-1]
        column = "_".join(mine[:-1]) if ends_alike else statistics.readable(each.columns[0])
    return ReferenceModel(
        columns=list(each.columns),
        table=each.table,
        key=list(each.key),
        why=each.why,
        type=_valid(table_words.reference_type(column, statistics.short(each.table), statistics.nouns)),
        otherwise="" if each.complete else table_words.property_name(f"other {each.columns[0]}"),
    )


def _join(
    statistics: Statistics, found: Findings, name: str, columns: dict[str, Column], left_out: dict[str, str]
) -> TableModel:
    source, target = _directed(statistics, name, found.references[name])
    names = [statistics.short(name), _called(statistics, source), _called(statistics, target)]
    key = found.keys.get(name)
    if key is not None and not set(key.columns) & {*source.columns, *target.columns}:
        for column in key.columns:
            if not statistics.core(column)[1]:
                continue  # A `role_name` that happens to be unique says something.
            del columns[column]
            left_out[column] = "the rows are distinguished by what they join"
    return TableModel(
        relationship=Join(
            type=_valid(table_words.join_type(names[0], names[1], names[2], statistics.readable(target.columns[0]))),
            source=_end(source),
            target=_end(target),
        ),
        columns=columns,
        left_out=left_out,
    )


def _directed(statistics: Statistics, name: str, refs: Sequence[Reference]) -> tuple[Reference, Reference]:
    """The reference at which the relationships start, and the other: as the names of the table and the columns
    ("from", "to") have them, or else people first, who vote and reserve."""
    first, second = refs
    words = table_words.singular(table_words.words(statistics.short(name)))
    places = [
        (
            _place(words, table_words.noun(_called(statistics, each))),
            table_words.is_end(statistics.readable(each.columns[0])),
        )
        for each in refs
    ]
    if places[0] == places[1]:
        places = [(int(not acts(statistics, each.table)), False) for each in refs]
    return (second, first) if places[1] < places[0] else (first, second)


def _called(statistics: Statistics, each: Reference) -> str:
    """What the rows of the referenced table are called in its key: "series", of `tv_series`; else its own name."""
    core, had = statistics.core(each.key[0])
    noun = statistics.noun(each.table)
    return "_".join(core) if had and noun != core and noun[-len(core) :] == core else statistics.short(each.table)


def _place(words: Sequence[str], noun: Sequence[str]) -> int:
    found = [table_words.singular((word,))[0] for word in words]
    return next((i for i in range(len(found)) if tuple(found[i : i + len(noun)]) == tuple(noun)), len(found))


def _end(each: Reference) -> End:
    return End(columns=list(each.columns), table=each.table, key=list(each.key), why=each.why)


def _valid(type: str) -> str:
    """A relationship type of letters, digits and underscores."""
    kept = "".join(letter if letter.isalnum() else "_" for letter in type)
    return kept if kept[:1].isalpha() else f"HAS_{kept}"


def _make_distinct(tables: Mapping[str, TableModel]) -> None:
    """No two tables give the same label; no two columns of nodes with one label the same relationship type."""
    labels: set[str] = set()
    for table in tables.values():
        if table.node is not None:
            while table.node in labels:
                table.node += "_"
            labels.add(table.node)
    taken: set[tuple[str, str, str]] = set()
    for name, table in tables.items():
        for each in table.references:
            while (name, each.type, each.table) in taken:
                each.type += "_2"
            taken.add((name, each.type, each.table))
    for name, table in tables.items():
        if (join := table.relationship) is not None:
            if (join.source.table, join.type, join.target.table) in taken:
                join.type = _valid("_".join(table_words.words(name)).upper())
            taken.add((join.source.table, join.type, join.target.table))


def suggested_value_nodes(workspace: Workspace, model: GraphModel) -> list[tuple[str, str, int]]:
    """(table, column, number of values) of the columns that could be nodes of their own: few values, many rows."""
    found = []
    for name, table in model.tables.items():
        if table.node is None or name not in workspace.tables:
            continue
        rows = workspace.tables[name].rows
        taken = {*table.key, *table.name, *(each.column for each in table.value_nodes)}
        texts = [c for c in table.properties() if table.columns[c].type == "text" and c not in taken]
        for column in texts if rows >= 20 else ():
            each = quoted(column)
            query = f"SELECT count(DISTINCT {each}), count({each}), avg(length({each})) FROM {quoted(name)}"
            distinct, values, length = workspace.rows(query)[0]
            if 2 <= distinct <= min(200, values / 4) and values >= rows / 2 and length <= 40:
                found.append((name, column, int(distinct)))
    return found


def with_value_nodes(model: GraphModel, columns: Sequence[tuple[str, str]]) -> GraphModel:
    """The model with nodes for the values of these (table, column)."""
    changed = model.model_copy(deep=True)
    for name, column in columns:
        if any(each.column == column for each in changed.tables[name].value_nodes):
            continue
        label = "".join(map(relation_words.title, table_words.singular(table_words.words(column))))
        type = _valid(table_words.reference_type(column, label))
        changed.tables[name].value_nodes.append(ValueNode(column=column, label=label, type=type))
    return GraphModel.model_validate(changed.model_dump())
