"""The answers in the rows of a logical form's query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clew.agents.evidence import AnswerRef
from clew.graphs.form_support import spelt
from clew.tools.queries.reading.forms.form import Form
from clew.tools.queries.reading.forms.form_words import column_words


def answers_of(rows: Sequence[Mapping[str, Any]], form: Form) -> list[AnswerRef]:
    """The answers in the rows of a form's query: nodes, groups with their numbers, values, one number, or yes and
    no."""
    match form.asks:
        case "truth":
            return [_value("yes" if row["value"] else "no") for row in rows if row["value"] is not None]
        case "value" | "number":
            if form.columns:
                return [_value(spelt(row["value"])) | {"detail": _detail(row, form)} for row in rows]
            values = [row["value"] for row in rows if row["value"] is not None]
            each = [one for value in values for one in (value if isinstance(value, list) else [value])]
            return [_value(value) for value in dict.fromkeys(map(spelt, each))]
        case _:
            return [_node(row, form) for row in rows]


def _node(row: Mapping[str, Any], form: Form) -> AnswerRef:
    answer = _value(spelt(row["name"]))
    if "id" in row:
        answer["id"], answer["label"] = str(row["id"]), str(row["label"])
    number = row.get("key", row.get("value"))
    if number is not None:
        answer["detail"] = f"{spelt(row['of'])}: {spelt(number)}" if "of" in row else spelt(number)
    if form.columns:
        answer["detail"] = "; ".join(filter(None, (answer.get("detail"), _detail(row, form))))
    return answer


def _detail(row: Mapping[str, Any], form: Form) -> str:
    """The values beside an answer, each with what it is; its own name is not repeated."""
    pairs = zip(form.columns, row["told"], strict=True)
    texts = ((value, ", ".join(map(spelt, told)) if isinstance(told, list) else told) for value, told in pairs)
    own = row.get("name")
    return ", ".join(f"{column_words(value)} {spelt(told)}" for value, told in texts if told not in (None, "", own))


def _value(name: str) -> AnswerRef:
    return {"id": None, "name": name, "label": "value", "support": 1}
