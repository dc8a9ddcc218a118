"""Nouns for the nodes whose relationship has a value: the captains of a club by PLAYS_FOR.is_captain, a head coach by
COACHES.role."""

from __future__ import annotations

from collections.abc import Iterator

from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.plans.predicates import typed
from clew.tools.queries.reading.forms.form import Link, Nodes, Step
from clew.tools.queries.reading.forms.items import Noun, PropertyChoice
from clew.tools.queries.reading.schema.vocabulary import SchemaWords
from clew.tools.queries.values import Scalar


def edge_nouns(words: SchemaWords, choice: PropertyChoice, value: Scalar, *, plural: bool) -> Iterator[Noun]:
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
        for label, step in persons or ends:
            link = Link((step,), Nodes(step.target), conditions=(predicate,))
            yield Noun(Nodes(label, links=(link,)), plural, role=link.path)
