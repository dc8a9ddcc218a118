"""The clause that every chain starts with, and the name of the node at which all chains end."""

from __future__ import annotations

from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms

ANSWER = "answer"


def anchor_clause(variable: str, anchor: Entity | str, parameter: str, terms: NodeTerms) -> str:
    """The clause that binds `variable` to an entity (by its id, through an index) or to a label."""
    if isinstance(anchor, str):
        return f"MATCH {terms.node(variable, anchor)}"
    return terms.by_id(variable, anchor.label, parameter)
