"""How Cypher speaks of a graph's nodes: by which value they are told apart, what names them, which label is theirs.

Graphs that Clew imported carry `nodeId` and `name` on every node. A graph that was in the database before has neither
for certain: its nodes are told apart by `elementId`, and each label is named by the property that the import's rules
would choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.tools.cypher.quoting import quoted


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

    def aliases(self, variable: str) -> str:
        return f"{variable}.aliases" if self.imported else "null"

    def node(self, variable: str, label: str | None = None) -> str:
        """A node pattern, restricted to the graph and to a label."""
        marks = [name for name in (label, self.scope) if name]
        return f"({variable}{''.join(':' + quoted(name) for name in marks)})"

    def by_id(self, variable: str, label: str, parameter: str) -> str:
        """The clause that binds `variable` to the node of a label whose id is in the parameter."""
        if self.imported:
            scope = f":{quoted(self.scope)}" if self.scope else ""
            return f"MATCH ({variable}:{quoted(label)}{scope} {{nodeId: ${parameter}}})"
        return f"MATCH {self.node(variable, label)} WHERE elementId({variable}) = ${parameter}"

    def by_ids(self, variable: str, label: str, parameter: str) -> str:
        """As `by_id` for every id of the list in the parameter; each is looked up in the index by itself."""
        each = f"UNWIND ${parameter} AS {variable}_id"
        if self.imported:
            scope = f":{quoted(self.scope)}" if self.scope else ""
            return f"{each} MATCH ({variable}:{quoted(label)}{scope} {{nodeId: {variable}_id}})"
        return f"{each} MATCH {self.node(variable, label)} WHERE elementId({variable}) = {variable}_id"

    @property
    def parameters(self) -> dict[str, Any]:
        """What every query that uses these expressions must be given."""
        return {"scope": self.scope} if self.scope else {}


def _joined(variable: str, parts: tuple[str, ...]) -> str:
    values = [f"toString({variable}.{quoted(part)})" for part in parts]
    named = " + ' ' + ".join(values)
    return f"coalesce({named}, elementId({variable}))"
