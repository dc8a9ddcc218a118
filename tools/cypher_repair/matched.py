"""The triplets that a query's first MATCH clauses matched, which support its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.tools.cypher.lexer import Edit, apply_edits
from clew.tools.cypher_repair.query_parser import parse
from clew.tools.cypher_repair.syntax import Chain, NodePattern, ParsedQuery, RelationshipPattern, Variable
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.triplets import Triplet

_OURS = "clew_"


@dataclass(frozen=True, slots=True)
class _Side:
    """A relationship of the query with the columns of its head and tail."""

    relationship: str
    head: str
    tail: str
    undirected: bool


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """A query for triplets; `$clew_ids` are the ids of the answers, if it filters by them."""

    cypher: str
    parameters: dict[str, Any]
    sides: tuple[_Side, ...]

    def triplets(self, records: Sequence[Mapping[str, Any]]) -> list[Triplet]:
        """The distinct triplets in the order of the rows, without missing parts of an OPTIONAL MATCH."""
        found: dict[Triplet, None] = {}
        for record in records:
            for side in self.sides:
                head, tail, kind = record[side.head], record[side.tail], record[f"{side.relationship}_type"]
                if kind is None or head[0] is None or tail[0] is None:
                    continue
                if side.undirected and record[f"{side.relationship}_start"] != head[0]:
                    head, tail = tail, head
                ends = [Entity(*(str(part) for part in end)) for end in (head, tail)]
                properties = dict(record[f"{side.relationship}_properties"] or {})
                found.setdefault(Triplet(ends[0], str(kind), ends[1], properties))
        return list(found)


def match_query(
    cypher: str, parameters: Mapping[str, Any], terms: NodeTerms, ids: Sequence[str], answer: str | None, limit: int
) -> MatchQuery | None:
    """The query for the triplets that `cypher` (from `repair`) matched before its first WITH or RETURN.

    `answer` is the variable of the answers `ids`, and only their matches are fetched; without it, any `limit` rows.
    None if there is no relationship of fixed length to return, or the query is not a simple one.
    """
    query = parse(cypher)
    if _OURS in cypher or query.unions or query.subqueries or query.unwinds or query.procedures:
        return None
    end = query.projections[0].first
    chains = [c for c in query.chains if c.clause and not c.nested and c.last <= end and not c.shortest]
    bound = {node.variable.name for each in chains for node in each.nodes if node.named}
    if (answer is None and len(query.projections) > 1) or (answer is not None and answer not in bound):
        return None
    naming = _Naming(query)
    sides = [side for each in chains for side in naming.sides(each)]
    if not sides:
        return None
    before = query.tokens[end].start
    prefix = apply_edits(cypher[:before], naming.edits).rstrip()
    condition = "" if answer is None else f"\nWITH * WHERE {terms.id(naming.text(answer))} IN $clew_ids"
    columns = ", ".join(_columns(sides, naming, terms))
    text = f"{prefix}{condition}\nRETURN {columns}\nLIMIT {int(limit)}"
    return MatchQuery(text, {**parameters, **terms.parameters, "clew_ids": list(ids)}, tuple(sides))


class _Naming:
    """Assigns a variable to every node and relationship of a query."""

    def __init__(self, query: ParsedQuery) -> None:
        self.edits: list[Edit] = []
        self._tokens = query.tokens
        self._names: dict[Variable, str] = {}
        self.columns: dict[str, str] = {}
        """The variable that each column returns."""

    def text(self, name: str) -> str:
        """The text of a variable as the query writes it."""
        return next(text for variable, text in self._names.items() if variable.name == name)

    def sides(self, chain: Chain) -> list[_Side]:
        names = [self._node(node) for node in chain.nodes]
        found = []
        for place, relationship in enumerate(chain.relationships):
            if relationship.star is None:
                left, right = names[place], names[place + 1]
                head, tail = (right, left) if relationship.left and relationship.directed else (left, right)
                found.append(_Side(self._relationship(relationship), head, tail, not relationship.directed))
        return found

    def _node(self, node: NodePattern) -> str:
        return self._column(node.variable, node.named.text if node.named else None, self._tokens[node.first].end)

    def _relationship(self, relationship: RelationshipPattern) -> str:
        written = relationship.named.text if relationship.named else None
        if relationship.bracket is not None:
            return self._column(relationship.variable, written, self._tokens[relationship.bracket].end)
        dash = relationship.first + relationship.left
        return self._column(relationship.variable, None, self._tokens[dash].end, "[", "]")

    def _column(self, variable: Variable, written: str | None, place: int, before: str = "", after: str = "") -> str:
        """The column that returns a variable, which is added at `place` if it is unnamed."""
        if variable not in self._names:
            self._names[variable] = written or f"{_OURS}{len(self._names)}"
            if written is None:
                self.edits.append(Edit(place, place, f"{before}{self._names[variable]}{after}"))
        column = f"{_OURS}c{list(self._names).index(variable)}"
        self.columns[column] = self._names[variable]
        return column


def _columns(sides: Sequence[_Side], naming: _Naming, terms: NodeTerms) -> list[str]:
    found: dict[str, None] = {}
    for side in sides:
        for end in (side.head, side.tail):
            node = naming.columns[end]
            found[f"[{terms.id(node)}, {terms.name(node)}, {terms.label(node)}] AS {end}"] = None
        relationship = naming.columns[side.relationship]
        found[f"type({relationship}) AS {side.relationship}_type"] = None
        found[f"properties({relationship}) AS {side.relationship}_properties"] = None
        if side.undirected:
            found[f"{terms.id(f'startNode({relationship})')} AS {side.relationship}_start"] = None
    return list(found)
