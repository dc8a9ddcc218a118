"""Questions about a graph as a whole: what is in it, how large it is, and what it has of one kind of node.

"What's in this graph?", "which relationships are there?", "how many nodes do you have?", "what do you know of a film?".
Such a question names no node and has general words only. All answers are in the schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from clew.tools.graph.identifiers import identifier_words
from clew.tools.graph.schema import Schema
from clew.tools.queries.lexical import load_toml
from clew.tools.queries.surroundings.asked import GraphWords, say_nothing
from clew.tools.queries.surroundings.said import Said, says_nothing

Kind = Literal["labels", "relations", "nodes", "relationships", "label"]
_HOW_MANY = re.compile(r"\bhow (?:many|much|big|large)\b")
_OF_LABEL = re.compile(
    r"(?:what|which) is (?:a|an) #|(?:what|which) (?:do|does) (?:a|an|every|each) # have"
    r"|what (?:do|does|can) (?:you|we|it|this|i) (?:know|have|find|look up|tell|track|record|keep|hold|store) "
    r"(?:about|on|of|for) (?:a |an |the |all |every |each )?#"
)
_ASKS = re.compile(
    r"(?:what|which)\b.*\b(?:i|we|one) (?:(?:can|could|should|may) )?(?:ask|find|query|learn)\b"
    r"|\bask (?:you|here)\b|help"
)
_KNOWS = re.compile(r"what (?:all )?(?:do|does|can|could) (?:you|it|this) (?:know|cover|contain|hold|answer|tell)\b")
_EXAMPLES = 2
_LONGEST = 40
"""Characters of an example."""


@dataclass(frozen=True, slots=True)
class OverviewAsked:
    """What a question asks of a graph as a whole."""

    kind: Kind
    label: str = ""
    """The kind of node that is asked for."""


def overview_asked(question: str, words: GraphWords) -> OverviewAsked | None:
    """What a question without names asks of a graph as a whole; None for any other question.

    Args:
        question: The question.
        words: What the graph knows of words.
    """
    said = Said.of(question, [], words.labels)
    kind = None if said.has("most") else _kind(said)
    if kind is None or (kind == "label") != bool(said.labels):
        return None
    others = [word for word in said.words if not (word.text in _general() or says_nothing(word.text))]
    if others and not say_nothing(others, said, words):
        return None
    return OverviewAsked(kind, said.labels[0] if said.labels else "")


def _kind(said: Said) -> Kind | None:
    texts = set(said.texts)
    counted = _HOW_MANY.search(said.text) is not None or not texts.isdisjoint(_list("counts"))
    about_graph = not texts.isdisjoint(_list("graph") | {"here", "you"})
    if said.labels:
        told = not texts.isdisjoint(_list("properties"))
        return "label" if (told and not counted) or _OF_LABEL.fullmatch(said.text) else None
    if not texts.isdisjoint(_list("edges")):
        return "relationships" if counted else "relations"
    if not texts.isdisjoint(_list("nodes")) or about_graph:
        if counted:
            return "nodes"
        joined = not texts.isdisjoint({"how", "ways"}) and not texts.isdisjoint(_list("related"))
        of_types = not texts.isdisjoint(_list("types") | _list("graph"))
        general = of_types or _ASKS.search(said.text) or _KNOWS.search(said.text) or {"what", "here"} <= texts
        return "relations" if joined else "labels" if general else None
    return "labels" if _ASKS.search(said.text) or texts <= {"overview", "help", "me"} else None


@cache
def _list(kind: str) -> frozenset[str]:
    return frozenset(load_toml("", "overviews.toml")[kind].split())


@cache
def _general() -> frozenset[str]:
    return frozenset().union(*map(_list, load_toml("", "overviews.toml")))


def labels_told(schema: Schema) -> Iterator[tuple[str, int, str]]:
    """Each label with the number of its nodes, most first, and what its nodes have."""
    for label, number in sorted(schema.labels.items(), key=lambda pair: (-pair[1], pair[0])):
        yield label, number, "; ".join(filter(None, [_properties(schema, label), _relations(schema, label)]))


def relations_told(schema: Schema) -> Iterator[tuple[str, int, str]]:
    """Each relationship type with the number of its relationships, and the labels at its ends."""
    for relation in dict.fromkeys(each.type for each in schema.relations):
        ends = [each for each in schema.relations if each.type == relation]
        yield relation, sum(each.count for each in ends), ", ".join(f"{e.source} → {e.target}" for e in ends)


def properties_told(schema: Schema, label: str) -> Iterator[tuple[str, str]]:
    """Each property of a label, with its type and examples, and each relationship type, with the label it leads to."""
    for each in schema.properties:
        if each.label == label:
            examples = ", ".join(str(example)[:_LONGEST] for example in each.examples[:_EXAMPLES])
            yield each.name, f"{each.type.lower()}{', such as ' if examples else ''}{examples}"
    for relation in schema.relations:
        if relation.source == label:
            yield relation.type, f"to {relation.target}"
        elif relation.target == label:
            yield relation.type, f"from {relation.source}"


def _properties(schema: Schema, label: str) -> str:
    return ", ".join(" ".join(identifier_words(each.name)) for each in schema.properties if each.label == label)


def _relations(schema: Schema, label: str) -> str:
    steps = [f"{each.type} → {each.target}" for each in schema.relations if each.source == label]
    return ", ".join(dict.fromkeys(steps))
