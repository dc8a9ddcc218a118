"""Reads the nodes of a graph for the text index, streamed from the store label by label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.schema import Schema
from clew.tools.graph.store.graph_store import GraphStore
from clew.tools.text_search.properties import text_properties


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


def text_nodes(store: GraphStore, schema: Schema) -> Iterator[TextNode]:
    """All nodes of a graph that have an id, label by label, with the properties that hold text."""
    found = text_properties(store, schema)
    terms, seen = store.terms, set[str]()
    for label in schema.labels:
        properties = found.of(label)
        columns = [f"{terms.id('n')} AS id", f"{terms.name('n')} AS name"]
        columns += [f"n.{quoted(name)} AS p{i}" for i, name in enumerate(properties)]
        for row in store.scan(f"MATCH {terms.node('n', label)} RETURN {', '.join(columns)}"):
            key = str(row["id"])
            if row["id"] is None or key in seen:
                continue
            if not terms.imported:
                seen.add(key)  # a node with two labels comes twice
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
