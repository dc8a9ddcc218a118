"""Questions about a graph as a whole: what is in it, how large it is, and what it has of one kind of node.

"What's in this graph?", "which relationships are there?", "how many nodes do you have?", "what do you know of a film?".
All answers are in the schema.
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
from clew.tools.queries.surroundings.said import LabelWords, Said

Kind = Literal["labels", "relations", "nodes", "relationships", "label"]
_EXAMPLES = 2
_LONGEST = 40
"""Characters of an example."""


@dataclass(frozen=True, slots=True)
class OverviewAsked:
    """What a question asks of a graph as a whole."""

    kind: Kind
    label: str = ""
    """The kind of node that is asked for."""


def overview_asked(question: str, labels: LabelWords) -> OverviewAsked | None:
    """What a question without names asks of a graph as a whole; None for any other question.

    Args:
        question: The question.
        labels: The words for the labels of the graph.
    """
    said = Said.of(question, [], labels)
    kind = next((kind for kind, pattern in _patterns() if pattern.fullmatch(said.text)), None)
    if kind is None or (kind == "label") != bool(said.labels):
        return None
    return OverviewAsked(kind, said.labels[0] if said.labels else "")


@cache
def _patterns() -> list[tuple[Kind, re.Pattern[str]]]:
    """What each way of asking asks for."""
    told = load_toml("", "overviews.toml")
    parts = {name: text for name, text in told["parts"].items() if name != "rest"}
    parts["rest"] = told["parts"]["rest"].replace("{graph}", parts["graph"])
    found = []
    for kind, texts in told["patterns"].items():
        for text in texts:
            for name, part in parts.items():
                text = text.replace(f"{{{name}}}", part)
            found.append((kind, re.compile(text)))
    return found


def labels_told(schema: Schema) -> Iterator[tuple[str, int, str]]:
    """Each label with the number of its nodes, most first, and what its nodes have."""
    for label, number in sorted(schema.labels.items(), key=lambda pair: (-pair[1], pair[0])):
        yield label, number, "; ".join(filter(None, [_properties(schema, label), _relations(schema, label)]))


def relations_told(schema: Schema) -> Iterator[tuple[str, int, str]]:
    """Each relationship type with the number of its relationships, most first, and the labels at its ends."""
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
