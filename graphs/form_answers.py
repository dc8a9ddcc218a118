"""The answers in the rows of a logical form's query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.agents.evidence import AnswerRef
from clew.graphs.form_support import spelt
from clew.tools.queries.reading.forms.form import Form, Value
from clew.tools.queries.reading.forms.form_cypher import WITNESSES
from clew.tools.queries.reading.forms.form_words import column_words, number_words
from clew.tools.queries.reading.forms.label_words import label_words
from clew.tools.queries.reading.forms.told_values import told_values, told_words
from clew.tools.queries.running_times import Lasting

_SEVERAL, _OWNERS = 2, 5
"""Nodes with values from which these are named, and how many are named beside one value."""


def answers_of(rows: Sequence[Mapping[str, Any]], form: Form) -> list[AnswerRef]:
    """The answers in the rows of a form's query: nodes, groups with their numbers, values, one number, or yes and
    no."""
    names = told_words(told_values(form))
    match form.asks:
        case "truth":
            return [_truth(row) for row in rows if row["value"] is not None]
        case "value" | "number":
            return [_value(row, form, names) for row in rows] if form.columns else _values(rows, form)
        case _:
            return [_node(row, form, names) for row in rows]


def _truth(row: Mapping[str, Any]) -> AnswerRef:
    """Yes, with some of what there is, or no."""
    named = [spelt(each) for each in row.get("named") or ()]
    answer = _named("yes" if row["value"] else "no")
    shown = ", ".join(named[: WITNESSES - 1]) + (" and more" if len(named) == WITNESSES else "")
    return answer | {"detail": shown} if named else answer


def _values(rows: Sequence[Mapping[str, Any]], form: Form) -> list[AnswerRef]:
    """Each value once; beside it what has it, where several nodes have values."""
    owners: dict[str, dict[str, Any]] = {}  # The keys of the inner ones are in order.
    for row in rows:
        value = row["value"]
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                owners.setdefault(_number(one, form.value), {})[spelt(row.get("of"))] = one
    several = len({owner for each in owners.values() for owner in each if owner}) >= _SEVERAL
    return [_owned(value, each, form) if several else _named(value) for value, each in owners.items()]


def _owned(value: str, owners: Mapping[str, Any], form: Form) -> AnswerRef:
    """A value with the names of the nodes that have it."""
    named, more = [each for each in owners if each][:_OWNERS], len(owners) - _OWNERS
    names = ", ".join(named) + (f" and {more} more" if more > 0 else "")
    told = {column_words(form.value): next(iter(owners.values())), label_words(form.nodes.label, plural=False): names}
    return _with_values(_named(value) | {"detail": names}, told)


def _node(row: Mapping[str, Any], form: Form, names: Sequence[str]) -> AnswerRef:
    answer = _named(spelt(row["name"]))
    if "id" in row:
        answer["id"], answer["label"] = str(row["id"]), str(row["label"])
    told = _told(row, names)
    details, values = [_detail(told, row["name"]) if form.columns else ""], told  # What was asked for is said.
    number = row.get("key", row.get("value"))
    if number is not None and number != answer["name"].lower():
        order = form.nodes.order
        text = _number(number, order.by if order is not None and "key" in row else form.value)
        details.insert(0, f"{spelt(row['of'])}: {text}" if "of" in row else text)
        values = {number_words(form): number} | told
    if any(details):
        answer["detail"] = "; ".join(filter(None, details))
    return _with_values(answer, values)


def _number(number: Any, value: Value | None) -> str:
    """A number as text; seconds in the notation of the running times that they are worked out from."""
    name = value.property if value is not None and value.function != "count" else None
    return name.written(number) if isinstance(name, Lasting) and isinstance(number, (int, float)) else spelt(number)


def _value(row: Mapping[str, Any], form: Form, names: Sequence[str]) -> AnswerRef:
    """A value with others beside it."""
    told = _told(row, names)
    answer = _named(spelt(row["value"])) | {"detail": _detail(told, None)}
    return _with_values(answer, {column_words(form.value): row["value"]} | told)


def _told(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The values beside an answer, by what each of them is."""
    return dict(zip(names, row.get("told") or (), strict=False))


def _detail(told: Mapping[str, Any], own: Any) -> str:
    """The values beside an answer in words; its own name is not repeated."""
    texts = {words: ", ".join(map(spelt, each)) if isinstance(each, list) else each for words, each in told.items()}
    return ", ".join(f"{words} {spelt(each)}" for words, each in texts.items() if each not in (None, "", own))


def _with_values(answer: AnswerRef, values: Mapping[str, Any]) -> AnswerRef:
    """With what `detail` says as values: numbers and truths as they are, anything else as text."""
    if values:
        answer["values"] = {words: _plain(each) for words, each in values.items()}
    return answer


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, float)) else spelt(value)


def _named(name: str) -> AnswerRef:
    return {"id": None, "name": name, "label": "value", "support": 1}
