"""The plan of an import for people: the tables, why each key was taken, and a picture of the graph."""

from __future__ import annotations

from collections.abc import Sequence

from clew.tools.ingest.records import BadLine
from clew.tools.ingest.tables.model import End, TableModel
from clew.tools.ingest.tables.plan import ImportPlan

_SHOWN = 8
_REASONS = 3
"""Reasons for skipped rows of a table that are listed one by one."""


def lines(plan: ImportPlan) -> list[str]:
    """The plan, one fact a line."""
    nodes = sum(each.nodes for each in plan.counts.values())
    links = sum(each.relationships for each in plan.counts.values())
    what = "1 table becomes" if len(plan.counts) == 1 else f"{len(plan.counts)} tables become"
    said = [f"{what} {nodes:,} nodes and {links:,} relationships.", ""]
    said += table(["table", "rows", "becomes", "key", "name", "why"], [_row(plan, name) for name in plan.counts])
    said += ["", *picture(plan)]
    if references := [each for name in plan.counts for each in _links(plan, name)]:
        said += ["", *table(["column", "refers to", "relationship", "why"], references)]
    if full := _in_full(plan):
        more = f" and {len(full) - _SHOWN} more" if len(full) > _SHOWN else ""
        said += ["", f"Properties with names in full: {', '.join(full[:_SHOWN])}{more} (`columns` of the model)."]
    out = [f"{n}.{column} ({why})" for n in plan.counts for column, why in plan.model.tables[n].left_out.items()]
    if out:
        said += ["", "Left out: " + ", ".join(out) + "."]
    if told := [line for name in plan.counts for line in faults(plan, name)]:
        said += ["", *told]
    said += plan.notes
    if suggested := plan.suggestions():
        few = ", ".join(f"{name}.{column} ({n} values)" for name, column, n in suggested[:_SHOWN])
        said.append(f"Could be nodes of their own (--value-nodes TABLE.COLUMN): {few}.")
    return said


def _in_full(plan: ImportPlan) -> list[str]:
    """The columns whose properties have names that are not theirs."""
    columns = [pair for table in plan.model.tables.values() for pair in table.columns.items()]
    return list(dict.fromkeys(f"{name} as {each.property}" for name, each in columns if each.property))


def faults(plan: ImportPlan, name: str) -> list[str]:
    """The rows of a table that are skipped, and those that refer to nothing: how many, the first, and what helps."""
    count, model, table = plan.counts[name], plan.model.tables[name], plan.workspace.tables[name]
    reasons: dict[str, list[BadLine]] = {}
    for line in table.bad:
        reasons.setdefault(line.reason, []).append(line)
    by_frequency = sorted(reasons.items(), key=lambda each: -len(each[1]))
    said = [
        f"Skipped: {_rows(len(found))} of {name}, the first is {found[0]}."
        for _reason, found in by_frequency[:_REASONS]
    ]
    if rest := table.bad_count - sum(len(found) for _reason, found in by_frequency[:_REASONS]):
        said.append(f"Skipped: {_rows(rest)} of {name} for other reasons.")
    if any(", ".join(model.key) in reason for reason in reasons if model.key):
        key = ", ".join(model.key)
        said.append(f"  To keep them, give each row of {name} a {key} of its own, or name another key in the model.")
    said += [f"{name}: {each.line()}." for each in count.unmatched]
    said += [
        f"  To link them, add the missing rows to {each.target}, or correct the values of {'+'.join(each.columns)}."
        for each in count.unmatched[-1:]
    ]
    return said


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def picture(plan: ImportPlan) -> list[str]:
    """The graph model as text: each label with its number of nodes, and the relationships that start there."""
    out: dict[str, list[str]] = {}
    targets = set()
    for source, type, target, count in edges(plan):
        shown = "" if count is None else f" {count:,}"
        out.setdefault(source, []).append(f"-[{type}{shown}]-> {target}")
        targets.add(target)
    counts = {label: f"{n:,}" for label, n in plan.labels().items()}
    said = []
    for label in [*counts, *(label for label in out if label not in counts)]:
        if label in out:
            said.append(f"({label} {counts.get(label, '')})".replace(" )", ")"))
            links = out[label]
            said += [f" {'└' if i == len(links) - 1 else '├'}{link}" for i, link in enumerate(links)]
        elif label not in targets:
            said.append(f"({label} {counts[label]})")
    return said


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns of text side by side."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]]
    return [line.rstrip() for line in shown]


def _row(plan: ImportPlan, name: str) -> list[str]:
    model, count = plan.model.tables[name], plan.counts[name]
    rows = f"{count.rows:,}"
    if model.relationship is not None:
        join = model.relationship
        ends = [str(plan.model.tables[end.table].node) for end in (join.source, join.target)]
        columns = "+".join([*join.source.columns, *join.target.columns])
        return [name, rows, f"({ends[0]})-[{join.type}]->({ends[1]})", columns, "", "joins two tables"]
    return [name, rows, f"({model.node})", "+".join(model.key), " ".join(model.name), model.why]


def _links(plan: ImportPlan, name: str) -> list[list[str]]:
    model = plan.model.tables[name]
    types = {id(each): each.type for each in model.references}
    return [
        [f"{name}.{'+'.join(end.columns)}", _target(plan, end), types.get(id(end), _join_type(model)), end.why]
        for end in model.ends()
    ]


def _join_type(model: TableModel) -> str:
    return model.relationship.type if model.relationship is not None else ""


def _target(plan: ImportPlan, end: End) -> str:
    key = end.key or plan.model.tables[end.table].key
    return f"{end.table}.{'+'.join(key)}"


def edges(plan: ImportPlan) -> list[tuple[str, str, str, int | None]]:
    """(label, type, label, count) of the relationships, in the order of the tables; without counts to values."""
    found: list[tuple[str, str, str, int | None]] = []
    records = plan.records
    for name, count in plan.counts.items():
        model = plan.model.tables[name]
        for each in model.references:
            ends = [str(model.node), str(plan.model.tables[each.table].node)]
            source, target = ends if each.direction == "out" else reversed(ends)
            found.append((source, each.type, target, records.links(name, each)))
        for value in model.value_nodes:
            found.append((str(model.node), value.type, value.label, None))
        if (join := model.relationship) is not None:
            source, target = (str(plan.model.tables[end.table].node) for end in (join.source, join.target))
            found.append((source, join.type, target, count.relationships))
    return found
