"""A candidate query: what is matched, what is returned, and how both read in Cypher and in words.

A query starts from linked entities (anchors), follows one chain of hops from each, and returns the node
where the chains meet, one of its properties, their number, or the extreme among them (GraphRAFT section 4.1
and appendix B.2 for the path and two-entity templates; filters, counts, superlatives and times are ours).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from clew.tools.cypher.quoting import quoted
from clew.tools.graph.entity import Entity
from clew.tools.graph.node_terms import NodeTerms
from clew.tools.graph.temporal import Period

Comparison = Literal["=", "<", "<=", ">", ">=", "<>", "CONTAINS"]
ANSWER = "answer"
"""The Cypher variable of the node at which all chains end."""


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

    def back(self, label: str) -> Hop:
        """The same step the other way, to the label it came from."""
        return Hop(self.relation, not self.forward, label)

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
class TimeProperties:
    """The properties in which the relationships of a type, or the nodes of a label, keep their time."""

    start: str | None
    end: str | None
    """The same as `start` where one property holds the whole time; None where facts have no end."""
    width: int = 0
    """Characters of either end where one property holds both as text, "1979 - 1983"; 0 where it holds one time."""


@dataclass(frozen=True, slots=True)
class TimeLocation:
    """Where a chain keeps a time: on the relationship of hop `hop`, or on the node that the hop leads to."""

    chain: int
    hop: int
    """-1 for the anchor of a chain without hops."""
    time: TimeProperties
    node: bool = False


@dataclass(frozen=True, slots=True)
class ReferenceFact:
    """A fact whose time another one is compared with: a relationship of `entity`, to `other` or to whatever it leads
    to; or, without a hop, the entity itself, as an event."""

    entity: Entity
    time: TimeProperties
    hop: Hop | None = None
    other: Entity | None = None


@dataclass(frozen=True, slots=True)
class TimeFilter:
    """A condition on the time at a place: that it shares a day with a period or a fact, starts or ends in it, or
    starts before or after the fact does."""

    location: TimeLocation
    relation: Literal["during", "starts", "ends", "before", "after"]
    than: Period | ReferenceFact


@dataclass(frozen=True, slots=True)
class TimeOrder:
    """The first or the last: only the answers whose time at a place starts earliest, or latest."""

    location: TimeLocation
    last: bool


@dataclass(frozen=True, slots=True)
class TimeAnswer:
    """The time at a place as the answer: the whole of it, or one end."""

    location: TimeLocation
    side: Literal["both", "start", "end"] = "both"


@dataclass(frozen=True, slots=True)
class Query:
    """One candidate query over a graph. At most one of `order` and `turn` is given."""

    chains: tuple[Chain, ...]
    filters: tuple[Filter, ...] = ()
    order: Order | None = None
    returns: Literal["nodes", "count", "property", "period"] = "nodes"
    property_name: str | None = None
    """With `returns="property"`: the property of the answer node whose values are the answer."""
    walk: bool = False
    """Whether a chain may take one relationship twice (one MATCH a hop), as "the children of the parents of X's child"
    does; a trail, Cypher's own meaning of a path, may not, so that "the same director as X" leaves X out."""
    time_filters: tuple[TimeFilter, ...] = ()
    time_order: TimeOrder | None = None
    time_answer: TimeAnswer | None = None
    """With `returns="period"`: the time that is the answer."""

    @property
    def shape(self) -> str:
        """The kind of query: path, intersection, property, period, count, superlative, each with "+filter" if filtered
        and "+time" if only some times count."""
        if self.order is not None or self.time_order is not None:
            name = "superlative"
        elif self.returns == "period":
            name = "period"
        elif self.returns == "count":
            name = "count"
        elif self.returns == "property":
            name = "property"
        else:
            name = "intersection" if len(self.chains) > 1 else "path"
        return name + ("+filter" if self.filters else "") + ("+time" if self.time_filters else "")

    @property
    def anchors(self) -> list[Entity]:
        """The entities that its chains start from."""
        return [chain.anchor for chain in self.chains if isinstance(chain.anchor, Entity)]

    @property
    def timed(self) -> bool:
        """Whether a time at some place matters to it."""
        return bool(self.time_filters) or self.time_order is not None or self.time_answer is not None

    @property
    def answer_label(self) -> str:
        """The label of the node where the chains meet, by the schema."""
        chain = self.chains[0]
        if chain.hops:
            return chain.hops[-1].target
        return chain.anchor if isinstance(chain.anchor, str) else chain.anchor.label

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
        parts += [f"@{_location_key(w.location)} {w.relation} {_than_key(w.than)}" for w in self.time_filters]
        if (order := self.time_order) is not None:
            parts.append(f"!{'last' if order.last else 'first'}({_location_key(order.location)})")
        if (answer := self.time_answer) is not None:
            parts.append(f"{answer.side}({_location_key(answer.location)})")
        return " ".join([*parts, f"={self.property_name}" if self.returns == "property" else f"={self.returns}"])


def anchor_clause(variable: str, anchor: Entity | str, parameter: str, terms: NodeTerms) -> str:
    """The clause that binds `variable` to an entity (by its id, through an index) or to a label."""
    if isinstance(anchor, str):
        return f"MATCH {terms.node(variable, anchor)}"
    return terms.by_id(variable, anchor.label, parameter)


def _location_key(location: TimeLocation) -> str:
    time, kind = location.time, "n" if location.node else "r"
    return f"{location.chain}.{location.hop}{kind}[{time.start!r}, {time.end!r}, {time.width}]"


def _than_key(than: Period | ReferenceFact) -> str:
    if isinstance(than, Period):
        return f"{than.start}..{than.end}"
    hop = f"/{than.hop.key()}" if than.hop is not None else ""
    return f"#{than.entity.id}{hop}" + (f"#{than.other.id}" if than.other is not None else "")


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """A query with the ranker's score and what the score was made of (for the trace)."""

    query: Query
    score: float
    """Comparable within one question only."""
    reasons: dict[str, float | str]
