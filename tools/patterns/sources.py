"""Candidates of a pattern: ranked lists, or sources that return one candidate at a time.

Distances are the L2 distances of normalised embeddings (Equations 1 to 3), or any other non-negative ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Protocol

from clew.tools.errors import BadInput
from clew.tools.patterns.pattern import Pattern

_ORDER = "Candidates come in order of distance, nearest first."


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates (node or relation numbers of the snapshot) with their distances, sorted by distance.

    An id that occurs twice keeps its smaller distance. Raises BadInput for a distance that is negative or no number.
    """

    ids: tuple[int, ...]
    distances: tuple[float, ...]

    @classmethod
    def of(cls, ids: Sequence[int], distances: Sequence[float]) -> Candidates:
        best: dict[int, float] = {}
        for distance, id in sorted(zip(map(float, distances), map(int, ids), strict=True)):
            _check_distance(distance)
            best.setdefault(id, distance)
        return cls(tuple(best), tuple(best.values()))

    def __len__(self) -> int:
        return len(self.ids)


class LazyCandidates(Protocol):
    """Candidates one at a time. Further candidates are assumed to be at least as distant as the last."""

    def next(self) -> tuple[int, float] | None:
        """The next (node, distance), distances not decreasing; None when there are no more."""
        ...


@dataclass(frozen=True, slots=True)
class Sources:
    """Candidates for the elements of a pattern, by position.

    `nodes` for every known node, `relations` for every known edge. `labels`: for any node, the label numbers it may
    have; for an unknown node with a type these are the labels nearest to its type word (appendix C.1).
    """

    nodes: Mapping[int, Candidates | LazyCandidates] = field(default_factory=dict)
    relations: Mapping[int, Candidates] = field(default_factory=dict)
    labels: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def check(self, pattern: Pattern, nodes: int, relations: int, labels: int) -> None:
        """Raises BadInput unless known elements, and no others, have candidates, and all of them are in the graph."""
        _check_given("node", [node.text is not None for node in pattern.nodes], self.nodes)
        _check_given("edge", [edge.relation is not None for edge in pattern.edges], self.relations)
        for source in self.nodes.values():
            if isinstance(source, Candidates):
                check_range(source.ids, nodes, "node")
        for ranked in self.relations.values():
            check_range(ranked.ids, relations, "relation")
        for numbers in self.labels.values():
            check_range(numbers, labels, "label")


def _check_given(what: str, known: Sequence[bool], given: Mapping[int, object]) -> None:
    right = [position in given for position in range(len(known))]
    if right == known and len(given) == sum(known):
        return
    for position in sorted(set(given).symmetric_difference(i for i, is_known in enumerate(known) if is_known)):
        fault = "UNKNOWN or not there but has candidates" if position in given else "known but has no candidates"
        raise BadInput(
            f"The {what} {position} of the pattern is {fault}.",
            "Give candidates for exactly the known nodes and relations.",
        )


def check_range(ids: Sequence[int], count: int, what: str) -> None:
    """Raises BadInput for a number that the graph does not have."""
    if len(ids) and (min(ids) < 0 or max(ids) >= count):
        raise BadInput(
            f"A candidate {what} is not in the graph snapshot.", "Build the snapshot and the index together."
        )


def _check_distance(distance: float) -> None:
    if not (isfinite(distance) and distance >= 0):
        raise BadInput(f"A candidate has the distance {distance}.", "Distances are numbers of at least 0.")


class CandidateStream:
    """The candidates of a node, fetched on demand."""

    __slots__ = ("_count", "_distances", "_ids", "_seen", "_source", "distances", "ended", "ids")

    def __init__(self, source: Candidates | LazyCandidates, nodes: int) -> None:
        self.ids: Sequence[int]
        self.distances: Sequence[float]
        self.ended = isinstance(source, Candidates)
        self._count = nodes
        self._seen: set[int] = set()
        self._ids: list[int]
        self._distances: list[float]
        if isinstance(source, Candidates):
            self.ids, self.distances = source.ids, source.distances
        else:
            self._source = source
            self.ids = self._ids = []
            self.distances = self._distances = []

    def floor(self, position: int) -> float | None:
        """The smallest possible distance of the candidate at `position`; None if there is none."""
        if position < len(self.ids):
            return self.distances[position]
        if self.ended:
            return None
        return self.distances[-1] if self.distances else 0.0

    def fetch(self, position: int) -> bool:
        """Fetch candidates up to `position`; False if the source is exhausted."""
        while not self.ended and len(self.ids) <= position:
            self._ask()
        return position < len(self.ids)

    def _ask(self) -> None:
        given = self._source.next()
        if given is None:
            self.ended = True
            return
        node, distance = int(given[0]), float(given[1])
        _check_distance(distance)
        if self.distances and distance < self.distances[-1]:
            raise BadInput(f"A source gave the distance {distance} after {self.distances[-1]}.", _ORDER)
        check_range((node,), self._count, "node")
        if node not in self._seen:
            self._seen.add(node)
            self._ids.append(node)
            self._distances.append(distance)
