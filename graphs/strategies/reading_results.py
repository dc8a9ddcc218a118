"""What the queries of a question's readings find, and which of the results is the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.graphs.context import Context
from clew.graphs.form_support import query_of
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.findings import StrategyFindings
from clew.tools.errors import QueryFailed
from clew.tools.graph.store.graph_store import Rows
from clew.tools.linking.normalise import fold
from clew.tools.queries.reading.forms.form import Form, Nodes, sets
from clew.tools.queries.reading.forms.rendered import Rendered
from clew.tools.queries.reading.reader import Reading

EXPLAINED = 1.0
"""Cost below which a reading without a result says that there is nothing."""
_CLEARLY = 0.3
"""Difference of cost from which a reading is clearly better than the next one."""
_COMPARED = ("<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """A reading, its query and the rows of it."""

    reading: Reading
    query: Rendered
    rows: Rows

    @property
    def empty(self) -> bool:
        return is_empty(self.rows.records, self.reading.form)

    @property
    def counts_none(self) -> bool:
        """Whether it counts nothing: mostly a condition was read otherwise than it was meant."""
        return self.reading.form.asks == "number" and bool(self.rows.records) and self.rows.records[0]["value"] == 0


def is_empty(rows: Sequence[Mapping[str, Any]], form: Form) -> bool:
    """Whether the rows of a form's query say nothing; a total of nothing is 0."""
    nothing = (None, 0) if form.function == "sum" else (None,)
    return not rows or (form.asks == "number" and rows[0]["value"] in nothing)


def run_readings(
    readings: Sequence[Reading],
    context: Context,
    span: Span,
    found: StrategyFindings,
    state: StrategyInput,
    *,
    at_least: int = 1,
) -> list[ReadingResult]:
    """The results of at least `at_least` readings in their order, up to the first that says something."""
    results: list[ReadingResult] = []
    for place, reading in enumerate(readings):
        query = query_of(reading.form, context)
        try:
            rows = context.tools.store.read(query.cypher, query.parameters, context.limits())
        except QueryFailed as error:
            span.event("failed", cypher=error.cypher, message=error.message)
            found.fail(error, f"/{place}")
            continue
        results.append(ReadingResult(reading, query, rows))
        told = _says_none(results[0], readings) or any(_tells(each, state) for each in results)
        if (place + 1 >= at_least and told) or context.run.deadline.passed:
            break
    return results


def answering(results: Sequence[ReadingResult], readings: Sequence[Reading], state: StrategyInput) -> ReadingResult:
    """The result that answers the question: the first that says something, or that there is nothing."""
    if _says_none(results[0], readings):
        return results[0]
    told = next((each for each in results if _tells(each, state)), None)
    return told or next((each for each in results if not each.empty), results[0])


def _tells(result: ReadingResult, state: StrategyInput) -> bool:
    """Whether a result says more than the question does: not only the name that it asks about."""
    form = result.reading.form
    several = len({entity.name for entity in form.nodes.entities}) > 1
    if result.empty or several or form.asks != "nodes" or state["follow_ups"]:
        return not result.empty
    question = f" {fold(state['question'])} "
    return not all(f" {fold(str(row['name']))} " in question for row in result.rows.records)


def _says_none(result: ReadingResult, readings: Sequence[Reading]) -> bool:
    """Whether there being nothing is the answer: something is taken away ("films without a director"), or compared
    with a number ("more than 5 members"), and no other reading agrees nearly as well."""
    best = readings[0]
    if not result.empty or result.reading is not best or best.unexplained or best.cost >= EXPLAINED:
        return False
    clear = len(readings) == 1 or readings[1].cost >= best.cost + _CLEARLY
    return clear and any(_may_be_none(each) for each in sets(best.form.nodes))


def _may_be_none(nodes: Nodes) -> bool:
    """Whether a set takes something away, or compares numbers."""
    compared = any(each.predicate is not None and each.predicate.comparison in _COMPARED for each in nodes.conditions)
    return bool(nodes.without) or compared or any(link.negated or link.count is not None for link in nodes.links)
