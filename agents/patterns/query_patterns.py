"""Pattern graphs of queries, without a model: of the ranked queries, with variants that have an open relation, and of
example queries for the prompt of the pattern writer.

The chains of a query are a path, or paths that meet. Their anchors are known nodes, the nodes between are UNKNOWN with
a type, and the node at their end is asked for. SimGRAG (section 4.1) has examples written by hand for each graph. These
use the relations and names of the graph too, in one phrasing: one hop along its most frequent relations, and two hops
that start with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from clew.agents.patterns.pattern_writer import WrittenPattern
from clew.tools.errors import BadInput
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Relation, Schema
from clew.tools.patterns import Pattern, PatternEdge, PatternNode
from clew.tools.queries.lexical import UNSPECIFIC_LABELS
from clew.tools.queries.space.query import Chain, Hop, Query, RankedQuery
from clew.tools.queries.space.words import noun_of, words

MOST_QUERIES = 3


def patterns_of(ranked: Iterable[RankedQuery]) -> Iterator[WrittenPattern]:
    """The best queries that are patterns, then the first of them with each of its relations UNKNOWN in turn."""
    written = [each for each in (of_query(item.query) for item in ranked) if each is not None][:MOST_QUERIES]
    yield from written
    if written:
        yield from relaxed(written[0])


def of_query(query: Query) -> WrittenPattern | None:
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
        return WrittenPattern(Pattern(tuple(nodes), tuple(edges), 0), (words(query),))
    except BadInput:
        return None  # larger than patterns may be


def relaxed(written: WrittenPattern) -> Iterator[WrittenPattern]:
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


MOST = 3
LONGEST = 900
"""Characters of all examples together, about 250 tokens."""


def pattern_examples(schema: Schema, terms: NodeTerms) -> str:
    """Questions with their patterns, one per line; "" if the schema has no names."""
    lines: list[str] = []
    for query in _queries(schema, _named(schema, terms)):
        written = of_query(query)
        if written is None or len(lines) >= MOST:
            continue
        line = f"\u201cWhich is the {words(query)}?\u201d: {_as_reply(written.pattern)}"
        if sum(map(len, lines)) + len(line) <= LONGEST:
            lines.append(line)
    return "\n".join(lines)


def _named(schema: Schema, terms: NodeTerms) -> dict[str, Entity]:
    """A node of each label, from an example of its name property."""
    found: dict[str, Entity] = {}
    for prop in schema.properties:
        naming = ("name",) if terms.imported else terms.names.get(prop.label, ())
        if naming[:1] == (prop.name,) and prop.examples:
            found.setdefault(prop.label, Entity("", str(prop.examples[0]), prop.label))
    return found


def _queries(schema: Schema, named: Mapping[str, Entity]) -> Iterator[Query]:
    """Queries along the most frequent relations with a named end: of two steps if another relation follows, and of
    one."""
    taken: set[str] = set()
    for relation in schema.relations:
        for hop, start in ((Hop(relation.type, True, relation.target), relation.source),
                           (Hop(relation.type, False, relation.source), relation.target)):  # fmt: skip
            if start not in named or relation.type in taken:
                continue
            taken.add(relation.type)
            onward = next((each for each in schema.relations if _leaves(each, hop)), None)
            if onward is not None and len(taken) % 2:
                following = Hop(onward.type, True, onward.target)
                yield Query((Chain(named[start], (hop, following)),))
            else:
                yield Query((Chain(named[start], (hop,)),))


def _leaves(relation: Relation, hop: Hop) -> bool:
    return relation.source == hop.target and relation.type != hop.relation


def _as_reply(pattern: Pattern) -> str:
    """The pattern as a model should write it."""
    unknown = (f"UNKNOWN {node.type or 'thing'} {place}" for place, node in enumerate(pattern.nodes))
    names = [node.text or name for node, name in zip(pattern.nodes, unknown, strict=True)]
    triples = [[names[edge.head], edge.relation, names[edge.tail]] for edge in pattern.edges]
    assert pattern.asked is not None
    return json.dumps({"triples": triples, "asked": names[pattern.asked]}, ensure_ascii=False)
