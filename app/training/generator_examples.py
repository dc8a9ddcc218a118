"""Training examples for the generator, made of those of teaching: every question with its best query and the candidate
queries (GraphRAFT sections 4.1 and 4.3)."""

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
class Unused:
    """Taught questions that gave no example."""

    without_query: int = 0
    """Questions that no query answers well enough."""
    not_offered: list[str] = field(default_factory=list)
    """Questions whose best query is not among the candidates, so that a generator could not choose it."""


def query_examples(
    container: Container, graph: str, taught: Sequence[TrainingExample], unused: Unused
) -> Iterator[Example]:
    """Examples for L1. `unused` gets the other questions. Raises what the database raises."""
    context = container.context(graph)
    space = QuerySpace(context.tools.store, context.tools.schema, container.settings.path_semantics)
    for example in preferred(taught):
        if not example.found:
            unused.without_query += 1
            continue
        offered = _candidates(example.question, context, space)
        target = example.rated[0].option.pattern
        best = next((each for each in offered if pattern_of(each.query) == target), None)
        if best is None:
            unused.not_offered.append(example.question)
            continue
        texts = tuple(dict.fromkeys(written(each.query) for each in offered))
        yield Example(query_prompt(example.question), written(best.query), texts)


def _candidates(question: str, context: Context, space: QuerySpace) -> list[RankedQuery]:
    linking = find_mentions(question, context.tools.index)
    ranked = context.tools.ranker.rank(question, linking)
    return with_others(ranked, queries_around(space, entities_of(linking.mentions)))
