"""gather: order the evidence of all strategies, and keep the whole items that fit the token budget.

There are no duplicates: the state has one item per triplet, with every source that found it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clew.agents.evidence import Evidence
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState
from clew.graphs.steps import StepResult, spoken
from clew.graphs.trace_records import evidence_records
from clew.tools.embedding.token_budget import fitting


def gather(state: NodeState, context: Context, span: Span) -> StepResult:
    ordered = in_order(state["evidence"])
    selected = select(ordered, context)
    dropped = len(ordered) - len(selected)
    span.event(
        "selected", kept=len(selected), dropped=dropped, budget_tokens=context.budget.max_tokens,
        triplets=evidence_records([item for _, item in ordered]),
    )  # fmt: skip
    sources = sorted({s["strategy"] for item in state["evidence"].values() for s in item["provenance"].values()})
    title = f"Kept {spoken(len(selected), 'triplet')} of {len(ordered)}"
    return StepResult({"selected": selected}, f"{title}, from {', '.join(sources)}" if sources else title)


def in_order(evidence: Mapping[str, Evidence]) -> list[tuple[str, Evidence]]:
    """Evidence by its key, best first."""
    return sorted(evidence.items(), key=lambda entry: (*_order(entry[1]), entry[0]))


def select(ordered: Iterable[tuple[str, Evidence]], context: Context) -> list[str]:
    """The keys of the first items that fit the token budget."""
    return fitting(((key, sentence(item)) for key, item in ordered), context.budget.max_tokens)


def _order(item: Evidence) -> tuple[float, int]:
    return -item["score"], -len({source["strategy"] for source in item["provenance"].values()})


def sentence(item: Evidence) -> str:
    """A triplet as a line of context: "Alien (Film) — directed_by → Ridley Scott (Person)"."""
    head, tail = item["head"], item["tail"]
    return f"{head['name']} ({head['label']}) — {item['relation']} → {tail['name']} ({tail['label']})"
