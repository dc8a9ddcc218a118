"""Answers of logical forms by their pattern graphs: what `pattern` does without a model.

The forms are those of the reader and, if these are not certain, of the ranked queries. The pattern of a form is matched
exactly: its known nodes are the linked entities, its relations and labels are those of the form. If it says all that is
asked, the bindings of the asked node are the answers. Otherwise the form's query works out the rest (numbers, order,
conditions) over these nodes; the paper leaves that to the model that reads the subgraphs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from clew.agents.answering.confidence import CERTAIN
from clew.agents.evidence import entity_row
from clew.agents.patterns.form_patterns import FormPattern, of_form
from clew.graphs.context import Context
from clew.graphs.form_answers import answers_of
from clew.graphs.form_support import query_of, support, values
from clew.graphs.matching import (
    SUPPORTED,
    bindings_of,
    entity_at,
    matched_in,
    most_reached_first,
    subgraph_of,
    triplets_of,
)
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.cypher import MOST_TRIED as MOST_QUERIES
from clew.graphs.strategies.cypher import judged
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.generating import Order
from clew.graphs.strategies.queries import run_all
from clew.graphs.strategies.ranking import for_members, ranked_queries
from clew.graphs.strategies.read import MOST_TRIED as MOST_READINGS
from clew.graphs.strategies.read import confidence_of, likely_readings
from clew.graphs.strategies.reading_results import is_empty
from clew.graphs.trace_records import attempt_record
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity
from clew.tools.queries.follow_ups.query_forms import form_of_query
from clew.tools.queries.follow_ups.stored_forms import stored_within_limit
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.form_words import words
from clew.tools.queries.reading.forms.wider_labels import narrowed
from clew.tools.queries.reading.reader import Reading
from clew.tools.queries.space.query import Query

if TYPE_CHECKING:
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.patterns import Match, Sources
    from clew.tools.patterns.plan import Distinct

MOST_ASSIGNMENTS = 64
"""Assignments of a pattern, whose known nodes may stand for several entities each."""


class _Always(float):
    """A confidence that the number of answers does not change."""

    def __call__(self, answers: int, truncated: bool) -> float:
        return float(self)


class ReadForm(NamedTuple):
    """A form of the question."""

    form: Form
    sure: Callable[[int, bool], float]
    """The confidence that it is what the question asks, by the number of its answers and whether there are more."""
    unexplained: tuple[str, ...]
    """Words of the question that it does not explain."""
    query: Query | None = None
    """The ranked query that it is of."""

    @property
    def labelled(self) -> bool:
        """Whether its sets have only nodes of their labels; a ranked query names labels only where it must."""
        return self.query is None or any(hop.typed for chain in self.query.chains for hop in chain.hops)


class Nodes(NamedTuple):
    """The bindings of the node that a pattern asks for."""

    found: dict[int, Match]
    """By their number in the snapshot, with the match that each belongs to; those that most walks lead to first."""
    sources: Sources
    truncated: bool
    distinct: Distinct
    """What the matches use no more than once."""


class FormMatcher:
    """Matches the forms of one reading of the question, in their order, until one has answers."""

    def __init__(self, state: StrategyInput, context: Context, span: Span, found: StrategyFindings) -> None:
        assert context.tools.patterns is not None
        self._state, self._context, self._span, self._found = state, context, span, found
        self._snapshot: Snapshot = context.tools.patterns.snapshot
        self.unmatched: list[FormPattern] = []
        """Patterns without a subgraph, in the order of the forms."""

    def run(self) -> None:
        """Match the reader's forms and, if these are not certain, those of the ranked queries."""
        if next(filter(None, map(self._take, self._readings())), 0.0) < CERTAIN:
            next(filter(None, map(self._take, self._queries())), None)

    def _readings(self) -> Iterator[ReadForm]:
        for reading in likely_readings(self._state, self._context)[:MOST_READINGS]:
            yield ReadForm(reading.form, partial(self._sure, reading), reading.unexplained)

    def _sure(self, reading: Reading, answers: int, truncated: bool) -> float:
        return confidence_of(reading, self._state, self._context, answers=answers, truncated=truncated)

    def _queries(self) -> Iterator[ReadForm]:
        order = Order(ranked_queries(self._state, self._context))
        for rank, ranked in enumerate(order.queries[:MOST_QUERIES]):
            if (form := form_of_query(ranked.query)) is not None:
                left, sure = judged(ranked.query, rank, order, self._state, self._context, False)
                yield ReadForm(form, _Always(sure), tuple(left), ranked.query)

    def _take(self, read: ReadForm) -> float:
        """Add an attempt with the answers of a form; returns its confidence, 0 if it has none."""
        if self._context.run.deadline.passed:
            return 0.0
        began, formed = time.monotonic(), of_form(read.form)
        nodes = None if formed is None else self._nodes(formed, labelled=read.labelled)
        try:
            answers, rows, truncated = self._answers(read, formed, nodes)
        except QueryFailed as error:
            self._span.event("failed", cypher=error.cypher, message=error.message)
            return 0.0
        if not answers:
            self.unmatched += [formed] if formed is not None else []
            return 0.0
        query, rank = query_of(read.form, self._context), len(self._found.attempts)
        attempt = self._found.attempt(
            words(read.form), answers, read.sure(len(answers), truncated), rank=rank, cypher=query.cypher,
            parameters=query.parameters,
            anchors=read.form.entities, truncated=truncated, ms=(time.monotonic() - began) * 1000,
            unexplained=read.unexplained,
        )  # fmt: skip
        attempt["form"] = stored_within_limit(read.form)
        self._found.keep(attempt, rank)
        matched = formed is not None and nodes is not None and bool(nodes.found)
        self._span.event("answers", **attempt_record(attempt), distance=0.0 if matched else None)
        if formed is not None and nodes is not None and nodes.found:
            self._support_by_subgraphs(attempt, formed, nodes)
        else:
            ids = [answer["id"] for answer in answers if answer["id"]] or [e.id for e in read.form.nodes.entities]
            self._found.support(attempt, [*values(read.form, rows), *support(read.form.nodes, ids, self._context)])
        return attempt["confidence"]

    def _answers(
        self, read: ReadForm, formed: FormPattern | None, nodes: Nodes | None
    ) -> tuple[list[Any], list[dict[str, Any]], bool]:
        """The answers, the rows of the form's query, where it had to run, and whether there are more.

        Where the pattern has no subgraph or cannot say all, the form's query, or the ranked one, runs.
        """
        if formed is not None and nodes is not None and formed.whole and nodes.found:
            return [entity_row(entity_at(self._snapshot, node)) for node in nodes.found], [], nodes.truncated
        if read.query is not None and (nodes is None or not nodes.found):
            run = run_all(for_members(read.query, self._state), self._context)
            return list(run.answers), [], run.truncated
        form = over = read.form
        if nodes is not None and nodes.found and not nodes.truncated:
            matched = tuple(entity_at(self._snapshot, node) for node in nodes.found)
            over = replace(form, nodes=replace(form.nodes, entities=matched))
        query = query_of(over, self._context)
        rows = self._context.tools.store.read(query.cypher, query.parameters, self._context.limits())
        records = list(rows.records)
        return ([] if is_empty(records, form) else answers_of(records, form)), records, rows.truncated

    def _nodes(self, formed: FormPattern, *, labelled: bool) -> Nodes | None:
        """The bindings of the asked node in all subgraphs that are exactly as the form has it; None if the snapshot
        has not all of its relations and entities, or its known nodes stand for too many.

        First one to one (Definition 1, though unknown nodes may meet), then, where there is no such subgraph, freely:
        in "the father of X's son", X may be meant twice.
        """
        sources, most = self._sources(formed, labelled=labelled), prod(map(len, formed.entities.values()))
        if sources is None or most > MOST_ASSIGNMENTS:
            return None
        apart = self._bound(formed, sources, most, "edges")
        return apart if apart.found else self._bound(formed, sources, most, "nothing")

    def _bound(self, formed: FormPattern, sources: Sources, most: int, distinct: Distinct) -> Nodes:
        found = matched_in(formed.written, sources, self._context, self._span, most, distinct)
        limit, nodes, truncated = self._context.budget.max_rows, dict[int, Any](), not found.proven
        for one in found.matches:
            bound = bindings_of(one, formed.written.pattern, sources, self._context, limit, distinct)
            truncated = truncated or bound.truncated
            nodes |= {node: nodes.get(node, one) for node in bound.nodes.tolist()}
        order = most_reached_first(nodes, formed.written.pattern, sources, self._context, distinct)
        return Nodes({node: nodes[node] for node in order}, sources, truncated, distinct)

    def _sources(self, formed: FormPattern, *, labelled: bool) -> Sources | None:
        """The linked entities for known nodes, each relation for itself, and the labels of the unknown nodes."""
        from clew.tools.patterns import Candidates, Sources

        relations = {name: number for number, name in enumerate(self._snapshot.relations)}
        labels = {name: number for number, name in enumerate(self._snapshot.labels)}
        reader = self._context.tools.reader
        wider = reader.wider if reader is not None else {}
        edges = [relations.get(str(edge.relation)) for edge in formed.written.pattern.edges]
        known = {place: self._numbers(entities) for place, entities in formed.entities.items()}
        if None in edges or not all(known.values()):
            return None
        allowed = {
            place: [labels[name] for name in narrowed(label, wider) if name in labels]
            for place, label in formed.labels.items()
            if labelled and place not in known
        }
        return Sources(
            {place: Candidates.of(numbers, [0.0] * len(numbers)) for place, numbers in known.items()},
            {place: Candidates.of([number], [0.0]) for place, number in enumerate(edges) if number is not None},
            {place: numbers for place, numbers in allowed.items() if numbers},
        )

    def _numbers(self, entities: tuple[Entity, ...]) -> list[int]:
        numbers = self._snapshot.nodes([entity.id for entity in entities]).tolist()
        return [number for number in numbers if number >= 0]

    def _support_by_subgraphs(self, attempt: Any, formed: FormPattern, nodes: Nodes) -> None:
        """The triples of the subgraph of each of the first answers; of the first bindings if the answers are no
        nodes."""
        numbered = {node: self._snapshot.id(node) for node in nodes.found}
        places = {answer["id"]: place for place, answer in enumerate(attempt["answers"])}
        shown = [node for node, id in numbered.items() if id in places] or list(nodes.found)
        pattern = formed.written.pattern
        for node in sorted(shown, key=lambda each: places.get(numbered[each], 0))[:SUPPORTED]:
            one = subgraph_of(node, nodes.found[node], pattern, nodes.sources, self._snapshot, nodes.distinct)
            self._found.support(attempt, triplets_of(one, self._snapshot))
