"""The links and conditions of a logical form, and what it denies, orders and works out."""

from __future__ import annotations

from dataclasses import replace

from clew.tools.queries.reading.forms.form import Condition, Form, Link, Nodes


def without_only(nodes: Nodes) -> Nodes:
    """A set without what "only" adds: that nothing else is linked."""
    if not nodes.links:
        return nodes
    kept = (replace(link, other=without_only(link.other)) for link in nodes.links if not link.no_others)
    return replace(nodes, links=tuple(kept))


def links(every: list[Nodes]) -> list[Link]:
    return [link for nodes in every for link in nodes.links]


def conditions(every: list[Nodes]) -> list[Condition]:
    return [condition for nodes in every for condition in nodes.conditions]


def functions(form: Form) -> set[str]:
    """The functions of a form's numbers."""
    return {each for each in (form.function, form.value.function if form.value is not None else None) if each}


def negates(every: list[Nodes]) -> bool:
    """Whether something is denied: a relation, a condition, a flag, or that there is a value."""
    if any(link.negated for link in links(every)) or any(nodes.without for nodes in every):
        return True
    return any(
        each.negated
        or each.test == "IS NULL"
        or (each.predicate is not None and each.predicate.comparison == "=" and each.predicate.value in (False, 0))
        for each in conditions(every)
    )


def orders(form: Form, every: list[Nodes]) -> bool:
    """Whether the greatest or the least is looked for."""
    return any(nodes.order is not None for nodes in every) or bool(functions(form) & {"max", "min"})
