"""The order in which valid queries are tried: the generator's if there is one, else the ranker's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from clew.agents.answering.node_reasoner import Selection
from clew.agents.answering.union import MOST_QUERIES, Union, found_by, with_details
from clew.agents.evidence import Attempt, Failure
from clew.agents.generating.cypher_generator import Chosen, Generated, RankedOrder
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import failure
from clew.tools.errors import ClewError, DatabaseUnavailable
from clew.tools.queries.space.around import entities_of
from clew.tools.queries.space.query import RankedQuery

CHOSEN = 10
"""Number of queries that the generator returns."""
_SHARE_OF_TIME = 0.5
_NODES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Order:
    """Queries, best first."""

    queries: list[RankedQuery]
    probabilities: list[float | None] = field(default_factory=list)
    """The generator's, for the first queries."""
    errors: dict[str, Failure] = field(default_factory=dict)


def ordered(ranked: list[RankedQuery], state: StrategyInput, context: Context, span: Span) -> Order:
    """The ranked queries in the generator's order; unchanged without a generator or if it fails."""
    generator = context.tools.generator
    if generator is None:
        return Order(ranked)
    seconds = context.run.deadline.remaining * _SHARE_OF_TIME if context.run.deadline.at != float("inf") else 60.0
    try:
        mentions = [mention for mention in state["mentions"] if not mention.group]
        candidates = generator.candidates(ranked, entities_of(mentions))
        if not candidates:
            return Order([])
        most = MOST_QUERIES if context.method.unites else CHOSEN
        generated = generator.choose(state["question"], candidates, most, seconds=seconds)
    except DatabaseUnavailable:
        raise
    except ClewError as error:
        span.event("generator", failed=error.message, remedy=error.remedy, instead="the ranker's order")
        instead = RankedOrder().choose(state["question"], ranked, CHOSEN)
        errors = failure("cypher", state["iteration"], error, "/generator")
        return Order(_first(instead, ranked), errors=errors)
    span.event("generator", **_record(generated))
    if generated.written is not None and not generated.chosen:
        return Order([])  # A model without constraint wrote no valid query.
    return Order(_first(generated, candidates), [each.probability for each in generated.chosen])


def put_in_order(
    attempt: Attempt, queries: Sequence[RankedQuery], state: StrategyInput, context: Context, span: Span
) -> dict[str, Failure]:
    """Sort the answers of an attempt by the node reasoner, if there is one, which also reads the nodes of the other
    queries. Returns the failure of the node reasoner, if any.
    """
    if context.tools.node_reasoner is None or len([a for a in attempt["answers"] if a["id"] is not None]) < 2:
        return {}

    def union() -> Union:
        most = 2 * context.budget.nodes
        return found_by(context.tools.space, [each.query for each in queries[:CHOSEN]], context.limits(), most)

    selection, failures = selected(union, state, context, span)
    if selection is not None:
        ranked = [node.id for node, _ in [*selection.kept, *selection.left_out]]
        places = {id: place for place, id in enumerate(ranked)}
        attempt["answers"].sort(key=lambda answer: places.get(answer["id"] or "", len(places)))
    return failures


def selected(
    union: Callable[[], Union], state: StrategyInput, context: Context, span: Span
) -> tuple[Selection | None, dict[str, Failure]]:
    """What the node reasoner selects of the nodes of a union, and its failure; neither without a node reasoner."""
    reasoner, seconds = context.tools.node_reasoner, min(60.0, context.run.deadline.remaining * _SHARE_OF_TIME)
    if reasoner is None:
        return None, {}
    try:
        nodes = with_details(union(), context.tools.store, context.limits())
        selection = reasoner.select(state["question"], nodes, seconds=seconds)
    except DatabaseUnavailable:
        raise
    except ClewError as error:
        span.event("node reasoner", failed=error.message, remedy=error.remedy, instead="the order without it")
        return None, failure("cypher", state["iteration"], error, "/nodes")
    shown, left_out = (
        [[node.name, round(probability, 6)] for node, probability in part[:_NODES_SHOWN]]
        for part in (selection.kept, selection.left_out)
    )
    span.event(
        "node reasoner", by=reasoner.chooser.name, nodes=shown, left_out=left_out, queries=len(nodes.queries)
    )  # fmt: skip
    return selection, {}


def _first(generated: Generated, candidates: list[RankedQuery]) -> list[RankedQuery]:
    """The chosen queries, then the others in their old order."""
    keys = {each.ranked.query.key() for each in generated.chosen}
    return [each.ranked for each in generated.chosen] + [c for c in candidates if c.query.key() not in keys]


def _record(generated: Generated) -> dict[str, Any]:
    """For the trace."""
    return {
        "by": generated.by,
        "considered": generated.considered,
        "exact": generated.exact,
        "passes": generated.passes,
        "ms": generated.ms,
        **({} if generated.written is None else {"written": generated.written}),
        "chosen": [_query(each) for each in generated.chosen],
    }


def _query(each: Chosen) -> dict[str, Any]:
    choices = [asdict(step) for step in each.steps]
    return {"query": each.text, "probability": each.probability, "choices": choices}
