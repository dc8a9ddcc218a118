"""A schema as text for a prompt, and the part of it that a question needs where all of it is too long.

A prompt has what a model must know to name relations and write Cypher: labels and their properties, and the labels at
the ends of each relationship type (ByoKG-RAG section 3.1 gives the linker the whole schema). Where that does not fit,
the text has the part near the question: the labels of the entities that it names, the relations whose words are similar
to its words or that are few steps away, and the relations that connect them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.schema import Property, Relation, Schema
from clew.tools.graph.schema_similarity import SchemaSimilarity

if TYPE_CHECKING:
    from clew.tools.embedding import Embedder
    from clew.tools.graph.node_terms import NodeTerms

BUDGET = 2500
"""The default of the most tokens of a schema's text."""
_EXAMPLES = 2
_EXAMPLE_LENGTH = 24
_PROPERTIES = 12
"""The most properties of one label in a part of a schema."""
_STEP = 0.15
"""Subtracted from a relation's similarity to the question (0 to 1) for every step from the named entities' labels."""
_NAMED = 6
"""Names of omitted labels or relations that are listed."""
_NOTICE = 40
"""Tokens reserved for the line about what is not shown."""
_LEAST_OF_LINE = 3
"""The fewest tokens of a line."""
_PATIENCE = 20
"""Consecutive relations that do not fit, after which no more are tried."""
_MOST_MEANT = 150
"""Names that are compared with the question by meaning; embedding a new one takes some milliseconds."""
_PLAIN = re.compile(r"[^\W\d]\w*\Z")


@dataclass(frozen=True, slots=True)
class SchemaText:
    """A schema, or the part of it that fits, as text."""

    text: str
    labels: frozenset[str]
    """Those shown."""
    left_out_labels: tuple[str, ...] = ()
    """The most frequent first."""
    left_out_relations: tuple[str, ...] = ()
    """Patterns, as `(A)-[:R]->(B)`, the most frequent first."""

    @property
    def complete(self) -> bool:
        return not self.left_out_labels and not self.left_out_relations

    def left_out(self) -> str:
        """The omitted labels and relations as text; "" where there are none."""
        parts = [
            f"{len(names)} {kind} ({', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else ''})"
            for names, kind in ((self.left_out_labels, "labels"), (self.left_out_relations, "relation patterns"))
            if names
        ]
        return " and ".join(parts)


def schema_text(
    schema: Schema,
    question: str = "",
    labels: Collection[str] = (),
    *,
    count: Callable[[str], int],
    budget: int = BUDGET,
    terms: NodeTerms | None = None,
    embedder: Embedder | None = None,
) -> SchemaText:
    """A schema, or the part of it that a question needs, as text.

    Args:
        schema: of the graph.
        question: relations similar to it are preferred.
        labels: those of the entities that the question names.
        count: counts the tokens of a text.
        budget: the most tokens of the text.
        terms: give the property that names a node.
        embedder: compares relations with the question by meaning, too.

    Returns:
        The text; it has example values where everything fits with them.
    """
    writer = _Writer(schema, terms)
    hopeless = _LEAST_OF_LINE * (len(schema.labels) + len(schema.relations)) > budget
    for examples in () if hopeless else (_EXAMPLES, 0):
        lines = [writer.label(label, examples) for label in schema.labels]
        text = _laid_out(lines, [writer.relation(relation) for relation in schema.relations])
        if len(text.encode()) <= budget or count(text) <= budget:  # a token is at least one byte
            return SchemaText(text, frozenset(schema.labels))
    web = _Web(schema)
    like = SchemaSimilarity(question, schema, _nearest(schema, web, labels) if question else (), embedder)
    return _part(schema, web, _Shown(writer, like, count, budget - _NOTICE - count(_laid_out([], []))), labels, like)


def _nearest(schema: Schema, web: _Web, labels: Collection[str]) -> list[str]:
    """The names to compare by meaning: those the fewest steps from `labels`, and then the most frequent."""
    distance, _ = web.steps(label for label in schema.labels if label in labels)
    far = len(schema.labels)
    away = {label: distance.get(label, far) for label in schema.labels}
    for relation in schema.relations:
        steps = min(away.get(end, far) for end in (relation.source, relation.target))
        away[relation.type] = min(steps, away.get(relation.type, far))
    return sorted(away, key=lambda name: away[name])[:_MOST_MEANT]


def _part(schema: Schema, web: _Web, shown: _Shown, labels: Collection[str], like: SchemaSimilarity) -> SchemaText:
    """Relations by similarity and distance, each with those that connect it to what is shown, while they fit."""
    roots = [label for label in schema.labels if label in labels] or like.labels()[:1]
    for root in roots:
        shown.add([root], web.way(shown.labels, root) if shown.labels else [])
    distance, step = web.steps(shown.labels)
    scored = [
        (like.relation(relation) - _STEP * min(distance[relation.source], distance[relation.target]), relation)
        for relation in schema.relations
        if relation.source in distance and relation.target in distance
    ]
    refused = 0
    for _, relation in sorted(scored, key=lambda each: (-each[0], -each[1].count)):
        if refused == _PATIENCE:
            break
        near = min(relation.source, relation.target, key=lambda label: distance[label])
        joining = []
        while near not in shown.labels and near in step:
            joining.append(step[near][0])
            near = step[near][1]
        refused = 0 if shown.add([], [*reversed(joining), relation]) else refused + 1
    return shown.finished(schema)


class _Shown:
    """The part chosen so far, and the tokens that are left."""

    def __init__(self, writer: _Writer, like: SchemaSimilarity, count: Callable[[str], int], budget: int) -> None:
        self.labels: dict[str, str] = {}
        """By label its line."""
        self._relations: dict[Relation, str] = {}
        self._writer = writer
        self._like = like
        self._count = count
        self._left = budget

    def add(self, labels: Sequence[str], relations: Sequence[Relation]) -> bool:
        """Add labels and relations with the labels at their ends; False, and none is added, where they do not fit."""
        ends = [end for relation in relations for end in (relation.source, relation.target)]
        new_labels = {
            label: self._writer.label(label, 0, self._like) for label in [*labels, *ends] if label not in self.labels
        }
        new = {each: self._writer.relation(each) for each in relations if each not in self._relations}
        cost = sum(self._count(line + "\n") for line in (*new_labels.values(), *new.values()))
        if cost > self._left:
            return False
        self._left -= cost
        self.labels |= new_labels
        self._relations |= new
        return True

    def finished(self, schema: Schema) -> SchemaText:
        """The text, with values of properties as far as they fit, first of the labels most similar to the question."""
        for label in sorted(self.labels, key=lambda each: -self._like.label(each)):
            line = self._writer.label(label, 1, self._like)
            more = self._count(line + "\n") - self._count(self.labels[label] + "\n")
            if more <= self._left:
                self._left -= more
                self.labels[label] = line
        labels = [self.labels[label] for label in schema.labels if label in self.labels]
        relations = [self._relations[each] for each in schema.relations if each in self._relations]
        missing = tuple(label for label in schema.labels if label not in self.labels)
        patterns = tuple(self._writer.pattern(each) for each in schema.relations if each not in self._relations)
        said = [f"{len(missing)} more labels"] * bool(missing) + [f"{len(patterns)} more relations"] * bool(patterns)
        notice = [f"(not shown: {' and '.join(said)})"] if said else []
        return SchemaText(_laid_out(labels, [*relations, *notice]), frozenset(self.labels), missing, patterns)


class _Writer:
    """The lines of a schema's text."""

    def __init__(self, schema: Schema, terms: NodeTerms | None) -> None:
        self._counts = schema.labels
        self._terms = terms
        self._of_label = _by_owner(schema.properties)
        self._of_type = _by_owner(schema.relation_properties)

    def label(self, label: str, examples: int, like: SchemaSimilarity | None = None) -> str:
        """`Station (5): name STRING *, opened INTEGER e.g. 1871`; with `like`, only the most similar properties."""
        names = self._names(label)
        found = sorted(self._of_label.get(label, ()), key=lambda each: each.name not in names)
        hidden = 0
        if like is not None and len(found) > _PROPERTIES:
            found.sort(key=lambda each: (each.name not in names, -like.words(each.name), -each.count))
            hidden = len(found) - _PROPERTIES
            found = found[:_PROPERTIES]
        said = [_property(each, each.name in names, examples) for each in found]
        said += [f"… {hidden} more"] * bool(hidden)
        return f"{identifier(label)} ({self._counts.get(label, 0)})" + (": " + ", ".join(said) if said else "")

    def relation(self, relation: Relation) -> str:
        """`(Line)-[:STOPS_AT {since: INTEGER}]->(Station) 9`"""
        found = self._of_type.get(relation.type, ())[:_PROPERTIES]
        inside = ", ".join(f"{identifier(each.name)}: {each.type}" for each in found)
        return f"{self.pattern(relation, f' {{{inside}}}' if inside else '')} {relation.count}"

    def pattern(self, relation: Relation, inside: str = "") -> str:
        source, target = identifier(relation.source), identifier(relation.target)
        return f"({source})-[:{identifier(relation.type)}{inside}]->({target})"

    def _names(self, label: str) -> Collection[str]:
        if self._terms is None or self._terms.imported:
            return ("name",)
        return self._terms.names.get(label, ())


class _Web:
    """The labels as a graph, connected by relations regardless of direction."""

    def __init__(self, schema: Schema) -> None:
        self._around: dict[str, list[tuple[Relation, str]]] = defaultdict(list)
        for relation in schema.relations:  # The most frequent first, so that ways prefer them.
            self._around[relation.source].append((relation, relation.target))
            self._around[relation.target].append((relation, relation.source))

    def steps(self, starts: Iterable[str]) -> tuple[dict[str, int], dict[str, tuple[Relation, str]]]:
        """By label: its distance from the nearest start, and the last step of a way to it (relation, label before)."""
        distance = dict.fromkeys(starts, 0)
        step: dict[str, tuple[Relation, str]] = {}
        queue = deque(distance)
        while queue:
            label = queue.popleft()
            for relation, other in self._around[label]:
                if other not in distance:
                    distance[other] = distance[label] + 1
                    step[other] = (relation, label)
                    queue.append(other)
        return distance, step

    def way(self, starts: Iterable[str], end: str) -> list[Relation]:
        """A shortest way from one of `starts` to `end`; empty where there is none."""
        _, step = self.steps(starts)
        found = []
        while end in step:
            relation, end = step[end]
            found.append(relation)
        return found[::-1]


def identifier(name: str) -> str:
    """A name in Cypher: in backticks unless it is a plain word."""
    return name if _PLAIN.match(name) else quoted(name)


def _property(each: Property, names: bool, examples: int) -> str:
    shown = [_value(value) for value in each.examples[:examples]]
    return f"{identifier(each.name)} {each.type}{' *' if names else ''}{' e.g. ' + ' | '.join(shown) if shown else ''}"


def _value(value: Any) -> str:
    """A short value on one line."""
    if isinstance(value, str):
        line = " ".join(value.split())
        value = line if len(line) <= _EXAMPLE_LENGTH else line[: _EXAMPLE_LENGTH - 1] + "…"
    text = json.dumps(value[:1] if isinstance(value, list) else value, ensure_ascii=False, default=str)
    return text if len(text) <= 2 * _EXAMPLE_LENGTH else text[: 2 * _EXAMPLE_LENGTH - 1] + "…"


def _laid_out(labels: Sequence[str], relations: Sequence[str]) -> str:
    head = "Node labels (number of nodes): properties; * marks the one that names a node"
    return "\n".join([head, *labels, "", "Relations: pattern and number", *relations])


def _by_owner(properties: Iterable[Property]) -> Mapping[str, list[Property]]:
    found: dict[str, list[Property]] = defaultdict(list)
    for each in properties:
        found[each.label].append(each)
    return found
