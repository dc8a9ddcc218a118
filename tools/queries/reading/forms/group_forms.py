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


def _is_total(form: Form) -> bool:
    return form.asks == "number" and form.value is not None and form.value.edge is not None
