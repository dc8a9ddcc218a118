"""A candidate query: what is matched, what is returned, and how both read in Cypher and in words.

A query starts from linked entities (anchors), follows one chain of hops from each, and returns the node
where the chains meet, one of its properties, their number, or the extreme among them (GraphRAFT section 4.1
and appendix B.2 for the path and two-entity templates; filters, counts and superlatives are ours).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tools.cypher_text import quoted
from tools.linking.entity import Entity

Comparison = Literal["=", "<", "<=", ">", ">=", "<>", "CONTAINS"]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step along a relationship type; `forward` follows its direction."""

    relation: str
    forward: bool
    target: str
    """The label that the step leads to, by the schema."""
    typed: bool = False
    """True where the relation and direction alone leave the target's label open, so the query must name it."""

    def pattern(self, node: str, relationship: str = "") -> str:
        """The hop as a Cypher pattern that ends in the node variable `node`; "" leaves a variable out."""
        end = f"({node}:{quoted(self.target)})" if self.typed else f"({node})"
        relation = f"[{relationship}:{quoted(self.relation)}]"
        return f"-{relation}->{end}" if self.forward else f"<-{relation}-{end}"

    def key(self) -> str:
        return ("" if self.forward else "^") + self.relation + (f":{self.target}" if self.typed else "")


@dataclass(frozen=True, slots=True)
class Chain:
    """An anchor and the hops that lead from it to the answer.

    The anchor is an entity, or a label where the question names no entity ("which film …").
    """

    anchor: Entity | str
    hops: tuple[Hop, ...]

    def key(self) -> str:
        start = self.anchor if isinstance(self.anchor, str) else f"#{self.anchor.id}"
        return "/".join([start, *(hop.key() for hop in self.hops)])


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a property of the answer node; the value travels as a parameter."""

    property: str
    comparison: Comparison
    value: Any


@dataclass(frozen=True, slots=True)
class Order:
    """A superlative: the answer with the most or least of a property, or of relationships along a hop."""

    by: str | Hop
    descending: bool


@dataclass(frozen=True, slots=True)
class Query:
    """One candidate query over a graph."""

    chains: tuple[Chain, ...]
    filters: tuple[Filter, ...] = ()
    order: Order | None = None
    returns: Literal["nodes", "count", "property"] = "nodes"
    property_name: str | None = None
    """With `returns="property"`: the property of the answer node whose values are the answer."""
    walk: bool = False
    """Whether a chain may take one relationship twice (one MATCH a hop), as "the children of the parents of X's child"
    does; a trail, Cypher's own meaning of a path, may not, so that "the same director as X" leaves X out."""

    @property
    def shape(self) -> str:
        """The kind of query: path, intersection, property, count, superlative, each with "+filter" if filtered."""
        if self.order is not None:
            name = "superlative"
        elif self.returns == "count":
            name = "count"
        elif self.returns == "property":
            name = "property"
        else:
            name = "intersection" if len(self.chains) > 1 else "path"
        return name + ("+filter" if self.filters else "")

    @property
    def length(self) -> int:
        """Hops in all chains together."""
        return sum(len(chain.hops) for chain in self.chains)

    def key(self) -> str:
        """Identifies the query within a graph."""
        parts = ["&".join(sorted(chain.key() for chain in self.chains))]
        parts += [f"?{f.property}{f.comparison}{f.value!r}" for f in self.filters]
        if self.order is not None:
            by = self.order.by if isinstance(self.order.by, str) else self.order.by.key()
            parts.append(f"!{'max' if self.order.descending else 'min'}({by})")
        parts += ["walk"] if self.walk else []
        return " ".join([*parts, f"={self.property_name}" if self.returns == "property" else f"={self.returns}"])


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """A query with the ranker's score and what the score was made of (for the trace)."""

    query: Query
    score: float
    """Comparable within one question only."""
    reasons: dict[str, float | str]
