"""Example patterns for the pattern writer's prompt, made from the schema of the graph, without a model.

SimGRAG (section 4.1) has examples written by hand for each graph. These have the relations and names of the graph too,
in one phrasing: one step along its most frequent relations, and two steps that begin with them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from clew.agents.patterns.ranked_pattern_writer import of_query
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Relation, Schema
from clew.tools.patterns import Pattern
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import words

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
