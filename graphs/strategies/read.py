"""read: the question as one logical form, composed over the schema without a model.

The readings are run in their order until one has a result; how well the question and the form agree, and how far the
next reading with another answer is, give the confidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any

from clew.agents.answering import confidence
from clew.agents.evidence import Attempt
from clew.graphs.context import Context
from clew.graphs.follow_ups import of_a_set, readings_of
from clew.graphs.form_answers import answers_of
from clew.graphs.form_support import query_of, spelt, support, values
from clew.graphs.reading_signs import FURTHEST, reading_signs
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.ranking import link_scores
from clew.graphs.strategies.reading_results import EXPLAINED, ReadingResult, answering, run_readings
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.trace_records import attempt_record, record_plan
from clew.tools.errors import QueryFailed
from clew.tools.queries.follow_ups.stored_forms import stored_within_limit
from clew.tools.queries.reading.forms.depth import is_deep
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.reader import Reading

MOST_TRIED = 5
"""Readings run while none has a result."""
MOST_COST = 9.0
"""A reading that agrees less with the question is not run."""
_ALIKE = 0.02
"""Difference of cost of readings of a follow-up that are as good as each other."""
_SHOWN = 5
_SECONDS, _SECONDS_AGAIN = 2.0, 5.0
"""Time for reading a question; the second time is for one whose readings the user has seen."""


def read(state: StrategyInput, context: Context, span: Span) -> StepResult:
    if context.tools.reader is None or state["iteration"] > 1 or context.run.deadline.passed:
        return StepResult({}, "Nothing to read")
    found = StrategyFindings("read", state["iteration"])
    began, seconds = monotonic(), _seconds(context)
    every = _readings(state, context)
    if not every and monotonic() - began >= seconds:
        found.fail(TimeoutError(f"The question could not be read in {seconds:.2g} s."))
        return StepResult(found.update("errors"), "The time for reading the question is over")
    span.event("readings", readings=[_record(each) for each in every[:_SHOWN]])
    readings = _likely(every)
    if not readings:
        return StepResult({}, "No reading agrees with the question")
    ties = sum(each.cost <= readings[0].cost + _ALIKE for each in readings) if state["follow_ups"] else 1
    most = len(readings) if state["follow_ups"] else MOST_TRIED
    results = run_readings(readings[:most], context, span, found, state, at_least=ties)
    if not results:
        return StepResult(found.update("errors"), "No reading could be run")
    chosen = answering(results, readings, state)
    if state["follow_ups"]:  # Of readings that are as good as each other the one with most answers.
        alike = [each for each in results if each.reading.cost <= chosen.reading.cost + _ALIKE]
        chosen = max(alike, key=lambda each: len(each.rows.records)) if chosen in alike else chosen
    attempt = _keep(chosen, readings, found, state, context)
    span.event("query", **attempt_record(attempt, len(chosen.rows.records)))
    record_plan(chosen.query.cypher, chosen.query.parameters, context, span)
    lines = [f"not explained: {', '.join(chosen.reading.unexplained)}"] if chosen.reading.unexplained else []
    title = f"{words(chosen.reading.form)}: {spoken(len(attempt['answers']), 'answer')}"
    return StepResult(found.update("attempts", "evidence", "errors"), title, lines)


def likely_readings(state: StrategyInput, context: Context) -> list[Reading]:
    """The readings that agree with the question well enough to be run, best first."""
    return _likely(_readings(state, context)) if context.tools.reader is not None else []


def takes_many_steps(state: StrategyInput, context: Context) -> bool:
    """Whether the likeliest reading takes a relation any number of times, which no other strategy can."""
    return any(is_deep(each.form) for each in likely_readings(state, context)[:1])


def run_reading(
    reading: Reading, state: StrategyInput, context: Context, rows: int | None = None
) -> tuple[StrategyFindings, Attempt]:
    """Run one of the `likely_readings`.

    Args:
        reading: The reading.
        state: The question that it is of.
        context: The context of the run.
        rows: The maximum number of rows; None for the limit of the run.

    Raises:
        QueryFailed: The database rejected the query.
    """
    found = StrategyFindings("read", state["iteration"])
    query = query_of(reading.form, context)
    result = ReadingResult(
        reading, query, context.tools.store.read(query.cypher, query.parameters, context.limits(rows))
    )
    return found, _keep(result, likely_readings(state, context), found, state, context, supported=rows is None)


def confidence_of(
    reading: Reading,
    state: StrategyInput,
    context: Context,
    *,
    compared: bool = True,
    answers: int = 1,
    truncated: bool = False,
) -> float:
    """The confidence of one of the `likely_readings` that is not run here.

    Args:
        reading: The reading.
        state: The question that it is of.
        context: The context of the run.
        compared: Whether it is compared with the question by its words.
        answers: The number of its answers.
        truncated: Whether it has more.
    """
    signs = _signs(reading, likely_readings(state, context), state, context, answers=answers, compared=compared)
    return confidence.of_reading(signs, link_scores(reading.form.entities, state), truncated)


def _readings(state: StrategyInput, context: Context) -> list[Reading]:
    """All readings of the question; read once in a run."""
    reader = context.tools.reader
    assert reader is not None
    read = state["mentions"], state["alternatives"]
    located, others = ([mention for mention in mentions if mention.start < mention.end] for mentions in read)
    if state["follow_ups"]:
        return readings_of(state["follow_ups"])
    question, seconds = state["question"], _seconds(context)
    key = (question, tuple(located), tuple(others))
    return context.run.readings.get(key, lambda: reader.read(question, located, others, seconds))


def _seconds(context: Context) -> float:
    """The time that reading the question may take."""
    return min(_SECONDS if context.reading is None else _SECONDS_AGAIN, context.run.deadline.remaining)


def _likely(readings: Sequence[Reading]) -> list[Reading]:
    return [each for each in readings if each.cost <= min(MOST_COST, readings[0].cost + FURTHEST)]


def _keep(
    result: ReadingResult,
    readings: Sequence[Reading],
    found: StrategyFindings,
    state: StrategyInput,
    context: Context,
    *,
    supported: bool = True,
) -> Attempt:
    """A result as an attempt, with the triplets that support it."""
    form, rows = result.reading.form, result.rows
    answers = answers_of(rows.records, form)
    number = 0 if result.empty or result.counts_none else len(answers)
    signs = _signs(result.reading, readings, state, context, answers=number)
    attempt = found.attempt(
        words(form),
        answers,
        confidence.of_reading(signs, link_scores(form.entities, state), rows.truncated),
        cypher=result.query.cypher,
        parameters=result.query.parameters,
        anchors=() if of_a_set(state["follow_ups"]) else form.entities,
        truncated=rows.truncated,
        ms=rows.ms,
        unexplained=result.reading.unexplained,
    )
    attempt["form"] = stored_within_limit(form)
    if not attempt["answers"] and not result.reading.unexplained and result.reading.cost < EXPLAINED:
        attempt["none"] = True
    if context.tools.models is not None:
        attempt["columns"], attempt["rows"] = list(result.query.columns), [_cells(row) for row in rows.records]
    found.keep(attempt, 0)
    if supported:
        ids = [answer["id"] for answer in attempt["answers"] if answer["id"]] or [e.id for e in form.nodes.entities]
        found.support(attempt, values(form, rows.records))
        try:
            found.support(attempt, support(form.nodes, ids, context))
        except QueryFailed as error:  # The answers are known all the same.
            found.fail(error, "/evidence")
    return attempt


def _signs(
    reading: Reading,
    readings: Sequence[Reading],
    state: StrategyInput,
    context: Context,
    *,
    answers: int,
    compared: bool = True,
) -> confidence.ReadingSigns:
    question = None if state["follow_ups"] else state["question"]
    return reading_signs(reading, readings, question, context, answers=answers, compared=compared)


def _record(reading: Reading) -> dict[str, object]:
    return {
        "words": words(reading.form),
        "cost": round(reading.cost, 3),
        "unexplained": list(reading.unexplained),
        "features": [[name, round(value, 3)] for name, value in reading.features if value],
    }


def _cells(row: Mapping[str, Any]) -> list[str]:
    """What a row says, its id left out."""
    return [spelt(value) for name, value in row.items() if name != "id"]


STRATEGY = Strategy(
    name="read",
    run=read,
    does="Reads the question as a logical form: relations, conditions, numbers, groups, order, yes and no",
    source="none",
    needs="words that the schema explains",
    without_model=Turn.FIRST,
    with_model=Turn.DEFINED,
    complete_answers=True,
    is_ready=lambda context: context.tools.reader is not None,
    needs_entities=False,
)
