"""The Cypher expressions for the nodes of a graph: their id, their name, their label.

Graphs that Clew imported have `nodeId` and `name` on every node. The nodes of any other graph are identified by
`elementId`, and named by the property that the import's rules choose for their label (see `naming`).

A graph that Clew imported can also hold the chunks of its documents (`clew documents publish`). They are for people's
own queries and have neither `nodeId` nor `name`: no index, schema or question takes them for nodes of the graph.
Queries that follow relationships of any type leave them out with `NodeTerms.own`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.tools.cypher.quoting import quoted

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

    def id(self, variable: str) -> str:
        return f"{variable}.nodeId" if self.imported else f"elementId({variable})"

    def name(self, variable: str) -> str:
        if self.imported:
            return f"{variable}.name"
        cases = "".join(
            f" WHEN {variable}:{quoted(label)} THEN {_joined(variable, parts)}"
            for label, parts in self.names.items()
            if parts
        )
        return f"CASE{cases} ELSE {self.id(variable)} END" if cases else self.id(variable)

    def label(self, variable: str) -> str:
        """The one label of its own that counts: the first that is not the scope."""
        if self.scope is None:
            return f"labels({variable})[0]"
        return f"[label IN labels({variable}) WHERE label <> $scope][0]"

    def own(self, variable: str) -> str:
        """The condition that a node is the graph's own and no published chunk."""
        return f"{variable}.{CHUNK_KEY} IS NULL" if self.imported else "true"

    def aliases(self, variable: str) -> str:
        return f"{variable}.aliases" if self.imported else "null"

    def node(self, variable: str, label: str | None = None) -> str:
        """A node pattern, restricted to the graph and to a label."""
        return node_pattern(variable, label, self.scope)

    def by_id(self, variable: str, label: str, parameter: str) -> str:
        """The clause that binds `variable` to the node of a label whose id is in the parameter."""
        return self._match(variable, label, f"${parameter}")

    def by_ids(self, variable: str, label: str, parameter: str) -> str:
        """As `by_id` for every id of the list in the parameter; each is looked up in the index by itself."""
        return f"UNWIND ${parameter} AS {variable}_id {self._match(variable, label, f'{variable}_id')}"

    def _match(self, variable: str, label: str, id: str) -> str:
        if self.imported:
            return f"MATCH {node_pattern(variable, label, self.scope, properties=f'nodeId: {id}')}"
        return f"MATCH {self.node(variable, label)} WHERE elementId({variable}) = {id}"

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that every query with these expressions needs."""
        return {"scope": self.scope} if self.scope else {}


def _joined(variable: str, parts: tuple[str, ...]) -> str:
    values = [f"toString({variable}.{quoted(part)})" for part in parts]
    named = " + ' ' + ".join(values)
    return f"coalesce({named}, elementId({variable}))"
