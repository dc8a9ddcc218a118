"""Pattern graphs of questions without a model: the ranker's queries, and variants with an open relation.

The chains of a query are a path, or paths that meet. Their anchors are known nodes, the nodes between are UNKNOWN with
a type, and the node at their end is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from clew.agents.patterns.pattern_writer import Written
from clew.tools.errors import BadInput
from clew.tools.graph.entity import Entity
from clew.tools.patterns import Pattern, PatternEdge, PatternNode
from clew.tools.queries.lexical import UNSPECIFIC_LABELS
from clew.tools.queries.space.query import Query, RankedQuery
from clew.tools.queries.space.words import noun_of, words

MOST_QUERIES = 3


def patterns_of(ranked: Iterable[RankedQuery]) -> Iterator[Written]:
    """The best queries that are patterns, then the first of them with each of its relations UNKNOWN in turn."""
    written = [each for each in (of_query(item.query) for item in ranked) if each is not None][:MOST_QUERIES]
    yield from written
    if written:
        yield from relaxed(written[0])


def of_query(query: Query) -> Written | None:
    """The pattern of a query of chains; None for queries that count, compare, or ask for a property or a time."""
    plain = query.returns == "nodes" and not (query.filters or query.order or query.timed)
    if not plain or not all(isinstance(chain.anchor, Entity) and chain.hops for chain in query.chains):
        return None
    nodes: list[PatternNode] = [PatternNode(None, _type(query.answer_label))]
    edges: list[PatternEdge] = []
    for chain in query.chains:
        assert isinstance(chain.anchor, Entity)
        nodes.append(PatternNode(chain.anchor.name))
        at = len(nodes) - 1
        for hop in chain.hops[:-1]:
            nodes.append(PatternNode(None, _type(hop.target)))
            edges.append(_edge(at, len(nodes) - 1, hop.relation, hop.forward))
            at = len(nodes) - 1
        edges.append(_edge(at, 0, chain.hops[-1].relation, chain.hops[-1].forward))
    try:
        return Written(Pattern(tuple(nodes), tuple(edges), 0), (words(query),))
    except BadInput:
        return None  # larger than patterns may be


def relaxed(written: Written) -> Iterator[Written]:
    """The pattern with one relation UNKNOWN, each in turn; none for a pattern of one relation, as nothing would be
    left."""
    pattern = written.pattern
    if len(pattern.edges) < 2:
        return
    for place, edge in enumerate(pattern.edges):
        edges = (*pattern.edges[:place], replace(edge, relation=None), *pattern.edges[place + 1 :])
        note = f"the relation \u201c{edge.relation}\u201d left open"
        yield replace(written, pattern=replace(pattern, edges=edges), notes=(note,))


def _edge(start: int, end: int, relation: str, forward: bool) -> PatternEdge:
    head, tail = (start, end) if forward else (end, start)
    return PatternEdge(head, tail, relation, directed=True)


def _type(label: str) -> str | None:
    noun = noun_of(label)
    return None if noun in UNSPECIFIC_LABELS else noun
