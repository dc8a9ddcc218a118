"""A trace as OpenTelemetry spans by OpenInference's conventions: names, times and attributes.

The question is the root (AGENT). Its steps are its children (CHAIN, or RETRIEVER for strategies); a query is a child of
its step (TOOL), and so is a call of a model (LLM). Spans are made of the finished trace and not of LangChain's
callbacks: the trace knows the order, the parents and the times, in whichever threads the steps ran.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
"""In place of hidden values, as in OpenInference's instrumentations."""
_KINDS = OpenInferenceSpanKindValues
_RETRIEVERS = frozenset({*STRATEGIES, "match"})
_QUERIES = frozenset({"query", "executed", "followed"})
"""Events of executed queries, with their duration."""
_CALLS = frozenset({"model call", "generator"})
_DOCUMENTS = 40
Value = str | bool | int | float
Attributes = dict[str, Value]


@dataclass(frozen=True, slots=True)
class HiddenFields:
    """What to hide (OPENINFERENCE_HIDE_INPUTS, OPENINFERENCE_HIDE_OUTPUTS)."""

    inputs: bool = False
    outputs: bool = False


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """One span; times are milliseconds since the start of the run."""

    name: str
    start: float
    end: float
    attributes: Attributes
    error: str | None = None
    events: tuple[tuple[str, float, Attributes], ...] = ()
    children: tuple[SpanRecord, ...] = field(default=())


def span_record(run: Mapping[str, Any], hiding: HiddenFields) -> SpanRecord:
    """The root span of a trace, as `TraceStore.show` returns it."""
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
    name, error = "statement" if statement else "question", _hidden(run["error"], hiding)
    return SpanRecord(name, 0.0, run["ms"], attributes, error, (), children)


def _step(
    span: Mapping[str, Any], root: str, documents: Mapping[tuple[str, int], Sequence[Any]], hiding: HiddenFields
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
    """Start and end of an event within its step; events are recorded at their end."""
    over = min(max(event["at_ms"], start), end)
    took = data.get("ms")
    return max(start, over - (took if isinstance(took, (int, float)) else 0.0)), over


def _call(kind: str, data: Mapping[str, Any], start: float, end: float, hiding: HiddenFields) -> SpanRecord:
    """A call of a language model, or of the generator."""
    reply = data.get("reply") if kind == "model call" else data.get("chosen")
    asked = [(role, data[role]) for role in ("system", "user") if data.get(role)]
    replies = [("assistant", reply)] if kind == "model call" and reply else []
    taken, given = data.get("input_tokens"), data.get("output_tokens")
    attributes: Attributes = {
        **_kind(_KINDS.LLM),
        **_input(data.get("user") or "", hiding),
        **_output(reply or "", hiding),
        **_messages(SpanAttributes.LLM_INPUT_MESSAGES, asked, hiding.inputs),
        **_messages(SpanAttributes.LLM_OUTPUT_MESSAGES, replies, hiding.outputs),
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


def _query(data: Mapping[str, Any], start: float, end: float, hiding: HiddenFields) -> SpanRecord:
    """An executed query."""
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
    """The kept evidence by strategy and iteration, as `gather` recorded it."""
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


def _retrieved(pieces: Sequence[Any], hiding: HiddenFields) -> Attributes:
    attributes: Attributes = {}
    for number, (head, relation, tail, score, _) in enumerate(pieces[:_DOCUMENTS]):
        place = f"{SpanAttributes.RETRIEVAL_DOCUMENTS}.{number}"
        content = HIDDEN if hiding.outputs else f"{head} — {relation} → {tail}"
        attributes[f"{place}.{DocumentAttributes.DOCUMENT_CONTENT}"] = content
        attributes |= _known({f"{place}.{DocumentAttributes.DOCUMENT_SCORE}": score})
    return attributes


def _messages(name: str, messages: Sequence[tuple[str, Any]], hidden: bool) -> Attributes:
    attributes: Attributes = {}
    for number, (role, text) in enumerate(() if hidden else messages):
        attributes[f"{name}.{number}.{MessageAttributes.MESSAGE_ROLE}"] = role
        attributes[f"{name}.{number}.{MessageAttributes.MESSAGE_CONTENT}"] = str(text)
    return attributes


def _answer(outcome: Mapping[str, Any]) -> Any:
    """The outcome, without the parts that are in its steps."""
    shown = ("answers", "verdict", "reason", "explanation", "cypher", "confidence", "choice")
    return {key: outcome[key] for key in shown if outcome.get(key) is not None}


def _kind(kind: OpenInferenceSpanKindValues) -> Attributes:
    return {SpanAttributes.OPENINFERENCE_SPAN_KIND: kind.value}


def _input(value: Any, hiding: HiddenFields) -> Attributes:
    return _value(value, SpanAttributes.INPUT_VALUE, SpanAttributes.INPUT_MIME_TYPE, hiding.inputs)


def _output(value: Any, hiding: HiddenFields) -> Attributes:
    return _value(value, SpanAttributes.OUTPUT_VALUE, SpanAttributes.OUTPUT_MIME_TYPE, hiding.outputs)


def _value(value: Any, name: str, mime_name: str, hidden: bool) -> Attributes:
    if hidden:
        return {name: HIDDEN}
    plain = isinstance(value, str)
    mime = OpenInferenceMimeTypeValues.TEXT if plain else OpenInferenceMimeTypeValues.JSON
    return {name: value if plain else _json(value), mime_name: mime.value}


def _hidden(error: Any, hiding: HiddenFields) -> str | None:
    """The error; only its kind if values are hidden, since it may quote them."""
    if error is None:
        return None
    return str(error).partition(":")[0][:100] if hiding.inputs or hiding.outputs else str(error)


def _known(values: Mapping[str, Value | None]) -> Attributes:
    return {name: value for name, value in values.items() if value is not None}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
