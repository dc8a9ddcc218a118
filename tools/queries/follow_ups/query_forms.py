"""Ranked queries as logical forms, so that follow-ups can change what the ranker answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clew.tools.graph.entity import Entity
from clew.tools.queries.plans.plan import Predicate
from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes, Order, Step, Value
from clew.tools.queries.reading.forms.wider_labels import either_of
from clew.tools.queries.space.query import Chain, Query


def form_of_query(query: Query, answered: Iterable[str] = ()) -> Form | None:
    """The logical form of a query; None if it asks for times, or orders by relationships.

    Args:
        query: The query.
        answered: The labels of its answers, which may be several: a ranked query does not name the label.
    """
    if query.timed or query.returns == "period" or (query.order is not None and not isinstance(query.order.by, str)):
        return None
    labels = sorted({query.answer_label, *answered})
    nodes = Nodes(query.answer_label if query.returns != "nodes" else either_of(labels))
    for chain in query.chains:
        nodes = _met(nodes, chain)
    for each in query.filters:
        predicate = Predicate(each.property, each.comparison, each.value)
        nodes = nodes.where(Condition(predicate, property=each.property))
    if query.order is not None:
        nodes = replace(nodes, order=Order(Value(str(query.order.by)), query.order.descending))
    if query.returns == "count":
        return Form("number", nodes, None, "count")
    if query.returns == "property":
        return Form("value", nodes, Value(query.property_name))
    return Form("nodes", nodes)


def _met(nodes: Nodes, chain: Chain) -> Nodes:
    """The nodes at which a chain ends as well."""
    anchor = chain.anchor
    start = Nodes(anchor.label, (anchor,)) if isinstance(anchor, Entity) else Nodes(anchor)
    if not chain.hops:
        return replace(nodes, entities=start.entities)
    labels = [start.label, *(hop.target for hop in chain.hops)]
    back = tuple(Step(hop.relation, not hop.forward, labels[i]) for i, hop in reversed(list(enumerate(chain.hops))))
    return nodes.linked(Link(back, start))
