"""plan: text searches and queries that alternate, planned before any of them runs.

Source: SAGE sections 2.2 and 3.2: SPARK and the expansion after it. A model writes the plan and may correct it once;
without a model, the plan is made from the parts of the question. If no plan has results, the texts are searched with
the whole question.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from clew.agents.answering import confidence
from clew.agents.evidence import Attempt, entity_row
from clew.graphs.context import Context
from clew.graphs.model_calls import model_of
from clew.graphs.recorder import Span
from clew.graphs.state import StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.names import CANDIDATES, linked_as, lookup_in, schema_shown
from clew.graphs.strategies.plan_nodes import (
    MOST_NODES,
    K,
    Ranking,
    conditions_of,
    nearest_cosine,
    ranked_answers,
    step_record,
)
from clew.graphs.strategies.ranking import ranked_queries
from clew.graphs.strategies.read import takes_many_steps
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.strategies.texts import details_of, prepare_texts, text_triplet
from clew.graphs.trace_records import attempt_record
from clew.tools.graph.entity import Candidate, Entity
from clew.tools.graph.triplets import Triplet

if TYPE_CHECKING:
    from clew.agents.planning.drafts import Draft, Run
    from clew.agents.planning.plan_writer import PlanReply
    from clew.tools.queries.plans.checking import CheckedPlan
    from clew.tools.queries.plans.plan import Plan, PlanOutcome, PlanStepResult, RankedNode
    from clew.tools.queries.plans.running import PlanRunner
    from clew.tools.queries.space.query import RankedQuery

SUPPORTED = 10
"""Number of nodes, best first, whose texts and relationships become evidence."""
TRIPLETS = 60
UNMET = 0.3
"""Greatest confidence of nodes that do not meet the question's conditions, if none does."""
_BY_TEXTS = "They are ranked by how near their texts are to the description; no query vouches for that."
_SCHEMA_TOKENS = 2000


def plan(state: StrategyInput, context: Context, span: Span) -> StepResult:
    planning = _Planning(state, context, span)
    by_model = planning.by_model()
    if not by_model and not takes_many_steps(state, context):  # No plan does.
        planning.by_parts()
    found = planning.found
    count = sum(len(attempt["answers"]) for attempt in found.attempts.values())
    whose = "the model's plan" if by_model else "a plan of the question's parts"
    return StepResult(
        found.update("attempts", "evidence", "errors"), f"Followed {whose}: {spoken(count, 'node')}", planning.lines
    )


class _Planning:
    """Plans and runs one reading of a question."""

    def __init__(self, state: StrategyInput, context: Context, span: Span) -> None:
        from clew.tools.queries.plans.running import PlanRunner  # most questions are not planned

        self._state, self._context, self._span = state, context, span
        self._started = time.monotonic()
        self._runner: PlanRunner = PlanRunner(
            context.tools.store,
            context.tools.schema,
            lookup_in(context.tools),
            context.tools.texts.index if context.tools.texts is not None else None,
            context.limits,
            lambda: context.run.deadline.passed,
        )
        self.found = StrategyFindings("plan", state["iteration"])
        self.lines: list[str] = []

    # ---- with a model ----------------------------------------------------------------------------------------------

    def by_model(self) -> bool:
        """Run the model's plan; returns whether it has results."""
        model = model_of("plan", self._context, self._span, leaving=1)
        if model is None:
            return False
        from clew.agents.planning.plan_writer import GAVE_NOTHING, correct, write

        question, shown = self._state["question"], schema_shown(self._context.tools, self._state, _SCHEMA_TOKENS)
        reply = write(model, question, shown, self._check)
        outcome, problem = self._run_reply(reply), reply.problem or GAVE_NOTHING
        if outcome is not None and outcome.error is not None:
            problem = "The database could not run it: it took too long, or is not a valid query there."
        if (outcome is None or outcome.empty) and reply.reply and not self._context.run.deadline.passed:
            self._span.event("asked again", problem=problem)
            reply = correct(model, question, shown, reply.reply, problem, self._check)
            outcome = self._run_reply(reply)
        if reply.failure is not None:
            self.found.fail(reply.failure, "/model")
        if outcome is None or outcome.empty:
            self._span.event("without a model", message=reply.problem or GAVE_NOTHING)
            self.lines.append(f"The model's plan: {reply.problem or GAVE_NOTHING}")
            return False
        assert reply.checked is not None
        self._keep_model(reply.checked, outcome)
        return True

    def _run_reply(self, reply: PlanReply) -> PlanOutcome | None:
        if reply.checked is None:
            if reply.failure is None:
                self._span.event("refused", reply=reply.reply[:4000], problem=reply.problem)
            return None
        return self._run(reply.checked)

    def _run(self, checked: CheckedPlan) -> PlanOutcome:
        self._span.event("plan", steps=[repr(step)[:2000] for step in checked.plan.steps], answer=checked.plan.answer,
                         changes=list(checked.changes))  # fmt: skip
        return self._runner.run(checked, self._record)

    def _keep_model(self, checked: CheckedPlan, outcome: PlanOutcome) -> None:
        """Keep the nodes of the model's plan; nodes without an order are ranked by the question."""
        nodes = self._ordered_by_question(outcome.answer.nodes[:MOST_NODES])
        found = Ranking(nodes, self._search(), where=conditions_of(checked.plan))
        anchors = tuple(candidate.entity for candidate in checked.anchors)
        words = f"the model's plan: {', '.join(step.name for step in checked.plan.steps)}"
        attempt = self._attempt(words, outcome, found, checked.plan.follows_edges, anchors)
        attempt["confidence"] = confidence.of_plan(
            any(step.cypher for step in outcome.steps), True, nearest_cosine(nodes)
        )
        attempt["by_model"] = True
        self._keep(attempt, nodes, None)

    def _ordered_by_question(self, nodes: Sequence[RankedNode]) -> list[RankedNode]:
        texts = self._runner.texts
        if texts is None or len({each.score for each in nodes}) != 1 or len(nodes) < 2:
            return list(nodes)
        hits = texts.search(self._state["question"], len(nodes), within=[each.entity.id for each in nodes])
        scores = {hit.id: hit.score for hit in hits}
        scored = [replace(each, score=0.5 + 0.5 * scores.get(each.entity.id, 0.0)) for each in nodes]
        return sorted(scored, key=lambda each: -each.score)

    # ---- without a model -------------------------------------------------------------------------------------------

    def by_parts(self) -> None:
        from clew.agents.planning.drafts import beside, run_drafts

        drafts = self._drafts()
        self._span.event("drafts", candidates=[{"words": draft.words, "score": draft.score} for draft in drafts])
        runs = run_drafts(drafts, self._runner, self._check, self._record_draft)
        nodes, following = beside(runs, self._search(), K)
        if runs:
            self._keep_run(runs[0], nodes, following)
        elif following:
            self._keep_search(following)

    def _drafts(self) -> list[Draft]:
        planner = self._context.tools.planner
        if planner is None:
            return []
        state = self._state
        return planner.drafts(state["question"], state["mentions"], self._ranked, state["alternatives"])

    def _ranked(self, question: str) -> list[RankedQuery]:
        """The ranked queries: shared with other strategies for the whole question, separate for a part of it."""
        whole = question == self._state["question"]
        return ranked_queries({**self._state, "question": question}, self._context if whole else replace(self._context))

    def _keep_run(self, run: Run, nodes: list[RankedNode], following: list[RankedNode]) -> None:
        query = run.draft.query
        words = run.draft.words + (" (no condition met)" if run.relaxed else "")
        anchors = tuple(query.anchors) if query is not None else ()
        found = Ranking(nodes, following, () if run.relaxed else conditions_of(run.checked.plan), run.relaxed)
        attempt = self._attempt(words, run.outcome, found, query is not None, anchors)
        sure = confidence.of_plan(query is not None, False, nearest_cosine(nodes))
        attempt["confidence"] = min(sure, UNMET) if run.relaxed else sure
        if run.draft.text:
            attempt["searched"], attempt["note"] = run.draft.text, _BY_TEXTS
        self._keep(attempt, nodes, run.draft)

    def _keep_search(self, nodes: list[RankedNode]) -> None:
        """Keep the nodes of a text search, if no plan has results."""
        from clew.tools.queries.plans.plan import PlanOutcome, PlanStepResult

        outcome = PlanOutcome((), PlanStepResult("search"))
        attempt = self._attempt("nodes whose texts fit the question", outcome, Ranking(nodes), False, ())
        attempt["confidence"] = confidence.of_plan(False, False, nearest_cosine(nodes))
        attempt["searched"], attempt["note"] = self._state["question"], _BY_TEXTS
        self._keep(attempt, nodes, None)

    def _search(self) -> list[RankedNode]:
        """The nodes whose texts match the whole question."""
        from clew.tools.queries.plans.plan import ranked_node

        if self._runner.texts is None or self._context.run.deadline.passed:
            return []
        return [ranked_node(hit) for hit in self._runner.texts.search(self._state["question"], K)]

    # ---- what both share -------------------------------------------------------------------------------------------

    def _check(self, plan: Plan) -> CheckedPlan:
        from clew.tools.queries.plans.checking import check

        return check(plan, self._context.tools.schema, self._context.tools.store.terms, self._names)

    def _attempt(
        self,
        words: str,
        outcome: PlanOutcome,
        found: Ranking,
        edges: bool,
        anchors: Sequence[Entity],
    ) -> Attempt:
        ranked = ranked_answers(found, edges, self._state["question"], self._context, self._span, self._runner.meeting)
        last = next((step for step in reversed(outcome.steps) if step.cypher), None)
        own = set() if found.unmet else {each.entity.id for each in found.nodes}
        answers = [entity_row(each.entity) for each in ranked]
        answers = [row if row["id"] in own else {**row, "near": True} for row in answers]
        answers += [{"id": None, "name": value, "label": "value", "support": 1} for value in outcome.answer.values]
        attempt = self.found.attempt(
            words,
            answers,
            0.0,
            cypher=last.cypher if last else "",
            parameters=dict(last.parameters) if last else {},
            anchors=anchors,
            truncated=outcome.answer.truncated,
            ms=(time.monotonic() - self._started) * 1000,
        )
        attempt["fits"] = {each.entity.id: round(each.score, 4) for each in ranked}
        if self._context.tools.models is not None and self._context.tools.texts is not None and ranked:
            entities = [each.entity for each in ranked]
            attempt["columns"], attempt["rows"] = details_of(entities, self._state["question"], self._context)
        return attempt

    def _keep(self, attempt: Attempt, nodes: Sequence[RankedNode], draft: Draft | None) -> None:
        self.found.keep(attempt, attempt["rank"])
        self._span.event("answers", **attempt_record(attempt))
        self.lines.append(f"{attempt['words']}: {spoken(len(attempt['answers']), 'node')}")
        self.found.support(attempt, self._triplets(nodes, draft))

    def _triplets(self, nodes: Sequence[RankedNode], draft: Draft | None) -> list[Triplet]:
        """The relationships that led to the best nodes, and the texts that matched."""
        best = nodes[:SUPPORTED]
        texts = [triplet for each in best if each.hit is not None for triplet in text_triplet(each.hit)]
        if draft is None or draft.query is None or self._context.run.deadline.passed:
            return texts
        ids = [each.entity.id for each in best]
        return [*self._context.tools.space.evidence(draft.query, ids, TRIPLETS), *texts]

    def _record(self, result: PlanStepResult) -> None:
        self._span.event("step", **step_record(result))

    def _record_draft(self, draft: Draft, result: PlanStepResult) -> None:
        self._span.event("step", draft=draft.words, **step_record(result))

    def _names(self, literal: str, label: str | None) -> Sequence[Candidate]:
        """What the mentions were linked to, where the literal is one of them, else what the index finds."""
        index = self._context.tools.index
        return linked_as(literal, label, self._state) or index.search(literal, m=CANDIDATES, label=label)


def _has_texts(context: Context) -> bool:
    """Whether the graph's nodes say more than their names, and what they say is indexed, or soon will be."""
    planner, texts = context.tools.planner, context.tools.texts
    return planner is not None and planner.rich and texts is not None and texts.is_ready


STRATEGY = Strategy(
    name="plan",
    run=plan,
    does="Divides the question into steps, of texts to search and queries to run, and joins what they find",
    source="SAGE 2.2, 3.2 (SPARK)",
    needs="nodes with texts that are indexed, or few",
    without_model=Turn.UNSURE,
    with_model=Turn.UNSURE,
    complete_answers=True,
    model_origin="its plan",
    is_ready=_has_texts,
    prepare=prepare_texts,
    by_texts=True,
    needs_entities=False,
)
