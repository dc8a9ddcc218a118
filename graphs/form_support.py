"""A form in a run: its query, and the triplets that relate the nodes of its result to its other sets."""

from __future__ import annotations

from collections.abc import Sequence

from clew.graphs.context import Context
from clew.tools.graph.entity import Entity
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.reading.form import Form, Nodes
from clew.tools.queries.reading.form_cypher import Rendered, render
from clew.tools.queries.space.query import Chain, Hop, Query

_ANCHORS = 5
_SUPPORTED = 25
"""Nodes and triplets for which the relations are fetched."""


def query_of(form: Form, context: Context) -> Rendered:
    """The query of a form for a run's graph."""
    reader = context.tools.reader
    return render(form, context.tools.store.terms, reader.wider if reader is not None else {})


def support(nodes: Nodes, ids: Sequence[str], context: Context) -> list[Triplet]:
    """The triplets that relate the nodes with these ids to what `nodes` links them to."""
    space, known = context.tools.space, context.tools.schema.labels
    triplets: list[Triplet] = []
    for link in nodes.links:
        labels = [nodes.label, *(step.target for step in link.path[:-1])]
        hops = tuple(
            Hop(back.relation, back.forward, back.target, typed=back.target in known)
            for step, label in zip(reversed(link.path), reversed(labels), strict=True)
            for back in [step.back(label)]
        )
        if ids and not link.negated:
            anchors: Sequence[Entity | str] = link.other.entities or (link.other.label,)
            for anchor in anchors[:_ANCHORS]:
                triplets += space.evidence(Query((Chain(anchor, hops),)), list(ids[:_SUPPORTED]), _SUPPORTED)
    return list(dict.fromkeys(triplets))
