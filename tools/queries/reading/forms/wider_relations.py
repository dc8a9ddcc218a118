"""Relations above others: FATHER_OF and MOTHER_OF together say who is a parent of whom, HAS_HOME_TEAM and HAS_AWAY_TEAM
who plays a match, GLAZE_1, GLAZE_2 and GLAZE_3 which glazes a pot has.

The type of such a relation lists the types that it stands for, as Cypher does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
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
    """The schema with the relations that two or more of its own make together, where it has none of that name."""
    known = {relation_words(each.type) for each in schema.relations}
    found = [each for each in _together(schema) if relation_words(each.type) not in known]
    told = [
        owned
        for relation, source in dict.fromkeys((each.type, each.source) for each in found)
        for owned in sided_properties(relation, source, schema)
    ]
    properties = (*schema.relation_properties, *told)
    return replace(schema, relations=(*schema.relations, *found), relation_properties=properties) if found else schema


def _together(schema: Schema) -> Iterator[Relation]:
    """The relations that others make, between the labels that all of them have."""
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for each in schema.relations:
        counts[each.source, each.target][each.type] = each.count
    for ends, own in counts.items():
        alike: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for one, other in combinations(sorted(own), 2):
            once = max(own[one], own[other]) <= schema.labels.get(ends[0], 0)  # Each event has one of a side.
            if (named := in_common(one, other)) and (once or are_kin(one, other)):
                alike[named] |= {one, other}
        for types in map(sorted, alike.values()):
            if in_common(*types):
                yield Relation(JOINED.join(types), *ends, sum(own[each] for each in types))


def sides_told(schema: Schema) -> dict[str, frozenset[str]]:
    """What people say for each of two relationship types that make a relation together, and for that relation all of
    it."""
    found: dict[str, frozenset[str]] = {}
    for relation in dict.fromkeys(each.type for each in schema.relations if JOINED in each.type):
        types = types_of(relation)
        if len(types) == 2:
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
