"""The planner with a model: one call gives the plan, and a second may correct it. Source: SAGE section 2.2.

The model sees the question and the schema with its examples of values, never the content of nodes. If its plan has no
result, it learns only that; names and texts of the graph are not sent. Its reply is parsed tolerantly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from clew.agents.models.calls import Model, ModelFailed
from clew.agents.prompting import prompt
from clew.agents.replies import read_json
from clew.tools.cypher.lexer import Refused, code_tokens
from clew.tools.queries.plans.checking import CheckedPlan, PlanRefused
from clew.tools.queries.plans.plan import MOST_STEPS, USUAL_K, Match, Narrowing, Nodes, Plan, Predicate, Search, Step
from clew.tools.queries.space.query import Comparison, Order
from clew.tools.queries.values import Scalar, number

_MOST_READ = 50
"""Most conditions, properties and parameters of one step."""
_DEEPEST = 4
_UNFIT_NAME = re.compile(r"\W+")
_WRITTEN = re.compile(r"\s*([\w .`-]{1,80}?)\s*(<=|>=|<>|!=|==|=|<|>|\bcontains\b)\s*(.{1,200})\Z", re.I | re.S)
_COMPARISONS: dict[str, Comparison] = {
    "=": "=", "==": "=", "eq": "=", "is": "=", "equals": "=", "equal": "=", "on": "=", "in": "=",
    "<>": "<>", "!=": "<>", "ne": "<>", "not": "<>", "is not": "<>",
    "<": "<", "lt": "<", "under": "<", "below": "<", "less than": "<", "before": "<",
    "<=": "<=", "lte": "<=", "le": "<=", "at most": "<=", "until": "<=",
    ">": ">", "gt": ">", "over": ">", "above": ">", "more than": ">", "greater than": ">", "after": ">",
    ">=": ">=", "gte": ">=", "ge": ">=", "at least": ">=", "since": ">=",
    "contains": "CONTAINS", "like": "CONTAINS", "includes": "CONTAINS", "matches": "CONTAINS",
}  # fmt: skip


class UnusablePlan(Exception):
    """A reply without a plan; the text says why, for the model."""


def read_plan(text: str) -> Plan:
    """The plan in a reply. Raises UnusablePlan, and nothing else for any text."""
    json = read_json(text)
    data = json.value
    if isinstance(data, list):
        data = {"steps": data}
    if not isinstance(data, Mapping):
        raise UnusablePlan("the reply is no JSON object with `steps`")
    inner = data.get("plan")
    if "steps" not in data and isinstance(inner, Mapping | list):
        data = inner if isinstance(inner, Mapping) else {**data, "steps": inner}
    rows = data.get("steps")
    if isinstance(rows, Mapping):
        rows = [{"name": name, **row} for name, row in list(rows.items())[: MOST_STEPS + 1] if isinstance(row, Mapping)]
    if not isinstance(rows, list) or not rows:
        raise UnusablePlan("there is no list `steps`, or it is empty")
    if len(rows) > MOST_STEPS:
        raise UnusablePlan(f"the plan has {len(rows)} steps; {MOST_STEPS} are the most")
    steps = _bound([_step(row, number) for number, row in enumerate(rows, 1)])
    asked = data.get("answer", data.get("result", data.get("final")))
    answer = reference(asked) if isinstance(asked, str | int) and not isinstance(asked, bool) else ""
    if json.cut_off and answer not in {step.name for step in steps}:
        raise UnusablePlan("the reply breaks off within the plan")
    return Plan(tuple(steps), answer or steps[-1].name)


def reference(data: Any) -> str:
    """The name of a step, however it is written: "$papers", "papers.ids", 2, ["papers"]."""
    if isinstance(data, list) and data:
        data = data[0]
    text = str(data if isinstance(data, str | int) else "").strip().lstrip("$").split(".")[0]
    name = _UNFIT_NAME.sub("_", text)[:40].strip("_")
    return f"step{name}" if name[:1].isdigit() else name


def _step(row: object, place: int) -> Step:
    if not isinstance(row, Mapping):
        raise UnusablePlan(f"step {place} is not an object")
    row = _flat(row)
    name = reference(row.get("name", row.get("id", row.get("step")))) or f"step{place}"
    narrowing = Narrowing(_conditions(row.get("where", row.get("filters"))), _order(row), _whole(row.get("top")))
    label, within = _text(row, "label", "node_label", "of"), reference(row.get("within", "")) or None
    if cypher := _text(row, "cypher", "opencypher"):
        return Match(name, cypher, _parameters(row.get("parameters", row.get("params"))), _bindings(row), narrowing)
    if text := _text(row, "search", "text", "query"):
        properties = tuple(each for each in _listed(row.get("properties")) if isinstance(each, str))
        return Search(name, text, label, _whole(row.get("k")) or USUAL_K, properties, within, narrowing)
    if label or within or (label := _text(row, "nodes", "all")):
        return Nodes(name, label, within, narrowing)
    raise UnusablePlan(f"step “{name}” has neither `search` nor `cypher`")


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """The step with the fields of a nested object, as in a tool call."""
    for key in ("args", "arguments", "input"):
        if isinstance(inner := row.get(key), Mapping):
            row = {**row, **inner}
    return {str(key).strip().lower(): value for key, value in row.items()}


def _bound(steps: Sequence[Step]) -> list[Step]:
    """The steps, with parameters named like a step bound to it."""
    names = {step.name for step in steps}
    found: list[Step] = []
    for step in steps:
        if isinstance(step, Match):
            own = {key: key for key in _used(step.cypher) if key in names and key not in step.bound}
            bound = {**own, **step.bound}
            given = {key: value for key, value in step.parameters.items() if key not in bound}
            step = replace(step, bound=bound, parameters=given)
        found.append(step)
    return found


def _used(cypher: str) -> list[str]:
    """The parameters of a query; none where it cannot be read."""
    try:
        tokens = code_tokens(cypher)
    except Refused:
        return []
    return [after.name for before, after in pairwise(tokens) if before.text == "$"]


def _bindings(row: Mapping[str, Any]) -> dict[str, str]:
    data = row.get("bind", row.get("bindings", row.get("bound")))
    if not isinstance(data, Mapping):
        return {}
    pairs = {str(key).lstrip("$")[:40]: reference(value) for key, value in list(data.items())[:_MOST_READ]}
    return {key: step for key, step in pairs.items() if key and step}


def _parameters(data: object) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        return {}
    return {str(key).lstrip("$")[:40]: value for key, value in list(data.items())[:_MOST_READ]}


def _conditions(data: object, depth: int = 0) -> tuple[Predicate, ...]:
    """Conditions in a list of objects or texts, or in an object by property."""
    if depth > _DEEPEST or data is None:
        return ()
    if isinstance(data, list):
        return tuple(found for each in data[:_MOST_READ] for found in _conditions(each, depth + 1))
    if isinstance(data, str):
        match = _WRITTEN.match(data)
        if match is None:
            raise UnusablePlan(f"the condition “{data[:80]}” is not understood")
        return _compared(match.group(1).strip("` "), match.group(2), match.group(3).strip(" '\""))
    if not isinstance(data, Mapping):
        raise UnusablePlan("a condition is an object with `property`, `op` and `value`")
    name = data.get("property", data.get("field", data.get("name")))
    if isinstance(name, str):
        return _compared(name, data.get("op", data.get("operator", data.get("comparison", "="))), data.get("value"))
    found: list[Predicate] = []
    for key, value in list(data.items())[:_MOST_READ]:
        if isinstance(value, Mapping) and ("op" in value or "value" in value):
            found += _compared(str(key), value.get("op", "="), value.get("value"))
        elif isinstance(value, Mapping):
            found += [each for op, one in list(value.items())[:4] for each in _compared(str(key), op, one)]
        else:
            found += _compared(str(key), "=", value)
    return tuple(found)


def _compared(name: str, data: object, value: object) -> tuple[Predicate, ...]:
    operator = " ".join(str(data).lower().replace("_", " ").split())[:40]
    if operator in ("between", "range", "from to") and isinstance(value, list) and len(value) == 2:
        return (*_compared(name, ">=", value[0]), *_compared(name, "<=", value[1]))
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    comparison = _COMPARISONS.get(operator.lstrip("$"))
    if comparison is None:
        raise UnusablePlan(f"the comparison “{operator}” is not known; there are =, <>, <, <=, >, >=, contains")
    if not isinstance(value, str | int | float | bool):
        raise UnusablePlan(f"the condition on “{name[:80]}” has no plain value")
    scalar: Scalar = value
    return (Predicate(name[:80], comparison, scalar),)


def _order(row: Mapping[str, Any]) -> Order | None:
    data = row.get("order", row.get("order_by", row.get("sort")))
    if isinstance(data, list) and data:
        data = data[0]
    if isinstance(data, str) and data.strip():
        by, _, way = data.strip().partition(" ")
        return Order(by.strip("`")[:80], way.strip().lower() in ("desc", "descending"))
    if isinstance(data, Mapping) and isinstance(by := data.get("by", data.get("property")), str):
        way = data.get("descending", data.get("desc", data.get("direction", data.get("dir", False))))
        return Order(by[:80], way is True or str(way).lower().startswith(("desc", "true")))
    return None


def _text(row: Mapping[str, Any], *keys: str) -> str | None:
    for key in keys:
        if isinstance(value := row.get(key), str) and value.strip():
            return value
    return None


def _whole(data: object) -> int | None:
    value = number(data) if isinstance(data, str | int | float) else None
    return int(value) if value is not None and abs(value) < 10**9 else None


def _listed(data: object) -> list[Any]:
    return data[:_MOST_READ] if isinstance(data, list) else [data] if isinstance(data, str) else []


GAVE_NOTHING = "The plan is sound, but its answer step gave no nodes."
_REPLY_SHOWN = 4000

Check = Callable[[Plan], CheckedPlan]
"""Raises PlanRefused for a plan that cannot be run."""


@dataclass(frozen=True, slots=True)
class PlanReply:
    """The outcome of a call: a checked plan, or why there is none."""

    checked: CheckedPlan | None
    reply: str = ""
    """As the model wrote it."""
    problem: str = ""
    """What is wrong with it; "" if there is a plan."""
    failure: ModelFailed | None = None
    """What kept the model from replying."""


def write(model: Model, question: str, schema_text: str, check: Check) -> PlanReply:
    """The plan of a model's first reply. Never raises for what a model does or writes."""
    try:
        text = model.ask(prompt("plan", question=question, schema=schema_text), json=True).text
    except ModelFailed as failed:
        return PlanReply(None, "", failed.message, failed)
    return _checked(text, check)


def correct(model: Model, question: str, schema_text: str, reply: str, problem: str, check: Check) -> PlanReply:
    """The plan of a second reply, to what is wrong with the first."""
    asked = prompt("repair_plan", question=question, schema=schema_text, plan=reply[:_REPLY_SHOWN], problem=problem)
    try:
        text = model.ask(asked, json=True).text
    except ModelFailed as failed:
        return PlanReply(None, reply, f"{problem}; asked again: {failed.message}", failed)
    return _checked(text, check)


def _checked(text: str, check: Check) -> PlanReply:
    try:
        return PlanReply(check(read_plan(text)), text)
    except UnusablePlan as fault:
        return PlanReply(None, text, str(fault))
    except PlanRefused as refused:
        return PlanReply(None, text, " ".join(str(refused).split()))
