"""Finds the properties of nodes that are text: their values are sentences, not names, codes or categories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.schema import Property, Schema
from clew.tools.graph.store.graph_store import GraphStore

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
    for label in schema.labels:
        naming = {"name"} if store.terms.imported else set(store.terms.names.get(label, ()))
        asked = [p.name for p in schema.properties if p.label == label and _may_be_text(p) and p.name not in naming]
        values, sampled_names = _sampled(store, label, asked)
        found = [name for name in asked if is_text(values[name])]
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
