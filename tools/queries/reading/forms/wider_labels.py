"""Labels above others: nodes of Bug, Story and Task may all be an Issue.

An import keeps the further labels of a node in its property `labels`. The reader treats them as labels of the schema,
and so it does with any of several labels that have the same relations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from math import hypot
from types import MappingProxyType

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Property, Relation, Schema

FURTHER_LABELS = "labels"
"""The property of an imported node that lists its labels but the first."""
Place = tuple[str, str, bool]
"""A label and a property; or a relationship type, a property of it, and True."""
Wider = Mapping[str, tuple[str, ...]]
"""A label above others → those others, and itself if some nodes have it alone."""


_OR, _ANY = "|", " OR "
MOST_ENDS = 12
"""Labels that one label may stand for."""
PERSON = "Person"
_LEAST_SHARED, _ALIKE = 3, 0.5
"""How many relations labels share that are alike, and the cosine of the numbers of their relationships."""


def either_of(labels: Sequence[str]) -> str:
    """One label that stands for any of several."""
    return _OR.join(labels)


def narrowed(label: str, wider: Wider = MappingProxyType({})) -> tuple[str, ...]:
    """The labels of the graph that a label stands for."""
    if _OR not in label:
        return wider.get(label, (label,))
    return tuple(each for part in label.split(_OR) for each in wider.get(part, (part,)))


def node_of(variable: str, labels: tuple[str, ...], terms: NodeTerms) -> str:
    """A node pattern of Cypher that allows any of some labels."""
    if len(labels) == 1:
        return terms.node(variable, labels[0])
    if terms.scope and variable:  # Neo4j allows no "|" beside the ":" of nodes with two labels.
        any_of = _ANY.join(f"{variable}:{quoted(label)}" for label in labels)
        return f"({variable}:{quoted(terms.scope)} WHERE {any_of})"
    return terms.within(variable, f"({_OR.join(map(quoted, labels))})")


def wider_labels(schema: Schema) -> dict[str, tuple[str, ...]]:
    """The labels that all nodes of some other labels also have, as far as the schema's sample shows."""
    found: dict[str, list[str]] = defaultdict(list)
    for owned in schema.properties:
        if owned.name == FURTHER_LABELS and owned.type.startswith("LIST") and len(owned.examples) == 1:
            every = owned.count >= schema.labels.get(owned.label, 0)
            for label in owned.examples[0]:
                # That some philosophers are scientists, too, does not make Scientist a label above.
                if every or label not in schema.labels:
                    found[str(label)].append(owned.label)
    return {
        label: (label, *narrower) if label in schema.labels else tuple(narrower) for label, narrower in found.items()
    }


def alike_labels(schema: Schema, wider: Wider, persons: Callable[[], Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Labels for any of several that most relations treat alike: philosophers and scientists, who were born in cities,
    won prizes and wrote works. Of people it is called PERSON, where no label is.

    Args:
        schema: The schema.
        wider: The labels above others that the graph has itself.
        persons: Gives the labels of people. It is called only where labels are alike.
    """
    ends: dict[str, dict[tuple[str, bool, str], int]] = defaultdict(dict)
    for each in schema.relations:
        ends[each.source][each.type, True, each.target] = each.count
        ends[each.target][each.type, False, each.source] = each.count
    below = {label for narrower in wider.values() for label in narrower}
    groups: list[list[str]] = []
    for label in schema.labels:
        if label in below or label in wider:
            continue
        group = next((g for g in groups if all(_are_alike(ends[label], ends[each]) for each in g)), None)
        if group is None or (label in persons()) != (group[0] in persons()):
            groups.append([label])
        else:
            group.append(label)
    found = {}
    for group in groups:
        if len(group) > 1:
            people = group[0] in persons() and PERSON not in schema.labels and PERSON not in found
            found[PERSON if people else either_of(group)] = tuple(group)
    return found


def _are_alike(one: Mapping[tuple[str, bool, str], int], other: Mapping[tuple[str, bool, str], int]) -> bool:
    """Whether two labels have several relations in common, and their relationships are much alike: by the cosine of
    their numbers."""
    shared = one.keys() & other.keys()
    lengths = hypot(*one.values()) * hypot(*other.values())
    return len(shared) >= _LEAST_SHARED and sum(one[key] * other[key] for key in shared) >= _ALIKE * lengths


def with_wider_labels(schema: Schema, wider: Wider) -> Schema:
    """The schema with the wider labels, their relations, and the properties that they share."""
    above: dict[str, list[str]] = defaultdict(list)
    for label, narrower in wider.items():
        for each in narrower:
            if each != label:
                above[each].append(label)
    counts: dict[tuple[str, str, str], int] = defaultdict(int)
    for relation in schema.relations:
        for source in (relation.source, *above[relation.source]):
            for target in (relation.target, *above[relation.target]):
                counts[relation.type, source, target] += relation.count
    labels = {**schema.labels, **{w: sum(schema.labels.get(n, 0) for n in narrower) for w, narrower in wider.items()}}
    relations = tuple(Relation(*key, count) for key, count in counts.items())
    properties = [owned for owned in schema.properties if owned.name != FURTHER_LABELS or owned.label not in above]
    return replace(schema, labels=labels, relations=relations, properties=(*properties, *_shared(properties, wider)))


def _shared(properties: list[Property], wider: Wider) -> list[Property]:
    found: dict[tuple[str, str], Property] = {}
    for label, narrower in wider.items():
        for owned in properties:
            if owned.label in narrower and owned.label != label:
                found.setdefault((label, owned.name), replace(owned, label=label))
    return list(found.values())


def with_wider_values(found: Mapping[Place, list[str]], wider: Wider) -> dict[Place, list[str]]:
    """The properties that have a value: what a label has, the labels above it have."""
    above = {
        (label, name, False): written
        for (narrow, name, of_relation), written in found.items()
        for label, narrower in wider.items()
        if narrow in narrower and not of_relation
    }
    return {**found, **above}
