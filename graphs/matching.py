"""Matching one pattern in a run: its candidates, the best matches, and the trace's records of both."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from clew.graphs.context import Context
from clew.graphs.defined import with_definitions
from clew.graphs.recorder import Span
from clew.tools.embedding.token_budget import counter
from clew.tools.graph.entity import Entity
from clew.tools.graph.schema_text import schema_text
from clew.tools.graph.triplets import Triplet

if TYPE_CHECKING:
    from clew.agents.patterns.pattern_writer import WrittenPattern
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.patterns import Bindings, Candidates, LazyCandidates, Match, Matches, Pattern, Sources
    from clew.tools.patterns.plan import Distinct

SUPPORTED = 10
"""Answers of a pattern, best first, whose subgraphs are evidence."""
K = 3
"""Number of readings of one pattern (k in SimGRAG)."""
TYPES = 16
"""Labels that the type of an unknown node stands for, nearest first (k(t))."""
SECONDS = 4.0
"""Time limit of one search, in seconds. After it, the best matches so far are used, and the trace says that they are
not proven."""
_CANDIDATES_SHOWN = 5


def matched(written: WrittenPattern, context: Context, span: Span) -> tuple[Sources, Matches]:
    """The K matches of smallest graph semantic distance. The context must have patterns."""
    assert context.tools.patterns is not None
    sources = context.tools.patterns.sources(written.pattern, TYPES)
    return sources, matched_in(written, sources, context, span)


def matched_in(
    written: WrittenPattern,
    sources: Sources,
    context: Context,
    span: Span,
    k: int = K,
    distinct: Distinct = "edges",
) -> Matches:
    """The k matches of smallest graph semantic distance among the candidates of `sources`; `distinct` as in `match`."""
    from clew.tools.patterns import match  # most questions match no pattern

    patterns, pattern = context.tools.patterns, written.pattern
    assert patterns is not None
    span.event(
        "pattern",
        **pattern.to_json(),
        by_model=written.by_model,
        segments=list(written.segments),
        notes=list(written.notes),
        distinct=distinct,
        candidates=_candidates(sources, patterns.snapshot, pattern),
    )
    started = time.monotonic()
    found = match(patterns.snapshot, pattern, sources, k, search_deadline(context), distinct=distinct)
    span.event(
        "matches",
        gsd=[round(m.distance, 4) for m in found.matches],
        ties=[m.ties for m in found.matches],
        mapping=[_mapping(m, pattern, patterns.snapshot, sources) for m in found.matches],
        candidates=_nodes(sources, patterns.snapshot, pattern),
        bound=None if found.bound == float("inf") else round(found.bound, 4),
        proven=found.proven,
        expanded=found.expanded,
        ms=round((time.monotonic() - started) * 1000, 3),
    )
    return found


def bindings_of(
    match: Match, pattern: Pattern, sources: Sources, context: Context, limit: int, distinct: Distinct = "edges"
) -> Bindings:
    """Every binding of the asked node in the assignment of a match."""
    from clew.tools.patterns import complete

    assert context.tools.patterns is not None
    snapshot, until = context.tools.patterns.snapshot, search_deadline(context)
    return complete(snapshot, pattern, match, limit, labels=sources.labels, distinct=distinct, deadline=until)


def most_reached_first(
    nodes: Mapping[int, Match], pattern: Pattern, sources: Sources, context: Context, distinct: Distinct = "edges"
) -> list[int]:
    """Bindings of the asked node, each with its match, by the number of walks that lead to them, then by name, as the
    answers of ranked queries are."""
    from clew.tools.patterns import walks

    assert context.tools.patterns is not None
    snapshot, until = context.tools.patterns.snapshot, search_deadline(context)
    if len(nodes) < 2:
        return list(nodes)
    counts = {
        match: walks(snapshot, pattern, match, sources.labels, distinct=distinct, deadline=until)
        for match in dict.fromkeys(nodes.values())
    }
    return sorted(nodes, key=lambda node: (-counts[nodes[node]][node], snapshot.name(node)))


def subgraph_of(
    answer: int, match: Match, pattern: Pattern, sources: Sources, snapshot: Snapshot, distinct: Distinct = "edges"
) -> Match:
    """A subgraph of the assignment of a match in which the asked node is `answer`; the match itself if there is none
    to be found."""
    from clew.tools.patterns import Candidates
    from clew.tools.patterns import match as best

    assert pattern.asked is not None
    if match.nodes[pattern.asked] == answer:
        return match
    nodes = tuple(
        replace(node, text="answer", type=None) if i == pattern.asked else node for i, node in enumerate(pattern.nodes)
    )
    edges = tuple(replace(edge, relation="as matched") for edge in pattern.edges)
    bound = {i: Candidates((match.nodes[i],), (0.0,)) for i, node in enumerate(pattern.nodes) if node.known}
    fixed = replace(
        sources,
        nodes={**bound, pattern.asked: Candidates((answer,), (0.0,))},
        relations={i: Candidates((edge.relation,), (0.0,)) for i, edge in enumerate(match.edges)},
        labels={i: labels for i, labels in sources.labels.items() if i != pattern.asked},
    )
    found = best(snapshot, replace(pattern, nodes=nodes, edges=edges), fixed, 1, distinct=distinct)
    return found.matches[0] if found.matches else match


def search_deadline(context: Context) -> float:
    """A value of time.monotonic()."""
    return time.monotonic() + min(SECONDS, context.run.deadline.remaining)


def triplets_of(best_match: Match, snapshot: Snapshot) -> list[Triplet]:
    """The triples of a matched subgraph, in the order of the pattern's edges."""
    return [
        Triplet(entity_at(snapshot, edge.head), snapshot.relations[edge.relation], entity_at(snapshot, edge.tail))
        for edge in best_match.edges
    ]


def relations_text(text: str, context: Context, span: Span) -> str:
    """The schema as text for a pattern's writer, pruned to the topics of the text if it is large; the trace records
    what was omitted."""
    shown = schema_text(
        context.tools.schema,
        text,
        set(),
        count=counter(),
        terms=context.tools.store.terms,
        embedder=context.tools.fitted_embedder,
    )
    if not shown.complete:
        span.event("schema", left_out=shown.left_out())
    return with_definitions(shown.text, text, context.tools)


def entity_at(snapshot: Snapshot, node: int) -> Entity:
    """The entity of a node's position."""
    return Entity(snapshot.id(node), snapshot.name(node), snapshot.label(node))


def _mapping(best_match: Match, pattern: Pattern, snapshot: Snapshot, sources: Sources) -> list[list[object]]:
    """Every part of the pattern with its match and their distance; None for an unknown part."""
    nodes: list[list[object]] = [
        [
            node.text or f"UNKNOWN {node.type or ''}".strip(),
            snapshot.name(bound),
            _distance(sources.nodes.get(i), bound),
        ]
        for i, (node, bound) in enumerate(zip(pattern.nodes, best_match.nodes, strict=True))
    ]
    edges: list[list[object]] = [
        [
            edge.relation or "UNKNOWN",
            snapshot.relations[found.relation],
            _distance(sources.relations.get(i), found.relation),
        ]
        for i, (edge, found) in enumerate(zip(pattern.edges, best_match.edges, strict=True))
    ]
    return nodes + edges


def _distance(source: Candidates | LazyCandidates | None, number: int) -> float | None:
    distance = _given(source).get(number) if source is not None else None
    return None if distance is None else round(distance, 4)


def _given(source: Candidates | LazyCandidates) -> dict[int, float]:
    """The candidates that a source returned, nearest first, with their distances."""
    from clew.tools.patterns import Candidates
    from clew.tools.patterns.pattern_sources import NamedNodes

    if isinstance(source, Candidates):
        return dict(zip(source.ids, source.distances, strict=True))
    return source.given if isinstance(source, NamedNodes) else {}


def _nodes(sources: Sources, snapshot: Snapshot, pattern: Pattern) -> dict[str, Sequence[object]]:
    """The nearest nodes that the search requested."""
    return {
        f"node {pattern.nodes[place].text}": [
            [snapshot.name(node), round(distance, 3)]
            for node, distance in list(_given(source).items())[:_CANDIDATES_SHOWN]
        ]
        for place, source in sources.nodes.items()
    }


def _candidates(sources: Sources, snapshot: Snapshot, pattern: Pattern) -> dict[str, Sequence[object]]:
    """The nearest relations and the labels; the nodes are in the event of the search."""
    records: dict[str, Sequence[object]] = {}
    for place, ranked in sources.relations.items():
        nearest = list(zip(ranked.ids, ranked.distances, strict=True))[:_CANDIDATES_SHOWN]
        records[f"relation {pattern.edges[place].relation}"] = [
            [snapshot.relations[i], round(d, 3)] for i, d in nearest
        ]
    for place, labels in sources.labels.items():
        records[f"type {pattern.nodes[place].type}"] = [snapshot.labels[label] for label in labels]
    return records
