"""Nouns for the nodes whose relationship has a value: the captains of a club by PLAYS_FOR.is_captain, a head coach by
COACHES.role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.english.inflection import is_plural
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import Noun, PropertyChoice
from clew.tools.queries.reading.forms.quantities import adds_up
from clew.tools.queries.reading.schema.property_names import root
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.sided import Sided
from clew.tools.queries.values import Scalar


def amounts_of(noun: str, words: SchemaWords) -> list[PropertyChoice]:
    """The amount that the relationships called by a noun have: "total donations" by DONATED.amount. None where they
    have several numbers that add up."""
    if noun in words.labels or root(noun) not in words.verbs:
        return []
    found = []
    for relation in dict.fromkeys(each.type for each in words.schema.relations):
        if root(noun) in map(root, relation_words(relation)):
            own = [each for each in words.comparable(relation) if each.kind == "number" and adds_up(each.name)]
            found += [replace(each, cost=0.3) for each in own if len(own) == 1]
    return found


def edge_nouns(words: SchemaWords, choice: PropertyChoice, value: Scalar, called: str) -> Iterator[Noun]:
    """The nodes at either end of the relationships whose property has a value; people first, where an end is theirs.

    Each is a role of the other end: "the captain of X" leads back along the same relationship.
    """
    owned = words.choice(choice.label, choice.name)
    predicate = typed(Predicate(choice.name, "=", value), owned) if owned is not None else ""
    if not isinstance(predicate, Predicate):
        return
    for relation in words.schema.relations:
        if relation.type != choice.label:
            continue
        ends = [(relation.source, Step(relation.type, True, relation.target)),
                (relation.target, Step(relation.type, False, relation.source))]  # fmt: skip
        persons = [end for end in ends if end[0] in words.persons]
        if isinstance(choice.name, Sided):
            ends, persons = (
                [ends[called.removesuffix("s").endswith("er")]],
                [],
            )  # The wins are matches, the winners are not.
        for label, step in persons or ends:
            link = Link((step,), Nodes(step.target), conditions=(predicate,))
            yield Noun(Nodes(label, links=(link,)), is_plural(called), role=link.path)
