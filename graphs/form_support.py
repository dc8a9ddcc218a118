"""A form in a run: its query, and the triplets that relate the nodes of its result to its other sets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from clew.graphs.context import Context
from clew.graphs.hubs import bounded, evidence_of_hub, is_hub
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.reading.forms.form import Form, Nodes, turned
from clew.tools.queries.reading.forms.form_cypher import render
from clew.tools.queries.reading.forms.rendered import Rendered
from clew.tools.queries.space.query import Chain, Hop, Query

_ANCHORS = 5
_SUPPORTED = 25
"""Nodes and triplets for which the relations are fetched."""
_DIGITS = 4


def query_of(form: Form, context: Context) -> Rendered:
    """The query of a form for a run's graph."""
    reader = context.tools.reader
    rendered = render(form, context.tools.store.terms, reader.wider if reader is not None else {})
    return bounded(rendered, form, context)


def spelt(value: Any) -> str:
    """A value for people: no needless digits, and yes or no for what is true or not."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")
    return str(value)


def values(form: Form, rows: Sequence[Mapping[str, Any]]) -> list[Triplet]:
    """The values that a result gives, or that its nodes are ordered by, as triplets of their nodes."""
    order = form.nodes.order
    if order is not None and order.by.link is None and form.asks == "nodes":
        ordered = [(Entity(str(row["id"]), str(row["name"]), str(row["label"])), row["key"]) for row in rows]
        return [Triplet.of_value(node, order.by.property or "", spelt(key)) for node, key in ordered[:_SUPPORTED]]
    if form.asks != "value" or form.value is None or form.value.link is not None:
        return []
    nodes = {entity.name: entity for entity in form.nodes.entities}
    given = [(nodes[row["of"]], row["value"]) for row in rows if row["of"] in nodes]
    return [Triplet.of_value(node, form.value.property or "", spelt(value)) for node, value in given[:_SUPPORTED]]


def support(nodes: Nodes, ids: Sequence[str], context: Context) -> list[Triplet]:
    """The triplets that relate the nodes with these ids to what `nodes` links them to, from the names on."""
    if not ids:
        return []
    space, known = context.tools.space, context.tools.schema.labels
    triplets: list[Triplet] = []
    for chain in _chains(nodes, known):
        shown, anchor = list(ids[:_SUPPORTED]), chain.anchor
        if isinstance(anchor, Entity) and is_hub(anchor, context):
            triplets += evidence_of_hub(anchor, chain.hops, shown, _SUPPORTED, context)
        else:
            triplets += space.evidence(Query((chain,)), shown, _SUPPORTED)
    return list(dict.fromkeys(triplets))


def _chains(nodes: Nodes, known: Collection[str]) -> Iterator[Chain]:
    """The ways to a set from what it is linked to: from the names where there are names, however many steps away, else
    from all nodes of a label."""
    for link in nodes.links:
        if link.negated:
            continue
        hops = tuple(
            Hop(b.relation, b.forward, b.target, typed=b.target in known) for b in turned(link.path, nodes.label)
        )
        for start in _starts(link.other, known):
            yield Chain(start.anchor, (*start.hops, *hops))
    for each in nodes.either:
        yield from _chains(each, known)


def _starts(nodes: Nodes, known: Collection[str]) -> list[Chain]:
    if nodes.entities:
        return [Chain(entity, ()) for entity in nodes.entities[:_ANCHORS]]
    named = tuple(link for link in nodes.links if link.named)
    found = list(islice(_chains(replace(nodes, links=named), known), _ANCHORS))
    return found or [Chain(nodes.label, ())]
