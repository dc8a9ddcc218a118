"""A trace as OpenTelemetry spans by OpenInference's conventions: what each span is called, when it was, what it says.

The question is the root (AGENT). Its steps are its children (CHAIN, or RETRIEVER for strategies), side by side as they
ran; a query is a child of its step (TOOL), and so is a call of a model (LLM). Spans are made of the finished trace and
not of LangChain's callbacks: there is one place that knows the order, the parents and the times, whichever threads the
steps ran in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openinference.semconv.trace import (
    DocumentAttributes,
    MessageAttributes,
    OpenInferenceMimeTypeValues,
    OpenInferenceSpanKindValues,
    SpanAttributes,
)

from clew.graphs.strategies import STRATEGIES

HIDDEN = "__REDACTED__"
"""In place of what is not to be sent, as OpenInference's own instrumentations have it."""
_KINDS = OpenInferenceSpanKindValues
_RETRIEVERS = frozenset({*STRATEGIES, "match"})
_QUERIES = frozenset({"query", "executed", "followed"})
"""Events of a query that ran, which say how long it took."""
_CALLS = frozenset({"model call", "generator"})
_DOCUMENTS = 40
Value = str | bool | int | float
Attributes = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Hiding:
    """What is not sent (OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS)."""

    inputs: bool = False
    outputs: bool = False


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """One span; times are milliseconds since the run began."""

    name: str
    start: float
    end: float
    attributes: Attributes
    error: str | None = None
    events: tuple[tuple[str, float, Attributes], ...] = ()
    children: tuple[SpanRecord, ...] = field(default=())


def span_record(run: Mapping[str, Any], hiding: Hiding) -> SpanRecord:
    """The root of a trace as `TraceStore.show` has it."""
    outcome = run["outcome"] if isinstance(run["outcome"], dict) else {}
    statement = any(span["node"] == "judge" for span in run["spans"])
    attributes: Attributes = {
        **_kind(_KINDS.AGENT),
        **_input(run["question"], hiding),
        **_output(_answer(outcome), hiding),
        **_known({SpanAttributes.SESSION_ID: run["thread"], SpanAttributes.USER_ID: run["owner"]}),
        SpanAttributes.AGENT_NAME: "clew",
        SpanAttributes.METADATA: _json(
            {
                "trace_id": run["id"],
                "graph": run["graph"],
                "status": run["status"],
                "confidence": outcome.get("confidence"),
                "replay_of": run["replay_of"],
            }
        ),
    }
    documents = _documents(run["spans"])
    children = tuple(_step(span, run["id"], documents, hiding) for span in run["spans"])
    return SpanRecord(
        "statement" if statement else "question",
        0.0,
        run["ms"],
        attributes,
        _hidden(run["error"], hiding),
        (),
        children,
    )


def _step(
    span: Mapping[str, Any], root: str, documents: Mapping[tuple[str, int], Sequence[Any]], hiding: Hiding
) -> SpanRecord:
    node, start = span["node"], span["start_ms"]
    end = start + span["ms"]
    retrieves = node in _RETRIEVERS
    attributes: Attributes = {
        **_kind(_KINDS.RETRIEVER if retrieves else _KINDS.CHAIN),
        **_input(span["inputs"], hiding),
        **_output(span["outputs"], hiding),
        **(_retrieved(documents.get((node, span["iteration"]), ()), hiding) if retrieves else {}),
        SpanAttributes.GRAPH_NODE_ID: node,
        SpanAttributes.METADATA: _json({"iteration": span["iteration"]}),
    }
    children, events = list[SpanRecord](), list[tuple[str, float, Attributes]]()
    for event in span["events"]:
        data = event["data"] if isinstance(event["data"], dict) else {"data": event["data"]}
        if event["kind"] in _CALLS and isinstance(data.get("ms"), (int, float)):
            children.append(_call(event["kind"], data, *_lasting(event, data, start, end), hiding))
        elif event["kind"] in _QUERIES and "cypher" in data:
            children.append(_query(data, *_lasting(event, data, start, end), hiding))
        else:
            shown: Attributes = {"data": HIDDEN if hiding.inputs or hiding.outputs else _json(data)}
            events.append((event["kind"], min(max(event["at_ms"], start), end), shown))
    return SpanRecord(node, start, end, attributes, _hidden(span["error"], hiding), tuple(events), tuple(children))


def _lasting(event: Mapping[str, Any], data: Mapping[str, Any], start: float, end: float) -> tuple[float, float]:
    """From when to when, within its step; an event is told when it is over."""
    over = min(max(event["at_ms"], start), end)
    took = data.get("ms")
    return max(start, over - (took if isinstance(took, (int, float)) else 0.0)), over


def _call(kind: str, data: Mapping[str, Any], start: float, end: float, hiding: Hiding) -> SpanRecord:
    """A call of a language model, or of the model that chooses among queries."""
    said = data.get("reply") if kind == "model call" else data.get("chosen")
    asked = [(role, data[role]) for role in ("system", "user") if data.get(role)]
    taken, given = data.get("input_tokens"), data.get("output_tokens")
    attributes: Attributes = {
        **_kind(_KINDS.LLM),
        **_input(data.get("user") or "", hiding),
        **_output(said or "", hiding),
        **_messages(SpanAttributes.LLM_INPUT_MESSAGES, asked, hiding.inputs),
        **_messages(SpanAttributes.LLM_OUTPUT_MESSAGES, [("assistant", said)] if kind == "model call" and said else [],
                    hiding.outputs),
        **_known({
            SpanAttributes.LLM_MODEL_NAME: data.get("model") or data.get("by"),
            SpanAttributes.LLM_TOKEN_COUNT_PROMPT: taken,
            SpanAttributes.LLM_TOKEN_COUNT_COMPLETION: given,
            SpanAttributes.LLM_TOKEN_COUNT_TOTAL: None if taken is None or given is None else taken + given,
            SpanAttributes.LLM_COST_TOTAL: data.get("price"),
            SpanAttributes.LLM_FINISH_REASON: data.get("finish_reason") or None,
            SpanAttributes.PROMPT_ID: data.get("prompt"),
            SpanAttributes.LLM_PROMPT_TEMPLATE_VERSION: data.get("digest"),
        }),
        SpanAttributes.METADATA: _json({key: data[key] for key in ("role", "attempts", "estimated") if key in data}),
    }  # fmt: skip
    error = data.get("error") or data.get("failed")
    return SpanRecord(str(data.get("role") or kind), start, end, attributes, _hidden(error, hiding))


def _query(data: Mapping[str, Any], start: float, end: float, hiding: Hiding) -> SpanRecord:
    """A query that the database ran."""
    asked = {"cypher": data["cypher"], "parameters": data.get("parameters")}
    found = {"rows": data.get("rows"), "answers": data.get("answers"), "truncated": data.get("truncated")}
    attributes: Attributes = {
        **_kind(_KINDS.TOOL),
        **_input(asked, hiding),
        **_output(found, hiding),
        SpanAttributes.TOOL_NAME: "cypher",
        SpanAttributes.TOOL_PARAMETERS: HIDDEN if hiding.inputs else _json(asked),
    }
    return SpanRecord("cypher query", start, end, attributes)


def _documents(spans: Sequence[Mapping[str, Any]]) -> dict[tuple[str, int], list[Any]]:
    """What each strategy found of what was kept, by strategy and iteration, as `gather` told it."""
    found: dict[tuple[str, int], list[Any]] = {}
    for span in spans:
        for event in span["events"] if span["node"] == "gather" else ():
            pieces = event["data"].get("triplets") if isinstance(event["data"], dict) else None
            for piece in pieces if isinstance(pieces, list) else ():
                if isinstance(piece, list) and len(piece) == 5 and isinstance(piece[4], list):
                    for strategy in piece[4]:
                        known = found.setdefault((strategy, span["iteration"]), [])
                        known += [] if piece in known else [piece]
    return found


def _retrieved(pieces: Sequence[Any], hiding: Hiding) -> Attributes:
    attributes: Attributes = {}
    for number, (head, relation, tail, score, _) in enumerate(pieces[:_DOCUMENTS]):
        place = f"{SpanAttributes.RETRIEVAL_DOCUMENTS}.{number}"
        content = HIDDEN if hiding.outputs else f"{head} — {relation} → {tail}"
        attributes[f"{place}.{DocumentAttributes.DOCUMENT_CONTENT}"] = content
        attributes |= _known({f"{place}.{DocumentAttributes.DOCUMENT_SCORE}": score})
    return attributes


def _messages(name: str, messages: Sequence[tuple[str, Any]], hidden: bool) -> Attributes:
    if hidden:
        return {}
    return dict(_message_parts(name, messages))


def _message_parts(name: str, messages: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, Value]]:
    for number, (role, text) in enumerate(messages):
        yield f"{name}.{number}.{MessageAttributes.MESSAGE_ROLE}", role
        yield f"{name}.{number}.{MessageAttributes.MESSAGE_CONTENT}", str(text)


def _answer(outcome: Mapping[str, Any]) -> Any:
    """What the run gave, without what its steps tell already."""
    shown = ("answers", "verdict", "reason", "explanation", "cypher", "confidence", "choice")
    return {key: outcome[key] for key in shown if outcome.get(key) is not None}


def _kind(kind: OpenInferenceSpanKindValues) -> Attributes:
    return {SpanAttributes.OPENINFERENCE_SPAN_KIND: kind.value}


def _input(value: Any, hiding: Hiding) -> Attributes:
    return _value(value, SpanAttributes.INPUT_VALUE, SpanAttributes.INPUT_MIME_TYPE, hiding.inputs)


def _output(value: Any, hiding: Hiding) -> Attributes:
    return _value(value, SpanAttributes.OUTPUT_VALUE, SpanAttributes.OUTPUT_MIME_TYPE, hiding.outputs)


def _value(value: Any, name: str, mime_name: str, hidden: bool) -> Attributes:
    if hidden:
        return {name: HIDDEN}
    plain = isinstance(value, str)
    mime = OpenInferenceMimeTypeValues.TEXT if plain else OpenInferenceMimeTypeValues.JSON
    return {name: value if plain else _json(value), mime_name: mime.value}


def _hidden(error: Any, hiding: Hiding) -> str | None:
    """An error may quote what is hidden: its kind is told alone then."""
    if error is None:
        return None
    return str(error).partition(":")[0][:100] if hiding.inputs or hiding.outputs else str(error)


def _known(values: Mapping[str, Value | None]) -> Attributes:
    return {name: value for name, value in values.items() if value is not None}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
