"""The queries that would have answered questions: in threads of this process, or by several workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf

from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import Settings
from clew.tools.learning.teaching.synthesis import Pair, Synthesis
from clew.tools.learning.teaching.training_examples import TrainingExample
from clew.tools.queries.space.space import QuerySpace


def query_space(container: Container, graph: str) -> QuerySpace:
    """The query space of a graph."""
    tools = container.context(graph).tools
    return QuerySpace(tools.store, tools.schema, container.settings.path_semantics)


def synthesised(container: Container, graph: str, pairs: Sequence[Pair], threads: int) -> Iterator[TrainingExample]:
    """Yield the examples as they are finished; stopping early loses only those in progress."""
    synthesis = _synthesis(container, graph)  # builds the indexes of the graph before workers open it
    if container.workers.elsewhere:
        with container.workers.open(partial(_prepare, container.settings, graph)) as examples:
            yield from examples(pairs)
    else:
        yield from synthesis.examples(pairs, threads)


def _synthesis(container: Container, graph: str) -> Synthesis:
    index = container.context(graph).tools.index
    return Synthesis(query_space(container, graph), index, container.untaught_ranker(graph))


def _prepare(settings: Settings, graph: str) -> Callable[[Pair], TrainingExample]:
    """Open the graph in a worker."""
    container = Container(settings.in_one_process, NoProgress())
    container.keep_open(inf)
    return _synthesis(container, graph).example
