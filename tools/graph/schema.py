"""A graph's schema as Clew uses it: labels, relationship types with their ends, properties with examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.node_terms import CHUNK_KEY, CHUNK_LABEL, SCOPES, VECTORS
from clew.tools.graph.store.graph_store import GraphStore

RESERVED = frozenset({"nodeId"})
"""Properties for Clew's own use, which no schema shows."""
SAMPLED = 1000
"""Nodes of each label, and relationships of each type, whose properties are sampled."""
EXACT_UP_TO = 2_000_000
"""With more relationships than this, the pairs of ends of each type come from a sample and their counts are shares."""
ENDS_SAMPLED = 10_000
_EXAMPLES = 3
_EXAMPLE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Relation:
    """A relationship type between two labels; a type with several pairs of ends appears once for each."""

    type: str
    source: str
    target: str
    count: int


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the nodes of one label, or of the relationships of one type."""

    label: str
    """The label or type."""
    name: str
    type: str
    """STRING, INTEGER, FLOAT, BOOLEAN, DATE, LIST<…>, as `valueType` says without NOT NULL."""
    count: int
    """How many have it, of those sampled."""
    examples: tuple[Any, ...]
    least: float | None = None
    """The least number among those sampled; None where the values are no numbers."""
    greatest: float | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of a graph. Counts are exact, except those of properties, and of ends in very large graphs."""

    labels: dict[str, int]
    relations: tuple[Relation, ...]
    properties: tuple[Property, ...]
    version: str
    """The version of the graph that it describes."""
    relation_properties: tuple[Property, ...] = ()

    def within(self, labels: Collection[str]) -> Schema:
        """The part of it with these labels alone; all of it for none."""
        if not labels:
            return self
        return replace(
            self,
            labels={label: n for label, n in self.labels.items() if label in labels},
            relations=tuple(each for each in self.relations if each.source in labels and each.target in labels),
            properties=tuple(each for each in self.properties if each.label in labels),
        )

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Schema:
        """Read what `to_json` gave. A schema of an earlier release, which has no least and greatest numbers, gets no
        version, so that `introspect` reads it anew."""
        return cls(
            labels=dict(found["labels"]),
            relations=tuple(Relation(**each) for each in found["relations"]),
            properties=_properties_from_json(found["properties"]),
            version=found["version"] if all("least" in each for each in found["properties"]) else "",
            relation_properties=_properties_from_json(found.get("relation_properties", ())),
        )


def introspect(store: GraphStore) -> Schema:
    """Read the graph's schema by plain Cypher.

    Labels, types and their ends are sorted by count, properties by name.
    """
    version = store.version()
    labels, types = label_counts(store), relation_counts(store)
    relations = tuple(_relations(store, types))
    properties = [each for label in labels for each in _properties(store, label, store.terms.node("n", label), "n")]
    return Schema(
        labels=labels,
        relations=relations,
        properties=tuple(properties if store.terms.imported else _without_references(properties, relations)),
        version=version,
        relation_properties=tuple(
            each for kind in types for each in _properties(store, kind, f"{_node(store)}-[r:{quoted(kind)}]->()", "r")
        ),
    )


def label_counts(store: GraphStore) -> dict[str, int]:
    """The number of nodes of each label, the most frequent first. Published chunks are no nodes of the graph."""
    cypher = f"MATCH {_node(store)} UNWIND labels(n) AS label RETURN label, count(*) AS n"
    found = {row["label"]: row["n"] for row in store.scan(cypher) if not _is_hidden(row["label"], store)}
    if own := found.pop(CHUNK_LABEL, 0) - published_chunks(store):
        found[CHUNK_LABEL] = own
    return _by_count(found)


def published_chunks(store: GraphStore) -> int:
    """The number of chunks of documents that the graph holds beside its own nodes."""
    pattern = store.terms.node("n", CHUNK_LABEL)
    return int(next(iter(store.scan(f"MATCH {pattern} RETURN count(n.{CHUNK_KEY}) AS n")))["n"])


def relation_counts(store: GraphStore) -> dict[str, int]:
    """The number of relationships of each type, the most frequent first."""
    cypher = f"MATCH {_node(store)}-[r]->() {_own(store)}RETURN type(r) AS type, count(*) AS n"
    return _by_count({row["type"]: row["n"] for row in store.scan(cypher)})


def _relations(store: GraphStore, types: Mapping[str, int]) -> list[Relation]:
    """Each type with each pair of end labels."""
    if sum(types.values()) <= EXACT_UP_TO:
        cypher = (
            f"MATCH {_node(store)}-[r]->(m) {_own(store)}"
            "RETURN type(r) AS type, labels(n) AS source, labels(m) AS target, count(*) AS n"
        )
        found = _pairs(store, store.scan(cypher))
    else:
        found = {}
        for kind, total in types.items():
            found.update(_shared_out(_pairs(store, _sampled_ends(store, kind)), total))
    relations = [Relation(kind, source, target, n) for (kind, source, target), n in found.items()]
    return sorted(relations, key=lambda r: (-r.count, r.type, r.source, r.target))


_Pairs = dict[tuple[str, str, str], int]


def _sampled_ends(store: GraphStore, kind: str) -> Iterator[dict[str, Any]]:
    """Ends from a sample spread over the type's relationships, as neighbours in storage have the same ends."""
    cypher = (
        f"MATCH {_node(store)}-[r:{quoted(kind)}]->(m) WITH n, m, rand() AS chance ORDER BY chance "
        f"LIMIT {ENDS_SAMPLED} RETURN $type AS type, labels(n) AS source, labels(m) AS target, count(*) AS n"
    )
    return store.scan(cypher, {"type": kind})


def _pairs(store: GraphStore, rows: Iterable[Mapping[str, Any]]) -> _Pairs:
    """Counts by (type, source label, target label); a node with several labels counts under each."""
    found: _Pairs = defaultdict(int)
    for row in rows:
        for source in row["source"]:
            for target in row["target"]:
                if not (_is_hidden(source, store) or _is_hidden(target, store)):
                    found[row["type"], source, target] += row["n"]
    return dict(found)


def _shared_out(pairs: _Pairs, total: int) -> _Pairs:
    sampled = max(1, sum(pairs.values()))
    return {key: max(1, round(n * total / sampled)) for key, n in pairs.items()}


def _properties(store: GraphStore, owner: str, pattern: str, variable: str) -> list[Property]:
    """One for each property seen in a bounded sample, with its most frequent type."""
    cypher = (
        f"MATCH {pattern} WITH {variable} AS x LIMIT {SAMPLED} UNWIND keys(x) AS key WITH key, x[key] AS value "
        "RETURN key, valueType(value) AS type, count(*) AS n, collect(DISTINCT value)[0..$examples] AS examples, "
        "min(value) AS least, max(value) AS greatest"
    )
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in store.scan(cypher, {"examples": _EXAMPLES}):
        if row["key"] not in RESERVED:
            rows[row["key"]].append(row)
    found = []
    for name, seen in sorted(rows.items()):
        seen.sort(key=lambda row: -row["n"])
        examples = tuple(_example(value) for row in seen for value in row["examples"])[:_EXAMPLES]
        kind = _type_name(seen[0]["type"], examples[0] if examples else None)
        ends = [seen[0][each] if kind in ("INTEGER", "FLOAT") else None for each in ("least", "greatest")]
        found.append(Property(owner, name, kind, sum(row["n"] for row in seen), examples, *ends))
    return found


def _without_references(properties: Sequence[Property], relations: Iterable[Relation]) -> list[Property]:
    """The properties without the keys of nodes that a relationship leads to: Product.categoryID beside PART_OF, which
    was loaded from a table."""
    keys: dict[str, set[str]] = defaultdict(set)
    for each in properties:
        key, owner = each.name.replace("_", "").lower(), each.label.replace("_", "").lower()
        if key in (f"{owner}id", f"{owner}code", f"{owner}key", f"{owner}no"):
            keys[each.name].add(each.label)
    linked = {(r.source, r.target) for r in relations} | {(r.target, r.source) for r in relations}
    return [
        each for each in properties
        if each.label in keys[each.name] or not any((each.label, other) in linked for other in keys[each.name])
    ]  # fmt: skip


def _type_name(said: str, example: Any) -> str:
    """`LIST<STRING NOT NULL> NOT NULL` gives LIST<STRING>; where the engine says only ANY, the example decides."""
    kind = said.replace(" NOT NULL", "")
    if kind == "LIST<ANY>" and isinstance(example, list) and example:
        kinds = {bool: "BOOLEAN", str: "STRING", int: "INTEGER", float: "FLOAT"}
        return f"LIST<{kinds.get(type(example[0]), 'ANY')}>"
    return kind


def _example(value: Any) -> Any:
    """Short, and plain enough for JSON."""
    if isinstance(value, str):
        return value if len(value) <= _EXAMPLE_LENGTH else value[: _EXAMPLE_LENGTH - 1] + "…"
    if isinstance(value, list):
        return [_example(item) for item in value[:_EXAMPLES]]
    return value if isinstance(value, bool | int | float | None) else str(value)


def _is_hidden(label: str, store: GraphStore) -> bool:
    """Whether no schema shows a label: a scope, also that of a graph which another process is just importing, or a mark
    of other software."""
    another = not store.terms.imported and label.startswith((SCOPES, VECTORS))
    return another or label == store.scope or label in store.terms.hidden


def _node(store: GraphStore) -> str:
    return store.terms.node("n")


def _own(store: GraphStore) -> str:
    """The clause that leaves out the relationships of published chunks, which all begin at one."""
    return f"WHERE {store.terms.own('n')} " if published_chunks(store) else ""


def _by_count(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _properties_from_json(found: Iterable[Mapping[str, Any]]) -> tuple[Property, ...]:
    return tuple(Property(**{**each, "examples": tuple(each["examples"])}) for each in found)
