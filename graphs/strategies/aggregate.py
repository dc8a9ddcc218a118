"""aggregate: numbers, groups, order and conditions over all of something, read off the question without a model.

It gives nothing where the question asks for none of these, or where more than a few words stay unexplained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.agents.answering import confidence
from clew.agents.evidence import AnswerRef, mention_of
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.found import Found
from clew.graphs.strategies.ranking import link_scores
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.trace_records import attempt_record, record_plan
from clew.tools.queries.aggregation.question import Aggregation, words
from clew.tools.queries.aggregation.rendering import Rendered, cut, render

MOST_UNEXPLAINED = 2
"""Words of a question that may be left over."""
_DIGITS = 4


def aggregate(state: StrategyInput, context: Context, span: Span) -> StepResult:
    if context.tools.aggregations is None or state["iteration"] > 1 or context.run.deadline.passed:
        return StepResult({}, "No aggregation to read")
    located = [mention_of(ref) for ref in state["mentions"] if ref["start"] < ref["end"]]
    reading = context.tools.aggregations.read(state["question"], located)
    if reading is None:
        return StepResult({}, "The question asks for no number, order or condition")
    said, left = words(reading), list(reading.unexplained)
    span.event("reading", words=said, unexplained=left, guesses=reading.guesses)
    rendered = render(reading, context.tools.schema, context.tools.store.terms)
    if rendered is None or len(left) > MOST_UNEXPLAINED:
        return StepResult(
            {}, f"Not sure enough of a reading: {said}", [f"not explained: {', '.join(left)}"] if left else []
        )
    rows = context.tools.store.read(rendered.cypher, rendered.parameters, context.limits())
    records = cut(rows.records, reading)
    entities = [entity for each in reading.entity_filters for entity in each.entities]
    guesses = reading.guesses + rendered.guesses
    found = Found("aggregate", state["iteration"])
    attempt = found.attempt(
        said,
        _answers(records, reading, rendered),
        confidence.of_aggregation(len(left), guesses, link_scores(entities, state), rows.truncated),
        cypher=rendered.cypher,
        parameters=rendered.parameters,
        anchors=entities,
        truncated=rows.truncated,
        ms=rows.ms,
    )
    if not attempt["answers"] and not left and not guesses:
        attempt["none"] = True
    if context.tools.models is not None:
        attempt["columns"], attempt["rows"] = list(rendered.columns), [_cells(row) for row in records]
    span.event("query", **attempt_record(attempt, len(records)))
    record_plan(rendered.cypher, rendered.parameters, context, span)
    found.keep(attempt, 0)
    return StepResult(found.update("attempts"), f"{said}: {spoken(len(records), 'row')}")


def _answers(rows: Sequence[Mapping[str, Any]], reading: Aggregation, rendered: Rendered) -> list[AnswerRef]:
    """Nodes; or the number, the groups, or the values that are asked for instead of them."""
    if reading.asked is None and reading.group is None:
        return [_value(spelt(row["value"])) for row in rows if row["value"] is not None]
    if reading.values_only:
        shown = dict.fromkeys(spelt(row["s0"]) for row in rows if row["s0"] not in (None, ""))
        return [_value(value) for value in shown]
    answers = []
    for row in rows:
        answer = _value(str(row["name"]))
        if reading.asked is not None:
            answer["id"], answer["label"] = str(row["id"]), reading.asked
        notes = [f"{name} {cell}" for name, cell in zip(rendered.columns[1:], _cells(row)[1:], strict=False) if cell]
        if notes:
            answer["told"] = ", ".join(notes)
        answers.append(answer)
    return answers


def _value(name: str) -> AnswerRef:
    return {"id": None, "name": name, "label": "value", "support": 1}


def _cells(row: Mapping[str, Any]) -> list[str]:
    """What a row says, its id left out."""
    return [spelt(value) for name, value in row.items() if name != "id"]


def spelt(value: Any) -> str:
    """A value for people: no needless digits."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")
    return str(value)


STRATEGY = Strategy(
    name="aggregate",
    run=aggregate,
    does="Reads numbers, groups, order and conditions off the question",
    source="none",
    needs="a question that asks for one of these",
    without_model=Turn.FIRST,
    complete_answers=True,
    is_ready=lambda context: context.tools.aggregations is not None,
    needs_entities=False,
)
