"""Relations above others: FATHER_OF and MOTHER_OF together say who is a parent of whom.

The type of such a relation lists the types that it stands for, as Cypher does.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.schema import Relation, Schema
from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.reading.forms.wider_labels import Wider, narrowed
from clew.tools.queries.relation_names import JOINED, in_common
from clew.tools.queries.space.entity_steps import EntityStep


def with_wider_relations(schema: Schema) -> Schema:
    """The schema with the relations that two of its own make together, where it has none of that name."""
    types = sorted({each.type for each in schema.relations if JOINED not in each.type})
    known = {in_common(each) for each in types}
    pairs = [
        f"{one}{JOINED}{other}"
        for i, one in enumerate(types)
        for other in types[i + 1 :]
        if (named := in_common(one, other)) and named not in known
    ]
    return replace(schema, relations=(*schema.relations, *_relations(pairs, schema))) if pairs else schema


def _relations(pairs: list[str], schema: Schema) -> list[Relation]:
    """The relations of pairs of types between the labels that both have."""
    found = []
    for pair in pairs:
        counts: dict[tuple[str, str], list[int]] = defaultdict(list)
        for each in schema.relations:
            if each.type in pair.split(JOINED):
                counts[each.source, each.target].append(each.count)
        found += [Relation(pair, *ends, sum(number)) for ends, number in counts.items() if len(number) > 1]
    return found


def types_of(relation: str) -> list[str]:
    """The relationship types of the graph that a relation stands for."""
    types = relation.split(JOINED)
    return types if len(types) > 1 and in_common(*types) else [relation]


def any_of(relation: str) -> str:
    """The relationship types as Cypher writes them."""
    return "|".join(map(quoted, types_of(relation)))


def entity_steps(step: Step, wider: Wider) -> set[EntityStep]:
    """The steps of single nodes that a step stands for."""
    ways = (True, False) if step.either else (step.forward,)
    return {
        (each, way, label) for each in types_of(step.relation) for way in ways for label in narrowed(step.target, wider)
    }
