"""Rows of the store of traces as plain values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from clew.app.former_names import present_name, with_present_names
from clew.tools.state.tables import Row


def run_fields(row: Row) -> dict[str, Any]:
    """The fields of a run that need no reading of JSON."""
    fields = ("id", "started", "graph", "question", "thread", "status", "ms", "error", "replay_of")
    return {key: row[key] for key in fields}


def summary(row: Row) -> dict[str, Any]:
    """A run with what its outcome says in short."""
    outcome = value_of(row["outcome"])
    known = outcome if isinstance(outcome, dict) else {}
    model = known.get("model")
    cost: Mapping[str, Any] = model if isinstance(model, dict) else {}
    return {
        **run_fields(row),
        "answers": count(known.get("answers")),
        "confidence": known.get("confidence"),
        "verdict": known.get("verdict"),
        "model_calls": cost.get("calls", 0),
        "tokens": cost.get("input_tokens", 0) + cost.get("output_tokens", 0),
        "price": cost.get("price"),
    }


def count(answers: Any) -> int:
    """The length of a list that may have been cut: a mark at its end then says how long it was."""
    if not isinstance(answers, list):
        return 0
    mark = re.fullmatch(r"… \(cut: (\d+) items\)", str(answers[-1])) if answers else None
    return int(mark[1]) if mark else len(answers)


def span_values(spans: Iterable[Any], events: Iterable[Any]) -> list[dict[str, Any]]:
    """Rows of spans with those of their events."""
    by_span: dict[int, list[dict[str, Any]]] = {}
    for event in events:
        shown = {"kind": event["kind"], "at_ms": event["at_ms"], "data": value_of(event["data"])}
        by_span.setdefault(event["span"], []).append(shown)
    return [
        {
            "node": present_name(span["node"]),
            **{key: span[key] for key in ("iteration", "start_ms", "ms")},
            **{key: value_of(span[key]) for key in ("inputs", "outputs")},
            "error": span["error"],
            "events": by_span.get(span["number"], []),
        }
        for span in spans
    ]


def value_of(text: str) -> Any:
    """A stored value; the mark `{"damaged": True}` in place of one that something has overwritten."""
    try:
        return json.loads(text, object_hook=with_present_names)
    except ValueError:
        return {"damaged": True}
