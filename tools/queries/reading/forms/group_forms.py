"""What numbers for each of several are of: the orders of "orders per shipper"."""

from __future__ import annotations

from dataclasses import replace

from clew.tools.queries.reading.forms.form import Form, Nodes


def counted_set(form: Form) -> Nodes | None:
    """The set over which numbers for each of several are worked out; None where none are, or it is a negated one."""
    if form.asks != "groups":
        return None
    link = form.value.link if form.value is not None else None
    return form.nodes if link is None else link.other if link.positive else None


def with_counted_set(form: Form, nodes: Nodes) -> Form:
    """The same numbers over another set."""
    if form.value is None or form.value.link is None:
        return replace(form, nodes=nodes)
    return replace(form, value=replace(form.value, link=replace(form.value.link, other=nodes)))
