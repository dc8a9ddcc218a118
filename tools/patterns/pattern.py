"""Pattern graphs, what a question asks for as a small graph of known and unknown nodes and relations; and matches.

SimGRAG (sections 4.1, 4.3 and appendices C, F): a pattern is a connected set of triples; a node or a relation that
the question does not name is UNKNOWN and costs nothing in the distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from clew.tools.errors import BadInput

MOST_NODES = 16
MOST_EDGES = 24
_REMEDY = "Write every node once, and let edges name nodes by their position."


@dataclass(frozen=True, slots=True)
class PatternNode:
    """A node with its `text`, or UNKNOWN if that is None; `type` is a word such as "person", or None."""

    text: str | None = None
    type: str | None = None

    @property
    def known(self) -> bool:
        return self.text is not None


@dataclass(frozen=True, slots=True)
class PatternEdge:
    """A relation between the nodes at positions `head` and `tail`; UNKNOWN if `relation` is None. The direction only
    counts if `directed`, because graphs may store a fact in either direction (section 4.2)."""

    head: int
    tail: int
    relation: str | None = None
    directed: bool = False

    @property
    def known(self) -> bool:
        return self.relation is not None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A connected pattern of any shape: paths, stars, cycles, parallel edges, an edge from a node to itself.

    `asked` is the position of the node whose bindings answer the question. Raises BadInput where the parts do not
    make one connected pattern.
    """

    nodes: tuple[PatternNode, ...]
    edges: tuple[PatternEdge, ...]
    asked: int | None = None

    def __post_init__(self) -> None:
        _check_sizes(self)
        for position, node in enumerate(self.nodes):
            _check_text(node.text, f"node {position}")
            _check_text(node.type, f"the type of node {position}")
        for position, edge in enumerate(self.edges):
            _check_text(edge.relation, f"the relation of edge {position}")
            for end in (edge.head, edge.tail):
                _check_position(end, len(self.nodes), f"Edge {position}")
        if self.asked is not None:
            _check_position(self.asked, len(self.nodes), "The asked node")
        _check_connected(self)

    def to_json(self) -> dict[str, Any]:
        """Plain values that `from_json` reads back."""
        return {
            "nodes": [{"text": node.text, "type": node.type} for node in self.nodes],
            "edges": [
                {"head": e.head, "tail": e.tail, "relation": e.relation, "directed": e.directed} for e in self.edges
            ],
            "asked": self.asked,
        }

    @classmethod
    def from_json(cls, value: object) -> Pattern:
        """Parse a pattern from a JSON value; raises BadInput if it is not one."""
        fields = _fields(value, "The pattern", {"nodes", "edges", "asked"})
        nodes = [_fields(entry, f"Node {i}", {"text", "type"}) for i, entry in enumerate(_list(fields, "nodes"))]
        names = {"head", "tail", "relation", "directed"}
        edges = [_fields(entry, f"Edge {i}", names) for i, entry in enumerate(_list(fields, "edges"))]
        for i, edge in enumerate(edges):
            if not isinstance(edge.get("directed", False), bool):
                raise BadInput(f"`directed` of edge {i} is not true or false.", _REMEDY)
        return cls(
            tuple(PatternNode(node.get("text"), node.get("type")) for node in nodes),
            tuple(
                PatternEdge(e.get("head", -1), e.get("tail", -1), e.get("relation"), e.get("directed", False))
                for e in edges
            ),
            fields.get("asked"),
        )


class MatchedEdge(NamedTuple):
    """The triple that a pattern's edge is mapped to, by numbers of the snapshot, in the graph's own direction."""

    head: int
    relation: int
    tail: int
    forward: bool
    """Whether the pattern's head is mapped to this head."""


class Match(NamedTuple):
    """A subgraph for the pattern, and how many others are exactly as good in the same way."""

    distance: float
    nodes: tuple[int, ...]
    """For each node of the pattern, its binding."""
    edges: tuple[MatchedEdge, ...]
    """For each edge of the pattern, its triple."""
    ties: int
    """Number of subgraphs with these bindings of the known nodes and these relations, including this one."""
    ties_exact: bool
    """Whether they were all counted; otherwise the number is a lower bound."""

    @classmethod
    def of(
        cls,
        pattern: Pattern,
        distance: float,
        nodes: tuple[int, ...],
        triples: Iterable[tuple[int, int, int]],
        ties: int,
        ties_exact: bool = True,
    ) -> Match:
        """The match that binds `nodes` and maps the pattern's edges to `triples` (head, relation, tail)."""
        edges = [
            MatchedEdge(head, relation, tail, nodes[edge.head] == head)
            for edge, (head, relation, tail) in zip(pattern.edges, triples, strict=True)
        ]
        return cls(distance, nodes, tuple(edges), ties, ties_exact)


class Matches(NamedTuple):
    """The best matches, nearest first, and what the search did."""

    matches: tuple[Match, ...]
    proven: bool
    """Whether no other assignment has a smaller distance; False if the deadline came first."""
    expanded: int
    """Number of states expanded."""
    bound: float
    """The smallest possible distance of another assignment; infinite if there is none."""


def _check_sizes(pattern: Pattern) -> None:
    if not pattern.nodes or not pattern.edges:
        raise BadInput("A pattern needs at least one node and one edge.", _REMEDY)
    if len(pattern.nodes) > MOST_NODES or len(pattern.edges) > MOST_EDGES:
        raise BadInput(
            f"A pattern of {len(pattern.nodes)} nodes and {len(pattern.edges)} edges is too large.",
            f"At most {MOST_NODES} nodes and {MOST_EDGES} edges are matched at once: ask in smaller parts.",
        )


def _check_text(text: object, what: str) -> None:
    if text is not None and (not isinstance(text, str) or not text.strip()):
        raise BadInput(f"The text of {what} in the pattern is empty or no text.", "Leave it null where it is unknown.")


def _check_position(position: object, count: int, what: str) -> None:
    if not isinstance(position, int) or isinstance(position, bool) or not 0 <= position < count:
        raise BadInput(f"{what} of the pattern names node {position!r}; there are nodes 0 to {count - 1}.", _REMEDY)


def _check_connected(pattern: Pattern) -> None:
    reached = {0}
    for _ in pattern.nodes:
        for edge in pattern.edges:
            if edge.head in reached or edge.tail in reached:
                reached |= {edge.head, edge.tail}
    if len(reached) < len(pattern.nodes):
        apart = min(set(range(len(pattern.nodes))) - reached)
        raise BadInput(f"Node {apart} of the pattern is not connected with node 0.", "Ask for one part at a time.")


def _fields(value: object, what: str, allowed: set[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadInput(f"{what} is not a JSON object.", _REMEDY)
    if unread := set(value) - allowed:
        raise BadInput(f"{what} has the field {min(map(str, unread))!r}, which means nothing here.", _REMEDY)
    return value


def _list(fields: Mapping[str, Any], name: str) -> list[Any]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise BadInput(f"`{name}` of the pattern is not a list.", _REMEDY)
    return value
