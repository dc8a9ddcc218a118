"""What a step tells its trace of the things that several steps have: queries with their rows, decisions, evidence.

Everything here is cut to what a person can read; the state has it whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clew.agents.evidence import Attempt, Evidence, MentionRef
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.tools.errors import DatabaseUnavailable, QueryFailed
from clew.tools.graph.entity import Candidate

ROWS_TOLD = 20
_EVIDENCE_TOLD = 40
_TEXT_TOLD = 160
"""Characters of a name: that of a passage is its whole text."""


def told(attempt: Attempt, rows: int | None = None) -> dict[str, Any]:
    """An attempt with its first answers; `rows` is how many there are, `table` the first rows where they have several
    columns."""
    kept: dict[str, Any] = {**attempt, "answers": attempt["answers"][:ROWS_TOLD]}
    kept["rows"] = len(attempt["answers"]) if rows is None else rows
    if "rows" in attempt:
        kept["table"] = attempt["rows"][:ROWS_TOLD]
    if "fits" in attempt:
        kept["fits"] = dict(list(attempt["fits"].items())[:ROWS_TOLD])
    return kept


def tell_plan(cypher: str, parameters: Mapping[str, Any], context: Context, span: Span) -> None:
    """How the database runs a query, where the trace wants that; a plan that it does not give costs nothing."""
    if not context.run.trace.keeps_plans or context.run.deadline.passed:
        return
    try:
        span.event("plan", text=context.tools.store.plan(cypher, parameters), of=cypher)
    except (DatabaseUnavailable, QueryFailed) as error:
        span.event("no plan", message=error.message)


def weighed(attempts: Iterable[Attempt]) -> list[dict[str, Any]]:
    """What there is to answer from, the surest first."""
    ranked = sorted(attempts, key=lambda attempt: (not attempt["answers"], -attempt["confidence"]))
    return [
        {
            "strategy": attempt["strategy"],
            "iteration": attempt["iteration"],
            "by_model": attempt.get("by_model", False),
            "words": attempt["words"],
            "confidence": attempt["confidence"],
            "answers": len(attempt["answers"]),
        }
        for attempt in ranked[:ROWS_TOLD]
    ]


def pieces(evidence: Sequence[Evidence]) -> list[list[Any]]:
    """Triplets as [head, relation, tail, score, strategies]."""
    return [
        [
            item["head"]["name"][:_TEXT_TOLD],
            item["relation"],
            item["tail"]["name"][:_TEXT_TOLD],
            round(item["score"], 4),
            sorted({source["strategy"] for source in item["provenance"].values()}),
        ]
        for item in evidence[:_EVIDENCE_TOLD]
    ]


def hits(found: Iterable[Candidate], kept: Iterable[Candidate]) -> list[list[Any]]:
    """What a search of the entity index found, as [name, label, score, matcher, matched, whether it is kept]."""
    ids = {candidate.entity.id for candidate in kept}
    return [[c.entity.name, c.entity.label, round(c.score, 4), c.matcher, c.matched, c.entity.id in ids] for c in found]


def chosen(mentions: Sequence[MentionRef]) -> list[list[Any]]:
    """The entity that each mention stands for first, as [text, name, label, matcher, score]."""
    firsts = [(mention["text"], mention["candidates"][0]) for mention in mentions if mention["candidates"]]
    return [[text, c["name"], c["label"], c["matcher"], c["score"]] for text, c in firsts]
