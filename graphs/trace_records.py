"""Records for the trace that several steps write: queries with their rows, evidence, search hits.

Records are cut to what a person can read; the state holds everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clew.agents.evidence import Attempt, Evidence
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.tools.errors import DatabaseUnavailable, QueryFailed
from clew.tools.graph.entity import Candidate, Mention

ROWS_SHOWN = 20
_EVIDENCE_SHOWN = 40
_TEXT_SHOWN = 160
"""Maximum characters of a name; the name of a passage is its whole text."""


def attempt_record(attempt: Attempt, rows: int | None = None) -> dict[str, Any]:
    """An attempt with its first answers. `rows` counts them, `table` has the first rows with several columns."""
    kept: dict[str, Any] = {**attempt, "answers": attempt["answers"][:ROWS_SHOWN]}
    kept["rows"] = len(attempt["answers"]) if rows is None else rows
    if "rows" in attempt:
        kept["table"] = attempt["rows"][:ROWS_SHOWN]
    if "fits" in attempt:
        kept["fits"] = dict(list(attempt["fits"].items())[:ROWS_SHOWN])
    return kept


def record_plan(cypher: str, parameters: Mapping[str, Any], context: Context, span: Span) -> None:
    """Record how the database runs a query, if the trace keeps plans and the database gives one."""
    if not context.run.trace.keeps_plans or context.run.deadline.passed:
        return
    try:
        span.event("plan", text=context.tools.store.plan(cypher, parameters), of=cypher)
    except (DatabaseUnavailable, QueryFailed) as error:
        span.event("no plan", message=error.message)


def attempt_summaries(attempts: Iterable[Attempt]) -> list[dict[str, Any]]:
    """Summaries of the attempts, highest confidence first."""
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
        for attempt in ranked[:ROWS_SHOWN]
    ]


def evidence_records(evidence: Sequence[Evidence]) -> list[list[Any]]:
    """Triplets as [head, relation, tail, score, strategies]."""
    return [
        [
            item["head"]["name"][:_TEXT_SHOWN],
            item["relation"],
            item["tail"]["name"][:_TEXT_SHOWN],
            round(item["score"], 4),
            sorted({source["strategy"] for source in item["provenance"].values()}),
        ]
        for item in evidence[:_EVIDENCE_SHOWN]
    ]


def hit_records(found: Iterable[Candidate], kept: Iterable[Candidate]) -> list[list[Any]]:
    """The hits of a search of the entity index, as [name, label, score, matcher, matched, whether it is kept]."""
    ids = {candidate.entity.id for candidate in kept}
    return [[c.entity.name, c.entity.label, round(c.score, 4), c.matcher, c.matched, c.entity.id in ids] for c in found]


def mention_records(mentions: Sequence[Mention]) -> list[list[Any]]:
    """The entity that each mention stands for first, as [text, name, label, matcher, score]."""
    firsts = [(mention.text, mention.candidates[0]) for mention in mentions if mention.candidates]
    return [[text, c.entity.name, c.entity.label, c.matcher, c.score] for text, c in firsts]
