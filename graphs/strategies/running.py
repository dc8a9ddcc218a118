"""Running a query for every member of a group, and telling its triplets as evidence: what strategies share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clew.agents.evidence import AnswerRef, Attempt, EntityRef, Evidence, entity_ref, evidence_of, plain
from clew.graphs.context import Context
from clew.graphs.strategies.ranking import anchors_of
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.space.query import Query


@dataclass(frozen=True, slots=True)
class Found:
    """What queries that belong together gave."""

    answers: list[AnswerRef]
    """In the order of the queries; rows that several of them share are added up."""
    cypher: str
    """Of the first query, with its parameters."""
    parameters: dict[str, Any]
    anchors: list[EntityRef]
    truncated: bool
    ms: float


def run_all(
    queries: Iterable[Query], context: Context, *, rows: int | None = None, at_least_one: bool = False
) -> Found:
    """The queries one after the other while there is time; `rows` are those of one query at most, None for the run's
    own limit. With `at_least_one` the first is run even if there is none."""
    answers: dict[tuple[str | None, str], AnswerRef] = {}
    anchors: dict[str, EntityRef] = {}
    text, parameters, truncated, ms = "", None, False, 0.0
    for query in queries:
        if context.run.deadline.passed and (text or not at_least_one):
            truncated = True
            break
        given = context.tools.space.execute(query, context.limits(rows))
        anchors |= {anchor.id: entity_ref(anchor) for anchor in anchors_of(query)}
        text, parameters = text or given.cypher, parameters or given.parameters
        truncated, ms = truncated or given.truncated, ms + given.ms
        for row in given.rows:
            support = answers[row.id, row.name]["support"] if (row.id, row.name) in answers else 0
            answers[row.id, row.name] = {
                "id": row.id, "name": str(row.name), "label": row.label, "support": support + row.support
            }  # fmt: skip
    return Found(list(answers.values()), text, plain(parameters or {}), list(anchors.values()), truncated, round(ms, 3))


def told_by(attempt: Attempt, triplet: Triplet) -> dict[str, Evidence]:
    """A triplet as evidence that an attempt's query led to."""
    return evidence_of(
        triplet,
        attempt["confidence"],
        attempt["strategy"],
        attempt["iteration"],
        attempt["cypher"],
        attempt["parameters"],
    )
