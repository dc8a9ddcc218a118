"""The values that stand beside the answers of a form."""

from __future__ import annotations

from clew.tools.queries.reading.forms.form import Form, Value

_MOST = 2
_COMPARED = ("<", "<=", ">", ">=")


def told_values(form: Form) -> tuple[Value, ...]:
    """What is asked for beside each answer; else, of a list that nothing orders, the numbers and dates that decide what
    is in it: the price of products "above 20"."""
    if form.columns or form.asks != "nodes" or form.nodes.order is not None:
        return form.columns
    compared = (
        Value(each.property, kind=each.predicate.kind or "number")
        for each in form.nodes.conditions
        if each.predicate is not None and each.property and each.predicate.comparison in _COMPARED
        and each.value is None and not (each.path or each.negated or each.alternatives)
    )  # fmt: skip
    return tuple(dict.fromkeys(compared))[:_MOST]
