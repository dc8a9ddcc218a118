"""What a node is: its properties, and its neighbours by relation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.agents.answering.explanation import listed
from clew.agents.evidence import AnswerRef, Attempt
from clew.graphs.context import Context
from clew.graphs.form_answers import answers_of
from clew.graphs.form_support import query_of, spelt
from clew.graphs.state import StrategyInput
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.read import likely_readings, run_reading
from clew.tools.graph.entity import Entity
from clew.tools.graph.neighbourhood import Neighbourhood
from clew.tools.graph.triplets import Triplet
from clew.tools.queries.follow_ups.stored_forms import stored_within_limit
from clew.tools.queries.reading.forms.form import Form, Nodes, Value
from clew.tools.queries.space.query import Hop
from clew.tools.queries.space.words import hop_words

_MOST_DESCRIBED = 3
"""Nodes that are described where the question does not name them."""
_PREFERRED = 0.5
"""How much surer the description of nodes is than the reading that finds them, which only lists them."""
_EACH = 10
"""Relationships of one type and direction that are read."""
_NAMED = 5
"""Neighbours of one kind that the words of a description name."""
_LONGEST = 300
"""Characters of a property's value in the words of a description."""


def description(names: Sequence[Sequence[Entity]], found: StrategyFindings, context: Context) -> Attempt:
    """The properties and the neighbours of each node that has one of some names."""
    nodes = list(dict.fromkeys(node for name in names for node in name))
    answers: list[AnswerRef] = []
    evidence: list[Triplet] = []
    labels = list(dict.fromkeys(node.label for node in nodes))
    forms = [_with_properties(tuple(node for node in nodes if node.label == label), context) for label in labels]
    queries = [query_of(form, context) for form in forms]
    for form, query in zip(forms, queries, strict=True):
        rows = context.tools.store.read(query.cypher, query.parameters, context.limits())
        for answer in answers_of(rows.records, form):
            around = _around(Entity(str(answer["id"]), answer["name"], answer["label"]), context)
            answers.append(_described(answer, around))
            evidence += around
    words = f"About {listed(list(dict.fromkeys(node.name for node in nodes)), len(nodes))}"
    attempt = found.attempt(
        words, answers, 1.0, cypher=queries[0].cypher, parameters=queries[0].parameters, anchors=nodes
    )
    if len(forms) == 1:
        attempt["form"] = stored_within_limit(Form("nodes", forms[0].nodes))
    found.support(attempt, evidence)
    return attempt


def description_of_phrase(
    start: int, state: StrategyInput, found: StrategyFindings, context: Context
) -> Attempt | None:
    """The nodes that the words of a question from `start` on mean, described: "the founder of A". None where these are
    many, or the words are not explained."""
    question, reader = state["question"], context.tools.reader
    if reader is None:
        return None
    mentions, others = (
        [each for each in named if each.start < each.end] for named in (state["mentions"], state["alternatives"])
    )
    if state["follow_ups"]:
        readings = likely_readings(state, context)
    else:
        readings = reader.read(" " * start + question[start:], mentions, others)
    if not readings or readings[0].form.asks != "nodes" or readings[0].unexplained:
        return None
    _, read = run_reading(readings[0], state, context, rows=_MOST_DESCRIBED + 1)
    nodes = [Entity(answer["id"], answer["name"], answer["label"]) for answer in read["answers"] if answer["id"]]
    if not 0 < len(nodes) <= _MOST_DESCRIBED:
        return None
    attempt = description([nodes], found, context)
    attempt["confidence"] = round(read["confidence"] + _PREFERRED * (1 - read["confidence"]), 4)
    attempt["anchors"] = read["anchors"]
    return attempt


def shared_values(attempt: Attempt, nodes: Sequence[Entity], context: Context) -> Attempt:
    """An attempt with the values that nodes of one label have in common as its answers."""
    if len({node.label for node in nodes}) > 1:
        return attempt
    form = _with_properties(tuple(nodes), context)
    query = query_of(form, context)
    rows = context.tools.store.read(query.cypher, query.parameters, context.limits()).records
    first, *others = [answer.get("values", {}) for answer in answers_of(rows, form)] or [{}]
    same = {
        words: value
        for words, value in first.items()
        if value is not None and all(e.get(words) == value for e in others)
    }
    if len(others) + 1 < len(nodes) or not same:
        return attempt
    answers: list[AnswerRef] = [
        {"id": None, "name": spelt(value), "label": "value", "support": 1, "detail": words}
        for words, value in same.items()
    ]
    shared: Attempt = {**attempt, "answers": answers, "cypher": query.cypher, "parameters": query.parameters}
    shared.pop("none", None)
    return shared


def _with_properties(nodes: tuple[Entity, ...], context: Context) -> Form:
    label = nodes[0].label
    columns = tuple(Value(each.name) for each in context.tools.schema.properties if each.label == label)
    return Form("nodes", Nodes(label, nodes), columns=columns)


def _around(node: Entity, context: Context) -> list[Triplet]:
    """Some relationships of a node, of each type and direction."""
    around, limits = Neighbourhood(context.tools.store, context.tools.schema), context.limits()
    return list(around.expand([node], around.steps([node], limits), _EACH, limits).triplets)


def _described(answer: AnswerRef, around: Sequence[Triplet]) -> AnswerRef:
    """A node with its properties and its neighbours in words."""
    node, values = answer["name"], answer.get("values", {})
    groups: dict[Hop, list[str]] = {}
    for triplet in around:
        forward = triplet.head.id == answer["id"]
        other = triplet.tail if forward else triplet.head
        groups.setdefault(Hop(triplet.relation, forward, other.label), []).append(other.name)
    linked = {hop_words(hop, node, plural=len(names) > 1): names for hop, names in groups.items()}
    linked = {words: sorted(names) for words, names in linked.items()}
    values = {
        words: each for words, each in values.items() if each not in (None, "", []) and not _is_key(words, each, answer)
    }
    own = [f"{words} {_text(each)[:_LONGEST]}" for words, each in values.items() if each != node]
    beside = [
        f"{words}: {listed(names[:_NAMED], len(names), more=len(names) >= _EACH)}" for words, names in linked.items()
    ]
    return {**answer, "detail": "; ".join(filter(None, [", ".join(own), *beside])), "values": {**values, **linked}}


def _is_key(words: str, value: Any, answer: AnswerRef) -> bool:
    """Whether a property is the number by which the graph knows the node ("person id"), or repeats other names."""
    key = str(answer["id"]).rpartition(":")[2]
    return words == "aliases" or (words.split()[-1] == "id" and str(value) == key)


def _text(value: Any) -> str:
    return ", ".join(map(spelt, value)) if isinstance(value, list) else spelt(value)
