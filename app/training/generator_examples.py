"""Training examples for the generator and the node reasoner, made of those of teaching: every question with its best
query and the candidate queries, or with the nodes that the likeliest queries find (GraphRAFT sections 4.1 and 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from clew.agents.answering.node_reasoner import Room, node_examples
from clew.agents.answering.union import MOST_QUERIES, Union, found_by, with_details
from clew.agents.generating.chooser import SECONDS
from clew.agents.generating.cypher_generator import RankedOrder, query_prompt, with_others
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
class SkippedQuestions:
    """Taught questions that gave no example."""

    without_query: int = 0
    """Questions that no query answers well enough."""
    not_offered: list[str] = field(default_factory=list)
    """Questions whose best query is not among the candidates, so that a generator could not choose it."""


def query_examples(
    container: Container, graph: str, taught: Sequence[TrainingExample], unused: SkippedQuestions
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


def union_examples(
    container: Container,
    graph: str,
    taught: Sequence[TrainingExample],
    unused: SkippedQuestions,
    tokens: int | None = None,
    done: Callable[[int], None] = lambda count: None,
) -> Iterator[Example]:
    """Examples for L2: the nodes that the likeliest queries of each question find, and the right ones among them.

    The generator of the settings orders the queries, as it will when it answers; without one, the ranker does.
    Questions whose union has no right node, or only one node, give none. Raises what the database raises.
    """
    context = container.context(graph)
    generator = context.tools.generator or RankedOrder()
    settings = container.settings
    room = Room(settings.node_tokens if tokens is None else tokens)
    for number, example in enumerate(taught, start=1):
        entities = entities_of((linking := find_mentions(example.question, context.tools.index)).mentions)
        candidates = generator.candidates(context.tools.ranker.rank(example.question, linking), entities)
        union = Union(settings.union_nodes)
        if candidates:
            chosen = generator.choose(example.question, candidates, MOST_QUERIES, seconds=SECONDS).chosen
            queries = [each.ranked.query for each in chosen]
            sure = [each.probability for each in chosen]
            union = found_by(context.tools.space, queries, None, settings.union_nodes, sure)
        nodes = with_details(union, context.tools.store)
        made = node_examples(example.question, nodes, example.answers, room)
        if not made:
            unused.not_offered.append(example.question)
        yield from made
        done(number)


def _candidates(question: str, context: Context, space: QuerySpace) -> list[RankedQuery]:
    linking = find_mentions(question, context.tools.index)
    ranked = context.tools.ranker.rank(question, linking)
    return with_others(ranked, queries_around(space, entities_of(linking.mentions)))
