"""The linker's model's own query: corrected by the schema and the names of the graph, run, and read into answers.

Source: ByoKG-RAG section 3.4, graph query retrieval. What the paper leaves to the model is checked here first, and
what goes wrong is told to the model once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clew.agents.answering import confidence
from clew.agents.evidence import Attempt, Evidence, Failure, entity_ref, evidence_of, mention_of, plain
from clew.agents.models.calls import ModelFailed
from clew.agents.prompting import prompt
from clew.agents.replies import parse_artifacts
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput, merge_evidence
from clew.graphs.steps import failure
from clew.graphs.telling import tell_plan, told
from clew.tools.cypher_repair.draft import RepairedQuery
from clew.tools.cypher_repair.matched import match_query
from clew.tools.cypher_repair.repair import repair
from clew.tools.cypher_repair.rows import Lookup, ResultTable, ShapedQuery, read_result, shape_query
from clew.tools.embedding.token_budget import counter
from clew.tools.errors import ClewError, QueryFailed, QueryTimeout
from clew.tools.graph.entity import Candidate, Entity
from clew.tools.graph.schema_text import schema_text
from clew.tools.graph.store.graph_store import Rows
from clew.tools.graph.triplets import Triplet
from clew.tools.linking.index import best_of
from clew.tools.linking.normalise import fold

MOST_QUERIES = 2
"""Of those that the model wrote, tried in turn until one has rows."""
CANDIDATES = 3
"""Entities looked up for one name (m in section 3.2)."""
ANSWERS, TRIPLETS = 25, 60
"""Answers whose triplets are fetched, and triplets in all."""
_SCHEMA_TOKENS = 1500


@dataclass(slots=True)
class Modelled:
    """What the model's queries gave."""

    attempts: dict[str, Attempt] = field(default_factory=dict)
    """At most one: the first with answers, else the last that ran."""
    evidence: dict[str, Evidence] = field(default_factory=dict)
    errors: dict[str, Failure] = field(default_factory=dict)
    dead_ends: list[str] = field(default_factory=list)

    @property
    def attempt(self) -> Attempt | None:
        return next(iter(self.attempts.values()), None)

    @property
    def empty(self) -> bool:
        """A query ran, and gave nothing."""
        return self.attempt is not None and not self.attempt["answers"]


class ModelQueries:
    """Runs the queries of one iteration; without a model there are none."""

    def __init__(self, state: StrategyInput, context: Context, span: Span) -> None:
        self._state, self._context, self._span = state, context, span
        self._queries = list(dict.fromkeys(state["artifacts"]["cypher"]))[:MOST_QUERIES] if state["artifacts"] else []
        self._asked_again = False
        self._last = ""
        """The query that was run or refused last."""
        self._fault = ""
        self.found = Modelled()

    def run(self) -> None:
        """Each query in turn until one has answers; where none of them could be run, the model may correct the last."""
        for query in self._queries:
            if self._context.run.deadline.passed or self._try(query):
                return
        if self.found.attempt is None and self._queries:
            self.run_again()

    def run_again(self) -> None:
        """Tell the model, once, what came of its query, and run what it writes instead."""
        model = model_of("linker", self._context, self._span, leaving=1)
        if model is None or self._asked_again or not self._fault or self._context.run.deadline.passed:
            return
        self._asked_again = True
        asked = prompt(
            "repair_query",
            question=self._state["question"],
            schema=self._schema(),
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
        return not self.found.empty

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
        found = read_result(rows.records, query, self._lookup, [c.entity.id for c in mended.anchors])
        attempt = self._attempt(mended, rows, found)
        self.found.attempts = {f"cypher/{self._state['iteration']}/model": attempt}
        self.found.errors = {}
        self._span.event("executed", **told(attempt, len(rows.records)), sent=query.cypher)
        tell_plan(query.cypher, query.parameters, self._context, self._span)
        if attempt["answers"]:
            self.found.evidence = self._evidence(mended, attempt, found)
            self.found.dead_ends = []
            return
        self._last = mended.cypher
        said = [*mended.changes, *mended.doubts, *(f"${key} is {value!r}" for key, value in mended.parameters.items())]
        self._fault = "It ran, but gave no rows." + (f" Note: {'; '.join(said)}." if said else "")
        self.found.dead_ends = list(mended.doubts)

    def _attempt(self, mended: RepairedQuery, rows: Rows, found: ResultTable) -> Attempt:
        scores = [candidate.score for candidate in mended.anchors]
        attempt: Attempt = {
            "strategy": "cypher",
            "iteration": self._state["iteration"],
            "rank": 0,
            "words": f"the model's query for {', '.join(found.columns) or 'rows'}",
            "cypher": mended.cypher,
            "parameters": plain(mended.parameters),
            "confidence": confidence.of_model_query(scores, rows.truncated),
            "anchors": [entity_ref(candidate.entity) for candidate in mended.anchors],
            "answers": [
                {"id": row.id, "name": str(row.name), "label": row.label, "support": row.support}
                for row in found.answers
            ],
            "truncated": rows.truncated,
            "ms": round(rows.ms, 3),
            "by_model": True,
        }
        if len(found.columns) > 1:
            attempt["columns"], attempt["rows"] = found.columns, found.rows
        return attempt

    def _evidence(self, mended: RepairedQuery, attempt: Attempt, found: ResultTable) -> dict[str, Evidence]:
        evidence: dict[str, Evidence] = {}
        for triplet in (*self._matched(mended, attempt, found), *_values(found)):
            item = evidence_of(
                triplet, attempt["confidence"], "cypher", attempt["iteration"], attempt["cypher"], attempt["parameters"]
            )
            evidence = merge_evidence(evidence, item)
        return evidence

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
        self.found.errors = failure("cypher", self._state["iteration"], error, "/model")

    def _names(self, literal: str, label: str | None) -> Sequence[Candidate]:
        """What the mentions were linked to, where the literal is one of them, and what the index finds."""
        folded = fold(literal)
        linked = [
            candidate
            for mention in map(mention_of, (*self._state["mentions"], *self._state["drafts"]))
            if fold(mention.text) == folded
            for candidate in mention.candidates
            if label in (None, candidate.entity.label)
        ]
        return best_of([*linked, *self._context.tools.index.search(literal, m=CANDIDATES, label=label)])

    @property
    def _lookup(self) -> Lookup:
        return Lookup(self._context.tools.index.get, self._by_name)

    def _by_name(self, name: str, label: str | None) -> Entity | None:
        return next((e for e in self._context.tools.index.by_name(name) if label in (None, e.label)), None)

    def _schema(self) -> str:
        """The part of the schema that the query and the question's entities concern."""
        mentioned = {c["label"] for mention in self._state["mentions"] for c in mention["candidates"]}
        concerned = {label for label in self._context.tools.schema.labels if label in self._last} | mentioned
        return schema_text(
            self._context.tools.schema, self._state["question"], concerned,
            count=counter(), budget=_SCHEMA_TOKENS, terms=self._context.tools.store.terms,
        ).text  # fmt: skip


def _values(found: ResultTable) -> list[Triplet]:
    """Properties whose values are the answers, as triplets; a value has no id of its own, so it is its own."""
    return [Triplet(node, name, Entity(value, value, "value")) for node, name, value in found.values[:ANSWERS]]
