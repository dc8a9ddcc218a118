"""Candidates for the parts of a pattern, from what a graph's names and relations are known by.

Nodes come from the entity index: equal spellings, then edit distance, then meaning where the dense index is there. Its
scores s from 0 to 1 stand for cosines: the distance is √(2 - 2s), that of two unit vectors of cosine s, so that an
exact name is at 0. Relations and labels come from what people say for them (`glosses`), which tells more
than their identifiers; their distance is that of the embeddings. Source: SimGRAG sections 4.2 and 5.1, and appendix C
for types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import sqrt
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from clew.tools.graph.entity import Candidate
from clew.tools.graph.identifiers import bare_words
from clew.tools.linking.index import EntityIndex
from clew.tools.queries.ranking.similarity import SchemaPhrases
from clew.tools.queries.space.moves import Moves

if TYPE_CHECKING:
    from clew.tools.graph.snapshot.snapshot import Snapshot
    from clew.tools.patterns import Candidates, Pattern, PatternEdge, Sources

BATCHES = (8, 32, 128)
"""Maximum number of candidates of a node that are taken from the index."""
RELATIONS = 16
"""Candidates of a relation (k(r) of the paper's experiments on MetaQA)."""
LEAST_LABEL = 0.55
LABEL_SLACK = 0.05
"""A type is read as the labels this near to the nearest, and at least so near; where none is, as any."""


def distance_of(score: float) -> float:
    """The L2 distance of unit vectors with cosine `score`."""
    return sqrt(max(0.0, 2.0 - 2.0 * score))


class PatternSources:
    """The sources of candidates for patterns in one graph. Thread-safe; `snapshot` is called on first use."""

    def __init__(
        self,
        index: EntityIndex,
        moves: Moves,
        phrases: SchemaPhrases,
        snapshot: Callable[[], Snapshot],
    ) -> None:
        self.phrases = phrases
        self._index = index
        self._moves = moves
        self._made = snapshot
        self._lock = Lock()

    @property
    def snapshot(self) -> Snapshot:
        with self._lock:
            return self._snapshot

    @cached_property
    def _snapshot(self) -> Snapshot:
        return self._made()

    def sources(self, pattern: Pattern, types: int | None = None) -> Sources:
        """Candidates for every known node and relation, and the labels that the types of nodes stand for.

        Args:
            types: How many labels, nearest first, a type stands for (k(t) in SimGRAG, appendix C.1); None for those
                about as near as the nearest.
        """
        from clew.tools.patterns import Sources  # most questions match no pattern

        snapshot = self.snapshot
        nodes = {
            place: NamedNodes(node.text, self._index, snapshot)
            for place, node in enumerate(pattern.nodes)
            if node.text is not None
        }
        edges = {place: self._relations(edge) for place, edge in enumerate(pattern.edges) if edge.known}
        labels = {
            place: found
            for place, node in enumerate(pattern.nodes)
            if node.type is not None and not node.known and (found := self._labels(node.type, types))
        }
        return Sources(nodes, edges, labels)

    def _relations(self, edge: PatternEdge) -> Candidates:
        """The nearest relations: by what is said for the end that the edge leads to, or, where its direction is free,
        for either end. The relation's own name is at 0."""
        from clew.tools.patterns import Candidates

        text = str(edge.relation)
        cosines = self.phrases.compare([text.lower()]).steps[0]
        numbers = {name: number for number, name in enumerate(self.snapshot.relations)}
        best: dict[int, float] = {}
        for hop, cosine in zip(self._moves.hops, cosines.tolist(), strict=False):
            number = numbers.get(hop.relation)
            if number is None or (edge.directed and not hop.forward):
                continue
            score = 1.0 if bare_words(text) == bare_words(hop.relation) else cosine
            best[number] = max(best.get(number, -1.0), score)
        nearest = sorted(best, key=lambda number: (-best[number], number))[:RELATIONS]
        return Candidates.of(nearest, [distance_of(best[number]) for number in nearest])

    def _labels(self, word: str, most: int | None) -> list[int]:
        fits = self.phrases.compare([word.lower()]).labels[0]
        numbers = {name: number for number, name in enumerate(self.snapshot.labels)}
        if most is not None:
            nearest = np.argsort(-fits, kind="stable")[:most].tolist()
            return [numbers[self._moves.labels[i]] for i in nearest if self._moves.labels[i] in numbers]
        if not fits.size or fits.max() < LEAST_LABEL:
            return []
        near = np.flatnonzero(fits >= fits.max() - LABEL_SLACK).tolist()
        return [numbers[self._moves.labels[i]] for i in near if self._moves.labels[i] in numbers]


class NamedNodes:
    """The nodes that a text may name, nearest first; the index is searched again only after these are exhausted."""

    def __init__(self, text: str, index: EntityIndex, snapshot: Snapshot) -> None:
        self._text = text
        self._index = index
        self._snapshot = snapshot
        self._batches = iter(BATCHES)
        self._waiting: list[tuple[int, float]] = []
        self.given: dict[int, float] = {}
        """The nodes returned so far, with their distances."""
        self._last = 0.0

    def next(self) -> tuple[int, float] | None:
        """As clew.tools.patterns.LazyCandidates."""
        while not self._waiting:
            most = next(self._batches, None)
            if most is None:
                return None
            found = self._index.search(self._text, m=most)
            self._waiting = self._placed(found)
            if len(found) < most:
                self._batches = iter(())
            if not self._waiting and len(found) < most:
                return None
        node, distance = self._waiting.pop()
        self._last = max(self._last, distance)
        self.given[node] = self._last
        return node, self._last

    def _placed(self, candidates: list[Candidate]) -> list[tuple[int, float]]:
        """The nodes and distances of the candidates, nearest last, without those returned before or missing in the
        snapshot."""
        nodes = self._snapshot.nodes([candidate.entity.id for candidate in candidates]).tolist()
        placed = [(node, distance_of(candidate.score)) for node, candidate in zip(nodes, candidates, strict=True)]
        return [(node, distance) for node, distance in placed if node >= 0 and node not in self.given][::-1]
