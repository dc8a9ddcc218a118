"""pattern: the question as a pattern graph, and the most similar subgraphs.

Source: SimGRAG sections 4.1 and 4.2. The pattern is written by a model, or derived from the ranked queries. In addition
to the k best subgraphs, the strategy returns the complete answers of their readings.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clew.agents.answering import confidence
from clew.agents.evidence import entity_ref, row_of
from clew.graphs.context import Context
from clew.graphs.matching import entity_at, matched, relations_text, search_deadline, triplets_of
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.found import Found
from clew.graphs.strategies.ranking import ranked_queries
from clew.graphs.strategies.strategy import Strategy
from clew.graphs.trace_records import attempt_record

if TYPE_CHECKING:
    from clew.agents.patterns.pattern_writer import Written
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.patterns import Match, Pattern, Sources

MOST_ATTEMPTS = 3
MOST_PATTERNS = 8
ANSWERS_SUPPORTED = 10


def pattern(state: StrategyInput, context: Context, span: Span) -> StepResult:
    if context.tools.patterns is None:
        return StepResult({}, "This graph was opened without a snapshot for patterns")
    matcher = _Matcher(context, span, Found("pattern", state["iteration"]))
    attempts = matcher.found.attempts
    for written in _written(state, context, span):
        if len(attempts) >= MOST_ATTEMPTS or context.run.deadline.passed or matcher.tried >= MOST_PATTERNS:
            break
        matcher.match(written)
        if matcher.perfect:
            break
    title = f"Matched {spoken(matcher.tried, 'pattern')}, {spoken(len(attempts), 'reading')} with answers"
    lines = [f"{attempt['words']}: {spoken(len(attempt['answers']), 'answer')}" for attempt in attempts.values()]
    return StepResult(matcher.found.update("attempts", "evidence"), title, lines)


def _written(state: StrategyInput, context: Context, span: Span) -> Iterator[Written]:
    """The model's pattern, then those of the ranked queries."""
    from clew.agents.patterns.pattern_writer import write
    from clew.agents.patterns.query_patterns import (
        pattern_examples,  # most questions match no pattern
        patterns_of,
    )

    model = model_of("pattern", context, span, leaving=1)
    if model is not None:
        question, examples = state["question"], pattern_examples(context.tools.schema, context.tools.store.terms)
        reply = write(model, question, relations_text(question, context, span), asks=True, examples=examples)
        if reply.written is not None:
            yield reply.written
        else:
            span.event("without a model", message=reply.degraded)
    yield from patterns_of(ranked_queries(state, context))


@dataclass(slots=True)
class _Matcher:
    context: Context
    span: Span
    found: Found
    tried: int = 0
    perfect: bool = False
    """Whether a pattern matched with distance 0; later patterns cannot be better."""

    def match(self, written: Written) -> None:
        started = time.monotonic()
        self.tried += 1
        sources, found = matched(written, self.context, self.span)
        for one in found.matches:
            if len(self.found.attempts) < MOST_ATTEMPTS:
                self._attempt(written, one, sources, started)
        self.perfect = self.perfect or any(one.distance < 1e-6 for one in found.matches)

    def _attempt(self, written: Written, one: Match, sources: Sources, started: float) -> None:
        """Add a reading with all its answers, and the subgraphs of the first answers as evidence."""
        from clew.tools.patterns import complete
        from clew.tools.patterns.pattern_cypher import assignment_cypher

        wanted, asked = written.pattern, written.pattern.asked
        assert self.context.tools.patterns is not None
        assert asked is not None
        snapshot, limit = self.context.tools.patterns.snapshot, self.context.budget.max_rows
        bindings = complete(
            snapshot,
            wanted,
            one,
            limit,
            labels=sources.labels,
            distinct="edges",
            deadline=search_deadline(self.context),
        )
        nodes = bindings.nodes.tolist()
        known = sum(node.known for node in wanted.nodes) + sum(edge.known for edge in wanted.edges)
        query = assignment_cypher(wanted, one, snapshot, asked, self.context.tools.store.terms)
        rank = len(self.found.attempts)
        attempt = self.found.attempt(
            _words(one, snapshot, asked, wanted),
            [row_of(entity_ref(entity_at(snapshot, node))) for node in nodes],
            confidence.of_pattern(one.distance, known, rank, bindings.truncated),
            rank=rank,
            cypher=query.cypher,
            parameters=query.parameters,
            anchors=[entity_at(snapshot, one.nodes[i]) for i, node in enumerate(wanted.nodes) if node.known],
            truncated=bindings.truncated,
            ms=(time.monotonic() - started) * 1000,
        )
        if written.by_model:
            attempt["by_model"] = True
        self.found.keep(attempt, rank)
        self.span.event("answers", **attempt_record(attempt), distance=round(one.distance, 4))
        for node in nodes[:ANSWERS_SUPPORTED]:
            self.found.support(attempt, triplets_of(self._subgraph(wanted, one, node, sources), snapshot))

    def _subgraph(self, wanted: Pattern, one: Match, answer: int, sources: Sources) -> Match:
        """A subgraph of the reading in which the asked node is `answer`."""
        from clew.tools.patterns import Candidates, match

        assert self.context.tools.patterns is not None
        assert wanted.asked is not None
        if one.nodes[wanted.asked] == answer:
            return one
        nodes = tuple(
            replace(node, text="answer", type=None) if i == wanted.asked else node
            for i, node in enumerate(wanted.nodes)
        )
        edges = tuple(replace(edge, relation="as matched") for edge in wanted.edges)
        bound = {i: Candidates((one.nodes[i],), (0.0,)) for i, node in enumerate(wanted.nodes) if node.known}
        fixed = replace(
            sources,
            nodes={**bound, wanted.asked: Candidates((answer,), (0.0,))},
            relations={i: Candidates((edge.relation,), (0.0,)) for i, edge in enumerate(one.edges)},
            labels={i: labels for i, labels in sources.labels.items() if i != wanted.asked},
        )
        found = match(
            self.context.tools.patterns.snapshot, replace(wanted, nodes=nodes, edges=edges), fixed, 1, distinct="edges"
        )
        return found.matches[0] if found.matches else one


def _words(one: Match, snapshot: Snapshot, asked: int, wanted: Pattern) -> str:
    """The reading as triples, with a question mark for the asked node."""
    names = [snapshot.name(node) if wanted.nodes[i].known else "\u2026" for i, node in enumerate(one.nodes)]
    names[asked] = "?"
    parts = []
    for edge, found in zip(wanted.edges, one.edges, strict=True):
        ends = (edge.head, edge.tail) if found.forward else (edge.tail, edge.head)
        parts.append(f"{names[ends[0]]} \u2014 {snapshot.relations[found.relation]} \u2192 {names[ends[1]]}")
    return "; ".join(parts)


STRATEGY = Strategy(
    name="pattern",
    run=pattern,
    does="Writes the question as a small graph, and finds the places in the graph that look most like it",
    source="SimGRAG 4.1, 4.2",
    needs="the snapshot of the graph, which is built when first used",
    model_origin="the model's pattern",
)
