"""One logical form of two that ask about the same things: the answers of one beside those of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from clew.tools.graph.entity import Entity
from clew.tools.queries.reading.forms.form import Form, Link, Nodes, Value, turned

Naming = Callable[[str], Value | None]
"""The property that names the nodes of a label."""
_Owned = tuple[Nodes, tuple[Value, ...]]
"""A set, and what is asked of each of its nodes."""


def joined(first: Form, second: Form, answers: tuple[Entity, ...], naming: Naming) -> Form | None:
    """The form that answers both; None where they are not about the same nodes.

    Args:
        first: The form of the first question.
        second: That of the second one.
        answers: The nodes that the first one answers, if these are few.
        naming: The property that names the nodes of a label.
    """
    if first.asks == "nodes" and not first.limit:
        for nodes, values in _owned(second, naming):
            told = _of_the_answers(first.nodes, nodes, values, answers)
            if told:
                return replace(first, columns=(*first.columns, *told))
    if second.asks == "nodes" and not (second.limit or first.asks == "nodes"):
        for nodes, values in _owned(first, naming):  # "In what year did X break away, and from which group?"
            told = _of_the_answers(second.nodes, nodes, values, ())
            if told:
                return replace(second, columns=(*told, *second.columns))
    for base, values in _owned(first, naming):
        for other, more in _owned(second, naming):
            same = _without(base, values) == _without(other, more)
            if same and not base.bare and set(values).isdisjoint(more):
                return _of_each(base, (*values, *more))
    return None


def _without(nodes: Nodes, values: tuple[Value, ...]) -> Nodes:
    """A set without the relations that its values are of, which say no more."""
    told = [each.link for each in values]
    return replace(nodes, links=tuple(each for each in nodes.links if each not in told))


def _of_each(nodes: Nodes, values: tuple[Value, ...]) -> Form:
    """The values of nodes; of a single one with values of its own alone the first value, with the others beside it."""
    if len(nodes.entities) != 1 or any(each.link is not None for each in values):
        return Form("nodes", nodes, columns=values)
    return Form("value", nodes, values[0], columns=values[1:])


def _of_the_answers(
    answered: Nodes, nodes: Nodes, values: tuple[Value, ...], answers: tuple[Entity, ...]
) -> tuple[Value, ...]:
    """The values as those of the answers of the first question; none where they are of something else."""
    if nodes == answered or (nodes.entities and set(nodes.entities) == set(answers)):
        return values
    link = answered.links[0] if len(answered.links) == 1 else None
    if link is None or not link.positive or link.deep or nodes != link.other:
        return ()
    way = turned(link.path, answered.label)
    if all(each.edge and each.link is not None and each.link.path == way for each in values):
        return tuple(replace(each, link=link) for each in values)
    return ()


def _owned(form: Form, naming: Naming) -> Iterator[_Owned]:
    """What a form asks, as values of a set: of the city where she died, its name as a value of her."""
    nodes = form.nodes
    if form.asks == "value" and form.value is not None:
        yield nodes, (form.value, *form.columns)
    if form.asks == "nodes" and form.columns:
        yield nodes, form.columns
    link = nodes.links[0] if len(nodes.links) == 1 else None
    if link is None or not link.positive or link.deep or nodes.order is not None or nodes.entities:
        return
    kept = link.conditions if len(link.path) == 1 else ()
    back = Link(turned(link.path, nodes.label), replace(nodes, links=()), conditions=kept)
    if form.asks == "number" and form.value is None and form.bound is None and form.whole is None and not form.group:
        yield link.other, (Value(None, "count", back),)
    name = naming(nodes.label) if form.asks == "nodes" and not (form.columns or form.limit) else None
    if name is not None:
        yield link.other, (replace(name, link=back),)
