"""The plan of an import of tables as plain JSON values, for front ends that let people edit it."""

from __future__ import annotations

from typing import Any

from clew.tools.ingest.tables.plan import ImportPlan
from clew.tools.ingest.tables.plan_text import edges, faults


def fields(plan: ImportPlan) -> dict[str, Any]:
    """The plan in parts.

    Returns:
        `tables`: by name the rows, the skipped rows with the first reasons, what they give, the values that refer to
        nothing, and in `faults` all of this for people; `labels`: the number of nodes by label; `edges`: the
        relationships between labels, with their number; `suggestions`: the columns that could be nodes of their own,
        with their number of values; `model`: the graph model, to be edited and given back.
    """
    return {
        "tables": {name: _table(plan, name) for name in plan.counts},
        "labels": plan.labels(),
        "edges": [
            {"source": source, "type": type, "target": target, "count": count}
            for source, type, target, count in edges(plan)
        ],
        "suggestions": [{"table": table, "column": column, "values": n} for table, column, n in plan.suggestions()],
        "model": plan.model.model_dump(mode="json", exclude_defaults=True),
    }


def _table(plan: ImportPlan, name: str) -> dict[str, Any]:
    count, table = plan.counts[name], plan.workspace.tables[name]
    return {
        "file": count.file,
        "rows": count.rows,
        "skipped": count.skipped,
        "bad": [str(line) for line in table.bad[:5]],
        "nodes": count.nodes,
        "relationships": count.relationships,
        "unmatched": [each.line() for each in count.unmatched],
        "faults": [line.strip() for line in faults(plan, name)],
    }
