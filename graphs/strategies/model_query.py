"""The query of the linker's model: corrected by the schema and the names of the graph, run, and read into answers.

Source: ByoKG-RAG section 3.4, graph query retrieval. Unlike the paper, the query is checked before it runs, and the
model gets one chance to correct what went wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.agents.answering import confidence
from clew.agents.evidence import Attempt, answer_ref
from clew.agents.models.calls import ModelFailed
from clew.agents.prompting import prompt
from clew.agents.replies import parse_artifacts
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.found import Found
from clew.graphs.strategies.names import CANDIDATES, linked_as, lookup_in, schema_shown
from clew.graphs.trace_records import attempt_record, record_plan
from clew.tools.cypher_repair.draft import RepairedQuery
from clew.tools.cypher_repair.matched import match_query
from clew.tools.cypher_repair.repair import repair
from clew.tools.cypher_repair.rows import ResultTable, ShapedQuery, read_result, shape_query
from clew.tools.errors import ClewError, QueryFailed, QueryTimeout
from clew.tools.graph.entity import Candidate, Entity
from clew.tools.graph.store.graph_store import Rows
from clew.tools.graph.triplets import Triplet
from clew.tools.linking.index import best_of

MOST_QUERIES = 2
"""Of those that the model wrote, tried in turn until one has rows."""
ANSWERS, TRIPLETS = 25, 60
"""Answers whose triplets are fetched, and triplets in all."""
_SCHEMA_TOKENS = 1500


class ModelQueries:
    """Runs the queries of one iteration; without a model there are none."""

    def __init__(self, state: StrategyInput, context: Context, span: Span) -> None:
        self._state, self._context, self._span = state, context, span
        self._queries = list(dict.fromkeys(state["artifacts"]["cypher"]))[:MOST_QUERIES] if state["artifacts"] else []
        self._asked_again = False
        self._last = ""
        """The query that was run or refused last."""
        self._fault = ""
        self.found = Found("cypher", state["iteration"])
        """At most one attempt: the first with answers, else the last that ran."""

    @property
    def empty(self) -> bool:
        """Whether a query ran, and gave nothing."""
        return any(not attempt["answers"] for attempt in self.found.attempts.values())

    def run(self) -> None:
        """Each query in turn until one has answers; where none of them could be run, the model may correct the last."""
        for query in self._queries:
            if self._context.run.deadline.passed or self._try(query):
                return
        if not self.found.attempts and self._queries:
            self.run_again()

    def run_again(self) -> None:
        """Tell the model, once, what came of its query, and run what it writes instead."""
        model = model_of("linker", self._context, self._span, leaving=1)
        if model is None or self._asked_again or not self._fault or self._context.run.deadline.passed:
            return
        self._asked_again = True
        labels = self._context.tools.schema.labels
        asked = prompt(
            "repair_query",
            question=self._state["question"],
            schema=schema_shown(
                self._context.tools, self._state, _SCHEMA_TOKENS, [label for label in labels if label in self._last]
            ),
            cypher=self._last,
            fault=self._fault,
        )
        try:
            corrected = parse_artifacts(model.ask(asked).text).cypher
        except ModelFailed as error:
            self._fail(error)
            return
        if corrected and corrected[0] != self._last:
            self._try(corrected[0])

    def _try(self, cypher: str) -> bool:
        """Whether the query could be run and has answers. What it gave, or why it could not be run, is kept."""
        self._span.event("generated", cypher=cypher)
        self._last = cypher
        try:
            mended = repair(cypher, self._context.tools.schema, self._context.tools.store.terms, self._names)
            self._span.event(
                "corrected", cypher=mended.cypher, parameters=mended.parameters,
                changes=list(mended.changes), doubts=list(mended.doubts),
            )  # fmt: skip
            rows, query = self._read(mended)
        except QueryFailed as error:
            self._span.event("failed", cypher=error.cypher, message=error.message)
            self._fail(error)
            return False
        self._keep(mended, rows, query)
        return not self.empty

    def _read(self, mended: RepairedQuery) -> tuple[Rows, ShapedQuery]:
        """The rows with hidden columns; where the database does not take those, without."""
        store, limits = self._context.tools.store, self._context.limits()
        query = shape_query(mended.cypher, mended.parameters, self._context.tools.schema, store.terms)
        try:
            return store.read(query.cypher, query.parameters, limits), query
        except QueryTimeout:
            raise
        except QueryFailed:
            plainly = ShapedQuery(mended.cypher, mended.parameters, ())
            return store.read(plainly.cypher, plainly.parameters, self._context.limits()), plainly

    def _keep(self, mended: RepairedQuery, rows: Rows, query: ShapedQuery) -> None:
        found = read_result(rows.records, query, lookup_in(self._context.tools), [c.entity.id for c in mended.anchors])
        attempt = self._attempt(mended, rows, found)
        self.found.keep(attempt, "model")
        self.found.errors = {}
        self._span.event("executed", **attempt_record(attempt, len(rows.records)), sent=query.cypher)
        record_plan(query.cypher, query.parameters, self._context, self._span)
        if attempt["answers"]:
            self.found.support(attempt, [*self._matched(mended, attempt, found), *_values(found)])
            self.found.dead_ends = []
            return
        self._last = mended.cypher
        said = [*mended.changes, *mended.doubts, *(f"${key} is {value!r}" for key, value in mended.parameters.items())]
        self._fault = "It ran, but gave no rows." + (f" Note: {'; '.join(said)}." if said else "")
        self.found.dead_ends = list(mended.doubts)

    def _attempt(self, mended: RepairedQuery, rows: Rows, found: ResultTable) -> Attempt:
        attempt = self.found.attempt(
            f"the model's query for {', '.join(found.columns) or 'rows'}",
            [answer_ref(row) for row in found.answers],
            confidence.of_model_query([candidate.score for candidate in mended.anchors], rows.truncated),
            cypher=mended.cypher,
            parameters=mended.parameters,
            anchors=[candidate.entity for candidate in mended.anchors],
            truncated=rows.truncated,
            ms=rows.ms,
        )
        attempt["by_model"] = True
        if len(found.columns) > 1:
            attempt["columns"], attempt["rows"] = found.columns, found.rows
        return attempt

    def _matched(self, mended: RepairedQuery, attempt: Attempt, found: ResultTable) -> list[Triplet]:
        """The triplets that the query matched, where it is simple enough to ask for them."""
        ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:ANSWERS]
        answer = found.answer.name if found.answer and found.answer.name else None
        terms, store = self._context.tools.store.terms, self._context.tools.store
        query = match_query(mended.cypher, mended.parameters, terms, ids, answer, TRIPLETS)
        if query is None or self._context.run.deadline.passed:
            return []
        try:
            return query.triplets(store.read(query.cypher, query.parameters, self._context.limits(TRIPLETS)).records)
        except QueryFailed as error:
            self._span.event("no triplets", cypher=error.cypher, message=error.message)
            return []

    def _fail(self, error: ClewError) -> None:
        self._fault = str(error)
        self.found.errors = {}
        self.found.fail(error, "/model")

    def _names(self, literal: str, label: str | None) -> Sequence[Candidate]:
        """What the mentions were linked to, where the literal is one of them, and what the index finds."""
        found = self._context.tools.index.search(literal, m=CANDIDATES, label=label)
        return best_of([*linked_as(literal, label, self._state), *found])


def _values(found: ResultTable) -> list[Triplet]:
    """Properties whose values are the answers, as triplets; a value has no id of its own, so it is its own."""
    return [Triplet(node, name, Entity(value, value, "value")) for node, name, value in found.values[:ANSWERS]]
