"""What several sets have in common, as one set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.queries.reading.forms.form import Condition, Form, Nodes


def in_common(form: Form, others: Sequence[Nodes]) -> Form | None:
    """A form for what its set and others have in common; None where they contradict, or say no more than the form.

    Args:
        form: The form. Its set has no order.
        others: Sets of the same label, without an order.
    """
    nodes = form.nodes
    for each in others:
        known = {one.property: one for one in nodes.conditions if _is_plain(one)}
        if any(_is_plain(one) and known.get(one.property, one) != one for one in each.conditions):
            return None
        if each.entities and nodes.entities and each.entities != nodes.entities:
            return None
        nodes = nodes.where(*each.conditions)
        for link in each.links:
            nodes = nodes.linked(link)
        nodes = replace(
            nodes,
            entities=nodes.entities or each.entities,
            without=tuple(dict.fromkeys((*nodes.without, *each.without))),
            within=tuple(dict.fromkeys((*nodes.within, *each.within))),
        )
        if each.either:
            nodes = replace(nodes, within=(*nodes.within, Nodes(each.label, either=each.either)))
    return replace(form, nodes=nodes) if nodes != form.nodes else None


def _is_plain(condition: Condition) -> bool:
    """Whether a property must have one value."""
    test = condition.predicate
    return test is not None and test.comparison == "=" and not condition.negated
