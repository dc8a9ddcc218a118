"""What the graph gives for a part of a question: "the actor who played X" of "which line did the actor who played X
improvise?". Documents are searched for that, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.agents.evidence import AnswerRef
from clew.graphs.context import Context
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.ranking import ranked_queries
from clew.graphs.strategies.read import likely_readings, run_reading
from clew.tools.answer_spans.question import NOTHING_BESIDE, Beside
from clew.tools.errors import QueryFailed
from clew.tools.graph.entity import Entity

MOST_BRIDGES = 3
"""Maximum number of answers of the graph that extend the search; with more, none of them do."""
_READINGS = 2


@dataclass(frozen=True, slots=True)
class Bridge:
    """The nodes that answer a part of the question."""

    entities: tuple[Entity, ...] = ()
    left: tuple[str, ...] = ()
    """The words of the question that are not of this part; () if it is the whole question."""

    @property
    def beside(self) -> Beside:
        """What a passage may have instead of the words of the question. Where the graph's query explains all of the
        question, the passage must have all its words."""
        names = tuple(entity.name for entity in self.entities)
        return Beside(names, self.left) if self.left else NOTHING_BESIDE


def bridge_of(state: StrategyInput, context: Context) -> Bridge:
    """The answers of the best reading, or of the best ranked query, if they are few."""
    if not context.tools.schema.labels:
        return Bridge()
    return next(
        (each for each in (*_by_readings(state, context), _by_ranking(state, context)) if each.entities), Bridge()
    )


def _by_readings(state: StrategyInput, context: Context) -> Iterator[Bridge]:
    if state["iteration"] > 1 or context.run.deadline.passed:
        return
    for reading in likely_readings(state, context)[:_READINGS]:
        try:
            _, attempt = run_reading(reading, state, context, rows=MOST_BRIDGES + 1)
        except QueryFailed:
            continue
        yield _few([_entity(answer) for answer in attempt["answers"] if answer["id"]], reading.unexplained)


def _by_ranking(state: StrategyInput, context: Context) -> Bridge:
    ranked = ranked_queries(state, context)
    if not ranked:
        return Bridge()
    query = ranked[0].query
    try:
        rows = context.tools.space.execute(query, context.limits(MOST_BRIDGES + 1)).rows
    except QueryFailed:
        return Bridge()
    planner, mentions = context.tools.planner, state["mentions"]
    left = planner.unexplained(state["question"], mentions, query)[0] if planner is not None else []
    anchors = {anchor.id for anchor in query.anchors}
    used = (mention.text for mention in mentions if anchors & {each.entity.id for each in mention.candidates})
    said = {word for text in used for word in text.lower().split()}
    entities = [Entity(row.id, str(row.name), row.label) for row in rows if row.id is not None]
    return _few(entities, [word for word in left if word not in said])


def _few(entities: Sequence[Entity], left: Sequence[str]) -> Bridge:
    return Bridge(tuple(entities), tuple(left)) if len(entities) <= MOST_BRIDGES else Bridge()


def _entity(answer: AnswerRef) -> Entity:
    return Entity(answer["id"] or "", answer["name"], answer["label"])
