"""The query of the linker's model: corrected by the schema and the names of the graph, run, and converted to answers.

Source: ByoKG-RAG section 3.4, graph query retrieval. Unlike the paper, the query is checked before it runs, and the
model gets one chance to correct it.
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
from clew.graphs.strategies.findings import StrategyFindings
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
"""Maximum number of the model's queries that are tried until one has rows."""
ANSWERS, TRIPLETS = 25, 60
"""Number of answers whose triplets are fetched, and of triplets."""
_SCHEMA_TOKENS = 1500


class ModelQueries:
    """Runs the queries of one iteration; without a model there are none."""

    def __init__(self, state: StrategyInput, context: Context, span: Span) -> None:
        self._state, self._context, self._span = state, context, span
        self._queries = list(dict.fromkeys(state["artifacts"]["cypher"]))[:MOST_QUERIES] if state["artifacts"] else []
        self._asked_again = False
        self._last = ""
        """The last query that ran or was rejected."""
        self._fault = ""
        self.found = StrategyFindings("cypher", state["iteration"])
        """At most one attempt: the first with answers, else the last that ran."""

    @property
    def empty(self) -> bool:
        """Whether a query ran without results."""
        return any(not attempt["answers"] for attempt in self.found.attempts.values())

    def run(self) -> None:
        """Run the queries until one has answers. If none could run, the model may correct the last one."""
        for query in self._queries:
            if self._context.run.deadline.passed or self._try(query):
                return
        if not self.found.attempts and self._queries:
            self.run_again()

    def run_again(self) -> None:
        """Report the result of the query to the model, once, and run its correction."""
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
        """Run the query and keep its results or its error; returns whether it has answers."""
        self._span.event("generated", cypher=cypher)
        self._last = cypher
        try:
            repaired = repair(cypher, self._context.tools.schema, self._context.tools.store.terms, self._names)
            self._span.event(
                "corrected", cypher=repaired.cypher, parameters=repaired.parameters,
                changes=list(repaired.changes), doubts=list(repaired.doubts),
            )  # fmt: skip
            rows, query = self._read(repaired)
        except QueryFailed as error:
            self._span.event("failed", cypher=error.cypher, message=error.message)
            self._fail(error)
            return False
        self._keep(repaired, rows, query)
        return not self.empty

    def _read(self, repaired: RepairedQuery) -> tuple[Rows, ShapedQuery]:
        """The rows with hidden columns, or without them if the database rejects those."""
        store, limits = self._context.tools.store, self._context.limits()
        query = shape_query(repaired.cypher, repaired.parameters, self._context.tools.schema, store.terms)
        try:
            return store.read(query.cypher, query.parameters, limits), query
        except QueryTimeout:
            raise
        except QueryFailed:
            without_hidden = ShapedQuery(repaired.cypher, repaired.parameters, ())
            return store.read(without_hidden.cypher, without_hidden.parameters, self._context.limits()), without_hidden

    def _keep(self, repaired: RepairedQuery, rows: Rows, query: ShapedQuery) -> None:
        found = read_result(
            rows.records, query, lookup_in(self._context.tools), [c.entity.id for c in repaired.anchors]
        )
        attempt = self._attempt(repaired, rows, found)
        self.found.keep(attempt, "model")
        self.found.errors = {}
        self._span.event("executed", **attempt_record(attempt, len(rows.records)), sent=query.cypher)
        record_plan(query.cypher, query.parameters, self._context, self._span)
        if attempt["answers"]:
            self.found.support(attempt, [*self._matched(repaired, attempt, found), *_values(found)])
            self.found.dead_ends = []
            return
        self._last = repaired.cypher
        notes = [
            *repaired.changes,
            *repaired.doubts,
            *(f"${key} is {value!r}" for key, value in repaired.parameters.items()),
        ]
        self._fault = "It ran, but gave no rows." + (f" Note: {'; '.join(notes)}." if notes else "")
        self.found.dead_ends = list(repaired.doubts)

    def _attempt(self, repaired: RepairedQuery, rows: Rows, found: ResultTable) -> Attempt:
        attempt = self.found.attempt(
            f"the model's query for {', '.join(found.columns) or 'rows'}",
            [answer_ref(row) for row in found.answers],
            confidence.of_model_query([candidate.score for candidate in repaired.anchors], rows.truncated),
            cypher=repaired.cypher,
            parameters=repaired.parameters,
            anchors=[candidate.entity for candidate in repaired.anchors],
            truncated=rows.truncated,
            ms=rows.ms,
        )
        attempt["by_model"] = True
        if len(found.columns) > 1:
            attempt["columns"], attempt["rows"] = found.columns, found.rows
        return attempt

    def _matched(self, repaired: RepairedQuery, attempt: Attempt, found: ResultTable) -> list[Triplet]:
        """The triplets that the query matched, if it is simple enough to extract them."""
        ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:ANSWERS]
        answer = found.answer.name if found.answer and found.answer.name else None
        terms, store = self._context.tools.store.terms, self._context.tools.store
        query = match_query(repaired.cypher, repaired.parameters, terms, ids, answer, TRIPLETS)
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
        """The linked entities of a mention with this text, and the hits of the index."""
        found = self._context.tools.index.search(literal, m=CANDIDATES, label=label)
        return best_of([*linked_as(literal, label, self._state), *found])


def _values(found: ResultTable) -> list[Triplet]:
    """Properties whose values are answers, as triplets; a value serves as its own id."""
    return [Triplet(node, name, Entity(value, value, "value")) for node, name, value in found.values[:ANSWERS]]
