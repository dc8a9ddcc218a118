"""The nodes of several queries as one ranked answer: run them, best first, until there are enough; rank and select.

Source: GraphRAFT sections 4.3 and 5.2.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.agents.answering.node_reasoner import Selection
from clew.agents.answering.union import MOST_QUERIES, FoundNode, Union, weights_of
from clew.agents.evidence import AnswerRef, Attempt, UnitedQuery
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.generating import Order, selected
from clew.graphs.strategies.queries import supporting
from clew.graphs.trace_records import attempt_record, record_plan
from clew.tools.errors import QueryFailed
from clew.tools.queries.space.query import Query

Run = Callable[[Query, int], Attempt]
"""Runs the query at a rank."""


def unite(tried: StrategyFindings, order: Order, run: Run, state: StrategyInput, context: Context, span: Span) -> None:
    """Add one attempt with the nodes of the best queries, ranked, and their triplets to `tried`.

    A query whose answers are values (numbers, properties) answers alone if it is the first with answers; further ones
    add nothing.
    """
    union = Union(context.budget.nodes)
    attempts: list[Attempt] = []
    queries = order.queries[:MOST_QUERIES]
    weights = weights_of(order.probabilities, len(queries))
    for rank, (ranked, weight) in enumerate(zip(queries, weights, strict=True)):
        if union.full or context.run.deadline.passed:
            break
        try:
            attempt = run(ranked.query, rank)
        except QueryFailed as error:
            span.event("failed", cypher=error.cypher, message=error.message)
            tried.fail(error, f"/{rank}")
            continue
        span.event("query", **attempt_record(attempt))
        finds_nodes = any(row["id"] is not None for row in attempt["answers"])
        if attempt["answers"] and not attempts and not finds_nodes:
            tried.keep(attempt, rank)
            tried.support(attempt, supporting(ranked.query, attempt, state, context))
            record_plan(attempt["cypher"], attempt["parameters"], context, span)
            return
        if finds_nodes:
            union.add(ranked.query, ((row["id"], row["name"], row["label"]) for row in attempt["answers"]), weight)
            attempts.append(attempt)
    if not attempts:
        return
    selection, failures = selected(lambda: union, state, context, span)
    tried.errors |= failures
    whole = _united(union, attempts, selection)
    tried.keep(whole, whole["rank"])
    for query, attempt in zip(union.queries, attempts, strict=True):
        tried.support(attempt, supporting(query, attempt, state, context))
    span.event("union", nodes=_shown(whole), queries=whole["united"], left_out=_left_out(selection))
    record_plan(whole["cypher"], whole["parameters"], context, span)


def _united(union: Union, attempts: list[Attempt], selection: Selection | None) -> Attempt:
    """The first attempt with the nodes of all, best first, and how well each fits."""
    ranked = [(node, node.score) for node in union.nodes] if selection is None else selection.kept
    support = {row["id"]: row["support"] for attempt in reversed(attempts) for row in attempt["answers"]}
    best = max((score for _, score in ranked), default=0.0) or 1.0
    united: list[UnitedQuery] = [
        {
            "number": number,
            "words": attempt["words"],
            "cypher": attempt["cypher"],
            "parameters": attempt["parameters"],
            "weight": round(weight, 6),
            "nodes": sum(number - 1 in node.queries for node, _ in ranked),
            "anchors": attempt["anchors"],
        }
        for number, (attempt, weight) in enumerate(zip(attempts, union.weights, strict=True), start=1)
    ]
    return {
        **attempts[0],
        "answers": [_answer(node, support[node.id]) for node, _ in ranked],
        "fits": {node.id: round(score / best, 6) for node, score in ranked},
        "united": united,
    }


def _answer(node: FoundNode, support: int) -> AnswerRef:
    numbers = [number + 1 for number in node.queries]
    return {"id": node.id, "name": node.name, "label": node.label, "support": support, "queries": numbers}


def _shown(whole: Attempt) -> list[list[object]]:
    """Nodes as [name, label, fit, numbers of the queries that found it]."""
    fits = whole["fits"]
    return [[row["name"], row["label"], fits[row["id"] or ""], row["queries"]] for row in whole["answers"]]


def _left_out(selection: Selection | None) -> list[str]:
    return [] if selection is None else [node.name for node, _ in selection.left_out]
