"""Questions of a noun and a period alone: "viewings in March 2024?", "delivery charges for orders in Q4"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.tools.graph.schema import Property
from clew.tools.linking.ordinary import QUESTION_WORDS
from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.form import Form, sets
from clew.tools.queries.reading.forms.quantities import summed

_LISTED = QUESTION_WORDS | {
    "name", "names", "code", "codes", "numbers", "all", "every", "each", "any", "list", "show", "find", "give",
}  # fmt: skip
"""Words with which questions begin that ask for each thing."""


def number_meant(
    form: Form, said: Sequence[Token], owned: Callable[[str, str], Property | None], *, has_mark: bool
) -> Form:
    """The number, or the sum, that such a question asks for: things that have no names are not listed, and neither are
    amounts that add up.

    Args:
        form: The form of a question that asks for no list.
        said: The words of the question.
        owned: The property of a label by its name.
        has_mark: Whether there is a question mark, without which things are listed.
    """
    nodes = form.nodes
    if said[0].text in _LISTED or nodes.order is not None or nodes.entities or not _has_period(form):
        return form
    if form.asks == "nodes" and has_mark and not form.columns and _is_numbered(owned(nodes.label, "name")):
        return replace(form, asks="number", function="count")
    return summed(form)


def _has_period(form: Form) -> bool:
    conditions = (each.predicate for nodes in sets(form.nodes) for each in nodes.conditions)
    return any(predicate is not None and predicate.kind == "date" for predicate in conditions)


def _is_numbered(name: Property | None) -> bool:
    """Whether things are called by numbers and codes: `TS1001`, `2024-0103`."""
    called = [str(value) for value in name.examples] if name is not None else []
    return bool(called) and all(not set(each) & set(" \t") and any(map(str.isdecimal, each)) for each in called)
