"""pattern: the question as a pattern graph, and the most similar subgraphs.

Source: SimGRAG sections 4.1 and 4.2. The pattern is written by a model, or derived from the ranked queries. In addition
to the k best subgraphs, the strategy returns the complete answers of their readings.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clew.agents.answering import confidence
from clew.agents.evidence import entity_row
from clew.graphs.context import Context
from clew.graphs.matching import (
    SUPPORTED,
    bindings_of,
    entity_at,
    matched,
    most_reached_first,
    relations_text,
    subgraph_of,
    triplets_of,
)
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.ranking import ranked_queries
from clew.graphs.strategies.strategy import Strategy
from clew.graphs.trace_records import attempt_record

if TYPE_CHECKING:
    from clew.agents.patterns.pattern_writer import WrittenPattern
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.graph.triplets import Triplet
    from clew.tools.patterns import Match, Pattern, Sources

MOST_ATTEMPTS = 3
MOST_PATTERNS = 8


def pattern(state: StrategyInput, context: Context, span: Span) -> StepResult:
    if context.tools.patterns is None:
        return StepResult({}, "This graph was opened without a snapshot for patterns")
    from clew.agents.patterns.query_patterns import patterns_of  # most questions match no pattern
    from clew.graphs.strategies.pattern_forms import FormMatcher

    matcher = _Matcher(context, span, StrategyFindings("pattern", state["iteration"]))
    attempts = matcher.found.attempts
    matcher.match_all(_by_model(state, context, span))
    if not matcher.perfect:
        forms = FormMatcher(state, context, span, matcher.found)
        forms.run()
        if not attempts:  # No subgraph is exactly as a form has it: the most similar ones.
            nearest = [formed.written for formed in forms.unmatched[:1]]
            matcher.match_all([*nearest, *patterns_of(ranked_queries(state, context))])
    title = f"Matched {spoken(matcher.tried, 'pattern')}, {spoken(len(attempts), 'reading')} with answers"
    lines = [f"{attempt['words']}: {spoken(len(attempt['answers']), 'answer')}" for attempt in attempts.values()]
    return StepResult(matcher.found.update("attempts", "evidence"), title, lines)


def _by_model(state: StrategyInput, context: Context, span: Span) -> Iterator[WrittenPattern]:
    """The model's pattern, if there is a model and it writes one."""
    from clew.agents.patterns.pattern_writer import write
    from clew.agents.patterns.query_patterns import pattern_examples

    model = model_of("pattern", context, span, leaving=1)
    if model is None:
        return
    question, tools = state["question"], context.tools
    examples = tools.pattern_examples or pattern_examples(tools.schema, tools.store.terms)
    reply = write(model, question, relations_text(question, context, span), asks=True, examples=examples)
    if reply.written is not None:
        yield reply.written
    else:
        span.event("without a model", message=reply.degraded)


@dataclass(slots=True)
class _Matcher:
    context: Context
    span: Span
    found: StrategyFindings
    tried: int = 0
    perfect: bool = False
    """Whether a pattern matched with distance 0; later patterns cannot be better."""

    def match_all(self, patterns: Iterable[WrittenPattern]) -> None:
        """Match patterns until one matches exactly, or there are enough."""
        for written in patterns:
            full = len(self.found.attempts) >= MOST_ATTEMPTS or self.tried >= MOST_PATTERNS
            if full or self.perfect or self.context.run.deadline.passed:
                return
            self._match(written)

    def _match(self, written: WrittenPattern) -> None:
        started = time.monotonic()
        self.tried += 1
        sources, found = matched(written, self.context, self.span)
        for one in found.matches:
            if len(self.found.attempts) < MOST_ATTEMPTS:
                self._attempt(written, one, sources, started)
        self.perfect = self.perfect or any(one.distance < 1e-6 for one in found.matches)

    def _attempt(self, written: WrittenPattern, one: Match, sources: Sources, started: float) -> None:
        """Add a reading with all its answers, and the subgraphs of the first answers as evidence."""
        from clew.tools.patterns.pattern_cypher import assignment_cypher

        wanted, asked = written.pattern, written.pattern.asked
        assert self.context.tools.patterns is not None
        assert asked is not None
        snapshot = self.context.tools.patterns.snapshot
        bindings = bindings_of(one, wanted, sources, self.context, self.context.budget.max_rows)
        nodes = most_reached_first(dict.fromkeys(bindings.nodes.tolist(), one), wanted, sources, self.context)
        known = sum(node.known for node in wanted.nodes) + sum(edge.known for edge in wanted.edges)
        query = assignment_cypher(wanted, one, snapshot, asked, self.context.tools.store.terms)
        rank = len(self.found.attempts)
        attempt = self.found.attempt(
            _words(one, snapshot, asked, wanted),
            [entity_row(entity_at(snapshot, node)) for node in nodes],
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
        subgraphs = [triplets_of(subgraph_of(node, one, wanted, sources, snapshot), snapshot)
                     for node in nodes[:SUPPORTED]]  # fmt: skip
        if self.context.tools.models is not None:
            attempt["columns"], attempt["rows"] = ["answer", "subgraph"], _verbalised(nodes, subgraphs, snapshot)
        self.found.keep(attempt, rank)
        self.span.event("answers", **attempt_record(attempt), distance=round(one.distance, 4))
        for triplets in subgraphs:
            self.found.support(attempt, triplets)


def _verbalised(nodes: Sequence[int], subgraphs: Sequence[Sequence[Triplet]], snapshot: Snapshot) -> list[list[str]]:
    """Each answer with the triples of its subgraph, as a model reads them (SimGRAG section 4.4); those of the first
    answers are written out."""
    told = ["; ".join(triplet.words() for triplet in triplets) for triplets in subgraphs]
    rest = [""] * (len(nodes) - len(told))
    return [[snapshot.name(node), text] for node, text in zip(nodes, [*told, *rest], strict=True)]


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
