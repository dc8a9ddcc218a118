"""SAGE's expansion: k seeds, their one-hop neighbours, and the k' of those that fit the question best.

Neighbours are those by the graph's own relationships and those by similarity (`similar`). They are
ranked by 0.6 BM25 + 0.4 cosine with each other as the pool (`text_search.index`). Source: SAGE, sections 2.2 B and 3.2,
Listing 1. Any strategy's answers can be seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from clew.tools.text_search.index import TextIndex

if TYPE_CHECKING:
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.text_search.expansion.similar import SimilarNodes

Policy = Literal["off", "edge", "no-edge", "spread"]
"""`edge`: neighbours are always added (+Edge in the paper). `no-edge`: not if the seeds come from a query that follows
relationships, since its answers are what it asks for (-Edge). `spread`: as `no-edge`, and a neighbour of a
good seed ranks higher. `off`: never."""
K_MORE = 8
"""Nodes that are added to the seeds, where the caller does not say (k')."""
MOST_AROUND = 300
"""Relationships of one seed that are followed, a fair share of each type and direction."""
_SPREAD, _SPREADING_SEEDS = 0.4, 5
"""The share of the best adjacent seed's score that a neighbour gets, and the number of seeds that count."""
_PART = 100_000


class Seed(NamedTuple):
    """A node found by a search."""

    id: str
    score: float
    """0 to 1."""


class Link(NamedTuple):
    """The connection of a neighbour to a seed."""

    seed: str
    """The seed's id."""
    relation: str | None
    """The relationship type; None for similarity."""
    forward: bool
    """Whether the seed is the relationship's head."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """A node that the expansion adds."""

    id: str
    name: str
    label: str
    score: float
    """0 to 1, comparable with the others of one expansion only."""
    links: tuple[Link, ...]
    """To the seeds, the first seed's first; at least one."""


class _Surroundings(NamedTuple):
    """Neighbours, one entry for each way to one; three arrays of one length."""

    places: npt.NDArray[np.int32]
    """In the text index."""
    seeds: npt.NDArray[np.int32]
    reldirs: npt.NDArray[np.int32]
    """As in the snapshot: 2 · relation, plus 1 where the seed is the tail; -1 for similarity."""


class Expansion:
    """Expands over one version of a graph; thread-safe."""

    def __init__(self, index: TextIndex, similar: Callable[[], SimilarNodes], snapshot: Callable[[], Snapshot]) -> None:
        """`similar` and `snapshot` are called when they are first needed."""
        self._index = index
        self._make_similar = similar
        self._make_snapshot = snapshot

    def prepare(self) -> None:
        """Open everything that `expand` needs."""
        _ = self._similar, self._places

    def expand(
        self,
        seeds: Sequence[Seed],
        question: str,
        k_more: int = K_MORE,
        policy: Policy = "no-edge",
        *,
        used_edges: bool = False,
        label: str | None = None,
    ) -> list[Expanded]:
        """The `k_more` neighbours of the seeds that fit `question` best, best first; none of them is a seed.

        `used_edges` says that the seeds come from a query that follows relationships, which `no-edge` and `spread` do
        not add to. `label` keeps neighbours of that label only.
        """
        if policy == "off" or k_more <= 0 or (used_edges and policy != "edge"):
            return []
        given = _distinct(seeds)
        around = self._around([seed.id for seed in given], label)
        places, back = np.unique(around.places, return_inverse=True)
        if not len(places):
            return []
        scores = self._index.scores_at(question, places)
        if policy == "spread":
            gift = np.zeros(len(places), np.float32)
            np.maximum.at(gift, back, _gifts(given)[around.seeds])
            scores = (scores + gift) / np.float32(1 + _SPREAD)
        best = np.argsort(-scores, kind="stable")[:k_more]
        return [
            Expanded(
                *self._index.described(int(places[i])),
                round(float(scores[i]), 6),
                self._links(around, back == i, given),
            )
            for i in best
        ]

    def _around(self, ids: Sequence[str], label: str | None) -> _Surroundings:
        """The neighbours of these nodes that are not among the nodes, of one label if it is given."""
        positions = self._index.positions(ids)
        nodes = self._snapshot.nodes(list(ids))
        parts = []
        for number, (place, node) in enumerate(zip(positions.tolist(), nodes.tolist(), strict=True)):
            if node >= 0:
                entries = self._entries(node)
                near = self._places[self._snapshot.neighbours[entries]]
                parts.append(_Surroundings(near, np.full(len(near), number, np.int32), self._snapshot.reldirs[entries]))
            similar, _ = self._similar.around(place)
            parts.append(
                _Surroundings(similar, np.full(len(similar), number, np.int32), np.full(len(similar), -1, np.int32))
            )
        if not parts:
            return _Surroundings(*(np.zeros(0, np.int32) for _ in range(3)))
        found = _Surroundings(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        kept = (found.places >= 0) & ~np.isin(found.places, positions)
        if label is not None:
            number = self._index.labels.index(label) if label in self._index.labels else -1
            kept &= self._index.node_labels[found.places] == number
        return _Surroundings(*(column[kept] for column in found))

    def _entries(self, node: int) -> npt.NDArray[np.int64]:
        """A node's relationships in the snapshot, MOST_AROUND at most."""
        first, last = int(self._snapshot.starts[node]), int(self._snapshot.starts[node + 1])
        if last - first <= MOST_AROUND:
            return np.arange(first, last)
        kinds, begun = np.unique(self._snapshot.reldirs[first:last], return_index=True)
        share = max(1, MOST_AROUND // len(kinds))
        ends = np.append(begun[1:], last - first)
        taken = [np.arange(a, min(a + share, b)) for a, b in zip(begun, ends, strict=True)]
        return first + np.concatenate(taken)[:MOST_AROUND]

    def _links(self, around: _Surroundings, of_one: npt.NDArray[np.bool_], seeds: Sequence[Seed]) -> tuple[Link, ...]:
        """The connections of one neighbour to the seeds."""
        pairs = zip(around.seeds[of_one].tolist(), around.reldirs[of_one].tolist(), strict=True)
        return tuple(
            Link(
                seeds[seed].id,
                None if reldir < 0 else self._snapshot.relations[reldir // 2],
                reldir < 0 or reldir % 2 == 0,
            )
            for seed, reldir in pairs
        )

    @cached_property
    def _similar(self) -> SimilarNodes:
        return self._make_similar()

    @cached_property
    def _snapshot(self) -> Snapshot:
        return self._make_snapshot()

    @cached_property
    def _places(self) -> npt.NDArray[np.int32]:
        """By node of the snapshot, its position in the text index, or -1."""
        ids = self._snapshot.id_texts
        parts = [
            self._index.positions(ids.take(np.arange(begun, min(begun + _PART, len(ids)))))
            for begun in range(0, len(ids), _PART)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.int32)


def _distinct(seeds: Sequence[Seed]) -> list[Seed]:
    """The distinct nodes in their order."""
    first: dict[str, Seed] = {}
    for seed in seeds:
        first.setdefault(seed.id, seed)
    return list(first.values())


def _gifts(seeds: Sequence[Seed]) -> npt.NDArray[np.float32]:
    """The score that each seed adds to its neighbours: a share of its own, for the best few seeds."""
    scores = np.array([seed.score for seed in seeds], np.float32)
    giving = np.argsort(-scores, kind="stable")[:_SPREADING_SEEDS]
    gifts = np.zeros(len(seeds), np.float32)
    gifts[giving] = scores[giving] * np.float32(_SPREAD)
    return gifts
