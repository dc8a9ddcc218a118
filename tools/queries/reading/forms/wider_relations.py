"""Relations above others: FATHER_OF and MOTHER_OF together say who is a parent of whom, HAS_HOME_TEAM and HAS_AWAY_TEAM
who plays a match.

The type of such a relation lists the types that it stands for, as Cypher does.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import combinations

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.schema import Relation, Schema
from clew.tools.queries.lexical import stem
from clew.tools.queries.reading.forms.form import Step
from clew.tools.queries.reading.forms.sides import sided_properties
from clew.tools.queries.reading.forms.wider_labels import Wider, narrowed
from clew.tools.queries.relation_names import JOINED, are_kin, in_common, relation_words, side_words, types_of
from clew.tools.queries.space.entity_steps import EntityStep


def with_wider_relations(schema: Schema) -> Schema:
    """The schema with the relations that two of its own make together, where it has none of that name."""
    counts: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
    for each in schema.relations:
        counts[each.type][each.source, each.target] = each.count
    known = {relation_words(each) for each in counts}
    found = [
        Relation(f"{one}{JOINED}{other}", *ends, counts[one][ends] + counts[other][ends])
        for one, other in combinations(sorted(counts), 2)
        if (named := in_common(one, other)) and named not in known
        for ends in counts[one].keys() & counts[other].keys()
        if are_kin(one, other) or max(counts[one][ends], counts[other][ends]) <= schema.labels.get(ends[0], 0)
    ]
    told = [
        owned
        for relation, source in dict.fromkeys((each.type, each.source) for each in found)
        for owned in sided_properties(relation, source, schema)
    ]
    properties = (*schema.relation_properties, *told)
    return replace(schema, relations=(*schema.relations, *found), relation_properties=properties) if found else schema


def sides_told(schema: Schema) -> dict[str, frozenset[str]]:
    """What people say for each of two relationship types that make a relation together, and for that relation all of
    it."""
    found: dict[str, frozenset[str]] = {}
    for relation in dict.fromkeys(each.type for each in schema.relations if JOINED in each.type):
        types = types_of(relation)
        if len(types) > 1:
            one, other = (frozenset(map(stem, words)) for words in side_words(*types))
            found |= {types[0]: one, types[1]: other, relation: one | other}
    return found


def any_of(relation: str) -> str:
    """The relationship types as Cypher writes them."""
    return "|".join(map(quoted, types_of(relation)))


def entity_steps(step: Step, wider: Wider) -> set[EntityStep]:
    """The steps of single nodes that a step stands for."""
    ways = (True, False) if step.either else (step.forward,)
    return {
        (each, way, label) for each in types_of(step.relation) for way in ways for label in narrowed(step.target, wider)
    }
