"""Following chains of relations: a chain as an attempt with all its answers, and the triplets along it."""

from __future__ import annotations

from collections.abc import Sequence

from agents.findings import AnswerRef, Attempt, Evidence, entity_ref, evidence_of, plain
from graphs.context import Context
from graphs.state import StrategyInput, merge_evidence
from tools.linking.entity import Entity
from tools.query_space.query import Chain, Hop, Query
from tools.query_space.words import words

_ANSWERS_SUPPORTED = 10
_TRIPLETS = 20


def follow(
    queries: Sequence[Query], rank: int, confidence: float, state: StrategyInput, context: Context, rows: int | None
) -> Attempt:
    """One query, or the same for every member of a group, as an attempt; rows that several members share are added
    up. `rows` are those of one query at most, None for the run's own limit."""
    found: dict[tuple[str | None, str], AnswerRef] = {}
    text, parameters, truncated, ms = "", None, False, 0.0
    anchors: dict[str, Entity] = {}
    for query in queries:
        if text and context.deadline.passed:
            truncated = True
            break
        answers = context.space.execute(query, context.limits(rows))
        anchors |= {chain.anchor.id: chain.anchor for chain in query.chains if isinstance(chain.anchor, Entity)}
        text, parameters = text or answers.cypher, parameters or answers.parameters
        truncated, ms = truncated or answers.truncated, ms + answers.ms
        for row in answers.rows:
            support = found[row.id, row.name]["support"] if (row.id, row.name) in found else 0
            found[row.id, row.name] = {
                "id": row.id, "name": str(row.name), "label": row.label, "support": support + row.support
            }  # fmt: skip
    return {
        "strategy": "paths",
        "iteration": state["iteration"],
        "rank": rank,
        "words": words(queries[0]),
        "cypher": text,
        "parameters": plain(parameters or {}),
        "confidence": round(confidence, 4),
        "anchors": [entity_ref(anchor) for anchor in anchors.values()],
        "answers": list(found.values()) if len(queries) == 1 else sorted(found.values(), key=lambda r: -r["support"]),
        "truncated": truncated,
        "ms": round(ms, 3),
    }


def along(queries: Sequence[Query], attempt: Attempt, context: Context) -> dict[str, Evidence]:
    """The triplets on the way to the first answers, a bounded number of them."""
    ids = [answer["id"] for answer in attempt["answers"] if answer["id"] is not None][:_ANSWERS_SUPPORTED]
    evidence: dict[str, Evidence] = {}
    for query in queries:
        if context.deadline.passed:
            break
        for triplet in context.space.evidence(query, ids, _TRIPLETS):
            item = evidence_of(
                triplet,
                attempt["confidence"],
                attempt["strategy"],
                attempt["iteration"],
                attempt["cypher"],
                attempt["parameters"],
            )
            evidence = merge_evidence(evidence, item)
    return evidence


def chain_query(anchor: Entity, hops: tuple[Hop, ...]) -> Query:
    return Query((Chain(anchor, hops),))
