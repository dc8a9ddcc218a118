"""Names for the graph model of tables by the language model, before the import is shown and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clew.agents.models.calls import Model
from clew.agents.writing import table_namer
from clew.app.models import model_for_long
from clew.tools.ingest.tables.column_types import quoted
from clew.tools.ingest.tables.model_names import ModelName, Rename, renamed

if TYPE_CHECKING:
    from clew.app.container import Container
    from clew.tools.ingest.tables.plan import ImportPlan

_EXAMPLES = 3
_ROWS_READ = 100


def namer_of(container: Container) -> Model:
    """The model that names. Raises BadInput where none is set."""
    missing, remedy = "Names are suggested by a language model, and none is set.", "Name one: clew --model NAME …"
    return model_for_long(container.models, table_namer.ROLE, missing, remedy)


def suggest_names(container: Container, plan: ImportPlan) -> list[Rename]:
    """Give the model of a plan the names that the language model suggests.

    Returns: What was replaced.

    Raises:
        BadInput: No model is set.
        ModelFailed: It cannot be used; the plan is as it was.
    """
    namer = namer_of(container)
    rows = {name: count.rows for name, count in plan.counts.items()}
    batches = table_namer.shown(plan.model, rows, lambda table, column: _values(plan, table, column))
    wanted: list[tuple[ModelName, str]] = []
    done = 0
    with container.progress.task("Naming", "tables", len(rows)) as advance:
        for batch in batches:
            wanted += table_namer.propose(namer, batch)
            done += batch.tables
            advance(done)
    plan.model, renames = renamed(plan.model, wanted)
    return renames


def _values(plan: ImportPlan, table: str, column: str) -> list[str]:
    """A few different values of a column, from its first rows."""
    name = quoted(column)
    first = f"SELECT {name} FROM {quoted(table)} WHERE {name} IS NOT NULL LIMIT {_ROWS_READ}"
    found = plan.workspace.rows(f"SELECT DISTINCT {name} FROM ({first}) LIMIT {_EXAMPLES}")
    return [str(value) for (value,) in found]
