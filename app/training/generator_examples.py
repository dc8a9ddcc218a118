"""What a generator learns from, made of lessons: every question with its best query among the queries that it would be
chosen from (GraphRAFT sections 4.1 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clew.agents.generating.cypher_generator import query_prompt, with_others
from clew.agents.generating.written_query import written
from clew.app.container import Container
from clew.graphs.context import Context
from clew.tools.learning.generation.examples import Example
from clew.tools.learning.teaching.pattern import pattern_of
from clew.tools.learning.teaching.training_examples import TrainingExample, preferred
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.space.around import entities_of, queries_around
from clew.tools.queries.space.query import RankedQuery
from clew.tools.queries.space.space import QuerySpace


@dataclass(slots=True)
class Left:
    """Lessons that gave no example."""

    without_query: int = 0
    """No query answers them well enough."""
    not_offered: list[str] = field(default_factory=list)
    """Questions whose best query is not among the candidates, so that a generator could not choose it either."""


def query_examples(
    container: Container, graph: str, lessons: Sequence[TrainingExample], left: Left
) -> Iterator[Example]:
    """Examples for L1. Raises what the database raises."""
    context = container.context(graph)
    space = QuerySpace(context.tools.store, context.tools.schema, container.settings.path_semantics)
    for lesson in preferred(lessons):
        if not lesson.found:
            left.without_query += 1
            continue
        offered = _candidates(lesson.question, context, space)
        wanted = lesson.rated[0].option.pattern
        best = next((each for each in offered if pattern_of(each.query) == wanted), None)
        if best is None:
            left.not_offered.append(lesson.question)
            continue
        texts = tuple(dict.fromkeys(written(each.query) for each in offered))
        yield Example(query_prompt(lesson.question), written(best.query), texts)


def _candidates(question: str, context: Context, space: QuerySpace) -> list[RankedQuery]:
    linking = find_mentions(question, context.tools.index)
    ranked = context.tools.ranker.rank(question, linking)
    return with_others(ranked, queries_around(space, entities_of(linking.mentions)))
