"""Running the plans that a question's parts allow, and choosing among them by what they find.

The words that describe the answer tell which reading of the names is right: its nodes are more like them. A reading
whose nodes are nothing like the description loses to a search without names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from clew.agents.planning.parts_planner import Draft
from clew.tools.queries.plans.checking import CheckedPlan, PlanRefused
from clew.tools.queries.plans.plan import Plan, Search
from clew.tools.queries.plans.running import Outcome, PlanRunner, Ranked, StepResult, Texts

FIT = 0.15
"""What a perfect fit of the description is worth beside the ranker's scores."""
LEAST_FIT = 0.15
"""Where no reading of the names has a node that fits as well as this, the search without names goes first."""
BM25_SHARE = 0.6
"""Of a fit; the rest is the cosine's."""
_NEARLY = 0.5
"""Greatest score of what is beside the answer."""

Check = Callable[[Plan], CheckedPlan]
"""Raises PlanRefused."""


@dataclass(frozen=True, slots=True)
class Run:
    """A draft, and what it gave."""

    draft: Draft
    outcome: Outcome
    fit: float = 0.0
    """0 to 1: how well its best node fits the description, against the best of all nodes of the label."""
    relaxed: bool = False
    """Its conditions were dropped, since nothing meets them."""


def run_drafts(
    drafts: Sequence[Draft], runner: PlanRunner, check: Check, tell: Callable[[Draft, StepResult], None]
) -> list[Run]:
    """The drafts that gave something, the best first. A question without a description is answered by the first."""
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
                tell(draft, StepResult(plan.answer, note=refused.message))
                continue
            outcome = runner.run(checked, lambda result, draft=draft: tell(draft, result))  # type: ignore[misc]
            if not outcome.empty:
                runs.append(Run(draft, outcome, _fit(draft, outcome, runner.texts), plan is draft.relaxed))
                break
        if runs and not described:
            break
    return _chosen(runs) if described else runs


def _chosen(runs: Sequence[Run]) -> list[Run]:
    """What meets its conditions before what does not; readings of the names, by score and fit, before none."""

    fits = any(run.fit >= LEAST_FIT for run in runs if run.draft.query is not None)

    def rank(run: Run) -> tuple[bool, bool, float]:
        return run.relaxed, (run.draft.query is None) == fits, -run.draft.score - FIT * run.fit

    return sorted(runs, key=rank)


def _fit(draft: Draft, outcome: Outcome, texts: Texts | None) -> float:
    """Of the draft's best node; 1 where the draft does not end in a description."""
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


def beside(runs: Sequence[Run], further: Sequence[Ranked], most: int) -> tuple[list[Ranked], list[Ranked]]:
    """The nodes that answer, by the first of `runs`; and `most` less these that come next: what an order puts behind
    those that were asked for, what the other drafts and a search without any plan (`further`) found."""
    nodes = list(runs[0].outcome.answer.nodes) if runs else []
    top = runs[0].draft.top if runs else None
    answers, rest = (nodes[:top], nodes[top:]) if top is not None else (nodes, [])
    others = [each for run in sorted(runs[1:], key=lambda run: run.draft.query is not None) for each in _found(run)]
    known = {each.entity.id for each in answers}
    following: dict[str, Ranked] = {}
    for each in (*rest, *others, *further):
        if each.entity.id not in known:
            following.setdefault(each.entity.id, each)
    kept = list(following.values())[: max(0, most - len(answers))]
    return answers, [replace(each, score=_NEARLY * (1 - i / (len(kept) + 1))) for i, each in enumerate(kept)]


def _found(run: Run) -> list[Ranked]:
    return [each for each in run.outcome.answer.nodes if each.score > 0]
