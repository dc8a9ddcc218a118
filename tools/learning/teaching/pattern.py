"""The pattern of a query: the query without its entities and values. Questions of one kind share a pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal

from clew.tools.graph.entity import Entity
from clew.tools.queries.space.query import Chain, Hop, Query
from clew.tools.queries.space.words import noun_of, words


@dataclass(frozen=True, slots=True)
class ChainPattern:
    """One chain without its entity."""

    start: str
    """The label of its start."""
    hops: tuple[Hop, ...]
    named: bool = True
    """Whether it starts from one entity of the label, not from all of its nodes."""

    def key(self) -> str:
        start = self.start if self.named else f"any {self.start}"
        return "/".join([start, *(hop.key() for hop in self.hops)])


@dataclass(frozen=True)
class Pattern:
    """A query without its entities; equal patterns have equal keys."""

    strands: tuple[ChainPattern, ...]
    """The strands in the order of their keys."""
    returns: Literal["nodes", "count", "property", "period"] = "nodes"
    property_name: str | None = None
    walk: bool = False
    extras: tuple[str, ...] = ()
    """Filters, orders and times, as words without values."""

    @cached_property
    def key(self) -> str:
        tail = f"={self.property_name or self.returns}"
        return " ".join(["&".join(s.key() for s in self.strands), *self.extras, *(["walk"] * self.walk), tail])

    @cached_property
    def words(self) -> str:
        """The query in plain words, with nouns of labels instead of entities."""
        nouns = [Entity("", noun_of(strand.start), strand.start) for strand in self.strands]
        return " ".join([words(self._query(nouns)), *self.extras])

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Features shared with other patterns: single hops, first and last hop, neighbours, length, answer, and the
        whole pattern."""
        found = {f"whole {self.key}", f"length {self.length}", f"strands {len(self.strands)}", f"gives {self.returns}"}
        found |= {f"with {extra.split()[0]}" for extra in self.extras}
        if self.property_name is not None:
            found.add(f"property {self.property_name}")
        for strand in self.strands:
            keys = [hop.key() for hop in strand.hops]
            found |= {f"from {strand.start}", *(f"hop {key}" for key in keys)}
            found |= {f"then {first} {second}" for first, second in pairwise(keys)}
            if keys:
                found |= {f"first {keys[0]}", f"last {keys[-1]}", f"to {strand.hops[-1].target}"}
        return tuple(sorted(found))

    @property
    def length(self) -> int:
        return sum(len(strand.hops) for strand in self.strands)

    @property
    def can_be_asked(self) -> bool:
        """Whether entities suffice to make a query of it."""
        return not self.extras and self.returns != "period" and all(s.named and s.hops for s in self.strands)

    def query(self, entities: Sequence[Entity]) -> Query:
        """The query with these entities, one for each strand; only if `can_be_asked`."""
        return self._query(entities)

    def _query(self, entities: Sequence[Entity]) -> Query:
        chains = tuple(
            Chain(entity if strand.named else strand.start, strand.hops)
            for strand, entity in zip(self.strands, entities, strict=True)
        )
        returns = "nodes" if self.returns == "period" else self.returns
        return Query(chains, returns=returns, property_name=self.property_name, walk=self.walk)

    def to_json(self) -> dict[str, Any]:
        strands = [
            {
                "from": s.start,
                "named": s.named,
                "hops": [[h.relation, ">" if h.forward else "<", h.target, h.typed] for h in s.hops],
            }
            for s in self.strands
        ]
        return {
            "strands": strands,
            "returns": self.returns,
            "property": self.property_name,
            "walk": self.walk,
            "extras": list(self.extras),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Pattern:
        """Parse the output of `to_json`. Raises KeyError, TypeError or ValueError."""
        strands = tuple(
            ChainPattern(
                str(s["from"]),
                tuple(Hop(str(r), way == ">", str(end), bool(typed)) for r, way, end, typed in s["hops"]),
                bool(s["named"]),
            )
            for s in value["strands"]
        )
        if value["returns"] not in ("nodes", "count", "property", "period"):
            raise ValueError(f"{value['returns']!r} is nothing that a query returns")
        extras = tuple(str(extra) for extra in value["extras"])
        return cls(strands, value["returns"], value["property"], bool(value["walk"]), extras)


def pattern_of(query: Query) -> Pattern:
    """The pattern of a query."""
    return _arranged(query)[0]


def anchors_in_order(query: Query) -> list[Entity]:
    """The entities of a query in the order of its pattern's strands."""
    return _arranged(query)[1]


def _arranged(query: Query) -> tuple[Pattern, list[Entity]]:
    made = []
    for chain in query.chains:
        entity = chain.anchor if isinstance(chain.anchor, Entity) else None
        start = chain.anchor.label if isinstance(chain.anchor, Entity) else chain.anchor
        made.append((ChainPattern(start, chain.hops, entity is not None), entity))
    # A hop's key leaves out a label that it does not name; the order must not depend on how the query was written.
    made.sort(key=lambda pair: (pair[0].key(), [hop.target for hop in pair[0].hops], pair[1].id if pair[1] else ""))
    strands = tuple(strand for strand, _ in made)
    pattern = _shared(Pattern(strands, query.returns, query.property_name, query.walk, tuple(_extras(query))))
    return pattern, [entity for _, entity in made if entity is not None]


@lru_cache(maxsize=20_000)
def _shared(pattern: Pattern) -> Pattern:
    """The first equal pattern, whose words and parts are cached."""
    return pattern


def _extras(query: Query) -> list[str]:
    found = [f"filter {f.property} {f.comparison}" for f in query.filters]
    if query.order is not None:
        by = query.order.by if isinstance(query.order.by, str) else query.order.by.key()
        found.append(f"{'most' if query.order.descending else 'least'} {by}")
    found += [f"time {when.relation}" for when in query.time_filters]
    if query.time_order is not None:
        found.append(f"turn {'last' if query.time_order.last else 'first'}")
    if query.time_answer is not None:
        found.append(f"told {query.time_answer.side}")
    return found
