"""The result of a repair, and the draft that its steps edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from clew.tools.cypher.lexer import Edit, apply_edits
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.cypher_repair.syntax import ParsedQuery
from clew.tools.graph.entity import Candidate
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.schema import Schema

NameLookup = Callable[[str, str | None], Sequence[Candidate]]
"""Looks up the entities that a text may name, best first, among the nodes of a label or (None) all nodes."""


@dataclass(frozen=True, slots=True)
class RepairedQuery:
    """A query that can be executed."""

    original: str
    cypher: str
    parameters: dict[str, Any]
    changes: tuple[str, ...]
    """The corrections, for users."""
    doubts: tuple[str, ...]
    """Parts of the query that the graph does not seem to have: why it may return nothing."""
    anchors: tuple[Candidate, ...] = ()
    """The entities that its names refer to, each with its link score."""


@dataclass(slots=True)
class Draft:
    """A query between two steps of its repair."""

    cypher: str
    schema: Schema
    terms: NodeTerms
    names: NameLookup
    parameters: dict[str, Any]
    changes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    anchors: dict[str, Candidate] = field(default_factory=dict)

    _query: ParsedQuery | None = None

    def parsed(self) -> ParsedQuery:
        """The current query, parsed; cached until the next edit."""
        if self._query is None:
            self._query = parse(self.cypher)
        return self._query

    def edit(self, edits: Sequence[Edit]) -> None:
        if edits:
            self.cypher, self._query = apply_edits(self.cypher, edits), None

    def changed(self, what: str) -> None:
        if what not in self.changes:
            self.changes.append(what)

    def doubt(self, what: str) -> None:
        if what not in self.doubts:
            self.doubts.append(what)

    def parameter(self, value: Any) -> str:
        """Add a parameter with this value; returns it as written in a query."""
        number = 0
        while f"v{number}" in self.parameters:
            number += 1
        self.parameters[f"v{number}"] = value
        return f"$v{number}"
