"""What numbers for each of several, and totals of relationships, are of: the orders of "orders per shipper"."""

from __future__ import annotations

from dataclasses import replace

from clew.tools.queries.reading.forms.form import Form, Link, Nodes


def counted_set(form: Form) -> Nodes | None:
    """The set over which numbers for each of several, or a total of relationships, are worked out; None where none are,
    or it is a negated one."""
    if _is_total(form):
        return form.nodes
    if form.asks != "groups":
        return None
    link = form.value.link if form.value is not None else None
    return form.nodes if link is None else link.other if link.positive else None


def with_counted_set(form: Form, nodes: Nodes) -> Form:
    """The same numbers over another set."""
    if form.value is None or form.value.link is None or _is_total(form):
        return replace(form, nodes=nodes)
    return replace(form, value=replace(form.value, link=replace(form.value.link, other=nodes)))


def order_narrowed(nodes: Nodes, link: Link) -> Nodes:
    """A set ordered by a value of relationships, or of what these lead to, which are those of the link: "who put in the
    most hours at X", "the customers with the highest revenue who ordered X"."""
    order = nodes.order
    if order is None or order.by.edge is None or order.by.link is None or not link.positive:
        return nodes
    if order.by.link.path != link.path or not order.by.link.other.bare:
        return nodes
    return replace(nodes, order=replace(order, by=replace(order.by, link=link)))


def count_narrowed(nodes: Nodes, link: Link) -> Nodes | None:
    """A set ordered by how many things of a kind it has, of which those of the link alone count: "most often ordered by
    customers from Germany". None where it is ordered otherwise, or the link says nothing of them."""
    order = nodes.order
    counts = order is not None and order.by.function == "count" and order.by.property is None and not order.grouped
    if order is None or not counts or order.by.link is None or not order.by.link.other.bare or not link.positive:
        return None
    counted, rest = order.by.link, link.path[len(order.by.link.path) :]
    if counted.path != link.path[: len(counted.path)] or link.other.entities or not (rest or not link.other.bare):
        return None
    other = counted.other.linked(replace(link, path=rest)) if rest else link.other
    by = replace(order.by, link=replace(counted, other=other, conditions=() if rest else link.conditions))
    return replace(nodes, order=replace(order, by=by))


def _is_total(form: Form) -> bool:
    return form.asks == "number" and form.value is not None and form.value.edge is not None
