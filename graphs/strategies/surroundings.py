"""surroundings: what surrounds the nodes that a question names, if it asks for that in general words.

"Tell me about A" describes a node, "how are A and B connected" gives the shortest paths between two, "what is linked to
A" lists neighbours, "what do A and B have in common" what they share, "the best connected person" counts relationships,
and "films like A" compares what nodes share.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from clew.agents.answering.explanation import listed
from clew.agents.evidence import AnswerRef, Attempt
from clew.graphs.context import Context
from clew.graphs.recorder import Span
from clew.graphs.state import NodeState, StrategyInput
from clew.graphs.steps import StepResult, spoken
from clew.graphs.strategies.connections import number_of_steps, ways, whether_connected
from clew.graphs.strategies.descriptions import description, description_of_phrase, shared_values
from clew.graphs.strategies.findings import StrategyFindings
from clew.graphs.strategies.graph_words import graph_words
from clew.graphs.strategies.ranking import link_scores
from clew.graphs.strategies.similar_nodes import similar_nodes
from clew.graphs.strategies.strategy import Strategy, Turn
from clew.graphs.trace_records import attempt_record
from clew.tools.graph.entity import Entity, Mention
from clew.tools.graph.neighbourhood import Neighbourhood
from clew.tools.graph.triplets import Triplet
from clew.tools.linking.mentions import find_mentions
from clew.tools.queries.follow_ups.stored_forms import restored_form
from clew.tools.queries.reading.english.sentences import asking_sentence
from clew.tools.queries.reading.forms.form import Form, Nodes
from clew.tools.queries.reading.forms.rendered import Rendered
from clew.tools.queries.relation_names import relation_words
from clew.tools.queries.space.words import noun_of
from clew.tools.queries.surroundings.asked import Asked, Kind, described_phrase, surroundings_asked
from clew.tools.queries.surroundings.queries import hub_query, neighbours_query, shared_query

_SURE: Mapping[Kind, float] = {
    "description": 0.99, "hub": 0.99, "neighbours": 0.97, "way": 0.97, "whether": 0.97, "steps": 0.97, "shared": 0.95,
    "similar": 0.92,
}  # fmt: skip
"""Confidence. A reading of the same question may be as sure: "which films do A and B have in common"."""
_PASSED_OVER = 0.95
"""What each word that is passed over leaves of the confidence."""
_SHOWN = 25
"""Answers whose relationships are evidence."""


def surroundings(state: StrategyInput, context: Context, span: Span) -> StepResult:
    asked = _asked(state["question"], state, context)
    if asked is None or context.run.deadline.passed:
        return StepResult({}, "The question asks for something else")
    names = [[node.name for node in name] for name in asked.named]
    span.event("asked", asks=asked.kind, names=names, labels=list(asked.labels), passed_over=list(asked.passed_over))
    found = StrategyFindings("surroundings", state["iteration"])
    if asked.phrase is not None:
        attempt = description_of_phrase(asked.phrase, state, found, context)
    elif (attempt := _ANSWERS[asked.kind](asked, found, context)) is not None:
        linked = link_scores((node for name in asked.named for node in name), state)
        sure = _SURE[asked.kind] * _PASSED_OVER ** len(asked.passed_over)
        attempt["confidence"] = round(sure * min(linked, default=1.0), 4)
        if asked.passed_over:
            attempt["note"] = f"Passed over, since nothing in the graph is called so: {', '.join(asked.passed_over)}."
    if attempt is None:
        return StepResult({}, "Nothing surrounds these nodes")
    found.keep(attempt)
    span.event("query", **attempt_record(attempt))
    title = f"{attempt['words']}: {spoken(len(attempt['answers']), 'answer')}"
    return StepResult(found.update("attempts", "evidence", "errors"), title)


def is_asked(state: NodeState, context: Context) -> bool:
    """Whether the question of a run asks for what surrounds nodes."""
    return _asked(state["resolved"], state, context) is not None


def _asked(question: str, state: Any, context: Context) -> Asked | None:
    """What the question asks of the surroundings of nodes. A change of an earlier question only asks for descriptions:
    "tell me about the first one", and, where it comes down to a name, "and Ann?"."""
    if state.get("iteration", 1) > 1:
        return None
    if state["follow_ups"]:
        forms = [restored_form(each["form"]) for each in state["follow_ups"]]
        names = all(form and form == Form("nodes", Nodes(form.nodes.label, form.entities)) for form in forms)
        return Asked("description", phrase=0) if names else described_phrase(question)
    mentions = state["mentions"]
    return context.run.surroundings.get((question, tuple(mentions)), lambda: _of_names(question, mentions, context))


def stands_alone(question: str, context: Context) -> bool:
    """Whether a question asks for what surrounds the nodes that it names, by more than their names."""
    mentions = find_mentions(question, context.tools.index).mentions
    said = asking_sentence(question).text.strip(" ?!.")
    return len(said) > sum(len(each.text) for each in mentions) and _of_names(question, mentions, context) is not None


def _of_names(question: str, mentions: Sequence[Mention], context: Context) -> Asked | None:
    return surroundings_asked(question, mentions, graph_words(question, mentions, context))


def _neighbours(asked: Asked, found: StrategyFindings, context: Context) -> Attempt | None:
    """The nodes that one has relationships with; of several with its name those of all."""
    (nodes,), labels = asked.named, _narrow(asked.labels, context)
    queries = [neighbours_query(context.tools.store.terms, each, labels) for each in nodes]
    return _listing(f"{_things(asked)} linked to {nodes[0].name}", queries, nodes, found, context)


def _shared(asked: Asked, found: StrategyFindings, context: Context) -> Attempt | None:
    """What several nodes have the same relation with; else the values that they have in common."""
    nodes, labels = [name[0] for name in asked.named], _narrow(asked.labels, context)
    named = listed([node.name for node in nodes], len(nodes))
    query = shared_query(context.tools.store.terms, nodes, labels)
    attempt = _listing(f"{_things(asked)} that {named} have in common", [query], nodes, found, context)
    if attempt["answers"]:
        return attempt
    return None if labels else shared_values(attempt, nodes, context)


def _hub(asked: Asked, found: StrategyFindings, context: Context) -> Attempt | None:
    """The nodes with most relationships, with all that have as many as the last one."""
    query = hub_query(context.tools.store.terms, _narrow(asked.labels, context), asked.number)
    rows = context.tools.store.read(query.cypher, query.parameters, context.limits())
    least = rows.records[min(asked.number, len(rows.records)) - 1]["value"] if rows.records else 0
    answers: list[AnswerRef] = [
        {**_answer(row), "detail": spoken(row["value"], "relationship"), "values": {"relationships": row["value"]}}
        for row in rows.records
        if row["value"] >= least
    ]
    words = f"{_things(asked)}, by number of relationships, highest first: {asked.number}"
    attempt = found.attempt(words, answers, 1.0, cypher=query.cypher, parameters=query.parameters, ms=rows.ms)
    first = [(_entity(row), str(row["value"])) for row in rows.records[: min(len(answers), _SHOWN)]]
    found.support(attempt, (Triplet.of_value(node, "relationships", value) for node, value in first))
    return attempt


def _listing(
    words: str, queries: Sequence[Rendered], nodes: Sequence[Entity], found: StrategyFindings, context: Context
) -> Attempt:
    """The nodes that queries find around some nodes, each with the relations that lead to it."""
    results = [context.tools.store.read(each.cypher, each.parameters, context.limits()) for each in queries]
    rows: dict[str, dict[str, Any]] = {}
    for row in (row for result in results for row in result.records):
        known = rows.setdefault(str(row["id"]), {**row, "relations": []})
        known["relations"] = sorted({*known["relations"], *row["relations"]})
    own = {node.id for node in nodes}
    answers: list[AnswerRef] = [
        {**_answer(row), "detail": ", ".join(" ".join(relation_words(each)) for each in row["relations"])}
        for id, row in rows.items()
        if id not in own
    ]
    attempt = found.attempt(
        words, answers, 1.0, cypher=queries[0].cypher, parameters=queries[0].parameters, anchors=nodes,
        truncated=any(result.truncated for result in results), ms=sum(result.ms for result in results),
    )  # fmt: skip
    if not answers:
        attempt["none"] = True
    relations = {relation for row in rows.values() for relation in row["relations"]}
    ids = [answer["id"] for answer in answers[:_SHOWN]]
    around = Neighbourhood(context.tools.store, context.tools.schema)
    steps = [step for step in around.possible({node.label for node in nodes}) if step.relation in relations]
    expanded = around.expand(nodes, steps, _SHOWN, context.limits()).triplets if answers else ()
    found.support(attempt, (t for t in expanded if t.head.id in ids or t.tail.id in ids))
    return attempt


def _entity(row: Mapping[str, Any]) -> Entity:
    return Entity(str(row["id"]), str(row["name"]), str(row["label"]))


def _answer(row: Mapping[str, Any]) -> AnswerRef:
    return {"id": str(row["id"]), "name": str(row["name"]), "label": str(row["label"]), "support": 1}


def _narrow(labels: Sequence[str], context: Context) -> tuple[str, ...]:
    """Labels of the graph for those that the reader knows, which may be wider."""
    reader = context.tools.reader
    wider: Mapping[str, Collection[str]] = reader.wider if reader is not None else {}
    return tuple(dict.fromkeys(own for label in labels for own in (wider.get(label) or (label,))))


def _things(asked: Asked) -> str:
    """What is asked for, in words."""
    nouns = list(dict.fromkeys(noun_of(label, plural=True) for label in asked.labels)) or ["things"]
    text = listed(nouns, len(nouns)).replace(" and ", " or ")
    return text[:1].upper() + text[1:]


_ANSWERS: dict[Kind, Callable[[Asked, StrategyFindings, Context], Attempt | None]] = {
    "description": lambda asked, found, context: description(asked.named, found, context),
    "way": ways,
    "whether": whether_connected,
    "steps": number_of_steps,
    "neighbours": _neighbours,
    "shared": _shared,
    "hub": _hub,
    "similar": similar_nodes,
}

STRATEGY = Strategy(
    name="surroundings",
    run=surroundings,
    does="Describes named nodes, and finds their neighbours, what they share, and the shortest paths between them",
    source="none",
    needs="a question that asks for that in general words",
    without_model=Turn.ASKED,
    with_model=Turn.ASKED,
    complete_answers=True,
    stands_alone=True,
    needs_entities=False,
    asked=is_asked,
)
