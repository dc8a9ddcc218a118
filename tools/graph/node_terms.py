"""The Cypher expressions for the nodes of a graph: their id, their name, their label.

Graphs that Clew imported have `nodeId` and `name` on every node. The nodes of any other graph are identified by
`elementId`, and named by the properties that its mapping file gives for their label, or else the import's rules choose
(see `naming` and `store.existing_graph`).

A graph that Clew imported can also hold the chunks of its documents (`clew documents publish`). They are for people's
own queries and have neither `nodeId` nor `name`: no index, schema or question takes them for nodes of the graph.
Queries that follow relationships of any type leave them out with `NodeTerms.own`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.tools.cypher.quoting import quoted

SCOPES = "Clew_"
"""The beginning of the labels that distinguish the graphs of one Neo4j database."""
VECTORS = "ClewVectors"
"""How the labels of the nodes begin that hold vectors in a Neo4j database (`store.vector_index`). They belong to no
graph, and no relationship leads to them."""
CHUNK_LABEL, CHUNK_KEY = "Chunk", "clewChunk"
"""The label of published chunks, and the property with their ids, which no other node has."""


def node_pattern(variable: str, *labels: str | None, properties: str = "") -> str:
    """A node pattern of Cypher, such as "(n:`Film` {nodeId: $id})"; labels that are None or empty are left out."""
    marks = "".join(":" + quoted(label) for label in labels if label)
    return f"({variable}{marks}{f' {{{properties}}}' if properties else ''})"


@dataclass(frozen=True, slots=True)
class NodeTerms:
    """The Cypher expressions for one graph; `variable` is always a node variable of the caller's query."""

    scope: str | None = None
    """The label that marks all nodes of the graph where several graphs share a database."""
    imported: bool = True
    """Whether every node carries `nodeId` and `name`."""
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For other graphs: label to the properties that name its nodes, joined by a blank."""
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For other graphs: label to the properties that hold further names of its nodes."""
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For other graphs: label to the properties that hold text, where the mapping file says so."""
    labels: tuple[str, ...] = ()
    """For graphs whose nodes have several labels: the labels that count. The first of them that a node has is its
    label."""
    hidden: frozenset[str] = frozenset()
    """Labels that other software marks its nodes with, such as `__Entity__`; no schema shows them."""
    beside: tuple[str, ...] = ()
    """For other graphs: the scopes of the graphs that Clew keeps in the same database."""

    def id(self, variable: str) -> str:
        return f"{variable}.nodeId" if self.imported else f"elementId({variable})"

    def name(self, variable: str) -> str:
        if self.imported:
            return f"{variable}.name"
        named: dict[tuple[str, ...], list[str]] = {}
        for label in self.counting(self.names):
            if parts := self.names.get(label):
                named.setdefault(parts, []).append(label)
        cases = "".join(
            f" WHEN {' OR '.join(f'{variable}:{quoted(label)}' for label in labels)} THEN {_joined(variable, parts)}"
            for parts, labels in named.items()
        )
        unnamed = f"labels({variable})[0] + ' ' + last(split(elementId({variable}), ':'))"
        return f"coalesce(CASE{cases} END, {unnamed})" if cases else unnamed

    def counting(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Of the labels of the graph those that count, so that each node has one of them."""
        return self.labels or tuple(labels)

    def label(self, variable: str) -> str:
        """The one label of its own that counts: the first that is not the scope."""
        if self.labels:
            return f"[label IN $label_order WHERE label IN labels({variable})][0]"
        if self.scope is None:
            return f"labels({variable})[0]"
        return f"[label IN labels({variable}) WHERE label <> $scope][0]"

    def own(self, variable: str) -> str:
        """The condition that a node is the graph's own and no published chunk."""
        return f"{variable}.{CHUNK_KEY} IS NULL" if self.imported else "true"

    def aliases(self, variable: str, label: str) -> str:
        """The further names of a node of a label: a text, or a list of texts."""
        if self.imported:
            return f"{variable}.aliases"
        listed = [f"coalesce({variable}.{quoted(name)}, [])" for name in self.others.get(label, ())]
        return " + ".join(["[]", *listed]) if listed else "null"

    def node(self, variable: str, label: str | None = None) -> str:
        """A node pattern, restricted to the graph and to a label."""
        return self.within(variable, quoted(label) if label else "")

    def within(self, variable: str, labels: str) -> str:
        """A node pattern, restricted to the graph and to a label expression, which may be empty."""
        if self.scope and not labels.endswith(")"):
            return f"({variable}{labels and ':' + labels}:{quoted(self.scope)})"
        others = self.beside if labels or not self.beside else ("ClewGraph", *self.beside)
        also = [quoted(self.scope)] if self.scope else [f"!{quoted(label)}" for label in others]
        expression = "&".join([*([labels] if labels else []), *also])
        return f"({variable}:{expression})" if expression else f"({variable})"

    def by_id(self, variable: str, label: str, parameter: str) -> str:
        """The clause that binds `variable` to the node of a label whose id is in the parameter."""
        return self._match(variable, label, f"${parameter}")

    def by_ids(self, variable: str, label: str, parameter: str) -> str:
        """As `by_id` for every id of the list in the parameter; each is looked up in the index by itself."""
        return f"UNWIND ${parameter} AS {variable}_id {self._match(variable, label, f'{variable}_id')}"

    def _match(self, variable: str, label: str, id: str) -> str:
        if self.imported:
            return f"MATCH {node_pattern(variable, label, self.scope, properties=f'nodeId: {id}')}"
        return f"MATCH {node_pattern(variable, label)} WHERE elementId({variable}) = {id}"

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that every query with these expressions needs."""
        found: dict[str, Any] = {"scope": self.scope} if self.scope else {}
        return found | ({"label_order": list(self.labels)} if self.labels else {})


def _joined(variable: str, parts: tuple[str, ...]) -> str:
    """All parts with blanks between; of a node that lacks some, the first that it has."""
    values = [f"toString({variable}.{quoted(part)})" for part in parts]
    whole = " + ' ' + ".join(values)
    return whole if len(values) == 1 else f"coalesce({whole}, {', '.join(values)})"
