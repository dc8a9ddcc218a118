"""Whether there can be what a form looks for: no vote share is near 1,000, and no Ann is called Bob."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from clew.tools.graph.entity import Entity
from clew.tools.graph.identifiers import bare_words, identifier_words
from clew.tools.graph.schema import Property, Schema
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.english.inflection import singular
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, sets
from clew.tools.queries.reading.forms.functions import AVERAGES
from clew.tools.queries.reading.forms.items import Feature
from clew.tools.queries.reading.forms.stand_ins import stands_in
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.values import holds_years

_FAR = 3.0
"""How many times the greatest value a number may be."""
_LEAST_YEAR = 100
_IDENTIFYING = frozenset({"id", "key", "code", "uuid", "guid", "no"})
"""Words that end the names of properties whose values only identify."""
Owned = Callable[[str, str], Property | None]
"""The property of a label, or of a relationship type, by its name."""


def implausible(form: Form, owned: Owned, named: Iterable[Entity], schema: Schema) -> Iterator[Feature]:
    """What it costs that a condition compares a property with a number far above all of its values, or that a named
    node is to have the name of another one.

    Args:
        form: The form.
        owned: The properties of the graph.
        named: The nodes that the question names.
        schema: The labels and the relations of the graph.
    """
    for label, name, predicate in _predicates(form.nodes):
        if _is_far(predicate, owned(label, name)):
            yield "wrong kind", 1.0
    linked = form.value.link if form.value is not None else None
    if form.asks == "groups" and form.group is not None and len(form.nodes.entities) == 1:
        yield "wrong kind", 2.0  # There are no groups of one thing.
    summed = form.value is not None and form.value.function == "sum"
    if summed and form.function in AVERAGES and len(form.nodes.entities) == 1:
        yield "wrong kind", 1.0  # Nor an average of one total.
    for nodes in (*sets(form.nodes), *(sets(linked.other) if linked is not None else ())):
        own = {entity.name.lower() for entity in nodes.entities}
        others = {each.name.lower() for each in named if own and each.label == nodes.label} - own
        tests = [each.predicate for each in nodes.conditions if each.predicate is not None and not each.negated]
        if any(str(test.value).lower() in others for test in tests):
            yield "wrong kind", 2.0
        single = len(nodes.entities) == 1 and not stands_in(nodes.entities[0]) and form.asks != "truth"
        if single and any(_is_time(test, nodes.label, owned) for test in tests):
            yield "wrong kind", 1.0  # "The films that Ann directed after 2005" say nothing of when Ann was born.
        if _contradicts(nodes) or any(_compares_badly(each, nodes) for each in nodes.conditions):
            yield "wrong kind", 2.0
        if any(link.open and is_own_role(link, nodes.label) for link in nodes.links):
            yield "role", 0.3
        if _counts_one(nodes) or _is_each_one(nodes, schema) or _is_for_own_unit(nodes.order):
            yield "order", 2.0
        if any(link.count is not None and link.count[1] > 1 and len(link.other.entities) == 1 for link in nodes.links):
            yield "wrong kind", 1.0  # Of one named thing there are no several.


def _is_time(test: Predicate, label: str, owned: Owned) -> bool:
    found = owned(label, str(test.property))
    return test.kind == "date" or (found is not None and holds_years(found))


def _counts_one(nodes: Nodes) -> bool:
    """Whether a set is ordered by how many of a single named thing there are: "the most *hours at* X"."""
    by = nodes.order.by if nodes.order is not None else None
    counted = by.link.other if by is not None and by.function == "count" and by.link is not None else None
    return counted is not None and len(counted.entities) == 1


def _is_each_one(nodes: Nodes, schema: Schema) -> bool:
    """Whether a set is ordered by the number of what each has one of: works by the number of their composers."""
    link = nodes.order.by.link if nodes.order is not None and nodes.order.by.function == "count" else None
    if link is None or len(link.path) != 1 or not link.other.bare:
        return False
    step, (source, target) = link.path[0], (nodes.label, link.path[0].target)
    ends = (step.relation, source, target) if step.forward else (step.relation, target, source)
    number = sum(each.count for each in schema.relations if (each.type, each.source, each.target) == ends)
    return not step.either and source != target and number == schema.labels.get(source)


def _is_for_own_unit(order: Order | None) -> bool:
    """Whether the first ones by a price per dose are to be found for each number of doses."""
    per = set(map(singular, identifier_words(order.per_property))) if order is not None else set()
    by = identifier_words(str(order.by.property or "")) if order is not None else []
    return "per" in by and bool(per & set(by[by.index("per") :]))


def _contradicts(nodes: Nodes) -> bool:
    """Whether a property is to be missing and to have a value."""
    missing = {each.property for each in nodes.conditions if each.test == "IS NULL" and not each.negated}
    return any(
        each.predicate is not None and not each.negated and each.predicate.property in missing
        for each in nodes.conditions
    )


def _compares_badly(condition: Condition, nodes: Nodes) -> bool:
    """Whether numbers that only identify are compared, or a value with those of all nodes of the same label."""
    if condition.than is None or condition.value is not None or condition.comparison == "=":
        return False
    numbers = _IDENTIFYING & {bare_words(condition.property)[-1]}
    return bool(numbers) or (condition.than == Nodes(nodes.label) and not condition.average)


def is_own_role(link: Link, label: str) -> bool:
    """Whether a link only says that nodes are what their label says: products that are the product of an order."""
    step = link.path[0]
    return len(link.path) == 1 and not step.forward and relation_words(step.relation)[-1:] == bare_words(label)[-1:]


def _predicates(nodes: Nodes) -> Iterator[tuple[str, str, Predicate]]:
    """What is said of properties, each with the label or type that has it, and its name."""
    for each in sets(nodes):
        for condition in each.conditions:
            if condition.predicate is not None:
                yield each.label, condition.property or condition.predicate.property, condition.predicate
        links = [*each.links, *([each.order.by.link] if each.order and each.order.by.link else [])]
        for link in links:
            yield from ((link.path[-1].relation, each.property, each) for each in link.conditions)


def _is_far(predicate: Predicate, owned: Property | None) -> bool:
    value = predicate.value
    if str(value).isdecimal() and owned is not None and owned.type == "STRING":
        return not any(character.isdigit() for each in owned.examples for character in str(each))
    if owned is None or owned.greatest is None or isinstance(value, bool | str):
        return False
    outside = value > owned.greatest or (value == 0 and (owned.least or 0) > 0)
    years = holds_years(owned)
    missed = predicate.comparison == "=" and (value < _LEAST_YEAR if years else outside)
    return missed or value > _FAR * max(owned.greatest, 1.0)
