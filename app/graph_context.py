"""The context in which the question graph asks one graph: its files opened, its readers built, its models loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from clew.agents.answering.node_reasoner import NodeReasoner
from clew.agents.generating.cypher_generator import CypherGenerator
from clew.agents.planning.parts_planner import PartsPlanner
from clew.app.dense_names import with_meanings
from clew.app.graph_files import GraphFiles
from clew.app.parts import Parts
from clew.graphs.context import Context, GraphTools
from clew.graphs.run import Budget
from clew.tools.documents.search_options import SearchOptions
from clew.tools.errors import BadInput, ClewError
from clew.tools.ingest import is_unfinished
from clew.tools.linking.mentions import find_mentions
from clew.tools.linking.name_parts import NameParts
from clew.tools.linking.plain_numbers import years_of
from clew.tools.patterns.pattern_sources import PatternSources
from clew.tools.queries.ranking.glosses import Glosses
from clew.tools.queries.ranking.ranker import Ranker
from clew.tools.queries.reading.anchors.name_anchors import GraphNames
from clew.tools.queries.reading.reader import Reader
from clew.tools.queries.reading.schema.property_values import PropertyValues
from clew.tools.queries.space.around import queries_around
from clew.tools.queries.space.entity_steps import EntitySteps
from clew.tools.queries.space.space import QuerySpace

if TYPE_CHECKING:
    from clew.agents.generating.chooser import Chooser
    from clew.app.settings import Settings
    from clew.tools.graph.schema import Schema
    from clew.tools.learning.teaching.learned_ranker import LearnedRanker
    from clew.tools.linking.index import EntityIndex


def graph_context(files: GraphFiles) -> Context:
    """Open a graph for questions; indexes that are missing or outdated are built, with progress.

    Raises:
        UnknownGraph: There is no such graph.
        BadInput: Its import was interrupted.
    """
    parts, store = files.parts, files.store
    if is_unfinished(store.version()):
        raise BadInput(
            f"The import into {store.name} was interrupted, so the graph is not complete.",
            "Run the same `clew import` again: it continues where it stopped.",
        )
    lost = files.missing_records()
    said = f"The database has lost {lost} of {store.name}; answers come from the rest: see `clew doctor`."
    files.notes = (said,) if lost else ()
    for note in files.notes:
        parts.progress.note(note)
    schema = files.schema()
    index = replace(with_meanings(files, files.index()), years=years_of(schema))
    space = QuerySpace(store, schema, parts.settings.path_semantics)
    parts.minilm.embed(["a"])  # The first question should not wait seconds for the model to load.
    if parts.models is not None:
        parts.models.prepare()
    untaught = Ranker(space, parts.minilm, files.glosses(), cache=files.phrases)
    tools = GraphTools(
        store=store,
        schema=schema,
        index=index,
        space=space,
        ranker=_taught(files, space, untaught),
        embedder=parts.embedder,
        fitted=parts.minilm,
        reranker=parts.reranker,
        models=parts.models,
        generator=_cypher_generator(parts, space),
        node_reasoner=_node_reasoner(parts),
        pattern_examples=files.pattern_examples() if parts.models is not None else "",
        texts=files.texts(),
        reader=reader_of(files, schema, index, steps=space.steps),
        documents=files.collection(),
        planner=PartsPlanner(schema, space.moves, untaught.phrases),
        patterns=PatternSources(index, space.moves, untaught.phrases, files.snapshot),
    )
    budget = budget_of(parts.settings, with_model=parts.models is not None)
    settings = parts.settings
    return Context(
        tools,
        recorder=parts.recorder,
        budget=budget,
        expansion=settings.expansion,
        document_search=document_search_of(settings),
        sure_from=settings.sure_from,
    )


def _taught(files: GraphFiles, space: QuerySpace, untaught: Ranker) -> Ranker | LearnedRanker:
    """The ranker as the graph was taught, if it was and that still fits."""
    if not (files.teaching / "taught.json").exists():
        return untaught
    from clew.tools.learning.teaching.learned_ranker import LearnedRanker
    from clew.tools.learning.teaching.stored import load_taught

    try:
        taught = load_taught(files.teaching, space.schema)
    except BadInput as error:
        note = f"Questions are answered as if nothing had been taught: {error.message} {error.remedy}"
        files.parts.progress.note(note)
        return untaught
    if taught is None:
        return untaught
    return LearnedRanker(untaught, space, files.parts.minilm, taught.preference, taught.patterns)


def reader_of(
    files: GraphFiles,
    schema: Schema,
    index: EntityIndex,
    definitions: Mapping[str, str] | None = None,
    steps: EntitySteps | None = None,
) -> Reader:
    """The reader of a graph, with the definitions of its gloss file, or with others that are to be tried; `steps` are
    the relations that single nodes have."""
    store, path = files.store, files.values_file
    values = cache(lambda: PropertyValues.read(store, schema, path))
    names = GraphNames(
        index.by_name,
        lambda text: values().find(text),
        NameParts(index).find,
        {} if store.terms.imported else store.terms.names,
    )
    glosses = files.glosses() or Glosses()
    owned = None if steps is None else steps.of
    reader = Reader(schema, names, files.parts.minilm, glosses, files.phrases, owned)
    reader.prepare()
    texts = glosses.definitions if definitions is None else definitions
    for each in reader.define(texts, lambda text: find_mentions(text, index).mentions):
        if each.problem and definitions is None:
            files.parts.progress.note(
                f"{files.gloss_file}: [definitions] “{each.phrase}” has no effect: {each.problem}"
            )
    return reader


def _cypher_generator(parts: Parts, space: QuerySpace) -> CypherGenerator | None:
    """Ready to choose queries, if the settings name a model for it."""
    if parts.generator is None:
        return None
    _prepare(parts, parts.generator)
    return CypherGenerator(parts.generator, partial(queries_around, space))


def _node_reasoner(parts: Parts) -> NodeReasoner | None:
    if parts.node_reasoner is None:
        return None
    _prepare(parts, parts.node_reasoner)
    return NodeReasoner(parts.node_reasoner, parts.settings.node_tokens)


def _prepare(parts: Parts, chooser: Chooser) -> None:
    """Load a model before the first question; if that fails, questions are answered without it."""
    try:
        chooser.prepare()
    except ClewError as error:
        parts.progress.note(f"Questions are answered without {chooser.name}: {error.message} {error.remedy}")


def document_search_of(settings: Settings) -> SearchOptions:
    """How documents are searched. Raises BadInput for an unknown kind of edges."""
    edges: Any = tuple(kind.strip() for kind in settings.document_edges.split(",") if kind.strip())
    return SearchOptions(
        settings.document_search,
        neighbours=settings.document_neighbours,
        edges=edges,
        theta=settings.document_theta,
        splits=settings.document_splits,
    )


def budget_of(settings: Settings, *, with_model: bool) -> Budget:
    """The limits of one question."""
    budget = Budget(
        settings.question_seconds, settings.question_rows, settings.question_tokens, nodes=settings.union_nodes
    )
    if not with_model:
        return budget
    calls, readings = settings.model_calls, settings.model_iterations
    return replace(budget, seconds=settings.model_seconds, max_iterations=readings, max_model_calls=calls)
