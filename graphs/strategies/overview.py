"""overview: what a graph contains, for questions about the graph as a whole; read from its schema."""

from __future__ import annotations

from collections.abc import Iterable

from clew.agents.evidence import AnswerRef
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState, StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.graph_words import graph_words
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.trace_records import attempt_record
from clew.tools.queries.overviews import (
    OverviewAsked,
    labels_told,
    overview_asked,
    properties_told,
    relations_told,
)
from clew.tools.queries.space.words import noun_of

_SURE = 0.98


def overview(state: StrategyInput, context: Context, span: Span) -> StepResult:
    asked = _asked(state["question"], context)
    if asked is None or state["iteration"] > 1:
        return StepResult({}, "The question is not about the graph as a whole")
    span.event("asked", asks=asked.kind, label=asked.label)
    found = StrategyFindings("overview", state["iteration"])
    words, answers = _told(asked, context)
    attempt = found.attempt(words, answers, _SURE)
    attempt["note"] = "Read from the graph's schema, without a query."
    found.keep(attempt)
    span.event("query", **attempt_record(attempt))
    return StepResult(found.update("attempts"), f"{words}: {spoken(len(answers), 'answer')}")


def is_asked(state: NodeState, context: Context) -> bool:
    """Whether the question of a run is about the graph as a whole."""
    return not state["mentions"] and not state["follow_ups"] and _asked(state["resolved"], context) is not None


def _asked(question: str, context: Context) -> OverviewAsked | None:
    return overview_asked(question, graph_words(question, (), context))


def _told(asked: OverviewAsked, context: Context) -> tuple[str, list[AnswerRef]]:
    """What was read, and the answers."""
    schema = context.tools.schema
    match asked.kind:
        case "nodes":
            return "Number of nodes", [
                _answer(str(sum(schema.labels.values())), "value", _counted(schema.labels.items()))
            ]
        case "relationships":
            told = [(relation, number) for relation, number, _ in relations_told(schema)]
            return "Number of relationships", [_answer(str(sum(n for _, n in told)), "value", _counted(told))]
        case "relations":
            types = relations_told(schema)
            return "Relationship types of the graph", [
                _answer(t, "relationship type", f"{n:,}; {ends}") for t, n, ends in types
            ]
        case "label":
            words = f"What the graph has of {noun_of(asked.label, plural=True)}"
            return words, [_answer(name, "property", told) for name, told in properties_told(schema, asked.label)]
        case _:
            return "What the graph contains", [
                _answer(label, "label", f"{n:,}; {has}") for label, n, has in labels_told(schema)
            ]


def _counted(numbers: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in numbers)


def _answer(name: str, label: str, detail: str) -> AnswerRef:
    return {"id": None, "name": name, "label": label, "support": 1, "detail": detail}


STRATEGY = Strategy(
    name="overview",
    run=overview,
    does="Tells what the graph contains: labels, relationship types, properties, and how many there are",
    source="none",
    needs="a question about the graph as a whole",
    without_model=Turn.ASKED,
    with_model=Turn.ASKED,
    complete_answers=True,
    stands_alone=True,
    needs_entities=False,
    asked=is_asked,
)
