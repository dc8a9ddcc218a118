"""Draft plans: their steps, running them, and choosing among them by their results.

The words that describe the answer decide which reading of the names is right: its nodes are nearer to them. A reading
whose nodes are far from the description loses to a search without names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from clew.agents.planning.clauses import NestedClause
from clew.tools.queries.plans.checking import CheckedPlan, PlanRefused
from clew.tools.queries.plans.plan import (
    USUAL_K,
    Narrowing,
    Nodes,
    Plan,
    PlanOutcome,
    PlanStepResult,
    RankedNode,
    Related,
    Search,
    Step,
    Traverse,
)
from clew.tools.queries.plans.running import PlanRunner, Texts
from clew.tools.queries.space.query import Hop, Query
from clew.tools.queries.space.words import noun_of, words

FIT = 0.15
"""Weight of the fit to the description beside the ranker's scores."""
LEAST_FIT = 0.15
"""If no reading of the names has a node with this fit, the search without names goes first."""
BM25_SHARE = 0.6
"""Share of BM25 in a fit; the rest is the cosine's."""
DESCRIBED_STARTS = 50
"""Nodes that a described thing may be."""
_NEARLY = 0.5
"""Highest score of nodes beside the answer."""

Check = Callable[[Plan], CheckedPlan]
"""Raises PlanRefused."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One plan for a question."""

    plan: Plan
    words: str
    score: float
    """Comparable within one question only."""
    label: str | None
    query: Query | None = None
    """The query of the question's names, if the plan has one."""
    text: str = ""
    """The description that it searches for; "" if there is none."""
    relaxed: Plan | None = None
    """The same plan without its conditions, if it has some."""
    top: int | None = None
    """How many answers are asked for, if they are in order."""


def plan_steps(
    query: Query | None, label: str | None, text: str, narrowing: Narrowing, reached: tuple[NestedClause, Hop] | None
) -> tuple[Step, ...]:
    """The steps of a plan: relationships first, then the description, then comparisons."""
    steps: list[Step] = [] if query is None else [Related("related", query)]
    if reached is not None:
        inner, hop = reached
        within = steps[-1].name if steps else None
        steps.append(Search("other", inner.text, inner.label, DESCRIBED_STARTS))
        steps.append(Traverse("reached", "other", hop, within))
    if text:
        within = steps[-1].name if steps else None
        steps.append(Search("described", text, label, USUAL_K, within=within, narrowing=narrowing))
    elif steps:
        steps[-1] = replace(steps[-1], narrowing=narrowing)
    elif label is not None and not narrowing.empty:
        steps.append(Nodes("every", label, None, narrowing))
    return tuple(steps)


def plan_words(
    query: Query | None, label: str | None, text: str, narrowing: Narrowing, reached: tuple[NestedClause, Hop] | None
) -> str:
    """The plan for people: "drug that targets X, like “treats parasites”, with price < 20"."""
    noun = words(query) if query is not None else noun_of(label) if label is not None else "anything"
    if reached is not None:
        noun += f", {reached[1].relation} {noun_of(reached[0].label)} like \u201c{reached[0].text}\u201d"
    noun += f", like \u201c{text}\u201d" if text else ""
    for each in narrowing.where:
        noun += f", with {each.property} {each.comparison} {each.value}"
    if narrowing.order is not None:
        by = narrowing.order.by if isinstance(narrowing.order.by, str) else narrowing.order.by.relation
        noun += f", by {'most' if narrowing.order.descending else 'least'} {by}"
    return noun


@dataclass(frozen=True, slots=True)
class Run:
    """A draft, and its outcome."""

    draft: Draft
    checked: CheckedPlan
    """The plan that ran."""
    outcome: PlanOutcome
    fit: float = 0.0
    """0 to 1: how well its best node fits the description, relative to the best node of the label."""
    relaxed: bool = False
    """Its conditions were dropped, since no node meets them."""


def run_drafts(
    drafts: Sequence[Draft], runner: PlanRunner, check: Check, on_result: Callable[[Draft, PlanStepResult], None]
) -> list[Run]:
    """The drafts with results, best first; without a description only the first. `on_result` receives the result of
    each step."""
    described = any(draft.text for draft in drafts)
    runs: list[Run] = []
    for draft in drafts:
        if runs and not described and draft.query is None:
            break
        for plan in (draft.plan, draft.relaxed):
            if plan is None or runner.passed():
                continue
            try:
                checked = check(plan)
            except PlanRefused as refused:
                on_result(draft, PlanStepResult(plan.answer, note=refused.message))
                continue
            outcome = runner.run(checked, lambda result, draft=draft: on_result(draft, result))  # type: ignore[misc]
            if not outcome.empty:
                runs.append(Run(draft, checked, outcome, _fit(draft, outcome, runner.texts), plan is draft.relaxed))
                break
        if runs and not described:
            break
    return _chosen(runs) if described else runs


def _chosen(runs: Sequence[Run]) -> list[Run]:
    """Runs that meet their conditions first, then readings of the names by score and fit, then those without names."""

    fits = any(run.fit >= LEAST_FIT for run in runs if run.draft.query is not None)

    def rank(run: Run) -> tuple[bool, bool, float]:
        return run.relaxed, (run.draft.query is None) == fits, -run.draft.score - FIT * run.fit

    return sorted(runs, key=rank)


def _fit(draft: Draft, outcome: PlanOutcome, texts: Texts | None) -> float:
    """The fit of the draft's best node; 1 if the draft does not end in a description."""
    if draft.query is None or not isinstance(draft.plan.by_name[draft.plan.answer], Search):
        return 1.0
    found = [each.hit for each in outcome.answer.nodes if each.hit is not None]
    best = texts.search(draft.text, 1, label=draft.label, describes=True) if texts is not None and found else []
    if not best:
        return 0.0
    share = BM25_SHARE if best[0].bm25 > 0 else 0.0
    bm25, cosine = max(best[0].bm25, 1e-9), max(best[0].cosine, 1e-9)
    return max(
        share * min(1.0, hit.bm25 / bm25) + (1 - share) * min(1.0, max(0.0, hit.cosine) / cosine) for hit in found
    )


def beside(runs: Sequence[Run], further: Sequence[RankedNode], most: int) -> tuple[list[RankedNode], list[RankedNode]]:
    """The nodes that answer, from the first of `runs`, and the nodes that come next, `most` together: those that an
    order puts behind, those of the other drafts, and those of a search without a plan (`further`)."""
    nodes = list(runs[0].outcome.answer.nodes) if runs else []
    top = runs[0].draft.top if runs else None
    answers, rest = (nodes[:top], nodes[top:]) if top is not None else (nodes, [])
    others = [each for run in sorted(runs[1:], key=lambda run: run.draft.query is not None) for each in _found(run)]
    known = {each.entity.id for each in answers}
    following: dict[str, RankedNode] = {}
    for each in (*rest, *others, *further):
        if each.entity.id not in known:
            following.setdefault(each.entity.id, each)
    kept = list(following.values())[: max(0, most - len(answers))]
    return answers, [replace(each, score=_NEARLY * (1 - i / (len(kept) + 1))) for i, each in enumerate(kept)]


def _found(run: Run) -> list[RankedNode]:
    return [each for each in run.outcome.answer.nodes if each.score > 0]
