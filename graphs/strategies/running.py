"""Running a query for every member of a group."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clew.agents.evidence import AnswerRef, Attempt, answer_ref
from clew.graphs.context import Context
from clew.graphs.strategies.found import Found
from clew.graphs.strategies.ranking import anchors_of
from clew.tools.graph.entity import Entity
from clew.tools.queries.space.query import Query


@dataclass(frozen=True, slots=True)
class QueryRows:
    """What queries that belong together gave."""

    answers: list[AnswerRef]
    """In the order of the queries; rows that several of them share are added up."""
    cypher: str
    """Of the first query, with its parameters."""
    parameters: dict[str, Any]
    anchors: list[Entity]
    truncated: bool
    ms: float

    def attempt(self, found: Found, words: str, confidence: float, rank: int, *, by_support: bool) -> Attempt:
        """The rows as an attempt of a strategy, in the order of the database or by their support."""
        return found.attempt(
            words,
            sorted(self.answers, key=lambda row: -row["support"]) if by_support else self.answers,
            confidence,
            rank=rank,
            cypher=self.cypher,
            parameters=self.parameters,
            anchors=self.anchors,
            truncated=self.truncated,
            ms=self.ms,
        )


def run_all(
    queries: Iterable[Query], context: Context, *, rows: int | None = None, at_least_one: bool = False
) -> QueryRows:
    """The queries one after the other while there is time; `rows` are those of one query at most, None for the run's
    own limit. With `at_least_one` the first is run even if there is none."""
    answers: dict[tuple[str | None, str], AnswerRef] = {}
    anchors: dict[str, Entity] = {}
    text, parameters, truncated, ms = "", None, False, 0.0
    for query in queries:
        if context.run.deadline.passed and (text or not at_least_one):
            truncated = True
            break
        given = context.tools.space.execute(query, context.limits(rows))
        anchors |= {anchor.id: anchor for anchor in anchors_of(query)}
        text, parameters = text or given.cypher, parameters or given.parameters
        truncated, ms = truncated or given.truncated, ms + given.ms
        for row in given.rows:
            support = answers[row.id, row.name]["support"] if (row.id, row.name) in answers else 0
            answers[row.id, row.name] = answer_ref(row, support + row.support)
    return QueryRows(list(answers.values()), text, parameters or {}, list(anchors.values()), truncated, ms)
