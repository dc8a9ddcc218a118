"""The values that stand beside the answers of a form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.tools.graph.identifiers import bare_words
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.form_words import column_words
from clew.tools.queries.running_times import Lasting

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


def as_stored(value: Value) -> Value:
    """A value that is told as it is stored: the text of a running time, not its seconds."""
    if isinstance(value.property, Lasting) and value.function is None:
        return replace(value, property=str(value.property), kind="text")
    return value


def told_words(values: Sequence[Value]) -> list[str]:
    """The values that are told of each, each in words of its own: "person (directed)" and "person (acted in)"."""
    said = list(map(column_words, values))
    links = [each.link for each in values]
    return [
        f"{each} ({' '.join(bare_words(link.path[-1].relation))})" if link and said.count(each) > 1 else each
        for each, link in zip(said, links, strict=True)
    ]
