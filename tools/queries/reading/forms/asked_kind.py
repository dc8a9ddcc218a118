"""Whether a form gives an answer of the kind that a question's words ask for: a number, yes or no, or things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.tools.queries.lexical import Token
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.items import Feature

_NUMBERS = ("number", "written number")


def counts(said: Sequence[Token]) -> bool:
    """Whether the first words ask for a number of things."""
    texts = [token.text for token in said[:4] if token.text not in ("the", "total")]
    return texts[:2] == ["number", "of"] or any(texts[i : i + 2] == ["how", "many"] for i in range(3))


def counted(form: Form) -> Form:
    """ "How many accounts", where an account number is a property of a customer: the number of those that have one."""
    value = form.value
    if form.asks != "value" or value is None or value.kind != "identifier" or value.link is not None:
        return form
    if form.nodes.entities:
        return form
    return Form("number", form.nodes, None, "count")


def of_another_kind(form: Form, *, truth: bool, counting: bool) -> Iterator[Feature]:
    """What it costs that a form gives another kind of answer."""
    kind = form.value.kind if form.asks == "value" and form.value is not None else ""
    if counting and (form.asks == "nodes" or (kind and kind not in _NUMBERS)):
        yield "asks", 1.5
    if kind == "boolean" and not truth and not form.nodes.entities and form.value is not None and not form.value.link:
        yield "asks", 1.5  # "Which engineers are not cleared?" asks for engineers.
    if truth and kind and kind != "boolean":
        yield "asks", 2.0
