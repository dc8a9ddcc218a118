"""Reads the nodes of a graph for the text index, streamed from the store label by label.

Finds their text properties too: those whose values are sentences, not names, codes or categories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.changed_nodes import ByLabel, scan_nodes
from clew.tools.graph.schema import Property, Schema
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.text_search.sentences import chunks

SAMPLED = 200
"""Number of sampled nodes per label."""
LEAST_WORDS = 5.0
"""Minimum average number of words of a text."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_SOLID = re.compile(r"\S{25,}")
_NOT_READ = frozenset({"aliases"})


@dataclass(frozen=True, slots=True)
class TextProperties:
    """By label, the properties that hold text, sorted; and the labels whose names are texts themselves."""

    by_label: dict[str, list[str]]
    named_in_words: frozenset[str] = frozenset()

    def of(self, label: str) -> list[str]:
        return self.by_label.get(label, [])

    @property
    def rich(self) -> frozenset[str]:
        """Labels with more text than a short name."""
        return frozenset(self.by_label) | self.named_in_words


def text_properties(store: GraphStore, schema: Schema) -> TextProperties:
    """Read off the schema and a bounded sample of every label's values."""
    by_label: dict[str, list[str]] = {}
    worded: set[str] = set()
    for label in store.terms.counting(schema.labels):
        naming = {"name"} if store.terms.imported else set(store.terms.names.get(label, ()))
        asked = [p.name for p in schema.properties if p.label == label and _may_be_text(p) and p.name not in naming]
        values, sampled_names = _sampled(store, label, asked)
        given = store.terms.texts.get(label)
        found = [name for name in asked if (is_text(values[name]) if given is None else name in given)]
        if found:
            by_label[label] = sorted(found)
        if is_text(sampled_names):
            worded.add(label)
    return TextProperties(by_label, frozenset(worded))


def is_text(values: Sequence[str]) -> bool:
    """Whether values have LEAST_WORDS words on average. Addresses and codes have few, however long they are."""
    counts = [len(_WORD.findall(_SOLID.sub(" ", value))) for value in values if value.strip()]
    return bool(counts) and sum(counts) / len(counts) >= LEAST_WORDS


def _may_be_text(found: Property) -> bool:
    return found.type in ("STRING", "LIST<STRING>") and found.name not in _NOT_READ


def _sampled(store: GraphStore, label: str, asked: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Values by property, and names."""
    columns = [f"{store.terms.name('n')} AS name", *(f"n.{quoted(name)} AS p{i}" for i, name in enumerate(asked))]
    cypher = f"MATCH {store.terms.node('n', label)} RETURN {', '.join(columns)} LIMIT {SAMPLED}"
    values: dict[str, list[str]] = {name: [] for name in asked}
    names: list[str] = []
    for row in store.scan(cypher):
        names.append(str(row["name"] or ""))
        for i, name in enumerate(asked):
            if row[f"p{i}"] is not None:
                values[name].append(_joined(row[f"p{i}"]))
    return values, names


def _joined(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True, slots=True)
class TextNode:
    """A node with its texts."""

    id: str
    name: str
    label: str
    texts: tuple[tuple[str, str], ...] = ()
    """Property and text, without the name."""
    rich: bool = True
    """Whether its label has text: a node with nothing but a name then gets a vector for it."""


def pieces_of(node: TextNode) -> list[tuple[str, str]]:
    """A node's chunks with their properties, its name first."""
    found = [("name", node.name)] if node.name.strip() else []
    return found + [(name, piece) for name, text in node.texts for piece in chunks(text)]


def text_nodes(
    store: GraphStore, schema: Schema, found: TextProperties | None = None, among: ByLabel | None = None
) -> Iterator[TextNode]:
    """All nodes of a graph that have an id, label by label, with the properties that hold text.

    Args:
        found: Which they are; without, they are looked for.
        among: Only the nodes with these ids, of a graph that Clew imported.
    """
    found = found or text_properties(store, schema)
    terms, seen = store.terms, set[str]()
    for label in terms.counting(schema.labels):
        properties = found.of(label)
        columns = [f"{terms.id('n')} AS id", f"{terms.name('n')} AS name"]
        columns += [f"n.{quoted(name)} AS p{i}" for i, name in enumerate(properties)]
        for row in scan_nodes(store, label, ", ".join(columns), among):
            key = str(row["id"])
            if row["id"] is None or key in seen:
                continue
            if terms.labels:
                seen.add(key)  # A node may have two of the labels.
            yield TextNode(key, str(row["name"] or ""), label, _texts(row, properties), label in found.rich)


def _texts(row: Mapping[str, object], properties: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """A list of texts is one text, its items on lines of their own."""
    found = []
    for i, name in enumerate(properties):
        value = row[f"p{i}"]
        items = [str(item) for item in value] if isinstance(value, list) else [str(value or "")]
        if text := "\n".join(item.strip() for item in items if item.strip()):
            found.append((name, text))
    return tuple(found)
