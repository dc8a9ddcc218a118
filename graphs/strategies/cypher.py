"""cypher: run the query of the linker's model, if any, and the best ranked queries until one has answers, or until
their nodes together are enough; then fetch the triplets that support them.

Source: ByoKG-RAG section 3.4 for the model's query; GraphRAFT section 4.1 for the space of valid queries, which the
ranker or the generator (section 4.2) orders.
"""

from __future__ import annotations

from clew.agents.answering import confidence
from clew.agents.answering.agreement import same_answers
from clew.agents.evidence import Attempt
from clew.agents.generating.written_query import written
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.generating import Order, ordered, put_in_order
from clew.graphs.strategies.model_query import ModelQueries
from clew.graphs.strategies.queries import run_all, supporting
from clew.graphs.strategies.ranking import anchors_of, for_members, link_scores, namesakes, ranked_queries
from clew.graphs.strategies.read import takes_many_steps
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.strategies.uniting import unite
from clew.graphs.trace_records import attempt_record, record_plan
from clew.tools.errors import QueryFailed
from clew.tools.queries.follow_ups.query_forms import form_of_query
from clew.tools.queries.follow_ups.stored_forms import stored_within_limit
from clew.tools.queries.reading.english.expected import expects
from clew.tools.queries.space.query import Query, RankedQuery
from clew.tools.queries.space.words import words

MOST_TRIED = 5
"""Maximum number of ranked queries that run until one has answers."""
_CANDIDATES_KEPT = 10


def cypher(state: StrategyInput, context: Context, span: Span) -> StepResult:
    model = ModelQueries(state, context, span)
    model.run()
    ranked, tried = _ranked(state, context, span)
    if model.empty and not _sure(tried):
        model.run_again()
    found, by_model = model.found, dict(model.found.attempts)
    failures = [f"The model's query: {error['message']}" for error in found.errors.values()]
    _corroborate(by_model, tried.attempts)
    found.join(tried)
    lines = [f"{a['words']}: {spoken(len(a['answers']), 'answer')}" for a in found.attempts.values()]
    beside = " beside the model's" if by_model else ""
    title = f"Ran {len(tried.attempts)} of {spoken(len(ranked), 'valid query')}{beside}"
    return StepResult(found.update("attempts", "evidence", "errors", "dead_ends"), title, [*lines, *failures])


def _ranked(state: StrategyInput, context: Context, span: Span) -> tuple[list[RankedQuery], StrategyFindings]:
    """The queries in the order in which they are tried, and the results of those that ran."""
    order = ordered(ranked_queries(state, context), state, context, span)
    ranked = order.queries
    span.event("queries", candidates=[_candidate(query) for query in ranked[:_CANDIDATES_KEPT]], considered=len(ranked))
    tried = StrategyFindings("cypher", state["iteration"], errors=dict(order.errors))
    if context.method.unites:
        unite(tried, order, lambda query, rank: _run(tried, query, rank, order, state, context), state, context, span)
        return ranked, tried
    for rank, candidate in enumerate(ranked[:MOST_TRIED]):
        if context.run.deadline.passed:
            break
        try:
            attempt = _run(tried, candidate.query, rank, order, state, context)
        except QueryFailed as error:
            span.event("failed", cypher=error.cypher, message=error.message)
            tried.fail(error, f"/{rank}")
            continue
        tried.keep(attempt, rank)
        tried.errors |= put_in_order(attempt, ranked[rank:], state, context, span)
        span.event("query", **attempt_record(attempt))
        if attempt["answers"]:
            tried.support(attempt, supporting(candidate.query, attempt, state, context))
            record_plan(attempt["cypher"], attempt["parameters"], context, span)
            break
    return ranked, tried


def _sure(tried: StrategyFindings) -> bool:
    return any(a["answers"] and a["confidence"] >= confidence.ENOUGH for a in tried.attempts.values())


def _corroborate(by_model: dict[str, Attempt], ranked: dict[str, Attempt]) -> None:
    """Raise the confidence of a model's query if a ranked query has the same answers."""
    for attempt in by_model.values():
        if any(same_answers(attempt, other) for other in ranked.values()):
            attempt["confidence"] = confidence.corroborated(attempt["confidence"])


def _run(
    tried: StrategyFindings, query: Query, rank: int, order: Order, state: StrategyInput, context: Context
) -> Attempt:
    """Run one query for every member of a group; the support of shared rows is summed."""
    rows = run_all(for_members(query, state), context)
    left, sure = judged(query, rank, order, state, context, rows.truncated)
    attempt = rows.attempt(tried, words(query), sure, rank, by_support=True)
    attempt["unexplained"] = left
    form = form_of_query(query, [answer["label"] for answer in attempt["answers"] if answer["id"] is not None])
    attempt["form"] = None if form is None else stored_within_limit(form)
    return attempt


def judged(
    query: Query, rank: int, order: Order, state: StrategyInput, context: Context, truncated: bool
) -> tuple[list[str], float]:
    """The words of the question that a ranked query does not explain, and its confidence."""
    planner, asked = context.tools.planner, state["question"]
    left, share = planner.unexplained(asked, state["mentions"], query) if planner is not None else ([], 0.0)
    sure = _confidence(query, rank, order, state, context, share, truncated)
    return left, confidence.without_number(sure) if any(map(str.isdecimal, left)) else sure


def _confidence(
    query: Query, rank: int, order: Order, state: StrategyInput, context: Context, left: float, truncated: bool
) -> float:
    links = link_scores(anchors_of(query), state)
    generated = confidence.of_generated(order.probabilities, rank, links, truncated)
    if generated is not None:
        return generated
    plain = query.returns == "nodes" and not (query.filters or query.order or query.timed)
    wanted = expects(state["question"])
    given = {"count": "number", "property": "number"}.get(query.returns, "")
    sure = confidence.of_query([each.score for each in order.queries], rank, links, truncated, left, plain=plain)
    sure = round(sure / namesakes(query, state), 4)
    another = query.returns == "nodes" and not _may_be_asked(query.answer_label, state, context)
    if another or (wanted and wanted != given) or takes_many_steps(state, context):
        sure = confidence.of_another_kind(sure)
    if not context.tools.has_documents or context.tools.planner is None or not (query.anchors and plain):
        return sure
    return confidence.beside_documents(sure, left)


def _may_be_asked(label: str, state: StrategyInput, context: Context) -> bool:
    """Whether nodes of a label may be what the question asks for."""
    reader = context.tools.reader
    return reader is None or reader.may_be_asked(state["question"], label)


def _candidate(ranked: RankedQuery) -> dict[str, object]:
    return {
        "words": words(ranked.query), "query": written(ranked.query), "shape": ranked.query.shape,
        "score": ranked.score, "reasons": ranked.reasons,
    }  # fmt: skip


STRATEGY = Strategy(
    name="cypher",
    run=cypher,
    does="Runs the model's query, where there is one, and the valid queries that the ranker or the "
    "generator prefers, until one has answers",
    source="ByoKG-RAG 3.4; GraphRAFT 4.1, 4.2",
    needs="a linked entity, or a question about all of something",
    without_model=Turn.DOUBTED,
    with_model=Turn.FIRST,
    complete_answers=True,
    confirms=True,
    spares_hubs=True,
    model_origin="the model's query",
)
